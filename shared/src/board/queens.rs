//! Queens as somebody puts them on a board: any number of them, attacked or not.

use core::fmt;

use super::Lines;
use crate::{Line, Placement, RowBits, Size};

/// A square: row from the top, column from the RIGHT.
pub type Square = (u32, u32);

/// Some queens on a board, which may attack each other: what a person puts there by hand, or the
/// beginning of a solution.
///
/// ```
/// use queens_core::{Queens, Size};
/// // . Q . .     squares are (row from the top, column from the right)
/// // . . . .
/// // Q . . .     row 1 has one free square, (1, 0)
/// // . . . .
/// let queens = Queens::new(Size::new(4)?, [(0, 2), (2, 3)])?;
/// assert_eq!(queens.conflicts().count(), 0);
/// assert!((queens.size().mask() - queens.closed(1)).columns().eq([0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Queens {
    size: Size,
    /// Rows from N on are empty.
    rows: [RowBits; 32],
}

impl Queens {
    /// A board without queens.
    pub const fn none(size: Size) -> Queens {
        Queens { size, rows: [RowBits::EMPTY; 32] }
    }

    /// Queens on these squares.
    ///
    /// # Errors
    /// [`QueensError`] names the first square outside the board, or given twice.
    pub fn new(
        size: Size,
        squares: impl IntoIterator<Item = Square>,
    ) -> Result<Queens, QueensError> {
        let mut queens = Queens::none(size);
        for square in squares {
            if !size.has(square) {
                return Err(QueensError::OutsideBoard { square, size });
            }
            if queens.contains(square) {
                return Err(QueensError::Twice { square });
            }
            queens = queens.toggled(square);
        }
        Ok(queens)
    }

    /// The same board with a queen put on a square, or taken off it if one stands there. A square
    /// outside the board changes nothing.
    #[must_use]
    pub fn toggled(mut self, (row, column): Square) -> Queens {
        if self.size.has((row, column))
            && let Some(queens) = self.rows.get_mut(row as usize)
        {
            let square = RowBits::of(column);
            *queens = (*queens | square) - (*queens & square);
        }
        self
    }

    /// The board's side.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether a queen stands on a square.
    pub fn contains(&self, (row, column): Square) -> bool {
        self.rows.get(row as usize).is_some_and(|queens| queens.contains(column))
    }

    /// The number of queens.
    pub fn len(&self) -> u32 {
        self.rows.iter().map(|queens| queens.len()).sum()
    }

    /// Whether the board is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The queens of each row, top row first.
    pub fn rows(&self) -> &[RowBits] {
        self.rows.get(..self.size.rows()).unwrap_or(&self.rows)
    }

    /// The squares of the queens, from the top, each row from the right.
    pub fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        (0..).zip(self.rows()).flat_map(|(row, queens)| queens.columns().map(move |c| (row, c)))
    }

    /// The squares of a row on which no further queen can stand: those on a line with a queen,
    /// and those of the queens themselves.
    pub fn closed(&self, row: u32) -> RowBits {
        match self.rows.get(row as usize) {
            Some(queens) if queens.is_empty() => {
                self.lines().closed(self.size, row) & self.size.mask()
            }
            _ => self.size.mask(),
        }
    }

    /// The pairs of queens that stand on one line, whatever stands between them.
    pub fn conflicts(&self) -> impl Iterator<Item = Conflict> + '_ {
        self.squares().enumerate().flat_map(move |(index, first)| {
            let others = self.squares().skip(index + 1);
            others.filter_map(move |second| Conflict::between(first, second))
        })
    }

    /// The lines of all queens.
    pub(crate) fn lines(&self) -> Lines {
        let squares = self.squares();
        squares.fold(Lines::default(), |lines, (row, column)| lines.with(self.size, row, column))
    }

    /// The solution, if the queens are one.
    pub fn placement(&self) -> Option<Placement> {
        Placement::from_rows(self.rows()).ok()
    }
}

impl From<&Placement> for Queens {
    fn from(placement: &Placement) -> Queens {
        let mut queens = Queens::none(placement.size());
        for (row, queen) in queens.rows.iter_mut().zip(placement.rows()) {
            *row = queen;
        }
        queens
    }
}

impl fmt::Debug for Queens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "N = {}, ", self.size)?;
        f.debug_list().entries(self.squares()).finish()
    }
}

/// Two queens on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The upper queen's square; in one row, the right one's.
    pub first: Square,
    /// The other queen's square.
    pub second: Square,
    /// The line that both stand on; none if it is their row.
    pub line: Option<Line>,
}

impl Conflict {
    fn between(first: Square, second: Square) -> Option<Conflict> {
        let line = match first.0 == second.0 {
            true => None,
            false => Some(Line::between(first.0, first.1, second.0, second.1)?),
        };
        Some(Conflict { first, second, line })
    }
}

/// Why squares are no queens on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueensError {
    /// A square that the board does not have.
    #[error("row {}, column {} from the right is outside the board of N = {size}", square.0, square.1)]
    OutsideBoard {
        /// The square.
        square: Square,
        /// The board.
        size: Size,
    },
    /// A square given twice.
    #[error("row {}, column {} from the right is given twice", square.0, square.1)]
    Twice {
        /// The square.
        square: Square,
    },
}
