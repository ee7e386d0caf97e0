//! The four boards into which the parities of row and column divide the board.

use alloc::vec::Vec;

use crate::Size;

/// One of the four boards. Its square (i, j) is square (2i, 2j) of the whole board, (2i, 2j + 1),
/// (2i + 1, 2j) or (2i + 1, 2j + 1).
///
/// A square lies on two *lines*: a diagonal, numbered from 0, and an antidiagonal, numbered from 32.
/// On two boards of the same colour, equal numbers stand for the same line of the whole board. So a
/// set of lines is a `u64`, and two placements of the same colour attack each other if and only if
/// their sets of lines intersect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// The number of rows.
    pub(super) rows: u32,
    /// The number of columns.
    pub(super) columns: u32,
    /// The numbers of the lines of square (0, 0), the second one without the 32.
    diagonal: u32,
    antidiagonal: u32,
}

/// The number of even rows of a board, counted from 0. There are as many even columns.
pub(super) const fn even_lines(size: Size) -> u32 {
    size.get().div_ceil(2)
}

/// The number of odd rows of a board, counted from 0. There are as many odd columns.
pub(super) const fn odd_lines(size: Size) -> u32 {
    size.get() / 2
}

impl Board {
    /// White squares in even rows and even columns.
    pub(super) const fn even_even(size: Size) -> Board {
        let even = even_lines(size);
        Board { rows: even, columns: even, diagonal: even, antidiagonal: 0 }
    }

    /// White squares in odd rows and odd columns.
    pub(super) const fn odd_odd(size: Size) -> Board {
        let (even, odd) = (even_lines(size), odd_lines(size));
        Board { rows: odd, columns: odd, diagonal: even, antidiagonal: 1 }
    }

    /// Black squares in even rows and odd columns.
    pub(super) const fn even_odd(size: Size) -> Board {
        let (even, odd) = (even_lines(size), odd_lines(size));
        Board { rows: even, columns: odd, diagonal: even + 1, antidiagonal: 0 }
    }

    /// Black squares in odd rows and even columns.
    pub(super) const fn odd_even(size: Size) -> Board {
        let (even, odd) = (even_lines(size), odd_lines(size));
        Board { rows: odd, columns: even, diagonal: even, antidiagonal: 0 }
    }

    /// The two lines of a square.
    #[inline]
    pub(super) const fn lines(self, row: u32, column: u32) -> u64 {
        1 << (self.diagonal + column - row) | 1 << (32 + self.antidiagonal + row + column)
    }

    /// The free columns of a row: those that are neither in `columns` nor on one of the `lines`.
    #[inline]
    pub(super) const fn free(self, row: u32, columns: u32, lines: u64) -> u32 {
        let [diagonals, antidiagonals] = [lines as u32, (lines >> 32) as u32];
        let attacked =
            diagonals >> (self.diagonal - row) | antidiagonals >> (self.antidiagonal + row);
        all(self.columns) & !(columns | attacked)
    }

    /// The rows of a set in the order in which queens are placed: from the middle outwards, because
    /// queens near the middle attack the most squares.
    pub(super) fn outwards(self, set: u32) -> impl Iterator<Item = u32> {
        from_middle(self.rows).filter(move |row| set >> row & 1 == 1)
    }

    /// Calls `visit` with the columns and the lines of each placement of a queen in each of the
    /// `rows`. Without rows, that is the empty placement.
    pub(super) fn placements(self, rows: &[u32], visit: &mut impl FnMut(u32, u64)) {
        self.placements_below(rows, 0, 0, visit);
    }

    fn placements_below(
        self,
        rows: &[u32],
        columns: u32,
        lines: u64,
        visit: &mut impl FnMut(u32, u64),
    ) {
        let Some((&row, rows)) = rows.split_first() else { return visit(columns, lines) };
        for column in members(self.free(row, columns, lines)) {
            let below = lines | self.lines(row, column);
            self.placements_below(rows, columns | 1 << column, below, visit);
        }
    }
}

/// The numbers 0 to `rows` − 1 from the middle outwards.
pub(super) fn from_middle(rows: u32) -> impl Iterator<Item = u32> {
    let mut order: Vec<u32> = (0..rows).collect();
    order.sort_by_key(|row| (2 * row + 1).abs_diff(rows));
    order.into_iter()
}

/// The set of the numbers below `length`.
pub(super) const fn all(length: u32) -> u32 {
    (1 << length) - 1
}

/// The members of a set in ascending order.
#[inline]
pub(super) fn members(mut set: u32) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let member = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        member
    })
}

/// All sets of `members` of the numbers below `length`, in ascending order as numbers.
pub(super) fn subsets(length: u32, members: u32) -> impl Iterator<Item = u32> {
    (0..1 << length).filter(move |set: &u32| set.count_ones() == members)
}

/// A set of rows or columns seen from the other side.
pub(super) const fn mirrored(set: u32, length: u32) -> u32 {
    if length == 0 { 0 } else { set.reverse_bits() >> (32 - length) }
}
