//! The arrays of the methods that go from one square to the next.

use super::Prefix;
use crate::{Attacks, Facts, RowBits, Size, View};

/// What the recursive form of such a method keeps on its call stack: one entry for each row.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    pub size: Size,
    /// The row at work.
    pub row: u32,
    /// The row at which the search began.
    top: u32,
    /// The queen of each row.
    pub queens: [RowBits; 32],
    /// The column of each row that is looked at next.
    pub next: [u32; 32],
}

impl Squares {
    /// The arrays of an empty board.
    pub fn new(size: Size) -> Squares {
        Squares { size, row: 0, top: 0, queens: [RowBits::EMPTY; 32], next: [0; 32] }
    }

    /// The arrays of a search that begins below a prefix of queens.
    pub fn below(prefix: &Prefix) -> Squares {
        Squares {
            row: prefix.rows(),
            top: prefix.rows(),
            queens: prefix.queens(),
            ..Squares::new(prefix.size())
        }
    }

    /// Goes back to the row above, unless the search began in this one.
    pub fn go_up(&mut self) -> bool {
        let above = self.row > self.top;
        self.row -= u32::from(above);
        above
    }

    /// What can be seen of a row whose squares up to column `end` are looked at.
    pub fn view(&self, method: &'static Facts, end: u32) -> View {
        let above = self.queens.get(..self.row as usize).unwrap_or(&self.queens);
        let attacks = above.iter().fold(Attacks::NONE, |attacks, &queen| attacks.below(queen));
        let next = self.next.get(self.row as usize).copied().unwrap_or(end);
        let free: RowBits = (next..end).collect();
        View {
            method,
            size: self.size,
            row: self.row,
            queens: self.queens,
            attacks,
            free,
            masks: None,
        }
    }
}
