//! Names in programs and registers that stand for squares of the board.

use queens_core::{Cell, Facts, Masks, Register, Rule};

use crate::words::Term;

/// A name that lights its squares on the board while the user points at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// The squares that have their bits set in a register.
    Register(Register),
    /// Row BOUND1.
    Bound1,
    /// Row BOUND2.
    Bound2,
    /// The square of a cell.
    Cell(Cell),
}

impl Name {
    /// All names, in the order of the registers on the page.
    pub fn all() -> impl Iterator<Item = Name> {
        let registers = Register::ALL.into_iter().map(Name::Register);
        registers.chain([Name::Bound1, Name::Bound2]).chain(Cell::ALL.map(Name::Cell))
    }

    /// The name in the seeds and on the page.
    pub fn word(self) -> &'static str {
        match self {
            Name::Register(register) => register.name(),
            Name::Bound1 => "BOUND1",
            Name::Bound2 => "BOUND2",
            Name::Cell(cell) => cell.letter(),
        }
    }

    /// Returns the name that a word is in the program of a method.
    pub fn parse(word: &str, method: &Facts) -> Option<Name> {
        Name::all().find(|name| name.word() == word && name.is_of(method))
    }

    /// The term that explains the name.
    pub const fn term(self) -> Term {
        match self {
            Name::Register(register) => Term::of_register(register),
            Name::Bound1 => Term::BOUND1,
            Name::Bound2 => Term::BOUND2,
            Name::Cell(_) => Term::CELLS,
        }
    }

    /// Whether a branch makes no use of the name: below a queen in the corner, rule X does the work of all
    /// other rules and of the comparisons.
    pub fn is_idle_in(self, masks: &Masks) -> bool {
        masks.is_corner()
            && masks.branching.cuts_sides()
            && match self {
                Name::Register(register) => register.in_branch(masks).is_some(),
                Name::Cell(_) => true,
                Name::Bound1 | Name::Bound2 => false,
            }
    }

    /// Whether a method has the name.
    pub fn is_of(self, method: &Facts) -> bool {
        match self {
            Name::Register(register) => method.keeps(register),
            Name::Bound1 | Name::Bound2 => method.branching.is_some(),
            Name::Cell(_) => method.rules.contains(&Rule::LastRow),
        }
    }
}
