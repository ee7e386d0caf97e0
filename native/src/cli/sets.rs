//! The chosen column sets of tasks, counted again.

use std::sync::Arc;

use queens::{
    count::{self, BackendError, Orders},
    isa,
};
use queens_core::{Attacks, Counter, Form, Plan, Size, TaskError, draw_spared, recount_chosen};

/// What was found out of a task's chosen column set.
pub struct Look {
    /// Its solutions, by half-board matching.
    pub set: u64,
    /// Those of a random part of it, by half-board matching and by backtracking. All, where that
    /// takes seconds.
    part: [u64; 2],
}

impl Look {
    /// What is wrong where both ways do not find the same.
    pub fn contradiction(&self, task: u32) -> Option<String> {
        let [matching, backtracking] = self.part;
        (matching != backtracking).then(|| {
            format!(
                "part of the recorded column set of task {task} ({matching} by halves, \
                 {backtracking} by backtracking)"
            )
        })
    }
}

/// Looks at the tasks that were ordered, on so many threads; `seed` chooses the parts.
pub fn look_at(
    plan: Arc<Plan>,
    seed: u64,
    threads: usize,
    orders: Orders<Look>,
) -> Result<(), BackendError> {
    let counter = plan.counter(Form::Recursive, isa::best());
    count::workers_on_threads(threads, orders, move || {
        let (plan, mut counter) = (Arc::clone(&plan), counter.clone());
        move |task| look(&mut counter, &plan, task, seed)
    })
}

fn look(counter: &mut Counter, plan: &Plan, task: usize, seed: u64) -> Result<Look, TaskError> {
    let size = plan.size();
    let mut random = fastrand::Rng::with_seed(seed.wrapping_add(task as u64));
    let spared = draw_spared(size, squares_spared(size), |below| random.usize(..below));
    // A document tells none of a task that has none.
    let set = counter.count_chosen(plan, task, Attacks::NONE)?.unwrap_or_default();
    let matching = match spared {
        Attacks::NONE => set,
        _ => counter.count_chosen(plan, task, spared)?.unwrap_or_default(),
    };
    let backtracking = recount_chosen(plan, task, spared).unwrap_or_default();
    Ok(Look { set, part: [matching, backtracking] })
}

/// How many squares in the row below the upper half it is not to attack, so that backtracking takes
/// seconds for what is left. Each takes about half of what is left before; three more for each N kept
/// what is left at one to seven seconds from N = 24 to 28.
const fn squares_spared(size: Size) -> usize {
    match size.get() {
        0..=23 => 0,
        n => 4 + 3 * (n as usize - 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::Method;

    #[test]
    fn what_two_ways_find_differently_is_told() {
        let plan = Plan::new(Size::new(14).unwrap(), Method::Halves);
        let mut counter = plan.counter(Form::Recursive, isa::best());
        let right = look(&mut counter, &plan, 300, 7).unwrap();
        assert!(right.set > 0 && right.contradiction(300).is_none());
        let [matching, backtracking] = right.part;
        let wrong = Look { part: [matching, backtracking + 2], ..right };
        assert_eq!(
            wrong.contradiction(300).unwrap(),
            format!(
                "part of the recorded column set of task 300 ({} by halves, {} by backtracking)",
                right.set,
                right.set + 2
            )
        );
    }
}
