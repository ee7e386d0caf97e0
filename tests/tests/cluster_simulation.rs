//! Simulates a record count on many machines. Some machines fail, some are slow, and one returns
//! wrong results. They count the shards of a real plan. The plan, the documents, their checks and
//! their sum are real. Times, totals and failures are invented.
//!
//! `cargo xtask simulate` does this for N = 28 with a thousand machines and prints the cost.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};
use std::{cmp::Reverse, env, mem, time::Duration};

use fastrand::Rng;
use queens_core::document::{
    Backend, BackendKind, Circumstances, Document, Host, Program, Seconds, Shard, Shards,
};
use queens_core::{Done, Form, Method, PartialCount, Plan, Size, Tally, Turns, finalize};

/// The fraction of tasks for which the faulty machine returns a wrong total.
const WRONG_FRACTION: f64 = 0.1;
/// The mean time between failures of a machine, in hours.
const HOURS_TO_FAILURE: f64 = 200.0;
/// The time for which a failed machine is unavailable, in hours.
const REPAIR_HOURS: f64 = 1.0;
/// One in this number of machines is ten times as slow as the others.
const SLOW_INTERVAL: usize = 50;
/// The minimum number of audit rounds. In each round, another machine recounts one shard of each
/// machine.
const MIN_ROUNDS: usize = 3;

/// A machine's result of a task.
#[derive(Clone, Copy, PartialEq)]
struct TaskResult {
    total: u64,
    machine: usize,
}

struct Machine {
    /// The speed relative to that of a machine which takes the times in `Simulation::hours`.
    speed: f64,
    is_faulty: bool,
}

/// Tasks that machines work on one after another until all are done.
struct Job {
    tasks: Vec<usize>,
    /// The machines that must not work on this job.
    excluded: BTreeSet<usize>,
}

/// A machine's current work on a job.
struct Attempt {
    machine: usize,
    job: usize,
    /// The tasks in order, with the time when each is done.
    plan: Vec<(usize, f64)>,
    begin: f64,
    end: f64,
}

struct Simulation {
    plan: Plan,
    /// The true total of each task.
    truth: Vec<u64>,
    /// The hours that each task takes on a machine of speed 1.
    hours: Vec<f64>,
    machines: Vec<Machine>,
    random: Rng,
    clock: f64,
    /// The total work of all machines in hours.
    work_hours: f64,
    failures: usize,
    copies: usize,
}

/// Converts a time to its key in the event queue, reversed so that the heap returns the earliest
/// time first.
fn queue_key(hours: f64) -> Reverse<u64> {
    Reverse((hours * 3.6e9) as u64)
}

impl Simulation {
    fn new(n: u32, machines: usize, seed: u64) -> Simulation {
        let plan = Plan::new(Size::new(n).unwrap(), Method::Halves);
        let mut random = Rng::with_seed(seed);
        // The mean number of solutions per task, for a total of about 2.6 × 10^18, as expected for
        // N = 28.
        let mean = 2_600_000_000_000_000_000 / plan.len() as u64;
        let mut truth: Vec<u64> =
            (0..plan.len()).map(|_| 2 * random.u64(mean / 4..3 * mean / 4)).collect();
        // The checks require that the total and the number of solutions with half-turn symmetry
        // have the same remainder modulo 8. `merge_shards` invents a multiple of 8 as that number.
        truth[0] += 8 - truth.iter().sum::<u64>() % 8;
        let hours = truth.iter().map(|_| 0.8 + 0.4 * random.f64()).collect();
        let faulty = random.usize(..machines);
        let machines = (0..machines)
            .map(|index| {
                let slow = index % SLOW_INTERVAL == 1 && index != faulty;
                let speed = (0.7 + 0.6 * random.f64()) / if slow { 10.0 } else { 1.0 };
                Machine { speed, is_faulty: index == faulty }
            })
            .collect();
        let (clock, work_hours) = (0.0, 0.0);
        Simulation {
            plan,
            truth,
            hours,
            machines,
            random,
            clock,
            work_hours,
            failures: 0,
            copies: 0,
        }
    }

