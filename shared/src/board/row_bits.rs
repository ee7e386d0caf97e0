//! A set of squares of one row, with one bit per square.

use core::{
    fmt,
    iter::FusedIterator,
    ops::{
        BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Shl, ShlAssign, Shr,
        ShrAssign, Sub, SubAssign,
    },
};

use super::Size;

/// A set of squares of one row. Bit c is column c counted from the right edge, so a row looks like
/// its binary number:
///
/// ```text
///   column from the right   7 6 5 4 3 2 1 0
///   row                     . . . Q . . . .     = 0b0001_0000
/// ```
///
/// `a | b`, `a & b`, `a ^ b` and `a - b` are the union, the intersection, the symmetric difference
/// and the difference. `<<` and `>>` move every square towards the left or the right edge, as the
/// lines of attack do from one row to the next. Squares moved beyond column 31 or the right edge
/// are dropped, and a move by 32 or more columns gives the empty set. Operators cannot be
/// `const fn` in Rust yet; the methods [`union`](RowBits::union),
/// [`intersection`](RowBits::intersection),
/// [`symmetric_difference`](RowBits::symmetric_difference), [`difference`](RowBits::difference),
/// [`moved_left`](RowBits::moved_left) and [`moved_right`](RowBits::moved_right) can, and do the
/// same.
///
/// ```
/// use queens_core::{RowBits, Size};
/// //            . . Q . . . . .   row 0
/// //            . x x x . . . .   row 1: attacked from the upper right, above, the upper left
/// let queen = RowBits::of(5);
/// let attacked = queen << 1 | queen | queen >> 1;
/// assert_eq!(attacked, RowBits::from_iter([4, 5, 6]));
/// let free = Size::new(8)?.mask() - attacked;
/// assert!(free.columns().eq([0, 1, 2, 3, 7]));
/// # Ok::<(), queens_core::SizeError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowBits(u32);

impl RowBits {
    /// The empty set.
    pub const EMPTY: RowBits = RowBits(0);

    /// The squares whose bits are set in `bits`.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// assert_eq!(RowBits::from_bits(0b0110), RowBits::of(2) | RowBits::of(1));
    /// ```
    #[inline]
    pub const fn from_bits(bits: u32) -> RowBits {
        RowBits(bits)
    }

    /// The set of the one square in `column`, 0 to 31 from the right; the empty set for larger
    /// numbers.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # . .
    /// assert_eq!(RowBits::of(2), RowBits::from_bits(0b0100));
    /// assert_eq!(RowBits::of(32), RowBits::EMPTY);
    /// ```
    #[inline]
    pub const fn of(column: u32) -> RowBits {
        RowBits(match 1u32.checked_shl(column) {
            Some(bit) => bit,
            None => 0,
        })
    }

    /// The bits as a number.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// assert_eq!((RowBits::of(2) | RowBits::of(1)).bits(), 6);
    /// ```
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether the set is empty.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . . . .
    /// assert!(RowBits::from_bits(0b0000).is_empty());
    /// ```
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares, 0 to 32.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// assert_eq!(RowBits::from_bits(0b0110).len(), 2);
    /// ```
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the square in `column` (from the right) is in the set.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// let row = RowBits::from_bits(0b0110);
    /// assert!(row.contains(2) && !row.contains(3) && !row.contains(32));
    /// ```
    #[inline]
    pub const fn contains(self, column: u32) -> bool {
        self.0 & RowBits::of(column).0 != 0
    }

    /// Whether the two sets have a square in common.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // . . # #
    /// assert!(RowBits::from_bits(0b0110).intersects(RowBits::from_bits(0b0011)));
    /// ```
    #[inline]
    pub const fn intersects(self, other: RowBits) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the two sets have no square in common.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // # . . #
    /// assert!(RowBits::from_bits(0b0110).is_disjoint(RowBits::from_bits(0b1001)));
    /// ```
    #[inline]
    pub const fn is_disjoint(self, other: RowBits) -> bool {
        !self.intersects(other)
    }

