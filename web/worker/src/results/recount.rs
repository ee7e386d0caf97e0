//! Recounts of a result's tasks with a different implementation than the one that counted them.

use std::vec;

use queens_core::{Plan, PlanId, recount};

use super::documents::Held;
use crate::{
    jobs::Job,
    protocol::{Answer, Other, Recounted},
};

/// The largest number of mismatches that are listed.
const MOST_NAMED: usize = 12;

/// Recounts tasks one after the other.
pub struct Recount {
    /// The plan that the tasks belong to.
    plan: Plan,
    left: vec::IntoIter<(u32, u64)>,
    so_far: Recounted,
}

impl Recount {
    /// Creates a recount of one task of a document, or of all tasks.
    pub fn new(document: &Held, task: Option<u32>) -> Recount {
        let tasks = document.tasks.iter().map(|task| (task.id, task.total));
        let wanted = tasks.filter(|&(id, _)| task.is_none_or(|task| task == id));
        Recount::of(document.plan(), wanted.collect())
    }

    /// Creates a recount of tasks of a plan, with the number of solutions claimed for each.
    fn of(plan: PlanId, tasks: Vec<(u32, u64)>) -> Recount {
        Recount { plan: plan.plan(), left: tasks.into_iter(), so_far: Recounted::default() }
    }
}

impl Job for Recount {
    /// Recounts the next task, which may take longer than a slice.
    fn work(&mut self, _steps: u32) -> bool {
        let Some((id, told)) = self.left.next() else { return false };
        let here = recount(&self.plan, id as usize).ok();
        let so_far = &mut self.so_far;
        so_far.counted += 1;
        if here != Some(told) {
            so_far.different += 1;
            if so_far.others.len() < MOST_NAMED {
                so_far.others.push(Other { id, told, here });
            }
        }
        self.left.len() > 0
    }

    fn report(&mut self) -> Answer {
        Answer::Recounted(Recounted { left: self.left.len() as u64, ..self.so_far.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Form, Method, Size};

    fn recounted(mut job: Recount) -> Recounted {
        while job.work(1) {}
        let Answer::Recounted(recounted) = job.report() else { panic!() };
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
        assert_eq!(found, Recounted { counted: all, ..Recounted::default() });

        // One too many in one task and one too few in another: the sum is right.
        let mut wrong = tasks.clone();
        wrong[2].1 += 1;
        wrong[7].1 -= 1;
        let found = recounted(Recount::of(id, wrong.clone()));
        let of = |id: u32, told| Other { id, told, here: Some(tasks[id as usize].1) };
        assert_eq!((found.counted, found.left, found.different), (all, 0, 2));
        assert_eq!(found.others, [of(2, wrong[2].1), of(7, wrong[7].1)]);

        // A task that is not in the plan is a mismatch. Only the first few mismatches are listed.
        let none = (0..30).map(|id| (1000 + id, 0)).collect();
        let found = recounted(Recount::of(id, none));
        assert_eq!((found.different, found.others.len()), (30, MOST_NAMED));
        assert_eq!(found.others[0], Other { id: 1000, told: 0, here: None });
    }
}
