//! A board as a picture shows it, square by square.

use queens_core::{Cell, Rule, Size, Square, SquareState};

/// What is drawn on one square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquareStyle {
    /// What decides about the square.
    pub state: SquareState,
    /// A rule closes it.
    pub rule: Option<Rule>,
    /// A queen here calls for a comparison.
    pub cell: Option<Cell>,
    /// It is still to be tried, in the row at work.
    pub to_try: bool,
    /// The last step was about it.
    pub fresh: bool,
    /// What lies over the board here, as a set of bits, one for each layer.
    pub layers: u16,
}

impl SquareStyle {
    /// Whether a queen stands here.
    pub fn is_queen(&self) -> bool {
        self.state == SquareState::Queen
    }

    /// Whether a queen attacks it, and the search has its row still before it.
    pub fn is_attacked(&self) -> bool {
        self.state == SquareState::Attacked
    }

    /// The rule that closes the square where it can be seen: a queen stands before its sign.
    pub fn closed(&self) -> Option<Rule> {
        self.rule.filter(|_| !self.is_queen())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number, from the top.
    pub row: u32,
    /// Whether the search is at work in it.
    pub at_work: bool,
    /// Its squares from the left.
    pub squares: Vec<SquareStyle>,
}

impl Row {
    /// The rows of a board from the top, one of them at work.
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

    /// Marks squares of a board as those that matter.
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
