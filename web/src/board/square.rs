//! A board as a picture shows it, square by square.

use queens_core::{Cell, Rule};

/// One square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Square {
    /// A queen stands here.
    pub queen: bool,
    /// A queen attacks it, and the search has this row still before it.
    pub attacked: bool,
    /// A rule closes it.
    pub rule: Option<Rule>,
    /// A queen here calls for a comparison.
    pub cell: Option<Cell>,
    /// It is still to be tried, in the row at work.
    pub free: bool,
    /// Its row has its queen, on another square.
    pub past: bool,
    /// The last step was about it.
    pub fresh: bool,
    /// What lies over the board here, as a set of bits (see [`Layer::bit`]).
    pub layers: u16,
}

impl Square {
    /// The rule that closes the square where it can be seen: a queen stands before its sign.
    pub fn closed(&self) -> Option<Rule> {
        self.rule.filter(|_| !self.queen)
    }

    /// What decides about the square, for style sheets and tests.
    pub fn state(self) -> &'static str {
        match self {
            Square { queen: true, .. } => "queen",
            Square { attacked: true, .. } => "attacked",
            Square { rule: Some(_), .. } => "closed",
            Square { free: true, .. } => "free",
            Square { past: true, .. } => "past",
            _ => "open",
        }
    }
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number, from the top.
    pub row: u32,
    /// Whether the search is at work in it.
    pub at_work: bool,
    /// Its squares from the LEFT.
    pub squares: Vec<Square>,
}
