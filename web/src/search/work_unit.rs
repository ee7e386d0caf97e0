//! What the work of searches is counted in.

use queens_core::{Facts, Register, Work};

/// A unit of work. Only numbers of the same unit can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkUnit {
    /// Queens put on the board.
    QueensPlaced,
    /// Squares tried one by one; 0 for methods that get all free squares of a row from a bit mask.
    SquaresTried,
}

impl WorkUnit {
    pub const ALL: [WorkUnit; 2] = [WorkUnit::QueensPlaced, WorkUnit::SquaresTried];

    /// Its name in the page's texts and elements.
    pub fn id(self) -> &'static str {
        match self {
            WorkUnit::QueensPlaced => "put",
            WorkUnit::SquaresTried => "looked",
        }
    }

    /// Whether methods with these facts have work in this unit.
    pub fn applies_to(self, facts: &Facts) -> bool {
        match self {
            WorkUnit::QueensPlaced => true,
            WorkUnit::SquaresTried => !facts.tests.is_empty() && !facts.keeps(Register::Free),
        }
    }

    /// The work of a search in this unit.
    pub fn count(self, work: &Work) -> u64 {
        match self {
            WorkUnit::QueensPlaced => work.placed,
            WorkUnit::SquaresTried => work.looked_at,
        }
    }
}
