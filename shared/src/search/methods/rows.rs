//! The arrays of the methods that keep a row in a word.

use super::Prefix;
use crate::{Attacks, Facts, Masks, RowBits, Size, View};

/// What the recursive form of such a method keeps on its call stack: one entry for each row.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub size: Size,
    /// Every square of a row.
    pub mask: RowBits,
    /// The row at work.
    pub row: u32,
    /// The row at which the search began.
    top: u32,
    /// The queen of each row.
    pub queens: [RowBits; 32],
    /// The attacks as each row sees them.
    pub attacks: [Attacks; 32],
    /// The squares of each row that are still to be tried.
    pub free: [RowBits; 32],
}

impl Rows {
    /// The arrays of an empty board.
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

    /// The arrays of a search that begins below a prefix of queens.
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

    /// Goes back to the row above, unless the search began in this one.
    pub fn go_up(&mut self) -> bool {
        let above = self.row > self.top;
        self.row -= u32::from(above);
        above
    }

    /// What can be seen of the row at work.
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
