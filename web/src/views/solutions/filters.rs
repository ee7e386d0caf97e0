//! The filter controls of the classes.

use std::rc::Rc;

use queens_core::Size;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::address::{Address, ClassFilter, First, Kind, Navigate};
use crate::words::{Language, tr};

/// Returns the filter with one field set to the value of an option, or `None` if the value is
/// invalid.
type WithOption = fn(ClassFilter, &str) -> Option<ClassFilter>;

/// Renders controls for the class size, the first queen and the order. The address stores the
/// filter.
pub fn filters(language: Language, address: &Rc<Address>, navigate: &Navigate) -> Html {
    let filter = address.class_filter;
    let kinds = Kind::ALL.map(|kind| (kind.id().to_owned(), kind_name(language, kind)));
    let orders = [
        ("smallest".to_owned(), tr!(language, "classes.smallest-first")),
        ("largest".to_owned(), tr!(language, "classes.largest-first")),
    ];
    let order = if filter.largest_first { "largest" } else { "smallest" };
    let fields: [(&'static str, &str, Vec<_>, String, WithOption); 3] = [
        (
            "class-choice",
            "classes.by-class",
            kinds.into(),
            filter.kind.id().into(),
            |filter, id| Some(ClassFilter { kind: Kind::parse(id)?, ..filter }),
        ),
        (
            "first-choice",
            "classes.by-first",
            first_queen_options(language, address.size),
            filter.first.to_string(),
            |filter, id| Some(ClassFilter { first: First::parse(id)?, ..filter }),
        ),
        ("order-choice", "classes.by-order", orders.into(), order.into(), ClassFilter::ordered),
    ];
    let fields = fields.into_iter().map(|(id, label, options, current, with_option)| {
        let (address, navigate) = (address.clone(), navigate.clone());
        let onchange = Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            if let Some(class_filter) = with_option(address.class_filter, &select.value()) {
                navigate.replace(Address { class_filter, ..(*address).clone() });
            }
        });
        let options = options.into_iter().map(|(value, name)| {
            let selected = value == current;
            html! { <option {selected} {value}>{ name }</option> }
        });
        html! {
            <>
                <label for={id}>{ tr!(language, label) }</label>
                <select {id} {onchange}>{ for options }</select>
            </>
        }
    });
    html! {
        <form class="filters" aria-label={tr!(language, "classes.filters")}>{ for fields }</form>
    }
}

fn kind_name(language: Language, kind: Kind) -> String {
    match kind {
        Kind::All => tr!(language, "classes.all"),
        Kind::Of(class) => tr!(language, "classes.group", class = class),
        Kind::HalfTurn => tr!(language, "classes.half-turn"),
    }
}

/// Returns the possible values for a representative's first queen, whose column is in the right half
/// of the board.
fn first_queen_options(language: Language, size: Size) -> Vec<(String, String)> {
    let n = size.get();
    let mut options = vec![
        (First::Any, tr!(language, "classes.all")),
        (First::Corner, tr!(language, "classes.corner")),
        (First::Inner, tr!(language, "classes.inner")),
    ];
    options.extend(
        ((n / 2 + n % 2)..n - 1).rev().map(|column| {
            (First::Column(column), tr!(language, "classes.column", column = column))
        }),
    );
    options.into_iter().map(|(first, name)| (first.to_string(), name)).collect()
}
