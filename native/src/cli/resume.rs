//! `queens resume`: resumes an interrupted count.

use std::{io::Write, path::PathBuf, process::ExitCode};

use queens_core::Form;

use super::{
    args::{self, RunArgs},
    backend::BackendArgs,
    checkpoint::{self, LockArgs},
    counting::{self, RunContext},
    interrupt::Interrupt,
    output_args::OutputArgs,
};
use queens::journal::Journal;

/// Resume an interrupted count from its journal
///
/// Finished tasks are kept. The remaining tasks may use another backend, form, instruction set or
/// number of threads.
#[derive(clap::Args)]
#[command(mut_arg("threads", args::threads_of_count))]
#[command(after_help = "\
Examples:
  queens resume twentyone.journal
  queens resume twentyone.journal --threads 2 -o twentyone.json")]
pub struct Args {
    /// Journal to resume from
    #[arg(value_name = "JOURNAL")]
    journal: PathBuf,
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
    output_args: OutputArgs,
    #[command(flatten)]
    lock_args: LockArgs,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let outputs = args.output_args.outputs(Some(&args.journal))?;
    let quiet = args.run_args.quiet;
    let interrupt = Interrupt::catch()?;
    let journal = Journal::open_with(&args.journal, args.lock_args.locking())?;
    let journal = checkpoint::lock(journal, args.lock_args, quiet, &interrupt)?;
    let size = journal.contents().run.plan.size();
    let request = args.backend_args.request(size, None, args.form, &args.run_args);
    let context = RunContext { quiet, server: outputs.server.as_ref(), interrupt: &interrupt };
    let (document, checkpointer) = counting::resume_run(journal, request, &context)?;
    let code = outputs.deliver(out, &document, true, quiet, &interrupt)?;
    if code == ExitCode::SUCCESS {
        checkpointer.remove_if_automatic();
    }
    Ok(code)
}
