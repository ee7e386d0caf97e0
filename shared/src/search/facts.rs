//! What there is to say of a method, beside its code.

use core::fmt;

use crate::{Branching, Half, Line, Register, Rule, Transform};

/// What there is to say of a method: constants that stand in the method's own file, where a test
/// holds them against real searches. Two methods never have the same id.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The name on the command line, in addresses and in result documents.
    pub id: &'static str,
    /// What the method does, or adds to an earlier one: one line of English, shown by the command.
    pub summary: &'static str,
    /// The largest N that the command accepts for the method. Most methods end where a count takes
    /// minutes on one core; `symmetry` and `halves` end at
    /// [`Size::MAX_COUNTED`](crate::Size::MAX_COUNTED).
    pub largest: u32,
    /// Which solutions it meets.
    pub meets: Meets,
    /// The lines along which it tests whether a queen above attacks a square before it places a queen
    /// there. The other lines are tested on full boards only.
    pub tests: &'static [Line],
    /// The words that have a value at some step, in the order of [`Register::ALL`].
    pub registers: &'static [Register],
    /// The rules that close squares, in the order of [`Rule::ALL`].
    pub rules: &'static [Rule],
    /// How it divides the search by first queens, which a loop chooses and not the free squares
    /// of their rows; `None` if every row is searched alike.
    pub branching: Option<Branching>,
    /// Where it leaves the left-hand half of a row to the mirror image.
    pub half: Option<Half>,
}

/// Which solutions a method meets, and so what one of them stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meets {
    /// Every one; it stands for itself.
    Every,
    /// One of each two that mirror each other left and right; it stands for both.
    MirrorPairs,
    /// The one of each class with the smallest judgement value; it stands for its class.
    Representatives,
}

impl Facts {
    /// Whether the method counts the classes itself, independently of Burnside's formula. It
    /// does so by comparing solutions with their images.
    pub const fn counts_classes(&self) -> bool {
        matches!(self.meets, Meets::Representatives)
    }

    /// Whether the method has a word of this kind.
    pub fn keeps(&self, register: Register) -> bool {
        self.registers.contains(&register)
    }

    /// The transforms that the method knows: of a solution and its images under these it meets
    /// one.
    pub const fn images(&self) -> &'static [Transform] {
        match self.meets {
            Meets::Every => &[Transform::Identity],
            Meets::MirrorPairs => &[Transform::Identity, Transform::LeftRight],
            Meets::Representatives => &Transform::ALL,
        }
    }
}

impl PartialEq for Facts {
    fn eq(&self, other: &Facts) -> bool {
        self.id == other.id
    }
}

impl Eq for Facts {}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id)
    }
}
