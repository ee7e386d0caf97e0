//! Parts of the forms of Share: fields for the first and the last step, and the texts of the button that copies.

use queens_core::notation::fold;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::words::{Language, grouped, tr};

/// The texts of a button that copies, before and after it has copied.
pub fn copy(language: Language) -> [AttrValue; 2] {
    [tr!(language, "results.share.copy"), tr!(language, "results.share.copied")]
        .map(AttrValue::from)
}

/// The first and the last step as the user has typed them.
pub type Typed = [Option<String>; 2];

/// A range of steps in a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The texts of the fields.
    texts: [String; 2],
    /// The first and the last step, unless a text is not a number.
    pub steps: [Option<u64>; 2],
}

/// The number of steps that a form suggests.
const SUGGESTED: u64 = 50;

impl Range {
    /// Returns the range that was typed. By default, it begins at `step`.
    pub fn new(typed: &Typed, step: u64, end: Option<u64>) -> Range {
        let last = step.saturating_add(SUGGESTED - 1).min(end.unwrap_or(u64::MAX)).max(step);
        let [from, to] = typed.clone();
        let texts = [(from, step), (to, last)];
        let texts = texts.map(|(text, usual)| text.unwrap_or_else(|| usual.to_string()));
        let steps = texts.each_ref().map(|text| parse_step(text));
        Range { texts, steps }
    }

    /// Returns the first and the last step if both are valid.
    pub fn valid(&self, end: Option<u64>) -> Option<[u64; 2]> {
        match self.steps {
            [Some(from), Some(to)] if from <= to && end.is_none_or(|end| to <= end) => {
                Some([from, to])
            }
            _ => None,
        }
    }

    /// Returns a sentence on what is wrong with the range; `None` if it is valid. `end` is the last step,
    /// once known.
    pub fn fault(&self, language: Language, end: Option<u64>) -> Option<String> {
        match self.steps {
            _ if self.valid(end).is_some() => None,
            [Some(from), Some(to)] if from > to => Some(tr!(language, "share.order")),
            [Some(_), Some(to)] => Some(tr!(language, "explore.beyond", step = grouped(to))),
            _ => Some(tr!(language, "share.number")),
        }
    }

    /// Renders the two fields; their ids begin with `id`.
    pub fn fields(&self, language: Language, id: &str, typed: &UseStateHandle<Typed>) -> Html {
        let fields = self.texts.iter().zip(["from", "to"]).enumerate();
        let fields = fields.map(|(field, (value, end))| {
            let typed = typed.clone();
            let oninput = Callback::from(move |event: InputEvent| {
                let input: HtmlInputElement = event.target_unchecked_into();
                let mut texts = (*typed).clone();
                if let Some(text) = texts.get_mut(field) {
                    *text = Some(input.value());
                }
                typed.set(texts);
            });
            let id = format!("{id}-{end}");
            html! {
                <p class="count-field">
                    <label for={id.clone()}>{ tr!(language, format!("share.{end}")) }</label>
                    <input {id} type="text" inputmode="numeric" autocomplete="off" size="8" maxlength="26" value={value.clone()} {oninput} />
                </p>
            }
        });
        html! { <>{ for fields }</> }
    }
}

/// Parses the number of a step, which may have commas between groups of thousands. `None` for any other
/// text.
fn parse_step(text: &str) -> Option<u64> {
    let text = fold(text);
    let text = text.trim();
    // Otherwise 12,5 would be 125.
    let is_grouped = text.split(',').skip(1).all(|group| group.len() == 3);
    text.replace(',', "").parse().ok().filter(|_| is_grouped)
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::words::plain;

    fn typed(from: &str, to: &str) -> Range {
        Range::new(&[from, to].map(|text| Some(text.to_owned())), 7, Some(2071))
    }

    #[test]
    fn every_invalid_range_has_a_sentence() {
        let words = [
            ["must not be after", "past the end", "whole number", "whole number"],
            ["より後にはできません", "ステップ 3,000", "整数", "整数"],
        ];
        for (language, words) in Language::ALL.into_iter().zip(words) {
            let ranges = [("9", "8"), ("2999", "3000"), ("", "3"), ("0", "-1")];
            for ((from, to), words) in ranges.into_iter().zip(words) {
                let range = typed(from, to);
                let said = range.fault(language, Some(2071)).unwrap();
                assert!(plain(&said).contains(words), "{range:?}: {said}");
                assert_eq!(range.valid(Some(2071)), None);
            }
            assert_eq!(typed("0", "2,071").fault(language, Some(2071)), None);
            assert_eq!(typed("5", "3000").fault(language, None), None);
        }
        assert_eq!(typed(" 1,480 ", "1522").valid(None), Some([1480, 1522]));
    }

    #[test]
    fn only_whole_numbers_are_steps() {
        for (text, step) in [
            ("0", 0),
            (" 7 ", 7),
            ("1480", 1480),
            ("1,480", 1480),
            ("12,345,678", 12_345_678),
            ("１，４８０", 1480),
        ] {
            assert_eq!(parse_step(text), Some(step), "{text}");
        }
        for text in ["", "many", "-5", "12.5", "12,5", "1,48", "1e3", "99999999999999999999"] {
            assert_eq!(parse_step(text), None, "{text}");
        }
    }

    #[test]
    fn suggests_the_next_fifty_steps() {
        let usual = |step, end| Range::new(&Typed::default(), step, end).valid(end);
        assert_eq!(usual(0, None), Some([0, 49]));
        assert_eq!(usual(2050, Some(2071)), Some([2050, 2071]));
        assert_eq!(usual(2071, Some(2071)), Some([2071, 2071]));
    }
}
