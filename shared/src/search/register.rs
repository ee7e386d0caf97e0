//! The words of a search that can be seen.

use crate::{Masks, RowBits};

/// A word of a search that has one bit for each column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Register {
    /// Every square of a row.
    Mask,
    /// The left-hand column.
    TopBit,
    /// Cell B's square in the last row.
    EndBit,
    /// Both side columns.
    SideMask,
    /// The squares closed in the last row.
    LastMask,
    /// Diagonals that run down to the left.
    Left,
    /// Columns taken.
    Down,
    /// Diagonals that run down to the right.
    Right,
    /// Squares of the row at work that are still to be tried: the seeds' bitmap.
    Free,
}

impl Register {
    /// The words of the methods that take the free squares of a row from a word.
    pub const WORDS: &[Register] =
        &[Register::Mask, Register::Left, Register::Down, Register::Right, Register::Free];

    /// The lines of attack that cross a row, as words.
    pub const LINES: &[Register] = &[Register::Left, Register::Down, Register::Right];

    /// All registers, constants first.
    pub const ALL: [Register; 9] = [
        Register::Mask,
        Register::TopBit,
        Register::EndBit,
        Register::SideMask,
        Register::LastMask,
        Register::Left,
        Register::Down,
        Register::Right,
        Register::Free,
    ];

    /// What the masks of a branch say of the register; `None` if it is none of theirs, or one that
    /// the method does not use in this branch and leaves empty.
    pub fn in_branch(self, masks: &Masks) -> Option<RowBits> {
        let word = match self {
            Register::TopBit => masks.topbit,
            Register::EndBit => masks.endbit,
            Register::SideMask => masks.sidemask,
            Register::LastMask => masks.lastmask,
            _ => return None,
        };
        (!word.is_empty()).then_some(word)
    }

    /// The register's name in the seeds and on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Register::Mask => "MASK",
            Register::TopBit => "TOPBIT",
            Register::EndBit => "ENDBIT",
            Register::SideMask => "SIDEMASK",
            Register::LastMask => "LASTMASK",
            Register::Left => "left",
            Register::Down => "down",
            Register::Right => "right",
            Register::Free => "free",
        }
    }
}
