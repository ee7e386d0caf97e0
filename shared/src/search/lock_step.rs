//! Steps two searches to their common solutions.

use crate::{Event, Placement, Seek, Size, Stepped, Tracer};

/// Two methods on one board, which advance together from one common solution to the next. A method
/// that counts classes finds only representatives, and a method that uses half of the first row
/// finds only solutions whose first queen is in that half. If only one of the two methods finds a
/// solution, the work for it is extra work of that method.
///
/// All methods find solutions in the same order (ascending judgement value), so the search that is
/// behind advances.
///
/// ```
/// use queens_core::{LockStep, Seek, Size, Stepped};
/// let mut pair = LockStep::new([Stepped::Symmetry, Stepped::Bitmap], Size::new(8)?);
/// assert_eq!(pair.forward(u64::MAX), Seek::Found);
/// let [symmetry, bitmap] = pair.searches();
/// assert_eq!(symmetry.view().placement(), bitmap.view().placement());
/// assert!(symmetry.work().tried() < bitmap.work().tried());
/// # Ok::<(), queens_core::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LockStep {
    searches: [Tracer; 2],
    /// The solution at which each search has stopped; `None` while it is on the way to the next.
    at: [Option<Placement>; 2],
    last: Option<Placement>,
    common: u64,
}

impl LockStep {
    /// Creates both searches at step 0.
    pub fn new(methods: [Stepped; 2], size: Size) -> LockStep {
        LockStep {
            searches: methods.map(|method| Tracer::new(method, size)),
            at: [None; 2],
            last: None,
            common: 0,
        }
    }

    /// Advances to the next common solution, with at most `budget` steps of both searches together.
    /// [`Seek::NoMore`] means that both searches have ended.
    pub fn forward(&mut self, budget: u64) -> Seek {
        if self.solution().is_some() {
            self.at = [None; 2];
        }
        for _ in 0..budget {
            let [first, second] = &mut self.searches;
            let (search, at) = match self.at {
                _ if first.is_done() && second.is_done() => return Seek::NoMore,
                // Solutions after the other search's end are not common.
                [_, _] if first.is_done() => (second, &mut self.at[1]),
                [_, _] if second.is_done() => (first, &mut self.at[0]),
                [Some(a), Some(b)] if b < a => (second, &mut self.at[1]),
                [Some(_), None] => (second, &mut self.at[1]),
                _ => (first, &mut self.at[0]),
            };
            *at = None;
            if let Some(Event::Solution { .. }) = search.forward().map(|step| step.event) {
                *at = search.view().placement();
                if let Some(solution) = self.solution() {
                    self.last = Some(solution);
                    self.common += 1;
                    return Seek::Found;
                }
            }
        }
        Seek::OutOfBudget
    }

    /// The common solution at which both searches have stopped; `None` on the way and at the end.
    pub fn solution(&self) -> Option<Placement> {
        let [first, second] = self.at;
        first.filter(|_| first == second)
    }

    /// The last common solution, even after the searches have moved on.
    pub fn last(&self) -> Option<Placement> {
        self.last
    }

    /// The number of common solutions so far.
    pub fn common(&self) -> u64 {
        self.common
    }

    /// The two searches.
    pub fn searches(&self) -> &[Tracer; 2] {
        &self.searches
    }
}

/// Returns the steps at which two searches of a board first differ. It compares placements, rules,
/// comparisons and solutions first. Only if these are all the same does it compare all events.
/// `None` if the searches are identical.
///
/// ```
/// use queens_core::{Size, Stepped, first_difference};
/// let size = Size::new(6)?;
/// // Flags are another way to find attacked squares.
/// assert_eq!(first_difference([Stepped::Backtracking, Stepped::Flags], size), None);
/// // `flags` tries each square, `bitmap` takes the first free square.
/// let steps = first_difference([Stepped::Flags, Stepped::Bitmap], size);
/// assert_eq!(steps, Some([2, 2]));
/// # Ok::<(), queens_core::SizeError>(())
/// ```
pub fn first_difference(methods: [Stepped; 2], size: Size) -> Option<[u64; 2]> {
    let is_detail = |event| {
        matches!(
            event,
            Event::Descend { .. } | Event::Try { .. } | Event::Reject { .. } | Event::Back { .. }
        )
    };
    first_differing_steps(methods, size, |event| !is_detail(event))
        .or_else(|| first_differing_steps(methods, size, |_| true))
}

/// The steps of the first pair of differing events among those selected by `is_compared`.
fn first_differing_steps(
    methods: [Stepped; 2],
    size: Size,
    is_compared: impl Fn(Event) -> bool,
) -> Option<[u64; 2]> {
    let mut searches = methods.map(|method| Tracer::new(method, size));
    loop {
        let events = searches.each_mut().map(|search| {
            let mut event = search.forward()?.event;
            while !is_compared(event) {
                event = search.forward()?.event;
            }
            Some(event)
        });
        match events {
            [None, None] => return None,
            [first, second] if first != second => {
                return Some(searches.map(|search| search.steps()));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::representative;

    fn solutions(method: Stepped, size: Size) -> std::vec::Vec<Placement> {
        let mut tracer = Tracer::new(method, size);
        let mut solutions = std::vec![];
        while let Some(step) = tracer.forward() {
            if let Event::Solution { .. } = step.event {
                solutions.extend(tracer.view().placement());
            }
        }
        solutions
    }

    #[test]
    fn two_methods_stop_at_all_common_solutions() {
        for n in [1, 3, 4, 6] {
            let size = Size::new(n).unwrap();
            for &first in Stepped::ALL {
                let own = solutions(first, size);
                assert!(own.is_sorted(), "{first}");
                for &second in Stepped::ALL {
                    let other = solutions(second, size);
                    let mut pair = LockStep::new([first, second], size);
                    for common in own.iter().filter(|each| other.contains(each)) {
                        while pair.forward(1) == Seek::OutOfBudget {}
                        assert_eq!(pair.solution(), Some(*common), "{first} {second}");
                        assert_eq!(pair.last(), Some(*common), "{first} {second}");
                    }
                    assert_eq!(pair.forward(u64::MAX), Seek::NoMore);
                    assert_eq!(pair.solution(), None);
                    let last = own.iter().rfind(|each| other.contains(each));
                    assert_eq!(pair.last().as_ref(), last, "{first} {second}");
                    let mut whole = [first, second].map(|method| Tracer::new(method, size));
                    for (search, seen) in whole.iter_mut().zip(pair.searches()) {
                        while search.forward().is_some() {}
                        assert_eq!(search.work(), seen.work(), "{first} {second}");
                    }
                }
            }
        }
    }

    #[test]
    fn backtracking_and_symmetry_share_the_representatives() {
        let mut pair =
            LockStep::new([Stepped::Backtracking, Stepped::Symmetry], Size::new(8).unwrap());
        while pair.forward(u64::MAX) == Seek::Found {
            let solution = pair.solution().unwrap();
            assert_eq!(representative(&solution), solution);
        }
        assert_eq!(pair.common(), 12);
    }
}
