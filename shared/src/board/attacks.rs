//! The lines of attack that cross one row.

use crate::RowBits;

/// The squares of a row that the queens above attack, by line of attack:
///
/// ```text
///   . . Q . .      the queen's row
///   . L D R .      left = L (moves one square left in every row below),
///   L . D . R      down = D (stays in its column), right = R
/// ```
///
/// ```
/// use queens_core::{Attacks, RowBits};
/// let once = Attacks::NONE.below(RowBits::from_bits(0b00100));
/// assert_eq!(once.squares(), RowBits::from_bits(0b01110));
/// let twice = once.below(RowBits::EMPTY);
/// assert_eq!((twice.left, twice.right), (RowBits::of(4), RowBits::of(0)));
/// assert_eq!(twice.squares(), RowBits::from_bits(0b10101));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attacks {
    /// Diagonals that run down to the left.
    pub left: RowBits,
    /// Columns.
    pub down: RowBits,
    /// Diagonals that run down to the right.
    pub right: RowBits,
}

impl Attacks {
    /// The attacks on the first row: none.
    pub const NONE: Attacks =
        Attacks { left: RowBits::EMPTY, down: RowBits::EMPTY, right: RowBits::EMPTY };

    /// All attacked squares. On a board with fewer than 32 columns, the set can have bits to the
    /// left of the board; intersect it with [`Size::mask`](crate::Size::mask).
    #[inline]
    pub fn squares(self) -> RowBits {
        self.left | self.down | self.right
    }

    /// The attacks on the next row, if this row has the queen `queen`.
    #[inline]
    #[must_use = "returns the attacks on the next row; these do not change"]
    pub fn below(self, queen: RowBits) -> Attacks {
        Attacks {
            left: (self.left | queen) << 1,
            down: self.down | queen,
            right: (self.right | queen) >> 1,
        }
    }
}
