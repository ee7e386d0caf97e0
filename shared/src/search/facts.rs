//! Metadata of a method.

use core::fmt;

use crate::{Branching, Half, Line, ProgramLine, Register, Rule, Transform};

/// Metadata of a method. The constants are in the method's own file; a test compares them with real
/// searches. Ids are unique.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The name on the command line, in addresses and in result documents.
    pub id: &'static str,
    /// What the method does, or adds to an earlier one: one line of English, shown by the command.
    pub summary: &'static str,
    /// The largest N that the command accepts for the method. For most methods a count then takes
    /// minutes on one core; `symmetry` and `colours` end at
    /// [`Size::MAX_COUNTED`](crate::Size::MAX_COUNTED).
    pub largest: u32,
    /// The solutions that the method enumerates.
    pub meets: Meets,
    /// The lines along which the method tests whether a queen above attacks a square before it
    /// places a queen there. It tests the other lines on full boards only.
    pub tests: &'static [Line],
    /// The registers that have a value at some step, in the order of [`Register::ALL`].
    pub registers: &'static [Register],
    /// The rules that close squares, in the order of [`Rule::ALL`].
    pub rules: &'static [Rule],
    /// The division of the search into branches by the first queens. A loop places these queens,
    /// not the search of their rows. `None` if every row is searched alike.
    pub branching: Option<Branching>,
    /// The rows in which the method places queens only in the right-hand half.
    pub half: Option<Half>,
    /// The method as a plain program, in parts. Empty for `colours`, which has no steps.
    pub program: &'static [&'static [ProgramLine]],
}

/// The solutions that a method enumerates, which determines how many solutions each represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meets {
    /// All solutions. Each represents itself.
    Every,
    /// One of each pair of left-right mirror images. It represents both.
    MirrorPairs,
    /// The solution with the smallest judgement value in each class. It represents its class.
    Representatives,
}

impl Facts {
    /// Whether the method counts the classes itself, by comparing solutions with their images,
    /// independently of Burnside's lemma.
    pub const fn counts_classes(&self) -> bool {
        matches!(self.meets, Meets::Representatives)
    }

    /// Whether the method has this register.
    pub fn keeps(&self, register: Register) -> bool {
        self.registers.contains(&register)
    }

    /// The transforms that the method uses: of a solution and its images under these transforms, it
    /// enumerates one.
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
