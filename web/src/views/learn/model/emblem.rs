//! A small board for each lesson, which shows its idea.

use queens_core::{Method, Queens, Size, Square, SquareState, notation};

use crate::board::{Row, SquareStyle};

/// Returns the rows of the board of a lesson.
pub fn emblem(lesson: Method) -> Vec<Row> {
    let (n, queens, marked) = drawing(lesson);
    let Ok(size) = Size::new(n) else { return vec![] };
    let [queens, marked] = [queens, marked]
        .map(|squares| notation::queens(size, squares).unwrap_or_else(|_| Queens::none(size)));
    let mut rows = Row::all(size, None, |square| SquareStyle {
        state: if queens.contains(square) { SquareState::Queen } else { SquareState::Open },
        ..SquareStyle::default()
    });
    Row::mark(&mut rows, marked.squares().collect::<Vec<Square>>());
    rows
}

/// Returns the size of the board, the squares of its queens, and the coloured squares.
fn drawing(lesson: Method) -> (u32, &'static str, &'static str) {
    match lesson {
        // The first full board of the counter, and the square to which its last digit moves.
        Method::BruteForce => (4, "0:3,1:3,2:3,3:3", "3:2"),
        // A full board with one queen in each column.
        Method::Permutations => (4, "0:3,1:2,2:1,3:0", ""),
        // A dead end.
        Method::Backtracking => (4, "0:3,1:1", "2:0,2:1,2:2,2:3"),
        // The lines of a queen.
        Method::Flags => (4, "0:1", "1:0,1:1,1:2,2:1,2:3,3:1"),
        // A solution with the first queen of its mirror image.
        Method::FlagsSymmetry => (4, "0:1,1:3,2:0,3:2", "0:2"),
        // The left half of the first row.
        Method::FlagsSymmetryHalf => (4, "0:3", "0:0,0:1"),
        // The attacked squares of a row.
        Method::Bitmap => (4, "0:3,1:1", "2:0,2:1,2:2,2:3"),
        // A first queen and its mirror image.
        Method::Mirror => (4, "0:2,1:0,2:3,3:1", "0:0,0:1"),
        // The queen that decides between two images.
        Method::BitmapSymmetry => (4, "0:2,1:0,2:3,3:1", "0:2"),
        Method::BitmapSymmetryHalf => (5, "0:3,1:0,2:2,3:4,4:1", "0:0,0:1"),
        // The first queen and the squares to its right.
        Method::Bound1 => (5, "0:2", "0:3,0:4"),
        // The queens of the corner case.
        Method::Bound2 => (5, "0:4,1:2", "0:0,4:0,4:4"),
        // The squares near the corners, in the side columns.
        Method::SideCuts => (6, "0:3", "1:0,1:5,4:0,5:0,4:5,5:5"),
        // The cells A, B and C.
        Method::Symmetry => (6, "0:3", "3:5,5:2,2:0"),
        // The white queens, and the squares of the black ones.
        Method::Colours => (4, "1:3,2:0", "0:1,3:2"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Branching, Cell, Masks, Rule};

    fn drawn(lesson: Method) -> [Queens; 2] {
        let (n, queens, marked) = drawing(lesson);
        [queens, marked].map(|squares| notation::queens(Size::new(n).unwrap(), squares).unwrap())
    }

    fn branch(lesson: Method, branching: Branching, bound1: u32) -> Masks {
        let size = drawn(lesson)[0].size();
        let mut branches = Masks::branches_of(branching, size);
        branches.find(|masks| !masks.is_corner() && masks.bound1 == bound1).unwrap()
    }

    #[test]
    fn consecutive_lessons_have_different_boards() {
        let mut boards: Vec<_> = Method::ALL.iter().map(|&lesson| emblem(lesson)).collect();
        assert!(boards.iter().all(|rows| (4..7).contains(&rows.len())));
        let are_same = |one: Method, other: Method| drawing(one) == drawing(other);
        // Both boards show a row whose squares are all attacked: a dead end, and a word whose bits are all 1.
        assert!(are_same(Method::Backtracking, Method::Bitmap));
        boards.dedup();
        assert_eq!(boards.len(), Method::ALL.len());
    }

    #[test]
    fn boards_show_what_the_rules_say() {
        let [queens, marked] = drawn(Method::SideCuts);
        let masks = branch(Method::SideCuts, Branching::SideCuts, 2);
        for square in Square::all(queens.size()) {
            let closed = masks.closed(square.row()).filter(|(rule, _)| *rule != Rule::LastRow);
            let is_closed = closed.is_some_and(|(_, squares)| squares.intersects(square.bit()));
            assert_eq!(marked.contains(square), is_closed, "{square}");
        }
        let [queens, marked] = drawn(Method::Symmetry);
        let masks = branch(Method::Symmetry, Branching::Symmetry, 2);
        let cells = Cell::ALL.map(|cell| {
            let (row, square) = masks.cell(cell).unwrap();
            Square::of_bits(queens.size(), row, square).unwrap()
        });
        assert_eq!(marked, Queens::new(queens.size(), cells).unwrap());
        for lesson in [Method::FlagsSymmetry, Method::Mirror, Method::BitmapSymmetry] {
            assert!(drawn(lesson)[0].placement().is_some(), "{lesson}");
        }
        let [dead, row] = drawn(Method::Backtracking);
        assert!(row.squares().all(|square| dead.closed(square.row()).intersects(square.bit())));
        assert_eq!(row.len(), dead.size().get());
    }
}
