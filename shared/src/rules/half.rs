//! Restricts queens to one half of a row.

use crate::{RowBits, Size};

/// The squares of a row to the left of its middle, without the middle itself.
///
/// ```
/// # use queens_core::{RowBits, Size, left_half};
/// // x x . . .     the middle is not closed
/// assert_eq!(left_half(Size::new(5)?), RowBits::from_bits(0b11000));
/// // x x . .
/// assert_eq!(left_half(Size::new(4)?), RowBits::from_bits(0b1100));
/// # Ok::<(), queens_core::SizeError>(())
/// ```
pub const fn left_half(size: Size) -> RowBits {
    let mask = size.mask().bits();
    RowBits::from_bits(mask & !(mask >> (size.get() / 2)))
}

/// The rows in which a search places queens only in the right-hand half, including the middle. The
/// solutions that it leaves out are mirror images of solutions that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// The first row.
    FirstRow,
    /// The first row and, below a queen in the middle of the first row, also the second row. So the
    /// search never finds both a solution and its mirror image.
    FirstRows,
}

impl Half {
    /// The squares of `row` that are closed because the mirror image covers them. `down` are the
    /// columns of the queens above.
    ///
    /// ```
    /// # use queens_core::{Half, RowBits, Size};
    /// // x x Q . .     the queen in the middle …
    /// // x x . . .     … closes the left half of the second row as well
    /// let (five, middle) = (Size::new(5)?, RowBits::of(2));
    /// assert_eq!(Half::FirstRows.closing(five, 0, RowBits::EMPTY), RowBits::from_bits(0b11000));
    /// assert_eq!(Half::FirstRows.closing(five, 1, middle), RowBits::from_bits(0b11000));
    /// assert_eq!(Half::FirstRow.closing(five, 1, middle), RowBits::EMPTY);
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    pub fn closing(self, size: Size, row: u32, down: RowBits) -> RowBits {
        let below_middle = row == 1 && 2 * down.column() == size.last();
        match self {
            Half::FirstRow | Half::FirstRows if row == 0 => left_half(size),
            Half::FirstRows if below_middle => left_half(size),
            Half::FirstRow | Half::FirstRows => RowBits::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_the_second_row_only_below_a_middle_queen() {
        for size in Size::all().filter(|size| size.get() % 2 == 0) {
            let columns = (0..size.get()).map(RowBits::of);
            for down in columns.chain([RowBits::EMPTY]) {
                assert_eq!(Half::FirstRows.closing(size, 1, down), RowBits::EMPTY, "N = {size}");
            }
        }
        // The middle of five columns is the third from the right; two columns are left of it.
        let five = Size::new(5).unwrap();
        let left = RowBits::of(3) | RowBits::of(4);
        assert_eq!(Half::FirstRows.closing(five, 1, RowBits::of(2)), left);
        assert_eq!(Half::FirstRows.closing(five, 1, RowBits::EMPTY), RowBits::EMPTY);
    }
}
