//! Solutions as placements of queens.

use core::fmt;

use super::{Attacks, RowBits, Size, SizeError, Square, SquareError, drawing::draw_queens_below};

/// A solution: N queens on a board of N rows, one in each row, none attacking another.
///
/// Placements are ordered by their judgement value: the columns from the right, row by row, as an
/// N-digit number. The smallest of a placement's eight images is the representative of its class
/// (see [`representative`](crate::representative)).
///
/// ```
/// use queens_core::Placement;
/// // . Q . .
/// // . . . Q     columns from the left: 1 3 0 2
/// // Q . . .     columns from the right: 2 0 3 1
/// // . . Q .
/// let placement = Placement::from_left(&[1, 3, 0, 2])?;
/// assert_eq!(placement.columns_from_right(), [2, 0, 3, 1]);
/// assert_eq!(placement.judgement_value().to_string(), "2 0 3 1");
/// # Ok::<(), queens_core::PlacementError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    size: Size,
    /// Columns from the right; rows from N on are 0.
    columns: [u8; 32],
}

impl Placement {
    /// Creates a placement from its columns counted from the left, top row first.
    ///
    /// ```
    /// use queens_core::Placement;
    /// // . Q . .
    /// // . . . Q
    /// // Q . . .     the last queen shares a column with the second
    /// // . . . Q
    /// let attacked = Placement::from_left(&[1, 3, 0, 3]).unwrap_err();
    /// assert_eq!(
    ///     attacked.to_string(),
    ///     "the queens in rows 1 and 3 attack each other: they share a column",
    /// );
    /// ```
    ///
    /// # Errors
    /// [`PlacementError`] if there are no columns or more than 32, a queen is outside the board, or
    /// two queens attack each other.
    pub fn from_left(columns: &[u32]) -> Result<Placement, PlacementError> {
        Placement::checked(columns.iter().copied(), Square::from_left)
    }

    /// Creates a placement from its columns counted from the right, top row first.
    ///
    /// ```
    /// use queens_core::Placement;
    /// // . Q . .     columns from the right: 2 0 3 1
    /// // . . . Q
    /// // Q . . .
    /// // . . Q .
    /// assert_eq!(Placement::from_right(&[2, 0, 3, 1])?, Placement::from_left(&[1, 3, 0, 2])?);
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    ///
    /// # Errors
    /// [`PlacementError`] if there are no columns or more than 32, a queen is outside the board, or
    /// two queens attack each other.
    pub fn from_right(columns: &[u32]) -> Result<Placement, PlacementError> {
        Placement::checked(columns.iter().copied(), Square::from_right)
    }

    /// Creates a placement from the bits of its rows, top row first, with one queen per row.
    ///
    /// ```
    /// use queens_core::{Placement, RowBits};
    /// // . Q . .
    /// // . . . Q
    /// // Q . . .
    /// // . . Q .
    /// let rows = [0b0100, 0b0001, 0b1000, 0b0010].map(RowBits::from_bits);
    /// let placement = Placement::from_rows(&rows)?;
    /// assert_eq!(placement.to_string(), "1 3 0 2");
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    ///
    /// # Errors
    /// [`PlacementError`] if there are no rows or more than 32, a row does not have exactly one
    /// queen, a queen is outside the board, or two queens attack each other.
    pub fn from_rows(rows: &[RowBits]) -> Result<Placement, PlacementError> {
        let mut columns = [0; 32];
        let columns = columns.get_mut(..rows.len()).ok_or(PlacementError::TooManyRows)?;
        for (row, (column, bits)) in columns.iter_mut().zip(rows).enumerate() {
            *column = bits.single().ok_or(PlacementError::NotOneQueen { row: row as u32 })?;
        }
        Placement::from_right(columns)
    }

    /// Creates a placement from its columns; `square` determines from which side they are counted.
    pub(crate) fn checked(
        given: impl ExactSizeIterator<Item = u32>,
        square: fn(Size, u32, u32) -> Result<Square, SquareError>,
    ) -> Result<Placement, PlacementError> {
        let n = u32::try_from(given.len()).map_err(|_| PlacementError::TooManyRows)?;
        let size = Size::new(n)?;
        let mut columns = [0; 32];
        for (row, (given, column)) in (0..).zip(given.zip(&mut columns)) {
            let square = square(size, row, given).map_err(PlacementError::OutsideBoard)?;
            *column = square.to_right().1 as u8;
        }
        let placement = Placement { size, columns };
        match placement.first_attack() {
            Some(attack) => Err(PlacementError::Attacked(attack)),
            None => Ok(placement),
        }
    }

    fn first_attack(&self) -> Option<Attack> {
        let mut attacks = Attacks::NONE;
        let lower = self.squares().find(|square| {
            let attacked = attacks.squares().intersects(square.bit());
            attacks = attacks.below(square.bit());
            attacked
        })?;
        self.squares().take_while(|upper| upper.row() < lower.row()).find_map(|upper| {
            let line = Line::between(upper, lower)?;
            Some(Attack { upper: upper.row(), lower: lower.row(), line })
        })
    }

