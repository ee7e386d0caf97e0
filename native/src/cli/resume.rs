//! `queens resume`: resumes an interrupted count.

use std::{io::Write, path::PathBuf, process::ExitCode};

use super::{
    args::{self, RunArgs},
    counting::Counting,
    decide,
    delivery::{OutputArgs, Outputs},
    failure::{Failure, Message},
    interrupt,
    journal::{CountJournal, LockArgs, resume_hint},
    output,
    request::{BackendArgs, Request},
};
use queens::{
    journal::{Journal, Session},
    paths,
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
    resume(journal, &request, outputs, false, out)
}

/// Counts the remaining tasks of a journal, which must be locked unless all tasks are done, and delivers the
/// result. The journal determines the method, whatever `request` says.
pub fn resume(
    journal: Journal,
    request: &Request,
    outputs: Outputs,
    keeps_journal: bool,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let contents = journal.contents();
    let run = contents.run.clone();
    let (done, all) = (contents.finished_tasks.done().len(), run.len());
    if done > 0 {
        let file = paths::shown(journal.file());
        output::note(format!("resuming {run}: {done} of {all} tasks are already in {file}"));
    }
    let sessions = Session::combined_circumstances(&contents.sessions);
    let saved = sessions.filter(|_| contents.is_complete());
    let hint = resume_hint(&journal);
    let request = request.with_method(run.plan.method());
    let mut counting = Counting::new(run, CountJournal::File(Box::new(journal)));
    let circumstances = match saved {
        Some(circumstances) => circumstances,
        None => {
            let (_, backend) =
                decide::choose(&request).map_err(|error| match error.downcast() {
                    Ok(Failure::Interrupted(text)) => {
                        Failure::Resumable(Message::new(text).with_hint(hint)).into()
                    }
                    Ok(other) => other.into(),
                    Err(error) => error,
                })?;
            counting.count(&*backend, outputs.server.as_ref())?
        }
    };
    counting.deliver(circumstances, outputs, keeps_journal, out)
}
