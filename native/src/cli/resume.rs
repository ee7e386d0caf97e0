//! `queens resume`: resumes an interrupted count.

use std::{io::Write, path::PathBuf, process::ExitCode};

use super::{
    args::{self, RunArgs},
    counting,
    delivery::OutputArgs,
    interrupt,
    journal::{CountJournal, LockArgs},
    output,
    request::BackendArgs,
};

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
    output::set_quiet(args.run_args.quiet);
    let outputs = args.output_args.outputs(None, Some(&args.journal))?;
    interrupt::catch()?;
    let journal = args.lock_args.open(&args.journal)?;
    let size = journal.contents().run.plan.size();
    let request = args.backend_args.request(size, None, &args.run_args);
    let journal = CountJournal::Existing(Box::new(journal));
    counting::run(request, journal, false, outputs, out)
}