    /// Whether every square of the set is also in `other`.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // . # # #
    /// assert!(RowBits::from_bits(0b0110).is_subset(RowBits::from_bits(0b0111)));
    /// ```
    #[inline]
    pub const fn is_subset(self, other: RowBits) -> bool {
        self.0 & !other.0 == 0
    }

    /// The union, `self | other`, also in constants.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // . . # #
    /// // . # # #
    /// const ROW: RowBits = RowBits::from_bits(0b0110);
    /// const ALL: RowBits = ROW.union(RowBits::from_bits(0b0011));
    /// assert_eq!(ALL, RowBits::from_bits(0b0111));
    /// ```
    #[inline]
    #[must_use = "returns another set; this one does not change"]
    pub const fn union(self, other: RowBits) -> RowBits {
        RowBits(self.0 | other.0)
    }

    /// The intersection, `self & other`, also in constants.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // . . # #
    /// // . . # .
    /// const ROW: RowBits = RowBits::from_bits(0b0110);
    /// const BOTH: RowBits = ROW.intersection(RowBits::from_bits(0b0011));
    /// assert_eq!(BOTH, RowBits::from_bits(0b0010));
    /// ```
    #[inline]
    #[must_use = "returns another set; this one does not change"]
    pub const fn intersection(self, other: RowBits) -> RowBits {
        RowBits(self.0 & other.0)
    }

    /// The difference, `self - other`, also in constants.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // . . # #
    /// // . # . .
    /// const ROW: RowBits = RowBits::from_bits(0b0110);
    /// const REST: RowBits = ROW.difference(RowBits::from_bits(0b0011));
    /// assert_eq!(REST, RowBits::from_bits(0b0100));
    /// ```
    #[inline]
    #[must_use = "returns another set; this one does not change"]
    pub const fn difference(self, other: RowBits) -> RowBits {
        RowBits(self.0 & !other.0)
    }

    /// The symmetric difference, `self ^ other`, also in constants.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // . . # #
    /// // . # . #
    /// const ROW: RowBits = RowBits::from_bits(0b0110);
    /// const ONE: RowBits = ROW.symmetric_difference(RowBits::from_bits(0b0011));
    /// assert_eq!(ONE, RowBits::from_bits(0b0101));
    /// ```
    #[inline]
    #[must_use = "returns another set; this one does not change"]
    pub const fn symmetric_difference(self, other: RowBits) -> RowBits {
        RowBits(self.0 ^ other.0)
    }

    /// Moves every square `columns` columns to the left: `self << columns`, also in constants.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . . # .
    /// // # . . .
    /// const ROW: RowBits = RowBits::of(1).moved_left(2);
    /// assert_eq!(ROW, RowBits::of(3));
    /// assert_eq!(ROW.moved_left(32), RowBits::EMPTY);
    /// ```
    #[inline]
    #[must_use = "returns another set; this one does not change"]
    pub const fn moved_left(self, columns: u32) -> RowBits {
        match self.0.checked_shl(columns) {
            Some(bits) => RowBits(bits),
            None => RowBits::EMPTY,
        }
    }

    /// Moves every square `columns` columns to the right: `self >> columns`, also in constants.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # . .
    /// // . . # .
    /// const ROW: RowBits = RowBits::of(2).moved_right(1);
    /// assert_eq!(ROW, RowBits::of(1));
    /// assert_eq!(ROW.moved_right(2), RowBits::EMPTY);
    /// ```
    #[inline]
    #[must_use = "returns another set; this one does not change"]
    pub const fn moved_right(self, columns: u32) -> RowBits {
        match self.0.checked_shr(columns) {
            Some(bits) => RowBits(bits),
            None => RowBits::EMPTY,
        }
    }

