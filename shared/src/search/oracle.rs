//! The naive solver, against which every faster method is checked.

use crate::{Placement, RowBits, Size};

/// Calls `found` with every solution of a board. It tries the queen of each row in every column and
/// compares it with all queens above. The code is meant to be obviously correct, not fast: use it
/// for N up to about 10.
pub fn solutions(size: Size, found: &mut impl FnMut(&Placement)) {
    place(size, &mut [RowBits::EMPTY; 32], 0, found);
}

fn place(size: Size, queens: &mut [RowBits; 32], row: usize, found: &mut impl FnMut(&Placement)) {
    let (above, rest) = queens.split_at(row);
    let (Some(_), true) = (rest.first(), row < size.rows()) else {
        if let Ok(placement) = Placement::from_rows(above) {
            found(&placement);
        }
        return;
    };
    for column in 0..size.get() {
        let attacked = (1..).zip(queens[..row].iter().rev()).any(|(distance, queen)| {
            queen.column().abs_diff(column) == distance || queen.column() == column
        });
        if !attacked {
            queens[row] = RowBits::of(column);
            place(size, queens, row + 1, found);
            queens[row] = RowBits::EMPTY;
        }
    }
}
