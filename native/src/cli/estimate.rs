//! `queens count N --estimate`: estimates time, memory and total from a sample of tasks.

use std::{
    io::Write,
    ops::ControlFlow,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{
    Done, Plan, Sample, choose,
    document::{Backend as Record, BackendKind},
};
use serde_json::{Value, json};

use super::{
    decide,
    failure::Failure,
    output::{self, BOLD, thousands},
    progress::EstimateDisplay,
    request::Request,
};
use queens::count::{self, Backend, Cpu, RunError, SampleResult};

/// Minimum time of an estimate, unless all tasks are sampled earlier.
const MIN_SAMPLING_TIME: Duration = Duration::from_secs(5);

/// Time after which an estimate samples no more tasks. Each batch of tasks takes
/// about as long as all before, so the estimate takes up to twice as long.
const MAX_SAMPLING_TIME: Duration = Duration::from_secs(14);

/// Target for the relative standard error of the estimated time. An estimate that reaches it ends before
/// [`MAX_SAMPLING_TIME`].
const TARGET_ERROR: f64 = 0.03;

/// Minimum number of sampled tasks, if the plan has that many.
const MIN_SAMPLES: usize = 2;

/// The estimate of a count.
#[derive(Clone, Debug)]
pub struct Estimate {
    plan: Arc<Plan>,
    /// The backend.
    record: Record,
    threads: usize,
    /// Number of sampled tasks: at least a part of each was counted.
    sampled: usize,
    /// Maximum memory per thread, or per queue of a GPU, in bytes, if known.
    memory: Option<usize>,
    seconds: f64,
    /// The standard error of the time, in seconds.
    seconds_error: f64,
    total: f64,
    /// The standard error of the total.
    total_error: f64,
}

/// Prints the estimate of a count, as text or JSON. `seed` determines the order in which tasks are sampled.
pub fn run(
    request: &Request,
    seed: u64,
    is_json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let (plan, backend) = decide::choose(request)?;
    let estimate = estimate(plan, &*backend, seed)?;
    if is_json {
        output::json(out, &estimate.to_json())?;
    } else {
        estimate.print(out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Estimates a count from a random sample of its tasks. How many tasks are sampled depends on the backend and
/// its speed.
fn estimate(plan: Arc<Plan>, backend: &dyn Backend, seed: u64) -> anyhow::Result<Estimate> {
    let record = backend.record();
    let threads = backend.threads().max(1);
    let mut ids: Vec<usize> = (0..plan.len()).collect();
    let mut random = fastrand::Rng::with_seed(seed);
    choose(&mut ids, usize::MAX, |below| random.usize(..below));
    let is_gpu = record.kind != BackendKind::Cpu;
    let title = format!("N = {}, {}", plan.size(), plan.method());
    let mut sampler = Sampler {
        plan: Arc::clone(&plan),
        backend,
        is_gpu,
        threads,
        progress: EstimateDisplay::new(&title),
        ids,
        sample: Sample::default(),
        memory: None,
        sampling_time: Duration::ZERO,
    };
    while let Some(amount) = sampler.next_batch() {
        sampler.sample_tasks(amount)?;
    }
    let Sampler { sample, memory, .. } = sampler;
    // Tasks that were not sampled may need more memory, up to the limit per thread.
    let limit = if is_gpu { 0 } else { Cpu::memory_of_a_thread(plan.size(), plan.method()) };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let memory = memory.map(|per_thread| per_thread.max(limit));
    let estimate = sample.estimate(plan.len());
    Ok(Estimate {
        plan,
        record,
        threads,
        sampled: sample.tasks(),
        memory,
        seconds: estimate.seconds / threads as f64,
        seconds_error: estimate.seconds_variance.sqrt() / threads as f64,
        total: estimate.total,
        total_error: estimate.variance.sqrt(),
    })
}

/// State of an estimate.
struct Sampler<'a> {
    plan: Arc<Plan>,
    backend: &'a dyn Backend,
    is_gpu: bool,
    threads: usize,
    progress: EstimateDisplay,
    /// Task numbers in random order.
    ids: Vec<usize>,
    /// Results of the sampled tasks.
    sample: Sample,
    /// Maximum memory so far, as in [`Estimate`].
    memory: Option<usize>,
    /// Time spent on sampling.
    sampling_time: Duration,
}

impl Sampler<'_> {
    /// Returns the number of tasks to sample next, or `None` at the end of the estimate.
    fn next_batch(&self) -> Option<usize> {
        let (sampled, tasks) = (self.sample.tasks(), self.ids.len());
        // A GPU gets all tasks, because it works best in batches of the size that it chooses. They take
        // equally long, so stopping after any of them does not bias the sample. CPU threads get a few
        // tasks at a time and finish all of them: stopping early would leave too many short tasks in
        // the sample.
        let amount = match sampled {
            _ if self.is_gpu => tasks,
            0 => self.threads.max(MIN_SAMPLES),
            // Doubling the sample keeps the number of batches small.
            sampled => sampled,
        };
        let limit = if self.has_small_error() { MIN_SAMPLING_TIME } else { MAX_SAMPLING_TIME };
        let is_enough = sampled > 0 && (self.is_gpu || self.sampling_time >= limit);
        let amount = amount.min(tasks - sampled);
        (amount > 0 && !is_enough).then_some(amount)
    }

    /// Returns whether the estimate has reached the target for its error.
    fn has_small_error(&self) -> bool {
        let estimate = self.sample.estimate(self.plan.len());
        estimate.seconds_variance.sqrt() <= TARGET_ERROR * estimate.seconds
    }

    /// Samples up to `amount` more tasks. A GPU stops earlier, after [`MIN_SAMPLING_TIME`].
    fn sample_tasks(&mut self, amount: usize) -> anyhow::Result<()> {
        let (mut sample, mut memory, clock) = (self.sample, self.memory, Instant::now());
        let before = sample.tasks();
        let tasks = self.ids.iter().copied().skip(before).take(amount).collect();
        let mut add_result = |done: Done<SampleResult>| {
            let SampleResult { observed, prepared, memory: task_memory } = done.result;
            sample.add(observed, done.took, prepared);
            memory = memory.max(task_memory);
            Ok(())
        };
        let start = |task_queue| self.backend.start_sample(Arc::clone(&self.plan), task_queue);
        let (is_gpu, progress) = (self.is_gpu, &mut self.progress);
        let mut is_enough = false;
        let mut watch = |done| {
            is_enough = is_gpu && done >= MIN_SAMPLES && clock.elapsed() >= MIN_SAMPLING_TIME;
            if is_enough { ControlFlow::Break(()) } else { progress.update(before + done) }
        };
        match count::run_into(tasks, start, &mut add_result, &mut watch) {
            Err(RunError::Stopped { .. }) if is_enough => {}
            outcome => outcome.map_err(Failure::from_run)?,
        }
        (self.sample, self.memory) = (sample, memory);
        self.sampling_time += clock.elapsed();
        Ok(())
    }
}

impl Estimate {
    /// Prints the estimate as text.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Estimate { plan, record, threads, sampled, memory, .. } = self;
        let Estimate { total, total_error, .. } = self;
        let percent = 100.0 * self.seconds_error / self.seconds.max(f64::MIN_POSITIVE);
        let hardware = match record.kind {
            BackendKind::Cpu if *threads == 1 => "1 thread".to_owned(),
            BackendKind::Cpu => format!("{threads} threads"),
            _ => record.device.clone(),
        };
        writeln!(out, "{BOLD}N = {}, {}: estimate{BOLD:#}", plan.size(), plan.method())?;
        let [tasks, sampled] = [plan.len(), *sampled].map(|tasks| thousands(tasks as u64));
        let is_exact = *total_error == 0.0 && self.sampled == plan.len();
        let tasks = if self.sampled == plan.len() && !is_exact {
            format!("{tasks}, each sampled in part")
        } else {
            format!("{tasks}, {sampled} sampled")
        };
        let time = output::duration(self.seconds);
        let mut fields =
            vec![("Tasks", tasks), ("Time", format!("{time} ± {percent:.0}% on {hardware}"))];
        fields.extend(memory.filter(|&memory| memory > 0).map(|memory| {
            let memory = format!("up to {} MiB per", memory.div_ceil(1 << 20));
            let text = match record.kind {
                BackendKind::Cpu => format!("{memory} thread"),
                _ => format!("{memory} queue; queues per GPU: {threads}"),
            };
            ("Memory", text)
        }));
        fields.push((
            "Total",
            if is_exact {
                format!("{} (exact)", thousands(*total as u64))
            } else {
                format!("{total:.3e} ± {total_error:.1e}")
            },
        ));
        output::fields(out, &fields)
    }

    /// Returns the estimate as JSON; the numbers of solutions are decimal strings.
    pub fn to_json(&self) -> Value {
        let Estimate { plan, record, threads, sampled, memory, .. } = self;
        let Estimate { seconds, seconds_error, total, total_error, .. } = self;
        let mut estimate = json!({
            "n": plan.size().get(), "method": plan.method().id(), "tasks": plan.len(),
            "sampled": sampled, "backend": record.kind.id(), "threads": threads,
            "seconds": seconds, "seconds_error": seconds_error,
            "total": format!("{total:.0}"), "total_error": format!("{total_error:.0}"),
        });
        if let Some(per_thread) = memory {
            estimate["memory"] = json!({ "per_thread": per_thread });
        }
        estimate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Form, Isa, Method, Size, known::known};

    fn estimate_of(n: u32, method: Method) -> Estimate {
        output::set_quiet(true);
        let plan = Plan::new(Size::new(n).unwrap(), method);
        let cpu = Cpu::new(1, Form::Recursive, Isa::PORTABLE, &plan);
        estimate(Arc::new(plan), &cpu, 0).unwrap()
    }

    #[test]
    fn a_sample_of_all_tasks_is_exact() {
        let estimate = estimate_of(8, Method::Symmetry);
        assert_eq!((estimate.total, estimate.total_error), (92.0, 0.0));
        assert_eq!(estimate.plan.len(), estimate.sampled);
    }

    #[test]
    fn the_estimated_total_is_within_five_standard_errors() {
        let estimate = estimate_of(17, Method::Colours);
        let deviation = (estimate.total - known(17).unwrap().total() as f64).abs();
        assert!(
            estimate.total_error > 0.0 && deviation < 5.0 * estimate.total_error,
            "{estimate:?}"
        );
        assert!(estimate.memory.unwrap() > 1000 && estimate.seconds > 0.0);
    }
}
