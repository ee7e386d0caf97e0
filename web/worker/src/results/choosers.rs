//! Filter controls of the Results view, rendered as HTML. The page recognizes each control by its
//! id, which is the name of a [`Field`], and each button by its data attributes.

use std::{collections::BTreeSet, fmt::Write};

use super::words::{Words, escaped};
use crate::protocol::{Chart, Field, Listing, Quantity};

/// Renders a control for each field in which the results differ.
pub fn filters(words: &Words, chart: &Chart) -> String {
    let choosers = Field::FILTERS.into_iter().map(|field| {
        let chosen = chart.list.get(field);
        // Boards are sorted by N, all other values by name.
        let key = |value: &str| (value.parse().unwrap_or(0_u32), value.to_owned());
        let mut values: BTreeSet<(u32, String)> =
            chart.points.iter().map(|point| key(point.field(field))).collect();
        // A filter from the URL can be cleared even if no result matches it.
        if !chosen.is_empty() {
            values.insert(key(chosen));
        }
        if values.len() < 2 && chosen.is_empty() {
            return String::new();
        }
        let name = |value: &str| match field {
            Field::Method => {
                let called = chart.points.iter().find(|point| point.field(field) == value);
                called.map_or(value, |point| &point.method).to_owned()
            }
            _ => value.to_owned(),
        };
        let values = values.iter().map(|(_, value)| (value.clone(), escaped(&name(value))));
        let all = (String::new(), words.say("results.all", &[]));
        let label = words.say(&format!("results.{}", field.id()), &[]);
        chooser(field, &label, [all].into_iter().chain(values), chosen)
    });
    format!("<p class=\"choosers\">{}</p>", choosers.collect::<String>())
}

/// Renders the controls of a chart: its quantity, and the base of a speed-up.
pub fn of_chart(
    words: &Words,
    list: &Listing,
    shows: Quantity,
    own: &[(String, String)],
) -> String {
    let say = |key: &str| words.say(&format!("results.chart.{key}"), &[]);
    let quantities = Quantity::ALL.into_iter().map(|quantity| {
        // The default quantity is omitted from the URL.
        let value = if quantity == Quantity::Time { "" } else { quantity.id() };
        (value.to_owned(), say(quantity.id()))
    });
    let shown = if shows == Quantity::Time { "" } else { shows.id() };
    let mut html = format!("<h2>{}</h2><p class=\"choosers\">", say("title"));
    html.push_str(&chooser(Field::Chart, &say("shows"), quantities, shown));
    if shows == Quantity::SpeedUp {
        let own = own.iter().map(|(id, name)| (id.clone(), escaped(name)));
        html.push_str(&chooser(Field::Base, &say("over"), own, list.get(Field::Base)));
    }
    let published = list.get(Field::Published);
    // Writing to a string cannot fail.
    let _ = write!(
        html,
        "<label class=\"check\"><input id=\"published\" type=\"checkbox\" value=\"{}\"{}> {}</label></p>",
        if published.is_empty() { "1" } else { "" },
        if published.is_empty() { "" } else { " checked" },
        say("published")
    );
    html
}

/// Renders a selection of values with their display names.
fn chooser(
    field: Field,
    label: &str,
    options: impl Iterator<Item = (String, String)>,
    chosen: &str,
) -> String {
    let options = options.map(|(value, name)| {
        let selected = if value == chosen { " selected" } else { "" };
        format!("<option value=\"{}\"{selected}>{name}</option>", escaped(&value))
    });
    let options: String = options.collect();
    format!("<label><span>{label}</span><select id=\"{}\">{options}</select></label>", field.id())
}

/// Renders the buttons that save a picture and its values; their ids begin with `id`.
pub fn save(words: &Words, id: &str) -> String {
    let buttons = ["svg", "png", "csv"].map(|format| {
        let name = format.to_uppercase();
        format!(
            "<button id=\"{id}-{format}\" type=\"button\" data-save=\"{format}\">{name}</button>"
        )
    });
    let label = words.say("results.save", &[]);
    format!("<p class=\"save\"><span class=\"soft\">{label}</span>{}</p>", buttons.concat())
}
