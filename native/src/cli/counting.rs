//! A count in progress: counts the tasks of a run, saves them in a journal, if the count has one, checks the
//! result and delivers it.

use std::{
    cell::RefCell,
    fs,
    io::Write,
    mem,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use queens::{
    count::{self, Backend, Cpu, RunError},
    host::{self, Host},
    isa,
    journal::{JournalError, PartialTasks, Run, Session},
    paths,
    post::Client,
};
use queens_core::{
    CheckedCount, Done, Form, Method, PartialCount, Plan, Size, Tally, Turns,
    document::{self, Circumstances, Document},
    finalize,
};

use super::{
    delivery::Outputs,
    failure::{Failure, Message},
    journal::{CountJournal, is_automatic, resume_hint},
    output,
    progress::ProgressDisplay,
    reporter::Reporter,
};

/// A count in progress.
pub struct Counting {
    run: Run,
    journal: CountJournal,
    /// The finished tasks, including those of earlier sessions.
    part: PartialCount,
    /// Partial results of unfinished tasks.
    partials: PartialTasks,
    /// Whether the warning about a failed write was printed.
    has_warned: bool,
    /// Whether the warning about a removed or replaced journal was printed.
    has_warned_of_loss: bool,
}

impl Counting {
    /// Begins with the tasks that the journal has.
    pub fn new(run: Run, journal: CountJournal) -> Counting {
        let part = match &journal {
            CountJournal::File(journal) => journal.contents().finished_tasks.clone(),
            CountJournal::None | CountJournal::Deferred(_) => PartialCount::new(&run.plan),
        };
        let (partials, has_warned, has_warned_of_loss) = (PartialTasks::default(), false, false);
        Counting { run, journal, part, partials, has_warned, has_warned_of_loss }
    }

    /// Counts the remaining tasks. Progress goes to stderr and to the server, if there is one. Returns the
    /// circumstances of the count; with a journal they are combined from all its sessions.
    ///
    /// # Errors
    /// If the count was interrupted or failed, or if the session cannot be written to the journal.
    pub fn count(
        &mut self,
        backend: &dyn Backend,
        server: Option<&Client>,
    ) -> anyhow::Result<Circumstances> {
        let Run { plan, shard } = &self.run;
        let mut name = format!("N = {}, {}", plan.size(), plan.method());
        if let Some(shard) = shard {
            name += &format!(", shard {}/{}", shard.index, shard.of);
        }
        let progress = ProgressDisplay::new(name, self.run.len(), self.part.done().len());
        let spent = match &self.journal {
            CountJournal::File(journal) => Session::total_duration(&journal.contents().sessions),
            CountJournal::None | CountJournal::Deferred(_) => Duration::ZERO,
        };
        let mut reporter = server.map(|client| Reporter::new(client.clone(), &self.run, spent));
        let counted = self.count_tasks(backend, progress, &mut reporter);
        if let Some(reporter) = reporter {
            reporter.end(counted.is_ok());
        }
        if counted.as_ref().is_err_and(Failure::is_wrong_device) {
            self.quarantine_journal();
        }
        counted
    }

    fn count_tasks(
        &mut self,
        backend: &dyn Backend,
        mut progress: ProgressDisplay,
        reporter: &mut Option<Reporter>,
    ) -> anyhow::Result<Circumstances> {
        let (method, started, clock) = (self.run.plan.method(), host::now(), Instant::now());
        let circumstances = |took| circumstances(backend, method, started, took);
        self.begin_session(circumstances(Duration::ZERO), clock)?;
        let mut tasks = backend.order(&self.run.plan);
        tasks.retain(|&task| self.run.has(task) && !self.part.has(task));
        // Tasks that have a partial result come first.
        let begun = self.partials.snapshot();
        tasks.sort_by_key(|task| !begun.contains_key(task));
        let (plan, partials) = (Arc::clone(&self.run.plan), self.partials.clone());
        let start = |task_queue| backend.start(plan, task_queue, partials);
        let done_before = self.part.done().len();
        let counting = RefCell::new(&mut *self);
        let mut save = |mut done: Done<Tally>| {
            let before = begun.get(&done.task).map_or(Duration::ZERO, |partial| partial.took);
            done.took = done.took.saturating_add(before);
            counting.borrow_mut().save(done)
        };
        let mut watch = |done| {
            if let Some(reporter) = reporter {
                reporter.update(done_before + done);
            }
            progress.update(done).map_continue(|expected| counting.borrow_mut().tick(expected))
        };
        let outcome = count::run_into(tasks, start, &mut save, &mut watch);
        // Clear the progress before the messages about the end.
        drop(progress);
        self.end_session(outcome.map(|()| circumstances(clock.elapsed())))
    }

    /// Begins a session in the journal, with preliminary circumstances.
    fn begin_session(
        &mut self,
        circumstances: Circumstances,
        start: Instant,
    ) -> Result<(), JournalError> {
        match &mut self.journal {
            CountJournal::None => {}
            CountJournal::Deferred(deferred) => deferred.session = Some((circumstances, start)),
            CountJournal::File(journal) => {
                journal.begin(circumstances, start, vec![], self.partials.clone())?;
            }
        }
        Ok(())
    }

    /// Adds a finished task, and saves it.
    fn save(&mut self, done: Done<Tally>) -> Result<(), RunError> {
        self.part.add(done)?;
        match &mut self.journal {
            CountJournal::None | CountJournal::Deferred(_) => self.partials.finish(done.task),
            CountJournal::File(journal) => {
                let added = journal.add_task(done);
                self.warn_of(added);
            }
        }
        Ok(())
    }

    /// Commits results when the next commit is due, or creates a deferred journal when it is due. `expected`
    /// is the expected duration of the session, if known.
    fn tick(&mut self, expected: Option<Duration>) {
        match &mut self.journal {
            CountJournal::None => {}
            CountJournal::Deferred(deferred) => {
                if deferred.is_due(expected)
                    && let Some(journal) = deferred.create(&self.part, &self.partials)
                {
                    self.journal = CountJournal::File(Box::new(journal));
                }
            }
            CountJournal::File(journal) => {
                let committed = journal.tick();
                self.warn_of(committed);
            }
        }
    }

    /// Prints a warning once if a commit failed, for example because the disk is full: the count continues,
    /// and a later commit may succeed. If the file is gone, no commit succeeds until the user has moved it
    /// back.
    fn warn_of(&mut self, outcome: Result<(), JournalError>) {
        let Err(error) = outcome else { return };
        if !error.is_file_gone() {
            if !mem::replace(&mut self.has_warned, true) {
                output::warn(format!("{error}; the count continues and will retry"));
            }
        } else if !mem::replace(&mut self.has_warned_of_loss, true) {
            output::warn(format!(
                "{error}; the count continues, but saves nothing until the file is back"
            ));
            output::hint(
                "move the file back; if it was deleted, let the count finish, because it cannot \
                 resume after an interruption",
            );
        }
    }

    /// Ends the session. Returns the circumstances of the count.
    ///
    /// # Errors
    /// The error that ended the count. With a journal, the user also gets a hint on how to resume the count.
    /// If the count was stopped, the hint is part of the error; after other errors, this function prints it.
    /// There is no hint if the journal is gone, or if the count was ended by a device that
    /// counts incorrectly.
    fn end_session(
        &mut self,
        outcome: Result<Circumstances, RunError>,
    ) -> anyhow::Result<Circumstances> {
        let CountJournal::File(journal) = &mut self.journal else {
            return outcome.map_err(Failure::from_run);
        };
        let ended = journal.end(outcome.as_ref().ok().cloned());
        if let Err(error) = &ended {
            let unsaved = match journal.pending() {
                1 => "1 finished task is".to_owned(),
                tasks => format!("{tasks} finished tasks are"),
            };
            output::warn(format!("{error}; {unsaved} not saved"));
        }
        let is_gone = ended.is_err_and(|error| error.is_file_gone());
        let resume = resume_hint(journal);
        match outcome {
            Ok(circumstances) => {
                Ok(Session::combined_circumstances(journal.sessions()).unwrap_or(circumstances))
            }
            Err(RunError::Stopped { .. }) if is_gone => {
                let file = paths::shown(journal.file());
                let text = format!("interrupted: {file} is gone, so nothing is saved");
                Err(Failure::Interrupted(text).into())
            }
            Err(RunError::Stopped { .. }) => {
                let (done, all) = (self.part.done().len() - journal.pending(), self.run.len());
                let text = format!("interrupted: {done} of {all} tasks are finished and saved");
                Err(Failure::Resumable(Message::new(text).with_hint(resume)).into())
            }
            Err(error) => {
                let error = Failure::from_run(error);
                if !is_gone && !Failure::is_wrong_device(&error) {
                    output::hint(resume);
                }
                Err(error)
            }
        }
    }

    /// Creates the result document, once the count has passed the checks, and delivers it. An automatic
    /// journal is removed after that, unless `keeps_journal` is set.
    ///
    /// # Errors
    /// If the result is wrong, or cannot be printed.
    pub fn deliver(
        mut self,
        circumstances: Circumstances,
        outputs: Outputs,
        keeps_journal: bool,
        out: &mut dyn Write,
    ) -> anyhow::Result<ExitCode> {
        let document = match self.document(circumstances) {
            Ok(document) => document,
            Err(wrong) => {
                self.quarantine_journal();
                return Err(wrong.into());
            }
        };
        // With a journal, the same command gets the result again.
        let is_repeatable = matches!(self.journal, CountJournal::File(_));
        let code = outputs.deliver(out, &document, is_repeatable)?;
        if code == ExitCode::SUCCESS && !keeps_journal {
            self.remove_automatic_journal();
        }
        Ok(code)
    }

    fn document(&self, circumstances: Circumstances) -> Result<Document, Failure> {
        let Some(shard) = &self.run.shard else {
            return Ok(Document::of(&check(&self.part)?, circumstances));
        };
        Document::of_shard(&self.part, shard.clone(), circumstances).map_err(|found| {
            let what = found.iter().map(ToString::to_string).collect::<Vec<_>>();
            wrong_count(&self.part, what.join("; "))
        })
    }

    /// Renames an automatic journal whose tasks give a wrong result, so that the same command starts the
    /// count again. Replaces a journal that was renamed before. For a journal that the user named, only
    /// prints a warning.
    fn quarantine_journal(&mut self) {
        let CountJournal::File(journal) = mem::take(&mut self.journal) else { return };
        let file = journal.file().to_owned();
        if !is_automatic(&journal) {
            let file = paths::shown(&file);
            output::warn(format!(
                "{file} may contain wrong results; start again with a new journal"
            ));
            return;
        }
        drop(journal);
        let moved = file.with_extension("wrong");
        match fs::rename(&file, &moved) {
            Ok(()) => output::message(format!("the journal was moved to {}", paths::shown(&moved))),
            Err(error) => output::warn(format!(
                "cannot rename {}: {}; delete it before you start again",
                paths::shown(&file),
                paths::reason(&error)
            )),
        }
    }

    fn remove_automatic_journal(self) {
        let CountJournal::File(journal) = self.journal else { return };
        let file = journal.file().to_owned();
        if is_automatic(&journal)
            && let Err(error) = journal.remove()
        {
            output::warn(format!("cannot remove the journal {}: {error}", paths::shown(&file)));
        }
    }
}

/// Returns the description of a count for its result document. Call this after the count, because the
/// backend's record also names the devices that failed during the count.
pub fn circumstances(
    backend: &dyn Backend,
    method: Method,
    started: Timestamp,
    took: Duration,
) -> Circumstances {
    let host = Host::get();
    let threads = u32::try_from(backend.threads()).unwrap_or(u32::MAX);
    Circumstances {
        form: backend.form(method),
        backend: backend.record(),
        program: count::program(),
        host: document::Host::new(host.os, host.cpu.as_str(), threads),
        started: format!("{started:.3}"),
        seconds: took.into(),
    }
}

/// Counts all tasks of a plan on the CPU. Progress goes to stderr.
///
/// # Errors
/// If the count was interrupted or failed.
pub fn count_on_cpu(
    size: Size,
    method: Method,
    form: Form,
    threads: usize,
) -> anyhow::Result<(PartialCount, Circumstances)> {
    let plan = Plan::new(size, method);
    let cpu = Cpu::new(threads, form, isa::best(), &plan);
    let mut counting = Counting::new(Run::whole(plan), CountJournal::None);
    let circumstances = counting.count(&cpu, None)?;
    Ok((counting.part, circumstances))
}

/// Checks a complete count.
pub fn check(part: &PartialCount) -> Result<CheckedCount<'_>, Failure> {
    finalize(part, Turns::of(part.size())).map_err(|error| wrong_count(part, error.to_string()))
}

fn wrong_count(part: &PartialCount, what: String) -> Failure {
    Failure::WrongCount { size: part.size(), method: part.method(), what }
}
