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
    output::{self, BOLD, thousands},
    progress::Progress,
};
use queens::count::{self, Backend, BackendError, Cpu, Orders, RunError, Seen};

/// How long the sample goes on, at least.
const SAMPLE: Duration = Duration::from_secs(5);

/// How long it goes on at most where [surveys](Survey) say what to expect, unless that is too short
/// for the fewest.
const MOST: Duration = Duration::from_secs(115);

/// Until then it goes on there, unless the time is known as well as this: the standard error's share.
const KNOWN: f64 = 0.03;

/// So many tasks are surveyed at least, where there are as many, however long that takes.
const FEWEST_SURVEYED: usize = 64;

/// So many are looked at.
const FEWEST: usize = 2;

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
    let is_gpu = on.kind != BackendKind::Cpu;
    let mut sampler = Sampler {
        plan: Arc::clone(&plan),
        backend,
        is_gpu,
        threads,
        quiet,
        interrupt,
        ids,
        surveys: HashMap::new(),
        sample: Sample::default(),
        memory: None,
        surveying: Duration::ZERO,
        looking: Duration::ZERO,
    };
    while let Some(step) = sampler.next_step() {
        sampler.take(step)?;
    }
    let Sampler { sample, memory, .. } = sampler;
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

/// The tasks of a plan in an order of chance, as far as they were looked at.
struct Sampler<'a> {
    plan: Arc<Plan>,
    backend: &'a dyn Backend,
    is_gpu: bool,
    threads: usize,
    quiet: bool,
    interrupt: &'a Interrupt,
    ids: Vec<usize>,
    /// What is to be expected of the first tasks.
    surveys: HashMap<usize, Survey>,
    /// What was seen of the first tasks of these, or of any where nothing is surveyed.
    sample: Sample,
    memory: Option<(usize, usize)>,
    /// How long each took so far.
    surveying: Duration,
    looking: Duration,
}

/// So many tasks more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Survey(usize),
    Look(usize),
}

