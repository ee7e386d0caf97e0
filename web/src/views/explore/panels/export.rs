//! Form for exporting an animation.

use queens_state::search::state::parse_step;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::animation::MAX_STEPS;
use crate::words::{Language, grouped, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The current step.
    pub step: u64,
    /// The last step, once known.
    pub end: Option<u64>,
    /// Whether the requested steps are too far away.
    pub is_too_far: bool,
    /// Exports a range of steps.
    pub make: Callback<[u64; 2]>,
}

/// The first and the last step, and the export button. The default range is fifty steps from the
/// current one.
#[component]
pub fn ExportForm(props: &Props) -> Html {
    let language = use_language();
    let typed = use_state(|| [None::<String>, None]);
    let last = (props.step + 49).min(props.end.unwrap_or(u64::MAX)).max(props.step);
    let texts = [(0, props.step), (1, last)].map(|(field, default): (usize, u64)| {
        let text = typed.get(field).cloned().flatten();
        text.unwrap_or_else(|| default.to_string())
    });
    let range = texts.each_ref().map(|text| parse_step(text));
    let fault = fault(language, range, props.end, props.is_too_far);
    let fields =
        [("film-from", "film.from"), ("film-to", "film.to")].into_iter().zip(texts).enumerate();
    let fields = fields.map(|(field, ((id, key), value))| {
        let typed = typed.clone();
        let oninput = Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let mut texts = (*typed).clone();
            if let Some(text) = texts.get_mut(field) {
                *text = Some(input.value());
            }
            typed.set(texts);
        });
        html! {
            <label>
                { tr!(language, key) }{ " " }
                <input {id} type="text" inputmode="numeric" autocomplete="off" size="6" maxlength="26" {value} {oninput} />
            </label>
        }
    });
    let (make, is_too_far) = (props.make.clone(), props.is_too_far);
    let onclick = Callback::from(move |_: MouseEvent| {
        if let [Some(from), Some(to)] = range {
            make.emit([from, to]);
        }
    });
    // The user can try again after steps that were too far away.
    let disabled = fault.is_some() && !is_too_far;
    html! {
        <p class="save film">
            <span class="soft">{ tr!(language, "film.film") }</span>
            { for fields }
            <button id="film" type="button" {onclick} {disabled}>{ tr!(language, "film.save") }</button>
            <span id="film-fault" class="field-error" role="alert">{ fault }</span>
        </p>
    }
}

/// Says why a range of steps cannot be exported. `end` is the last step, once known.
fn fault(
    language: Language,
    range: [Option<u64>; 2],
    end: Option<u64>,
    is_too_far: bool,
) -> Option<String> {
    match range {
        [Some(from), Some(to)] if from > to => Some(tr!(language, "film.order")),
        [Some(_), Some(to)] if end.is_some_and(|end| to > end) => {
            Some(tr!(language, "explore.beyond", step = grouped(to)))
        }
        [Some(from), Some(to)] if to - from >= MAX_STEPS => {
            Some(tr!(language, "film.long", most = MAX_STEPS))
        }
        [Some(_), Some(_)] if is_too_far => Some(tr!(language, "film.far")),
        [Some(_), Some(_)] => None,
        _ => Some(tr!(language, "explore.not-a-step")),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::words::plain;

    #[test]
    fn every_invalid_range_has_a_sentence() {
        let phrases = [
            [
                "at most 100 steps",
                "must not be after",
                "past the end",
                "whole number",
                "Go there first",
            ],
            [
                "100 ステップまで",
                "より後にはできません",
                "ステップ 3,000",
                "整数",
                "先にその近くへ",
            ],
        ];
        for (language, phrases) in Language::ALL.into_iter().zip(phrases) {
            for ((range, is_too_far), phrase) in [
                ([Some(0), Some(100)], false),
                ([Some(9), Some(8)], false),
                ([Some(2999), Some(3000)], false),
                ([None, Some(3)], false),
                ([Some(0), Some(9)], true),
            ]
            .into_iter()
            .zip(phrases)
            {
                let sentence = fault(language, range, Some(2071), is_too_far).unwrap();
                assert!(plain(&sentence).contains(phrase), "{range:?}: {sentence}");
            }
            assert_eq!(fault(language, [Some(0), Some(99)], Some(2071), false), None);
            assert_eq!(fault(language, [Some(2071), Some(2071)], Some(2071), false), None);
        }
    }
}
