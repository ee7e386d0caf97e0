//! `queens count N --estimate`: what a count would take, from a sample of its tasks.

use std::{
    collections::HashMap,
    io::Write,
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{
    Done, Plan, Sample, Survey, choose,
    document::{Backend as Record, BackendKind},
};
use serde_json::{Value, json};

use super::{
    failure::Failure,
    interrupt::Interrupt,
    output::{self, BOLD, clock, thousands},
    progress::Progress,
};
use queens::count::{self, Backend, BackendError, Cpu, Orders, RunError, Seen};

/// How long the sample goes on, at least.
const SAMPLE: Duration = Duration::from_secs(5);

/// How long it goes on at most where [surveys](Survey) say what to expect, unless that is too short
/// for two column sets.
const MOST: Duration = Duration::from_secs(120);

/// Until then it goes on there, unless the time is known as well as this: the standard error's share.
const KNOWN: f64 = 0.03;

/// So many tasks are surveyed at least, where there are as many, however long that takes.
const FEWEST: usize = 256;

/// Boards of so many rows have column sets that take long enough to be surveyed before.
const SURVEYED: u32 = 22;

/// What a count would take.
#[derive(Clone, Debug)]
pub struct Estimate {
    plan: Arc<Plan>,
    /// What it would be counted on.
    on: Record,
    threads: usize,
    /// Tasks of which something was counted.
    sampled: usize,
    /// Tasks of which a survey was made.
    surveyed: usize,
    /// Memory that all threads share, and that each has of its own, in bytes; that of a GPU if it is
    /// counted on one, whose queues are the threads.
    memory: Option<(usize, usize)>,
    seconds: f64,
    /// The standard error of the time, in seconds.
    seconds_error: f64,
    total: f64,
    /// The standard error of the total.
    error: f64,
}

/// Counts a sample of tasks, chosen over the whole plan, always the same for a seed.
///
/// # Errors
/// [`Failure`] if it was interrupted, or the backend did not start or failed.
pub fn estimate(
    plan: Plan,
    backend: &dyn Backend,
    seed: u64,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Estimate> {
    let (plan, on) = (Arc::new(plan), backend.record());
    let threads = backend.threads().max(1);
    let mut ids: Vec<usize> = (0..plan.len()).collect();
    let mut random = fastrand::Rng::with_seed(seed);
    choose(&mut ids, usize::MAX, |below| random.usize(..below));
    let clock = Instant::now();
    let looker = Looker { plan: &plan, quiet, interrupt };
    let (mut sample, mut memory) = (Sample::default(), None);
    let is_gpu = on.kind != BackendKind::Cpu;
    let mut surveys = HashMap::new();
    if !is_gpu && plan.size().get() >= SURVEYED {
        surveys = looker.survey(&ids, threads)?;
        surveys.values().for_each(|&survey| sample.survey(survey));
        ids.retain(|id| surveys.contains_key(id));
    }
    let mut left = &ids[..];
    // A GPU is at its best in batches of its own, one after the other, which all take as long: so
    // it may be stopped at any of them. The processor's threads would end with their short tasks.
    let mut most = if is_gpu { ids.len() } else { threads.max(2) };
    while !left.is_empty() && most > 0 {
        let (batch, rest) = left.split_at(most.min(left.len()));
        let mut see = |done: Done<Seen>| {
            let Seen { glimpse, memory: taken } = done.result;
            sample.add(glimpse, surveys.get(&done.task).copied(), done.took);
            let larger = |(shared, own): (usize, usize)| {
                let (before, own_before) = memory.unwrap_or_default();
                (shared.max(before), own.max(own_before))
            };
            memory = taken.map(larger).or(memory);
        };
        let start = |orders| backend.start_sample(Arc::clone(&plan), orders);
        let is_enough = |done| is_gpu && done >= 2 && clock.elapsed() >= SAMPLE;
        looker.look(batch, "sample", start, &mut see, &is_enough)?;
        left = rest;
        most = next_batch(&sample, plan.len(), threads, clock.elapsed());
    }
    // Sets that have not been looked at may take more, up to what a thread may have.
    let most = if is_gpu { 0 } else { Cpu::memory_of_a_thread(plan.size(), plan.method()) };
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let memory = memory.map(|(shared, own)| (shared, own.max(most)));
    let whole = sample.estimate(plan.len());
    Ok(Estimate {
        plan,
        on,
        threads,
        sampled: sample.tasks(),
        surveyed: sample.surveyed(),
        memory,
        seconds: whole.seconds / threads as f64,
        seconds_error: whole.seconds_variance.sqrt() / threads as f64,
        total: whole.total,
        error: whole.variance.sqrt(),
    })
}

/// How many tasks are looked at next, after so long a time; 0 once it is enough.
fn next_batch(sample: &Sample, tasks: usize, threads: usize, passed: Duration) -> usize {
    // Few batches, and none that is much longer than all before.
    let most = sample.tasks();
    if most < 2 {
        return 2;
    }
    if passed < SAMPLE {
        return most;
    }
    let so_far = sample.estimate(tasks);
    if sample.surveyed() == 0 || so_far.seconds_variance.sqrt() <= KNOWN * so_far.seconds {
        return 0;
    }
    // None that would end too late.
    let each = sample.took().div_f64(most as f64 * threads as f64);
    let left = MOST.saturating_sub(passed).div_duration_f64(each.max(Duration::from_nanos(1)));
    let left = left as usize / threads * threads;
    left.min(most)
}

/// Has tasks of a plan looked at.
struct Looker<'a> {
    plan: &'a Arc<Plan>,
    quiet: bool,
    interrupt: &'a Interrupt,
}

impl Looker<'_> {
    /// Looks at tasks until all are done or it is enough.
    ///
    /// # Errors
    /// See [`estimate`].
    fn look<T>(
        &self,
        tasks: &[usize],
        what: &str,
        start: impl FnOnce(Orders<T>) -> Result<(), BackendError>,
        see: &mut dyn FnMut(Done<T>),
        is_enough: &dyn Fn(usize) -> bool,
    ) -> anyhow::Result<()> {
        let Looker { plan, quiet, interrupt } = *self;
        let what = format!("N = {}, {}, {what}", plan.size(), plan.method());
        let mut progress = Progress::new(quiet, what, tasks.len(), 0, interrupt);
        let mut enough = false;
        let mut see = |done| {
            see(done);
            Ok(())
        };
        let mut watch = |done| {
            enough = is_enough(done);
            if enough { ControlFlow::Break(()) } else { progress.at(done) }
        };
        let run = count::run_into(tasks.to_vec(), start, &mut see, &mut watch);
        progress.clear();
        match run {
            Err(RunError::Stopped { .. }) if enough => Ok(()),
            other => Ok(other.map_err(Failure::of_run)?),
        }
    }

    /// Surveys the first tasks of some, as many as there is time for; nothing if they have none.
    ///
    /// # Errors
    /// See [`estimate`].
    fn survey(&self, ids: &[usize], threads: usize) -> anyhow::Result<HashMap<usize, Survey>> {
        let clock = Instant::now();
        let mut surveys = HashMap::new();
        let (mut left, mut most) = (ids, 4 * threads);
        while !left.is_empty() && (surveys.len() < FEWEST || clock.elapsed() < SAMPLE) {
            let (batch, rest) = left.split_at(most.min(left.len()));
            let mut see = |done: Done<Option<Survey>>| {
                surveys.extend(done.result.map(|survey| (done.task, survey)));
            };
            let start = |orders| count::survey(threads, self.plan, orders);
            self.look(batch, "survey", start, &mut see, &|_| false)?;
            if surveys.is_empty() {
                break;
            }
            (left, most) = (rest, surveys.len());
        }
        Ok(surveys)
    }
}

