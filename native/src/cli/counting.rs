//! The way of a count from its request to its result: choice of the hardware, the run with its progress,
//! checks, and the result document.

use std::{io::Write, process::ExitCode, time::Duration};

use queens::{
    count::Backend,
    journal::{Journal, Run, Session},
    paths,
    post::Client,
};
use queens_core::{
    Numbers, PartialCount, Plan, Turns,
    document::{Circumstances, Document, Shard},
    finalize,
};

use super::{
    checkpoint::{Checkpointer, resume_hint},
    decide,
    delivery::Outputs,
    failure::{Failure, Message},
    journal::{CountJournal, NewJournal},
    output,
    progress::ProgressDisplay,
    reporter::Reporter,
    request::Request,
};

/// Counts what is requested, except for the tasks in its journal, and delivers the result. An automatic
/// journal is removed after that, unless `keeps_journal` is set.
pub fn run(
    request: Request,
    journal: CountJournal,
    keeps_journal: bool,
    outputs: Outputs,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let server = outputs.server.as_ref();
    let (document, checkpointer) = match journal {
        CountJournal::Existing(journal) => resume(*journal, request, server)?,
        CountJournal::New(journal) => start(request, journal, server)?,
    };
    let code = outputs.deliver(out, &document, checkpointer.has_journal())?;
    if code == ExitCode::SUCCESS && !keeps_journal {
        checkpointer.remove_if_automatic();
    }
    Ok(code)
}

/// Counts all tasks of the request.
fn start(
    request: Request,
    journal: NewJournal,
    server: Option<&Client>,
) -> anyhow::Result<(Document, Checkpointer)> {
    let (plan, backend) = decide::choose(&request)?;
    let run = Run { plan, shard: request.shard };
    if let (true, Some(shard), false) = (run.is_empty(), &run.shard, output::is_quiet()) {
        let (Shard { index, of, .. }, tasks) = (shard, run.plan.len());
        output::warn(format!("shard {index}/{of} has no tasks: the count has {tasks} in all"));
    }
    let checkpointer = journal.checkpointer(&run)?;
    count_run(&run, checkpointer, &*backend, server)
}

/// Counts the remaining tasks of a journal, which must be locked unless all tasks are done. The method of
/// `request` is ignored, because the journal determines it.
fn resume(
    journal: Journal,
    request: Request,
    server: Option<&Client>,
) -> anyhow::Result<(Document, Checkpointer)> {
    let contents = journal.contents();
    let run = contents.run.clone();
    let (done, all) = (contents.finished_tasks.done().len(), run.len());
    if done > 0 {
        let file = paths::shown(journal.file());
        output::note(format!("resuming {run}: {done} of {all} tasks are already in {file}"));
    }
    let sessions = Session::combined_circumstances(&contents.sessions);
    if let Some(circumstances) = sessions.filter(|_| contents.is_complete()) {
        let document = document(&run, &contents.finished_tasks, circumstances);
        return quarantine_if_wrong(document, Checkpointer::saving_to(journal));
    }
    let chosen = decide::choose(&request.with_method(run.plan.method()));
    let (_, backend) = chosen.map_err(|error| match error.downcast_ref() {
        Some(Failure::Interrupted(text)) => {
            let message = Message::new(text).with_hint(resume_hint(&journal));
            Failure::Resumable(message).into()
        }
        _ => error,
    })?;
    count_run(&run, Checkpointer::saving_to(journal), &*backend, server)
}

/// Counts all tasks of a plan and checks the result. Progress goes to stderr.
///
/// # Errors
/// If the count was interrupted or failed, or if its result is wrong.
pub fn count_plan(plan: Plan, backend: &dyn Backend) -> anyhow::Result<(Document, Numbers)> {
    let run = Run::whole(plan);
    let (part, circumstances) = count_tasks(&run, &mut Checkpointer::disabled(), backend, None)?;
    checked_document(&run, &part, circumstances)
}

/// Counts the tasks of a run that are not saved yet, saves them through `checkpointer`, and checks the
/// result.
fn count_run(
    run: &Run,
    mut checkpointer: Checkpointer,
    backend: &dyn Backend,
    server: Option<&Client>,
) -> anyhow::Result<(Document, Checkpointer)> {
    let document = match count_tasks(run, &mut checkpointer, backend, server) {
        Ok((part, circumstances)) => document(run, &part, circumstances),
        Err(error) if Failure::is_wrong_device(&error) => Err(error),
        Err(error) => return Err(error),
    };
    quarantine_if_wrong(document, checkpointer)
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

/// Counts the tasks of a run that are not saved yet. Progress goes to stderr and to the server, if there is
/// one.
fn count_tasks(
    run: &Run,
    checkpointer: &mut Checkpointer,
    backend: &dyn Backend,
    server: Option<&Client>,
) -> anyhow::Result<(PartialCount, Circumstances)> {
    let (before, spent) = checkpointer.contents().map_or((0, Duration::ZERO), |saved| {
        (saved.finished_tasks.done().len(), Session::total_duration(&saved.sessions))
    });
    let mut name = format!("N = {}, {}", run.plan.size(), run.plan.method());
    if let Some(shard) = &run.shard {
        name += &format!(", shard {}/{}", shard.index, shard.of);
    }
    let mut progress = ProgressDisplay::new(name, run.len(), before);
    let mut reporter = server.map(|client| Reporter::new(client.clone(), run, spent));
    let counted = checkpointer.count(run, backend, |done| {
        if let Some(reporter) = &mut reporter {
            reporter.update(before + done);
        }
        progress.update(done)
    });
    if let Some(reporter) = reporter {
        reporter.end(counted.is_ok());
    }
    counted
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
    Ok(document.map_err(|found| {
        let what = found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        Failure::WrongCount { size, method, what }
    })?)
}

/// Creates the result document of a complete count, once it has passed the checks.
fn checked_document(
    run: &Run,
    part: &PartialCount,
    circumstances: Circumstances,
) -> anyhow::Result<(Document, Numbers)> {
    let (size, method) = (run.plan.size(), run.plan.method());
    let checked = finalize(part, Turns::of(size)).map_err(|error| Failure::WrongCount {
        size,
        method,
        what: error.to_string(),
    })?;
    Ok((Document::of(&checked, circumstances), checked.numbers()))
}
