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
    Blocked { unit: Unit, conclusion: Conclusion },
}

/// The conclusion from a row or column without a free square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// No queen was tried, so no solution contains the given queens.
    Hopeless,
    /// Every queen that was tried has failed, so no solution contains the given queens.
    AllFailed,
    /// No queen can stand on the square that was tried last.
    Fails(Square),
    /// No queen can stand on the square `tried`, which was the last one of its row. So none can stand on
    /// the square `above` either, which was tried before.
    RowFails { tried: Square, above: Square },
}

/// A queen that is being tried.
#[derive(Clone, Copy)]
struct Tried {
    square: Square,
    /// Whether it is on the last free square of its row.
    is_last: bool,
}

impl Conclusion {
    /// Returns the conclusion from a dead end of the queens that are being tried, the first one first.
    fn of(tried: &[Tried]) -> Conclusion {
        let Some(last) = tried.last() else { return Conclusion::Hopeless };
        let Some(failed) = tried.iter().rfind(|tried| !tried.is_last) else {
            return Conclusion::AllFailed;
        };
        if failed.square == last.square {
            Conclusion::Fails(last.square)
        } else {
            Conclusion::RowFails { tried: last.square, above: failed.square }
        }
    }
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
    let is_refuted =
        queens.conflicts().next().is_none() && refute(*queens, &mut vec![], &mut steps);
    is_refuted.then_some(steps)
}

/// Appends the proof for a board that contains the queens being tried. Returns whether there is one of at
/// most [`MAX_STEPS`] steps.
fn refute(mut queens: Queens, tried: &mut Vec<Tried>, steps: &mut Vec<ProofStep>) -> bool {
    for consequence in queens.consequences() {
        let (reason, is_end) = match consequence {
            Consequence::Forced { square, unit } => {
                queens = queens.toggled(square);
                (Reason::Forced { square, unit }, false)
            }
            Consequence::Blocked(unit) => {
                (Reason::Blocked { unit, conclusion: Conclusion::of(tried) }, true)
            }
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
        tried.push(Tried { square, is_last: number == all });
        let is_refuted = steps.len() <= MAX_STEPS && refute(queens, tried, steps);
        tried.pop();
        is_refuted
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
                Reason::Blocked { unit, .. } => assert_eq!(free(&before, unit), []),
                Reason::Try { square, .. } => assert!(step.queens.contains(square)),
            }
            assert!(step.queens.conflicts().next().is_none());
            assert!(given.squares().all(|queen| step.queens.contains(queen)));
            before = step.queens;
        }
        check_conclusions(steps);
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

    /// Checks that only the last dead end is about the given queens, and that each other one names the
    /// queen that was tried last and, before the next try in a row above, the queen tried in that row.
    fn check_conclusions(steps: &[ProofStep]) {
        let mut tried: Vec<Square> = vec![];
        for (index, step) in steps.iter().enumerate() {
            match step.reason {
                Reason::Try { square, .. } => {
                    tried.retain(|queen| step.queens.contains(*queen));
                    tried.push(square);
                }
                Reason::Blocked { conclusion, .. } => {
                    let next = steps.get(index + 1).map(|next| next.queens);
                    let failed = next.map(|next| {
                        tried.iter().copied().find(|queen| !next.contains(*queen)).unwrap()
                    });
                    let last = tried.last().copied();
                    let expected = match (last, failed) {
                        (None, _) => Conclusion::Hopeless,
                        (Some(_), None) => Conclusion::AllFailed,
                        (Some(last), Some(failed)) if last == failed => Conclusion::Fails(last),
                        (Some(tried), Some(above)) => Conclusion::RowFails { tried, above },
                    };
                    assert_eq!(conclusion, expected);
                }
                Reason::Forced { .. } => {}
            }
        }
        assert!(matches!(
            steps.last().unwrap().reason,
            Reason::Blocked { conclusion: Conclusion::Hopeless | Conclusion::AllFailed, .. }
        ));
    }

    #[test]
    fn a_failed_try_does_not_refute_the_board_before_the_last_try() {
        let given = queens(8, "0:0,1:4,2:1");
        let proof = refutation(&given).unwrap();
        check(&given, &proof);
        assert_eq!(proof.len(), 9);
        let conclusions: Vec<_> = (1..)
            .zip(&proof)
            .filter_map(|(number, step)| match step.reason {
                Reason::Blocked { conclusion, .. } => Some((number, conclusion)),
                _ => None,
            })
            .collect();
        let Reason::Try { square, number: 1, all: 2 } = proof[0].reason else { panic!() };
        assert_eq!(conclusions, [(5, Conclusion::Fails(square)), (9, Conclusion::AllFailed)]);
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
