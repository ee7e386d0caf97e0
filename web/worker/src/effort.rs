//! The job that compares methods by their work.

use queens_core::{Rule, Size, Stepped, Tracer};

use crate::{
    jobs::Job,
    protocol::{Answer, Effort},
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

/// Runs the searches of methods, one after the other, each to its end or to [`Effort::LIMIT`] steps.
pub struct Efforts {
    methods: Vec<Stepped>,
    size: Size,
    /// The finished searches, followed by the current one.
    searches: Vec<Tracer>,
}

impl Efforts {
    /// Creates the job; no search has begun.
    pub fn new(methods: Vec<Stepped>, size: Size) -> Efforts {
        Efforts { methods, size, searches: vec![] }
    }
}

impl Job for Efforts {
    fn work(&mut self, steps: u32) -> bool {
        let started = self.searches.len();
        match self.searches.last_mut() {
            Some(search) if !search.is_done() && search.steps() < Effort::LIMIT => {
                (0..steps).all(|_| search.forward().is_some());
                true
            }
            _ => match self.methods.get(started) {
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
    use queens_core::Work;

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    fn last_answer(job: &mut dyn Job, steps: u32) -> Answer {
        while job.work(steps) {}
        job.report()
    }

    #[test]
    fn efforts_match_the_recursive_forms() {
        let mut job = Efforts::new(Stepped::ALL.to_vec(), size(6));
        let Answer::Efforts { efforts } = last_answer(&mut job, 1000) else { panic!() };
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
}
