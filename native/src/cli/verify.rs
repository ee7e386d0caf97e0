//! `queens verify`: checks a result document and counts some of its tasks again.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
    sync::Arc,
};

use queens_core::{
    Plan, choose,
    document::{Check, Document, Header, TaskTotal, ranges},
    recount,
};

use super::{
    args::{self, Running},
    failure::Failure,
    interrupt::Interrupt,
    output::thousands,
    progress::Progress,
};
use queens::{count, server::LARGEST_DOCUMENT};

/// Check a result document, and count tasks of it again by another method
///
/// A task is counted again by plain backtracking below its first queens, or within its sets of
/// columns, without the cuts and comparisons of the document's method.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens verify result.json
  queens verify result.json --tasks all
  queens verify result.json --tasks 20 --seed 7")]
pub struct Args {
    /// The document's file; - is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How many tasks to count again, chosen at random: a number, or `all`
    #[arg(long, value_name = "R", default_value = "3", allow_negative_numbers = true)]
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
}

impl FromStr for Amount {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Amount, &'static str> {
        match text {
            "all" => Ok(Amount::All),
            text => text.parse().map(Amount::Some).map_err(|_| "give a whole number, or `all`"),
        }
    }
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let document = read(&args.file)?;
    let mut passed = document
        .check()
        .map_err(|found| Failure::Inconsistent { file: args.file.display().to_string(), found })?;
    print(out, &document.header)?;
    let again = chosen(&document, args);
    if !again.is_empty() {
        count_again(args, &document, &again)?;
        passed = passed.with(Check::Recount);
        let ids: Vec<u32> = again.iter().map(|task| task.id).collect();
        let (count, all) = (again.len(), document.tasks.len());
        writeln!(out, "Counted again: {count} of {all} tasks: {}", ranges(&ids))?;
    }
    writeln!(out, "Checks passed: {passed}")?;
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

/// The tasks to count again, by their numbers.
fn chosen<'a>(document: &'a Document, args: &Args) -> Vec<&'a TaskTotal> {
    let mut tasks: Vec<&TaskTotal> = document.tasks.iter().collect();
    let Amount::Some(amount) = args.tasks else {
        return tasks;
    };
    let mut random = args.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
    let chosen = choose(&mut tasks, amount, |below| random.usize(..below));
    chosen.sort_unstable_by_key(|task| task.id);
    chosen.to_vec()
}

/// Counts tasks again by another method, and compares.
fn count_again(args: &Args, document: &Document, chosen: &[&TaskTotal]) -> anyhow::Result<()> {
    let version = document.header.plan.version;
    let plan = Plan::of_version(document.header.n, document.header.method, version)
        .ok_or_else(|| Failure::UnknownPlan { file: args.file.display().to_string(), version })?;
    let plan = Arc::new(plan);
    let interrupt = Interrupt::catch()?;
    let what = "counting again".to_owned();
    let mut progress = Progress::new(args.running.quiet, what, chosen.len(), &interrupt);
    let ids = chosen.iter().map(|task| task.id as usize).collect();
    let work = move |task| recount(&plan, task);
    let start = |orders| count::on_threads(args.running.threads(), orders, work);
    let results = count::run(ids, start, &mut |done| progress.at(done)).map_err(Failure::of_run)?;
    progress.clear();
    let wrong: Vec<_> = chosen
        .iter()
        .zip(results)
        .filter(|(task, again)| again.result != task.total)
        .map(|(task, again)| {
            let (said, found) = (task.total, again.result);
            format!("task {} (the document says {said}, the recount {found})", task.id)
        })
        .collect();
    if !wrong.is_empty() {
        return Err(Failure::Disagrees(wrong.join(", ")).into());
    }
    Ok(())
}
