//! The boards of a comparison: symmetryOps as the symmetry method plays it.

use queens_core::{Cell, Masks, Placement, RowBits, Transform};
pub use queens_core::{Moment, Played};

use crate::board::square::{Row, Square};

/// A full board with its cells, and the row that is looked at.
pub fn rows(placement: &Placement, cells: Option<&Masks>, at: Option<u32>) -> Vec<Row> {
    let last = placement.size().last();
    let cell = |row: u32, column: u32| {
        let square = Some((row, RowBits::of(last - column)));
        Cell::ALL.into_iter().find(|&cell| cells.is_some_and(|masks| masks.cell(cell) == square))
    };
    let queens = (0..).zip(placement.columns_from_left());
    queens
        .map(|(row, queen)| {
            let square = |column| Square {
                queen: column == queen,
                cell: cell(row, column),
                ..Square::default()
            };
            Row { row, at_work: at == Some(row), squares: (0..=last).map(square).collect() }
        })
        .collect()
}

/// The image that a cell calls for.
pub fn image(placement: &Placement, cell: Cell) -> (Transform, Placement) {
    let transform = cell.transform();
    (transform, transform.apply(placement))
}
