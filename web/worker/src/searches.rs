//! The job for each request, and the jobs that run a search.

use queens_core::{Event, Found, Numbers, Placement, Plan, Size, Stepped, Tracer, Turns};

use crate::{
    completions::{CompletionJob, FindCompletion},
    effort::Efforts,
    jobs::Job,
    protocol::{Answer, ClassLedger, Location, Representative, Request, SearchProgress},
    results::{self, Documents},
    timeline_index::TimelineIndex,
};

/// Creates the job for a request. `documents` holds the documents that requests refer to.
pub fn job(request: &Request, documents: &Documents) -> Box<dyn Job> {
    match *request {
        Request::TaskSummary { document, chosen } => {
            results::summary(documents.get(document), chosen)
        }
        Request::TaskList(document) => results::list(documents.get(document)),
        Request::TaskDifference(both) => {
            results::difference(both.map(|document| documents.get(document)))
        }
        Request::SumOfShards(ref shards) => {
            results::sum_of_shards(shards.iter().map(|&shard| documents.get(shard)).collect())
        }
        Request::Recount(ref request) => {
            results::recount(documents.get(request.document), request.task)
        }
        Request::Classes { size } => Box::new(Classes::new(size)),
        Request::TimelineIndex { method, size } => Box::new(TimelineIndex::new(method, size)),
        Request::Locate { method, placement } => Box::new(Locate::new(method, placement)),
        Request::Completions { queens } => Box::new(CompletionJob::new(&queens)),
        Request::Completion { queens, index } => Box::new(FindCompletion::new(&queens, index)),
        Request::Efforts { ref methods, size } => Box::new(Efforts::new(methods.clone(), size)),
    }
}

/// Returns all answers to a request that refers to no document. Tests of the page on the host, where
/// no worker runs, get the answers from this function.
#[cfg(not(target_family = "wasm"))]
pub fn answers(request: &Request) -> Vec<Answer> {
    const STEPS: u32 = 4096;
    let mut job = job(request, &Documents::default());
    let mut answers = Vec::new();
    loop {
        let more = job.work(STEPS);
        if !more || job.has_report() {
            answers.push(job.report());
        }
        if !more {
            return answers;
        }
    }
}

/// A search that measures its progress.
struct Search {
    tracer: Tracer,
    /// The row at which a task of the search's plan begins.
    task_row: u32,
    progress: SearchProgress,
}

impl Search {
    fn new(method: Stepped, size: Size) -> Search {
        let plan = Plan::new(size, method.into());
        let task_row = plan.describe(0).map_or(0, <[u8]>::len) as u32;
        let all = u32::try_from(plan.len()).unwrap_or(u32::MAX);
        Search {
            tracer: Tracer::new(method, size),
            task_row,
            progress: SearchProgress { entered: 0, all },
        }
    }

    /// Does one step; returns `None` after the last one.
    // Searches have tens of millions of steps, and a call for each would take a tenth of the time.
    #[inline(always)]
    fn forward(&mut self) -> Option<Event> {
        let event = self.tracer.forward()?;
        if event == (Event::Descend { row: self.task_row }) {
            self.progress.entered += 1;
        }
        Some(event)
    }

    /// Does up to `steps` steps. `visit` may stop the search by returning `false`. Returns whether
    /// the search continues.
    fn run(&mut self, steps: u32, mut visit: impl FnMut(Event, &Tracer) -> bool) -> bool {
        for _ in 0..steps {
            match self.forward() {
                Some(event) if visit(event, &self.tracer) => {}
                _ => return false,
            }
        }
        !self.tracer.is_done()
    }
}

/// Finds all classes of a board.
struct Classes {
    search: Search,
    found: Vec<Representative>,
}

impl Classes {
    fn new(size: Size) -> Classes {
        Classes { search: Search::new(Stepped::Symmetry, size), found: vec![] }
    }

    /// The totals, once all classes are found.
    fn ledger(&self) -> Option<ClassLedger> {
        let tracer = &self.search.tracer;
        let numbers = Numbers::of_classes(tracer.work().tally.classes)?;
        let turns = || Turns::search(tracer.view().size);
        tracer.is_done().then(|| ClassLedger { numbers, turns: turns() })
    }
}

impl Job for Classes {
    fn work(&mut self, steps: u32) -> bool {
        let Classes { search, found } = self;
        search.run(steps, |event, tracer| {
            if let Event::Solution { found: Found::Class(class) } = event
                && let Some(placement) = tracer.view().placement()
            {
                found.push(Representative { placement, class, step: tracer.steps() });
            }
            true
        })
    }

