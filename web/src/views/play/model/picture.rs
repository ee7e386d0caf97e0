//! The state of each square of the board.

use queens_core::{Queens, Square};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// A queen of the user is on the square.
    pub queen: bool,
    /// This queen is given by a puzzle.
    pub given: bool,
    /// The user has marked the square, on which no queen is.
    pub marked: bool,
    /// Another queen attacks the queen on the square.
    pub conflict: bool,
    /// A queen of the displayed solution or proof step is on the square, and no queen of the user.
    pub shown: bool,
    /// A queen of the user, or of the displayed solution or proof step, attacks the square.
    pub attacked: bool,
    /// The number of the square in the sequence of forced queens.
    pub forced: Option<usize>,
    /// The number of solutions with a queen on the free square, if it is shown. A square has one sign at most.
    pub left: Option<u64>,
}

impl Spot {
    /// The state of the square.
    pub fn state(self) -> SpotState {
        match self {
            Spot { queen: true, .. } => SpotState::Queen,
            Spot { shown: true, .. } => SpotState::Shown,
            Spot { attacked: true, .. } => SpotState::Attacked,
            Spot { forced: Some(_), .. } => SpotState::Forced,
            _ => SpotState::Free,
        }
    }
}

queens_core::words! {
    /// The state of a square: the first variant that applies. Stylesheets and tests use the ids.
    pub enum SpotState {
        /// A queen of the user is on the square.
        Queen = "queen",
        /// A queen of the displayed solution or proof step is on the square.
        Shown = "shown",
        /// A queen attacks the square.
        Attacked = "attacked",
        /// A queen must be on the square.
        Forced = "forced",
        /// None of the other states applies.
        Free = "free",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The row number, from the top.
    pub row: u32,
    /// The squares from the left.
    pub spots: Vec<Spot>,
}

/// Returns the rows of the board, from the top. `shown` is a displayed solution or proof step. It
/// contains the user's queens, and all its queens attack squares. `given` are the queens of a puzzle, and `marks` the
/// squares that the user has marked. `left` returns the number of solutions with a queen on a square.
pub fn rows(
    queens: &Queens,
    [given, marks]: [&Queens; 2],
    forced: &[Square],
    shown: Option<&Queens>,
    left: impl Fn(Square) -> Option<u64>,
) -> Vec<Row> {
    let size = queens.size();
    let in_conflict: Vec<Square> =
        queens.conflicts().flat_map(|conflict| [conflict.first, conflict.second]).collect();
    let spot = |square: Square, closed: bool| {
        let queen = queens.contains(square);
        let marked = !queen && marks.contains(square);
        let forced = forced.iter().position(|&each| each == square).map(|index| index + 1);
        Spot {
            queen,
            given: given.contains(square),
            marked,
            conflict: queen && in_conflict.contains(&square),
            shown: !queen && shown.is_some_and(|shown| shown.contains(square)),
            attacked: !queen && closed,
            forced,
            left: left(square).filter(|_| !queen && !closed && !marked && forced.is_none()),
        }
    };
    let row = |row: u32| {
        let closed = shown.unwrap_or(queens).closed(row);
        let is_closed = |square: Square| closed.intersects(square.bit());
        let squares = Square::of_row(size, row);
        Row { row, spots: squares.map(|square| spot(square, is_closed(square))).collect() }
    };
    (0..size.get()).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Completions, Size, notation};

    fn queens(n: u32, squares: &str) -> Queens {
        notation::queens(Size::new(n).unwrap(), squares).unwrap()
    }

    fn none(n: u32) -> Queens {
        Queens::none(Size::new(n).unwrap())
    }

    fn states(rows: &[Row]) -> Vec<String> {
        let letter = |spot: &Spot| spot.state().id().chars().next().unwrap();
        rows.iter().map(|row| row.spots.iter().map(letter).collect()).collect()
    }

    #[test]
    fn marks_squares_attacked_by_a_queen() {
        let queens = queens(4, "0:1");
        assert_eq!(
            states(&rows(&queens, [&none(4); 2], &[], None, |_| None)),
            ["aqaa", "aaaf", "fafa", "faff"]
        );
        // Forced squares are marked in the same way, but numbered.
        let at = |row, column| Square::from_left(queens.size(), row, column).unwrap();
        let marked = rows(&queens, [&none(4); 2], &[at(1, 3), at(2, 0)], None, |_| None);
        assert_eq!((marked[1].spots[3].forced, marked[2].spots[0].forced), (Some(1), Some(2)));
        assert_eq!(marked[1].spots[3].state(), SpotState::Forced);
    }

    #[test]
    fn shows_a_solution_around_the_given_queens() {
        let queens = queens(4, "0:1");
        let solution = Queens::from(&Completions::new(&queens).next().unwrap());
        let rows = rows(&queens, [&none(4); 2], &[], Some(&solution), |_| None);
        assert_eq!(states(&rows), ["aqaa", "aaas", "saaa", "aasa"]);
    }

    #[test]
    fn free_squares_show_the_solutions_left() {
        let queens = queens(4, "0:1");
        let rows =
            rows(&queens, [&none(4); 2], &[], None, |square| Some(square.to_left().1.into()));
        let left: Vec<_> =
            rows.iter().flat_map(|row| &row.spots).filter_map(|spot| spot.left).collect();
        assert_eq!(left, [3, 0, 2, 0, 2, 3]);
    }

    #[test]
    fn a_queen_hides_the_mark_of_its_square() {
        let (queens, marks) = (queens(4, "0:1"), queens(4, "0:1,3:3"));
        let rows = rows(&queens, [&none(4), &marks], &[], None, |_| None);
        assert!(!rows[0].spots[1].marked && rows[3].spots[3].marked && !rows[3].spots[2].marked);
    }

    #[test]
    fn marks_queens_in_conflict() {
        let queens = queens(8, "0:7,7:0,1:5");
        let rows = rows(&queens, [&none(8); 2], &[], None, |_| None);
        let conflict = |row: usize, column: usize| rows[row].spots[column].conflict;
        assert!(conflict(0, 7) && conflict(7, 0) && !conflict(1, 5));
    }
}