impl Estimate {
    /// The estimate as a text for people.
    ///
    /// # Errors
    /// What writing fails with.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Estimate { plan, on, threads, sampled, surveyed, memory, total, error, .. } = self;
        let mebibytes = |bytes: usize| bytes.div_ceil(1 << 20);
        let time = Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX);
        let percent = 100.0 * self.seconds_error / self.seconds.max(f64::MIN_POSITIVE);
        let what = match on.kind {
            BackendKind::Cpu => format!("{threads} threads"),
            _ => on.device.clone(),
        };
        writeln!(out, "{BOLD}N = {}, {}: an estimate{BOLD:#}", plan.size(), plan.method())?;
        let [tasks, sampled, surveyed] =
            [plan.len(), *sampled, *surveyed].map(|tasks| thousands(tasks as u64));
        let tasks = if self.surveyed == 0 {
            format!("{tasks}, of which {sampled} were looked at")
        } else {
            format!("{tasks}, of which {surveyed} were surveyed and {sampled} of these looked at")
        };
        let mut fields =
            vec![("Tasks", tasks), ("Time", format!("{} ± {percent:.0}% on {what}", clock(time)))];
        fields.extend(memory.map(|(shared, own)| {
            let (shared, own) = (mebibytes(shared), mebibytes(own));
            let all = match (on.kind, shared) {
                (BackendKind::Cpu, _) => {
                    format!("{shared} MiB for all, up to {own} MiB for each thread")
                }
                (_, 0) => format!("up to {own} MiB of a GPU for each of {threads} queues"),
                _ => format!(
                    "{shared} MiB of each GPU, and up to {own} MiB more for each of {threads} queues"
                ),
            };
            ("Memory", all)
        }));
        fields.push(("Total", format!("{total:.3e} ± {error:.1e}")));
        output::fields(out, &fields)
    }

    /// The estimate as JSON; the numbers of solutions are decimal strings.
    pub fn to_json(&self) -> Value {
        let Estimate { plan, on, threads, sampled, surveyed, memory, .. } = self;
        let Estimate { seconds, seconds_error, total, error, .. } = self;
        let mut estimate = json!({
            "n": plan.size().get(), "method": plan.method().id(), "tasks": plan.len(),
            "sampled": sampled, "surveyed": surveyed, "backend": on.kind.id(),
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
        estimate(plan, &Cpu::new(1, Form::Recursive, method), 0, true, &interrupt).unwrap()
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
