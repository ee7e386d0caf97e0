//! Checks of plans, their tasks, and the sums of the tasks' results.

use core::time::Duration;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use queens_core::{
    ClassCounts, CountError, Done, Form, Method, Numbers, Pace, PartialCount, Plan, Sample, Size,
    Tally, TaskSample, Turns, choose, finalize, half_turn, half_turn_from, known::known, recount,
    remaining,
};
use queens_fuzz::small;

use crate::isa;

#[derive(Arbitrary, Debug)]
pub enum Call {
    Known(u32),
    Numbers { size: Size, classes: [u64; 4], total: u64, turns: [u64; 2] },
    Tally([[u64; 6]; 2]),
    HalfTurn { size: Size, column: u32 },
    Plan { method: u8, size: Size, task: usize },
    Count { method: u8, size: Size, tasks: Vec<u16> },
    PartialCount { method: u8, size: Size, tasks: Vec<(u8, [u64; 6])>, turns: [u64; 2] },
    Pace(Vec<(usize, usize, Duration)>),
    Sample(Vec<(u64, usize, Duration, Duration)>, usize),
    Choose(Vec<u8>, usize, Vec<usize>),
}

impl Call {
    pub fn check(self) {
        match self {
            Call::Known(n) => {
                assert_eq!(known(n).is_some(), (1..=27).contains(&n));
            }
            Call::Numbers { size, classes, total, turns: [half, quarter] } => {
                of_classes(classes);
                if let Ok(numbers) = Numbers::by_burnside(size, total, Turns { half, quarter }) {
                    assert_eq!(
                        (numbers.total(), numbers.turns()),
                        (total, Turns { half, quarter })
                    );
                    assert!(numbers.unique() <= total);
                }
            }
            Call::Tally(tallies) => {
                let [a, b] = tallies.map(tally);
                assert_eq!(a.total(), exact_total(a));
                if let Some(sum) = a.checked_add(b) {
                    assert_eq!(b.checked_add(a), Some(sum));
                    assert_eq!(sum.total(), exact_total(sum));
                }
                assert!(u128::from(a.met()) <= a.total().map_or(u128::MAX, u128::from));
            }
            Call::HalfTurn { size, column } => {
                let size = small(size, 14);
                let all = (0..size.get()).map(|column| half_turn_from(size, column)).sum::<u64>();
                assert_eq!(all, half_turn(size));
                assert!(column < size.get() || half_turn_from(size, column) == 0);
            }
            Call::Plan { method, size, task } => plan(nth_method(method), small(size, 28), task),
            Call::Count { method, size, tasks } => {
                let method = nth_method(method);
                let size =
                    small(size, method.largest().min(if method.largest() < 10 { 5 } else { 8 }));
                count(&Plan::new(size, method), &tasks);
            }
            Call::PartialCount { method, size, tasks, turns } => {
                check_partial_count(&Plan::new(small(size, 8), nth_method(method)), &tasks, turns);
            }
            Call::Pace(observations) => {
                let mut pace = Pace::default();
                for (done, tasks, elapsed) in observations {
                    let _ = (pace.left(done, tasks, elapsed), remaining(done, elapsed, tasks));
                }
            }
            Call::Sample(samples, tasks) => {
                let mut sample = Sample::default();
                for &(solutions, parts, took, prepared) in &samples {
                    sample.add(TaskSample { solutions, parts: parts as f64 }, took, prepared);
                }
                assert_eq!(sample.tasks(), samples.len());
                assert!(sample.estimate(tasks).seconds >= 0.0);
            }
            Call::Choose(mut items, amount, numbers) => {
                let mut before = items.clone();
                let mut numbers = numbers.into_iter();
                let chosen = choose(&mut items, amount, |_| numbers.next().unwrap_or(0)).len();
                assert_eq!(chosen, amount.min(before.len()));
                before.sort_unstable();
                items.sort_unstable();
                assert_eq!(items, before);
            }
        }
    }
}

fn nth_method(method: u8) -> Method {
    Method::ALL[usize::from(method) % Method::ALL.len()]
}

