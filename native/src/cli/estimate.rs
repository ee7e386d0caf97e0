//! `queens count N --estimate`: what a count would take, from a sample of its tasks.

use std::{
    io::Write,
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{Done, Glimpse, Plan, Sample, choose, halves::Isa};
use serde_json::{Value, json};

use super::{
    failure::Failure,
    interrupt::Interrupt,
    output::{self, BOLD, clock, thousands},
    progress::Progress,
};
use queens::count::{self, Cpu};

/// How long the sample goes on, at least.
const SAMPLE: Duration = Duration::from_secs(5);

/// What a count would take.
#[derive(Clone, Debug)]
pub struct Estimate {
    plan: Arc<Plan>,
    threads: usize,
    /// The tasks of the sample.
    sampled: usize,
    /// Memory that all threads share, and that each has of its own, in bytes.
    memory: (usize, usize),
    seconds: f64,
    /// The standard error of the time, in seconds.
    seconds_error: f64,
    total: f64,
    /// The standard error of the total.
    error: f64,
}

/// Counts a sample of tasks, chosen over the whole plan but always the same.
///
/// # Errors
/// [`Failure`] if it was interrupted or the threads did not start.
pub fn estimate(
    plan: Plan,
    cpu: Cpu,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Estimate> {
    let plan = Arc::new(plan);
    let counter = plan.counter(cpu.form, cpu.isa.unwrap_or(Isa::PORTABLE));
    let mut ids: Vec<usize> = (0..plan.len()).collect();
    let mut random = fastrand::Rng::with_seed(0);
    choose(&mut ids, usize::MAX, |below| random.usize(..below));
    let clock = Instant::now();
    let (mut sample, mut memory) = (Sample::default(), (0, 0));
    let mut left = &ids[..];
    let mut most = cpu.threads.max(2);
    while !left.is_empty() && (sample.tasks() < 2 || clock.elapsed() < SAMPLE) {
        let (batch, rest) = left.split_at(most.min(left.len()));
        let what = format!("N = {}, {}, sample", plan.size(), plan.method());
        let mut progress = Progress::new(quiet, what, batch.len(), 0, interrupt);
        let start = |orders| {
            let (plan, counter) = (Arc::clone(&plan), counter.clone());
            count::workers_on_threads(cpu.threads, orders, move || {
                let (plan, mut counter) = (Arc::clone(&plan), counter.clone());
                move |task| Ok((counter.glimpse(&plan, task)?, counter.memory()))
            })
        };
        let mut see = |done: Done<(Glimpse, (usize, usize))>| {
            let (glimpse, (shared, own)) = done.result;
            sample.add(glimpse, done.took);
            memory = (shared.max(memory.0), own.max(memory.1));
            Ok(())
        };
        let run = count::run_into(batch.to_vec(), start, &mut see, &mut |done| progress.at(done));
        progress.clear();
        run.map_err(Failure::of_run)?;
        left = rest;
        // Few calls, and none that is much longer than all before.
        most = sample.tasks();
    }
    // Sets that have not been looked at may take more, up to what a thread may have.
    let most = usize::try_from(Cpu::memory_of_a_thread(plan.size(), plan.method()));
    memory.1 = memory.1.max(most.unwrap_or(usize::MAX));
    let whole = sample.estimate(plan.len());
    Ok(Estimate {
        plan,
        threads: cpu.threads,
        sampled: sample.tasks(),
        memory,
        seconds: whole.seconds / cpu.threads.max(1) as f64,
        seconds_error: whole.seconds_variance.sqrt() / cpu.threads.max(1) as f64,
        total: whole.total,
        error: whole.variance.sqrt(),
    })
}

impl Estimate {
    /// The estimate as a text for people.
    ///
    /// # Errors
    /// What writing fails with.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Estimate { plan, threads, sampled, memory, total, error, .. } = self;
        let mebibytes = |bytes: usize| bytes.div_ceil(1 << 20);
        let time = Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX);
        let percent = 100.0 * self.seconds_error / self.seconds.max(f64::MIN_POSITIVE);
        writeln!(out, "{BOLD}N = {}, {}: an estimate{BOLD:#}", plan.size(), plan.method())?;
        output::fields(
            out,
            &[
                (
                    "Tasks",
                    format!(
                        "{}, of which {} were looked at",
                        thousands(plan.len() as u64),
                        thousands(*sampled as u64)
                    ),
                ),
                ("Time", format!("{} ± {percent:.0}% on {threads} threads", clock(time))),
                (
                    "Memory",
                    format!(
                        "{} MiB for all, up to {} MiB for each thread",
                        mebibytes(memory.0),
                        mebibytes(memory.1)
                    ),
                ),
                ("Total", format!("{total:.3e} ± {error:.1e}")),
            ],
        )
    }

    /// The estimate as JSON; the numbers of solutions are decimal strings.
    pub fn to_json(&self) -> Value {
        let Estimate { plan, threads, sampled, memory, seconds, seconds_error, total, error } =
            self;
        json!({
            "n": plan.size().get(), "method": plan.method().id(), "tasks": plan.len(),
            "sampled": sampled,
            "threads": threads, "seconds": seconds, "seconds_error": seconds_error,
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
        let plan = Plan::new(Size::new(n).unwrap(), method);
        let interrupt = Interrupt::none();
        estimate(plan, Cpu::new(1, Form::Recursive, method), true, &interrupt).unwrap()
    }

    #[test]
    fn a_sample_of_everything_is_exact() {
        let estimate = of(8, Method::Symmetry);
        assert_eq!((estimate.total, estimate.error), (92.0, 0.0));
        assert_eq!(estimate.plan.len(), estimate.sampled);
    }

    #[test]
    fn the_total_is_within_its_error() {
        let estimate = of(15, Method::Halves);
        let off = (estimate.total - known(15).unwrap().total() as f64).abs();
        assert!(estimate.error > 0.0 && off < 5.0 * estimate.error, "{estimate:?}");
        assert!(estimate.memory.0 > 1000 && estimate.memory.1 > 1000 && estimate.seconds > 0.0);
    }
}
