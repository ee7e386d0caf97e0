//! Final checks of a count: completeness, sums, Burnside's lemma and published values.

use alloc::vec::Vec;

use super::{
    BurnsideError, Check, Checks, Done, Numbers, PartialCount, Turns, known::known,
    ranges::shortened,
};
use crate::Tally;

/// A complete count that passed all applicable checks.
#[derive(Clone, Debug)]
pub struct CheckedCount<'a> {
    part: &'a PartialCount,
    numbers: Numbers,
    checks: Checks,
}

impl<'a> CheckedCount<'a> {
    /// The partial count, which contains all tasks of the plan.
    pub fn part(&self) -> &'a PartialCount {
        self.part
    }

    /// The numbers of the board.
    pub fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// The checks that the numbers have passed.
    pub fn checks(&self) -> Checks {
        self.checks
    }
}

/// Why a count cannot be right. Unless tasks are missing, the cause is a bug or a hardware fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// Some tasks are missing.
    #[error("missing tasks {} ({} of {tasks})", shortened(.missing), .missing.len())]
    Incomplete {
        /// The numbers of the missing tasks, ascending.
        missing: Vec<u32>,
        /// The number of tasks in the plan.
        tasks: usize,
    },
    /// The sum exceeds a `u64`. No correct sum does so for N up to 28.
    #[error("the sum of all tasks does not fit in 64 bits")]
    Overflow,
    /// Some pairs of row sets were not counted, or were counted twice.
    #[error("the weights of the counted sets add up to {weight}, not to {expected}")]
    Coverage {
        /// The sum of the weights of the counted pairs.
        weight: u64,
        /// The sum of the weights of all pairs.
        expected: u64,
    },
    /// The total is inconsistent with H and R.
    #[error(transparent)]
    Burnside(#[from] BurnsideError),
    /// The counted classes are inconsistent with H and R.
    #[error(
        "the counted classes contain {} solutions with half-turn symmetry and {} with quarter-turn \
         symmetry, but there are {} and {}",
        .counted.half, .counted.quarter, .searched.half, .searched.quarter
    )]
    Turns {
        /// H and R computed from the class counts.
        counted: Turns,
        /// H and R found by the separate searches.
        searched: Turns,
    },
    /// The numbers differ from the published ones.
    #[error(
        "{} solutions in {} classes differ from the published values for N = {n}, {} and {}",
        .counted.total(), .counted.unique(), .known.total(), .known.unique()
    )]
    Known {
        /// The side of the board.
        n: u32,
        /// The counted numbers.
        counted: Numbers,
        /// The published numbers.
        known: Numbers,
    },
}