    /// Creates the image of a placement without checks: the caller has applied one of the eight
    /// transforms.
    pub(crate) fn from_squares(size: Size, squares: impl Iterator<Item = Square>) -> Placement {
        let mut columns = [0; 32];
        for (row, column) in squares.map(Square::to_right) {
            if let Some(entry) = columns.get_mut(row as usize) {
                *entry = column as u8;
            }
        }
        Placement { size, columns }
    }

    /// The board's side.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Columns counted from the right, top row first.
    ///
    /// ```
    /// # use queens_core::Placement;
    /// assert_eq!(Placement::from_left(&[1, 3, 0, 2])?.columns_from_right(), [2, 0, 3, 1]);
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn columns_from_right(&self) -> &[u8] {
        self.columns.get(..self.size.rows()).unwrap_or(&self.columns)
    }

    /// Columns counted from the left, top row first.
    ///
    /// ```
    /// # use queens_core::Placement;
    /// assert!(Placement::from_right(&[2, 0, 3, 1])?.columns_from_left().eq([1, 3, 0, 2]));
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn columns_from_left(
        &self,
    ) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + '_ {
        let last = self.size.last();
        self.columns_from_right().iter().map(move |&column| last - u32::from(column))
    }

    /// The queen of each row as a bit, top row first.
    ///
    /// ```
    /// # use queens_core::Placement;
    /// // . Q . .
    /// // . . . Q
    /// // Q . . .
    /// // . . Q .
    /// let placement = Placement::from_left(&[1, 3, 0, 2])?;
    /// assert!(placement.rows().map(|row| row.bits()).eq([0b0100, 0b0001, 0b1000, 0b0010]));
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = RowBits> + ExactSizeIterator + '_ {
        self.columns_from_right().iter().map(|&column| RowBits::of(column.into()))
    }

    /// The squares of the queens, from the top.
    ///
    /// ```
    /// # use queens_core::Placement;
    /// let placement = Placement::from_left(&[1, 3, 0, 2])?;
    /// let squares: Vec<String> = placement.squares().map(|square| square.to_string()).collect();
    /// assert_eq!(squares, ["0:1", "1:3", "2:0", "3:2"]);
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn squares(&self) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + '_ {
        let queens = self.columns_from_right().iter().enumerate();
        queens.map(|(row, &column)| Square::at(self.size, row as u32, column.into()))
    }

    /// The judgement value. The image with the smallest judgement value is the representative of the
    /// class.
    ///
    /// ```
    /// # use queens_core::Placement;
    /// // . Q . .               . . Q .
    /// // . . . Q               Q . . .
    /// // Q . . .   2 0 3 1     . . . Q   1 3 0 2: the smaller one
    /// // . . Q .               . Q . .
    /// let placement = Placement::from_left(&[1, 3, 0, 2])?;
    /// let mirrored = Placement::from_left(&[2, 0, 3, 1])?;
    /// assert!(mirrored.judgement_value() < placement.judgement_value());
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn judgement_value(&self) -> JudgementValue<'_> {
        JudgementValue(self.columns_from_right())
    }
}

impl PartialOrd for Placement {
    fn partial_cmp(&self, other: &Placement) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Placement {
    fn cmp(&self, other: &Placement) -> core::cmp::Ordering {
        self.columns_from_right().cmp(other.columns_from_right())
    }
}

/// Formats the columns from the left: `1 3 0 2`.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, column) in self.columns_from_left().enumerate() {
            if row > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{column}")?;
        }
        Ok(())
    }
}

/// `{:?}` lists the columns in one line. `{:#?}`, and therefore `dbg!`, also draws the board below:
///
/// ```
/// # use queens_core::Placement;
/// let placement = Placement::from_left(&[1, 3, 0, 2])?;
/// assert_eq!(format!("{placement:?}"), "Placement(from the left: 1 3 0 2)");
/// assert_eq!(
///     format!("{placement:#?}"),
///     "Placement(from the left: 1 3 0 2)\n\
///      . Q . .\n\
///      . . . Q\n\
///      Q . . .\n\
///      . . Q ."
/// );
/// # Ok::<(), queens_core::PlacementError>(())
/// ```
impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Placement(from the left: {self})")?;
        draw_queens_below(f, self.size, |square| self.squares().any(|queen| queen == square))
    }
}

/// A placement's columns from the right, row by row: an N-digit number in base N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JudgementValue<'a>(&'a [u8]);

impl JudgementValue<'_> {
    /// The digits, most significant (the top row's) first.
    ///
    /// ```
    /// # use queens_core::Placement;
    /// assert_eq!(Placement::from_left(&[1, 3, 0, 2])?.judgement_value().digits(), [2, 0, 3, 1]);
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn digits(&self) -> &[u8] {
        self.0
    }
}

