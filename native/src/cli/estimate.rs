//! `queens count N --estimate`: what a count would take, from a sample of its tasks.

use std::{
    io::Write,
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{
    Done, Plan, Sample, choose,
    document::{Backend as Record, BackendKind},
};
use serde_json::{Value, json};

use super::{
    failure::Failure,
    interrupt::Interrupt,
    output::{self, BOLD, clock, thousands},
    progress::Progress,
};
use queens::count::{self, Backend, Cpu, RunError, Seen};

/// How long the sample goes on, at least.
const SAMPLE: Duration = Duration::from_secs(5);

/// What a count would take.
#[derive(Clone, Debug)]
pub struct Estimate {
    plan: Arc<Plan>,
    /// What it would be counted on.
    on: Record,
    threads: usize,
    /// The tasks of the sample.
    sampled: usize,
    /// Memory that all threads of the processor share, and that each has of its own, in bytes.
    memory: Option<(usize, usize)>,
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
/// [`Failure`] if it was interrupted, or the backend did not start or failed.
pub fn estimate(
    plan: Plan,
    backend: &dyn Backend,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Estimate> {
    let (plan, on) = (Arc::new(plan), backend.record());
    let threads = backend.threads().max(1);
    let mut ids: Vec<usize> = (0..plan.len()).collect();
    let mut random = fastrand::Rng::with_seed(0);
    choose(&mut ids, usize::MAX, |below| random.usize(..below));
    let clock = Instant::now();
    let (mut sample, mut memory) = (Sample::default(), None);
    let mut left = &ids[..];
    // A GPU is at its best in batches of its own, one after the other, which all take as long: so
    // it may be stopped at any of them. The processor's threads would end with their short tasks.
    let is_gpu = on.kind != BackendKind::Cpu;
    let mut most = if is_gpu { ids.len() } else { threads.max(2) };
    while !left.is_empty() && (sample.tasks() < 2 || clock.elapsed() < SAMPLE) {
        let (batch, rest) = left.split_at(most.min(left.len()));
        let what = format!("N = {}, {}, sample", plan.size(), plan.method());
        let mut progress = Progress::new(quiet, what, batch.len(), 0, interrupt);
        let mut see = |done: Done<Seen>| {
            let Seen { glimpse, memory: taken } = done.result;
            sample.add(glimpse, done.took);
            let larger = |(shared, own): (usize, usize)| {
                let (before, own_before) = memory.unwrap_or_default();
                (shared.max(before), own.max(own_before))
            };
            memory = taken.map(larger).or(memory);
            Ok(())
        };
        let mut is_enough = false;
        let mut watch = |done| {
            is_enough = is_gpu && done >= 2 && clock.elapsed() >= SAMPLE;
            if is_enough { ControlFlow::Break(()) } else { progress.at(done) }
        };
        let start = |orders| backend.start_sample(Arc::clone(&plan), orders);
        let run = count::run_into(batch.to_vec(), start, &mut see, &mut watch);
        progress.clear();
        match run {
            Err(RunError::Stopped { .. }) if is_enough => break,
            other => other.map_err(Failure::of_run)?,
        }
        left = rest;
        // Few calls, and none that is much longer than all before.
        most = sample.tasks();
    }
    // Sets that have not been looked at may take more, up to what a thread may have.
    let most = usize::try_from(Cpu::memory_of_a_thread(plan.size(), plan.method()));
    let memory = memory.map(|(shared, own)| (shared, own.max(most.unwrap_or(usize::MAX))));
    let whole = sample.estimate(plan.len());
    Ok(Estimate {
        plan,
        on,
        threads,
        sampled: sample.tasks(),
        memory,
        seconds: whole.seconds / threads as f64,
        seconds_error: whole.seconds_variance.sqrt() / threads as f64,
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
        let Estimate { plan, on, threads, sampled, memory, total, error, .. } = self;
        let mebibytes = |bytes: usize| bytes.div_ceil(1 << 20);
        let time = Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX);
        let percent = 100.0 * self.seconds_error / self.seconds.max(f64::MIN_POSITIVE);
        let what = match on.kind {
            BackendKind::Cpu => format!("{threads} threads"),
            _ => on.device.clone(),
        };
        writeln!(out, "{BOLD}N = {}, {}: an estimate{BOLD:#}", plan.size(), plan.method())?;
        let tasks = format!(
            "{}, of which {} were looked at",
            thousands(plan.len() as u64),
            thousands(*sampled as u64)
        );
        let mut fields =
            vec![("Tasks", tasks), ("Time", format!("{} ± {percent:.0}% on {what}", clock(time)))];
        fields.extend(memory.map(|(shared, own)| {
            let (shared, own) = (mebibytes(shared), mebibytes(own));
            ("Memory", format!("{shared} MiB for all, up to {own} MiB for each thread"))
        }));
        fields.push(("Total", format!("{total:.3e} ± {error:.1e}")));
        output::fields(out, &fields)
    }

    /// The estimate as JSON; the numbers of solutions are decimal strings.
    pub fn to_json(&self) -> Value {
        let Estimate { plan, on, threads, sampled, memory, seconds, seconds_error, total, error } =
            self;
        let mut estimate = json!({
            "n": plan.size().get(), "method": plan.method().id(), "tasks": plan.len(),
            "sampled": sampled, "backend": on.kind.id(),
            "threads": threads, "seconds": seconds, "seconds_error": seconds_error,
            "total": format!("{total:.0}"), "error": format!("{error:.0}"),
        });
        if let Some((shared, own)) = memory {
            estimate["memory"] = json!({ "shared": shared, "per_thread": own });
        }
        estimate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Form, Method, Size, known::known};

    fn of(n: u32, method: Method) -> Estimate {
        let plan = Plan::new(Size::new(n).unwrap(), method);
        let interrupt = Interrupt::none();
        estimate(plan, &Cpu::new(1, Form::Recursive, method), true, &interrupt).unwrap()
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
        let (shared, own) = estimate.memory.unwrap();
        assert!(shared > 1000 && own > 1000 && estimate.seconds > 0.0);
    }
}
