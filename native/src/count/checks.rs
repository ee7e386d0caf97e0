//! What makes a count trustworthy: sums, Burnside's formula, the known values.

use queens_core::{
    BurnsideError, Check, Checks, Counts, Method, Size, Tally, document::Contradiction, half_turn,
    known::known, quarter_turn,
};

/// The largest N at which H and R are searched for afresh: both take under a second there. Above
/// it the published values serve.
const LARGEST_SEARCHED: u32 = 22;

/// The numbers of solutions that turns map to themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    /// H, by a half turn.
    pub half: u64,
    /// R, by a quarter turn.
    pub quarter: u64,
}

impl Turns {
    /// H and R by their own searches up to N = 22, the published values up to 27; `None` above,
    /// where the searches take minutes.
    pub fn of(size: Size) -> Option<Turns> {
        if size.get() <= LARGEST_SEARCHED {
            return Some(Turns::search(size));
        }
        known(size.get()).map(|known| Turns { half: known.half_turn, quarter: known.quarter_turn })
    }

    fn search(size: Size) -> Turns {
        Turns { half: half_turn(size), quarter: quarter_turn(size) }
    }
}

/// The numbers that a count comes to, and how they were checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The numbers.
    pub counts: Counts,
    /// What they were checked with, where that was cheap enough to have.
    pub turns: Option<Turns>,
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
        counted: Counts,
        /// What follows from its total, H and R.
        expected: Counts,
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
        let turns = turns.unwrap_or_else(|| Turns::search(size));
        let counts = Counts::from_total(size, total, turns.half, turns.quarter)?;
        return Ok(Settled {
            counts,
            turns: Some(turns),
            checks: Checks::NONE.with(Check::Divisibility),
        });
    }
    let counts = Counts::from_classes(size, tally).ok_or(Wrong::Overflow)?;
    let mut checks = Checks::NONE;
    if let Some(turns) = turns {
        let expected = Counts::from_total(size, counts.total, turns.half, turns.quarter)?;
        if counts != expected {
            return Err(Wrong::Classes { counted: counts, expected });
        }
        // For N = 1 the formula only repeats the total.
        if size.get() > 1 {
            checks = checks.with(Check::Burnside);
        }
    }
    Ok(Settled { counts, turns, checks })
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
        assert_eq!((settled.counts.total, settled.counts.unique), (92, 12));
        assert_eq!(settled.turns, Some(Turns { half: 4, quarter: 0 }));
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

    #[test]
    fn turns_where_they_are_cheap() {
        assert_eq!(Turns::of(size(24)), Some(Turns { half: 11_675_080, quarter: 3328 }));
        assert_eq!(Turns::of(size(28)), None);
    }
}
