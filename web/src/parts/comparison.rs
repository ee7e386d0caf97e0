//! The boards of a comparison: symmetryOps as the symmetry method plays it.

use queens_core::{Cell, Masks, Placement, Queens, SquareState, Transform};

use crate::board::square::{Drawn, Row};

/// A full board with its cells, and the row that is looked at.
pub fn rows(placement: &Placement, cells: Option<&Masks>, at: Option<u32>) -> Vec<Row> {
    let queens = Queens::from(placement);
    Row::all(placement.size(), at, |square| Drawn {
        state: if queens.contains(square) { SquareState::Queen } else { SquareState::Open },
        cell: cells.and_then(|masks| masks.cell_at(square)),
        ..Drawn::default()
    })
}

/// The image that a cell calls for.
pub fn image(placement: &Placement, cell: Cell) -> (Transform, Placement) {
    let transform = cell.transform();
    (transform, transform.apply(placement))
}