    fn faulty_machine(&self) -> usize {
        self.machines.iter().position(|machine| machine.is_faulty).unwrap()
    }

    /// Returns a machine's result of a task. A wrong total is even like the right one, so that no
    /// check of a single task detects it.
    fn result_of(&mut self, machine: usize, task: usize) -> TaskResult {
        let truth = self.truth[task];
        let is_wrong = self.machines[machine].is_faulty && self.random.f64() < WRONG_FRACTION;
        let total = if is_wrong { truth + 2 * self.random.u64(1..1000) } else { truth };
        TaskResult { total, machine }
    }

    /// Completes all jobs. A free machine takes the next job. If no job is queued, it repeats the
    /// running job that would end last, as a backup task (Dean and Ghemawat, 2004). A machine that
    /// fails loses its current task, and another one resumes the job from the journal.
    fn work(&mut self, jobs: &[Job]) -> BTreeMap<usize, TaskResult> {
        let mut results = BTreeMap::new();
        let mut queue: VecDeque<usize> = (0..jobs.len()).collect();
        let mut unfinished: BTreeSet<usize> = (0..jobs.len()).collect();
        let mut attempts: BTreeMap<usize, Attempt> = BTreeMap::new();
        // The times when machines become free or fail.
        let mut events: BinaryHeap<(Reverse<u64>, usize)> = BinaryHeap::new();
        let mut times: Vec<f64> = vec![self.clock; self.machines.len()];
        events.extend((0..self.machines.len()).map(|machine| (queue_key(self.clock), machine)));
        let mut idle = BTreeSet::new();
        while !unfinished.is_empty() {
            let (time, machine) = events.pop().unwrap();
            if time != queue_key(times[machine]) {
                // The attempt was cancelled.
                continue;
            }
            self.clock = times[machine];
            if let Some(attempt) = attempts.remove(&machine) {
                self.work_hours += attempt.end - attempt.begin;
                for &(task, end) in &attempt.plan {
                    if end <= attempt.end && !results.contains_key(&task) {
                        let result = self.result_of(attempt.machine, task);
                        results.insert(task, result);
                    }
                }
                let is_done = jobs[attempt.job].tasks.iter().all(|task| results.contains_key(task));
                if is_done && unfinished.remove(&attempt.job) {
                    // Copies of the job are no longer needed.
                    let others: Vec<usize> = attempts
                        .values()
                        .filter(|other| other.job == attempt.job)
                        .map(|other| other.machine)
                        .collect();
                    for other in others {
                        if let Some(copy) = attempts.remove(&other) {
                            self.work_hours += self.clock - copy.begin;
                        }
                        times[other] = self.clock;
                        events.push((queue_key(self.clock), other));
                    }
                } else if !is_done {
                    self.failures += 1;
                    queue.push_front(attempt.job);
                    times[machine] = self.clock + REPAIR_HOURS;
                    events.push((queue_key(times[machine]), machine));
                    // An idle machine may take the work.
                    for other in mem::take(&mut idle) {
                        times[other] = self.clock;
                        events.push((queue_key(self.clock), other));
                    }
                    continue;
                }
            }
            let fits = |job: usize| !jobs[job].excluded.contains(&machine);
            let next = queue.iter().position(|&job| fits(job) && unfinished.contains(&job));
            let job = match next.and_then(|place| queue.remove(place)) {
                Some(job) => Some(job),
                None => self.job_to_copy(machine, &attempts, &fits).inspect(|_| self.copies += 1),
            };
            let Some(job) = job else {
                idle.insert(machine);
                continue;
            };
            let speed = self.machines[machine].speed;
            let mut end = self.clock;
            let rest = jobs[job].tasks.iter().filter(|task| !results.contains_key(task));
            let plan = rest.map(|&task| {
                end += self.hours[task] / speed;
                (task, end)
            });
            let plan: Vec<_> = plan.collect();
            let fails = self.clock - HOURS_TO_FAILURE * (1.0 - self.random.f64()).ln();
            let end = end.min(fails);
            times[machine] = end;
            events.push((queue_key(end), machine));
            attempts.insert(machine, Attempt { machine, job, plan, begin: self.clock, end });
        }
        results
    }

