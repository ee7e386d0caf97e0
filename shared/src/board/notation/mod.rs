//! Reads boards as people write them, and writes queens, large numbers and long times.
//!
//! Rows count from the top and columns from the left, both from 0. [`Reader`] reads:
//!
//! | notation | examples |
//! |---|---|
//! | lists of columns, top row first | `1 3 0 2`, `q = [1, 3, 0, 2]`, `{2;4;1;3}`, `[[1,3,0,2],[2,0,3,1]]` |
//! | columns as digits, N = 4 to 9 | `1302`, `15863724` |
//! | squares as row and column | `0:1 1:3`, `(0, 1), (1, 3)`, `[[0,1],[1,3]]` |
//! | algebraic squares, a1 at the lower left | `b4 d3 a2 c1`, `Qb4, Qd3` |
//! | rows of FEN | `1Q2/3Q/Q3/2Q1` |
//! | drawings, with one of Q q X * 1 ♕ ♛ 👑 for queens and . _ - 0 + ⬜ for empty squares | rows such as `.Q..` or `. Q . .`, in frames such as `\| \|Q\| \| \|`, with numbers such as `8 Q . . . 8`, below `0 1 2 3` or `a b c d`, below or beside each other |
//! | lists of rows | `[".Q..", "...Q", "Q...", "..Q."]`, `[[0,1,0,0],[0,0,0,1],[1,0,0,0],[0,0,1,0]]` |
//! | JSON with `columns` or `solutions` | the output of `queens symmetries --json`, files of the page |
//!
//! A list of all N columns counts from 0 if it has a 0, and from 1 if it has an N instead. Names in front of
//! lists and comments behind `#` or `//` are skipped. Full-width characters, unusual spaces and byte order marks
//! are [folded](fold). A text that fits two readings, such as `1,2;3,4`, is rejected, and other lines are reported
//! as ignored.

mod drawn;
mod reader;
mod signs;

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};

use core::{str::FromStr, time::Duration};

pub use reader::{Found, Ignored, Reader};
pub use signs::{decode, excerpt, fold};

use super::{Placement, PlacementError, Queens, QueensError, Size, Square, SquareError};

/// The notations in one clause, for hints.
pub const READ: &str = "read are columns (1 3 0 2 or 1302), squares (0:1,1:3 or b4 d3), FEN rows \
                        (1Q2/3Q/…) and drawings (.Q.. and so on)";

