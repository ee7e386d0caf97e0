//! Where a search is sent, and what is said when it cannot get there.

use queens_core::{Node, Previous};

use super::action::Jump;

/// Steps between two looks at the clock: well under a millisecond.
pub(super) const SLICE: u64 = 8192;

/// Where the search is being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To a step.
    Step(u64),
    /// To the next of a kind.
    Next(Jump),
    /// To the one before.
    Previous(Jump, Previous),
    /// To the end of the search.
    End,
    /// To a node of the search tree.
    Node(Node),
    /// To the step that finds the solution of a node with all its queens.
    Found(Node),
    /// To the step that cuts a node off: first to its parent, and from there on to the cut.
    Cut(Node, bool),
}

/// What a person should be told beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// There is none before this step.
    NoEarlier(Jump),
    /// There is none after this step; the search is at its end now.
    NoMore(Jump),
    /// The address asked for a step beyond the end.
    BeyondTheEnd(u64),
    /// The search never comes to the node.
    NoSuchNode,
}
