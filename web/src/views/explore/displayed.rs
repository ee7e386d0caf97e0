//! The copy of the search state that the page displays.

use std::rc::Rc;

use crate::board::Row;
use crate::search::squares::rows;
use crate::search::state::{ExploreState, Snapshot};

/// The state that the board, the sentence, the code, the counters and the transport bar show. They
/// share one copy, so all of them show the same step, however fast the search plays.
#[derive(Clone, Debug)]
pub struct DisplayedState {
    pub snapshot: Snapshot,
    /// The squares of the board, in rows from the top.
    pub rows: Rc<[Row]>,
    /// The time of this copy, in milliseconds.
    pub time: f64,
}

impl DisplayedState {
    /// The shortest time between two copies while the search plays, in milliseconds: every frame on
    /// a 60 Hz screen, and every second one on a 120 Hz screen. A user action makes a copy at once.
    pub const INTERVAL: f64 = 12.0;

    /// Copies the displayed parts of `state`.
    pub fn new(state: &ExploreState, time: f64) -> DisplayedState {
        DisplayedState { snapshot: *state.snapshot(), rows: rows(state).into(), time }
    }
}
