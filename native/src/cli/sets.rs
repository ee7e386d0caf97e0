//! Recounts of recorded column sets, and of the recorded parts of tasks of the colour join.

use std::sync::Arc;

use queens::{
    count::{self, BackendError, TaskQueue},
    isa,
};
use queens_core::{
    Attacks, Counter, Form, Method, Plan, Size, TaskError, draw_excluded, recount_audit_set,
};

/// The recount of a task's recorded column set.
pub struct SetRecount {
    method: Method,
    /// Number of solutions of the set, by the method of the document.
    pub set: u64,
    /// Number of solutions of a random part of the set, by that method and by backtracking. The part is the
    /// whole set for the colour join, and for half-board matching up to N = 23, where backtracking takes
    /// only seconds.
    part: [u64; 2],
}

impl SetRecount {
    /// Returns a description of the mismatch, if the two methods disagree.
    pub fn contradiction(&self, task: u32) -> Option<String> {
        let SetRecount { method, part: [counted, backtracking], .. } = self;
        (counted != backtracking).then(|| {
            format!(
                "part of the recorded column set of task {task} ({counted} by {method}, \
                 {backtracking} by backtracking)"
            )
        })
    }
}

/// Starts recounting the recorded column set of each task in `task_queue` on `threads` threads. `seed`
/// determines the random parts.
pub fn recount_sets(
    plan: Arc<Plan>,
    seed: u64,
    threads: usize,
    task_queue: TaskQueue<SetRecount>,
) -> Result<(), BackendError> {
    let counter = plan.counter(Form::Recursive, isa::best());
    count::workers_on_threads(threads, task_queue, move || {
        let (plan, mut counter) = (Arc::clone(&plan), counter.clone());
        move |task| recount_set(&mut counter, &plan, task, seed)
    })
}

/// Recounts the recorded column set of one task.
fn recount_set(
    counter: &mut Counter,
    plan: &Plan,
    task: usize,
    seed: u64,
) -> Result<SetRecount, TaskError> {
    let (size, method) = (plan.size(), plan.method());
    let mut random = fastrand::Rng::with_seed(seed.wrapping_add(task as u64));
    let excluded = match method {
        Method::Colours => Attacks::NONE,
        _ => draw_excluded(size, excluded_diagonals(size), |below| random.usize(..below)),
    };
    // A task without column sets gives `None`. No valid document records a set for such a task.
    let set = counter.count_audit_set(plan, task, Attacks::NONE)?.unwrap_or_default();
    let counted = match excluded {
        Attacks::NONE => set,
        _ => counter.count_audit_set(plan, task, excluded)?.unwrap_or_default(),
    };
    let backtracking = recount_audit_set(plan, task, excluded).unwrap_or_default();
    Ok(SetRecount { method, set, part: [counted, backtracking] })
}

/// Returns the number of diagonals in the random restriction, on which no queen of the upper half may stand
/// (see [`draw_excluded`]). The restriction reduces a recount to a part that takes backtracking only seconds.
///
/// Each diagonal roughly halves the remaining work. With three more diagonals for each step of N, the recount
/// took one to seven seconds from N = 24 to 28.
const fn excluded_diagonals(size: Size) -> usize {
    match size.get() {
        0..=23 => 0,
        n => 4 + 3 * (n as usize - 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_a_mismatch_between_the_method_and_backtracking() {
        for (method, task) in [(Method::Halves, 300), (Method::Colours, 9)] {
            let plan = Plan::new(Size::new(14).unwrap(), method);
            let mut counter = plan.counter(Form::Recursive, isa::best());
            let right = recount_set(&mut counter, &plan, task, 7).unwrap();
            assert!(right.set > 0 && right.contradiction(task as u32).is_none(), "{method}");
            let [counted, backtracking] = right.part;
            let wrong = SetRecount { part: [counted, backtracking + 2], ..right };
            assert_eq!(
                wrong.contradiction(task as u32).unwrap(),
                format!(
                    "part of the recorded column set of task {task} ({} by {method}, {} by \
                     backtracking)",
                    right.set,
                    right.set + 2
                )
            );
        }
    }
}
