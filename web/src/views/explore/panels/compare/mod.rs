//! The race of two methods, and the work of all methods.

pub mod all;
pub mod race;

use queens_core::{Size, Stepped};
use queens_state::search::race::RaceAction;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::words::{Language, numbered_method, tr};
use race::RaceTrack;

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// The method on the board.
    pub method: Stepped,
    /// The other method.
    pub with: Stepped,
    pub size: Size,
    pub language: Language,
    /// Selects the other method.
    pub choose: Callback<Stepped>,
    /// The last key for the race, with its number.
    pub key_press: Option<(u32, RaceAction)>,
    /// Whether the race starts by itself.
    pub starts: bool,
}

impl Props {
    /// The key of the component, which is different for another search.
    pub fn key(&self) -> String {
        format!("{} {}", self.method, self.size)
    }
}

/// The race of two methods. Its code is loaded on demand.
#[component]
pub fn Compare(props: &Props) -> Html {
    let &Props { method, with, size, language, key_press, starts, .. } = props;
    html! {
        <div class="compare">
            { choose(props) }
            <RaceTrack methods={[method, with]} {size} {language} {key_press} {starts} />
        </div>
    }
}

/// The drop-down list of methods to compare with.
fn choose(props: &Props) -> Html {
    let Props { method, with, language, ref choose, .. } = *props;
    let choose = choose.reform(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        select.value().parse().unwrap_or(Stepped::Symmetry)
    });
    let options = Stepped::ALL.iter().filter(|&&each| each != method).map(|&each| {
        html! {
            <option value={each.id()} selected={each == with}>{ numbered_method(language, each) }</option>
        }
    });
    html! {
        <label>
            { tr!(language, "compare.with") }{ " " }
            <select id="compare-with" onchange={choose}>{ for options }</select>
        </label>
    }
}
