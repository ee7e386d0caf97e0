//! Runs the counts of several commands: with progress, checks and a result document.

use std::{cell::RefCell, time::Duration};

use queens::{
    count::{self, Backend},
    journal::{Journal, Run, Session},
    paths,
    post::Client,
};
use queens_core::{
    Numbers, PartialCount, Plan, Turns,
    document::{Circumstances, Document},
    finalize,
};

use super::{
    backend,
    checkpoint::{Checkpointer, resume_hint},
    decide::{BackendRequest, Hardware, decide},
    failure::{Failure, Message},
    interrupt::Interrupt,
    output,
    progress::ProgressDisplay,
    reporter::Reporter,
};

/// Environment of a running count.
pub struct RunContext<'a> {
    /// Suppresses progress and notes.
    pub quiet: bool,
    /// Server that receives progress reports.
    pub server: Option<&'a Client>,
    /// Flag that stops the count.
    pub interrupt: &'a Interrupt,
}

/// Resumes the count of a journal, which must be locked unless all tasks are done. The method of
/// `request` is ignored, because the journal determines it.
pub fn resume_run(
    journal: Journal,
    mut request: BackendRequest,
    context: &RunContext<'_>,
) -> anyhow::Result<(Document, Checkpointer)> {
    let contents = journal.contents();
    let run = contents.run.clone();
    let (done, all) = (contents.finished_tasks.done().len(), run.len());
    if !context.quiet && done > 0 {
        let file = paths::shown(journal.file());
        output::note(format!("resuming {run}: {done} of {all} tasks are already in {file}"));
    }
    request.count.method = Some(run.plan.method());
    let sessions = Session::combined_circumstances(&contents.sessions);
    if let Some(circumstances) = sessions.filter(|_| contents.is_complete()) {
        // The options must fit together, but a finished count needs no hardware.
        decide(&request, &Hardware::unlimited()).map_err(Failure::from)?;
        let document = document(&run, &contents.finished_tasks, circumstances);
        return quarantine_if_wrong(document, Checkpointer::saving_to(journal));
    }
    let chosen = backend::choose(&request, context.quiet, context.interrupt);
    let (_, backend) = chosen.map_err(|error| match error.downcast_ref() {
        Some(Failure::Interrupted(text)) => {
            let message = Message::new(text).with_hint(resume_hint(&journal));
            Failure::Resumable(message).into()
        }
        _ => error,
    })?;
    count_run(&run, Checkpointer::saving_to(journal), &*backend, context)
}

/// Counts all tasks of a plan and checks the result. Progress goes to stderr and to the server, if there
/// is one.
///
/// # Errors
/// If the count was interrupted or failed, or if its result is wrong.
pub fn count_plan(
    plan: Plan,
    backend: &dyn Backend,
    context: &RunContext<'_>,
) -> anyhow::Result<(Document, Numbers)> {
    let run = Run::whole(plan);
    let (part, circumstances) = count_tasks(&run, &mut Checkpointer::disabled(), backend, context)?;
    checked_document(&run, &part, circumstances)
}

/// Counts the tasks of a run that are not saved yet, saves them through `checkpointer`, and checks the
/// result.
pub fn count_run(
    run: &Run,
    mut checkpointer: Checkpointer,
    backend: &dyn Backend,
    context: &RunContext<'_>,
) -> anyhow::Result<(Document, Checkpointer)> {
    let (part, circumstances) = match count_tasks(run, &mut checkpointer, backend, context) {
        Err(wrong) if Failure::is_wrong_device(&wrong) => {
            checkpointer.quarantine();
            return Err(wrong);
        }
        counted => counted?,
    };
    quarantine_if_wrong(document(run, &part, circumstances), checkpointer)
}

/// Returns the document with its checkpointer, or quarantines the journal and returns the error.
fn quarantine_if_wrong(
    document: anyhow::Result<Document>,
    checkpointer: Checkpointer,
) -> anyhow::Result<(Document, Checkpointer)> {
    match document {
        Ok(document) => Ok((document, checkpointer)),
        Err(wrong) => {
            checkpointer.quarantine();
            Err(wrong)
        }
    }
}

fn count_tasks(
    run: &Run,
    checkpointer: &mut Checkpointer,
    backend: &dyn Backend,
    context: &RunContext<'_>,
) -> anyhow::Result<(PartialCount, Circumstances)> {
    let (mut part, spent) = match checkpointer.contents() {
        Some(saved) => (saved.finished_tasks.clone(), Session::total_duration(&saved.sessions)),
        None => (PartialCount::new(&run.plan), Duration::ZERO),
    };
    let (before, tasks) = (part.done().len(), run.len());
    let mut name = format!("N = {}, {}", run.plan.size(), run.plan.method());
    if let Some(shard) = &run.shard {
        name += &format!(", shard {}/{}", shard.index, shard.of);
    }
    let mut progress = ProgressDisplay::new(context.quiet, name, tasks, before, context.interrupt);
    let reporter = |client: &Client| Reporter::new(client.clone(), run, context.quiet);
    let mut reporter = context.server.map(reporter).map(|reporter| reporter.with_time_spent(spent));
    checkpointer.begin(backend, run.plan.method())?;
    let partials = checkpointer.partials().clone();
    let checkpointer = RefCell::new(checkpointer);
    let outcome = count::count(
        run,
        &mut part,
        &partials,
        backend,
        &mut |done| {
            checkpointer.borrow_mut().save(done);
            Ok(())
        },
        &mut |done| {
            if let Some(reporter) = &mut reporter {
                reporter.update(before + done);
            }
            let flow = progress.update(done);
            if flow.is_continue() {
                checkpointer.borrow_mut().tick(progress.expected());
            }
            flow
        },
    );
    progress.clear();
    if let Some(reporter) = reporter {
        reporter.end(outcome.is_ok());
    }
    let circumstances = checkpointer.into_inner().end(run, &part, outcome)?;
    Ok((part, circumstances))
}

/// Creates the result document of a run.
fn document(
    run: &Run,
    part: &PartialCount,
    circumstances: Circumstances,
) -> anyhow::Result<Document> {
    let Some(shard) = &run.shard else { return Ok(checked_document(run, part, circumstances)?.0) };
    let (size, method) = (run.plan.size(), run.plan.method());
    let document = Document::of_shard(part, shard.clone(), circumstances);
    Ok(document.map_err(|found| Failure::WrongShard { size, method, found })?)
}

/// Creates the result document of a complete count, once it has passed the checks.
fn checked_document(
    run: &Run,
    part: &PartialCount,
    circumstances: Circumstances,
) -> anyhow::Result<(Document, Numbers)> {
    let (size, method) = (run.plan.size(), run.plan.method());
    let checked = finalize(part, Turns::of(size)).map_err(|source| Failure::WrongCount {
        size,
        method,
        source,
    })?;
    Ok((Document::of(&checked, circumstances), checked.numbers()))
}
