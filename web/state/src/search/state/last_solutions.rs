//! The last solutions that the search has found, up to its current step.

use queens_core::{Event, Placement, Size, Timeline, Tracer};

use super::goal::SLICE;

/// A solution of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundSolution {
    /// Its number among the solutions of the search, from 1.
    pub number: u64,
    /// The step that finds it.
    pub step: u64,
    /// Its queens.
    pub placement: Placement,
}

/// The last solutions up to the current step. They are not recorded while the search runs, because a
/// jump passes millions of steps. They are found again from the copies of the search that the
/// timeline keeps, the last solution first.
#[derive(Clone, Debug, Default)]
pub(super) struct LastSolutions {
    /// The solutions, in the order of their numbers.
    found: Vec<FoundSolution>,
    /// The search that finds missing solutions. It stays at the solution that it found last, which is
    /// near the next solution while the user plays the search.
    search: Option<Tracer>,
}

impl LastSolutions {
    /// The largest number of solutions that are listed on boards of a size: all up to N = 8.
    pub(super) fn capacity(size: Size) -> u64 {
        if size.get() <= 8 { 92 } else { 24 }
    }

    /// The solutions, in the order in which the search finds them.
    pub(super) fn found(&self) -> &[FoundSolution] {
        &self.found
    }

    /// Whether a solution is missing.
    pub(super) fn is_incomplete(&self, timeline: &Timeline) -> bool {
        self.missing(timeline).is_some()
    }

    /// Removes solutions after the timeline's step, and the oldest ones above the capacity.
    pub(super) fn trim(&mut self, timeline: &Timeline) {
        let [first, last] = LastSolutions::range(timeline);
        self.found.retain(|found| (first..=last).contains(&found.number));
    }

    /// Looks for missing solutions up to the timeline's step while `more` returns true, for at least
    /// one slice.
    pub(super) fn work(&mut self, timeline: &Timeline, more: &mut dyn FnMut() -> bool) {
        while let Some(number) = self.missing(timeline) {
            self.search_for(number, timeline);
            if !more() {
                return;
            }
        }
    }

    /// Returns the numbers of the first and the last solution to list. The list is empty if the first
    /// number is greater.
    fn range(timeline: &Timeline) -> [u64; 2] {
        let last = solution_count(timeline.tracer());
        [last.saturating_sub(LastSolutions::capacity(timeline.view().size)) + 1, last]
    }

    /// Returns the number of the last missing solution.
    fn missing(&self, timeline: &Timeline) -> Option<u64> {
        let [first, last] = LastSolutions::range(timeline);
        (first..=last).rev().find(|&number| self.position(number).is_err())
    }

    /// Returns the index of a solution, or the index at which to insert it.
    fn position(&self, number: u64) -> Result<usize, usize> {
        self.found.binary_search_by_key(&number, |found| found.number)
    }

    /// Searches for a solution for at most one slice, and adds all missing solutions on the way.
    fn search_for(&mut self, wanted_number: u64, timeline: &Timeline) {
        let [first, _] = LastSolutions::range(timeline);
        let copy = timeline.copy_before(solution_count, wanted_number);
        let search = self.search.take().filter(|search| {
            solution_count(search) < wanted_number
                && copy.is_none_or(|copy| copy.steps() <= search.steps())
        });
        let Some(mut search) = search.or_else(|| copy.cloned()) else { return };
        for _ in 0..SLICE {
            let Some(step) = search.forward() else { break };
            let number = solution_count(&search);
            if let Event::Solution { .. } = step
                && number >= first
                && let Err(position) = self.position(number)
                && let Some(placement) = search.view().placement()
            {
                let step = search.steps();
                self.found.insert(position, FoundSolution { number, step, placement });
            }
            if number >= wanted_number {
                break;
            }
        }
        self.search = Some(search);
    }
}

/// Returns the number of solutions that a search has found.
fn solution_count(search: &Tracer) -> u64 {
    search.work().tally.met()
}

#[cfg(test)]
mod tests {
    use queens_core::{Seek, Stepped};

    use super::*;

    /// The last solutions up to a step, found by a plain search.
    fn expected(method: Stepped, n: u32, step: u64) -> Vec<FoundSolution> {
        let mut search = Tracer::new(method, Size::new(n).unwrap());
        let mut found = vec![];
        while search.steps() < step
            && let Some(done) = search.forward()
        {
            if let Event::Solution { .. } = done {
                found.push(FoundSolution {
                    number: found.len() as u64 + 1,
                    step: search.steps(),
                    placement: search.view().placement().unwrap(),
                });
            }
        }
        let capacity = LastSolutions::capacity(search.view().size) as usize;
        let rest = found.len().saturating_sub(capacity);
        found.split_off(rest)
    }

    fn listed(solutions: &LastSolutions) -> Vec<FoundSolution> {
        solutions.found().to_vec()
    }

    #[test]
    fn has_the_last_solutions_up_to_any_step() {
        let small = |method: Stepped| if method.facts().largest < 10 { 4 } else { 6 };
        let all = Stepped::ALL.iter().map(|&method| (method, small(method)));
        for (method, n) in all.chain([(Stepped::Symmetry, 8), (Stepped::Bitmap, 9)]) {
            let mut timeline = Timeline::new(method, Size::new(n).unwrap());
            timeline.seek(u64::MAX, u64::MAX);
            let end = timeline.step();
            let mut solutions = LastSolutions::default();
            for step in [end, 0, end / 2, end / 3, end - 1, 7, end / 2 + 1, end] {
                timeline.seek(step, u64::MAX);
                solutions.trim(&timeline);
                solutions.work(&timeline, &mut || true);
                assert_eq!(listed(&solutions), expected(method, n, step), "{method} step {step}");
                assert!(!solutions.is_incomplete(&timeline));
            }
        }
    }

    #[test]
    fn takes_each_solution_as_it_is_found() {
        let mut timeline = Timeline::new(Stepped::Bitmap, Size::new(8).unwrap());
        let mut solutions = LastSolutions::default();
        let mut count = 0;
        while timeline.seek_next(solution_count, u64::MAX) == Seek::Found {
            count += 1;
            solutions.trim(&timeline);
            solutions.work(&timeline, &mut || true);
            let list = listed(&solutions);
            assert_eq!(list.len() as u64, count);
            let last = list.last().unwrap();
            assert_eq!((last.number, last.step), (count, timeline.step()));
            assert_eq!(Some(last.placement), timeline.view().placement());
        }
        assert_eq!(count, 92);
    }

    /// The end of N = 12 comes after millions of steps, of which the last solutions need few.
    #[test]
    fn finds_the_last_solutions_of_a_long_search_in_a_few_slices() {
        let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(12).unwrap());
        timeline.seek(u64::MAX, u64::MAX);
        let (mut solutions, mut slices) = (LastSolutions::default(), 0);
        while solutions.is_incomplete(&timeline) {
            solutions.work(&timeline, &mut || false);
            slices += 1;
            // The last one comes first.
            assert!(slices < 3 || solutions.position(solution_count(timeline.tracer())).is_ok());
        }
        assert!(slices * SLICE < timeline.step() / 4, "{slices} slices");
        assert_eq!(solutions.found().len() as u64, LastSolutions::capacity(timeline.view().size));
    }
}
