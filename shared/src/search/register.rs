//! The words of a search that can be seen.

use crate::{Masks, RowBits, words};

words! {
    /// A word of a search that has one bit for each column, by its name in the seeds and on the
    /// page; constants come first.
    pub enum Register {
        /// Every square of a row.
        Mask = "MASK",
        /// The left-hand column.
        TopBit = "TOPBIT",
        /// Cell B's square in the last row.
        EndBit = "ENDBIT",
        /// Both side columns.
        SideMask = "SIDEMASK",
        /// The squares closed in the last row.
        LastMask = "LASTMASK",
        /// Diagonals that run down to the left.
        Left = "left",
        /// Columns taken.
        Down = "down",
        /// Diagonals that run down to the right.
        Right = "right",
        /// Squares of the row at work that are still to be tried: the seeds' bitmap.
        Free = "free",
    }
}

impl Register {
    /// The words of the methods that take the free squares of a row from a word.
    pub const WORDS: &[Register] =
        &[Register::Mask, Register::Left, Register::Down, Register::Right, Register::Free];

    /// The lines of attack that cross a row, as words.
    pub const LINES: &[Register] = &[Register::Left, Register::Down, Register::Right];

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
        self.id()
    }
}
