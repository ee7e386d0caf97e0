//! Proofs that no solution contains given queens. A proof adds forced queens one after another until
//! a row or column has no free square. Where no queen is forced, it tries every free square of a row.

use queens_core::{Consequence, Queens, Square, Unit};

/// The maximum number of steps of a proof. Longer proofs are too long to follow.
pub const MAX_STEPS: usize = 80;

/// One step of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A queen is tried on this square. It is the `number`-th, from 1, of the row's `all` free squares.
    Try { square: Square, number: u32, all: u32 },
    /// The square is the only free one of a row or column.
    Forced { square: Square, unit: Unit },
    /// The row or column has no free square.
    Blocked(Unit),
}

/// A step of a proof with the board after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofStep {
    pub queens: Queens,
    pub reason: Reason,
}

/// Returns the proof that no solution contains these queens. Returns `None` if the proof is too long, if
/// a solution contains the queens, or if two of them attack each other.
pub fn refutation(queens: &Queens) -> Option<Vec<ProofStep>> {
    let mut steps = vec![];
    (queens.conflicts().next().is_none() && refute(*queens, &mut steps)).then_some(steps)
}

/// Appends the proof for a board. Returns whether there is one of at most [`MAX_STEPS`] steps.
fn refute(mut queens: Queens, steps: &mut Vec<ProofStep>) -> bool {
    for consequence in queens.consequences() {
        let (reason, is_end) = match consequence {
            Consequence::Forced { square, unit } => {
                queens = queens.toggled(square);
                (Reason::Forced { square, unit }, false)
            }
            Consequence::Blocked(unit) => (Reason::Blocked(unit), true),
        };
        steps.push(ProofStep { queens, reason });
        if is_end || steps.len() > MAX_STEPS {
            return steps.len() <= MAX_STEPS;
        }
    }
    let size = queens.size();
    let is_open = |row: &u32| queens.rows().get(*row as usize).is_some_and(|row| row.is_empty());
    let free = |row: u32| {
        let closed = queens.closed(row);
        Square::of_row(size, row).filter(move |square| !closed.intersects(square.bit()))
    };
    let Some(row) = (0..size.get()).filter(is_open).min_by_key(|&row| free(row).count()) else {
        return false;
    };
    let all = free(row).count() as u32;
    (1..).zip(free(row)).all(|(number, square)| {
        let queens = queens.toggled(square);
        steps.push(ProofStep { queens, reason: Reason::Try { square, number, all } });
        steps.len() <= MAX_STEPS && refute(queens, steps)
    })
}

#[cfg(test)]
mod tests {
    use queens_core::{Completions, Size, notation};

    use super::*;

    fn queens(n: u32, squares: &str) -> Queens {
        notation::queens(Size::new(n).unwrap(), squares).unwrap()
    }

    /// Checks each step against the board before it.
    fn check(given: &Queens, steps: &[ProofStep]) {
        let free = |queens: &Queens, unit: Unit| {
            let is_free = |square: &Square| !queens.closed(square.row()).intersects(square.bit());
            let all = Square::all(given.size()).filter(|square| match unit {
                Unit::Row(row) => square.row() == row,
                Unit::Column(column) => square.column() == column,
            });
            all.filter(|square| is_free(square)).collect::<Vec<_>>()
        };
        let mut before = *given;
        for step in steps {
            match step.reason {
                Reason::Forced { square, unit } => {
                    assert_eq!(free(&before, unit), [square]);
                    assert_eq!(step.queens, before.toggled(square));
                }
                Reason::Blocked(unit) => assert_eq!(free(&before, unit), []),
                Reason::Try { square, .. } => assert!(step.queens.contains(square)),
            }
            assert!(step.queens.conflicts().next().is_none());
            assert!(given.squares().all(|queen| step.queens.contains(queen)));
            before = step.queens;
        }
        assert!(matches!(steps.last().unwrap().reason, Reason::Blocked(_)));
        // Every tried square comes to a dead end, and all squares of a row are tried.
        let tried: Vec<_> = steps
            .iter()
            .filter_map(|step| match step.reason {
                Reason::Try { number, all, .. } => Some((number, all)),
                _ => None,
            })
            .collect();
        let last = tried.iter().filter(|(number, all)| number == all).count();
        let first = tried.iter().filter(|(number, _)| *number == 1).count();
        assert_eq!(first, last);
    }

    #[test]
    fn boards_without_a_solution_have_a_proof() {
        let mut proofs = [0; 2];
        for n in 2..=8 {
            let size = Size::new(n).unwrap();
            for first in Square::of_row(size, 0) {
                for second in Square::of_row(size, 1) {
                    let given = Queens::new(size, [first, second]).unwrap();
                    let has_solution = Completions::new(&given).next().is_some();
                    let proof = refutation(&given);
                    if has_solution || given.conflicts().next().is_some() {
                        assert_eq!(proof, None);
                    } else {
                        let proof = proof.unwrap_or_else(|| panic!("{given:?}"));
                        check(&given, &proof);
                        let tries =
                            proof.iter().any(|step| matches!(step.reason, Reason::Try { .. }));
                        proofs[usize::from(tries)] += 1;
                    }
                }
            }
        }
        assert!(proofs.iter().all(|&count| count > 3), "{proofs:?}");
    }

    #[test]
    fn proofs_are_bounded() {
        for (n, squares) in [(10, ""), (20, "0:0"), (32, "")] {
            assert_eq!(refutation(&queens(n, squares)), None);
        }
        let empty = refutation(&queens(3, "")).unwrap();
        check(&queens(3, ""), &empty);
    }
}