    fn report(&mut self) -> Answer {
        Answer::Classes {
            found: std::mem::take(&mut self.found),
            progress: self.search.progress,
            ledger: self.ledger(),
        }
    }

    /// The first report waits for a class, because an empty report would leave the view empty until
    /// the next one.
    fn has_report(&self) -> bool {
        !self.found.is_empty()
    }
}

/// Finds the place of a solution in a search.
struct Locate {
    search: Search,
    placement: Placement,
    location: Option<Location>,
}

impl Locate {
    fn new(method: Stepped, placement: Placement) -> Locate {
        Locate { search: Search::new(method, placement.size()), placement, location: None }
    }
}

impl Job for Locate {
    fn work(&mut self, steps: u32) -> bool {
        let Locate { search, placement, location } = self;
        search.run(steps, |event, tracer| {
            let is_found = matches!(event, Event::Solution { .. })
                && tracer.view().placement() == Some(*placement);
            if is_found {
                let tally = &tracer.work().tally;
                let (step, kept) = (tracer.steps(), tally.met());
                *location = Some(Location { step, kept, total: tally.total().unwrap_or(u64::MAX) });
            }
            !is_found
        })
    }

    fn report(&mut self) -> Answer {
        Answer::Located(self.location)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Class, representative};

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    /// Runs a request to its end in slices of `steps` steps and returns all answers.
    fn answers(request: &Request, steps: u32) -> Vec<Answer> {
        let mut job = job(request, &Documents::default());
        let mut answers = vec![];
        loop {
            let more = job.work(steps);
            answers.push(job.report());
            if !more {
                return answers;
            }
        }
    }

    fn classes(n: u32, steps: u32) -> (Vec<Placement>, ClassLedger) {
        let mut all = vec![];
        for answer in answers(&Request::Classes { size: size(n) }, steps) {
            match answer {
                Answer::Classes { found, progress, ledger } => {
                    assert!(progress.fraction() <= 1.0);
                    for Representative { placement, class, .. } in found {
                        assert_eq!(class, Class::of(&placement));
                        all.push(placement);
                    }
                    if let Some(ledger) = ledger {
                        return (all, ledger);
                    }
                }
                other => panic!("{other:?}"),
            }
        }
        panic!("no ledger for N = {n}");
    }

    #[test]
    fn finds_the_12_classes_of_n_8() {
        for steps in [1, 7, 100_000] {
            let (found, ledger) = classes(8, steps);
            assert_eq!(found.len(), 12);
            assert!(found.iter().all(|each| representative(each) == *each));
            assert!(found.is_sorted());
            assert_eq!(Numbers::of_classes([0, 0, 1, 11]), Some(ledger.numbers));
            assert_eq!(ledger.turns, Turns { half: 4, quarter: 0 });
            assert_eq!((ledger.numbers.total(), ledger.numbers.unique()), (92, 12));
        }
    }

    #[test]
    fn finds_the_classes_of_small_boards() {
        for (n, unique) in [(1, 1), (2, 0), (3, 0), (4, 1), (5, 2), (6, 1), (10, 92)] {
            let (found, ledger) = classes(n, 50);
            assert_eq!(found.len() as u64, unique, "N = {n}");
            assert_eq!(ledger.numbers.unique(), unique, "N = {n}");
            assert!(ledger.agrees(), "N = {n}");
        }
    }

    #[test]
    fn progress_ends_at_the_number_of_tasks() {
        for n in [1, 4, 8, 11] {
            match answers(&Request::Classes { size: size(n) }, 1000).pop() {
                Some(Answer::Classes { progress, ledger: Some(_), .. }) => {
                    assert_eq!(progress.entered, progress.all, "N = {n}");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn locates_only_representatives() {
        let (found, _) = classes(8, 1000);
        let locate = |placement| {
            let request = Request::Locate { method: Stepped::Symmetry, placement };
            answers(&request, 1 << 20).pop()
        };
        let Some(Answer::Located(Some(Location { step, .. }))) = locate(found[3]) else { panic!() };
        let mut timeline = queens_core::Timeline::new(Stepped::Symmetry, size(8));
        assert!(timeline.seek(step, u64::MAX));
        assert_eq!(timeline.view().placement(), Some(found[3]));
        assert_eq!(timeline.work().tally.met(), 4);
        let mirror = queens_core::Transform::LeftRight.apply(&found[3]);
        assert_eq!(locate(mirror), Some(Answer::Located(None)));
    }
}
