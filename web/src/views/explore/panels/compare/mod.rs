//! Two methods or both forms of one side by side, and the work of all.

mod all;
mod pair;

use queens_core::{Form, Method, Size};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::parts::search::state::Action;
use crate::views::explore::code::panel::Pane;
use crate::words::Language;
use crate::words::{form_name, grouped, numbered_method, tr};
use crate::worker::Effort;
use all::All;
use pair::Pair;

/// What the comparison needs.
#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// The method that the board shows.
    pub method: Method,
    /// The one to compare it with; the same one stands for its other form.
    pub with: Method,
    /// The lines of both forms that did the board's last step, in the order of [`Form::ALL`].
    pub lines: [Option<u32>; 2],
    /// The board's side.
    pub size: Size,
    /// The page's language.
    pub language: Language,
    /// Chooses another method to compare with.
    pub choose: Callback<Method>,
    /// Goes to steps.
    pub act: Callback<Action>,
}

/// A number of work of a method.
type Number = fn(&Effort) -> u64;

/// The numbers that are compared, and their names.
const NUMBERS: [(&str, Number); 6] = [
    ("compare.steps", |effort| effort.steps),
    ("explore.tried", |effort| effort.tried),
    ("explore.attacked", |effort| effort.attacked),
    ("compare.cut", |effort| effort.cut),
    ("explore.comparisons", |effort| effort.comparisons),
    ("explore.solutions", |effort| effort.met),
];

/// The method beside another one or in both forms, and the work of all.
#[component]
pub fn Compare(props: &Props) -> Html {
    let Props { method, with, size, language, .. } = props.clone();
    html! {
        <div class="compare">
            { choose(props) }
            if with == method {
                { forms(props) }
            } else {
                <Pair key={with.id()} ..props.clone() />
            }
            <All {method} {size} {language} />
        </div>
    }
}

/// What to compare with: another method, or the method's other form.
fn choose(props: &Props) -> Html {
    let Props { method, with, language, ref choose, .. } = *props;
    let choose = choose.reform(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        select.value().parse().unwrap_or(Method::Symmetry)
    });
    let options = Method::STEPPED.iter().map(|&each| {
        let name = if each == method {
            tr!(language, "compare.own-forms", method = numbered_method(language, each))
        } else {
            numbered_method(language, each)
        };
        html! { <option value={each.id()} selected={each == with}>{ name }</option> }
    });
    html! {
        <label>
            { tr!(language, "compare.with") }{ " " }
            <select id="compare-with" onchange={choose}>{ for options }</select>
        </label>
    }
}

/// Both forms of the method side by side, at the lines that did the board's last step.
fn forms(props: &Props) -> Html {
    let Props { method, lines, language, .. } = *props;
    let ids = ["code-recursive", "code-iterative"];
    let panes = Form::ALL.into_iter().zip(lines).zip(ids).map(|((form, line), id)| {
        html! {
            <figure>
                <figcaption>{ form_name(language, form) }</figcaption>
                <Pane {id} {method} {form} {line} />
            </figure>
        }
    });
    html! {
        <>
            <p>{ tr!(language, "compare.forms") }</p>
            <div class="forms-pair">{ for panes }</div>
        </>
    }
}

/// How many times as large as the first number the second one is; nothing where one of the methods
/// does no such work.
fn ratio(first: u64, second: u64) -> String {
    if first == 0 || second == 0 {
        return "–".to_owned();
    }
    let ratio = second as f64 / first as f64;
    if ratio < 9.995 {
        format!("× {ratio:.2}")
    } else {
        format!("× {}", grouped(ratio.round() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios() {
        let pairs = [(4, 1), (3, 10), (1, 10), (7, 123_456), (0, 3), (3, 0)];
        let shown = pairs.map(|(first, second)| ratio(first, second));
        assert_eq!(shown, ["× 0.25", "× 3.33", "× 10", "× 17,637", "–", "–"]);
    }
}
