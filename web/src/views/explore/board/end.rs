//! What lies on the board when the search is over: the solutions that it has found.

use queens_core::Tally;
use queens_state::search::race_sentences::found;
use queens_state::search::state::FoundSolution;
use yew::prelude::*;

use crate::board::mini_board::MiniBoard;
use crate::parts::link::Link;
use crate::place::{Address, View};
use crate::words::{Language, tr};

/// The largest board whose solutions are shown one by one. It has 92 of them.
const MAX_SHOWN: u32 = 8;

/// Renders the number of solutions, the solutions of a small board, and a link to their classes. The
/// solutions may be incomplete while the search for them runs.
pub fn end(
    language: Language,
    address: &Address,
    tally: &Tally,
    solutions: &[FoundSolution],
) -> Html {
    let size = address.size;
    let is_complete = size.get() <= MAX_SHOWN && solutions.len() as u64 == tally.met();
    let boards = solutions.iter().filter(|_| is_complete).map(|solution| {
        html! { <li key={solution.number}><MiniBoard {size} queens={solution.placement} /></li> }
    });
    // The rows of small boards leave room for the number and the link.
    let across = (1..).find(|across| across * (across - 1) >= solutions.len()).unwrap_or(1);
    let classes = Address { view: View::Solutions, solution: None, ..address.clone() };
    html! {
        <div id="end" class="search-end">
            <p class="search-end-total">{ found(language, true, tally) }</p>
            if tally.met() > 0 {
                <ul class={format!("n-{across}")} aria-hidden="true">{ for boards }</ul>
                <Link to={classes} id="to-classes" class="button">{ tr!(language, "explore.to-classes") }</Link>
            }
        </div>
    }
}
