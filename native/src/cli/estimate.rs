//! `queens count N --estimate`: estimates time, memory and total from a sample of tasks.

use std::{
    collections::HashMap,
    io::Write,
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{
    Done, Plan, RoughEstimate, Sample, choose,
    document::{Backend as Record, BackendKind},
};
use serde_json::{Value, json};

use super::{
    failure::Failure,
    interrupt::Interrupt,
    output::{self, BOLD, thousands},
    progress::EstimateDisplay,
};
use queens::count::{self, Backend, Cpu, RunError, SampleResult};

/// Minimum time of an estimate, unless all tasks are sampled earlier.
const MIN_SAMPLING_TIME: Duration = Duration::from_secs(5);

/// Time after which an estimate without rough estimates samples no more tasks. Each batch of tasks takes
/// about as long as all before, so the estimate takes up to twice as long.
const MAX_SAMPLING_TIME: Duration = Duration::from_secs(14);

/// Maximum time of an estimate that begins with [rough estimates](RoughEstimate). It takes longer only if
/// the minimum numbers of tasks, [`MIN_ROUGH_ESTIMATES`] and [`MIN_SAMPLES`], need more time.
const MAX_TIME: Duration = Duration::from_secs(115);

/// Target for the relative standard error of the estimated time. An estimate that begins with rough estimates
/// ends before [`MAX_TIME`] once it reaches this target.
const TARGET_ERROR: f64 = 0.03;

/// Minimum number of roughly estimated tasks, if the plan has that many.
const MIN_ROUGH_ESTIMATES: usize = 64;

/// Minimum number of sampled tasks, if the plan has that many.
const MIN_SAMPLES: usize = 2;

/// Smallest N for which tasks are roughly estimated before they are sampled on the CPU. On smaller boards,
/// counting a column set takes little time.
const MIN_ROUGH_N: u32 = 22;

/// The estimate of a count.
#[derive(Clone, Debug)]
pub struct Estimate {
    plan: Arc<Plan>,
    /// The backend.
    record: Record,
    threads: usize,
    /// Number of sampled tasks: at least a part of each was counted.
    sampled: usize,
    /// Number of roughly estimated tasks.
    roughly_estimated: usize,
    /// Memory that all threads share, and maximum memory per thread, in bytes. For a GPU, the GPU memory
    /// that its queues share, and the maximum per queue.
    memory: Option<(usize, usize)>,
    seconds: f64,
    /// The standard error of the time, in seconds.
    seconds_error: f64,
    total: f64,
    /// The standard error of the total.
    total_error: f64,
}

/// Estimates a count from a random sample of its tasks. `seed` determines the order in which tasks are
/// sampled. How many tasks are sampled depends on the backend and its speed.
pub fn estimate(
    plan: Plan,
    backend: &dyn Backend,
    seed: u64,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Estimate> {
    let (plan, record) = (Arc::new(plan), backend.record());
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
        progress: EstimateDisplay::new(quiet, &title, interrupt),
        ids,
        rough_estimates: HashMap::new(),
        sample: Sample::default(),
        memory: None,
        rough_time: Duration::ZERO,
        sampling_time: Duration::ZERO,
    };
    while let Some(step) = sampler.next_step() {
        sampler.run_step(step)?;
    }
    let Sampler { sample, memory, .. } = sampler;
    // Column sets that were not sampled may need more memory, up to the limit per thread.
    let limit = if is_gpu { 0 } else { Cpu::memory_of_a_thread(plan.size(), plan.method()) };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let memory = memory.map(|(shared, per_thread)| (shared, per_thread.max(limit)));
    let estimate = sample.estimate(plan.len());
    Ok(Estimate {
        plan,
        record,
        threads,
        sampled: sample.tasks(),
        roughly_estimated: sample.roughly_estimated(),
        memory,
        seconds: estimate.seconds / threads as f64,
        seconds_error: estimate.seconds_variance.sqrt() / threads as f64,
        total: estimate.total,
        total_error: estimate.variance.sqrt(),
    })
}

/// State of an estimate. Tasks are roughly estimated and sampled in the same random order.
struct Sampler<'a> {
    plan: Arc<Plan>,
    backend: &'a dyn Backend,
    is_gpu: bool,
    threads: usize,
    progress: EstimateDisplay<'a>,
    /// Task numbers in random order.
    ids: Vec<usize>,
    /// Rough estimates of the first tasks, by task number.
    rough_estimates: HashMap<usize, RoughEstimate>,
    /// Results of the sampled tasks. If rough estimates are used, each sampled task has a rough estimate.
    sample: Sample,
    /// Maximum memory so far, as in [`Estimate`].
    memory: Option<(usize, usize)>,
    /// Time spent on rough estimates.
    rough_time: Duration,
    /// Time spent on sampling.
    sampling_time: Duration,
}