/// Computes the numbers of a board from all tasks of a plan and from `turns`, the independently
/// found H and R of the board. If the method counts classes, Burnside's lemma checks them. If only
/// totals are available, the lemma gives the classes.
///
/// # Errors
/// [`CountError`] if tasks are missing, or if their tallies contradict each other, `turns` or the
/// published values.
pub fn finalize(part: &PartialCount, turns: Turns) -> Result<CheckedCount<'_>, CountError> {
    if !part.is_complete() {
        let missing = part.missing().filter_map(|task| u32::try_from(task).ok()).collect();
        return Err(CountError::Incomplete { missing, tasks: part.tasks() });
    }
    let tally = part.tally();
    let size = part.size();
    // The coverage is optional in documents.
    let weight = |done: &Done<Tally>| Some(done.result.covered?.weight);
    let covered = part.done().map(weight).sum::<Option<u64>>();
    if let Some((weight, expected)) = covered.zip(part.identity().choices())
        && weight != expected
    {
        return Err(CountError::Coverage { weight, expected });
    }
    let mut checks = Checks::NONE.with(Check::Sums);
    // Tasks from documents have totals only, stored as single solutions.
    let has_only_classes = tally.single == 0 && tally.mirror_pairs == 0;
    let numbers = if part.method().counts_classes() && has_only_classes {
        let numbers = Numbers::of_classes(tally.classes).ok_or(CountError::Overflow)?;
        if numbers.turns() != turns {
            return Err(CountError::Turns { counted: numbers.turns(), searched: turns });
        }
        // At N = 1 the lemma says nothing more than the total.
        if size.get() > 1 {
            checks = checks.with(Check::Burnside);
        }
        numbers
    } else {
        let total = tally.total().ok_or(CountError::Overflow)?;
        checks = checks.with(Check::Divisibility);
        Numbers::by_burnside(size, total, turns)?
    };
    if let Some(&known) = known(size.get()) {
        if numbers != known {
            return Err(CountError::Known { n: size.get(), counted: numbers, known });
        }
        checks = checks.with(Check::Known);
    }
    Ok(CheckedCount { part, numbers, checks })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Done, Method, Plan, Size, Tally};
    use core::time::Duration;
    use std::{string::ToString, vec};

    /// A count of all tasks, in which task 0 has this tally and all others are empty.
    fn complete(n: u32, method: Method, result: Tally) -> PartialCount {
        let plan = Plan::new(Size::new(n).unwrap(), method);
        let mut part = PartialCount::new(&plan);
        for task in 0..plan.len() {
            let result = if task == 0 { result } else { Tally::default() };
            part.add(Done { task, result, took: Duration::ZERO }).unwrap();
        }
        part
    }

    fn classes(classes: [u64; 4]) -> Tally {
        Tally { classes, ..Tally::default() }
    }

    const EIGHT: Turns = Turns { half: 4, quarter: 0 };

    #[test]
    fn accepts_correct_classes() {
        let part = complete(8, Method::Symmetry, classes([0, 0, 1, 11]));
        let checked = finalize(&part, EIGHT).unwrap();
        assert_eq!((checked.numbers().total(), checked.numbers().unique()), (92, 12));
        let checks = [Check::Sums, Check::Burnside, Check::Known];
        assert_eq!(checked.checks(), checks.into_iter().collect());
    }

    #[test]
    fn derives_the_classes_from_a_total() {
        let part = complete(8, Method::Colours, Tally { single: 92, ..Tally::default() });
        let checked = finalize(&part, EIGHT).unwrap();
        assert_eq!(Some(checked.numbers()), Numbers::of_classes([0, 0, 1, 11]));
        let checks = [Check::Sums, Check::Divisibility, Check::Known];
        assert_eq!(checked.checks(), checks.into_iter().collect());
        let part = complete(8, Method::Colours, Tally { single: 93, ..Tally::default() });
        assert!(matches!(finalize(&part, EIGHT), Err(CountError::Burnside(_))));
    }

    #[test]
    fn rejects_wrong_classes_with_a_correct_total() {
        let part = complete(8, Method::Symmetry, classes([0, 2, 0, 11]));
        assert_eq!(
            finalize(&part, EIGHT).unwrap_err().to_string(),
            "the counted classes contain 4 solutions with half-turn symmetry and 4 with \
             quarter-turn symmetry, but there are 4 and 0"
        );
    }

    #[test]
    fn rejects_a_consistent_count_that_differs_from_the_published() {
        // Eight extra solutions are consistent with every formula.
        let part = complete(4, Method::Symmetry, classes([0, 1, 0, 1]));
        let error = finalize(&part, Turns { half: 2, quarter: 2 }).unwrap_err();
        assert_eq!(
            error.to_string(),
            "10 solutions in 2 classes differ from the published values for N = 4, 2 and 1"
        );
    }

    #[test]
    fn mirror_pairs_in_a_tally_of_classes_are_added() {
        let right = classes([0, 0, 1, 11]);
        let part = complete(8, Method::Symmetry, Tally { mirror_pairs: 4, ..right });
        assert_eq!(
            finalize(&part, EIGHT).unwrap_err().to_string(),
            "100 solutions in 13 classes differ from the published values for N = 8, 92 and 12"
        );
    }

    #[test]
    fn names_the_missing_tasks() {
        let plan = Plan::new(Size::new(10).unwrap(), Method::Bitmap);
        let mut part = PartialCount::new(&plan);
        for task in (0..plan.len()).filter(|task| ![3, 5, 6, 7].contains(task)) {
            part.add(Done { task, result: Tally::default(), took: Duration::ZERO }).unwrap();
        }
        let error = finalize(&part, Turns::default()).unwrap_err();
        let missing = vec![3, 5, 6, 7];
        assert_eq!(error, CountError::Incomplete { missing, tasks: plan.len() });
        assert!(error.to_string().starts_with("missing tasks 3,5-7 (4 of "), "{error}");
    }
}
