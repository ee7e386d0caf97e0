//! Recounts for `verify` and `merge`: whole tasks by plain backtracking, or recorded parts of tasks by
//! backtracking and by their method.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    ops::ControlFlow,
    str::FromStr,
    time::{Duration, Instant},
};

use anyhow::bail;
use clap::Args;
use queens_core::{
    Check, Checks, Done, Form, Plan, choose,
    document::{Contradiction, Document, Header, TaskTotal},
    notation, recount, recount_audit_set, shortened,
};

use super::{args, failure::Failure, interrupt, progress::ProgressDisplay};
use queens::{
    count::{self, BackendError, Cpu, RunError, TaskQueue},
    host, isa,
};

/// Arguments that choose the unit and the amount of a recount.
#[derive(Args)]
pub struct RecountArgs {
    /// Recount randomly chosen tasks for this many seconds [default: 3]
    ///
    /// Beyond N = 18, this recounts parts of tasks instead of whole tasks, if the document records them, as
    /// results of the colours method do. To choose between the two, use --tasks or --parts with a time.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// Recount whole tasks: a number of them, `all`, or as many as fit in a number of
    /// seconds, such as 60s
    ///
    /// For the colours method beyond N = 18, a single task takes long.
    #[arg(long, value_name = "AMOUNT", conflicts_with = "seconds", allow_negative_numbers = true)]
    tasks: Option<RecountLimit>,
    /// Recount recorded parts of tasks, one per task: a number of parts, `all`, or as many as fit in a number
    /// of seconds, such as 60s
    ///
    /// A result of the colours method records for each task the solutions of a part of its first pair of
    /// row sets: those whose white queens have the same even columns as even rows. Beyond N = 18, --parts
    /// 60s is the same as --seconds 60.
    #[arg(long, alias = "column-sets", value_name = "AMOUNT", conflicts_with_all = ["seconds", "tasks"],
        allow_negative_numbers = true)]
    parts: Option<RecountLimit>,
    /// Random seed that chooses the tasks [default: a new one each time]
    #[arg(long, value_name = "SEED", value_parser = args::whole_number, allow_negative_numbers = true)]
    seed: Option<u64>,
}

/// The largest N for which recounting a whole task of the colour join takes only seconds.
const MAX_N_FOR_TASKS: u32 = 18;

/// Amount of a recount: how many tasks or parts.
#[derive(Clone, Copy, Debug)]
enum RecountLimit {
    /// At most this number.
    Count(usize),
    /// As many as can be recounted in this time.
    Time(Duration),
}

impl FromStr for RecountLimit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<RecountLimit, &'static str> {
        match text {
            "all" => Some(RecountLimit::Count(usize::MAX)),
            text => match text.strip_suffix('s') {
                Some(time) => seconds(time).ok().map(RecountLimit::Time),
                None => notation::number(text).ok().map(RecountLimit::Count),
            },
        }
        .ok_or("expected a whole number, `all`, or a number of seconds such as 60s")
    }
}

/// Parses a time. A time above [`Duration::MAX`] becomes [`Duration::MAX`], which is still longer than any
/// recount takes.
fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds =
        notation::number(text).ok().filter(|seconds: &f64| *seconds >= 0.0 && seconds.is_finite());
    seconds
        .map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
        .ok_or("expected a number of seconds, 0 or more")
}

/// Unit of a recount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecountUnit {
    /// The whole task.
    Task,
    /// The recorded part of the task.
    Part,
}

impl RecountArgs {
    /// Returns the unit and the amount of the recount of a document.
    fn unit_and_limit(&self, document: &Document) -> (RecountUnit, RecountLimit) {
        const DEFAULT: RecountLimit = RecountLimit::Time(Duration::from_secs(3));
        let records_parts = || document.tasks.iter().any(|task| task.chosen.is_some());
        let default = self.seconds.map_or(DEFAULT, RecountLimit::Time);
        let n = document.header.n;
        match (self.parts, self.tasks) {
            (Some(limit), _) => (RecountUnit::Part, limit),
            (_, Some(limit)) => (RecountUnit::Task, limit),
            _ if n.get() > MAX_N_FOR_TASKS && records_parts() => (RecountUnit::Part, default),
            _ => (RecountUnit::Task, default),
        }
    }
}

