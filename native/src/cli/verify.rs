//! `queens verify`: checks a result document and counts some of its tasks again.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{
    Done, Plan, choose,
    document::{Check, Document, Header, TaskTotal},
    recount, shortened,
};

use super::{
    args::{self, Running},
    failure::Failure,
    interrupt::Interrupt,
    output::thousands,
    progress::Progress,
};
use queens::{
    count::{self, RunError},
    server::LARGEST_DOCUMENT,
};

/// Check a result document, and count tasks of it again by another method
///
/// A task is counted again by plain backtracking below its first queens, or within its sets of
/// columns, without the cuts and comparisons of the document's method.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens verify result.json
  queens verify result.json --tasks all
  queens verify result.json --tasks 60s
  queens verify result.json --tasks 20 --seed 7")]
pub struct Args {
    /// The document's file; - is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which tasks to count again, chosen at random: so many, `all`, or as many as a time such as
    /// 60s suffices for
    #[arg(long, value_name = "R", default_value = "3s", allow_negative_numbers = true)]
    tasks: Amount,
    /// Chooses the same tasks each time [default: other ones each time]
    #[arg(long, value_name = "X", value_parser = args::whole, allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    running: Running,
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
            "all" => Ok(Amount::All),
            text => match text.strip_suffix('s') {
                Some(seconds) => seconds.parse().map(Duration::from_secs).map(Amount::For),
                None => text.parse().map(Amount::Some),
            }
            .map_err(|_| "give a whole number, `all`, or seconds such as 60s"),
        }
    }
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let document = read(&args.file)?;
    let passed = document
        .check()
        .map_err(|found| Failure::Inconsistent { file: args.file.display().to_string(), found })?;
    print(out, &document.header)?;
    let chosen = chosen(&document, args);
    let ids = if chosen.is_empty() { vec![] } else { count_again(args, &document, &chosen)? };
    let (count, all) = (ids.len(), document.tasks.len());
    if count > 0 {
        writeln!(out, "Counted again: {count} of {all} tasks: {}", shortened(&ids))?;
    }
    match count {
        0 => writeln!(out, "Checks passed: {passed}")?,
        _ if count == all => writeln!(out, "Checks passed: {}", passed.with(Check::Recount))?,
        _ => writeln!(out, "Checks passed: {passed}, recount of {count} of {all} tasks")?,
    }
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Document, Failure> {
    let file = || path.display().to_string();
    let text = text(path).map_err(|source| Failure::Unreadable { file: file(), source })?;
    Document::parse(&text).map_err(|source| Failure::Damaged { file: file(), source })
}

/// The text of a file, or of stdin for `-`.
fn text(path: &Path) -> io::Result<String> {
    let source: Box<dyn Read> =
        if path == "-" { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let mut text = String::new();
    source.take(LARGEST_DOCUMENT as u64 + 1).read_to_string(&mut text)?;
    if text.len() > LARGEST_DOCUMENT {
        let words = format!("it is larger than {} MB, as no result is", LARGEST_DOCUMENT >> 20);
        return Err(io::Error::other(words));
    }
    Ok(text)
}

fn print(out: &mut dyn Write, header: &Header) -> io::Result<()> {
    let shard = header.shard.as_ref().map(|s| format!(", shard {}/{}", s.index, s.of));
    writeln!(
        out,
        "N = {}, {}, {}{}: total {}{}",
        header.n,
        header.method,
        header.form,
        shard.unwrap_or_default(),
        thousands(header.total),
        header.unique.map(|unique| format!(", unique {}", thousands(unique))).unwrap_or_default(),
    )
}

/// The tasks to count again, in the order in which that is begun.
fn chosen<'a>(document: &'a Document, args: &Args) -> Vec<&'a TaskTotal> {
    let mut tasks: Vec<&TaskTotal> = document.tasks.iter().collect();
    let amount = match args.tasks {
        Amount::Some(amount) => amount,
        Amount::All | Amount::For(_) => tasks.len(),
    };
    let mut random = args.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
    choose(&mut tasks, amount, |below| random.usize(..below)).to_vec()
}

/// Counts tasks again by another method, until there are no more or their time is over, and gives
/// the numbers of those that were done: all came out the same.
fn count_again(
    args: &Args,
    document: &Document,
    chosen: &[&TaskTotal],
) -> anyhow::Result<Vec<u32>> {
    let version = document.header.plan.version;
    let plan = Plan::of_version(document.header.n, document.header.method, version)
        .ok_or_else(|| Failure::UnknownPlan { file: args.file.display().to_string(), version })?;
    let plan = Arc::new(plan);
    let interrupt = Interrupt::catch()?;
    let what = "counting again".to_owned();
    let mut progress = Progress::new(args.running.quiet, what, chosen.len(), 0, &interrupt);
    let ids = chosen.iter().map(|task| task.id as usize).collect();
    let work = move |task| recount(&plan, task);
    let start = |orders| count::on_threads(args.running.threads(), orders, work);
    let mut results = BTreeMap::new();
    let mut sink = |done: Done<u64>| {
        results.insert(done.task, done.result);
        Ok(())
    };
    let (begun, mut is_over) = (Instant::now(), false);
    let mut watch = |done| {
        let is_enough = |time| done > 0 && begun.elapsed() >= time;
        is_over = matches!(args.tasks, Amount::For(time) if is_enough(time));
        let flow = progress.at(done);
        if is_over { ControlFlow::Break(()) } else { flow }
    };
    match count::run_into(ids, start, &mut sink, &mut watch) {
        Err(RunError::Stopped { .. }) if is_over => {}
        outcome => outcome.map_err(Failure::of_run)?,
    }
    progress.clear();
    let mut again: Vec<(&TaskTotal, u64)> = chosen
        .iter()
        .filter_map(|&task| Some((task, *results.get(&(task.id as usize))?)))
        .collect();
    again.sort_unstable_by_key(|(task, _)| task.id);
    let wrong: Vec<_> = again
        .iter()
        .filter(|(task, found)| *found != task.total)
        .map(|(task, found)| {
            format!("task {} (the document says {}, the recount {found})", task.id, task.total)
        })
        .collect();
    if !wrong.is_empty() {
        return Err(Failure::Disagrees(wrong.join(", ")).into());
    }
    Ok(again.iter().map(|(task, _)| task.id).collect())
}