/// A step of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SamplingStep {
    /// Roughly estimate this many more tasks.
    Rough(usize),
    /// Sample this many more tasks.
    Sample(usize),
}

impl Sampler<'_> {
    /// Returns the next step, or `None` at the end of the estimate.
    fn next_step(&self) -> Option<SamplingStep> {
        let Sampler { threads, ref ids, ref sample, .. } = *self;
        let (roughly_estimated, sampled) = (self.rough_estimates.len(), sample.tasks());
        let has_rough_estimates = !self.is_gpu
            && self.plan.size().get() >= MIN_ROUGH_N
            && self.plan.symmetries().is_some();
        if !has_rough_estimates {
            // A GPU gets all tasks, because it works best in batches of its own size. Its batches take
            // equally long, so stopping after any of them does not bias the sample. CPU threads get a few
            // tasks at a time and finish all of them: stopping early would leave too many short tasks in
            // the sample.
            let amount = match sampled {
                _ if self.is_gpu => ids.len(),
                0 => threads.max(MIN_SAMPLES),
                // Doubling the sample keeps the number of batches small.
                sampled => sampled,
            };
            let limit = if self.has_small_error() { MIN_SAMPLING_TIME } else { MAX_SAMPLING_TIME };
            let is_enough = sampled > 0 && (self.is_gpu || self.sampling_time >= limit);
            let amount = amount.min(ids.len() - sampled);
            return (amount > 0 && !is_enough).then_some(SamplingStep::Sample(amount));
        }
        // Start with four tasks per thread, then double the number of tasks with each batch.
        let rough_batch = roughly_estimated.max(4 * threads).min(ids.len() - roughly_estimated);
        if rough_batch > 0 && roughly_estimated < MIN_ROUGH_ESTIMATES {
            return Some(SamplingStep::Rough(rough_batch));
        }
        let elapsed = self.rough_time + self.sampling_time;
        if sampled < MIN_SAMPLES {
            return Some(SamplingStep::Sample(
                threads.max(MIN_SAMPLES).min(roughly_estimated - sampled),
            ));
        }
        if elapsed >= MIN_SAMPLING_TIME && self.has_small_error() {
            return None;
        }
        // Spend the same time on rough estimates and on sampling, which is close to the optimum for
        // N = 22 to 28. Rough estimates are worth their time, because they are faster than counting, and
        // because their errors are smaller than the differences between column sets.
        let next_batch = |done: usize, took: Duration| {
            let time_per_task = took.div_f64(done as f64).max(Duration::from_nanos(1));
            // Start only as many tasks as should end before MAX_TIME. At most double the number of tasks, and
            // give each thread the same number.
            let fitting = MAX_TIME.saturating_sub(elapsed).div_duration_f64(time_per_task) as usize;
            done.min(fitting / threads * threads)
        };
        let rough =
            next_batch(roughly_estimated, self.rough_time).min(ids.len() - roughly_estimated);
        let samples = next_batch(sampled, self.sampling_time).min(roughly_estimated - sampled);
        let is_rough = rough > 0 && (self.rough_time <= self.sampling_time || samples == 0);
        match (is_rough, samples) {
            (true, _) => Some(SamplingStep::Rough(rough)),
            (false, 0) => None,
            (false, samples) => Some(SamplingStep::Sample(samples)),
        }
    }

    /// Returns whether the estimate has reached the target for its error.
    fn has_small_error(&self) -> bool {
        let estimate = self.sample.estimate(self.plan.len());
        estimate.seconds_variance.sqrt() <= TARGET_ERROR * estimate.seconds
    }

    /// Runs a step and measures its time.
    fn run_step(&mut self, step: SamplingStep) -> anyhow::Result<()> {
        let clock = Instant::now();
        match step {
            SamplingStep::Rough(amount) => {
                self.add_rough_estimates(amount)?;
                self.rough_time += clock.elapsed();
            }
            SamplingStep::Sample(amount) => {
                self.sample_tasks(amount)?;
                self.sampling_time += clock.elapsed();
            }
        }
        Ok(())
    }

    /// Estimates `amount` more tasks roughly.
    fn add_rough_estimates(&mut self, amount: usize) -> anyhow::Result<()> {
        let tasks: Vec<usize> =
            self.ids.iter().copied().skip(self.rough_estimates.len()).take(amount).collect();
        let mut rough_estimates = Vec::with_capacity(tasks.len());
        let mut add_result = |done: Done<Option<RoughEstimate>>| {
            rough_estimates.extend(done.result.map(|rough| (done.task, rough)));
            Ok(())
        };
        let sampled = self.sample.tasks();
        let (threads, plan) = (self.threads, &self.plan);
        let start = |task_queue| count::rough_estimates(threads, plan, task_queue);
        let progress = &mut self.progress;
        let mut watch = |_| progress.update(sampled);
        count::run_into(tasks, start, &mut add_result, &mut watch).map_err(sampling_error)?;
        rough_estimates.iter().for_each(|&(_, rough)| self.sample.add_rough_estimate(rough));
        self.rough_estimates.extend(rough_estimates);
        Ok(())
    }

    /// Samples up to `amount` more tasks. A GPU stops earlier, after [`MIN_SAMPLING_TIME`].
    fn sample_tasks(&mut self, amount: usize) -> anyhow::Result<()> {
        let (mut sample, mut memory, clock) = (self.sample, self.memory, Instant::now());
        let before = sample.tasks();
        let tasks = self.ids.iter().copied().skip(before).take(amount).collect();
        let mut add_result = |done: Done<SampleResult>| {
            let SampleResult { observed, prepared, memory: task_memory } = done.result;
            let rough = self.rough_estimates.get(&done.task).copied();
            sample.add(observed, rough, done.took, prepared);
            let larger = |(shared, per_thread): (usize, usize)| {
                let (before, per_thread_before) = memory.unwrap_or_default();
                (shared.max(before), per_thread.max(per_thread_before))
            };
            memory = task_memory.map(larger).or(memory);
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
            outcome => outcome.map_err(sampling_error)?,
        }
        (self.sample, self.memory) = (sample, memory);
        Ok(())
    }
}

