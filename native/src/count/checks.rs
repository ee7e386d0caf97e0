//! What makes a count trustworthy: sums, Burnside's formula, the known values.

use queens_core::{
    BurnsideError, Check, Checks, Method, Numbers, Size, Tally, Turns, document::Contradiction,
};

/// The numbers that a count comes to, and how they were checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The numbers.
    pub numbers: Numbers,
    /// The checks that passed so far: those that need a search.
    pub checks: Checks,
}

/// A count that cannot be right. There is no innocent cause: it is a defect of the program or of
/// the machine.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// A sum does not fit; it does for every N up to 28.
    #[error("the sum of all tasks exceeds a 64-bit number")]
    Overflow,
    /// The total does not go with H and R.
    #[error(transparent)]
    Burnside(#[from] BurnsideError),
    /// The classes that the method counted are not those that follow from the total.
    #[error("the method counted {counted:?}, but by Burnside's formula it should be {expected:?}")]
    Classes {
        /// What the method counted.
        counted: Numbers,
        /// What follows from its total, H and R.
        expected: Numbers,
    },
    /// The numbers contradict each other or the published ones.
    #[error("{}", join(.0))]
    Contradictions(Vec<Contradiction>),
}

fn join(contradictions: &[Contradiction]) -> String {
    let sentences: Vec<_> = contradictions.iter().map(ToString::to_string).collect();
    sentences.join("; ")
}

/// Totals, unique and class counts from a tally. A method that counts classes is checked by
/// Burnside's formula; for one that finds only solutions the formula gives the classes.
///
/// # Errors
/// [`Wrong`] if the tally contradicts itself or the formula.
pub fn settle(size: Size, method: Method, tally: &Tally) -> Result<Settled, Wrong> {
    let turns = Turns::of(size);
    if !method.counts_classes() {
        let total = tally.total().ok_or(Wrong::Overflow)?;
        let numbers = Numbers::by_burnside(size, total, turns)?;
        return Ok(Settled { numbers, checks: Checks::NONE.with(Check::Divisibility) });
    }
    let counted = Numbers::of_classes(tally.classes).ok_or(Wrong::Overflow)?;
    let expected = Numbers::by_burnside(size, counted.total(), turns)?;
    if counted != expected {
        return Err(Wrong::Classes { counted, expected });
    }
    // For N = 1 the lemma only repeats the total.
    let checks = if size.get() > 1 { Checks::NONE.with(Check::Burnside) } else { Checks::NONE };
    Ok(Settled { numbers: counted, checks })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    #[test]
    fn right_classes_pass() {
        let tally = Tally { classes: [0, 0, 1, 11], ..Tally::default() };
        let settled = settle(size(8), Method::Symmetry, &tally).unwrap();
        assert_eq!((settled.numbers.total(), settled.numbers.unique()), (92, 12));
        assert_eq!(settled.numbers.turns(), Turns { half: 4, quarter: 0 });
        assert_eq!(settled.checks, Checks::NONE.with(Check::Burnside));
    }

    #[test]
    fn wrong_classes_are_noticed_even_where_the_total_is_right() {
        let tally = Tally { classes: [0, 2, 0, 11], ..Tally::default() };
        let error = settle(size(8), Method::Symmetry, &tally).unwrap_err();
        assert!(matches!(error, Wrong::Classes { .. }), "{error}");
        let tally = Tally { classes: [0, 0, 2, 11], ..Tally::default() };
        let error = settle(size(8), Method::Symmetry, &tally).unwrap_err();
        assert!(matches!(error, Wrong::Burnside(_)), "{error}");
    }
}
