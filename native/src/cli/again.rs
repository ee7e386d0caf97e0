//! Tasks of a result counted again by another method, for `verify` and `merge`.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    ops::ControlFlow,
    str::FromStr,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Args;
use queens_core::{
    Check, Checks, Done, Plan, choose,
    document::{Contradiction, Document, Header, TaskTotal},
    recount, shortened,
};

use super::{
    args::{self, Running},
    failure::Failure,
    interrupt::Interrupt,
    progress::Progress,
};
use queens::count::{self, RunError};

/// How much is counted again.
#[derive(Args)]
pub struct AgainArgs {
    /// Count tasks again, chosen at random, for so long [default: 3]
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// Count so many tasks again, or `all`, however long it takes; a time such as 60s is --seconds
    #[arg(long, value_name = "R", conflicts_with = "seconds", allow_negative_numbers = true)]
    tasks: Option<Amount>,
    /// Chooses the same tasks each time [default: other ones each time]
    #[arg(long, value_name = "X", value_parser = args::whole, allow_negative_numbers = true)]
    seed: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
enum Amount {
    All,
    Some(usize),
    For(Duration),
}

impl FromStr for Amount {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Amount, &'static str> {
        match text {
            "all" => Some(Amount::All),
            text => match text.strip_suffix('s') {
                Some(time) => seconds(time).ok().map(Amount::For),
                None => text.parse().ok().map(Amount::Some),
            },
        }
        .ok_or("give a whole number, `all`, or seconds such as 60s")
    }
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or("give a number of seconds, 0 or more")
}

/// What was counted again: all came out the same.
pub struct Again {
    /// The numbers of the tasks, ascending.
    ids: Vec<u32>,
    /// How many tasks the document has.
    all: usize,
    seed: u64,
    /// Whether the time was too short for any.
    is_late: bool,
}

impl Again {
    /// Prints what was covered, and which checks were passed, those `passed` before among them.
    pub fn print(&self, out: &mut dyn Write, passed: Checks) -> io::Result<()> {
        let Again { ref ids, all, seed, is_late } = *self;
        let count = ids.len();
        let share = 100.0 * count as f64 / all.max(1) as f64;
        match count {
            0 if is_late => writeln!(out, "Counted again: none; --seconds gives it more time")?,
            0 => {}
            _ if count == all => {
                writeln!(out, "Counted again: {count} of {all} tasks: {}", shortened(ids))?;
            }
            _ => writeln!(
                out,
                "Counted again: {count} of {all} tasks: {} ({share:.2}%, --seed {seed})",
                shortened(ids)
            )?,
        }
        match count {
            0 => writeln!(out, "Checks passed: {passed}"),
            _ if count == all => writeln!(out, "Checks passed: {}", self.join(passed)),
            _ => writeln!(out, "Checks passed: {passed}, recount of {count} of {all} tasks"),
        }
    }

    /// The checks with [`Check::Recount`] if every task was counted again.
    pub fn join(&self, passed: Checks) -> Checks {
        let is_whole = self.all > 0 && self.ids.len() == self.all;
        if is_whole { passed.with(Check::Recount) } else { passed }
    }
}

/// Counts tasks of a document again; `file` is what it is called where that cannot be done.
///
/// # Errors
/// [`Failure`] if one comes out differently, the tasks are not known here, or it was interrupted.
pub fn count_again(
    document: &Document,
    file: &str,
    args: &AgainArgs,
    running: &Running,
) -> anyhow::Result<Again> {
    const USUAL: Amount = Amount::For(Duration::from_secs(3));
    let amount = match args.seconds {
        Some(time) => Amount::For(time),
        None => args.tasks.unwrap_or(USUAL),
    };
    // Short enough to be typed.
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..1_000_000));
    let mut again = Again { ids: vec![], all: document.tasks.len(), seed, is_late: false };
    let chosen = chosen(document, amount, seed);
    check_columns(document, file)?;
    if chosen.is_empty() || matches!(amount, Amount::For(Duration::ZERO)) {
        return Ok(again);
    }
    let results = results(document, file, &chosen, amount, running)?;
    let mut done: Vec<(&TaskTotal, u64)> = chosen
        .iter()
        .filter_map(|&task| Some((task, *results.get(&(task.id as usize))?)))
        .collect();
    done.sort_unstable_by_key(|(task, _)| task.id);
    let wrong: Vec<_> = done
        .iter()
        .filter(|(task, found)| *found != task.total)
        .map(|(task, found)| {
            format!("task {} (the document says {}, the recount {found})", task.id, task.total)
        })
        .collect();
    if !wrong.is_empty() {
        return Err(Failure::Disagrees(wrong.join(", ")).into());
    }
    again.ids = done.iter().map(|(task, _)| task.id).collect();
    again.is_late = again.ids.is_empty();
    Ok(again)
}

/// Whether the tasks have covered what they are to cover, as far as they say so.
fn check_columns(document: &Document, file: &str) -> Result<(), Failure> {
    let Header { n, method, ref plan, .. } = document.header;
    // Without the plan, the sum of all is checked alone.
    let Some(plan) = Plan::of_version(n, method, plan.version) else { return Ok(()) };
    let tasks = document.tasks.iter().enumerate();
    let found: Vec<Contradiction> = tasks
        .filter_map(|(position, task)| {
            let (said, expected) = (task.covered?, plan.covered(task.id as usize)?);
            (said != expected).then_some(Contradiction::Columns { position, said, expected })
        })
        .collect();
    if found.is_empty() {
        return Ok(());
    }
    Err(Failure::Inconsistent { file: file.to_owned(), found })
}

/// The tasks to count again, in the order in which that is begun.
fn chosen(document: &Document, amount: Amount, seed: u64) -> Vec<&TaskTotal> {
    let mut tasks: Vec<&TaskTotal> = document.tasks.iter().collect();
    let amount = match amount {
        Amount::Some(amount) => amount,
        Amount::All | Amount::For(_) => tasks.len(),
    };
    let mut random = fastrand::Rng::with_seed(seed);
    choose(&mut tasks, amount, |below| random.usize(..below)).to_vec()
}

/// The totals of those tasks by another method, until there are no more or their time is over.
fn results(
    document: &Document,
    file: &str,
    chosen: &[&TaskTotal],
    amount: Amount,
    running: &Running,
) -> anyhow::Result<BTreeMap<usize, u64>> {
    let version = document.header.plan.version;
    let plan = Plan::of_version(document.header.n, document.header.method, version)
        .ok_or_else(|| Failure::UnknownPlan { file: file.to_owned(), version })?;
    let plan = Arc::new(plan);
    let interrupt = Interrupt::catch()?;
    let what = "counting again".to_owned();
    let mut progress = Progress::new(running.quiet, what, chosen.len(), 0, &interrupt);
    let ids = chosen.iter().map(|task| task.id as usize).collect();
    let work = move |task| recount(&plan, task);
    let start = |orders| count::on_threads(running.threads(), orders, work);
    let mut results = BTreeMap::new();
    let mut sink = |done: Done<u64>| {
        results.insert(done.task, done.result);
        Ok(())
    };
    let (begun, mut is_over) = (Instant::now(), false);
    let mut watch = |done| {
        is_over = matches!(amount, Amount::For(time) if begun.elapsed() >= time);
        let flow = progress.at(done);
        if is_over { ControlFlow::Break(()) } else { flow }
    };
    match count::run_into(ids, start, &mut sink, &mut watch) {
        Err(RunError::Stopped { .. }) if is_over => {}
        outcome => outcome.map_err(Failure::of_run)?,
    }
    progress.clear();
    Ok(results)
}
