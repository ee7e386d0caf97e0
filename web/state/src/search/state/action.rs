//! What a person can do in Explore.

use queens_core::{Column, Node, Square, Tracer};

use crate::routing::Layer;

/// What can be jumped to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// A solution that counts.
    Solution,
    /// A comparison with an image.
    Comparison,
    /// A rule that closes squares.
    Rule,
}

impl Jump {
    /// The name in the page's texts and elements.
    pub fn id(self) -> &'static str {
        match self {
            Jump::Solution => "solution",
            Jump::Comparison => "comparison",
            Jump::Rule => "rule",
        }
    }

    /// What grows at such a step.
    pub(super) fn count(self) -> fn(&Tracer) -> u64 {
        match self {
            Jump::Solution => |search| search.work().tally.met(),
            Jump::Comparison => |search| search.work().comparisons,
            Jump::Rule => |search| search.work().cut.iter().sum(),
        }
    }
}

/// Something a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Starts or stops playing; at the end of the search, from its start.
    TogglePlay,
    /// So many steps forwards, or backwards.
    By(i64),
    /// To a step.
    To(u64),
    /// To the next of a kind.
    Next(Jump),
    /// To the one before this step.
    Previous(Jump),
    /// To the step that puts a node's last queen.
    ToNode(Node),
    /// To the step that finds the solution of a node with all its queens, where the method counts it.
    ToSolution(Node),
    /// To the step at which a rule cuts a node off.
    ToCut(Node),
    /// To step 0.
    First,
    /// To the end of the search.
    End,
    /// To the furthest step visited.
    LastVisited,
    /// Gives up going to a far step: stays where the search is by now.
    Stop,
    /// A place on the scale of speeds.
    Speed(u32),
    /// Lays something over the board or takes it off.
    Overlay(Layer),
    /// Shows or hides the registers in hexadecimal.
    ToggleHex,
    /// Lights a column, or none.
    Light(Option<Column>),
    /// Asks about a square.
    Ask(Option<Square>),
    /// Asks about a square so that the question stays; the same square again ends that.
    Pin(Option<Square>),
}

impl Action {
    /// Whether it leads to another step.
    pub fn leads_elsewhere(self) -> bool {
        use Action::{Ask, Light, Overlay, Pin, Speed, ToggleHex};
        !matches!(self, Speed(_) | Overlay(_) | ToggleHex | Light(_) | Ask(_) | Pin(_))
    }
}
