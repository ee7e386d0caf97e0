//! Arrays for the methods that try one square after another.

use super::Prefix;
use crate::{Attacks, Facts, RowBits, Size, View};

/// The data that the recursive form has on its call stack, with one entry per row.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    pub size: Size,
    /// The current row.
    pub row: u32,
    /// The first row of the search: 0, or the row below the prefix.
    top: u32,
    /// The queen of each row.
    pub queens: [RowBits; 32],
    /// The next bit to try in each row.
    pub next: [u32; 32],
}

impl Squares {
    /// Creates the arrays of an empty board.
    pub fn new(size: Size) -> Squares {
        Squares { size, row: 0, top: 0, queens: [RowBits::EMPTY; 32], next: [0; 32] }
    }

    /// Creates the arrays of a search below a prefix of queens.
    pub fn below(prefix: &Prefix) -> Squares {
        Squares {
            row: prefix.rows(),
            top: prefix.rows(),
            queens: prefix.queens(),
            ..Squares::new(prefix.size())
        }
    }

    /// Goes back to the row above. Returns `false` if the current row is the first of the search.
    pub fn go_up(&mut self) -> bool {
        let above = self.row > self.top;
        self.row -= u32::from(above);
        above
    }

    /// The visible state; the columns below `end` that are not yet tried count as free.
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