impl Sampler<'_> {
    /// What is done next; `None` if it is enough.
    fn next_step(&self) -> Option<Step> {
        let Sampler { threads, ref ids, ref sample, .. } = *self;
        let (surveyed, looked) = (self.surveys.len(), sample.tasks());
        let Some(known) = self.known() else {
            // A GPU is at its best in batches of its own, one after the other, which all take as
            // long: so it may be stopped at any of them. The processor's threads would end with
            // their short tasks.
            let most = match looked {
                _ if self.is_gpu => ids.len(),
                0 => threads.max(FEWEST),
                // Few batches, and none that is much longer than all before.
                looked => looked,
            };
            let is_enough = looked > 0 && (self.is_gpu || self.looking >= SAMPLE);
            let most = most.min(ids.len() - looked);
            return (most > 0 && !is_enough).then_some(Step::Look(most));
        };
        let more = surveyed.max(4 * threads).min(ids.len() - surveyed);
        if more > 0 && surveyed < FEWEST_SURVEYED {
            return Some(Step::Survey(more));
        }
        let passed = self.surveying + self.looking;
        if looked < FEWEST {
            return Some(Step::Look(threads.max(FEWEST).min(surveyed - looked)));
        }
        if passed >= SAMPLE && known <= KNOWN {
            return None;
        }
        // As much time for the ones as for the others: a survey is off by less than sets differ, and
        // takes less. That is nearly the best division for boards of 22 to 28 rows.
        let most = |done: usize, took: Duration| {
            let each = took.div_f64(done as f64).max(Duration::from_nanos(1));
            // None that would end too late.
            let left = MOST.saturating_sub(passed).div_duration_f64(each) as usize;
            done.min(left / threads * threads)
        };
        let survey = most(surveyed, self.surveying).min(ids.len() - surveyed);
        let look = most(looked, self.looking).min(surveyed - looked);
        let is_survey = survey > 0 && (self.surveying <= self.looking || look == 0);
        match (is_survey, look) {
            (true, _) => Some(Step::Survey(survey)),
            (false, 0) => None,
            (false, look) => Some(Step::Look(look)),
        }
    }

    /// How well the time is known, as a share of it; `None` where nothing is surveyed.
    fn known(&self) -> Option<f64> {
        let is_surveyed = !self.is_gpu && self.plan.size().get() >= SURVEYED;
        let so_far = self.sample.estimate(self.plan.len());
        (is_surveyed && self.plan.symmetries().is_some())
            .then(|| so_far.seconds_variance.sqrt() / so_far.seconds.max(f64::MIN_POSITIVE))
    }

    /// # Errors
    /// See [`estimate`].
    fn take(&mut self, step: Step) -> anyhow::Result<()> {
        let clock = Instant::now();
        match step {
            Step::Survey(amount) => {
                self.survey(amount)?;
                self.surveying += clock.elapsed();
            }
            Step::Look(amount) => {
                self.look(amount)?;
                self.looking += clock.elapsed();
            }
        }
        Ok(())
    }

    /// Surveys so many tasks more.
    ///
    /// # Errors
    /// See [`estimate`].
    fn survey(&mut self, amount: usize) -> anyhow::Result<()> {
        let tasks: Vec<usize> =
            self.ids.iter().copied().skip(self.surveys.len()).take(amount).collect();
        let mut surveys = Vec::with_capacity(tasks.len());
        let mut see = |done: Done<Option<Survey>>| {
            surveys.extend(done.result.map(|survey| (done.task, survey)));
        };
        let start = |orders| count::survey(self.threads, &self.plan, orders);
        self.run(tasks, "survey", start, &mut see, &|_| false)?;
        surveys.iter().for_each(|&(_, survey)| self.sample.survey(survey));
        self.surveys.extend(surveys);
        Ok(())
    }

    /// Looks at so many tasks more.
    ///
    /// # Errors
    /// See [`estimate`].
    fn look(&mut self, amount: usize) -> anyhow::Result<()> {
        let (mut sample, mut memory, clock) = (self.sample, self.memory, Instant::now());
        let tasks = self.ids.iter().copied().skip(sample.tasks()).take(amount).collect();
        let mut see = |done: Done<Seen>| {
            let Seen { glimpse, prepared, memory: taken } = done.result;
            let survey = self.surveys.get(&done.task).copied();
            sample.add(glimpse, survey, done.took, prepared);
            let larger = |(shared, own): (usize, usize)| {
                let (before, own_before) = memory.unwrap_or_default();
                (shared.max(before), own.max(own_before))
            };
            memory = taken.map(larger).or(memory);
        };
        let start = |orders| self.backend.start_sample(Arc::clone(&self.plan), orders);
        let is_enough = |done| self.is_gpu && done >= FEWEST && clock.elapsed() >= SAMPLE;
        self.run(tasks, "sample", start, &mut see, &is_enough)?;
        (self.sample, self.memory) = (sample, memory);
        Ok(())
    }

    /// Has tasks done until all are or it is enough.
    ///
    /// # Errors
    /// See [`estimate`].
    fn run<T>(
        &self,
        tasks: Vec<usize>,
        what: &str,
        start: impl FnOnce(Orders<T>) -> Result<(), BackendError>,
        see: &mut dyn FnMut(Done<T>),
        is_enough: &dyn Fn(usize) -> bool,
    ) -> anyhow::Result<()> {
        let what = format!("N = {}, {}, {what}", self.plan.size(), self.plan.method());
        let mut progress = Progress::new(self.quiet, what, tasks.len(), 0, self.interrupt);
        let mut enough = false;
        let mut see = |done| {
            see(done);
            Ok(())
        };
        let mut watch = |done| {
            enough = is_enough(done);
            if enough { ControlFlow::Break(()) } else { progress.at(done) }
        };
        let run = count::run_into(tasks, start, &mut see, &mut watch);
        progress.clear();
        match run {
            Err(RunError::Stopped { .. }) if enough => Ok(()),
            other => Ok(other.map_err(Failure::of_run)?),
        }
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
        let percent = 100.0 * self.seconds_error / self.seconds.max(f64::MIN_POSITIVE);
        let what = match on.kind {
            BackendKind::Cpu if *threads == 1 => "1 thread".to_owned(),
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
        let mut fields = vec![
            ("Tasks", tasks),
            ("Time", format!("{} ± {percent:.0}% on {what}", about(self.seconds))),
        ];
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

/// A time of which hardly more than two digits are known.
fn about(seconds: f64) -> String {
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

    #[test]
    fn large_boards_are_surveyed_before_they_are_looked_at() {
        let estimate = of(22, Method::Halves);
        let Estimate { total, error, surveyed, sampled, .. } = estimate;
        let off = (total - known(22).unwrap().total() as f64).abs();
        assert!(off < 5.0 * error && error < 0.1 * total, "{estimate:?}");
        assert!(surveyed >= FEWEST_SURVEYED && (FEWEST..=surveyed).contains(&sampled));
        let mut text = Vec::new();
        estimate.print(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains(" were surveyed and ") && text.contains("% on 1 thread\n"), "{text}");
    }

    #[test]
    fn times_have_the_digits_that_are_known() {
        let about = [0.02, 9.0, 110.0, 130.0, 7000.0, 7300.0, 100_000.0, 9e6, 4.4e8].map(about);
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
        assert_eq!(about, expected);
    }
}
