//! Horizontal lines of the board, and sets of the diagonals that cross them and have queens.

use crate::{Attacks, RowBits, Size};

/// A horizontal line that separates two groups of rows, given by the diagonals that cross it.
///
/// Queens on different sides of the line attack each other along a diagonal only if both are on one
/// that crosses the line. So, apart from the columns, only the crossing diagonals of a group of
/// queens matter to the other group.
///
/// Rows are counted upwards from the middle of the board, from 1. Row 0 is the row below row 1: the
/// middle row of an odd board, or the highest row of the lower half of an even board. A queen in
/// `column` of `row` is on the diagonal `column + row` of one direction and on the diagonal
/// `column − row` of the other. The diagonals of each direction that cross the line are numbered from
/// 0, in the order in which they cross it from column 0 on.
///
/// In a bit set, the two diagonals with the same number are a pair of neighbouring bits; the
/// diagonal `column + row` is the lower bit. `order` says which pair belongs to which number.
///
/// At N = 6 the middle line is between rows 1 and 0. Five diagonals of each direction cross it, so
/// sets have 10 bits. The central diagonals have the number 2 and the highest pair of bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seam {
    /// The diagonal `column + row` with the number 0.
    sums_from: u32,
    /// The diagonal `column − row` with the number 0, negated.
    differences_from: u32,
    /// Number of diagonals in each direction.
    width: u32,
    order: DiagonalOrder,
}

/// The order of the diagonals in bit sets.
#[derive(Clone, Copy, Debug)]
enum DiagonalOrder {
    /// The central diagonals, on which most placements have queens, have the lowest bits.
    CentreFirst,
    /// The `aside` outermost numbers have the highest bits. Below them, the central diagonals have the
    /// highest bits.
    CentreLast { aside: u32 },
}

impl Seam {
    /// Returns the middle line: between rows 1 and 0 on an even board, through row 0 on an odd board.
    ///
    /// If a placement of the lower half is mirrored to the upper half, its diagonals keep their numbers,
    /// and the two directions are exchanged.
    pub(super) fn middle(size: Size) -> Seam {
        let even = u32::from(size.get().is_multiple_of(2));
        // On an odd board, a diagonal through the first or the last square of row 0 continues above
        // or below it, never both. So queens above and below that row share none of these
        // diagonals.
        let order = DiagonalOrder::CentreLast { aside: 2 - 2 * even };
        Seam { sums_from: even, differences_from: 0, width: size.get() - even, order }
    }

    /// Returns the line through the squares of a row. It serves as the line between this row and the
    /// one below it: a diagonal through a square in or above this row and one below it crosses this
    /// row within the board.
    pub(super) fn row(size: Size, row: u32) -> Seam {
        let order = DiagonalOrder::CentreFirst;
        Seam { sums_from: row, differences_from: row, width: size.get(), order }
    }

    /// Returns the diagonals of a queen that cross this line within the board.
    pub(super) fn crossed_by(self, row: u32, column: u32) -> u64 {
        let bit = |number: Option<u32>, direction| match number {
            Some(number) if number < self.width => 1u64 << (2 * self.place(number) + direction),
            _ => 0,
        };
        bit((column + row).checked_sub(self.sums_from), 0)
            | bit((column + self.differences_from).checked_sub(row), 1)
    }

    /// Returns the index of the pair of bits for the diagonals with this number.
    ///
    /// `outwards` counts from the centre: if the width is 5, it is 0 to 4 for the numbers 2, 1, 3, 0
    /// and 4.
    fn place(self, number: u32) -> u32 {
        let last = self.width - 1;
        let apart = (2 * number).abs_diff(last);
        let outwards = if 2 * number < last { apart - 1 } else { apart };
        match self.order {
            DiagonalOrder::CentreFirst => outwards,
            DiagonalOrder::CentreLast { aside } if outwards + aside > last => outwards,
            DiagonalOrder::CentreLast { aside } => last - aside - outwards,
        }
    }

    /// Returns the number of diagonals, in both directions together, that a queen above and a queen
    /// below the line can share. They have the lowest bits. On odd boards, a queen in the middle row can
    /// also share one of the other diagonals with the lower half.
    pub(super) fn shared(self) -> u32 {
        match self.order {
            DiagonalOrder::CentreFirst => 2 * self.width,
            DiagonalOrder::CentreLast { aside } => 2 * self.width.saturating_sub(aside),
        }
    }
}

