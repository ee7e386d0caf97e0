//! Boards of solutions with the cells A, B and C: queens on them decide with which images the symmetry method
//! compares a solution.

use queens_core::{Cell, Masks, Placement, Queens, SquareState, Transform};

use crate::board::{Row, SquareStyle};

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

/// Returns the image with which the symmetry method compares a solution that has a queen on `cell`, with
/// its transform.
pub fn image(placement: &Placement, cell: Cell) -> (Transform, Placement) {
    let transform = cell.transform();
    (transform, transform.apply(placement))
}
