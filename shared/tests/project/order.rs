//! Tests with measured times that finished tasks predict the remaining time, and that shards and
//! machines get about equal work.

use queens_core::{Method, Plan, Size, document::Shard};
use serde_json::Value;

/// The measured time of each task of the colour join.
fn times(n: u32) -> Vec<f64> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/task-times.json");
    let recorded: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let times = recorded["times"][n.to_string()].as_array().unwrap();
    times.iter().map(|time| time.as_f64().unwrap()).collect()
}

/// The largest relative error of the estimated remaining time, between the first tenth of the tasks
/// and the last twentieth.
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
fn a_tenth_of_the_tasks_predicts_the_remaining_time() {
    for n in [19, 21] {
        let plan = Plan::new(Size::new(n).unwrap(), Method::Colours);
        let times = times(n);
        assert_eq!(times.len(), plan.len());
        let error = worst_error(&plan.order(), &times);
        assert!(error < 0.25, "N = {n}: {error:.3}");
        // The tasks in the order of their numbers predict the remaining time less well.
        let numbered: Vec<usize> = (0..plan.len()).collect();
        let by_number = worst_error(&numbered, &times);
        println!("N = {n}: {error:.3} and {by_number:.3}");
        assert!(by_number > error, "N = {n}");
    }
}

/// The time of each of `of` shards.
fn shard_times(times: &[f64], of: u32) -> Vec<f64> {
    let time = |index| {
        let shard = Shard::new(index, of).unwrap();
        let own = times.iter().enumerate().filter(|(task, _)| shard.has(*task));
        own.map(|(_, time)| time).sum()
    };
    (0..of).map(time).collect()
}

#[test]
fn shards_take_about_the_same_time() {
    for n in [19, 21] {
        let times = times(n);
        for of in 2..=16 {
            let longest = shard_times(&times, of).into_iter().fold(0.0, f64::max);
            let mean = times.iter().sum::<f64>() / f64::from(of);
            assert!(longest < 1.25 * mean, "N = {n}, {of} shards: {:.3}", longest / mean);
        }
    }
}