    /// Returns the running job with the latest end that this machine could finish earlier and of
    /// which no copy runs yet.
    fn job_to_copy(
        &self,
        machine: usize,
        attempts: &BTreeMap<usize, Attempt>,
        fits: &dyn Fn(usize) -> bool,
    ) -> Option<usize> {
        let mut copies: BTreeMap<usize, usize> = BTreeMap::new();
        for attempt in attempts.values() {
            *copies.entry(attempt.job).or_default() += 1;
        }
        let improvable = |attempt: &&Attempt| {
            let hours: f64 = attempt.plan.iter().map(|(task, _)| self.hours[*task]).sum();
            let own_end = self.clock + hours / self.machines[machine].speed;
            fits(attempt.job) && copies[&attempt.job] == 1 && own_end < attempt.end
        };
        let candidates = attempts.values().filter(improvable);
        candidates.max_by(|a, b| a.end.total_cmp(&b.end)).map(|attempt| attempt.job)
    }
}

fn tasks(plan: &Plan, shard: &Shard) -> Vec<usize> {
    (shard.index as usize..plan.len()).step_by(shard.of as usize).collect()
}

/// Merges all shards with the real documents and their checks. Returns `None` if the checks reject the
/// total.
fn merge_shards(
    simulation: &Simulation,
    shard_count: u32,
    results: &BTreeMap<usize, TaskResult>,
) -> Option<u64> {
    let mut shards = Shards::default();
    for index in 0..shard_count {
        let shard = Shard::new(index, shard_count).unwrap();
        let mut part = PartialCount::new(&simulation.plan);
        for task in tasks(&simulation.plan, &shard) {
            let result = Tally { single: results[&task].total, ..Tally::default() };
            let took = Duration::from_secs_f64(3600.0 * simulation.hours[task]);
            part.add(Done { task, result, took }).unwrap();
        }
        let circumstances = Circumstances {
            form: Form::Recursive,
            backend: Backend::new(BackendKind::Cpu, "invented", "1 thread"),
            program: Program::new("simulate", "", ""),
            host: Host::new("none", "invented", 1),
            started: "2026-01-31T09:30:00Z".to_owned(),
            seconds: Seconds::new(1e6).unwrap(),
        };
        // The checks of a single shard cannot detect a wrong total.
        let document = Document::of_shard(&part, shard, circumstances).unwrap();
        shards.add(&index.to_string(), &document).unwrap();
    }
    assert!(shards.missing(shard_count).is_empty());
    // Invented, like the totals. Only the remainder of `half` modulo 8 matters.
    let turns = Turns { half: 800_000_000, quarter: 0 };
    finalize(shards.part().unwrap(), turns).ok().map(|checked| checked.numbers().total())
}

/// The outcome of a run.
struct RunOutcome {
    total: Option<u64>,
    truth: u64,
    suspects: BTreeSet<usize>,
    faulty_machine: usize,
}

