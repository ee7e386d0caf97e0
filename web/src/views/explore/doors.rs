//! The doors of a first visit: three small boards that lead to a race with the symmetry method, to the images
//! of a solution and to the puzzle.

use std::rc::Rc;

use gloo_timers::callback::Interval;
use queens_core::{Placement, Queens, SquareState, Stepped, Tracer};
use queens_state::board::{Row, SquareStyle};
use queens_state::search::race::{make_a_move, rows};
use yew::prelude::*;

use super::scene::Scene;
use crate::board::marked_board::marked_board;
use crate::board::mini_board::MiniBoard;
use crate::browser::{prefers_reduced_motion, window};
use crate::parts::link::Link;
use crate::place::{Address, View, play_address};
use crate::words::{Language, grouped, tr};

/// The time between two moves of the search, in milliseconds.
const MOVE: u32 = 700;

/// The number of moves after which the search rests unless the user points at it. Content that moves by
/// itself for over five seconds needs a button that stops it (WCAG 2.2.2).
const MOVES: u32 = 7;

/// The numbers of queens that backtracking and the symmetry method put on the board of a first visit.
pub const QUEENS_PUT: [u64; 2] = [2056, 505];

/// The solution whose images one of the links shows.
const SOLUTION: [u32; 8] = [6, 1, 5, 2, 0, 3, 7, 4];

/// The number of queens of [`SOLUTION`] that the board of the puzzle shows, from the top.
const GIVEN: usize = 3;

/// The three links. Their boards illustrate their names.
pub fn doors(scene: &Scene) -> Html {
    let language = scene.language;
    let page = Address { language: scene.address.language, ..Address::default() };
    let size = page.size;
    let solution = Placement::from_left(&SOLUTION).ok();
    let squares = solution.iter().flat_map(Placement::squares).take(GIVEN);
    let puzzle = squares.fold(Queens::none(size), Queens::toggled);
    let door = |id: &'static str, to: Address, board: Html, figures: Option<String>| {
        html! {
            <Link {to} id={format!("door-{id}")} class="door">
                <span class="door-board" aria-hidden="true">{ board }</span>
                <span class="door-name">{ tr!(language, format!("door.{id}")) }</span>
                if let Some(figures) = figures {
                    <span class="door-figures">{ figures }</span>
                }
            </Link>
        }
    };
    let race = race(page.language);
    let [without, with] = QUEENS_PUT;
    let saved =
        tr!(language, "door.symmetry-figures", without = grouped(without), with = grouped(with));
    html! {
        <nav class="doors" aria-label={tr!(language, "door.title")}>
            { door("symmetry", race, html! { <SearchBoard /> }, Some(saved)) }
            { door("turn", page.with_view(View::Solutions), html! { <MiniBoard {size} queens={solution} fine=true /> }, None) }
            { door("own", play_address(&page, puzzle), marked_board(&puzzle_rows(&puzzle), ""), None) }
        </nav>
    }
}

/// The address of the race. It ends with a sentence on what symmetry saves, which no step of the symmetry
/// method says.
fn race(language: Option<Language>) -> Address {
    Address { language, compare: Some(Stepped::Symmetry), ..Address::default() }
}

/// Whether a change of the address is that of the link to the race.
pub fn leads_through_the_race_door(from: &Address, to: &Address) -> bool {
    from.is_first_visit_with_any_tab() && *to == race(from.language)
}

/// A board with a search by the symmetry method. The search starts at the step of
/// [`Address::of_symmetry`], makes [`MOVES`] moves, and continues only while the user points at the
/// link. At its end, it starts again.
#[component]
fn SearchBoard() -> Html {
    let search = use_mut_ref(search_with_symmetry);
    let redraw = use_force_update();
    {
        let search = Rc::clone(&search);
        use_effect_with((), move |()| {
            let mut made = 0;
            let advance = move || {
                if made >= MOVES && !is_pointed_at() {
                    return;
                }
                made += 1;
                let mut search = search.borrow_mut();
                make_a_move(&mut search);
                if search.is_done() {
                    *search = search_with_symmetry();
                }
                redraw.force_update();
            };
            let is_still = prefers_reduced_motion();
            let timer = (!is_still).then(|| Interval::new(MOVE, advance));
            move || drop(timer)
        });
    }
    let view = search.borrow().view();
    marked_board(&rows(&view, false), "")
}

/// Whether the link to the symmetry method is under the pointer or has the focus.
fn is_pointed_at() -> bool {
    let link = "#door-symmetry:is(:hover, :focus-visible)";
    let document = window().and_then(|window| window.document());
    document.is_some_and(|document| matches!(document.query_selector(link), Ok(Some(_))))
}

fn search_with_symmetry() -> Tracer {
    let Address { method, size, step, .. } = Address::of_symmetry();
    let mut search = Tracer::new(method, size);
    while search.steps() < step && search.forward().is_some() {}
    search
}

/// The board of the puzzle: its queens, the squares that they attack, and the free squares.
fn puzzle_rows(queens: &Queens) -> Vec<Row> {
    Row::all(queens.size(), None, |square| {
        let is_attacked = queens.closed(square.row()).intersects(square.bit());
        let state = match (queens.contains(square), is_attacked) {
            (true, _) => SquareState::Queen,
            (_, true) => SquareState::Attacked,
            _ => SquareState::Free,
        };
        SquareStyle { state, to_try: state == SquareState::Free, ..SquareStyle::default() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A link that names a method to compare does not start the race.
    #[test]
    fn only_the_door_leads_to_a_race_that_starts_by_itself() {
        let first = Address::default();
        for language in [None, Some(Language::Japanese)] {
            let from = Address { language, ..first.clone() };
            assert!(leads_through_the_race_door(&from, &race(language)));
        }
        let race = race(None);
        let other = Address { compare: Some(Stepped::Bitmap), ..first.clone() };
        for (from, to) in [(&race, &race), (&first, &other), (&other, &race), (&first, &first)] {
            assert!(!leads_through_the_race_door(from, to));
        }
    }
}
