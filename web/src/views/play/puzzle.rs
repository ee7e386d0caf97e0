//! Puzzles: the queens that are given, and the controls that draw the next puzzle.

use queens_core::{Level, Puzzle, Queens, Size};
use yew::prelude::*;

use crate::address::{Address, use_address};
use crate::parts::choice::{Choice, chosen};
use crate::words::{Language, tr, use_language};

/// Returns the queens that a puzzle gives; none without a puzzle.
pub fn given(size: Size, puzzle: Option<Puzzle>) -> Queens {
    puzzle.and_then(|puzzle| puzzle.queens(size)).unwrap_or(Queens::none(size))
}

/// Returns the address of a new puzzle, on the same board if boards of this size have puzzles.
fn next(address: &Address, level: Level) -> Address {
    let [smallest, largest] = Puzzle::SIZES;
    let has_puzzles = (smallest..=largest).contains(&address.size.get());
    let size = if has_puzzles { address.size } else { Address::FIRST_SIZE };
    let puzzle = Puzzle { level, seed: (js_sys::Math::random() * 1e8) as u32 };
    Address { puzzle: Some(puzzle), ..address.with_size(size) }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// Whether the user has solved the puzzle.
    pub is_solved: bool,
}

/// The sentence on the puzzle, the choice of its level, and the button that draws the next one.
#[component]
pub fn PuzzlePanel(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let level = use_state_eq(|| address.puzzle.map(|puzzle| puzzle.level).unwrap_or_default());
    let onchange = {
        let level = level.clone();
        Callback::from(move |event: Event| level.set(chosen(&event).unwrap_or_default()))
    };
    let draw = {
        let (address, level) = (address.clone(), *level);
        Callback::from(move |_: MouseEvent| navigate.push(next(&address, level)))
    };
    let sentence = match (address.puzzle, props.is_solved) {
        (None, _) => Some(tr!(language, "play.puzzle-none")),
        (Some(_), false) => None,
        (Some(_), true) => Some(tr!(language, "play.puzzle-solved")),
    };
    let options = Level::ALL.map(|level| (level.id(), level_name(language, level)));
    html! {
        <section id="puzzle" class="puzzle" aria-label={tr!(language, "play.puzzle")}>
            if let Some(sentence) = sentence {
                <p key="sentence">{ sentence }</p>
            }
            <p key="buttons" class="button-line">
                <button
                    id="puzzle-next" type="button" onclick={draw}
                    class={(props.is_solved && address.puzzle.is_some()).then_some("primary")}
                >
                    { tr!(language, if address.puzzle.is_some() { "play.puzzle-next" } else { "play.puzzle-first" }) }
                </button>
                <Choice
                    id="puzzle-level" value={level.id()} options={options.to_vec()} {onchange}
                    label={tr!(language, "play.puzzle-level")} title={tr!(language, "play.puzzle-level")}
                />
            </p>
        </section>
    }
}

fn level_name(language: Language, level: Level) -> String {
    tr!(language, format!("play.puzzle-{}", level.id()))
}
