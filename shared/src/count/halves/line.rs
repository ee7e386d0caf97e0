//! Lines of the board, and the diagonals on which queens cross them.

use crate::{Attacks, RowBits, Size};

/// A horizontal line of the board, seen as the set of diagonals that cross it.
///
/// Rows are counted upwards from the middle of the board, from 1; row 0 is the middle row of an
/// odd board. A queen in `column` of `row` lies on the diagonal `column + row` that falls to one
/// side and on `column − row` that falls to the other; the line numbers both from 0.
///
/// In a set, the two diagonals of one number are neighbours, the sum in the lower bit. How the
/// numbers follow each other is up to `order`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    sums_from: u32,
    differences_from: u32,
    /// The diagonals of each direction.
    width: u32,
    order: Order,
}

#[derive(Clone, Copy, Debug)]
enum Order {
    /// Those that most placements cross, the central ones, in the lowest bits.
    CentreFirst,
    /// The central ones in the highest bits, but for the numbers at the edge that are set aside.
    CentreLast { aside: u32 },
}

impl Line {
    /// The middle. On an even board the diagonals cross between two rows; on an odd board they
    /// cross row 0.
    ///
    /// Both are numbered so that a placement below the middle, looked at in a mirror, has the
    /// two directions exchanged and nothing else.
    pub(super) fn middle(size: Size) -> Line {
        let even = u32::from(size.get().is_multiple_of(2));
        // On an odd board no queen of the other half attacks the first and the last square of
        // row 0.
        let order = Order::CentreLast { aside: 2 - 2 * even };
        Line { sums_from: even, differences_from: 0, width: size.get() - even, order }
    }

    /// The columns of a row.
    pub(super) fn row(size: Size, row: u32) -> Line {
        let order = Order::CentreFirst;
        Line { sums_from: row, differences_from: row, width: size.get(), order }
    }

    /// The diagonals of a queen that cross this line within the board.
    pub(super) fn crossed_by(self, row: u32, column: u32) -> u64 {
        let bit = |number: Option<u32>, direction| match number {
            Some(number) if number < self.width => 1u64 << (2 * self.place(number) + direction),
            _ => 0,
        };
        bit((column + row).checked_sub(self.sums_from), 0)
            | bit((column + self.differences_from).checked_sub(row), 1)
    }

    /// Where the diagonals of this number stand in a set.
    fn place(self, number: u32) -> u32 {
        let last = self.width - 1;
        let apart = (2 * number).abs_diff(last);
        let outwards = if 2 * number < last { apart - 1 } else { apart };
        match self.order {
            Order::CentreFirst => outwards,
            Order::CentreLast { aside } if outwards + aside > last => outwards,
            Order::CentreLast { aside } => last - aside - outwards,
        }
    }

    /// How many diagonals placements of both halves may cross; they have the lowest bits.
    pub(super) fn shared(self) -> u32 {
        match self.order {
            Order::CentreFirst => 2 * self.width,
            Order::CentreLast { aside } => 2 * self.width.saturating_sub(aside),
        }
    }
}

/// The diagonals of the middle on which a placement of the upper half attacks some squares of the
/// row below it.
pub(super) fn attacked(size: Size, squares: Attacks) -> u64 {
    let middle = Line::middle(size);
    let of = |squares: RowBits, direction: u64| {
        squares.columns().fold(0, |all, column| all | middle.crossed_by(0, column) & direction)
    };
    of(squares.left, SUMS) | of(squares.right, !SUMS)
}

/// The lower bits of all pairs of neighbouring bits.
const SUMS: u64 = 0x5555_5555_5555_5555;

/// A set with the two directions exchanged.
#[inline(always)]
pub(super) fn exchanged(diagonals: u64) -> u64 {
    diagonals >> 1 & SUMS | (diagonals & SUMS) << 1
}
