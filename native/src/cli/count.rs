//! `queens count`: counts a board, or estimates the count; prints, saves and posts the result.

use std::{io::Write, path::Path, process::ExitCode, sync::Arc};

use queens_core::{
    Form, Method, Plan, Size,
    document::{Document, DocumentError, Problem, Shard},
};

use super::{
    args::{self, RunArgs},
    backend::{self, BackendArgs},
    checkpoint::{self, JournalArgs},
    counting::{self, RunContext},
    estimate::estimate,
    failure::{Failure, Message},
    interrupt::Interrupt,
    output,
    output_args::{OutputArgs, output_of_count},
    shard::ShardArgs,
    source,
};
use queens::{count::CountRequest, journal::Run, paths};

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
    /// Size of the board: 1 to 28; some methods stop at a smaller N (see `queens methods`)
    #[arg(value_name = "N", value_parser = args::counted_size, allow_negative_numbers = true)]
    size: Size,
    /// Method to count with [default: the fastest for this N; with --backend cuda or wgpu: symmetry]
    #[arg(long, value_name = "METHOD", value_parser = args::method())]
    method: Option<Method>,
    /// Run the recursive or the iterative implementation [default: recursive; for symmetry on a GPU:
    /// iterative]
    ///
    /// Every method except colours has both forms; colours has only the recursive one. On a GPU, symmetry
    /// has only the iterative one.
    #[arg(long, value_parser = args::form())]
    form: Option<Form>,
    #[command(flatten)]
    backend_args: BackendArgs,
    #[command(flatten)]
    run_args: RunArgs,
    #[command(flatten)]
    shard: ShardArgs,
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
    let Args { size, method, form, .. } = *args;
    let mut request = args.backend_args.request(size, method, form, &args.run_args);
    let shard = args.shard.requested()?;
    if shard.is_some() {
        // All shards need the same method to be merged, so it must not depend on the machine.
        request.count.method = Some(request.default_method());
    }
    let quiet = args.run_args.quiet;
    let saved = match (&shard, args.output_args.file()) {
        (Some(shard), Some(file)) => saved_shard(request.count, shard, file)?,
        _ => None,
    };
    let journal = args.journal_args.file();
    let outputs = match saved {
        // The file is not written, so it may be read-only.
        Some(_) => args.output_args.outputs_besides_file()?,
        None => args.output_args.outputs(journal)?,
    };
    let interrupt = Interrupt::catch()?;
    if args.estimate {
        let (method, backend) = backend::choose(&request, quiet, &interrupt)?;
        let plan = Plan::new(size, method);
        let estimate = estimate(plan, &*backend, args.seed.unwrap_or_default(), quiet, &interrupt)?;
        if args.output_args.json {
            output::json(out, &estimate.to_json())?;
        } else {
            estimate.print(out)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let (Some(document), Some(file)) = (saved, args.output_args.file()) {
        if !quiet {
            let file = paths::shown(file);
            output::note(format!("{file} already holds this shard; nothing to count"));
        }
        return outputs.deliver(out, &document, true, quiet, &interrupt);
    }
    if let (Some(shard), Some(method), false) = (&shard, request.count.method, quiet) {
        let tasks = Plan::new(size, method).len();
        if shard.index as usize >= tasks {
            let Shard { index, of, .. } = shard;
            output::warn(format!("shard {index}/{of} has no tasks: the count has {tasks} in all"));
        }
    }
    let context = RunContext { quiet, server: outputs.server.as_ref(), interrupt: &interrupt };
    let existing = args.journal_args.find_existing(&request, shard.as_ref())?;
    let (document, checkpointer) = if let Some(journal) = existing {
        let journal = checkpoint::lock(journal, args.journal_args.lock_args, quiet, &interrupt)?;
        counting::resume_run(journal, request, &context)?
    } else {
        let (method, backend) = backend::choose(&request, quiet, &interrupt)?;
        let run = Run { plan: Arc::new(Plan::new(size, method)), shard };
        let checkpointer = args.journal_args.checkpointer(&run, quiet, &interrupt)?;
        counting::count_run(&run, checkpointer, &*backend, &context)?
    };
    let code = outputs.deliver(out, &document, checkpointer.has_journal(), quiet, &interrupt)?;
    // Keep a journal that `--journal` names, even in the folder of automatic journals.
    if code == ExitCode::SUCCESS && args.journal_args.file().is_none() {
        checkpointer.remove_if_automatic();
    }
    Ok(code)
}

/// Returns the document of this shard if the file already holds it, or `None` if the file may be replaced,
/// because it does not exist or is damaged. Also returns `None` for a pipe or a device, without opening it:
/// opening a pipe would wait for another process.
///
/// # Errors
/// [`Failure::Arguments`] if the file holds another result, which would be lost.
fn saved_shard(
    request: CountRequest,
    shard: &Shard,
    file: &Path,
) -> Result<Option<Document>, Failure> {
    if !file.is_file() {
        return Ok(None);
    }
    // The patterns name all fields, so a new field is a compile error until it is compared or ignored here.
    // The form and the instruction set do not change the tasks.
    let CountRequest { size, method, form: _, isa: _ } = request;
    let Shard { index, of, extra: _ } = shard;
    let keep = |found: String, requested: String| {
        let text = format!("{} already holds {found}, not {requested}", paths::shown(file));
        let hint = "write each shard to a separate file";
        Err(Failure::Arguments(Message::new(text).with_hint(hint)))
    };
    let requested = format!("shard {index}/{of}");
    let header = match source::read_checked(file) {
        Ok((document, _)) => {
            let is_same_count = (document.header.n, Some(document.header.method)) == (size, method);
            match &document.header.shard {
                Some(saved) if is_same_count && (saved.index, saved.of) == (*index, *of) => {
                    return Ok(Some(document));
                }
                _ => document.header,
            }
        }
        Err(Failure::Damaged { source: DocumentError::Field { path, problem }, .. })
            if matches!(
                problem,
                Problem::UnknownPlan { .. }
                    | Problem::UnknownVersion { .. }
                    | Problem::UnknownWord { .. }
            ) =>
        {
            let found = format!("a result of another program version ({path}: {problem})");
            return keep(found, requested);
        }
        Err(_) => return Ok(None),
    };
    let part = match &header.shard {
        Some(saved) => format!("shard {}/{}", saved.index, saved.of),
        None => "the complete count".to_owned(),
    };
    if (header.n, Some(header.method)) == (size, method) {
        return keep(part, requested);
    }
    let by = method.map(|method| format!(" by {method}")).unwrap_or_default();
    keep(
        format!("{part} of N = {} by {}", header.n, header.method),
        format!("{requested} of N = {size}{by}"),
    )
}