/// Report of a recount without a mismatch.
pub struct RecountReport {
    unit: RecountUnit,
    /// Numbers of the recounted tasks, ascending.
    ids: Vec<u32>,
    /// Number of tasks in the document that can be recounted: all, or those with a recorded part.
    recountable: usize,
    seed: u64,
    /// Whether the time was too short for even one task.
    is_out_of_time: bool,
}

impl RecountReport {
    /// Prints what was recounted, and all passed checks: those in `passed` and the recount.
    pub fn print(&self, out: &mut dyn Write, passed: Checks) -> io::Result<()> {
        let RecountReport { unit, ref ids, recountable, seed, is_out_of_time } = *self;
        let count = ids.len();
        let share = 100.0 * count as f64 / recountable.max(1) as f64;
        let (amount, tasks) = match unit {
            RecountUnit::Task => (format!("{count} of {recountable} tasks"), ": "),
            RecountUnit::Part => {
                let tasks = if count == 1 { ", of task " } else { ", of tasks " };
                (format!("{count} of {recountable} recorded parts"), tasks)
            }
        };
        let tasks = format!("{tasks}{}", shortened(ids));
        match count {
            0 if is_out_of_time => {
                writeln!(out, "Recounted: none; allow more time, such as `--seconds 60`")?;
            }
            0 if recountable == 0 => writeln!(out, "Recounted: none; this shard has no tasks")?,
            0 => writeln!(out, "Recounted: none")?,
            _ if count == recountable => writeln!(out, "Recounted: {amount}{tasks}")?,
            _ => writeln!(out, "Recounted: {amount}{tasks} ({share:.2}%, --seed {seed})")?,
        }
        match unit {
            _ if count == 0 => writeln!(out, "Checks passed: {passed}"),
            RecountUnit::Task if count == recountable => {
                writeln!(out, "Checks passed: {}", self.add_to(passed))
            }
            _ => writeln!(out, "Checks passed: {passed}, recount of {amount}"),
        }
    }

    /// Adds [`Check::Recount`] to `passed` if all tasks were recounted as a whole.
    pub fn add_to(&self, passed: Checks) -> Checks {
        let is_whole = self.unit == RecountUnit::Task
            && self.recountable > 0
            && self.ids.len() == self.recountable;
        if is_whole { passed.with(Check::Recount) } else { passed }
    }
}

/// Recounts tasks of a document. `file` names the document in errors.
///
/// # Errors
/// [`Failure`] if
/// - a recounted number differs from that in the document,
/// - the recount is interrupted,
/// - parts are requested but the document records none, or
/// - a task of the document does not cover all its pairs of row sets.
pub fn recount_document(
    document: &Document,
    file: &str,
    args: &RecountArgs,
    threads: usize,
) -> anyhow::Result<RecountReport> {
    let (unit, limit) = args.unit_and_limit(document);
    // The seed is printed, so keep it short enough to type.
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..1_000_000));
    let mut tasks: Vec<&TaskTotal> = document.tasks.iter().collect();
    tasks.retain(|task| unit == RecountUnit::Task || task.chosen.is_some());
    if unit == RecountUnit::Part && tasks.is_empty() {
        let text =
            format!("{file} records no parts of tasks; only results of the method colours do");
        let hint = "use `--tasks` to recount whole tasks";
        return Err(Failure::arguments(text, hint).into());
    }
    let mut report =
        RecountReport { unit, ids: vec![], recountable: tasks.len(), seed, is_out_of_time: false };
    let chosen = choose_tasks(&mut tasks, limit, seed);
    check_coverage(document, file)?;
    if chosen.is_empty() || matches!(limit, RecountLimit::Time(Duration::ZERO)) {
        return Ok(report);
    }
    let plan = Plan::new(document.header.n, document.header.method);
    let mismatches: Vec<String> = match unit {
        RecountUnit::Task => {
            let work = move |_: &mut (), task| recount(&plan, task);
            let start = |task_queue| count::on_threads(threads, task_queue, (), work);
            let recounts = run_recounts(chosen, start, limit)?;
            report.ids = recounts.iter().map(|(task, _)| task.id).collect();
            recounts
                .iter()
                .filter_map(|(task, found)| {
                    describe_difference(&format!("task {}", task.id), task.total, *found)
                })
                .collect()
        }
        RecountUnit::Part => {
            let fitting = Cpu::max_threads(plan.size(), plan.method(), host::usable_memory());
            let threads = threads.min(fitting.max(1));
            let counter = plan.counter(Form::Recursive, isa::best());
            let start = |task_queue| {
                count::on_threads(threads, task_queue, counter, move |counter, task| {
                    let counted = counter.count_audit_set(&plan, task)?;
                    Ok([counted, recount_audit_set(&plan, task)].map(Option::unwrap_or_default))
                })
            };
            let recounts = run_recounts(chosen, start, limit)?;
            report.ids = recounts.iter().map(|(task, _)| task.id).collect();
            let by = [format!("by {}", document.header.method), "independently".to_owned()];
            let mismatches = recounts.iter().filter_map(|(task, found)| {
                by.iter().zip(*found).find_map(|(by, found)| {
                    let subject = format!("the recorded part of task {}, recounted {by}", task.id);
                    describe_difference(&subject, task.chosen?, found)
                })
            });
            mismatches.collect()
        }
    };
    if !mismatches.is_empty() {
        bail!("the recount disagrees with the document: {}", mismatches.join(", "));
    }
    report.is_out_of_time = report.ids.is_empty();
    Ok(report)
}

