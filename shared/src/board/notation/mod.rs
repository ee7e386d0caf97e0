//! Reads and writes queens as text: a list of columns, `1 3 0 2`, or a list of squares, `0:0,1:4`.
//! Rows count from the top and columns from the left, both from 0. Also formats large numbers and
//! long times.
//!
//! The command, the page's addresses and its input fields use this notation.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};

use core::{str::FromStr, time::Duration};

use super::{Placement, PlacementError, Queens, QueensError, Size, Square, SquareError};

/// Reasons why a part of a list is not a column or a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// This part of a list of columns is not a number.
    #[error(
        "\"{0}\" is not a column: expected one number per row, counted from 0 at the left, such as \
         1 3 0 2"
    )]
    NoColumn(String),
    /// No number before a comma of a list of columns.
    #[error(
        "the column of row {row} is empty: expected one number per row, counted from 0 at the left, \
         such as 1 3 0 2"
    )]
    EmptyColumn {
        /// The row, from the top.
        row: usize,
    },
    /// This part of a list of squares is not a pair of numbers.
    #[error(
        "\"{0}\" is not a square: expected row:column for each queen, counted from 0, such as 0:0,1:4"
    )]
    NoSquare(String),
    /// A square outside the board.
    #[error(transparent)]
    Outside(#[from] SquareError),
    /// A square given twice.
    #[error("{0} is given twice")]
    Twice(Square),
}

impl NotationError {
    /// The invalid part, as given or rewritten as `row:column`.
    pub fn part(&self) -> String {
        match self {
            NotationError::NoColumn(part) | NotationError::NoSquare(part) => part.clone(),
            NotationError::EmptyColumn { .. } => String::new(),
            NotationError::Outside(SquareError { row, column, .. }) => {
                alloc::format!("{row}:{column}")
            }
            NotationError::Twice(square) => square.to_string(),
        }
    }
}

fn is_comma(sign: char) -> bool {
    matches!(sign, ',' | '、' | '，')
}

/// Reads columns separated by commas, spaces or both. A comma may follow the last one. It does not
/// check whether they form a solution; [`Placement::from_left`](super::Placement::from_left) does.
///
/// ```
/// use queens_core::notation::columns;
/// assert_eq!(columns("1, 3 0,2"), Ok(vec![1, 3, 0, 2]));
/// assert_eq!(columns("1 x 0 2").unwrap_err().part(), "x");
/// ```
///
/// # Errors
/// [`NotationError::NoColumn`] with the first part that is not a number, or
/// [`NotationError::EmptyColumn`] if no number precedes a comma.
pub fn columns(text: &str) -> Result<Vec<u32>, NotationError> {
    let column = |part: &str| part.parse().map_err(|_| NotationError::NoColumn(part.to_owned()));
    let mut columns = Vec::new();
    let mut parts = text.split(is_comma).peekable();
    while let Some(part) = parts.next() {
        let row = columns.len();
        for number in part.split_whitespace() {
            columns.push(column(number)?);
        }
        if columns.len() == row && parts.peek().is_some() {
            return Err(NotationError::EmptyColumn { row });
        }
    }
    Ok(columns)
}

/// Reads queens as squares separated by commas.
///
/// ```
/// use queens_core::{Size, notation::{queens, write_queens}};
/// let board = queens(Size::new(8)?, "1:4, 0:0")?;
/// assert_eq!(board.len(), 2);
/// assert_eq!(write_queens(&board), "0:0,1:4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`NotationError`] with the first part that is not a square of the board or, if there is none, with
/// the first square that is given twice.
pub fn queens(size: Size, text: &str) -> Result<Queens, NotationError> {
    let parts = text.split(is_comma).map(str::trim).filter(|part| !part.is_empty());
    let squares: Vec<Square> = parts.map(|part| square(size, part)).collect::<Result<_, _>>()?;
    Queens::new(size, squares).map_err(|error| match error {
        // `OtherBoard` cannot occur: `square` created all squares for this board.
        QueensError::Twice { square } | QueensError::OtherBoard { square, .. } => {
            NotationError::Twice(square)
        }
    })
}

/// Reasons why a text is not a placement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePlacementError {
    /// A part of it is not a column.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Its columns are not a placement.
    #[error(transparent)]
    Placement(#[from] PlacementError),
}

/// Reads a placement in its displayed form: columns from the left, separated by spaces, commas or
/// both, as [`columns`] does.
///
/// ```
/// use queens_core::Placement;
/// let placement: Placement = "1 3 0 2".parse()?;
/// assert_eq!(placement.to_string(), "1 3 0 2");
/// assert_eq!(
///     "1 3 0 3".parse::<Placement>().unwrap_err().to_string(),
///     "the queens in rows 1 and 3 attack each other: they share a column",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl FromStr for Placement {
    type Err = ParsePlacementError;

    fn from_str(text: &str) -> Result<Placement, ParsePlacementError> {
        Ok(Placement::from_left(&columns(text)?)?)
    }
}

/// Reads a square of a board in its displayed form: `row:column`, from the top and from the left.
///
/// ```
/// use queens_core::{Size, notation::square};
/// let eight = Size::new(8)?;
/// assert_eq!(square(eight, "1:4")?.to_left(), (1, 4));
/// assert_eq!(
///     square(eight, "1:8").unwrap_err().to_string(),
///     "1:8 is outside the board for N = 8: rows and columns run from 0 to 7",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`NotationError`] if it is not a pair of numbers, or outside the board.
pub fn square(size: Size, text: &str) -> Result<Square, NotationError> {
    let numbers = text
        .split_once(':')
        .and_then(|(row, column)| Some((row.trim().parse().ok()?, column.trim().parse().ok()?)));
    let (row, column) = numbers.ok_or_else(|| NotationError::NoSquare(text.to_owned()))?;
    Ok(Square::from_left(size, row, column)?)
}

/// Writes columns so that [`columns`] reads them, without spaces.
///
/// ```
/// use queens_core::notation::write_columns;
/// assert_eq!(write_columns([1, 3, 0, 2]), "1,3,0,2");
/// ```
pub fn write_columns(columns: impl IntoIterator<Item = u32>) -> String {
    columns.into_iter().map(|column| column.to_string()).collect::<Vec<_>>().join(",")
}

/// The squares of queens in reading order: from the top, each row from the left.
pub fn squares(queens: &Queens) -> Vec<Square> {
    let mut squares: Vec<Square> = queens.squares().collect();
    squares.sort_unstable_by_key(|square| square.to_left());
    squares
}

/// Writes queens so that [`queens`] reads them, without spaces.
pub fn write_queens(board: &Queens) -> String {
    squares(board).iter().map(Square::to_string).collect::<Vec<_>>().join(",")
}

/// Formats a number with thousands separators.
///
/// ```
/// use queens_core::notation::grouped;
/// assert_eq!([0, 999, 1000, 14_772_512].map(grouped), ["0", "999", "1,000", "14,772,512"]);
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a span of time as in the seeds' tables: days, hours, minutes, seconds and hundredths.
///
/// ```
/// use core::time::Duration;
/// use queens_core::notation::clock;
/// assert_eq!(clock(Duration::from_millis(59_999)), "00:00:00:59.99");
/// assert_eq!(clock(Duration::from_secs(93_784)), "01:02:03:04.00");
/// ```
pub fn clock(time: Duration) -> String {
    let hundredths = time.as_millis() / 10;
    let (seconds, hundredths) = (hundredths / 100, hundredths % 100);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let (days, hours) = (hours / 24, hours % 24);
    alloc::format!("{days:02}:{hours:02}:{minutes:02}:{seconds:02}.{hundredths:02}")
}
