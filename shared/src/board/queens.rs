//! Any number of queens on a board, attacked or not.

use core::fmt;

use super::{Line, Lines, Placement, RowBits, Size, Square, drawing::draw_queens_below};

/// Any queens on a board, which may attack each other: for example queens placed by the user, or
/// the beginning of a solution.
///
/// ```
/// use queens_core::{Queens, Size, Square};
/// // . Q . .
/// // . . . .
/// // Q . . .     row 1 has one free square, the right-hand one
/// // . . . .
/// let size = Size::new(4)?;
/// let squares = [Square::from_left(size, 0, 1)?, Square::from_left(size, 2, 0)?];
/// let queens = Queens::new(size, squares)?;
/// assert_eq!(queens.conflicts().count(), 0);
/// assert!((size.mask() - queens.closed(1)).columns().eq([0]));
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
    ///
    /// ```
    /// # use queens_core::{Queens, Size};
    /// assert!(Queens::none(Size::new(4)?).is_empty());
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    pub const fn none(size: Size) -> Queens {
        Queens { size, rows: [RowBits::EMPTY; 32] }
    }

    /// Creates a board with queens on these squares.
    ///
    /// ```
    /// use queens_core::{Queens, Size, Square};
    /// let size = Size::new(4)?;
    /// let square = Square::from_left(size, 0, 1)?;
    /// let error = Queens::new(size, [square, square]).unwrap_err();
    /// assert_eq!(error.to_string(), "0:1 is given twice");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`QueensError`] names the first square that belongs to another board or is given twice.
    pub fn new(
        size: Size,
        squares: impl IntoIterator<Item = Square>,
    ) -> Result<Queens, QueensError> {
        let mut queens = Queens::none(size);
        for square in squares {
            if square.size() != size {
                return Err(QueensError::OtherBoard { square, size });
            }
            if queens.contains(square) {
                return Err(QueensError::Twice { square });
            }
            queens = queens.toggled(square);
        }
        Ok(queens)
    }

    /// Returns the board with a queen added to the square, or removed if the square has one. A
    /// square of another board changes nothing.
    ///
    /// ```
    /// # use queens_core::{Queens, Size, Square};
    /// // . . . .     . Q . .     . . . .
    /// // . . . .     . . . .     . . . .
    /// // . . . .  →  . . . .  →  . . . .
    /// // . . . .     . . . .     . . . .
    /// let none = Queens::none(Size::new(4)?);
    /// let square = Square::from_left(none.size(), 0, 1)?;
    /// assert!(none.toggled(square).contains(square));
    /// assert_eq!(none.toggled(square).toggled(square), none);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn toggled(mut self, square: Square) -> Queens {
        if square.size() == self.size
            && let Some(queens) = self.rows.get_mut(square.row() as usize)
        {
            *queens ^= square.bit();
        }
        self
    }

    /// The board's side.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Whether the square has a queen.
    ///
    /// ```
    /// # use queens_core::{Queens, Size, Square};
    /// // . Q . .
    /// // . . . .
    /// // . . . .
    /// // . . . .
    /// let size = Size::new(4)?;
    /// let queens = Queens::new(size, [Square::from_left(size, 0, 1)?])?;
    /// assert!(queens.contains(Square::from_left(size, 0, 1)?));
    /// assert!(!queens.contains(Square::from_left(size, 1, 0)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contains(&self, square: Square) -> bool {
        let queens = self.rows.get(square.row() as usize).copied().unwrap_or_default();
        square.size() == self.size && queens.contains(square.to_right().1)
    }

    /// The number of queens.
    ///
    /// ```
    /// # use queens_core::{Placement, Queens};
    /// assert_eq!(Queens::from(&Placement::from_left(&[1, 3, 0, 2])?).len(), 4);
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn len(&self) -> u32 {
        self.rows.iter().map(|queens| queens.len()).sum()
    }

    /// Whether the board is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The queens of each row, top row first.
    ///
    /// ```
    /// # use queens_core::{Queens, RowBits, Size, Square};
    /// // . Q . Q
    /// // . . . .
    /// // . . . .
    /// // . . . .
    /// let size = Size::new(4)?;
    /// let squares = [Square::from_left(size, 0, 1)?, Square::from_left(size, 0, 3)?];
    /// assert_eq!(Queens::new(size, squares)?.rows()[0], RowBits::from_bits(0b0101));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rows(&self) -> &[RowBits] {
        self.rows.get(..self.size.rows()).unwrap_or(&self.rows)
    }

    /// The squares of the queens, from the top, each row from the right.
    ///
    /// ```
    /// # use queens_core::{Queens, Size, Square};
    /// // . Q . Q
    /// // . . . .
    /// // . . . .
    /// // . . . .
    /// let size = Size::new(4)?;
    /// let [left, right] = [Square::from_left(size, 0, 1)?, Square::from_left(size, 0, 3)?];
    /// assert!(Queens::new(size, [left, right])?.squares().eq([right, left]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        (0..).zip(self.rows()).flat_map(move |(row, queens)| {
            queens.columns().map(move |column| Square::at(self.size, row, column))
        })
    }

    /// The squares of a row that share a column or a diagonal with a queen. All squares if the row
    /// has a queen, or if the board does not have the row.
    ///
    /// ```
    /// # use queens_core::{Queens, RowBits, Size, Square};
    /// // . Q . .
    /// // x x x .
    /// // . x . x
    /// // . x . .
    /// let size = Size::new(4)?;
    /// let queens = Queens::new(size, [Square::from_left(size, 0, 1)?])?;
    /// assert_eq!(queens.closed(1), RowBits::from_bits(0b1110));
    /// assert_eq!(queens.closed(2), RowBits::from_bits(0b0101));
    /// assert_eq!(queens.closed(3), RowBits::from_bits(0b0100));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closed(&self, row: u32) -> RowBits {
        match self.rows().get(row as usize) {
            Some(queens) if queens.is_empty() => {
                self.lines().closed(self.size, row) & self.size.mask()
            }
            _ => self.size.mask(),
        }
    }

    /// The squares that no queen attacks, from the top and, within a row, from the right.
    ///
    /// ```
    /// # use queens_core::{Queens, Size, Square};
    /// let size = Size::new(4)?;
    /// let queens = Queens::new(size, [Square::from_left(size, 0, 1)?])?;
    /// assert_eq!(queens.free_squares().count(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn free_squares(&self) -> impl Iterator<Item = Square> + '_ {
        let rows = self.size.get();
        (0..rows).flat_map(move |row| {
            let free = self.closed(row).complement(self.size);
            free.columns().map(move |column| Square::at(self.size, row, column))
        })
    }

    /// The pairs of queens on one line or in one row, even if other queens are between them.
    ///
    /// ```
    /// use queens_core::{Line, Queens, Size, Square};
    /// // Q . . .
    /// // . . . .
    /// // . . Q .     on a diagonal that runs down to the right
    /// // . . . .
    /// let size = Size::new(4)?;
    /// let squares = [Square::from_left(size, 0, 0)?, Square::from_left(size, 2, 2)?];
    /// let queens = Queens::new(size, squares)?;
    /// assert!(queens.conflicts().map(|conflict| conflict.line).eq([Some(Line::Right)]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn conflicts(&self) -> impl Iterator<Item = Conflict> + '_ {
        self.squares().enumerate().flat_map(move |(index, first)| {
            let others = self.squares().skip(index + 1);
            others.filter_map(move |second| Conflict::between(first, second))
        })
    }

    /// The lines of all queens.
    pub(crate) fn lines(&self) -> Lines {
        let squares = self.squares().map(Square::to_right);
        squares.fold(Lines::default(), |lines, (row, column)| lines.with(self.size, row, column))
    }

    /// The queens as a placement; `None` if they are not a solution.
    ///
    /// ```
    /// # use queens_core::{Placement, Queens, Size};
    /// let placement = Placement::from_left(&[1, 3, 0, 2])?;
    /// assert_eq!(Queens::from(&placement).placement(), Some(placement));
    /// assert_eq!(Queens::none(placement.size()).placement(), None);
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
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

