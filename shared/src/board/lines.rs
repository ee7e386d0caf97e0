//! The lines of attack of queens in any rows.

use crate::{RowBits, Size};

/// The lines that have queens: columns, and diagonals as words of 2N − 1 bits. In contrast to
/// [`Attacks`](crate::Attacks), they do not depend on a row, so rows can be filled in any order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    down: RowBits,
    /// Bit column − row + N − 1: the diagonals that run down to the left.
    left: u64,
    /// Bit column + row: the diagonals that run down to the right.
    right: u64,
}

impl Lines {
    /// The board's two main diagonals.
    pub fn main_diagonals(size: Size) -> Lines {
        let diagonal = 1u64.wrapping_shl(size.last());
        Lines { down: RowBits::EMPTY, left: diagonal, right: diagonal }
    }

    /// The columns that have queens.
    pub fn down(self) -> RowBits {
        self.down
    }

    /// Adds the lines of another queen.
    #[inline(always)]
    pub fn with(self, size: Size, row: u32, column: u32) -> Lines {
        Lines {
            down: self.down | RowBits::of(column),
            left: self.left | 1u64.wrapping_shl(column + (size.last() - row)),
            right: self.right | 1u64.wrapping_shl(column + row),
        }
    }

    /// Adds the lines of another queen; `None` if its square is already on one of the lines.
    #[inline(always)]
    pub fn beside(self, size: Size, (row, column): (u32, u32)) -> Option<Lines> {
        (!self.closed(size, row).contains(column)).then(|| self.with(size, row, column))
    }

    /// The squares of a row that are on none of the lines.
    #[inline(always)]
    pub fn free(self, size: Size, row: u32) -> RowBits {
        size.mask() - self.closed(size, row)
    }

    /// The squares of a row that are on one of the lines. The set can have bits to the left of the
    /// board.
    #[inline(always)]
    pub fn closed(self, size: Size, row: u32) -> RowBits {
        let left = self.left.wrapping_shr(size.last() - row) as u32;
        let right = self.right.wrapping_shr(row) as u32;
        self.down | RowBits::from_bits(left | right)
    }
}
