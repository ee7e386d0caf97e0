//! What the words beside the board speak of: the search, a few times a second (throttling).

use std::rc::Rc;

use queens_core::Node;
use queens_state::board::Row;
use queens_state::search::state::{ExploreState, Snapshot};

/// What the words and numbers speak of, beside the board and on its squares. While it plays they
/// are throttled: they follow the drawing a few times a second, which is as fast as anybody reads,
/// and leave the frames to it.
#[derive(Clone, Debug)]
pub struct Told {
    /// What is shown.
    pub now: Snapshot,
    /// The board, in rows from the top.
    pub rows: Rc<[Row]>,
    /// The node at which the search is, and the one whose queen is put next.
    pub nodes: (Node, Option<Node>),
    /// When it was shown, in milliseconds.
    pub time: f64,
}

impl Told {
    /// How long it stays while it plays, in milliseconds.
    pub const PAUSE: f64 = 100.0;

    /// What there is to tell of a state now.
    pub fn at(state: &ExploreState, rows: &Rc<[Row]>, time: f64) -> Told {
        Told { now: *state.snapshot(), rows: Rc::clone(rows), nodes: state.nodes(), time }
    }
}
