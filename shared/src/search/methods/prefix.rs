//! The first queens of a search.

use crate::{Attacks, Masks, RowBits, Size, View};

/// The first queens of a search: what one task of a plan starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    pub(crate) size: Size,
    /// The branch; `None` for methods without masks.
    pub(crate) masks: Option<Masks>,
    /// The number of rows that hold a queen, at most 8.
    pub(crate) rows: u32,
    columns: [u8; Prefix::MAX_ROWS],
}

impl Prefix {
    /// The largest number of queens in a prefix.
    pub const MAX_ROWS: usize = 8;

    /// The prefix of all queens above the row at work.
    pub(crate) fn of(view: &View) -> Prefix {
        let mut columns = [0; Prefix::MAX_ROWS];
        for (column, queen) in columns.iter_mut().zip(view.queens).take(view.row as usize) {
            *column = queen.column() as u8;
        }
        // Without queens there is no branch yet.
        let masks = view.masks.filter(|_| view.row > 0);
        Prefix { size: view.size, masks, rows: view.row, columns }
    }

    /// The queens' columns from the right, top row first.
    pub fn columns_from_right(&self) -> &[u8] {
        self.columns.get(..self.rows as usize).unwrap_or(&self.columns)
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The masks of the branch that the queens belong to; `None` for methods without masks, and
    /// for a prefix without queens.
    pub fn masks(&self) -> Option<Masks> {
        self.masks
    }

    /// The queens as bits; rows without a queen are empty.
    pub fn queens(&self) -> [RowBits; 32] {
        let mut queens = [RowBits::EMPTY; 32];
        for (queen, &column) in queens.iter_mut().zip(self.columns_from_right()) {
            *queen = RowBits::of(column.into());
        }
        queens
    }

    /// The attacks as the row below the prefix sees them.
    pub fn attacks(&self) -> Attacks {
        self.columns_from_right()
            .iter()
            .fold(Attacks::NONE, |attacks, &column| attacks.below(RowBits::of(column.into())))
    }
}