    /// Adds the square in `column`; the set is unchanged if there is no such column.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // # # # .
    /// assert_eq!(RowBits::from_bits(0b0110).with(3), RowBits::from_bits(0b1110));
    /// ```
    #[inline]
    #[must_use = "returns another set; this one does not change"]
    pub const fn with(self, column: u32) -> RowBits {
        RowBits(self.0 | RowBits::of(column).0)
    }

    /// Removes the square in `column`.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // . . # .
    /// assert_eq!(RowBits::from_bits(0b0110).without(2), RowBits::from_bits(0b0010));
    /// ```
    #[inline]
    #[must_use = "returns another set; this one does not change"]
    pub const fn without(self, column: u32) -> RowBits {
        RowBits(self.0 & !RowBits::of(column).0)
    }

    /// Adds the square in `column` if it is missing, and removes it otherwise.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // # # # .
    /// let row = RowBits::from_bits(0b0110);
    /// assert_eq!(row.toggled(3), RowBits::from_bits(0b1110));
    /// assert_eq!(row.toggled(3).toggled(3), row);
    /// ```
    #[inline]
    #[must_use = "returns another set; this one does not change"]
    pub const fn toggled(self, column: u32) -> RowBits {
        RowBits(self.0 ^ RowBits::of(column).0)
    }

    /// The squares of a row of the board that are not in the set.
    ///
    /// ```
    /// # use queens_core::{RowBits, Size};
    /// // . # # . .
    /// // # . . # #
    /// let five = Size::new(5)?;
    /// assert_eq!(RowBits::from_bits(0b01100).complement(five), RowBits::from_bits(0b10011));
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    #[inline]
    #[must_use = "returns another set; this one does not change"]
    pub const fn complement(self, size: Size) -> RowBits {
        RowBits(size.mask().0 & !self.0)
    }

    /// The left-right mirror image on the board. Squares beyond the board's left edge are dropped.
    ///
    /// ```
    /// # use queens_core::{RowBits, Size};
    /// // . # # . .
    /// // . . # # .
    /// let five = Size::new(5)?;
    /// assert_eq!(RowBits::from_bits(0b01100).mirrored(five), RowBits::from_bits(0b00110));
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    #[inline]
    #[must_use = "returns another set; this one does not change"]
    pub const fn mirrored(self, size: Size) -> RowBits {
        RowBits((self.0 & size.mask().0).reverse_bits() >> (32 - size.get()))
    }

    /// The column of the rightmost square; 32 if the set is empty.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// assert_eq!(RowBits::from_bits(0b0110).column(), 1);
    /// assert_eq!(RowBits::EMPTY.column(), 32);
    /// ```
    #[inline]
    pub const fn column(self) -> u32 {
        self.0.trailing_zeros()
    }

    /// The column of the only square; `None` if the set is empty or has several squares.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # . .
    /// // . # # .
    /// assert_eq!(RowBits::from_bits(0b0100).single(), Some(2));
    /// assert_eq!(RowBits::from_bits(0b0110).single(), None);
    /// assert_eq!(RowBits::EMPTY.single(), None);
    /// ```
    #[inline]
    pub const fn single(self) -> Option<u32> {
        if self.0.is_power_of_two() { Some(self.column()) } else { None }
    }

    /// The rightmost square (the lowest bit) as a set; empty if the set is empty.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // . . # .
    /// assert_eq!(RowBits::from_bits(0b0110).lowest(), RowBits::from_bits(0b0010));
    /// ```
    #[inline]
    pub const fn lowest(self) -> RowBits {
        RowBits(self.0 & self.0.wrapping_neg())
    }

    /// The leftmost square (the highest bit) as a set; empty if the set is empty.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // . # . .
    /// assert_eq!(RowBits::from_bits(0b0110).highest(), RowBits::from_bits(0b0100));
    /// ```
    #[inline]
    pub const fn highest(self) -> RowBits {
        match self.0.checked_ilog2() {
            Some(column) => RowBits::of(column),
            None => RowBits::EMPTY,
        }
    }

