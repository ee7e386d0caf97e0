//! Recounts of a result's tasks by plain backtracking, independent of the code that counted them.

use std::vec;

use queens_core::{Plan, PlanId, recount};

use super::documents::StoredDocument;
use crate::{
    jobs::Job,
    protocol::{Answer, Mismatch, RecountProgress},
};

/// The largest number of mismatches that are listed.
const MAX_LISTED: usize = 12;

/// Recounts tasks one after the other.
pub struct Recount {
    /// The plan that the tasks belong to.
    plan: Plan,
    /// The remaining tasks, each with the number of solutions that the document claims.
    remaining: vec::IntoIter<(u32, u64)>,
    progress: RecountProgress,
}

impl Recount {
    /// Creates a recount of one task of a document, or of all tasks.
    pub fn new(document: &StoredDocument, task: Option<u32>) -> Recount {
        let tasks = document.tasks.iter().map(|task| (task.id, task.total));
        let selected = tasks.filter(|&(id, _)| task.is_none_or(|task| task == id));
        Recount::of(document.plan(), selected.collect())
    }

    /// Creates a recount of tasks of a plan, with the number of solutions claimed for each.
    fn of(plan: PlanId, tasks: Vec<(u32, u64)>) -> Recount {
        Recount {
            plan: plan.plan(),
            remaining: tasks.into_iter(),
            progress: RecountProgress::default(),
        }
    }
}

impl Job for Recount {
    /// Recounts the next task, which may take longer than a slice.
    fn work(&mut self, _steps: u32) -> bool {
        let Some((id, claimed)) = self.remaining.next() else { return false };
        let recounted = recount(&self.plan, id as usize).ok();
        let progress = &mut self.progress;
        progress.counted += 1;
        if recounted != Some(claimed) {
            progress.mismatch_count += 1;
            if progress.mismatches.len() < MAX_LISTED {
                progress.mismatches.push(Mismatch { id, claimed, recounted });
            }
        }
        self.remaining.len() > 0
    }

    fn report(&mut self) -> Answer {
        Answer::RecountProgress(RecountProgress {
            remaining: self.remaining.len() as u64,
            ..self.progress.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Form, Method, Size};

    fn recounted(mut job: Recount) -> RecountProgress {
        while job.work(1) {}
        let Answer::RecountProgress(recounted) = job.report() else { panic!() };
        recounted
    }

    #[test]
    fn recounts_tasks_and_reports_mismatches() {
        let id = PlanId { size: Size::new(8).unwrap(), method: Method::Symmetry };
        let plan = id.plan();
        let true_total = |task| plan.count(task, Form::Recursive).unwrap().total().unwrap();
        let tasks: Vec<_> = (0..plan.len()).map(|task| (task as u32, true_total(task))).collect();
        let all = tasks.len() as u64;
        let found = recounted(Recount::of(id, tasks.clone()));
        assert_eq!(found, RecountProgress { counted: all, ..RecountProgress::default() });

        // One too many in one task and one too few in another: the sum is right.
        let mut wrong = tasks.clone();
        wrong[2].1 += 1;
        wrong[7].1 -= 1;
        let found = recounted(Recount::of(id, wrong.clone()));
        let mismatch =
            |id: u32, claimed| Mismatch { id, claimed, recounted: Some(tasks[id as usize].1) };
        assert_eq!((found.counted, found.remaining, found.mismatch_count), (all, 0, 2));
        assert_eq!(found.mismatches, [mismatch(2, wrong[2].1), mismatch(7, wrong[7].1)]);

        // A task that is not in the plan is a mismatch. Only the first few mismatches are listed.
        let none = (0..30).map(|id| (1000 + id, 0)).collect();
        let found = recounted(Recount::of(id, none));
        assert_eq!((found.mismatch_count, found.mismatches.len()), (30, MAX_LISTED));
        assert_eq!(found.mismatches[0], Mismatch { id: 1000, claimed: 0, recounted: None });
    }
}
