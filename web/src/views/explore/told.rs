//! Throttled copy of the search state, for the text around the board.

use std::rc::Rc;

use queens_core::Node;
use queens_state::board::Row;
use queens_state::search::state::{ExploreState, Snapshot};

/// The state that sentences, counters and registers show.
///
/// While a search plays, the board is redrawn every frame, but the text changes only every
/// [`PAUSE`](Told::PAUSE). Text that changes faster cannot be read, and each frame needs its time
/// for the drawing.
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
    /// The shortest time between two copies while the search plays, in milliseconds.
    pub const PAUSE: f64 = 100.0;

    /// Copies what the text needs from `state`.
    pub fn at(state: &ExploreState, rows: &Rc<[Row]>, time: f64) -> Told {
        Told { now: *state.snapshot(), rows: Rc::clone(rows), nodes: state.nodes(), time }
    }
}
