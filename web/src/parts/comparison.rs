//! Boards of solutions. [`rows`] marks the cells A, B and C: queens on them decide with which images the
//! symmetry method compares a solution. [`solved`] has all marks of a method's search.

use queens_core::{
    Cell, Masks, Placement, Queens, RowBits, SquareState, SquareView, Stepped, Tracer, Transform,
};
use queens_state::board::{Row, SquareStyle};

/// Returns the rows of a solution's board, with the cells A, B and C of `cells`. The row `at` is
/// highlighted.
pub fn rows(placement: &Placement, cells: Option<&Masks>, at: Option<u32>) -> Vec<Row> {
    let queens = Queens::from(placement);
    Row::all(placement.size(), at, |square| SquareStyle {
        state: if queens.contains(square) { SquareState::Queen } else { SquareState::Open },
        cell: cells.and_then(|masks| masks.cell_at(square)),
        ..SquareStyle::default()
    })
}

/// Returns the board of a solution at the step of a method's search that finds it, with the squares
/// that rules close and the cells A, B and C.
pub fn solved(method: Stepped, placement: &Placement) -> Vec<Row> {
    let size = placement.size();
    // No search is necessary: the queens determine the branch, and the branch the masks.
    let mut view = Tracer::new(method, size).view();
    for (queen, &column) in view.queens.iter_mut().zip(placement.columns_from_right()) {
        *queen = RowBits::of(column.into());
    }
    let has_first_queens = |masks: &Masks| {
        let second = if masks.is_corner() { 1 } else { 0 };
        let is_queen = |row: usize, queen| view.queens.get(row) == Some(&queen);
        is_queen(0, masks.first_queen()) && is_queen(second, RowBits::of(masks.bound1))
    };
    let mut branches =
        view.method.branching.into_iter().flat_map(|by| Masks::branches_of(by, size));
    view.masks = branches.find(has_first_queens);
    view.row = size.last();
    Row::all(size, None, |square| {
        let SquareView { state, rule, cell, .. } = view.square(square);
        SquareStyle { state, rule, cell, ..SquareStyle::default() }
    })
}

/// Returns the image with which the symmetry method compares a solution that has a queen on `cell`, with
/// its transform.
pub fn image(placement: &Placement, cell: Cell) -> (Transform, Placement) {
    let transform = cell.transform();
    (transform, transform.apply(placement))
}

#[cfg(test)]
mod tests {
    use queens_core::{Event, Size};

    use super::*;

    #[test]
    fn solved_boards_have_the_marks_of_the_search_at_the_solution() {
        for &method in Stepped::ALL {
            let mut tracer = Tracer::new(method, Size::new(6).unwrap());
            let mut solutions = 0;
            while let Some(step) = tracer.forward() {
                let Event::Solution { .. } = step.event else { continue };
                let view = tracer.view();
                let expected = Row::all(view.size, None, |square| {
                    let SquareView { rule, cell, .. } = view.square(square);
                    let is_queen = view.rows()[square.row() as usize] == square.bit();
                    let state = if is_queen { SquareState::Queen } else { SquareState::Open };
                    SquareStyle { state, rule, cell, ..SquareStyle::default() }
                });
                let board = solved(method, &view.placement().unwrap());
                for (row, expected) in board.iter().zip(expected) {
                    for (square, expected) in row.squares.iter().zip(expected.squares) {
                        assert_eq!(square.is_queen(), expected.is_queen(), "{method}");
                        assert_eq!((square.rule, square.cell), (expected.rule, expected.cell));
                    }
                }
                solutions += 1;
            }
            assert!(solutions > 0, "{method}");
        }
    }
}