    /// Removes and returns the rightmost square. All stepped methods try squares in this order.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // . # . .
    /// let mut free = RowBits::from_bits(0b0110);
    /// assert_eq!(free.take_lowest(), Some(RowBits::from_bits(0b0010)));
    /// assert_eq!(free, RowBits::from_bits(0b0100));
    /// ```
    #[inline]
    pub const fn take_lowest(&mut self) -> Option<RowBits> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.lowest();
        self.0 &= self.0 - 1;
        Some(lowest)
    }

    /// Removes and returns the leftmost square.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // . # # .
    /// // . . # .
    /// let mut free = RowBits::from_bits(0b0110);
    /// assert_eq!(free.take_highest(), Some(RowBits::from_bits(0b0100)));
    /// assert_eq!(free, RowBits::from_bits(0b0010));
    /// ```
    #[inline]
    pub const fn take_highest(&mut self) -> Option<RowBits> {
        if self.0 == 0 {
            return None;
        }
        let highest = self.highest();
        self.0 &= !highest.0;
        Some(highest)
    }

    /// The columns of the squares, from the right; reverse the iterator to go from the left.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // # . # # .
    /// let row = RowBits::from_bits(0b1_0110);
    /// assert!(row.columns().eq([1, 2, 4]));
    /// assert!(row.columns().rev().eq([4, 2, 1]));
    /// ```
    #[inline]
    pub const fn columns(self) -> Columns {
        Columns { left: self }
    }

    /// All subsets, in the order of their numbers: the empty set first, the set itself last.
    ///
    /// ```
    /// # use queens_core::RowBits;
    /// // # . #     . . .   . . #   # . .   # . #
    /// let numbers = RowBits::from_bits(0b101).subsets().map(RowBits::bits);
    /// assert!(numbers.eq([0b000, 0b001, 0b100, 0b101]));
    /// ```
    #[inline]
    pub const fn subsets(self) -> Subsets {
        Subsets { of: self, next: Some(RowBits::EMPTY) }
    }
}

impl Size {
    /// Every square of a row, called MASK in the published programs (docs/seeds.md).
    ///
    /// ```
    /// # use queens_core::{RowBits, Size};
    /// // # # # # #
    /// assert_eq!(Size::new(5)?.mask(), RowBits::from_bits(0b11111));
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    #[inline]
    pub const fn mask(self) -> RowBits {
        RowBits(u32::MAX >> (32 - self.get()))
    }
}

/// An iterator over the columns of a set: see [`RowBits::columns`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Columns {
    left: RowBits,
}

impl Iterator for Columns {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.left.take_lowest().map(RowBits::column)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let squares = self.left.len() as usize;
        (squares, Some(squares))
    }
}

impl DoubleEndedIterator for Columns {
    #[inline]
    fn next_back(&mut self) -> Option<u32> {
        self.left.take_highest().map(RowBits::column)
    }
}

impl ExactSizeIterator for Columns {}
impl FusedIterator for Columns {}

/// The subsets of a set: see [`RowBits::subsets`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Subsets {
    of: RowBits,
    next: Option<RowBits>,
}

impl Iterator for Subsets {
    type Item = RowBits;

    #[inline]
    fn next(&mut self) -> Option<RowBits> {
        let subset = self.next?;
        // Carry-Rippler: subtracting the set borrows through the bits outside the set, which gives
        // the next larger number with bits of the set only.
        let next = RowBits(subset.0.wrapping_sub(self.of.0) & self.of.0);
        self.next = (!next.is_empty()).then_some(next);
        Some(subset)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let Some(next) = self.next else { return (0, Some(0)) };
        // Number the set's members 0, 1, 2, … from the right. A subset's position in the order is
        // the sum of 2^k over its members k.
        let below = |column: u32| self.of & RowBits(RowBits::of(column).0 - 1);
        let before = next.into_iter().map(|column| 1u64 << below(column).len()).sum::<u64>();
        let left = (1u64 << self.of.len()) - before;
        // The number can be 2³², which does not fit a 32-bit `usize`.
        usize::try_from(left).map_or((usize::MAX, None), |left| (left, Some(left)))
    }
}

