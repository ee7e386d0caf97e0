//! Tests with measured times that finished tasks predict the remaining time, and that shards, machines
//! and threads get about equal work.

use std::{cmp::Reverse, collections::BinaryHeap};

use queens_core::{Method, Plan, Size, document::Shard};
use serde_json::Value;

fn recorded() -> Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/task-times.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// The measured time of each half-board matching task.
fn times(n: u32) -> Vec<f64> {
    let recorded = recorded();
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
    for n in [17, 18] {
        let plan = Plan::new(Size::new(n).unwrap(), Method::Halves);
        let times = times(n);
        assert_eq!(times.len(), plan.len());
        let error = worst_error(&plan.order(), &times);
        assert!(error < 0.12, "N = {n}: {error:.3}");
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
    for n in [17, 18] {
        let times = times(n);
        for of in 2..=16 {
            let longest = shard_times(&times, of).into_iter().fold(0.0, f64::max);
            let mean = times.iter().sum::<f64>() / f64::from(of);
            assert!(longest < 1.12 * mean, "N = {n}, {of} shards: {:.3}", longest / mean);
        }
    }
}

/// The time until the last of these shards (or tasks) is done, if each machine takes the next one as
/// soon as it is free, relative to the ideal time without idle machines.
fn last_end(times: &[f64], speeds: &[f64]) -> f64 {
    let mut ends = vec![0.0f64; speeds.len()];
    for time in times {
        let (end, speed) = ends.iter_mut().zip(speeds).min_by(|a, b| a.0.total_cmp(b.0)).unwrap();
        *end += time / speed;
    }
    let whole = times.iter().sum::<f64>() / speeds.iter().sum::<f64>();
    ends.into_iter().fold(0.0, f64::max) / whole
}

#[test]
fn many_shards_keep_unequal_machines_busy() {
    for n in [17, 18] {
        let times = times(n);
        for speeds in [&[1.0, 2.0, 4.0][..], &[1.0, 1.5, 2.0, 2.0, 3.0, 4.0], &[1.0, 2.0].repeat(4)]
        {
            let late = |each| last_end(&shard_times(&times, each * speeds.len() as u32), speeds);
            assert!(late(16) < 1.12, "N = {n}, {speeds:?}: {:.3}", late(16));
            // With one shard per machine, all wait for the slowest machine.
            assert!(late(1) > 1.4, "N = {n}, {speeds:?}: {:.3}", late(1));
        }
    }
}

#[test]
fn work_sharing_lets_threads_end_within_two_per_cent() {
    let plan = Plan::new(Size::new(24).unwrap(), Method::Halves);
    let sets: Vec<u32> =
        (0..plan.len()).map(|task| plan.expected_coverage(task).unwrap().sets).collect();
    // Only a sample of the tasks of N = 24 was measured. Each task gets the time per set of the
    // measured task at the same relative position, with both lists sorted by number of sets.
    let recorded = recorded();
    let measured = recorded["sets"].as_array().unwrap();
    let mut ascending: Vec<usize> = (0..plan.len()).collect();
    ascending.sort_by_key(|&task| sets[task]);
    let mut time_per_set = vec![0.0; plan.len()];
    for (rank, &task) in ascending.iter().enumerate() {
        time_per_set[task] = measured[rank * measured.len() / plan.len()][1].as_f64().unwrap();
    }
    let tasks: Vec<(f64, u32)> =
        plan.order().into_iter().map(|task| (time_per_set[task], sets[task])).collect();
    let whole: Vec<f64> = tasks.iter().map(|&(time, sets)| time * f64::from(sets)).collect();
    let excess = |end: f64| 100.0 * (end - 1.0);
    let alone = excess(last_end(&whole, &[1.0; 1000]));
    let shared = excess(last_shared_end(&tasks, 1000));
    println!("{shared:.2} % later, {alone:.2} % if each thread counted its last task alone");
    assert!(shared < 2.0 && shared < alone);
}

/// The time until the last of `threads` threads is done, relative to the ideal time without idle
/// threads. Each thread counts its own tasks, set by set. When no tasks are left, it takes sets
/// from the started task with the most remaining sets. `tasks` gives the time per set and the
/// number of sets of each task.
fn last_shared_end(tasks: &[(f64, u32)], threads: usize) -> f64 {
    let mut left: Vec<u32> = tasks.iter().map(|&(_, sets)| sets).collect();
    let mut begun = 0;
    // For each thread, the time at which it is free again, in nanoseconds, and its task.
    let mut free: BinaryHeap<_> = (0..threads).map(|_| (Reverse(0), usize::MAX)).collect();
    let mut end = 0;
    while let Some((Reverse(now), mut task)) = free.pop() {
        end = end.max(now);
        while left.get(task).is_none_or(|&left| left == 0) && begun < tasks.len() {
            task = begun;
            begun += 1;
        }
        if left[task] == 0 {
            task = (0..begun).max_by_key(|&task| left[task]).unwrap();
        }
        if left[task] > 0 {
            left[task] -= 1;
            free.push((Reverse(now + (1e9 * tasks[task].0) as u64), task));
        }
    }
    let whole: f64 = tasks.iter().map(|&(time, sets)| time * f64::from(sets)).sum();
    end as f64 / 1e9 / (whole / threads as f64)
}
