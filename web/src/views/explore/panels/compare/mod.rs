//! Comparisons: two methods by a race and by their common solutions, both forms of a method, and the
//! work of all methods.

pub mod all;
mod numbers;
mod pair;
pub mod race;

use queens_core::{Form, Stepped};
use queens_state::search::race::RaceAction;
use queens_state::search::state::{Action, Snapshot};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::views::explore::code::lines::Lines;
use crate::views::explore::code::panel::Pane;
use crate::words::{Language, form_name, numbered_method, tr};
use pair::Pair;
use race::RaceTrack;

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// The method on the board.
    pub method: Stepped,
    /// The other method. If it equals `method`, the two forms of the method are compared.
    pub with: Stepped,
    /// The board's step.
    pub now: Snapshot,
    pub language: Language,
    /// Selects the other method.
    pub choose: Callback<Stepped>,
    /// The common solution to show; `None` follows the board.
    pub common: Option<u64>,
    /// Jumps to a common solution, or follows the board.
    pub go: Callback<Option<u64>>,
    /// Whether the board plays.
    pub playing: bool,
    /// The last key for the race, with its number.
    pub key_press: Option<(u32, RaceAction)>,
    /// Whether the race starts by itself.
    pub starts: bool,
    /// Whether the common solutions are shown.
    pub common_open: bool,
    /// Shows or hides the common solutions.
    pub open_common: Callback<bool>,
    /// Jumps to a step.
    pub act: Callback<Action>,
}

impl Props {
    /// The key of the component, which is different for another search.
    pub fn key(&self) -> String {
        format!("{} {}", self.method, self.now.view.size)
    }
}

/// The race of two methods and their common solutions, or both forms of one method. Its code is loaded
/// on demand.
#[component]
pub fn Compare(props: &Props) -> Html {
    let &Props {
        method, with, language, common, ref go, playing, key_press, starts, ref act, ..
    } = props;
    let (size, at, open) = (props.now.view.size, props.now.step, props.common_open);
    let toggle = props.open_common.reform(move |event: MouseEvent| {
        event.prevent_default();
        !open
    });
    let methods = [method, with];
    html! {
        <div class="compare">
            { choose(props) }
            if with == method {
                { forms(props) }
            } else {
                <RaceTrack {methods} {size} {language} {key_press} {starts} />
                <details class="common" {open}>
                    <summary id="common-summary" onclick={toggle}>{ tr!(language, "compare.common") }</summary>
                    <div class="compare">
                        <Pair key={with.id()} {method} {with} {size} {language} {common} {go} {at} {playing} {act} />
                    </div>
                </details>
            }
        </div>
    }
}

/// The drop-down list of methods to compare with. The board's own method compares its two forms.
fn choose(props: &Props) -> Html {
    let Props { method, with, language, ref choose, .. } = *props;
    let choose = choose.reform(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        select.value().parse().unwrap_or(Stepped::Symmetry)
    });
    let options = Stepped::ALL.iter().map(|&each| {
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

/// Both forms of the method, each at the line that did the board's last step.
fn forms(props: &Props) -> Html {
    let Props { method, language, ref now, .. } = *props;
    let found = Lines::of_method(method);
    let steps = Form::ALL.map(|form| found.of_step(form, now).zip(now.event));
    let ids = ["code-recursive", "code-iterative"];
    let panes = Form::ALL.into_iter().zip(steps).zip(ids).map(|((form, step), id)| {
        html! {
            <figure>
                <figcaption>{ form_name(language, form) }</figcaption>
                <Pane {id} {method} {form} {step} size={now.view.size} />
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

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Size;
    use queens_state::search::state::ExploreState;

    use super::*;
    use crate::parts::rendered::{elements, rendered};

    #[test]
    fn a_method_compared_with_itself_shows_both_forms() {
        for (language, [name, explanation]) in Language::ALL.into_iter().zip([
            ["14 Symmetry: recursive and iterative", "the same steps in the same order"],
            ["14 対称解除法：再帰と非再帰", "同じステップを同じ順に行います"],
        ]) {
            let shown = |with: Stepped| {
                let method = Stepped::Symmetry;
                let now = *ExploreState::new(method, Size::new(6).unwrap()).snapshot();
                rendered(
                    language,
                    html! {
                        <Compare
                            {method} {with} {now} {language} common={None} playing=false key_press={None} starts=false choose={Callback::noop()} go={Callback::noop()}
                            common_open=false open_common={Callback::noop()} act={Callback::noop()}
                        />
                    },
                )
            };
            let html = shown(Stepped::Symmetry);
            let chosen = elements(&html, "selected");
            let chosen: Vec<_> = chosen.iter().map(|option| option.content()).collect();
            assert_eq!(chosen, [name]);
            assert!(html.contains(explanation), "{html}");
            for id in ["code-recursive", "code-iterative"] {
                assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
            }
            let html = shown(Stepped::Bitmap);
            assert!(!html.contains("code-recursive") && html.contains("id=\"compare-said\""));
        }
    }
}