impl FusedIterator for Subsets {}

/// The columns of the squares, from the right.
impl IntoIterator for RowBits {
    type Item = u32;
    type IntoIter = Columns;
    #[inline]
    fn into_iter(self) -> Columns {
        self.columns()
    }
}

/// Collects the squares in these columns, counted from the right; columns beyond 31 are ignored.
impl FromIterator<u32> for RowBits {
    fn from_iter<T: IntoIterator<Item = u32>>(columns: T) -> RowBits {
        columns.into_iter().fold(RowBits::EMPTY, RowBits::with)
    }
}

/// Collects the union of these sets.
///
/// ```
/// # use queens_core::RowBits;
/// // . # . .
/// // . . . #
/// // . # . #
/// let rows = [RowBits::from_bits(0b0100), RowBits::from_bits(0b0001)];
/// assert_eq!(rows.into_iter().collect::<RowBits>(), RowBits::from_bits(0b0101));
/// ```
impl FromIterator<RowBits> for RowBits {
    #[inline]
    fn from_iter<T: IntoIterator<Item = RowBits>>(sets: T) -> RowBits {
        sets.into_iter().fold(RowBits::EMPTY, |all, set| all | set)
    }
}

impl Extend<u32> for RowBits {
    fn extend<T: IntoIterator<Item = u32>>(&mut self, columns: T) {
        *self |= RowBits::from_iter(columns);
    }
}

/// Implements an operator and its assignment form with a method.
macro_rules! operators {
    ($($name:ident $method:ident $assign:ident $assign_method:ident $other:ty => $of:ident;)*) => {$(
        impl $name<$other> for RowBits {
            type Output = RowBits;
            #[inline]
            fn $method(self, other: $other) -> RowBits {
                self.$of(other)
            }
        }

        impl $assign<$other> for RowBits {
            #[inline]
            fn $assign_method(&mut self, other: $other) {
                *self = self.$of(other);
            }
        }
    )*};
}

operators! {
    BitOr bitor BitOrAssign bitor_assign RowBits => union;
    BitAnd bitand BitAndAssign bitand_assign RowBits => intersection;
    BitXor bitxor BitXorAssign bitxor_assign RowBits => symmetric_difference;
    Sub sub SubAssign sub_assign RowBits => difference;
    Shl shl ShlAssign shl_assign u32 => moved_left;
    Shr shr ShrAssign shr_assign u32 => moved_right;
}

impl fmt::Debug for RowBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RowBits({:#b})", self.0)
    }
}

/// Formats a set as the number formed by its bits.
macro_rules! written_as_number {
    ($($how:ident)*) => {$(
        impl fmt::$how for RowBits {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::$how::fmt(&self.0, f)
            }
        }
    )*};
}

