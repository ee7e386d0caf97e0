//! Puzzles: the queens that are given, and the buttons that draw a puzzle.

use queens_core::{Level, Puzzle, Queens, Size};
use yew::prelude::*;

use crate::address::Address;
use crate::words::{Language, tr};

/// Returns the queens that a puzzle gives; none without a puzzle.
pub fn given(size: Size, puzzle: Option<Puzzle>) -> Queens {
    puzzle.and_then(|puzzle| puzzle.queens(size)).unwrap_or(Queens::none(size))
}

/// Returns the address of a new puzzle, on the same board if boards of this size have puzzles.
pub fn next(address: &Address, level: Level) -> Address {
    let [smallest, largest] = Puzzle::SIZES;
    let has_puzzles = (smallest..=largest).contains(&address.size.get());
    let size = if has_puzzles { address.size } else { Address::FIRST_SIZE };
    let puzzle = Puzzle { level, seed: (js_sys::Math::random() * 1e8) as u32 };
    Address { puzzle: Some(puzzle), ..address.with_size(size) }
}

/// Renders the buttons that draw a puzzle, one for each level.
pub fn panel(language: Language, draw: &Callback<Level>) -> Html {
    let buttons = Level::ALL.map(|level| {
        let onclick = draw.reform(move |_: MouseEvent| level);
        html! {
            <button id={format!("puzzle-{}", level.id())} type="button" {onclick}>
                { tr!(language, format!("play.puzzle-{}", level.id())) }
            </button>
        }
    });
    html! {
        <section id="puzzle" class="button-line" aria-labelledby="puzzle-label">
            <span id="puzzle-label" class="soft">{ tr!(language, "play.puzzle") }</span>
            { for buttons }
        </section>
    }
}
