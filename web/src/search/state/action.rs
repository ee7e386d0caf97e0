//! The user's actions in Explore.

use queens_core::{Column, Facts, Line, Node, Rule, Square, Tracer, words};

use super::Choices;
use super::pace::Pace;
use crate::search::name::Name;

words! {
    /// A kind of step that the user can jump to, and that playing can lead to.
    #[derive(Default)]
    pub enum Jump {
        /// A solution that is counted, not discarded.
        #[default]
        Solution = "solution",
        /// A [dead end](queens_core::Beat::DeadEnd).
        DeadEnd = "dead-end",
        /// A rule that closes squares.
        Rule = "rule",
        /// A square that rule 1 or 2 closes by SIDEMASK.
        SideMask = "side-mask",
        /// A square that LASTMASK closes.
        LastMask = "last-mask",
        /// A comparison with an image.
        Comparison = "comparison",
        /// The end of the search.
        End = "end",
        /// Any [`Beat`](queens_core::Beat), such as a queen that is placed or lifted, or a dead end, or a
        /// comparison, to which the user can jump as well.
        Beat = "beat",
    }
}

impl Jump {
    /// The kinds of steps that the bar offers for a method.
    pub fn targets(facts: &Facts) -> impl Iterator<Item = Jump> + '_ {
        Jump::ALL.into_iter().filter(|jump| match jump {
            Jump::Solution | Jump::End => true,
            // A method that tests the diagonals only on full boards finds a square in every row.
            Jump::DeadEnd => facts.tests.contains(&Line::Left),
            Jump::Rule => !facts.rules.is_empty() || facts.half.is_some(),
            Jump::SideMask => facts.rules.contains(&Rule::UpperSide),
            Jump::LastMask => facts.rules.contains(&Rule::LastRow),
            Jump::Comparison => facts.counts_classes(),
            Jump::Beat => false,
        })
    }

    /// The counter that grows at a step of this kind.
    pub(super) fn count(self) -> fn(&Tracer) -> u64 {
        match self {
            Jump::Solution => |search| search.work().tally.met(),
            Jump::Comparison => |search| search.work().comparisons,
            Jump::Rule => |search| search.work().cut.iter().sum(),
            Jump::SideMask => |search| {
                search.work().cut_by(Rule::UpperSide) + search.work().cut_by(Rule::LowerSide)
            },
            Jump::LastMask => |search| search.work().cut_by(Rule::LastRow),
            Jump::DeadEnd => Tracer::dead_ends,
            Jump::End => |search| search.is_done().into(),
            Jump::Beat => |search| search.beats() + search.work().comparisons,
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
    /// Jumps to the next step of a kind.
    Next(Jump),
    /// Jumps to the last step of a kind before this one; to step 0 from the end of the search.
    Previous(Jump),
    /// Jumps to the step that places a node's last queen.
    ToNode(Node),
    /// Jumps to the step that finds a solution, given by its node.
    ToSolution(Node),
    /// Abandons a jump and shows the step after the one reached so far.
    Stop,
    /// Sets the pace of playing.
    Pace(Pace),
    /// Sets the next faster pace.
    Faster,
    /// Sets the next slower pace.
    Slower,
    /// Sets the kind of step at which playing stops.
    Target(Jump),
    /// Takes the choices of an earlier search.
    Choose(Choices),
    /// Lights the squares of a name, or of none.
    Point(Option<Name>),
    /// Shows or hides the registers in hexadecimal.
    ToggleHex,
    /// Highlights a column, or none.
    Highlight(Option<Column>),
    /// Explains a square, or none.
    Explain(Option<Square>),
    /// Explains a square until the action is repeated for the same square.
    Pin(Option<Square>),
}
