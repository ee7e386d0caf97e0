//! The jobs that compare methods by their work.

use queens_core::{LockStep, Rule, Seek, Size, Stepped, Tracer};

use crate::{
    jobs::Job,
    protocol::{Answer, Effort},
};

impl Effort {
    /// What a search has done by now.
    fn of(search: &Tracer) -> Effort {
        let work = search.work();
        Effort {
            steps: search.steps(),
            tried: work.tried(),
            attacked: work.attacked,
            cut: Rule::ALL.into_iter().map(|rule| work.cut_by(rule)).sum(),
            comparisons: work.comparisons,
            met: work.tally.met(),
            ended: search.is_done(),
        }
    }
}

/// Two methods on their way to a solution that both meet.
pub struct Pair {
    searches: LockStep,
    /// How many of these solutions to go to.
    solutions: u64,
    ended: bool,
}

impl Pair {
    /// Two searches that have not begun.
    pub fn new(methods: [Stepped; 2], size: Size, solutions: u64) -> Pair {
        Pair { searches: LockStep::new(methods, size), solutions, ended: false }
    }
}

impl Job for Pair {
    fn work(&mut self, steps: u32) -> bool {
        if self.searches.common() < self.solutions {
            self.ended = self.searches.forward(steps.into()) == Seek::NoMore;
        }
        !self.ended && self.searches.common() < self.solutions
    }

    fn report(&mut self) -> Answer {
        let [first, second] = self.searches.searches();
        Answer::Compared {
            efforts: [Effort::of(first), Effort::of(second)],
            common: self.searches.common(),
            solution: self.searches.last(),
            there: self.ended || self.searches.common() >= self.solutions,
        }
    }
}

/// The whole searches of all methods, one after the other.
pub struct Efforts {
    size: Size,
    /// Those that are done, and the one that is at work.
    searches: Vec<Tracer>,
}

impl Efforts {
    /// No method has begun yet.
    pub fn new(size: Size) -> Efforts {
        Efforts { size, searches: vec![] }
    }
}

impl Job for Efforts {
    fn work(&mut self, steps: u32) -> bool {
        let begun = self.searches.len();
        match self.searches.last_mut() {
            Some(search) if !search.is_done() && search.steps() < Effort::LIMIT => {
                (0..steps).all(|_| search.forward().is_some());
                true
            }
            _ => match Stepped::ALL.get(begun) {
                Some(&method) => {
                    self.searches.push(Tracer::new(method, self.size));
                    true
                }
                None => false,
            },
        }
    }

    fn report(&mut self) -> Answer {
        Answer::Efforts { efforts: self.searches.iter().map(Effort::of).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Work, representative};

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    fn ended(job: &mut dyn Job, steps: u32) -> Answer {
        while job.work(steps) {}
        job.report()
    }

    #[test]
    fn all_methods_do_the_work_that_the_recursive_forms_do() {
        let Answer::Efforts { efforts } = ended(&mut Efforts::new(size(6)), 1000) else { panic!() };
        assert_eq!(efforts.len(), Stepped::ALL.len());
        for (effort, &method) in efforts.iter().zip(Stepped::ALL) {
            let mut work = Work::default();
            method.search(size(6), &mut work);
            assert!(effort.ended, "{method}");
            assert_eq!((effort.tried, effort.attacked), (work.tried(), work.attacked), "{method}");
            assert_eq!((effort.comparisons, effort.met), (work.comparisons, work.tally.met()));
        }
    }

    #[test]
    fn a_pair_stops_at_the_solution_that_was_asked_for() {
        let mut all = Tracer::new(Stepped::Bitmap, size(8));
        let mut solutions = vec![];
        while let Some(step) = all.forward() {
            if let queens_core::Event::Solution { .. } = step.event {
                solutions.extend(all.view().placement());
            }
        }
        let classes: Vec<_> =
            solutions.iter().filter(|each| representative(each) == **each).collect();
        let methods = [Stepped::Symmetry, Stepped::Bitmap];
        for steps in [1, 100_000] {
            for wanted in [1, 3, 12, u64::MAX] {
                let answer = ended(&mut Pair::new(methods, size(8), wanted), steps);
                let Answer::Compared { efforts, common, solution, there: true } = answer else {
                    panic!("{answer:?}")
                };
                let expected = classes.get(wanted as usize - 1).copied();
                // Beyond the last one it stays the last one.
                let last = expected.or(classes.last().copied());
                assert_eq!((common, solution.as_ref()), (wanted.min(12), last));
                let before = |each: &&_| expected.is_none_or(|expected| *each <= expected);
                let met = [common, solutions.iter().filter(before).count() as u64];
                assert_eq!(efforts.map(|effort| effort.met), met, "{wanted}");
            }
        }
    }
}