/// `{:?}` lists the squares in one line. `{:#?}`, and therefore `dbg!`, also draws the board below:
///
/// ```
/// # use queens_core::{Size, notation};
/// let size = Size::new(4)?;
/// let queens = notation::queens(size, "0:1,2:0,2:3")?;
/// assert_eq!(format!("{queens:?}"), "Queens(N = 4, from the left: 0:1 2:0 2:3)");
/// assert_eq!(
///     format!("{queens:#?}"),
///     "Queens(N = 4, from the left: 0:1 2:0 2:3)\n\
///      . Q . .\n\
///      . . . .\n\
///      Q . . Q\n\
///      . . . ."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Debug for Queens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queens(N = {}, from the left:", self.size)?;
        for (row, queens) in (0..).zip(self.rows()) {
            let mut from_left =
                queens.columns().rev().map(|column| Square::at(self.size, row, column));
            from_left.try_for_each(|square| write!(f, " {square}"))?;
        }
        f.write_str(")")?;
        draw_queens_below(f, self.size, |square| self.contains(square))
    }
}

/// Two queens on one line or in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The square of the upper queen or, if both are in one row, of the right-hand queen.
    pub first: Square,
    /// The other queen's square.
    pub second: Square,
    /// The line on which both queens stand; `None` if they are in one row.
    pub line: Option<Line>,
}

impl Conflict {
    fn between(first: Square, second: Square) -> Option<Conflict> {
        let line =
            if first.row() == second.row() { None } else { Some(Line::between(first, second)?) };
        Some(Conflict { first, second, line })
    }
}

/// Reasons why squares are not valid queens on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueensError {
    /// A square of a board of another size.
    #[error("{square} is a square of a board of N = {}, not of N = {size}", square.size())]
    OtherBoard {
        /// The square.
        square: Square,
        /// The board.
        size: Size,
    },
    /// A square given twice.
    #[error("{square} is given twice")]
    Twice {
        /// The square.
        square: Square,
    },
}
