//! Whether the tasks that are done tell how long the others will take.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

use queens_core::{Method, Plan, Size, document::Shard};
use serde_json::Value;

fn recorded() -> Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/task-times.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// The processor's time for each task of half-board matching, as it was measured.
fn times(n: u32) -> Vec<f64> {
    let recorded = recorded();
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

/// The time of each of so many shards.
fn shards(times: &[f64], of: u32) -> Vec<f64> {
    let time = |index| {
        let shard = Shard::new(index, of).unwrap();
        let its = times.iter().enumerate().filter(|(task, _)| shard.has(*task));
        its.map(|(_, time)| time).sum()
    };
    (0..of).map(time).collect()
}

#[test]
fn shards_take_about_the_same_time() {
    for n in [17, 18] {
        let times = times(n);
        for of in 2..=16 {
            let longest = shards(&times, of).into_iter().fold(0.0, f64::max);
            let mean = times.iter().sum::<f64>() / f64::from(of);
            assert!(longest < 1.12 * mean, "N = {n}, {of} shards: {:.3}", longest / mean);
        }
    }
}

/// When the last shard is done, if each machine takes the next one as soon as it is free, against
/// the time in which all could be done if nobody ever waited.
fn last_end(shards: &[f64], speeds: &[f64]) -> f64 {
    let mut ends = vec![0.0f64; speeds.len()];
    for time in shards {
        let (end, speed) = ends.iter_mut().zip(speeds).min_by(|a, b| a.0.total_cmp(b.0)).unwrap();
        *end += time / speed;
    }
    let whole = shards.iter().sum::<f64>() / speeds.iter().sum::<f64>();
    ends.into_iter().fold(0.0, f64::max) / whole
}

#[test]
fn many_shards_keep_unequal_machines_busy_to_the_end() {
    for n in [17, 18] {
        let times = times(n);
        for speeds in [&[1.0, 2.0, 4.0][..], &[1.0, 1.5, 2.0, 2.0, 3.0, 4.0], &[1.0, 2.0].repeat(4)]
        {
            let late = |each| last_end(&shards(&times, each * speeds.len() as u32), speeds);
            assert!(late(16) < 1.12, "N = {n}, {speeds:?}: {:.3}", late(16));
            // With one for each machine all wait for the slowest.
            assert!(late(1) > 1.4, "N = {n}, {speeds:?}: {:.3}", late(1));
        }
    }
}

#[test]
fn the_last_of_a_thousand_workers_ends_soon_after_the_others() {
    let plan = Plan::new(Size::new(24).unwrap(), Method::Halves);
    let sets: Vec<u32> = (0..plan.len()).map(|task| plan.covered(task).unwrap().sets).collect();
    // Tasks take what those measured do that have as many sets as others of theirs.
    let recorded = recorded();
    let measured = recorded["sets"].as_array().unwrap();
    let mut ascending: Vec<usize> = (0..plan.len()).collect();
    ascending.sort_by_key(|&task| sets[task]);
    let mut of_a_set = vec![0.0; plan.len()];
    for (place, &task) in ascending.iter().enumerate() {
        of_a_set[task] = measured[place * measured.len() / plan.len()][1].as_f64().unwrap();
    }
    let order = plan.order();
    let time = |&task: &usize| of_a_set[task] * f64::from(sets[task]);
    let whole: Vec<f64> = order.iter().map(time).collect();
    let (first, last) = order.split_at(order.len() / 20 * 19);
    let apart = last.iter().flat_map(|&task| vec![of_a_set[task]; sets[task] as usize]);
    let in_sets: Vec<f64> = first.iter().map(time).chain(apart).collect();
    let late = |times: &[f64]| 100.0 * (last_end(times, &[1.0; 1000]) - 1.0);
    let (whole, in_sets) = (late(&whole), late(&in_sets));
    println!("{whole:.2} % later, {in_sets:.2} % if the last twentieth were handed out in sets");
    assert!(whole < 8.0 && in_sets < 2.0);
}