/// Describes the difference between the numbers in the document and in the recount, if there is one.
fn describe_difference(subject: &str, in_document: u64, found: u64) -> Option<String> {
    (in_document != found)
        .then(|| format!("{subject} ({in_document} in the document, {found} in the recount)"))
}

/// Checks that each task covers all its pairs of row sets, if the document records its coverage.
fn check_coverage(document: &Document, file: &str) -> Result<(), Failure> {
    let Header { n, method, .. } = document.header;
    let plan = Plan::new(n, method);
    let tasks = document.tasks.iter().enumerate();
    let found: Vec<Contradiction> = tasks
        .filter_map(|(position, task)| {
            let (recorded, expected) = (task.covered?, plan.expected_coverage(task.id as usize)?);
            (recorded != expected).then_some(Contradiction::Coverage {
                position,
                recorded,
                expected,
            })
        })
        .collect();
    if found.is_empty() {
        return Ok(());
    }
    Err(Failure::Inconsistent { file: file.to_owned(), found })
}

/// Selects the tasks to recount, in the order in which they are started.
fn choose_tasks<'a, 'b>(
    tasks: &'a mut [&'b TaskTotal],
    limit: RecountLimit,
    seed: u64,
) -> &'a [&'b TaskTotal] {
    let limit = match limit {
        RecountLimit::Count(limit) => limit,
        RecountLimit::Time(_) => tasks.len(),
    };
    let mut random = fastrand::Rng::with_seed(seed);
    choose(tasks, limit, |below| random.usize(..below))
}

/// Recounts the `chosen` tasks until all are done or the time is over. Returns the results in the order of
/// the task numbers.
fn run_recounts<'a, T>(
    chosen: &[&'a TaskTotal],
    start: impl FnOnce(TaskQueue<T>) -> Result<(), BackendError>,
    limit: RecountLimit,
) -> anyhow::Result<Vec<(&'a TaskTotal, T)>> {
    interrupt::catch()?;
    let what = "recounting".to_owned();
    let mut progress = ProgressDisplay::new(what, chosen.len(), 0);
    let ids = chosen.iter().map(|task| task.id as usize).collect();
    let mut results = BTreeMap::new();
    let mut sink = |done: Done<T>| {
        results.insert(done.task, done.result);
        Ok(())
    };
    let (clock, mut is_over) = (Instant::now(), false);
    let mut watch = |done| {
        is_over = matches!(limit, RecountLimit::Time(time) if clock.elapsed() >= time);
        let flow = progress.update(done).map_continue(|_| ());
        if is_over { ControlFlow::Break(()) } else { flow }
    };
    let outcome = count::run_into(ids, start, &mut sink, &mut watch);
    // From here on, the command writes its result, and does not poll the flag.
    interrupt::stop_polling();
    match outcome {
        Err(RunError::Stopped { .. }) if is_over && !interrupt::is_set() => {}
        outcome => outcome.map_err(Failure::from_run)?,
    }
    let mut found: Vec<_> = chosen
        .iter()
        .filter_map(|task| Some((*task, results.remove(&(task.id as usize))?)))
        .collect();
    found.sort_unstable_by_key(|(task, _)| task.id);
    Ok(found)
}
