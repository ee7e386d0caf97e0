//! What the board shows, square by square.

use queens_core::{Placement, Queens, Square};

/// One square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// One of the player's queens stands here.
    pub queen: bool,
    /// Another queen stands on a line with it.
    pub conflict: bool,
    /// A queen of the solution that is shown stands here, and none of the player's.
    pub shown: bool,
    /// It lies on a line with a queen of the player's.
    pub attacked: bool,
    /// Its number among the squares that follow one after another.
    pub forced: Option<usize>,
}

impl Spot {
    /// What decides about the square.
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
    /// What decides about a square, the first of these that holds; style sheets and tests know it
    /// by its name.
    pub enum SpotState {
        /// One of the player's queens stands there.
        Queen = "queen",
        /// A queen of the solution that is shown stands there.
        Shown = "shown",
        /// It lies on a line with a queen.
        Attacked = "attacked",
        /// A queen must stand there.
        Forced = "forced",
        /// Nothing is decided.
        Free = "free",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number, from the top.
    pub row: u32,
    /// Its squares from the left.
    pub spots: Vec<Spot>,
}

/// The rows of the board, from the top: the player's queens, what they attack, the squares that
/// follow from them, and a solution that contains them.
pub fn rows(queens: &Queens, forced: &[Square], shown: Option<&Placement>) -> Vec<Row> {
    let size = queens.size();
    let shown = shown.map(Queens::from);
    let in_conflict: Vec<Square> =
        queens.conflicts().flat_map(|conflict| [conflict.first, conflict.second]).collect();
    let spot = |square: Square, closed: bool| {
        let queen = queens.contains(square);
        Spot {
            queen,
            conflict: queen && in_conflict.contains(&square),
            shown: !queen && shown.is_some_and(|shown| shown.contains(square)),
            attacked: !queen && closed,
            forced: forced.iter().position(|&each| each == square).map(|index| index + 1),
        }
    };
    let row = |row: u32| {
        let closed = queens.closed(row);
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

    fn states(rows: &[Row]) -> Vec<String> {
        let letter = |spot: &Spot| spot.state().id().chars().next().unwrap();
        rows.iter().map(|row| row.spots.iter().map(letter).collect()).collect()
    }

    #[test]
    fn a_queen_and_what_it_attacks() {
        let queens = queens(4, "0:1");
        assert_eq!(states(&rows(&queens, &[], None)), ["aqaa", "aaaf", "fafa", "faff"]);
        // Squares that follow are marked by the same letter, but numbered.
        let at = |row, column| Square::from_left(queens.size(), row, column).unwrap();
        let marked = rows(&queens, &[at(1, 3), at(2, 0)], None);
        assert_eq!((marked[1].spots[3].forced, marked[2].spots[0].forced), (Some(1), Some(2)));
        assert_eq!(marked[1].spots[3].state(), SpotState::Forced);
    }

    #[test]
    fn a_solution_stands_beside_the_players_queens() {
        let queens = queens(4, "0:1");
        let solution = Completions::new(&queens).next().unwrap();
        assert_eq!(states(&rows(&queens, &[], Some(&solution))), ["aqaa", "aaas", "safa", "fasf"]);
    }

    #[test]
    fn queens_in_conflict() {
        let queens = queens(8, "0:7,7:0,1:5");
        let rows = rows(&queens, &[], None);
        let conflict = |row: usize, column: usize| rows[row].spots[column].conflict;
        assert!(conflict(0, 7) && conflict(7, 0) && !conflict(1, 5));
    }
}