/// Reasons why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// A line of a table is not a row of numbers.
    #[error(
        "\"{0}\" is not a row of the table: expected N and its number of solutions, such as 8 92"
    )]
    NoRow(String),
    /// A bracket is not closed, or brackets are nested too deeply.
    #[error("a bracket of the list is not closed")]
    Unclosed,
    /// A drawing without a queen.
    #[error("the drawing has no queen: expected one of Q q X * 1 for each")]
    NoQueen,
    /// A row of a drawing is longer or shorter than the others.
    #[error("row {row} has {squares} squares instead of {usual}")]
    UnevenRow {
        /// The row of the drawing, from 0.
        row: usize,
        /// The number of its squares.
        squares: usize,
        /// The number of squares in the other rows.
        usual: usize,
    },
    /// A drawing is not a square board.
    #[error("{rows} rows of {squares} squares are not a board: expected as many rows as columns")]
    NotSquare {
        /// The number of rows.
        rows: usize,
        /// The number of squares in each.
        squares: usize,
    },
    /// Pairs of numbers between semicolons.
    #[error("\"{0}\" has two meanings: squares as row,column, or one list of columns")]
    AmbiguousList(String),
    /// A drawing with several signs for queens.
    #[error(
        "\"{row}\" has two meanings: one of the signs {signs} is an empty square, or each is a queen"
    )]
    AmbiguousSigns {
        /// The first row with a queen.
        row: String,
        /// The signs, separated by spaces.
        signs: String,
    },
    /// Another number of boards than one.
    #[error("{boards} boards were given: expected one")]
    Several {
        /// How many.
        boards: usize,
    },
    /// A board of another size.
    #[error("the board has {found} rows, but N is {size}")]
    OtherSize {
        /// The number of its rows.
        found: u32,
        /// N.
        size: Size,
    },
    /// A square outside the board.
    #[error(transparent)]
    Outside(#[from] SquareError),
    /// A square given twice.
    #[error("{0} is given twice")]
    Twice(Square),
    /// The queens are not a placement.
    #[error(transparent)]
    Placement(#[from] PlacementError),
}

impl NotationError {
    /// The error where squares are expected rather than columns.
    #[must_use]
    pub fn in_squares(self) -> NotationError {
        match self {
            NotationError::NoColumn(part) => NotationError::NoSquare(part),
            other => other,
        }
    }

    /// The message for a board in a field or an argument, which says where rows and columns begin.
    #[must_use]
    pub fn explained(&self) -> String {
        use PlacementError::{Attacked, OutsideBoard};
        match self {
            NotationError::Placement(Attacked(_) | OutsideBoard(_)) => {
                alloc::format!("{self} (rows and columns are counted from 0 at the top left)")
            }
            other => other.to_string(),
        }
    }

    /// The invalid part, as given or rewritten as `row:column`; empty if it is not a part of the text.
    pub fn part(&self) -> String {
        match self {
            NotationError::NoColumn(part)
            | NotationError::NoSquare(part)
            | NotationError::NoRow(part)
            | NotationError::AmbiguousList(part)
            | NotationError::AmbiguousSigns { row: part, .. } => part.clone(),
            NotationError::Outside(SquareError { row, column, .. }) => {
                alloc::format!("{row}:{column}")
            }
            NotationError::Twice(square) => square.to_string(),
            _ => String::new(),
        }
    }
}

/// How a board was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// A list of columns.
    Columns {
        /// The number of the left-hand column: 0 or 1.
        first: u32,
    },
    /// Squares as row and column.
    #[default]
    Squares,
    /// Squares such as a1.
    Algebraic,
    /// Rows of FEN.
    Fen,
    /// Rows of signs.
    Drawing,
}

/// A board that was read: queens on squares, which may attack each other or be too few.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// How it was written.
    pub notation: Notation,
    size: Option<u32>,
    /// Row and column; for algebraic squares, the rank from 1 at the bottom and the column.
    squares: Vec<(u32, u32)>,
}

impl Board {
    /// The side of the board. Squares alone do not tell it; for these it is the number of queens, as on a
    /// solved board.
    pub fn rows(&self) -> usize {
        self.size.map_or(self.squares.len(), |rows| rows as usize)
    }

    /// The queens on a board of a given side.
    ///
    /// # Errors
    /// [`NotationError`] if the board has another side, or a queen is outside it or given twice.
    pub fn queens(&self, size: Size) -> Result<Queens, NotationError> {
        if let Some(found) = self.size.filter(|&found| found != size.get()) {
            return Err(NotationError::OtherSize { found, size });
        }
        let square = |&(row, column): &(u32, u32)| {
            let from_top = match self.notation {
                Notation::Algebraic => size.get().checked_sub(row).ok_or_else(|| {
                    let file = char::from_u32(u32::from('a') + column).unwrap_or('?');
                    NotationError::NoSquare(alloc::format!("{file}{row}"))
                })?,
                _ => row,
            };
            Ok(Square::from_left(size, from_top, column)?)
        };
        let squares: Vec<Square> =
            self.squares.iter().map(square).collect::<Result<_, NotationError>>()?;
        Queens::new(size, squares).map_err(|error| match error {
            // `OtherBoard` cannot occur: all squares were created for this board.
            QueensError::Twice { square } | QueensError::OtherBoard { square, .. } => {
                NotationError::Twice(square)
            }
        })
    }

