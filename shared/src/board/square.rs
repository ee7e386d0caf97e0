//! One square of a board, and one column.

use core::fmt;

use super::{RowBits, Size};

/// A column of a board. It stores the board's size so that it can be counted from either edge: bits
/// and judgement values count from the right, people from the left.
///
/// ```text
///   from the left    0 1 2 3
///   from the right   3 2 1 0
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column {
    size: Size,
    from_right: u8,
}

impl Column {
    /// The column at an index from the left edge, 0 to N − 1; `None` outside the board.
    ///
    /// ```
    /// # use queens_core::{Column, Size};
    /// // 0 1 2 3     from the left
    /// // 3 2 1 0     from the right
    /// let size = Size::new(4)?;
    /// assert_eq!(Column::from_left(size, 1).map(Column::to_right), Some(2));
    /// assert_eq!(Column::from_left(size, 4), None);
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    pub const fn from_left(size: Size, column: u32) -> Option<Column> {
        match size.last().checked_sub(column) {
            Some(from_right) => Column::from_right(size, from_right),
            None => None,
        }
    }

    /// The column at an index from the right edge, 0 to N − 1; `None` outside the board.
    ///
    /// ```
    /// # use queens_core::{Column, Size};
    /// assert_eq!(Column::from_right(Size::new(4)?, 2).map(Column::to_left), Some(1));
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    pub const fn from_right(size: Size, column: u32) -> Option<Column> {
        if column < size.get() { Some(Column { size, from_right: column as u8 }) } else { None }
    }

    /// The columns of a board from the left.
    ///
    /// ```
    /// # use queens_core::{Column, Size};
    /// let columns = Column::all(Size::new(4)?);
    /// assert!(columns.map(Column::to_right).eq([3, 2, 1, 0]));
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    pub fn all(size: Size) -> impl DoubleEndedIterator<Item = Column> + ExactSizeIterator + Clone {
        // Every number below N fits a byte.
        (0..size.get() as u8).rev().map(move |from_right| Column { size, from_right })
    }

    /// The board's side.
    pub const fn size(self) -> Size {
        self.size
    }

    /// The index from the left edge, from 0.
    pub const fn to_left(self) -> u32 {
        // The column is on the board, so the difference is not negative.
        self.size.last().saturating_sub(self.to_right())
    }

    /// The index from the right edge, from 0, which is also the index of the column's bit.
    pub const fn to_right(self) -> u32 {
        self.from_right as u32
    }

    /// The column's bit.
    pub const fn bit(self) -> RowBits {
        RowBits::of(self.from_right as u32)
    }
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Column(N = {}, {} from the left)", self.size, self.to_left())
    }
}

/// A square of a board: its row from the top and its column. Squares are ordered from the top and,
/// within a row, from the right.
///
/// ```
/// use queens_core::{Size, Square};
/// // . . . .
/// // . . . #     row 1, column 3 from the left, column 0 from the right
/// // . . . .
/// // . . . .
/// let size = Size::new(4)?;
/// let square = Square::from_left(size, 1, 3)?;
/// assert_eq!(square.to_right(), (1, 0));
/// assert_eq!(square.to_string(), "1:3");
/// assert_eq!(
///     Square::from_left(size, 4, 0).unwrap_err().to_string(),
///     "4:0 is outside the board for N = 4: rows and columns run from 0 to 3",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square {
    row: u8,
    column: Column,
}

impl Square {
    /// The square at a row from the top and a column from the left.
    ///
    /// ```
    /// # use queens_core::{Size, Square};
    /// // . . . .
    /// // . . . #
    /// // . . . .
    /// // . . . .
    /// assert_eq!(Square::from_left(Size::new(4)?, 1, 3)?.to_right(), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SquareError`] if the board has no such row or column.
    pub const fn from_left(size: Size, row: u32, column: u32) -> Result<Square, SquareError> {
        let error = SquareError { row, column, size };
        match Column::from_left(size, column) {
            Some(column) if row < size.get() => Ok(Square { row: row as u8, column }),
            _ => Err(error),
        }
    }

