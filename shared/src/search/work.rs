//! Counters of a search: placements, comparisons and solutions.

use crate::{Class, Event, Found, Observer, Rule};

/// The number of solutions found, by the number of solutions that each represents. Sums are exact
/// up to N = 28.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tally {
    /// Solutions that represent only themselves.
    pub single: u64,
    /// Solutions that represent themselves and their mirror image.
    pub mirror_pairs: u64,
    /// Representatives by the size of their class, in the order 1, 2, 4, 8.
    pub classes: [u64; 4],
    /// The counted pairs of row sets, for the colour join only.
    #[cfg_attr(feature = "serde", serde(default))]
    pub covered: Option<Coverage>,
    /// The solutions of the tasks' audit sets (see `Counter::count_audit_set`), with their weights, for
    /// the colour join only.
    #[cfg_attr(feature = "serde", serde(default))]
    pub chosen: Option<u64>,
}

/// The coverage of a count by the colour join. It is added up as each pair of row sets is counted, which
/// reveals missing and doubled pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Coverage {
    /// The number of pairs of row sets.
    pub sets: u32,
    /// The number of choices of rows and columns that the pairs represent: the sum of their weights.
    /// The weights of all tasks add up to [the plan's number](crate::PlanId::choices).
    pub weight: u64,
}

impl Coverage {
    /// The sum of both; `None` if a number overflows.
    pub fn checked_add(self, other: Coverage) -> Option<Coverage> {
        Some(Coverage {
            sets: self.sets.checked_add(other.sets)?,
            weight: self.weight.checked_add(other.weight)?,
        })
    }
}

impl Tally {
    /// Adds a solution. Numbers saturate at [`u64::MAX`].
    #[inline(always)]
    pub fn add(&mut self, found: Found) {
        let number = match found {
            Found::Single => &mut self.single,
            Found::MirrorPair => &mut self.mirror_pairs,
            Found::Class(class) => &mut self.classes[class as usize],
        };
        *number = number.saturating_add(1);
    }

    /// The number of classes of a size.
    pub const fn class(&self, class: Class) -> u64 {
        self.classes[class as usize]
    }

    /// The number of solutions found, each counted once, however many it represents. Saturates at
    /// [`u64::MAX`].
    pub fn met(&self) -> u64 {
        let met = self.single.saturating_add(self.mirror_pairs);
        self.classes.into_iter().fold(met, u64::saturating_add)
    }

    /// The number of solutions that the found ones represent; `None` if it exceeds a `u64`.
    pub fn total(&self) -> Option<u64> {
        let [one, two, four, eight] = self.classes;
        [(self.mirror_pairs, 2), (one, 1), (two, 2), (four, 4), (eight, 8)]
            .into_iter()
            .try_fold(self.single, |sum, (count, members)| {
                sum.checked_add(count.checked_mul(members)?)
            })
    }

    /// The sum of two tallies; `None` if a count exceeds a `u64`, or a number of the coverage a `u32`.
    pub fn checked_add(self, other: Tally) -> Option<Tally> {
        let mut classes = self.classes;
        for (sum, count) in classes.iter_mut().zip(other.classes) {
            *sum = sum.checked_add(count)?;
        }
        let covered = match (self.covered, other.covered) {
            (Some(ours), Some(theirs)) => Some(ours.checked_add(theirs)?),
            (ours, theirs) => ours.or(theirs),
        };
        let chosen = match (self.chosen, other.chosen) {
            (Some(ours), Some(theirs)) => Some(ours.checked_add(theirs)?),
            (ours, theirs) => ours.or(theirs),
        };
        Some(Tally {
            single: self.single.checked_add(other.single)?,
            mirror_pairs: self.mirror_pairs.checked_add(other.mirror_pairs)?,
            classes,
            covered,
            chosen,
        })
    }
}

/// Counts solutions and ignores all other events, which then cost nothing.
impl Observer for Tally {
    #[inline(always)]
    fn see(&mut self, event: Event) {
        if let Event::Solution { found } = event {
            self.add(found);
        }
    }
}

/// The work of a search so far. The numbers depend only on the method and N. They saturate at
/// [`u64::MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Work {
    /// Squares tested one by one; 0 for methods that take free squares from a word, and for
    /// `brute-force`, which places a queen on every square without a test.
    pub looked_at: u64,
    /// Queens placed.
    pub placed: u64,
    /// Squares closed because a queen attacks them.
    pub attacked: u64,
    /// Squares that only a rule closed, in the order of [`Rule::ALL`].
    pub cut: [u64; 5],
    /// Comparisons of a solution with one image.
    pub comparisons: u64,
    /// The solutions that count.
    pub tally: Tally,
}

impl Work {
    /// Placements tried: squares tested one by one, or queens placed for methods without such
    /// tests.
    pub fn tried(&self) -> u64 {
        self.looked_at.max(self.placed)
    }

    /// Squares that only `rule` closed.
    pub const fn cut_by(&self, rule: Rule) -> u64 {
        self.cut[rule as usize]
    }
}

impl Observer for Work {
    #[inline]
    fn see(&mut self, event: Event) {
        let (number, by) = match event {
            Event::Try { .. } => (&mut self.looked_at, 1),
            Event::Place { .. } => (&mut self.placed, 1),
            Event::Reject { squares, .. } => (&mut self.attacked, squares.len()),
            Event::Cut { rule, squares, .. } => (&mut self.cut[rule as usize], squares.len()),
            Event::Compare { .. } => (&mut self.comparisons, 1),
            Event::Solution { found } => return self.tally.add(found),
            Event::Descend { .. } | Event::Back { .. } | Event::Done => return,
        };
        *number = number.saturating_add(by.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RowBits;

    #[test]
    fn tallies_beyond_64_bits_do_not_overflow() {
        let none = Tally::default();
        let most =
            Tally { single: u64::MAX, mirror_pairs: 1, classes: [0, 0, 2, u64::MAX], ..none };
        assert_eq!((most.met(), most.total()), (u64::MAX, None));
        let tally = Tally { single: 1, mirror_pairs: 2, classes: [4, 8, 16, 32], ..none };
        assert_eq!((tally.met(), tally.total()), (63, Some(1 + 4 + 4 + 16 + 64 + 256)));
    }

    #[test]
    fn work_counters_saturate() {
        let mut work = Work {
            placed: u64::MAX,
            attacked: u64::MAX - 1,
            tally: Tally { single: u64::MAX, ..Tally::default() },
            ..Work::default()
        };
        let full = work.tally;
        let squares = RowBits::from_bits(0b111);
        work.see(Event::Place { row: 0, square: RowBits::of(0) });
        work.see(Event::Reject { row: 0, squares });
        work.see(Event::Solution { found: Found::Single });
        assert_eq!((work.placed, work.attacked, work.tally), (u64::MAX, u64::MAX, full));
    }
}
