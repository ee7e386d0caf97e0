//! What lies on the board when the search is over: the solutions that it has found.

use queens_core::{Placement, Tally};
use yew::prelude::*;

use crate::address::{Address, View};
use crate::board::mini_board::MiniBoard;
use crate::parts::link::Link;
use crate::views::explore::model::race_sentences::found;
use crate::words::{Language, tr};

/// Renders the number of solutions, the solutions of a small board, and a link to their classes. The
/// solutions may be incomplete while the search for them runs.
pub fn end(language: Language, address: &Address, tally: &Tally, solutions: &[Placement]) -> Html {
    let size = address.size;
    let is_complete = solutions.len() as u64 == tally.met();
    let boards = solutions.iter().filter(|_| is_complete).enumerate().map(|(at, &queens)| {
        html! { <li key={at}><MiniBoard {size} {queens} /></li> }
    });
    // The rows of small boards leave room for the number and the link.
    let across = (1..).find(|across| across * (across - 1) >= solutions.len()).unwrap_or(1);
    let classes = Address {
        view: View::Solutions,
        solution: None,
        stacks_images: is_complete,
        ..address.clone()
    };
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