/// The encoding of a half's middle diagonals in 32 bits. It exists for boards on which the two halves
/// can share at most 32 middle diagonals, whatever the column set.
///
/// Two diagonals have the first number, and two have the last one. Each of these four lies almost
/// completely in one half: in the other half it has at most one square, in the first or in the last
/// column. (On odd boards, where the middle row belongs to the upper half, it may have none.) So the
/// two halves can share at most one of the two diagonals with the first number, and which one depends
/// on which half has the first column. The same holds for the last number and the last column.
/// Therefore one bit for each of the two numbers is enough.
///
/// In a half with the first column, the bit of the first number stands for the diagonal
/// `column + row`; in a half without it, for `column − row`. For the last number it is the other way
/// round. In the lower half's mirror image the two directions are exchanged, so the bits of the two
/// halves stand for the same diagonal.
///
/// Take the first number at N = 6. In the upper half, the diagonal column + row = 1 has only the square
/// in row 1 and column 0. If the lower half has column 0, the upper half has no queen on this diagonal.
/// Otherwise the lower half has no queen on the diagonal column − row = 0, whose only square there is
/// in row 0 and column 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct NarrowDiagonals {
    /// The first and the last column.
    columns: [u32; 2],
    /// The lowest bits of the pairs with the first and with the last number in a wide set.
    edges: [u32; 2],
    /// The lowest bit of the other pairs in a wide set, and the number of their bits.
    pairs: (u32, u32),
}

/// The bits of narrow diagonals that stand for the diagonals with the first and the last number.
/// The mirror from top to bottom does not change them.
const EDGES: [u32; 2] = [0b10, 0b01];

impl NarrowDiagonals {
    /// Returns the encoding for this board, or `None` if 32 bits are not enough.
    pub(super) fn of(size: Size) -> Option<NarrowDiagonals> {
        let middle = Seam::middle(size);
        let edges = [0, middle.width - 1].map(|number| 2 * middle.place(number));
        let pairs = match middle.order {
            DiagonalOrder::CentreLast { aside: 0 } => (4, middle.shared().saturating_sub(4)),
            _ => (0, middle.shared()),
        };
        let columns = [0, size.last()];
        (2 + pairs.1 <= u32::BITS).then_some(NarrowDiagonals { columns, edges, pairs })
    }

    /// Encodes the middle diagonals of queens in some rows of a half. Their columns are `columns`. If
    /// the half has other columns as well, apply the [`mask`](NarrowDiagonals::mask) to the result.
    pub(super) fn encode(self, diagonals: u64, columns: RowBits) -> u32 {
        let NarrowDiagonals { columns: edge_columns, edges, pairs: (start, bits) } = self;
        let [has_first, has_last] = edge_columns.map(|column| columns.contains(column));
        // The sum is the lower bit of a pair.
        let [first, last] = [(edges[0], !has_first), (edges[1], has_last)]
            .map(|(pair, is_difference)| diagonals >> (pair + u32::from(is_difference)) & 1);
        let pairs = diagonals >> start & ((1 << bits) - 1);
        (pairs << 2) as u32 | (EDGES[0] * first as u32) | (EDGES[1] * last as u32)
    }

    /// Returns the valid bits of narrow diagonals that were encoded for a strip with `columns`, which
    /// are some of the columns of a `half`. If the other strip has the first or the last column, the
    /// bit for it stands for the wrong diagonal.
    #[inline(always)]
    pub(super) fn mask(self, columns: RowBits, half: RowBits) -> u32 {
        let others = half - columns;
        let [first, last] = self.columns;
        let invalid = |column, bit| if others.contains(column) { bit } else { 0 };
        !(invalid(first, EDGES[0]) | invalid(last, EDGES[1]))
    }
}

/// Returns narrow diagonals with the two directions exchanged.
#[inline(always)]
pub(super) fn narrow_exchanged(diagonals: u32) -> u32 {
    let edges = EDGES[0] | EDGES[1];
    exchanged((diagonals & !edges).into()) as u32 | diagonals & edges
}

/// Returns the middle diagonals on which a queen of the upper half attacks any of `squares`. The
/// squares are in row 0. For odd N, where this is the middle row, a queen there also attacks its own
/// square. A `left` diagonal runs down towards higher columns, so `column + row` is the same on all its
/// squares.
pub(super) fn attacked(size: Size, squares: Attacks) -> u64 {
    let middle = Seam::middle(size);
    let of = |squares: RowBits, direction: u64| {
        squares.columns().fold(0, |all, column| all | middle.crossed_by(0, column) & direction)
    };
    of(squares.left, SUMS) | of(squares.right, !SUMS)
}

/// The lower bit of each pair: the diagonals `column + row`.
const SUMS: u64 = 0x5555_5555_5555_5555;

/// Returns the set with the two directions exchanged.
#[inline(always)]
pub(super) fn exchanged(diagonals: u64) -> u64 {
    diagonals >> 1 & SUMS | (diagonals & SUMS) << 1
}
