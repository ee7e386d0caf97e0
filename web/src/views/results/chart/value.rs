//! The values of the chart's marks in words, with links to the results that have them.

use std::rc::Rc;

use queens_state::results::{Comparison, Line, measured};
use yew::prelude::*;

use super::picture::{short_text, text};
use crate::parts::link::Link;
use crate::parts::marks::{Mark, OWN_LINK, Value, overlapping};
use crate::place::{Address, ResultsParameters};
use crate::views::results::entry::Entry;
use crate::views::results::filters::is_listed;
use crate::words::{Language, tr};

/// The largest number of marks that are named with a mark that covers them.
const MAX_OTHERS: usize = 3;

/// The data from which the values of marks are written.
pub struct ValueContext {
    pub language: Language,
    /// All results, including those that the filters hide.
    pub entries: Rc<[Entry]>,
    /// The filters that say which results are shown.
    pub filters: ResultsParameters,
    pub address: Rc<Address>,
    pub compared: Rc<Option<Comparison>>,
    /// The lines in the order of the picture.
    pub lines: Rc<[Line]>,
    pub marks: Rc<[Mark]>,
}

/// Returns the callback that says the value of a mark, with a link to the result that has it, and the same for the
/// marks at the same place.
pub fn value_of(context: ValueContext) -> Callback<usize, Option<Value>> {
    Callback::from(move |index: usize| {
        let language = context.language;
        let (line, n) = context.line(index)?;
        let text = text(language, line, n, context.compared.as_ref().as_ref()?.quantity)?;
        let results = context.results(line, n);
        let text = match results.len() {
            0 | 1 => text,
            count => tr!(language, "results.chart.fastest", value = text, count = count),
        };
        let link = context.link(&results, tr!(language, "results.chart.open"), Some(OWN_LINK));
        let (others, spoken) = context.others(index);
        let link = html! { <>{ for link.map(|link| html! { <>{ " " }{ link }</> }) }{ others }</> };
        Some(Value { text, link, spoken })
    })
}

impl ValueContext {
    /// Returns the line and the N of a mark.
    fn line(&self, index: usize) -> Option<(&Line, u32)> {
        let mark = self.marks.get(index)?;
        Some((self.lines.get(mark.line)?, mark.n))
    }

    /// Returns the results of a line for N, the fastest one first.
    fn results(&self, line: &Line, n: u32) -> Vec<&Entry> {
        let series = Option::as_ref(&self.compared).map(|compared| compared.series.as_slice());
        let mut of_line = series.into_iter().flatten().filter(|_| !line.published);
        let series = of_line.find(|series| series.name == line.name);
        let ids = series.map(|series| series.ids.as_slice()).unwrap_or_default();
        let of_mark = |entry: &&Entry| {
            entry.header.n.get() == n
                && is_comparable(entry)
                && seconds(entry) > 0.0
                && is_listed(&self.filters, entry)
                && ids.contains(&entry.id)
        };
        let mut results: Vec<&Entry> = self.entries.iter().filter(of_mark).collect();
        results.sort_by(|a, b| seconds(a).total_cmp(&seconds(b)));
        results
    }

    /// Renders a link to the fastest of some results.
    fn link(&self, results: &[&Entry], text: String, class: Option<&'static str>) -> Option<Html> {
        let to = self.address.with_result(Some(results.first()?.id.clone()));
        Some(html! { <Link {to} class={classes!("chart-link", class)}>{ text }</Link> })
    }

    /// Renders the values of the marks at the same place as a mark, and returns them as text, too.
    fn others(&self, index: usize) -> (Html, String) {
        let language = self.language;
        let marks = overlapping(&self.marks, index);
        if marks.is_empty() {
            return (html! {}, String::new());
        }
        let other = |&index: &usize| {
            let (line, n) = self.line(index)?;
            let quantity = Option::as_ref(&self.compared)?.quantity;
            let text = short_text(language, line, n, quantity)?;
            let link = self.link(&self.results(line, n), text.clone(), None);
            Some((link.unwrap_or_else(|| html! { text.clone() }), text))
        };
        let (mut links, mut texts): (Vec<Html>, Vec<String>) =
            marks.iter().take(MAX_OTHERS).filter_map(other).unzip();
        let more = marks.len().saturating_sub(MAX_OTHERS);
        if more > 0 {
            let more = tr!(language, "results.and-more", count = more);
            links.push(html! { more.clone() });
            texts.push(more);
        }
        let comma = language.comma();
        let before = [comma, &tr!(language, "results.chart.same-place"), language.colon()].concat();
        let separated = links.into_iter().enumerate().map(|(index, link)| {
            html! { <>{ if index > 0 { comma } else { "" } }{ link }</> }
        });
        (html! { <>{ &before }{ for separated }</> }, before + &texts.join(comma))
    }
}

/// Whether a result can be compared. A shard has no time for the whole count, and the time in a
/// contradictory document is unreliable.
pub fn is_comparable(entry: &Entry) -> bool {
    entry.contradictions.is_empty() && entry.header.shard.is_none()
}

/// Returns the time of a result as the chart has it: 0 if it was too short to measure.
fn seconds(entry: &Entry) -> f64 {
    measured(entry.header.seconds.get())
}
