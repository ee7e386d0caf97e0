//! Divides counts into random parts and merges these in random order.

use core::time::Duration;

use proptest::{collection::vec, prelude::*, sample::select};
use queens_core::{
    CountError, Done, Form, Isa, Method, PartialCount, Plan, Size, TaskError, Turns, finalize,
    known::known,
};

/// Methods that enumerate all solutions, one of each mirror pair, and representatives, and the colour join.
const METHODS: [Method; 5] =
    [Method::Backtracking, Method::Bitmap, Method::Mirror, Method::Symmetry, Method::Colours];

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
