//! A set of squares of one row, one bit for each.

use core::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Shl, Shr, Sub, SubAssign},
};

/// A set of squares of one row. Bit c stands for column c counted from the right edge, so a
/// row reads like the binary number that it is:
///
/// ```text
///   column from the right   7 6 5 4 3 2 1 0
///   row                     . . . Q . . . .     = 0b0001_0000
/// ```
///
/// `a - b` is the set difference. `<<` and `>>` move every square towards the left or the
/// right edge, as the lines of attack do from one row to the next.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowBits(u32);

impl RowBits {
    /// No square.
    pub const EMPTY: RowBits = RowBits(0);

    /// The squares whose bits are set in `bits`.
    #[inline]
    pub const fn from_bits(bits: u32) -> RowBits {
        RowBits(bits)
    }

    /// The one square in `column`, 0 to 31 from the right; the empty set beyond.
    #[inline]
    pub const fn of(column: u32) -> RowBits {
        RowBits(match 1u32.checked_shl(column) {
            Some(bit) => bit,
            None => 0,
        })
    }

    /// The bits as a number.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the square in `column` (from the right) is in the set.
    #[inline]
    pub const fn contains(self, column: u32) -> bool {
        self.0 & RowBits::of(column).0 != 0
    }

    /// The column of the rightmost square: for a single square, its column. 32 if empty.
    #[inline]
    pub const fn column(self) -> u32 {
        self.0.trailing_zeros()
    }

    /// The rightmost square (the lowest bit), as a set of one; empty if there is none.
    #[inline]
    pub const fn lowest(self) -> RowBits {
        RowBits(self.0 & self.0.wrapping_neg())
    }

    /// Takes the rightmost square out of the set: the order in which all methods try squares.
    #[inline]
    pub const fn take_lowest(&mut self) -> Option<RowBits> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.lowest();
        self.0 &= self.0 - 1;
        Some(lowest)
    }

    /// The columns of the squares, from the right.
    pub fn columns(self) -> impl Iterator<Item = u32> {
        let mut left = self;
        core::iter::from_fn(move || left.take_lowest().map(RowBits::column))
    }
}

impl BitOr for RowBits {
    type Output = RowBits;
    #[inline]
    fn bitor(self, other: RowBits) -> RowBits {
        RowBits(self.0 | other.0)
    }
}

impl BitOrAssign for RowBits {
    #[inline]
    fn bitor_assign(&mut self, other: RowBits) {
        self.0 |= other.0;
    }
}

impl BitAnd for RowBits {
    type Output = RowBits;
    #[inline]
    fn bitand(self, other: RowBits) -> RowBits {
        RowBits(self.0 & other.0)
    }
}

impl BitAndAssign for RowBits {
    #[inline]
    fn bitand_assign(&mut self, other: RowBits) {
        self.0 &= other.0;
    }
}

impl Sub for RowBits {
    type Output = RowBits;
    #[inline]
    fn sub(self, other: RowBits) -> RowBits {
        RowBits(self.0 & !other.0)
    }
}

impl SubAssign for RowBits {
    #[inline]
    fn sub_assign(&mut self, other: RowBits) {
        self.0 &= !other.0;
    }
}

impl Shl<u32> for RowBits {
    type Output = RowBits;
    #[inline]
    fn shl(self, columns: u32) -> RowBits {
        RowBits(self.0.wrapping_shl(columns))
    }
}

impl Shr<u32> for RowBits {
    type Output = RowBits;
    #[inline]
    fn shr(self, columns: u32) -> RowBits {
        RowBits(self.0.wrapping_shr(columns))
    }
}

impl fmt::Debug for RowBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RowBits({:#b})", self.0)
    }
}

impl fmt::Binary for RowBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Binary::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares() {
        let mut row = RowBits::from_bits(0b1_0110);
        assert_eq!(row.len(), 3);
        assert!(row.contains(4) && !row.contains(0) && !row.contains(40));
        assert!(row.columns().eq([1, 2, 4]));
        assert_eq!(row.take_lowest(), Some(RowBits::of(1)));
        assert_eq!(row, RowBits::from_bits(0b1_0100));
        assert_eq!(row - RowBits::of(2), RowBits::of(4));
        let mut none = RowBits::EMPTY;
        assert_eq!(none.take_lowest(), None);
        assert_eq!(RowBits::of(31) << 1, RowBits::EMPTY);
        assert_eq!(RowBits::of(32), RowBits::EMPTY);
    }
}