impl fmt::Display for JudgementValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, digit) in self.0.iter().enumerate() {
            if row > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// The line along which one queen attacks another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Line {
    /// The diagonal that runs down to the left.
    Left,
    /// The column.
    Down,
    /// The diagonal that runs down to the right.
    Right,
}

impl Line {
    /// All lines, in the order in which they cross the rows below: left, down, right.
    pub const ALL: [Line; 3] = [Line::Left, Line::Down, Line::Right];

    /// The line that joins the two squares; `None` if they are not on one line, or if `lower` is
    /// above `upper`.
    ///
    /// ```
    /// use queens_core::{Line, Size, Square};
    /// // . Q . .
    /// // . . . .
    /// // . . . Q     on the diagonal that runs down to the right
    /// // . . . .
    /// let size = Size::new(4)?;
    /// let (upper, lower) = (Square::from_left(size, 0, 1)?, Square::from_left(size, 2, 3)?);
    /// assert_eq!(Line::between(upper, lower), Some(Line::Right));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn between(upper: Square, lower: Square) -> Option<Line> {
        let rows = lower.row().checked_sub(upper.row())?;
        Line::down_by(rows, upper.to_right().1, lower.to_right().1)
    }

    /// The line from a queen in column `a` to the square in column `b`, `rows` rows further down;
    /// `None` if the queen does not attack the square. Columns are on the board and count from the
    /// right.
    pub(crate) fn down_by(rows: u32, a: u32, b: u32) -> Option<Line> {
        if a == b {
            Some(Line::Down)
        } else if a + rows == b {
            Some(Line::Left)
        } else if b + rows == a {
            Some(Line::Right)
        } else {
            None
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Line::Left | Line::Right => "a diagonal",
            Line::Down => "a column",
        })
    }
}

/// Two queens that attack each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attack {
    /// The upper queen's row, from the top.
    pub upper: u32,
    /// The lower queen's row.
    pub lower: u32,
    /// The line on which both queens stand.
    pub line: Line,
}

/// Reasons why queens are not a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PlacementError {
    /// No queens, or more than 32.
    #[error(fmt = describe_number_of_columns)]
    Size(#[from] SizeError),
    /// More rows than a board can have.
    #[error("a placement has at most 32 rows")]
    TooManyRows,
    /// A row without a queen or with several.
    #[error("row {row} does not hold exactly one queen")]
    NotOneQueen {
        /// The row, from the top.
        row: u32,
    },
    /// A column that the board does not have.
    #[error(
        "the queen in row {} is outside the board: column {}, but a board of {} rows has columns \
         0 to {}", .0.row, .0.column, .0.size, .0.size.last()
    )]
    OutsideBoard(SquareError),
    /// Two queens attack each other.
    #[error("the queens in rows {} and {} attack each other: they share {}", .0.upper, .0.lower, .0.line)]
    Attacked(Attack),
}

/// Describes a number of columns that no board has.
fn describe_number_of_columns(error: &SizeError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match error {
        SizeError::Zero => {
            f.write_str("no column was given: expected one number per row, such as 1 3 0 2")
        }
        SizeError::TooLarge(columns) => {
            let most = Size::MAX;
            write!(f, "{columns} columns were given, but a board has at most {most} rows")
        }
        other => write!(f, "expected one column for each row of the board, but {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn names_the_attacking_pair() {
        let error = Placement::from_left(&[0, 1, 3, 2]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the queens in rows 0 and 1 attack each other: they share a diagonal"
        );
        let error = Placement::from_left(&[1, 3, 1, 2]).unwrap_err();
        assert_eq!(
            error,
            PlacementError::Attacked(Attack { upper: 0, lower: 2, line: Line::Down })
        );
    }

    #[test]
    fn rejects_numbers_of_columns_that_no_board_has() {
        for (columns, message) in [
            (0, "no column was given: expected one number per row, such as 1 3 0 2"),
            (33, "33 columns were given, but a board has at most 32 rows"),
        ] {
            let error = Placement::from_left(&std::vec![0; columns]).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn rejects_queens_outside_the_board() {
        let error = Placement::from_left(&[1, 4, 0, 2]).unwrap_err();
        let outside = SquareError { row: 1, column: 4, size: Size::new(4).unwrap() };
        assert_eq!(error, PlacementError::OutsideBoard(outside));
        assert!(Placement::from_left(&[]).is_err());
        assert!(Placement::from_left(&[0; 33]).is_err());
        assert!(Placement::from_left(&[0]).is_ok());
    }

    #[test]
    fn rows_and_columns_give_the_same_placement() {
        let placement = Placement::from_left(&[1, 3, 0, 2]).unwrap();
        let mut rows = [RowBits::EMPTY; 4];
        for (entry, row) in rows.iter_mut().zip(placement.rows()) {
            *entry = row;
        }
        assert_eq!(Placement::from_rows(&rows), Ok(placement));
        rows[2] = RowBits::EMPTY;
        assert_eq!(Placement::from_rows(&rows), Err(PlacementError::NotOneQueen { row: 2 }));
    }
}
