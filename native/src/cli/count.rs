//! `queens count`: counts a board, or estimates the count; prints, saves and posts the result.

use std::{io::Write, process::ExitCode};

use queens::{journal::Run, paths};
use queens_core::document::Shard;

use super::{
    args,
    counting::Counting,
    decide,
    delivery::{OutputArgs, output_of_count},
    estimate, interrupt,
    journal::JournalArgs,
    output,
    request::RequestArgs,
    resume::resume,
};

/// Count the solutions of an N x N board
#[derive(clap::Args)]
#[command(mut_arg("threads", args::threads_of_count), mut_arg("output", output_of_count))]
#[command(after_help = "\
Examples:
  queens count 16
  queens count 18 --threads 4 -o eighteen.json
  queens count 12 --method bitmap --form iterative --json
  queens count 22 --estimate
  queens count 20 --shard 3/16 -o shard-3.json
  queens count 21 --journal twentyone.journal
  queens count 17 --post http://127.0.0.1:8017

A count is divided into tasks, which threads and shards share. One task searches all boards that
begin with the same first queens. With the colours method, a task is a group of pairs of row
sets: it counts all boards whose queens on white squares have exactly the even and the odd rows of
one of these pairs.

An interrupted count resumes when you run the same command again, if it has a journal: the file
named by --journal, or the one that a count creates automatically if it is expected to take over a
minute.")]
pub struct Args {
    #[command(flatten)]
    request_args: RequestArgs,
    /// Do not count; estimate the time, the memory and the total from a sample of tasks
    ///
    /// The number after ± is the standard error: the true value is within it in two of three cases, and
    /// within twice that in 19 of 20. With --json the estimate is printed as JSON.
    #[arg(long, conflicts_with_all = ["output", "post", "journal", "shard", "shard_from_env"])]
    estimate: bool,
    /// Random seed for the sample of tasks, with --estimate [default: 0]
    #[arg(long, value_name = "SEED", value_parser = args::whole_number, requires = "estimate",
        allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    output_args: OutputArgs,
    #[command(flatten)]
    journal_args: JournalArgs,
}

/// Counts the board, or estimates the count, and delivers the result. Resumes from a journal if there is
/// one. Counts nothing if the output file already holds the result of the requested shard.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    // clap counts as a use of every argument. This pattern lets the compiler find one that nothing reads.
    let Args { request_args, estimate: is_estimate, seed, output_args, journal_args } = args;
    output::set_quiet(request_args.run_args.quiet);
    let request = request_args.request()?;
    let mut outputs = output_args.outputs(Some(&request), journal_args.file())?;
    interrupt::catch()?;
    if *is_estimate {
        return estimate::run(&request, seed.unwrap_or_default(), output_args.json, out);
    }
    if let Some(document) = outputs.saved.take() {
        if let Some(file) = &outputs.file {
            let file = paths::shown(file);
            output::note(format!("{file} already holds this shard; nothing to count"));
        }
        return outputs.deliver(out, &document, true);
    }
    // Keep a journal that `--journal` names, even in the folder of automatic journals.
    let keeps_journal = journal_args.file().is_some();
    if let Some(journal) = journal_args.find(&request)? {
        return resume(journal, &request, outputs, keeps_journal, out);
    }
    let (plan, backend) = decide::choose(&request)?;
    let run = Run { plan, shard: request.shard };
    if let (true, Some(Shard { index, of, .. }), false) =
        (run.is_empty(), &run.shard, output::is_quiet())
    {
        let tasks = run.plan.len();
        output::warn(format!("shard {index}/{of} has no tasks: the count has {tasks} in all"));
    }
    let journal = journal_args.create(&run)?;
    let mut counting = Counting::new(run, journal);
    let circumstances = counting.count(&*backend, outputs.server.as_ref())?;
    counting.deliver(circumstances, outputs, keeps_journal, out)
}
