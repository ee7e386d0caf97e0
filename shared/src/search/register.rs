//! The registers: the bit words of a search, named as in the seeds.

use crate::{Masks, RowBits, words};

words! {
    /// A word of a search with one bit per column, under its name in the seeds and on the page. The
    /// words that are constant within a branch come first.
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
        /// Columns that have a queen.
        Down = "down",
        /// Diagonals that run down to the right.
        Right = "right",
        /// Squares of the current row that are still to be tried: the seeds' bitmap.
        Free = "free",
    }
}

impl Register {
    /// The registers of the methods that take the free squares of a row from a word.
    pub const WORDS: &[Register] =
        &[Register::Mask, Register::Left, Register::Down, Register::Right, Register::Free];

    /// The masks of a branch, which are empty while the first queen is in the corner.
    pub const MASKS: &[Register] = &[Register::EndBit, Register::SideMask, Register::LastMask];

    /// The registers with the lines of attack that cross a row.
    pub const LINES: &[Register] = &[Register::Left, Register::Down, Register::Right];

    /// The value of TOPBIT, ENDBIT, SIDEMASK or LASTMASK in a branch; `None` for the other registers.
    pub fn in_branch(self, masks: &Masks) -> Option<RowBits> {
        match self {
            Register::TopBit => Some(masks.topbit),
            Register::EndBit => Some(masks.endbit),
            Register::SideMask => Some(masks.sidemask),
            Register::LastMask => Some(masks.lastmask),
            Register::Mask | Register::Left | Register::Down | Register::Right | Register::Free => {
                None
            }
        }
    }

    /// The register's name in the seeds and on the page.
    pub const fn name(self) -> &'static str {
        self.id()
    }
}