    /// The square at a row from the top and a column from the right.
    ///
    /// ```
    /// # use queens_core::{Size, Square};
    /// // . . . .
    /// // . . . #
    /// // . . . .
    /// // . . . .
    /// assert_eq!(Square::from_right(Size::new(4)?, 1, 0)?.to_left(), (1, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SquareError`] if the board has no such row or column.
    pub const fn from_right(size: Size, row: u32, column: u32) -> Result<Square, SquareError> {
        let error = SquareError { row, column, size };
        match Column::from_right(size, column) {
            Some(column) if row < size.get() => Ok(Square { row: row as u8, column }),
            _ => Err(error),
        }
    }

    /// The rightmost square of a set in `row`; `None` if it is outside the board or the set is
    /// empty.
    ///
    /// ```
    /// # use queens_core::{RowBits, Size, Square};
    /// // . . . .
    /// // . # # .     the right one of two
    /// // . . . .
    /// // . . . .
    /// let size = Size::new(4)?;
    /// let square = Square::of_bits(size, 1, RowBits::from_bits(0b0110));
    /// assert_eq!(square.map(Square::to_left), Some((1, 2)));
    /// assert_eq!(Square::of_bits(size, 1, RowBits::EMPTY), None);
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    pub fn of_bits(size: Size, row: u32, squares: RowBits) -> Option<Square> {
        Square::from_right(size, row, squares.column()).ok()
    }

    /// All squares of a board from the top, each row from the left.
    ///
    /// ```
    /// # use queens_core::{Size, Square};
    /// let squares: Vec<_> = Square::all(Size::new(2)?).map(Square::to_left).collect();
    /// assert_eq!(squares, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    pub fn all(size: Size) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + Clone {
        let n = size.get();
        (0..n * n).map(move |index| Square::at(size, index / n, n - 1 - index % n))
    }

    /// The squares of a row from the left; none if the board has no such row.
    ///
    /// ```
    /// # use queens_core::{Size, Square};
    /// let size = Size::new(3)?;
    /// assert!(Square::of_row(size, 1).map(Square::to_left).eq([(1, 0), (1, 1), (1, 2)]));
    /// assert_eq!(Square::of_row(size, 3).count(), 0);
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    pub fn of_row(
        size: Size,
        row: u32,
    ) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + Clone {
        let columns = if row < size.get() { size.get() } else { 0 };
        (0..columns).rev().map(move |column| Square::at(size, row, column))
    }

    /// The board's side.
    pub const fn size(self) -> Size {
        self.column.size
    }

    /// The row, from the top.
    pub const fn row(self) -> u32 {
        self.row as u32
    }

    /// The column.
    pub const fn column(self) -> Column {
        self.column
    }

    /// The square as a bit of its row.
    pub const fn bit(self) -> RowBits {
        self.column.bit()
    }

    /// Row from the top and column from the left, as people count.
    ///
    /// ```
    /// # use queens_core::{Size, Square};
    /// assert_eq!(Square::from_right(Size::new(8)?, 2, 0)?.to_left(), (2, 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn to_left(self) -> (u32, u32) {
        (self.row(), self.column.to_left())
    }

    /// Row from the top and column from the right, as bits count.
    ///
    /// ```
    /// # use queens_core::{Size, Square};
    /// assert_eq!(Square::from_left(Size::new(8)?, 2, 0)?.to_right(), (2, 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn to_right(self) -> (u32, u32) {
        (self.row(), self.column.to_right())
    }

    /// The square at a row from the top and a column from the right. The caller ensures that both
    /// are on the board.
    #[inline]
    pub(super) const fn at(size: Size, row: u32, column: u32) -> Square {
        Square { row: row as u8, column: Column { size, from_right: column as u8 } }
    }
}

/// Formats the square as `row:column`, from the top and from the left.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, column) = self.to_left();
        write!(f, "{row}:{column}")
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Square(N = {}, {self} from the left)", self.size())
    }
}

/// A row or a column that a board does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[error("{row}:{column} is outside the board for N = {size}: rows and columns run from 0 to {}", size.last())]
pub struct SquareError {
    /// The row passed by the caller.
    pub row: u32,
    /// The column passed by the caller.
    pub column: u32,
    /// The board.
    pub size: Size,
}
