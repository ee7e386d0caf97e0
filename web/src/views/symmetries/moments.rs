//! The comparison of a solution with its images, moment by moment: symmetryOps as the symmetry
//! method plays it.

use queens_core::{
    Cell, ComparedRow, Comparison, Masks, Outcome, Placement, RowBits, Rule, SymmetryOps,
    Transform, Verdict,
};

use crate::views::explore::picture::{Row, Square};

/// A solution as the symmetry method meets it.
#[derive(Clone, Debug, PartialEq)]
pub enum Played {
    /// No branch begins with its first queens.
    NoBranch,
    /// A rule closes the square of this row's queen.
    GivenUp(u32, Rule),
    /// The method completes it: what happens then.
    Completed(Masks, Vec<Moment>),
}

/// A moment of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Which cells hold a queen.
    Cells,
    /// A row of the solution and of the image that a cell calls for.
    Row(Cell, ComparedRow),
    /// What the comparison came to, and its last row.
    Outcome(Cell, Outcome, Option<ComparedRow>),
    /// What is known of the solution.
    Verdict(Verdict),
}

impl Played {
    /// Plays the comparisons of a solution.
    pub fn of(placement: &Placement) -> Played {
        let Some(masks) = Masks::branch_of(placement) else {
            return Played::NoBranch;
        };
        if let Some((row, rule)) = masks.gives_up(placement) {
            return Played::GivenUp(row, rule);
        }
        let mut queens = [RowBits::EMPTY; 32];
        for (queen, row) in queens.iter_mut().zip(placement.rows()) {
            *queen = row;
        }
        let mut moments = vec![Moment::Cells];
        let mut ops = SymmetryOps::new(&queens, &masks);
        while let Some(cell) = ops.next() {
            let mut comparison = Comparison::new(&queens, masks.size, cell.transform());
            let mut last = None;
            for row in comparison.by_ref() {
                moments.push(Moment::Row(cell, row));
                last = Some(row);
            }
            let outcome = comparison.outcome();
            moments.push(Moment::Outcome(cell, outcome, last));
            ops.learn(cell, outcome);
        }
        moments.push(Moment::Verdict(ops.verdict()));
        Played::Completed(masks, moments)
    }
}

impl Moment {
    /// The cell whose image is compared.
    pub fn cell(self) -> Option<Cell> {
        match self {
            Moment::Row(cell, _) | Moment::Outcome(cell, ..) => Some(cell),
            Moment::Cells | Moment::Verdict(_) => None,
        }
    }

    /// The row that is looked at.
    pub fn row(self) -> Option<ComparedRow> {
        match self {
            Moment::Row(_, row) => Some(row),
            Moment::Outcome(_, _, row) => row,
            Moment::Cells | Moment::Verdict(_) => None,
        }
    }

    /// A part of the line, in the method's recursive form, that does it.
    pub fn code(self) -> &'static str {
        match self {
            Moment::Cells => "SymmetryOps::new",
            Moment::Row(..) => "Comparison::new",
            Moment::Outcome(..) => "ops.learn",
            Moment::Verdict(_) => "ops.verdict",
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::Class;

    fn played(columns_from_right: &[u32]) -> Played {
        Played::of(&Placement::from_right(columns_from_right).unwrap())
    }

    fn moments(columns_from_right: &[u32]) -> Vec<Moment> {
        match played(columns_from_right) {
            Played::Completed(_, moments) => moments,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_quarter_turn_that_changes_nothing_is_seen_in_the_last_row() {
        let moments = moments(&[1, 4, 2, 0, 3]);
        assert_eq!(moments.len(), 1 + 5 + 1 + 1);
        assert_eq!(moments[6].cell(), Some(Cell::A));
        assert_eq!(moments.last(), Some(&Moment::Verdict(Verdict::Keep(Class::Two))));
    }

    #[test]
    fn the_corner_needs_no_comparison() {
        let eight = Moment::Verdict(Verdict::Keep(Class::Eight));
        assert_eq!(moments(&[0, 2, 4, 1, 3]), [Moment::Cells, eight]);
    }

    #[test]
    fn boards_that_the_method_never_completes() {
        assert_eq!(played(&[3, 1, 4, 2, 0]), Played::NoBranch);
        assert!(matches!(played(&[0, 3, 1, 4, 2]), Played::GivenUp(_, Rule::Corner)));
    }

    #[test]
    fn every_moment_has_its_line() {
        let file = include_str!("../../../../shared/src/methods/symmetry.rs");
        let lines = super::super::played::listing(file);
        for moment in moments(&[1, 4, 2, 0, 3]) {
            let marked = lines.iter().filter(|(_, text)| text.contains(moment.code()));
            assert_eq!(marked.count(), 1, "{moment:?}");
        }
    }
}
