//! The field for a solution, and what to say to one that is none.

use queens_core::{Line, Placement, PlacementError, SquareError, notation};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::words::{Language, size_error, tr, use_language};

/// Why an entry is no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryError {
    /// There is nothing.
    Empty,
    /// This part is no number.
    NotANumber(String),
    /// The numbers are no placement.
    Placement(PlacementError),
}

/// Reads columns from the left, separated by spaces or commas.
pub fn read(text: &str) -> Result<Placement, EntryError> {
    let columns = notation::columns(text).map_err(|error| EntryError::NotANumber(error.part()))?;
    if columns.is_empty() {
        return Err(EntryError::Empty);
    }
    Placement::from_left(&columns).map_err(EntryError::Placement)
}

impl EntryError {
    /// A sentence for the reader.
    pub fn text(&self, language: Language) -> String {
        match self {
            EntryError::Empty => tr!(language, "symmetries.entry-empty"),
            EntryError::NotANumber(part) => {
                tr!(language, "symmetries.entry-not-a-number", given = part)
            }
            EntryError::Placement(error) => placement_error(language, error),
        }
    }
}

/// Why queens are no placement, as a sentence.
fn placement_error(language: Language, error: &PlacementError) -> String {
    match error {
        PlacementError::Size(error) => size_error(language, *error),
        PlacementError::TooManyRows => tr!(language, "symmetries.placement.too-many-rows"),
        PlacementError::NotOneQueen { row } => {
            tr!(language, "symmetries.placement.not-one-queen", row = row)
        }
        PlacementError::OutsideBoard(SquareError { row, column, size }) => {
            tr!(
                language,
                "symmetries.placement.outside",
                row = row,
                column = column,
                n = size,
                last = size.last()
            )
        }
        PlacementError::Attacked(attack) => {
            let (upper, lower) = (attack.upper, attack.lower);
            match attack.line {
                Line::Down => {
                    tr!(language, "symmetries.placement.column", upper = upper, lower = lower)
                }
                Line::Left | Line::Right => {
                    tr!(language, "symmetries.placement.diagonal", upper = upper, lower = lower)
                }
            }
        }
    }
}

/// What the field needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The columns in the address, as text.
    pub given: AttrValue,
    /// What is wrong with them.
    pub wrong: Option<EntryError>,
    /// Takes a solution.
    pub on_solution: Callback<Placement>,
}

/// The field for a solution. What is wrong with an entry is said when it is handed in, not while
/// it is typed.
#[component]
pub fn Entry(props: &Props) -> Html {
    let language = use_language();
    let field = use_node_ref();
    let error = use_state_eq(|| None::<EntryError>);
    {
        // Another solution from elsewhere replaces the entry and its complaint.
        let (error, field) = (error.setter(), field.clone());
        use_effect_with((props.given.clone(), props.wrong.clone()), move |(given, wrong)| {
            error.set(wrong.clone());
            if let Some(input) = field.cast::<HtmlInputElement>() {
                input.set_value(given);
            }
        });
    }
    let onsubmit = {
        let (error, field) = (error.setter(), field.clone());
        let on_solution = props.on_solution.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let Some(input) = field.cast::<HtmlInputElement>() else { return };
            match read(&input.value()) {
                Ok(placement) => {
                    error.set(None);
                    on_solution.emit(placement);
                }
                Err(wrong) => {
                    error.set(Some(wrong));
                    // A field that is wrong keeps the focus.
                    let _ = input.focus();
                }
            }
        })
    };
    let invalid = error.is_some().then_some("true");
    html! {
        <form class="entry" {onsubmit}>
            <label for="solution">{ tr!(language, "symmetries.entry-label") }</label>
            <div class="entry-line">
                <input
                    id="solution" ref={field} type="text" inputmode="text" autocomplete="off"
                    spellcheck="false" class="mono" aria-invalid={invalid}
                    aria-describedby="solution-hint solution-error"
                />
                <button type="submit" class="primary">{ tr!(language, "symmetries.show") }</button>
            </div>
            <p id="solution-hint" class="hint">{ tr!(language, "symmetries.entry-hint") }</p>
            <p id="solution-error" class="field-error" role="alert">
                { (*error).as_ref().map(|error| error.text(language)) }
            </p>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_are_read_with_either_sign() {
        let four = Placement::from_left(&[1, 3, 0, 2]).unwrap();
        for text in ["1 3 0 2", "1,3,0,2", " 1, 3,0 2 ", "1、3、0、2", "1\u{3000}3 0 2"] {
            assert_eq!(read(text), Ok(four), "{text}");
        }
    }

    #[test]
    fn every_mistake_has_its_sentence() {
        let sentence = |text: &str, language| read(text).unwrap_err().text(language);
        for (text, part) in [
            ("", "1 3 0 2"),
            ("1 3 x 2", "“x”"),
            ("1 -3 0 2", "“-3”"),
            ("1 4 0 2", "column 4"),
            ("0 1 3 2", "rows 0 and 1"),
            ("1 3 1 2", "one column"),
            (&"0 ".repeat(40), "32"),
        ] {
            let (en, ja) = (sentence(text, Language::English), sentence(text, Language::Japanese));
            assert!(en.contains(part), "{en}");
            assert!(en != ja && !en.contains("%{") && !ja.contains("%{"), "{en} {ja}");
        }
    }
}
