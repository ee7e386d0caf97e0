//! The input field for a solution, with its error messages.

use queens_core::notation::NotationError;
use queens_core::{Line, Placement, PlacementError, SizeError, SquareError};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::parts::paste::use_paste;
use crate::place::{solution_address, use_address};
use crate::words::{Language, size_error, tr, use_language};

/// Explains why a text is not a solution, or not a board.
pub fn sentence(language: Language, error: &NotationError) -> String {
    match error {
        NotationError::EmptyColumn { row } => {
            tr!(language, "symmetries.entry-empty-column", row = row)
        }
        NotationError::NoColumn(given) | NotationError::NoRow(given) => {
            tr!(language, "symmetries.entry-not-a-number", given = given)
        }
        NotationError::NoSquare(given) => {
            tr!(language, "symmetries.entry-not-a-square", given = given)
        }
        NotationError::Unclosed => tr!(language, "symmetries.entry-unclosed"),
        NotationError::NoQueen => tr!(language, "symmetries.entry-no-queen"),
        NotationError::UnevenRow { row, squares, usual } => {
            tr!(language, "symmetries.entry-uneven", row = row, squares = squares, usual = usual)
        }
        NotationError::NotSquare { rows, squares } => {
            tr!(language, "symmetries.entry-not-square", rows = rows, squares = squares)
        }
        NotationError::Ambiguous { text, signs, .. } => {
            tr!(language, "symmetries.entry-ambiguous", given = text, signs = signs)
        }
        NotationError::Several { boards } => {
            tr!(language, "symmetries.entry-several", boards = boards)
        }
        NotationError::OtherSize { found, size } => {
            tr!(language, "symmetries.entry-other-size", rows = found, n = size)
        }
        NotationError::Outside(error) => square_sentence(language, error),
        NotationError::Twice(square) => {
            tr!(language, "symmetries.entry-twice", square = square)
        }
        NotationError::Placement(error) => placement_sentence(language, error),
    }
}

fn placement_sentence(language: Language, error: &PlacementError) -> String {
    match error {
        PlacementError::Size(SizeError::Zero) => tr!(language, "symmetries.entry-empty"),
        PlacementError::Size(error) => size_error(language, *error),
        PlacementError::TooManyRows => tr!(language, "symmetries.placement.too-many-rows"),
        PlacementError::NotOneQueen { row } => {
            tr!(language, "symmetries.placement.not-one-queen", row = row)
        }
        PlacementError::OutsideBoard(error) => square_sentence(language, error),
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

fn square_sentence(language: Language, &SquareError { row, column, size }: &SquareError) -> String {
    let last = size.last();
    tr!(language, "symmetries.placement.outside", row = row, column = column, n = size, last = last)
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The displayed columns as text, from the address or an example.
    pub given: AttrValue,
    /// The error in these columns.
    #[prop_or_default]
    pub wrong: Option<NotationError>,
}

/// The input field, which also takes what is pasted anywhere in the view. An invalid entry shows an error when
/// it is submitted, not while the user types.
#[component]
pub fn Entry(props: &Props) -> Html {
    let language = use_language();
    let field = use_node_ref();
    let error = use_state_eq(|| None::<NotationError>);
    {
        // A solution set elsewhere replaces the entry and its error.
        let (error, field) = (error.setter(), field.clone());
        use_effect_with((props.given.clone(), props.wrong.clone()), move |(given, wrong)| {
            error.set(wrong.clone());
            if let Some(input) = field.cast::<HtmlInputElement>() {
                input.set_value(given);
            }
        });
    }
    let (address, navigate) = use_address();
    let submit = {
        let (error, field) = (error.setter(), field.clone());
        Callback::from(move |text: String| match text.parse::<Placement>() {
            Ok(placement) => {
                error.set(None);
                navigate.push(solution_address(&address, &placement));
            }
            Err(wrong) => {
                error.set(Some(wrong));
                if let Some(input) = field.cast::<HtmlInputElement>() {
                    input.set_value(&text);
                    // A click on the button has taken the focus.
                    let _ = input.focus();
                }
            }
        })
    };
    let onsubmit = {
        let (submit, field) = (submit.clone(), field.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(input) = field.cast::<HtmlInputElement>() {
                submit.emit(input.value());
            }
        })
    };
    use_paste(submit);
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
                { (*error).as_ref().map(|error| sentence(language, error)) }
            </p>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_error_has_a_message() {
        let message =
            |text: &str, language| sentence(language, &text.parse::<Placement>().unwrap_err());
        for (text, part) in [
            ("", "1 3 0 2"),
            ("1 3 x 2", "“x”"),
            ("0:1,1:x,2:0", "“1:x”"),
            ("[1 3 0 2", "bracket"),
            (".... ....", "no queen"),
            (".Q..\n..Q\nQ...\n..Q.", "Row 1 has 3"),
            (".Q..\n...Q\nQ...", "3 rows of 4"),
            ("1,4;2,3", "two meanings"),
            ("1302 2031", "2 boards"),
            ("0:1,1:3,2:0,4:2", "row 4"),
            ("0:1,1:3,2:0,2:0", "2:0"),
            ("1,3,,0", "row 2"),
            ("1 -3 0 2", "“-3”"),
            ("1 4 0 2", "column 4"),
            ("0 1 3 2", "rows 0 and 1"),
            ("1 3 1 2", "share a column"),
            (&"0 ".repeat(40), "32"),
        ] {
            let (en, ja) = (message(text, Language::English), message(text, Language::Japanese));
            assert!(en.contains(part), "{en}");
            assert!(en != ja && !en.contains("%{") && !ja.contains("%{"), "{en} {ja}");
        }
    }
}
