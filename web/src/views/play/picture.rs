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
    /// What decides about the square, for style sheets and tests.
    pub fn state(self) -> &'static str {
        match self {
            Spot { queen: true, .. } => "queen",
            Spot { shown: true, .. } => "shown",
            Spot { attacked: true, .. } => "attacked",
            Spot { forced: Some(_), .. } => "forced",
            _ => "free",
        }
    }
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number, from the top.
    pub row: u32,
    /// Its squares from the LEFT.
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
        let columns = (0..size.get()).rev();
        let spots = columns.map(|column| spot((row, column), closed.contains(column))).collect();
        Row { row, spots }
    };
    (0..size.get()).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Completions, Size};

    fn states(rows: &[Row]) -> Vec<String> {
        let letter = |spot: &Spot| spot.state().chars().next().unwrap();
        rows.iter().map(|row| row.spots.iter().map(letter).collect()).collect()
    }

    #[test]
    fn a_queen_and_what_it_attacks() {
        let queens = Queens::new(Size::new(4).unwrap(), [(0, 2)]).unwrap();
        assert_eq!(states(&rows(&queens, &[], None)), ["aqaa", "aaaf", "fafa", "faff"]);
        // Squares that follow are marked by the same letter, but numbered.
        let marked = rows(&queens, &[(1, 0), (2, 3)], None);
        assert_eq!((marked[1].spots[3].forced, marked[2].spots[0].forced), (Some(1), Some(2)));
        assert_eq!(marked[1].spots[3].state(), "forced");
    }

    #[test]
    fn a_solution_stands_beside_the_players_queens() {
        let queens = Queens::new(Size::new(4).unwrap(), [(0, 2)]).unwrap();
        let solution = Completions::new(&queens).next().unwrap();
        assert_eq!(states(&rows(&queens, &[], Some(&solution))), ["aqaa", "aaas", "safa", "fasf"]);
    }

    #[test]
    fn queens_in_conflict() {
        let queens = Queens::new(Size::new(8).unwrap(), [(0, 0), (7, 7), (1, 2)]).unwrap();
        let rows = rows(&queens, &[], None);
        let conflict = |row: usize, column: usize| rows[row].spots[column].conflict;
        assert!(conflict(0, 7) && conflict(7, 0) && !conflict(1, 5));
    }
}
