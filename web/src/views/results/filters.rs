//! The filters of the list of results, and the control that selects the value of an address field.
//! The chart uses the control, too.

use std::collections::BTreeMap;
use std::rc::Rc;

use queens_core::Method;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::archive::Archive;
use super::entry::Entry;
use super::model::shown;
use crate::address::{Address, Field, Navigate, ResultsParameters, use_address};
use crate::words::{Language, method_name, tr, use_language};

/// Returns the value of a result in one of the [`Field::FILTERS`].
fn value(entry: &Entry, field: Field) -> String {
    let header = &entry.header;
    match field {
        Field::N => header.n.to_string(),
        Field::Method => header.method.id().to_owned(),
        Field::Backend => header.backend.kind.id().to_owned(),
        Field::Machine => shown(&header.host.cpu),
        _ => String::new(),
    }
}

/// Whether a result matches the filters of the address.
pub fn is_listed(list: &ResultsParameters, entry: &Entry) -> bool {
    Field::FILTERS.into_iter().all(|field| {
        let wanted = list.get(field);
        wanted.is_empty() || wanted == value(entry, field)
    })
}

/// Returns the filters of a list without its other parameters.
pub fn only(list: &ResultsParameters) -> ResultsParameters {
    let none = ResultsParameters::default();
    Field::FILTERS.into_iter().fold(none, |filters, field| filters.with(field, list.get(field)))
}

/// Returns a key for what shows the results that match the filters of a list.
pub fn key(list: &ResultsParameters) -> String {
    Field::FILTERS.into_iter().flat_map(|field| [list.get(field), "\n"]).collect()
}

/// The numbers of results with each value, ordered by [`sort_key`].
type Values = BTreeMap<(u32, String), usize>;

/// Orders numbers by their value, and other values as text.
fn sort_key(value: String) -> (u32, String) {
    (value.parse().unwrap_or(0), value)
}

/// Returns the values that the results have in a field.
fn values(entries: &[Entry], field: Field) -> Values {
    let mut values = Values::new();
    for entry in entries {
        *values.entry(sort_key(value(entry, field))).or_default() += 1;
    }
    values
}

/// Returns the values that a filter offers. Returns none if all results have the same value, or each has another one,
/// and the filter is not set: then the table shows as much.
fn offered(mut values: Values, chosen: &str) -> Vec<String> {
    // The chosen value is offered even if no result has it, so that the user can remove the filter.
    if !chosen.is_empty() {
        values.entry(sort_key(chosen.to_owned())).or_default();
    }
    if chosen.is_empty() && (values.len() < 2 || values.values().all(|&count| count == 1)) {
        return vec![];
    }
    // An empty value in the address means no filter, so a filter cannot select results without a
    // value.
    values.into_keys().map(|(_, value)| value).filter(|value| !value.is_empty()).collect()
}

/// Returns the display name of a value.
fn name(language: Language, field: Field, value: &str) -> String {
    match value.parse::<Method>() {
        Ok(method) if field == Field::Method => method_name(language, method),
        _ => value.to_owned(),
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// All results, including those that the filters hide.
    pub archive: UseReducerHandle<Archive>,
}

/// A choice for each field in which some of the results agree, or whose filter is set.
#[component]
pub fn Filters(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let all = use_memo(props.archive.clone(), |archive| {
        Field::FILTERS.map(|field| (field, values(&archive.entries, field)))
    });
    let filters = all.iter().map(|(field, values)| {
        let field = *field;
        let chosen = address.results.get(field);
        let values = offered(values.clone(), chosen);
        if values.is_empty() {
            return html! {};
        }
        let all = (String::new(), tr!(language, "results.all"));
        let values = values.into_iter().map(|value| {
            let name = name(language, field, &value);
            (value, name)
        });
        let label = tr!(language, format!("results.{}", field.id()));
        let options = [all].into_iter().chain(values);
        choice(field, &label, options, chosen, &on_choice(field, &address, &navigate))
    });
    html! { <>{ for filters }</> }
}

/// Returns a callback that writes the chosen value of a field into the address.
pub fn on_choice(field: Field, address: &Rc<Address>, navigate: &Navigate) -> Callback<Event> {
    let (address, navigate) = (Rc::clone(address), navigate.clone());
    Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        navigate.replace(address.with_field(field, &select.value()));
    })
}

/// Renders a choice among values, each with its name. The id of the field is also the id of the
/// element.
pub fn choice(
    field: Field,
    label: &str,
    options: impl Iterator<Item = (String, String)>,
    chosen: &str,
    onchange: &Callback<Event>,
) -> Html {
    let options = options.map(|(value, name)| {
        let selected = value == chosen;
        html! { <option key={value.clone()} {selected} {value}>{ name }</option> }
    });
    html! {
        <label>
            <span>{ label }</span>
            <select id={field.id()} {onchange}>{ for options }</select>
        </label>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::results::entry::counted;

    fn entries() -> [Entry; 3] {
        [
            counted("a", 10, Method::Colours, 1.0),
            counted("b", 8, Method::Colours, 1.0),
            counted("c", 8, Method::Mirror, 1.0),
        ]
    }

    #[test]
    fn filters_offer_only_differing_values() {
        let offered = |field, chosen| offered(values(&entries(), field), chosen);
        assert_eq!(offered(Field::N, ""), ["8", "10"]);
        assert_eq!(offered(Field::Method, ""), ["colours", "mirror"]);
        assert_eq!(offered(Field::Backend, ""), [""; 0]);
        let each_once = values(&entries()[1..], Field::Method);
        assert_eq!(super::offered(each_once, ""), [""; 0]);
        // A filter that no result matches can be removed.
        assert_eq!(offered(Field::N, "31"), ["8", "10", "31"]);
        assert_eq!(offered(Field::Machine, "elsewhere").len(), 2);
    }

    #[test]
    fn other_parameters_are_no_filters() {
        let list = ResultsParameters::default().with(Field::Sort, "n").with(Field::Method, "8");
        let filters = only(&list);
        assert_eq!((filters.get(Field::Method), filters.get(Field::Sort)), ("8", ""));
        assert_eq!(key(&list), key(&filters));
        assert_ne!(key(&filters), key(&ResultsParameters::default().with(Field::N, "8")));
    }

    #[test]
    fn lists_only_results_that_match_every_filter() {
        let listed = |fields: &[(Field, &str)]| {
            let list = fields.iter().fold(ResultsParameters::default(), |list, &(field, value)| {
                list.with(field, value)
            });
            let entries = entries();
            let ids = entries.iter().filter(|entry| is_listed(&list, entry)).map(|each| &*each.id);
            ids.collect::<String>()
        };
        assert_eq!(listed(&[]), "abc");
        assert_eq!(listed(&[(Field::N, "8")]), "bc");
        assert_eq!(listed(&[(Field::N, "8"), (Field::Method, "colours")]), "b");
        assert_eq!(listed(&[(Field::Machine, "elsewhere")]), "");
    }
}
