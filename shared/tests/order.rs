//! Whether the tasks that are done tell how long the others will take.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

use queens_core::{Method, Plan, Size, document::Shard};
use serde_json::Value;

/// The processor's time for each task of half-board matching, as it was measured.
fn times(n: u32) -> Vec<f64> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/task-times.json");
    let recorded: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let times = recorded["times"][n.to_string()].as_array().unwrap();
    times.iter().map(|time| time.as_f64().unwrap()).collect()
}

/// The largest error of the remaining time, as a share of it, from the first tenth of the tasks
/// until a twentieth is left.
fn worst_error(order: &[usize], times: &[f64]) -> f64 {
    let (whole, tasks) = (times.iter().sum::<f64>(), order.len());
    let (mut done, mut worst) = (0.0, 0.0f64);
    for (number, &task) in (1..).zip(order) {
        done += times[task];
        if number * 10 >= tasks && number * 20 <= tasks * 19 {
            let left = done * (tasks - number) as f64 / number as f64;
            worst = worst.max((left / (whole - done) - 1.0).abs());
        }
    }
    worst
}

#[test]
fn a_tenth_of_the_tasks_tells_how_long_the_others_take() {
    for n in [17, 18] {
        let plan = Plan::new(Size::new(n).unwrap(), Method::Halves);
        assert_eq!(Plan::VERSION, 2, "the times belong to version 2 of the plan");
        let times = times(n);
        assert_eq!(times.len(), plan.len());
        let error = worst_error(&plan.order(), &times);
        assert!(error < 0.12, "N = {n}: {error:.3}");
        // The order matters: the numbers of the tasks are not one.
        let numbered: Vec<usize> = (0..plan.len()).collect();
        assert!(worst_error(&numbered, &times) > error, "N = {n}");
    }
}

#[test]
fn shards_take_about_the_same_time() {
    for n in [17, 18] {
        let times = times(n);
        for of in 2..=16 {
            let time = |index| {
                let shard = Shard::new(index, of).unwrap();
                let its = times.iter().enumerate().filter(|(task, _)| shard.has(*task));
                its.map(|(_, time)| time).sum::<f64>()
            };
            let longest = (0..of).map(time).fold(0.0, f64::max);
            let mean = times.iter().sum::<f64>() / f64::from(of);
            assert!(longest < 1.12 * mean, "N = {n}, {of} shards: {:.3}", longest / mean);
        }
    }
}
