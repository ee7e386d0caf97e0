//! A board as it is drawn, square by square.

use queens_core::{Cell, Rule, Size, Square, SquareState};

/// The marks and the state of one drawn square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquareStyle {
    /// The state of the square.
    pub state: SquareState,
    /// The rule that closes the square.
    pub rule: Option<Rule>,
    /// The cell A, B or C on the square. A solution with a queen here must be compared with one of its
    /// rotated images.
    pub cell: Option<Cell>,
    /// Whether the square is in the current row and not tried yet.
    pub to_try: bool,
    /// Whether a queen was removed from the square since the search entered the row.
    pub tried: bool,
    /// Whether the last step, or the text, is about the square.
    pub fresh: bool,
    /// Whether the name under the pointer stands for the square.
    pub lit: bool,
}

impl SquareStyle {
    /// Whether a queen is on the square.
    pub fn is_queen(&self) -> bool {
        self.state == SquareState::Queen
    }

    /// Whether a queen attacks the square and the search has not completed its row.
    pub fn is_attacked(&self) -> bool {
        self.state == SquareState::Attacked
    }

    /// Whether the dot of a square that is still to be tried is drawn.
    pub fn is_free(&self) -> bool {
        self.to_try && self.rule.is_none()
    }

    /// The rule whose sign is drawn. A queen hides the sign.
    pub fn closed(&self) -> Option<Rule> {
        self.rule.filter(|_| !self.is_queen())
    }
}

/// A row of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the row, from the top.
    pub row: u32,
    /// Whether the row is the current one.
    pub at_work: bool,
    /// The squares from the left.
    pub squares: Vec<SquareStyle>,
}

impl Row {
    /// Returns the rows of a board from the top; `at_work` is the current one.
    pub fn all(
        size: Size,
        at_work: Option<u32>,
        drawn: impl Fn(Square) -> SquareStyle,
    ) -> Vec<Row> {
        let row = |row| Row {
            row,
            at_work: at_work == Some(row),
            squares: Square::of_row(size, row).map(&drawn).collect(),
        };
        (0..size.get()).map(row).collect()
    }

    /// Marks squares as those that the text is about.
    pub fn mark(rows: &mut [Row], squares: impl IntoIterator<Item = Square>) {
        for square in squares {
            let (row, column) = square.to_left();
            let squares = rows.get_mut(row as usize).map(|row| &mut row.squares);
            if let Some(square) = squares.and_then(|row| row.get_mut(column as usize)) {
                square.fresh = true;
            }
        }
    }
}