/// Converts the error of an interrupted or failed run of the sampler.
fn sampling_error(error: RunError) -> anyhow::Error {
    match error {
        RunError::Stopped { .. } => {
            Failure::Interrupted("interrupted while estimating".to_owned()).into()
        }
        other => Failure::from_run(other),
    }
}

impl Estimate {
    /// Prints the estimate as text.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Estimate { plan, record, threads, sampled, roughly_estimated, memory, .. } = self;
        let Estimate { total, total_error, .. } = self;
        let mebibytes = |bytes: usize| bytes.div_ceil(1 << 20);
        let percent = 100.0 * self.seconds_error / self.seconds.max(f64::MIN_POSITIVE);
        let hardware = match record.kind {
            BackendKind::Cpu if *threads == 1 => "1 thread".to_owned(),
            BackendKind::Cpu => format!("{threads} threads"),
            _ => record.device.clone(),
        };
        writeln!(out, "{BOLD}N = {}, {}: estimate{BOLD:#}", plan.size(), plan.method())?;
        let [tasks, sampled, roughly_estimated] =
            [plan.len(), *sampled, *roughly_estimated].map(|tasks| thousands(tasks as u64));
        let is_exact = *total_error == 0.0 && self.sampled == plan.len();
        let tasks = if self.sampled == plan.len() && !is_exact {
            format!("{tasks}, each sampled in part")
        } else if self.roughly_estimated == 0 {
            format!("{tasks}, {sampled} sampled")
        } else {
            format!("{tasks}, {roughly_estimated} roughly estimated, {sampled} of those sampled")
        };
        let mut fields = vec![
            ("Tasks", tasks),
            ("Time", format!("{} ± {percent:.0}% on {hardware}", format_time(self.seconds))),
        ];
        fields.extend(memory.map(|(shared, per_thread)| {
            let (shared, per_thread) = (mebibytes(shared), mebibytes(per_thread));
            let all = match (record.kind, shared) {
                (BackendKind::Cpu, _) => {
                    format!("{shared} MiB shared, plus up to {per_thread} MiB per thread")
                }
                (_, 0) => format!("up to {per_thread} MiB per queue; queues per GPU: {threads}"),
                _ => format!(
                    "{shared} MiB per GPU, plus up to {per_thread} MiB per queue; queues per GPU: {threads}"
                ),
            };
            ("Memory", all)
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
        let Estimate { plan, record, threads, sampled, roughly_estimated, memory, .. } = self;
        let Estimate { seconds, seconds_error, total, total_error, .. } = self;
        let mut estimate = json!({
            "n": plan.size().get(), "method": plan.method().id(), "tasks": plan.len(),
            "sampled": sampled, "roughly_estimated": roughly_estimated, "backend": record.kind.id(),
            "threads": threads, "seconds": seconds, "seconds_error": seconds_error,
            "total": format!("{total:.0}"), "total_error": format!("{total_error:.0}"),
        });
        if let Some((shared, per_thread)) = memory {
            estimate["memory"] = json!({ "shared": shared, "per_thread": per_thread });
        }
        estimate
    }
}

/// Formats a time in the largest unit that fits into it at least twice. Below ten units, it has one decimal.
fn format_time(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] =
        [(365.25 * 86400.0, "years"), (86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")];
    let unit = UNITS.into_iter().find(|&(unit, _)| seconds >= 2.0 * unit);
    let (unit, name) = unit.unwrap_or((1.0, "seconds"));
    let digits = if seconds < 10.0 * unit { 1 } else { 0 };
    format!("{:.digits$} {name}", seconds / unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Form, Method, Size, known::known};

    fn estimate_of(n: u32, method: Method) -> Estimate {
        let plan = Plan::new(Size::new(n).unwrap(), method);
        let interrupt = Interrupt::none();
        estimate(plan, &Cpu::new(1, Form::Recursive, method), 0, true, &interrupt).unwrap()
    }

    #[test]
    fn a_sample_of_all_tasks_is_exact() {
        let estimate = estimate_of(8, Method::Symmetry);
        assert_eq!((estimate.total, estimate.total_error), (92.0, 0.0));
        assert_eq!(estimate.plan.len(), estimate.sampled);
    }

    #[test]
    fn the_estimated_total_is_within_five_standard_errors() {
        let estimate = estimate_of(15, Method::Halves);
        let deviation = (estimate.total - known(15).unwrap().total() as f64).abs();
        assert!(
            estimate.total_error > 0.0 && deviation < 5.0 * estimate.total_error,
            "{estimate:?}"
        );
        let (shared, per_thread) = estimate.memory.unwrap();
        assert!(shared > 1000 && per_thread > 1000 && estimate.seconds > 0.0);
    }

    #[test]
    fn large_boards_use_rough_estimates_before_sampling() {
        let estimate = estimate_of(22, Method::Halves);
        let Estimate { total, total_error: error, roughly_estimated, sampled, .. } = estimate;
        let deviation = (total - known(22).unwrap().total() as f64).abs();
        assert!(deviation < 5.0 * error && error < 0.1 * total, "{estimate:?}");
        assert!(
            roughly_estimated >= MIN_ROUGH_ESTIMATES
                && (MIN_SAMPLES..=roughly_estimated).contains(&sampled)
        );
        let mut text = Vec::new();
        estimate.print(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.contains(" roughly estimated, ") && text.contains("% on 1 thread\n"),
            "{text}"
        );
    }

    #[test]
    fn formats_times_in_the_largest_fitting_unit() {
        let formatted =
            [0.02, 9.0, 110.0, 130.0, 7000.0, 7300.0, 100_000.0, 9e6, 4.4e8].map(format_time);
        let expected = [
            "0.0 seconds",
            "9.0 seconds",
            "110 seconds",
            "2.2 minutes",
            "117 minutes",
            "2.0 hours",
            "28 hours",
            "104 days",
            "14 years",
        ];
        assert_eq!(formatted, expected);
    }
}