    /// The solution that the board shows.
    ///
    /// # Errors
    /// [`NotationError`] if it is not one.
    pub fn placement(&self) -> Result<Placement, NotationError> {
        if let Notation::Columns { .. } = self.notation {
            let columns: Vec<u32> = self.squares.iter().map(|&(_, column)| column).collect();
            return Ok(Placement::from_left(&columns)?);
        }
        let size = Size::new(u32::try_from(self.rows()).unwrap_or(u32::MAX));
        let queens = self.queens(size.map_err(PlacementError::from)?)?;
        Ok(Placement::from_rows(queens.rows())?)
    }
}

/// Reads all boards of a text.
pub fn read(text: &str) -> impl Iterator<Item = Found> {
    let mut reader = Reader::default();
    let mut found: Vec<Found> = text.lines().flat_map(|line| reader.line(line)).collect();
    found.extend(reader.finish());
    found.into_iter()
}

/// Reads the only board of a text, or `None` if it has no boards and no other text. Also returns the
/// ignored lines.
///
/// # Errors
/// [`NotationError`] if a part of a board is wrong, or there are several boards or only other text.
pub fn board(text: &str) -> Result<(Option<Board>, Vec<Ignored>), NotationError> {
    let (mut boards, mut ignored) = (Vec::new(), Vec::new());
    for found in read(text) {
        match found {
            Found::Board(board) => boards.push(board),
            Found::Wrong { error, .. } => return Err(error),
            Found::Ignored(line) => ignored.push(line),
        }
    }
    match (boards.len(), ignored.first()) {
        (0, Some(line)) => Err(line.error.clone()),
        (0 | 1, _) => Ok((boards.pop(), ignored)),
        (boards, _) => Err(NotationError::Several { boards }),
    }
}

fn is_separator(sign: char) -> bool {
    matches!(sign, ',' | ';')
}

/// Reads a number, whose digits may be full-width, as Japanese keyboards write them.
///
/// ```
/// use queens_core::{Size, notation::number};
/// assert_eq!(number(" １２"), Size::new(12));
/// ```
///
/// # Errors
/// Those of the type of the number.
pub fn number<T: FromStr>(text: &str) -> Result<T, T::Err> {
    fold(text).trim().parse()
}

/// Reads columns separated by commas, semicolons, spaces or both. A comma may follow the last one. It does not
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
    let text = fold(text);
    let column = |part: &str| part.parse().map_err(|_| NotationError::NoColumn(part.to_owned()));
    let mut columns = Vec::new();
    let mut parts = text.split(is_separator).peekable();
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

/// Reads queens in any notation, usually as squares. An empty text has none.
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
    match board(text) {
        Ok((Some(board), _)) => board.queens(size),
        Ok((None, _)) => Ok(Queens::none(size)),
        Err(error) => Err(error.in_squares()),
    }
}

/// Reads the only solution of a text, how it was written, and the ignored lines.
///
/// # Errors
/// [`NotationError`] if the text is not one solution.
pub fn solution(text: &str) -> Result<(Placement, Notation, Vec<Ignored>), NotationError> {
    let (board, ignored) = board(text)?;
    let board = board.unwrap_or_default();
    Ok((board.placement()?, board.notation, ignored))
}

/// Reads a placement in any notation of [`notation`](self), such as its displayed form.
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
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Placement, NotationError> {
        Ok(solution(text)?.0)
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
    let (row, column) = parse_pair(text)?;
    Ok(Square::from_left(size, row, column)?)
}

/// Reads `row:column`.
fn parse_pair(text: &str) -> Result<(u32, u32), NotationError> {
    let numbers = text
        .split_once(':')
        .and_then(|(row, column)| Some((row.trim().parse().ok()?, column.trim().parse().ok()?)));
    numbers.ok_or_else(|| NotationError::NoSquare(text.to_owned()))
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
