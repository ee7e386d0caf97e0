//! The copy of the search state that is on the screen.

use std::rc::Rc;

use queens_core::Node;
use queens_state::board::Row;
use queens_state::search::picture::rows;
use queens_state::search::state::{ExploreState, Snapshot};

/// The state that board, sentence, code, counters and transport show. They share one copy, so that
/// all of them show the same step, however fast the search plays.
#[derive(Clone, Debug)]
pub struct Told {
    /// The displayed state.
    pub now: Snapshot,
    /// The squares of the board, in rows from the top.
    pub rows: Rc<[Row]>,
    /// The current node, and the node whose queen the search places next.
    pub nodes: (Node, Option<Node>),
    /// The time of this copy, in milliseconds.
    pub time: f64,
}

impl Told {
    /// The shortest time between two copies while the search plays, in milliseconds: every frame of
    /// a screen with 60, and every second one of a screen with 120.
    pub const PAUSE: f64 = 12.0;

    /// Copies what is shown of `state`.
    pub fn at(state: &ExploreState, time: f64) -> Told {
        Told { now: *state.snapshot(), rows: rows(state).into(), nodes: state.nodes(), time }
    }
}
