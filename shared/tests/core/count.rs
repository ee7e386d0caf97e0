//! Divides counts into random parts and merges these in random order.

use core::time::Duration;

use proptest::{collection::vec, prelude::*, sample::select};
use queens_core::{
    CountError, Done, Form, Method, PartialCount, Plan, Size, TaskError, Turns, finalize,
    halves::Isa, known::known,
};

/// Methods that enumerate all solutions, one of each mirror pair, and representatives, half-board matching
/// and the colour join.
const METHODS: [Method; 6] = [
    Method::Backtracking,
    Method::Bitmap,
    Method::Mirror,
    Method::Symmetry,
    Method::Halves,
    Method::Colours,
];

/// Counts the tasks of a plan in parts. `part_of` gives the part of each task and is repeated as
/// needed.
fn count_in_parts(plan: &Plan, parts: usize, part_of: &[usize]) -> Vec<PartialCount> {
    let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
    let mut parts = vec![PartialCount::new(plan); parts];
    for (task, &part) in (0..plan.len()).zip(part_of.iter().cycle()) {
        let result = counter.count(plan, task).unwrap();
        parts[part].add(Done { task, result, took: Duration::ZERO }).unwrap();
    }
    parts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_division_into_parts_gives_the_same_numbers(
        n in 1..=9u32,
        method in select(&METHODS[..]),
        part_of in vec(0..5usize, 1..60),
        order in Just([0usize, 1, 2, 3, 4]).prop_shuffle(),
    ) {
        let size = Size::new(n).unwrap();
        let plan = Plan::new(size, method);
        let parts = count_in_parts(&plan, 5, &part_of);
        let tasks_of = |part: &PartialCount| part.done().map(|done| done.task).collect::<Vec<_>>();
        let turns = Turns::search(size);
        let [last, others @ ..] = order;
        let mut whole = PartialCount::new(&plan);
        for part in others {
            whole.merge(parts[part].clone()).unwrap();
        }
        let last_tasks = tasks_of(&parts[last]);
        if let Some(&first) = last_tasks.first() {
            let missing = last_tasks.iter().map(|&task| task as u32).collect();
            let incomplete = CountError::Incomplete { missing, tasks: plan.len() };
            prop_assert_eq!(finalize(&whole, turns).unwrap_err(), incomplete);
            whole.merge(parts[last].clone()).unwrap();
            let doubled = Err(TaskError::Doubled { task: first });
            prop_assert_eq!(whole.merge(parts[last].clone()), doubled);
        }
        let checked = finalize(&whole, turns).unwrap();
        prop_assert_eq!(checked.numbers(), *known(n).unwrap());
    }
}

#[test]
fn a_counter_rejects_tasks_of_another_plan() {
    for method in [Method::Halves, Method::Colours] {
        let plan = |n| Plan::new(Size::new(n).unwrap(), method);
        let (eight, nine) = (plan(8), plan(9));
        let mut counter = eight.counter(Form::Recursive, Isa::PORTABLE);
        assert_eq!(
            counter.count(&nine, 2).unwrap_err().to_string(),
            format!("task 2 belongs to N = 9 by {method}, not to N = 8 by {method}")
        );
        assert!(counter.count(&eight, eight.len()).is_err());
    }
}