fn tally([single, mirror_pairs, classes @ ..]: [u64; 6]) -> Tally {
    Tally { single, mirror_pairs, classes, ..Tally::default() }
}

fn exact_total(Tally { single, mirror_pairs, classes, .. }: Tally) -> Option<u64> {
    let members = [1, 2, 4, 8].into_iter().zip(classes).map(|(by, count)| by * u128::from(count));
    let sum = u128::from(single) + 2 * u128::from(mirror_pairs) + members.sum::<u128>();
    u64::try_from(sum).ok()
}

fn of_classes(classes: [u64; 4]) {
    let [_, count2, count4, count8] = classes;
    let counts = ClassCounts { count2, count4, count8 };
    let exact = exact_total(Tally { classes, ..Tally::default() });
    let numbers = Numbers::of_classes(classes);
    assert_eq!(numbers.map(|numbers| numbers.total()), exact);
    if let Some(numbers) = numbers {
        assert_eq!(u128::from(numbers.unique()), u128::from(classes[0]) + counts.unique());
        let Turns { half, quarter } = numbers.turns();
        assert!(quarter <= half && half <= numbers.total());
    }
}

/// Checks a plan without counting, so that large boards are possible, too.
fn plan(method: Method, size: Size, task: usize) {
    let plan = Plan::new(size, method);
    assert_eq!((plan.size(), plan.method()), (size, method));
    assert!((1..=Plan::MAX_TASKS).contains(&plan.len()));
    for task in [task, task % plan.len()] {
        let is_there = task < plan.len();
        let kinds = [plan.describe(task).is_some(), plan.pairs(task).is_some()];
        assert_eq!(kinds.map(usize::from).iter().sum::<usize>(), usize::from(is_there));
        assert_eq!(plan.queens(task).is_some(), plan.describe(task).is_some());
        assert!(is_there || plan.starts(task).is_empty() && recount(&plan, task).is_err());
    }
    if plan.len() < 2000 {
        let mut order = plan.order();
        order.sort_unstable();
        assert!(order.into_iter().eq(0..plan.len()));
    }
}

fn count(plan: &Plan, tasks: &[u16]) {
    let mut counter = plan.counter(Form::Iterative, isa::best());
    // Two task numbers are beyond the last task.
    for task in tasks.iter().take(4).map(|&task| usize::from(task) % (plan.len() + 2)) {
        let counted = plan.count(task, Form::Recursive);
        assert_eq!(counter.count(plan, task), counted);
        assert_eq!(counted.is_ok(), task < plan.len());
        assert_eq!(recount(plan, task).ok(), counted.ok().and_then(Tally::total_of));
        let _ = counter.sample_task(plan, task, || {});
    }
}

trait TotalOf {
    fn total_of(self) -> Option<u64>;
}

impl TotalOf for Tally {
    fn total_of(self) -> Option<u64> {
        self.total()
    }
}

fn check_partial_count(plan: &Plan, tasks: &[(u8, [u64; 6])], [half, quarter]: [u64; 2]) {
    let mut partial = PartialCount::new(plan);
    let mut sum = Tally::default();
    for &(task, numbers) in tasks {
        let done = Done { task: task.into(), result: tally(numbers), took: Duration::ZERO };
        let before = partial.clone();
        match partial.add(done) {
            Ok(()) => {
                assert!(!before.has(task.into()));
                sum = sum.checked_add(tally(numbers)).expect("the partial count accepted the task");
            }
            Err(error) => {
                assert_eq!(partial, before, "{error}");
            }
        }
        assert_eq!(partial.tally(), sum);
    }
    assert_eq!(partial.done().len() + partial.missing().count(), plan.len());
    assert_eq!(partial.is_complete(), partial.missing().next().is_none());
    match finalize(&partial, Turns { half, quarter }) {
        Ok(checked) => assert_eq!(Some(checked.numbers().total()), sum.total()),
        Err(CountError::Incomplete { missing, .. }) => {
            assert!(partial.missing().eq(missing.into_iter().map(|task| task as usize)));
        }
        Err(error) => assert!(partial.is_complete() && !error.to_string().is_empty()),
    }
}