/// Counts, then audits for at least `MIN_ROUNDS` rounds and until the total passes the checks.
/// Prints each step.
fn simulate(n: u32, machines: usize, shard_count: u32, seed: u64) -> RunOutcome {
    let mut simulation = Simulation::new(n, machines, seed);
    let shard = |index| Shard::new(index, shard_count).unwrap();
    let jobs = (0..shard_count).map(|index| Job {
        tasks: tasks(&simulation.plan, &shard(index)),
        excluded: BTreeSet::new(),
    });
    let jobs: Vec<Job> = jobs.collect();
    println!(
        "N = {n}: {} tasks in {shard_count} shards on {machines} machines; each fails every {HOURS_TO_FAILURE} h, one of \
         {SLOW_INTERVAL} is ten times as slow, and one returns a wrong total in every {:.0}th of its tasks",
        simulation.plan.len(),
        1.0 / WRONG_FRACTION
    );
    let mut results = simulation.work(&jobs);
    let first_work = simulation.work_hours;
    println!(
        "counted once: {:.1} h, {:.0} h of work; {} failures, {} copies of slow jobs",
        simulation.clock, simulation.work_hours, simulation.failures, simulation.copies
    );
    let truth = simulation.truth.iter().sum();
    let mut total = merge_shards(&simulation, shard_count, &results);
    let verdict = match total {
        None => "wrong; the check of its remainder detects it",
        Some(total) if total == truth => "right",
        Some(_) => "wrong; no check detects it",
    };
    println!("the total is {verdict}");
    let mut suspects = BTreeSet::new();
    for round in 1.. {
        // Another machine recounts a shard of each machine that is not a suspect.
        let mut shards_of: Vec<Vec<u32>> = vec![vec![]; machines];
        for index in 0..shard_count {
            let shard_tasks = tasks(&simulation.plan, &shard(index));
            let machine =
                results[&shard_tasks[simulation.random.usize(..shard_tasks.len())]].machine;
            shards_of[machine].push(index);
        }
        let trusted =
            shards_of.iter().enumerate().filter(|(machine, _)| !suspects.contains(machine));
        let audits: Vec<Job> = trusted
            .filter_map(|(_, shards)| simulation.random.choice(shards))
            .map(|&index| {
                let tasks = tasks(&simulation.plan, &shard(index));
                let excluded = tasks.iter().map(|task| results[task].machine).collect();
                Job { tasks, excluded: &excluded | &suspects }
            })
            .collect();
        let recounts = simulation.work(&audits);
        let differs = |task: &usize| recounts[task].total != results[task].total;
        let mismatches: Vec<usize> = recounts.keys().copied().filter(differs).collect();
        // A third machine decides in each case.
        let jobs = mismatches.iter().map(|&task| Job {
            tasks: vec![task],
            excluded: [results[&task].machine, recounts[&task].machine].into(),
        });
        let third_counts = simulation.work(&jobs.collect::<Vec<_>>());
        for (task, third) in &third_counts {
            let both = [results[task], recounts[task]].into_iter();
            suspects.extend(
                both.filter(|result| result.total != third.total).map(|result| result.machine),
            );
        }
        // All results of the suspects are recounted.
        let is_suspicious = |result: &TaskResult| suspects.contains(&result.machine);
        let suspicious_results = results.iter().filter(|(_, result)| is_suspicious(result));
        let jobs = suspicious_results
            .map(|(&task, _)| Job { tasks: vec![task], excluded: suspects.clone() });
        let jobs: Vec<Job> = jobs.collect();
        let corrections = simulation.work(&jobs);
        println!(
            "round {round}: a shard of each machine recounted; {} tasks differ, suspects {suspects:?}, {} \
             tasks replaced; {:.1} h, {:.1} % more work than the first count",
            third_counts.len(),
            corrections.len(),
            simulation.clock,
            100.0 * (simulation.work_hours / first_work - 1.0)
        );
        results.extend(corrections);
        total = merge_shards(&simulation, shard_count, &results);
        if round >= MIN_ROUNDS && total.is_some() {
            break;
        }
        assert!(round < 30, "the total still fails the checks after {round} rounds");
    }
    let faulty_machine = simulation.faulty_machine();
    RunOutcome { total, truth, suspects, faulty_machine }
}

fn assert_correct(n: u32, machines: usize, shard_count: u32, seed: u64) {
    let outcome = simulate(n, machines, shard_count, seed);
    assert_eq!(outcome.suspects.into_iter().collect::<Vec<_>>(), [outcome.faulty_machine]);
    assert_eq!(outcome.total, Some(outcome.truth));
    println!("the faulty machine is found, and the total is right");
}

#[test]
fn simulated_cluster_finds_the_total_and_the_faulty_machine() {
    if env::var_os("QUEENS_ENDURE").is_some() {
        assert_correct(28, 1000, 8192, 28);
    } else {
        assert_correct(28, 60, 1024, 1);
    }
}