written_as_number! { Binary Octal LowerHex UpperHex }

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn takes_and_lists_squares_of_a_row() {
        let mut row = RowBits::from_bits(0b1_0110);
        assert_eq!(row.len(), 3);
        assert!(row.contains(4) && !row.contains(0) && !row.contains(40));
        assert!(row.columns().eq([1, 2, 4]));
        assert_eq!(row.take_lowest(), Some(RowBits::of(1)));
        assert_eq!(row, RowBits::from_bits(0b1_0100));
        assert_eq!(row - RowBits::of(2), RowBits::of(4));
        let mut none = RowBits::EMPTY;
        assert_eq!((none.take_lowest(), none.take_highest()), (None, None));
        assert_eq!(RowBits::of(31) << 1, RowBits::EMPTY);
        assert_eq!(RowBits::of(32), RowBits::EMPTY);
    }

    #[test]
    fn formats_a_row_as_its_number() {
        let row = RowBits::from_bits(0b1010_1100);
        assert_eq!(std::format!("{row:b} {row:o} {row:x} {row:#X}"), "10101100 254 ac 0xAC");
    }

    #[test]
    fn a_mask_has_every_square_of_its_row() {
        for size in Size::all() {
            assert_eq!(size.mask().len(), size.get());
            assert!(size.mask().contains(size.last()) && !size.mask().contains(size.get()));
        }
    }

    #[test]
    fn bits_shifted_off_the_row_are_dropped() {
        for far in [32, 33, 64, u32::MAX] {
            assert_eq!(RowBits::of(1) << far, RowBits::EMPTY);
            assert_eq!(RowBits::of(31) >> far, RowBits::EMPTY);
        }
        let mut row = RowBits::of(31);
        row >>= 31;
        assert_eq!(row, RowBits::of(0));
        row <<= 31;
        assert_eq!(row, RowBits::of(31));
    }

    /// Checks the set operations against lists of columns, on a board of seven columns.
    #[test]
    fn operations_match_those_on_column_lists() {
        let size = Size::new(7).unwrap();
        let list =
            |row: RowBits| (0..32).filter(|&column| row.contains(column)).collect::<Vec<_>>();
        for a in 0..1 << 7 {
            let a = RowBits::from_bits(a);
            let of = |keep: &dyn Fn(u32) -> bool| {
                (0..7).filter(|&column| keep(column)).collect::<Vec<_>>()
            };
            assert_eq!(list(a.complement(size)), of(&|c| !a.contains(c)));
            assert_eq!(list(a.mirrored(size)), of(&|c| a.contains(6 - c)));
            assert_eq!(a.columns().len(), list(a).len());
            assert_eq!(a.columns().rev().collect::<Vec<_>>(), {
                let mut columns = list(a);
                columns.reverse();
                columns
            });
            assert_eq!(a.single(), if a.len() == 1 { list(a).first().copied() } else { None });
            assert_eq!(list(a.lowest()), list(a).into_iter().take(1).collect::<Vec<_>>());
            assert_eq!(list(a.highest()), list(a).into_iter().rev().take(1).collect::<Vec<_>>());
            assert_eq!(a.into_iter().collect::<RowBits>(), a);
            for column in 0..7 {
                let column_is = |c| c == column;
                assert_eq!(list(a.with(column)), of(&|c| a.contains(c) || column_is(c)));
                assert_eq!(list(a.without(column)), of(&|c| a.contains(c) && !column_is(c)));
                assert_eq!(list(a.toggled(column)), of(&|c| a.contains(c) != column_is(c)));
            }
            assert_eq!((a.with(32), a.without(32), a.toggled(32)), (a, a, a));
            let mut subsets = 0;
            for b in (0..1 << 7).map(RowBits::from_bits) {
                assert_eq!(list(a | b), of(&|c| a.contains(c) || b.contains(c)));
                assert_eq!(list(a & b), of(&|c| a.contains(c) && b.contains(c)));
                assert_eq!(list(a ^ b), of(&|c| a.contains(c) != b.contains(c)));
                assert_eq!(list(a - b), of(&|c| a.contains(c) && !b.contains(c)));
                assert_eq!(a.intersects(b), (0..7).any(|c| a.contains(c) && b.contains(c)));
                assert_eq!(a.is_disjoint(b), !a.intersects(b));
                assert_eq!(b.is_subset(a), list(b).iter().all(|&c| a.contains(c)));
                subsets += u32::from(b.is_subset(a));
            }
            let mut last = None;
            let mut all = a.subsets();
            while let (many, Some(subset)) = (all.size_hint(), all.next()) {
                assert_eq!(many, (subsets as usize, Some(subsets as usize)));
                assert!(subset.is_subset(a) && last < Some(subset), "{subset:?} of {a:?}");
                last = Some(subset);
                subsets -= 1;
            }
            assert_eq!((last, subsets), (Some(a), 0));
            assert_eq!((all.size_hint(), all.next()), ((0, Some(0)), None));
        }
        let mut row: RowBits = [3, 40].into_iter().collect();
        row.extend([0, 3]);
        assert_eq!(row, RowBits::from_bits(0b1001));
    }
}
