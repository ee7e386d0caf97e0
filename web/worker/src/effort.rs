//! Jobs that compare methods by their work.

use queens_core::{LockStep, Rule, Seek, Size, Stepped, Tracer};

use crate::{
    jobs::Job,
    protocol::{Answer, CommonSolution, Effort},
};

impl Effort {
    /// Returns the work that a search has done so far.
    fn of(search: &Tracer) -> Effort {
        let work = search.work();
        Effort {
            steps: search.steps(),
            placed: work.placed,
            looked_at: work.looked_at,
            attacked: work.attacked,
            cut: Rule::ALL.into_iter().map(|rule| work.cut_by(rule)).sum(),
            comparisons: work.comparisons,
            solutions: work.tally.met(),
            has_ended: search.is_done(),
        }
    }
}

/// Runs two methods up to a solution that both reach.
pub struct TwoMethods {
    searches: LockStep,
    target: CommonSolution,
    /// For `UpToStep`: the answer at the start or at the last common solution before the latest
    /// `forward`. It is reported if that `forward` went past the target step.
    last: Option<Answer>,
    have_ended: bool,
}

impl TwoMethods {
    /// Creates the job with both searches at the start.
    pub fn new(methods: [Stepped; 2], size: Size, target: CommonSolution) -> TwoMethods {
        TwoMethods { searches: LockStep::new(methods, size), target, last: None, have_ended: false }
    }

    /// Whether the searches have reached the target, passed the target step, or both ended.
    fn has_reached_target(&self) -> bool {
        match self.target {
            _ if self.have_ended => true,
            CommonSolution::Number(solutions) => self.searches.common() >= solutions,
            CommonSolution::UpToStep(_) => self.is_past_step(),
        }
    }

    /// Whether the first search has passed the target step.
    fn is_past_step(&self) -> bool {
        let [first, _] = self.searches.searches();
        matches!(self.target, CommonSolution::UpToStep(step) if first.steps() > step)
    }

    fn answer(&self, is_there: bool) -> Answer {
        let [first, second] = self.searches.searches();
        Answer::Compared {
            efforts: [Effort::of(first), Effort::of(second)],
            common: self.searches.common(),
            solution: self.searches.last(),
            is_there,
        }
    }
}

impl Job for TwoMethods {
    fn work(&mut self, steps: u32) -> bool {
        if !self.has_reached_target() {
            let is_common = self.last.is_none() || self.searches.solution().is_some();
            if is_common && matches!(self.target, CommonSolution::UpToStep(_)) {
                self.last = Some(self.answer(true));
            }
            self.have_ended = self.searches.forward(steps.into()) == Seek::NoMore;
        }
        !self.has_reached_target()
    }

    fn report(&mut self) -> Answer {
        match &self.last {
            // The first search is past the target step: report the last common solution before it.
            Some(last) if self.is_past_step() => last.clone(),
            _ => self.answer(self.has_reached_target()),
        }
    }
}

/// Runs the searches of all methods, one after the other, each to its end or to [`Effort::LIMIT`]
/// steps.
pub struct AllMethods {
    size: Size,
    /// The finished searches, followed by the current one.
    searches: Vec<Tracer>,
}

impl AllMethods {
    /// Creates the job; no search has begun.
    pub fn new(size: Size) -> AllMethods {
        AllMethods { size, searches: vec![] }
    }
}

impl Job for AllMethods {
    fn work(&mut self, steps: u32) -> bool {
        let started = self.searches.len();
        match self.searches.last_mut() {
            Some(search) if !search.is_done() && search.steps() < Effort::LIMIT => {
                (0..steps).all(|_| search.forward().is_some());
                true
            }
            _ => match Stepped::ALL.get(started) {
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

    fn last_answer(job: &mut dyn Job, steps: u32) -> Answer {
        while job.work(steps) {}
        job.report()
    }

    #[test]
    fn efforts_match_the_recursive_forms() {
        let Answer::Efforts { efforts } = last_answer(&mut AllMethods::new(size(6)), 1000) else {
            panic!()
        };
        assert_eq!(efforts.len(), Stepped::ALL.len());
        for (effort, &method) in efforts.iter().zip(Stepped::ALL) {
            let mut work = Work::default();
            method.search(size(6), &mut work);
            assert!(effort.has_ended, "{method}");
            assert_eq!(
                (effort.placed, effort.looked_at, effort.attacked),
                (work.placed, work.looked_at, work.attacked),
                "{method}"
            );
            assert_eq!(
                (effort.comparisons, effort.solutions),
                (work.comparisons, work.tally.met())
            );
        }
    }

    #[test]
    fn a_pair_stops_at_the_requested_solution() {
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
                let answer = last_answer(
                    &mut TwoMethods::new(methods, size(8), CommonSolution::Number(wanted)),
                    steps,
                );
                let Answer::Compared { efforts, common, solution, is_there: true } = answer else {
                    panic!("{answer:?}")
                };
                let expected = classes.get(wanted as usize - 1).copied();
                // A number beyond the last common solution means the end; the reported solution is
                // then the last common one.
                let last = expected.or(classes.last().copied());
                assert_eq!((common, solution.as_ref()), (wanted.min(12), last));
                let before = |each: &&_| expected.is_none_or(|expected| *each <= expected);
                let found = [common, solutions.iter().filter(before).count() as u64];
                assert_eq!(efforts.map(|effort| effort.solutions), found, "{wanted}");
            }
        }
    }

    #[test]
    fn a_pair_follows_the_steps_of_its_first_method() {
        for methods in [[Stepped::Symmetry, Stepped::Bitmap], [Stepped::Bitmap, Stepped::Symmetry]]
        {
            let mut timeline = queens_core::Timeline::new(methods[0], size(6));
            let (mut common, mut last) = (0, None);
            while let Some(step) = timeline.forward() {
                if let queens_core::Event::Solution { .. } = step.event
                    && let Some(solution) = timeline.view().placement()
                    && representative(&solution) == solution
                {
                    (common, last) = (common + 1, Some(solution));
                }
                let target = CommonSolution::UpToStep(timeline.step());
                for steps in [1, 100_000] {
                    let answer = last_answer(&mut TwoMethods::new(methods, size(6), target), steps);
                    let Answer::Compared { efforts, common: found, solution, is_there: true } =
                        answer
                    else {
                        panic!("{answer:?}")
                    };
                    assert_eq!((found, solution), (common, last), "{target:?}");
                    assert!(efforts[0].steps <= timeline.step(), "{target:?}");
                }
            }
            assert!(common > 0);
        }
    }
}
