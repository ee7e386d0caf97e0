//! `queens count N --estimate`: what a count would take, from a sample of its tasks.

use std::{
    io::Write,
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{
    Counter, Plan, Tally,
    halves::{ColumnSets, Isa},
};
use serde_json::{Value, json};

use super::{
    failure::Failure,
    interrupt::Interrupt,
    output::{self, BOLD, clock, thousands},
    progress::Progress,
};
use queens::count::{self, Cpu, Job};

/// How long the sample goes on, at least.
const SAMPLE: Duration = Duration::from_secs(5);

/// What was seen of one task.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// The task's total, or a guess at it.
    total: f64,
    /// How long the whole task takes.
    seconds: f64,
    /// Whether all of it was counted.
    whole: bool,
    /// Memory that all threads share, and that each has of its own, in bytes.
    memory: (usize, usize),
}

/// What a count would take.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    job: Job,
    threads: usize,
    /// The tasks of the plan, and of the sample.
    tasks: (usize, usize),
    memory: (usize, usize),
    seconds: f64,
    total: f64,
    /// The standard error of the total.
    error: f64,
}

/// Counts a sample of tasks, chosen over the whole plan but always the same.
///
/// # Errors
/// [`Failure`] if it was interrupted or the threads did not start.
pub fn estimate(
    job: Job,
    cpu: Cpu,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Estimate> {
    let plan = Arc::new(Plan::new(job.size, job.method));
    let counter = plan.counter(cpu.form, cpu.isa.unwrap_or(Isa::PORTABLE));
    let mut ids: Vec<usize> = (0..plan.len()).collect();
    fastrand::Rng::with_seed(0).shuffle(&mut ids);
    let clock = Instant::now();
    let mut seen: Vec<Seen> = vec![];
    let mut left = &ids[..];
    let mut most = cpu.threads.max(2);
    while !left.is_empty() && (seen.len() < 2 || clock.elapsed() < SAMPLE) {
        let (batch, rest) = left.split_at(most.min(left.len()));
        let what = format!("N = {}, {}, sample", job.size, job.method);
        let mut progress = Progress::new(quiet, what, batch.len(), interrupt);
        let start = |orders| {
            let (plan, counter) = (Arc::clone(&plan), counter.clone());
            count::workers_on_threads(cpu.threads, orders, move || {
                let (plan, mut counter) = (Arc::clone(&plan), counter.clone());
                move |task| see(&plan, &mut counter, task)
            })
        };
        let done = count::run(batch.to_vec(), start, &mut |done| progress.at(done));
        progress.clear();
        seen.extend(done.map_err(Failure::of_run)?.into_iter().map(|done| done.result));
        left = rest;
        // Few calls, and none that is much longer than all before.
        most = seen.len();
    }
    Ok(summary(job, cpu.threads, plan.len(), &seen))
}

/// Counts a task, or of several column sets only one.
fn see(plan: &Plan, counter: &mut Counter, task: usize) -> Seen {
    let sets: Option<Vec<ColumnSets>> = plan.column_sets(task).map(Iterator::collect);
    let clock = Instant::now();
    let (total, share) = match sets {
        Some(sets) if sets.is_empty() => (Some(Tally::default()), 1.0),
        Some(sets) => {
            let one = sets.get(task % sets.len()).copied();
            (one.and_then(|one| counter.count_sets(&one)), sets.len() as f64)
        }
        None => (counter.count(plan, task), 1.0),
    };
    let seconds = clock.elapsed().as_secs_f64() * share;
    let total = total.and_then(|tally| tally.total()).unwrap_or_default() as f64 * share;
    Seen { total, seconds, whole: share <= 1.0, memory: counter.memory() }
}

/// Means over a sample, and what follows for the whole.
fn summary(job: Job, threads: usize, tasks: usize, seen: &[Seen]) -> Estimate {
    let sampled = seen.len().max(1) as f64;
    let all = tasks as f64;
    let mean = |of: fn(&Seen) -> f64| seen.iter().map(of).sum::<f64>() / sampled;
    let total = mean(|seen| seen.total);
    let squares: f64 = seen.iter().map(|seen| (seen.total - total).powi(2)).sum();
    // Of a sample that is nearly everything little is left to chance.
    let left = if seen.iter().all(|seen| seen.whole) { 1.0 - sampled / all } else { 1.0 };
    let variance = squares / (sampled - 1.0).max(1.0) * left.max(0.0);
    let greatest = |of: fn(&Seen) -> usize| seen.iter().map(of).max().unwrap_or(0);
    Estimate {
        job,
        threads,
        tasks: (tasks, seen.len()),
        memory: (greatest(|seen| seen.memory.0), greatest(|seen| seen.memory.1)),
        seconds: mean(|seen| seen.seconds) * all / threads.max(1) as f64,
        total: total * all,
        error: all * (variance / sampled).sqrt(),
    }
}

impl Estimate {
    /// The estimate as a text for people.
    ///
    /// # Errors
    /// What writing fails with.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Estimate { job, threads, tasks: (tasks, sampled), memory, total, error, .. } = *self;
        let mebibytes = |bytes: usize| bytes.div_ceil(1 << 20);
        let time = Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX);
        writeln!(out, "{BOLD}N = {}, {}: an estimate{BOLD:#}", job.size, job.method)?;
        output::fields(
            out,
            &[
                (
                    "Tasks",
                    format!(
                        "{}, of which {} were looked at",
                        thousands(tasks as u64),
                        thousands(sampled as u64)
                    ),
                ),
                ("Time", format!("{} on {threads} threads", clock(time))),
                (
                    "Memory",
                    format!(
                        "{} MiB for all, {} MiB for each thread",
                        mebibytes(memory.0),
                        mebibytes(memory.1)
                    ),
                ),
                ("Total", format!("{total:.3e} ± {error:.1e}")),
            ],
        )
    }

    /// The estimate as JSON; the numbers of solutions are decimal strings.
    pub fn to_json(self) -> Value {
        let Estimate { job, threads, tasks: (tasks, sampled), memory, seconds, total, error } =
            self;
        json!({
            "n": job.size.get(), "method": job.method.id(), "tasks": tasks, "sampled": sampled,
            "threads": threads, "seconds": seconds,
            "memory": { "shared": memory.0, "per_thread": memory.1 },
            "total": format!("{total:.0}"), "error": format!("{error:.0}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Form, Method, Size, known::known};

    fn of(n: u32, method: Method) -> Estimate {
        let job = Job { size: Size::new(n).unwrap(), method };
        let interrupt = Interrupt::none();
        estimate(job, Cpu::new(1, Form::Recursive, method), true, &interrupt).unwrap()
    }

    #[test]
    fn a_sample_of_everything_is_exact() {
        let estimate = of(8, Method::Symmetry);
        assert_eq!((estimate.total, estimate.error), (92.0, 0.0));
        assert_eq!(estimate.tasks.0, estimate.tasks.1);
    }

    #[test]
    fn the_total_is_within_its_error() {
        let estimate = of(15, Method::Halves);
        let off = (estimate.total - known(15).unwrap().total() as f64).abs();
        assert!(estimate.error > 0.0 && off < 5.0 * estimate.error, "{estimate:?}");
        assert!(estimate.memory.0 > 1000 && estimate.memory.1 > 1000 && estimate.seconds > 0.0);
    }
}
