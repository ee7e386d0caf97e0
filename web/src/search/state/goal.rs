//! The targets of jumps, and the notices when a target does not exist.

use queens_core::{BackwardSearch, Node};

use super::action::Jump;

/// The number of steps between two checks of the clock: well under a millisecond.
pub(super) const SLICE: u64 = 8192;

/// The target of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A step.
    Step(u64),
    /// The next step of a kind.
    Next(Jump),
    /// The last step of a kind before the start of the jump.
    Previous(Jump, BackwardSearch),
    /// The step that places the last queen of a node of the search tree.
    Node(Node),
    /// The step that finds a solution. The node is the whole placement, one queen in each row.
    Found(Node),
}

/// A notice for the user next to the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// There is no such step before this one.
    NoEarlier(Jump),
    /// There is no such step after this one; the search is now at its end.
    NoMore(Jump),
    /// The requested step is beyond the end.
    BeyondTheEnd(u64),
    /// The search never reaches the node.
    NoSuchNode,
}
