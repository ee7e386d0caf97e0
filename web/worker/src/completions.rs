//! Jobs that count or find the solutions that contain given queens.

use std::vec;

use queens_core::{Completions, Placement, Queens, Seek};

use crate::{
    jobs::Job,
    protocol::{Answer, SearchProgress},
};

/// The smallest number of parts into which a count is divided, unless there are fewer solutions. The
/// progress bar advances once per part.
const PARTS: usize = 500;

/// Counts the solutions that contain given queens, part by part.
pub struct CompletionJob {
    /// The search of the current part; `None` after the last part.
    search: Option<Completions>,
    remaining: vec::IntoIter<Queens>,
    /// The number of all parts.
    parts: usize,
    /// The number of solutions in finished parts.
    found: u64,
}

impl CompletionJob {
    /// Starts a count of the solutions that contain `queens`.
    pub fn new(queens: &Queens) -> CompletionJob {
        let mut remaining = Completions::parts(queens, PARTS).into_iter();
        let parts = remaining.len();
        let search = remaining.next().as_ref().map(Completions::new);
        CompletionJob { search, remaining, parts, found: 0 }
    }
}

impl Job for CompletionJob {
    fn work(&mut self, steps: u32) -> bool {
        if let Some(search) = &mut self.search
            && !search.run(steps.into())
        {
            self.found += search.found();
            self.search = self.remaining.next().as_ref().map(Completions::new);
        }
        self.search.is_some()
    }

    fn report(&mut self) -> Answer {
        let running = usize::from(self.search.is_some());
        let finished = self.parts - self.remaining.len() - running;
        Answer::Completions {
            found: self.found + self.search.as_ref().map_or(0, Completions::found),
            progress: SearchProgress { entered: finished as u32, all: self.parts as u32 },
            done: self.search.is_none(),
        }
    }
}

/// Finds one of the solutions that contain given queens.
pub struct FindCompletion {
    search: Completions,
    index: u64,
    found: Option<Placement>,
    is_missing: bool,
}

impl FindCompletion {
    /// Starts a search for solution number `index`, from 0, among those that contain `queens`.
    pub fn new(queens: &Queens, index: u64) -> FindCompletion {
        FindCompletion { search: Completions::new(queens), index, found: None, is_missing: false }
    }
}

impl Job for FindCompletion {
    fn work(&mut self, steps: u32) -> bool {
        match self.search.search(steps.into()) {
            Seek::Found if self.search.found() > self.index => {
                self.found = self.search.solution();
                false
            }
            Seek::Found | Seek::OutOfBudget => true,
            Seek::NoMore => {
                self.is_missing = true;
                false
            }
        }
    }

    fn report(&mut self) -> Answer {
        Answer::Completion { placement: self.found, is_missing: self.is_missing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Size, notation};

    fn queens(n: u32, squares: &str) -> Queens {
        notation::queens(Size::new(n).unwrap(), squares).unwrap()
    }

    #[test]
    fn counts_reach_the_number_of_completions() {
        for (given, total) in [
            (queens(8, ""), 92),
            (queens(8, "0:7"), 4),
            (queens(11, ""), 2680),
            (queens(3, ""), 0),
            (queens(8, "0:7,7:0"), 0),
            (queens(1, "0:0"), 1),
        ] {
            let mut job = CompletionJob::new(&given);
            let mut before = (0, 0.0);
            loop {
                let more = job.work(50);
                let Answer::Completions { found, progress, done } = job.report() else { panic!() };
                let now = (found, progress.fraction());
                assert!(now.0 >= before.0 && now.1 >= before.1 && now.1 <= 1.0, "{given:?}");
                assert_eq!(done, !more);
                before = now;
                if done {
                    break;
                }
            }
            assert_eq!(before.0, total, "{given:?}");
        }
    }

    #[test]
    fn solutions_are_found_one_by_one() {
        let given = queens(8, "0:7");
        let find = |index| {
            let mut job = FindCompletion::new(&given, index);
            while job.work(100) {}
            let Answer::Completion { placement, is_missing } = job.report() else { panic!() };
            assert_eq!(is_missing, placement.is_none());
            placement
        };
        let all: Vec<Placement> = Completions::new(&given).collect();
        let found: Vec<Placement> = (0..4).filter_map(find).collect();
        assert_eq!(found, all);
        assert_eq!(find(4), None);
    }
}
