//! Replays symmetryOps for a solution: its comparison with its images, moment by moment, as the
//! symmetry method does it.

use alloc::{vec, vec::Vec};

use crate::{
    Cell, Cells, ComparedRow, Comparison, Masks, Outcome, Placement, RowBits, Rule, SymmetryOps,
    Verdict,
};

/// The way in which the symmetry method treats one solution.
///
/// ```
/// use queens_core::{Class, Moment, Placement, Played, Verdict};
/// // From the left 3 0 2 4 1: a quarter turn maps it to itself.
/// let Played::Completed(_, moments) = Played::of(&Placement::from_right(&[1, 4, 2, 0, 3])?) else {
///     panic!("a representative is completed");
/// };
/// assert_eq!(moments.last(), Some(&Moment::Verdict(Verdict::Keep(Class::Two))));
/// # Ok::<(), queens_core::PlacementError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Played {
    /// N = 1: the only solution is counted as a class of 1 without any comparison.
    OnlyQueen,
    /// The search has no branch with the solution's first queens, because an image has a smaller
    /// judgement value.
    NoBranch,
    /// A rule closes the square of this row's queen, because an image has a smaller judgement
    /// value.
    GivenUp(u32, Rule),
    /// The method completes the solution in the branch with these masks. The moments run from
    /// [`Moment::Cells`] to [`Moment::Verdict`].
    Completed(Masks, Vec<Moment>),
}

/// A moment of the comparisons of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The cells that hold a queen.
    Cells(Cells),
    /// One row of the solution and of the image that a cell requires.
    Row(Cell, ComparedRow),
    /// The result of the comparison, and its last row, if any. This row decided the comparison
    /// unless the image is identical.
    Outcome(Cell, Outcome, Option<ComparedRow>),
    /// The verdict on the solution.
    Verdict(Verdict),
}

impl Played {
    /// Replays the comparisons of a solution.
    pub fn of(placement: &Placement) -> Played {
        if placement.size().get() == 1 {
            return Played::OnlyQueen;
        }
        let Some(masks) = Masks::branch_of(placement) else {
            return Played::NoBranch;
        };
        if let Some((row, rule)) = masks.first_closed_queen(placement) {
            return Played::GivenUp(row, rule);
        }
        let mut queens = [RowBits::EMPTY; 32];
        for (queen, row) in queens.iter_mut().zip(placement.rows()) {
            *queen = row;
        }
        let mut moments = vec![Moment::Cells(Cells::held(&queens, &masks))];
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
            Moment::Cells(_) | Moment::Verdict(_) => None,
        }
    }

    /// The row that is compared.
    pub fn row(self) -> Option<ComparedRow> {
        match self {
            Moment::Row(_, row) => Some(row),
            Moment::Outcome(_, _, row) => row,
            Moment::Cells(_) | Moment::Verdict(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Class;

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
    fn an_identical_quarter_turn_is_decided_in_the_last_row() {
        let moments = moments(&[1, 4, 2, 0, 3]);
        assert_eq!(moments.len(), 1 + 5 + 1 + 1);
        let Moment::Cells(held) = moments[0] else { panic!("{moments:?}") };
        // Cells B and C also have queens, but after the quarter turn nothing is left to compare.
        assert!(held.iter().eq(Cell::ALL));
        assert_eq!(moments[6].cell(), Some(Cell::A));
        assert_eq!(moments.last(), Some(&Moment::Verdict(Verdict::Keep(Class::Two))));
    }

    #[test]
    fn a_queen_in_the_corner_needs_no_comparison() {
        let eight = Moment::Verdict(Verdict::Keep(Class::Eight));
        assert_eq!(moments(&[0, 2, 4, 1, 3]), [Moment::Cells(Cells::default()), eight]);
    }

    #[test]
    fn reports_why_a_solution_is_not_compared() {
        assert_eq!(played(&[3, 1, 4, 2, 0]), Played::NoBranch);
        assert!(matches!(played(&[0, 3, 1, 4, 2]), Played::GivenUp(_, Rule::Corner)));
        assert_eq!(played(&[0]), Played::OnlyQueen);
    }
}
