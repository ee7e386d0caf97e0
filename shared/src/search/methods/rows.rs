//! Arrays for the methods that hold a row in a word.

use super::Prefix;
use crate::{Attacks, Facts, Masks, RowBits, Size, View};

/// The data that the recursive form has on its call stack, with one entry per row.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub size: Size,
    /// Every square of a row.
    pub mask: RowBits,
    /// The current row.
    pub row: u32,
    /// The first row of the search: 0, or the row below the prefix.
    top: u32,
    /// The queen of each row.
    pub queens: [RowBits; 32],
    /// The attacks of the queens above each row.
    pub attacks: [Attacks; 32],
    /// The squares of each row that are still to be tried.
    pub free: [RowBits; 32],
}

impl Rows {
    /// Creates the arrays of an empty board.
    pub fn new(size: Size) -> Rows {
        Rows {
            size,
            mask: size.mask(),
            row: 0,
            top: 0,
            queens: [RowBits::EMPTY; 32],
            attacks: [Attacks::NONE; 32],
            free: [RowBits::EMPTY; 32],
        }
    }

    /// Creates the arrays of a search below a prefix of queens.
    pub fn below(prefix: &Prefix) -> Rows {
        let mut rows = Rows {
            row: prefix.rows(),
            top: prefix.rows(),
            queens: prefix.queens(),
            ..Rows::new(prefix.size())
        };
        rows.attacks[prefix.rows() as usize] = prefix.attacks();
        rows
    }

    /// Goes back to the row above. Returns `false` if the current row is the first of the search.
    pub fn go_up(&mut self) -> bool {
        let above = self.row > self.top;
        self.row -= u32::from(above);
        above
    }

    /// The visible state.
    pub fn view(&self, method: &'static Facts, masks: Option<Masks>) -> View {
        let r = self.row as usize;
        View {
            method,
            size: self.size,
            row: self.row,
            queens: self.queens,
            attacks: self.attacks[r],
            free: self.free[r],
            masks,
        }
    }
}
