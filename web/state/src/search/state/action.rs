//! The user's actions in Explore.

use queens_core::{Column, Node, Square, Tracer};

use super::pace::{Pace, PauseAt};
use crate::routing::Layer;

/// A kind of step that the user can jump to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// A solution that is counted, not discarded.
    Solution,
    /// A comparison with an image.
    Comparison,
    /// A rule that closes squares.
    Rule,
    /// A [dead end](queens_core::Beat::DeadEnd).
    DeadEnd,
    /// Any [`Beat`](queens_core::Beat), such as a queen that is placed or lifted, or a dead end.
    Beat,
}

impl Jump {
    /// The name in the page's texts and elements.
    pub fn id(self) -> &'static str {
        match self {
            Jump::Solution => "solution",
            Jump::Comparison => "comparison",
            Jump::Rule => "rule",
            Jump::DeadEnd => "dead-end",
            Jump::Beat => "beat",
        }
    }

    /// The counter that grows at a step of this kind.
    pub(super) fn count(self) -> fn(&Tracer) -> u64 {
        match self {
            Jump::Solution => |search| search.work().tally.met(),
            Jump::Comparison => |search| search.work().comparisons,
            Jump::Rule => |search| search.work().cut.iter().sum(),
            Jump::DeadEnd => Tracer::dead_ends,
            Jump::Beat => Tracer::beats,
        }
    }
}

/// An action of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Plays or pauses; at the end of the search, plays from its start.
    TogglePlay,
    /// Moves forward by this number of steps, or back if it is negative.
    MoveBy(i64),
    /// Moves to a step.
    MoveTo(u64),
    /// Rejects a text that was entered as a step.
    RejectStep,
    /// Jumps to the next step of a kind.
    Next(Jump),
    /// Jumps to the last step of a kind before this one.
    Previous(Jump),
    /// Jumps to the step that places a node's last queen.
    ToNode(Node),
    /// Jumps to the step that finds a solution, given by its node.
    ToSolution(Node),
    /// Jumps to the step at which a rule prunes a node.
    ToCut(Node),
    /// Moves to step 0.
    First,
    /// Jumps to the end of the search.
    End,
    /// Moves to the furthest step visited.
    LastVisited,
    /// Abandons a jump and shows the step after the one reached so far.
    Stop,
    /// Sets the pace of playing.
    Pace(Pace),
    /// Sets the next faster pace.
    Faster,
    /// Sets the next slower pace.
    Slower,
    /// Sets where playing pauses.
    PauseAt(PauseAt),
    /// Turns a layer on or off.
    Overlay(Layer),
    /// Shows or hides the registers in hexadecimal.
    ToggleHex,
    /// Highlights a column, or none.
    Highlight(Option<Column>),
    /// Explains a square, or none.
    Explain(Option<Square>),
    /// Explains a square until the action is repeated for the same square.
    Pin(Option<Square>),
}

impl Action {
    /// The action for a text that was entered as a step.
    pub fn of_step(text: &str) -> Action {
        parse_step(text).map_or(Action::RejectStep, Action::MoveTo)
    }
}

/// Parses the number of a step, which may have commas between groups of thousands. `None` for any other
/// text.
pub fn parse_step(text: &str) -> Option<u64> {
    let text = text.trim();
    // Otherwise 12,5 would be 125.
    let is_grouped = text.split(',').skip(1).all(|group| group.len() == 3);
    text.replace(',', "").parse().ok().filter(|_| is_grouped)
}
