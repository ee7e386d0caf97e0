//! Counts with progress, checks and a result document, for several commands.

use std::{cell::RefCell, time::Duration};

use queens::{
    count::{self, Backend, CountRequest},
    journal::{Journal, Run, Session},
    post::Client,
};
use queens_core::{
    Numbers, PartialCount, Plan, Turns,
    document::{Circumstances, Document},
    finalize,
};

use super::{
    args::RunArgs,
    backend::{self, BackendArgs},
    checkpoint::{Checkpointer, SAME_COMMAND},
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

/// Resumes the count of a journal whose lease is held. The method of `request` is ignored, because the
/// journal determines it.
pub fn resume_run(
    journal: Journal,
    request: CountRequest,
    choice: &BackendArgs,
    running: &RunArgs,
    means: &RunContext<'_>,
) -> anyhow::Result<(Document, Checkpointer)> {
    let contents = journal.contents();
    let run = contents.run.clone();
    let (done, all) = (contents.part.done().len(), run.len());
    if !means.quiet && done > 0 {
        let file = journal.file().display();
        output::note(format!("resuming {run}: {done} of {all} tasks are already in {file}"));
    }
    let sessions = Session::joined(&contents.sessions);
    if let Some(circumstances) = sessions.filter(|_| contents.is_complete()) {
        let document = document(&run, &contents.part, circumstances);
        return kept_if_right(document, Checkpointer::of(journal));
    }
    let request = CountRequest { method: Some(run.plan.method()), ..request };
    let (_, backend) =
        backend::choose(request, choice, running, means.interrupt).map_err(|error| match error
            .downcast_ref()
        {
            Some(Failure::Interrupted(text)) => {
                let message = Message::new(text).with_hint(SAME_COMMAND);
                Failure::Resumable(message).into()
            }
            _ => error,
        })?;
    count_run(&run, Checkpointer::of(journal), &*backend, means)
}

/// Counts all tasks of a plan and checks the result. Progress goes to stderr and to the server, if there
/// is one.
///
/// # Errors
/// [`Failure`] if the count was interrupted or its result is wrong.
pub fn count_plan(
    plan: Plan,
    backend: &dyn Backend,
    means: &RunContext<'_>,
) -> anyhow::Result<(Document, Numbers)> {
    let run = Run::whole(plan);
    let (part, circumstances) = count_tasks(&run, &mut Checkpointer::nothing(), backend, means)?;
    settled(&run, &part, circumstances)
}

/// Counts the tasks of a run that `keeper` does not have yet, saves them with it, and checks the result.
pub fn count_run(
    run: &Run,
    mut keeper: Checkpointer,
    backend: &dyn Backend,
    means: &RunContext<'_>,
) -> anyhow::Result<(Document, Checkpointer)> {
    let (part, circumstances) = match count_tasks(run, &mut keeper, backend, means) {
        Err(wrong) if Failure::is_of_a_wrong_device(&wrong) => {
            keeper.quarantine();
            return Err(wrong);
        }
        counted => counted?,
    };
    kept_if_right(document(run, &part, circumstances), keeper)
}

fn kept_if_right(
    document: anyhow::Result<Document>,
    keeper: Checkpointer,
) -> anyhow::Result<(Document, Checkpointer)> {
    match document {
        Ok(document) => Ok((document, keeper)),
        Err(wrong) => {
            keeper.quarantine();
            Err(wrong)
        }
    }
}

fn count_tasks(
    run: &Run,
    keeper: &mut Checkpointer,
    backend: &dyn Backend,
    means: &RunContext<'_>,
) -> anyhow::Result<(PartialCount, Circumstances)> {
    let (mut part, spent) = match keeper.contents() {
        Some(kept) => (kept.part.clone(), Session::took_in_all(&kept.sessions)),
        None => (PartialCount::new(&run.plan), Duration::ZERO),
    };
    let (before, tasks) = (part.done().len(), run.len());
    let mut name = format!("N = {}, {}", run.plan.size(), run.plan.method());
    if let Some(shard) = &run.shard {
        name += &format!(", shard {}/{}", shard.index, shard.of);
    }
    let mut progress = ProgressDisplay::new(means.quiet, name, tasks, before, means.interrupt);
    let reporter = |client: &Client| Reporter::new(client.clone(), run, means.quiet);
    let mut reporter = means.server.map(reporter).map(|reporter| reporter.after(spent));
    keeper.begin(backend, run.plan.method())?;
    let in_work = keeper.in_work().clone();
    let keeper = RefCell::new(keeper);
    let outcome = count::count(
        run,
        &mut part,
        &in_work,
        backend,
        &mut |done| Ok(keeper.borrow_mut().keep(done)?),
        &mut |done| {
            if let Some(reporter) = &mut reporter {
                reporter.at(before + done);
            }
            let flow = progress.at(done);
            if flow.is_continue() { keeper.borrow_mut().tick(progress.expected()) } else { flow }
        },
    );
    progress.clear();
    if let Some(reporter) = reporter {
        reporter.end(outcome.is_ok());
    }
    let circumstances = keeper.into_inner().end(run, &part, outcome)?;
    Ok((part, circumstances))
}

/// Creates the result document of a run.
fn document(
    run: &Run,
    part: &PartialCount,
    circumstances: Circumstances,
) -> anyhow::Result<Document> {
    let Some(shard) = &run.shard else { return Ok(settled(run, part, circumstances)?.0) };
    let (size, method) = (run.plan.size(), run.plan.method());
    let document = Document::of_shard(part, shard.clone(), circumstances);
    Ok(document.map_err(|found| Failure::WrongShard { size, method, found })?)
}

fn settled(
    run: &Run,
    part: &PartialCount,
    circumstances: Circumstances,
) -> anyhow::Result<(Document, Numbers)> {
    let (size, method) = (run.plan.size(), run.plan.method());
    let settled = finalize(part, Turns::of(size)).map_err(|source| Failure::WrongCount {
        size,
        method,
        source,
    })?;
    Ok((Document::of(&settled, circumstances), settled.numbers()))
}
