//! Counts the tasks of a run and saves them in a journal, if the count has one.

use std::{
    cell::RefCell,
    fs, mem,
    ops::ControlFlow,
    path::PathBuf,
    time::{Duration, Instant},
};

use queens_core::{Done, Method, PartialCount, Tally, document::Circumstances};

use super::{
    failure::{Failure, Message},
    output,
};
use queens::{
    count::{self, Backend, RunError},
    host,
    journal::{Contents, Journal, JournalError, Locking, PartialTasks, Run, Session, autosave},
    paths,
};

/// Expected duration above which a count creates a journal automatically.
const LONG_COUNT: Duration = Duration::from_secs(60);

/// Shortest running time of a session before its estimated duration is used. Earlier estimates are not
/// reliable.
const TIME_TO_ESTIMATE: Duration = Duration::from_secs(3);

/// Running time of a session after which it creates a journal even without an estimate.
const MAX_TIME_WITHOUT_ESTIMATE: Duration = Duration::from_secs(10);

/// Saves the finished tasks of a count, if it has a journal.
pub struct Checkpointer {
    mode: CheckpointMode,
    /// Partial results of unfinished tasks.
    partials: PartialTasks,
    /// Whether the warning about a failed write was printed.
    has_warned: bool,
    /// Whether the warning about a removed or replaced journal was printed.
    has_warned_of_loss: bool,
}

/// Where a checkpointer saves finished tasks.
enum CheckpointMode {
    Disabled,
    /// A journal that is created when the count turns out to be long.
    Deferred(Box<DeferredJournal>),
    Journal(Box<Journal>),
}

impl Checkpointer {
    /// Creates a checkpointer that saves nothing.
    pub fn disabled() -> Checkpointer {
        Checkpointer::in_mode(CheckpointMode::Disabled)
    }

    /// Creates a checkpointer that saves to a journal that is locked or, if all tasks are done, needs no lock.
    pub fn saving_to(journal: Journal) -> Checkpointer {
        Checkpointer::in_mode(CheckpointMode::Journal(Box::new(journal)))
    }

    /// Creates a checkpointer that saves to an automatic journal, once the count turns out to be long.
    pub fn deferred(run: &Run, locking: Locking) -> Checkpointer {
        let (size, method) = (run.plan.size(), run.plan.method());
        Checkpointer::in_mode(CheckpointMode::Deferred(Box::new(DeferredJournal {
            file: autosave::path_for(size, method, run.shard.as_ref()),
            run: run.clone(),
            locking,
            session: None,
            done: vec![],
            failed: None,
        })))
    }

    fn in_mode(mode: CheckpointMode) -> Checkpointer {
        let (partials, has_warned, has_warned_of_loss) = (PartialTasks::default(), false, false);
        Checkpointer { mode, partials, has_warned, has_warned_of_loss }
    }

    /// Returns whether the count has a journal, from which the same command gets the result again.
    pub fn has_journal(&self) -> bool {
        matches!(self.mode, CheckpointMode::Journal(_))
    }

    /// Returns the contents of the journal when it was locked.
    pub fn contents(&self) -> Option<&Contents> {
        match &self.mode {
            CheckpointMode::Journal(journal) => Some(journal.contents()),
            _ => None,
        }
    }

    /// Counts the tasks of `run` that are not saved yet. `watch` receives the number of tasks that this
    /// session has finished, and returns the expected duration of the session, if known, or `Break` to stop.
    ///
    /// # Errors
    /// If the count was interrupted or failed, or if the session cannot be written to the journal.
    pub fn count(
        &mut self,
        run: &Run,
        backend: &dyn Backend,
        mut watch: impl FnMut(usize) -> ControlFlow<(), Option<Duration>>,
    ) -> anyhow::Result<(PartialCount, Circumstances)> {
        let saved = self.contents().map(|saved| saved.finished_tasks.clone());
        let mut part = saved.unwrap_or_else(|| PartialCount::new(&run.plan));
        self.begin(backend, run.plan.method())?;
        let partials = self.partials.clone();
        let checkpointer = RefCell::new(&mut *self);
        let mut save = |done| {
            checkpointer.borrow_mut().save(done);
            Ok(())
        };
        let mut tick = |done| {
            let expected = watch(done);
            if let ControlFlow::Continue(expected) = expected {
                checkpointer.borrow_mut().tick(expected);
            }
            expected.map_continue(|_| ())
        };
        let outcome = count::count(run, &mut part, &partials, backend, &mut save, &mut tick);
        // Clear the progress before the messages about the end.
        drop(watch);
        let circumstances = self.end(run, &part, outcome)?;
        Ok((part, circumstances))
    }

    /// Begins a session in the journal, with its start time and backend.
    fn begin(&mut self, backend: &dyn Backend, method: Method) -> Result<(), JournalError> {
        let session_start = Instant::now();
        let circumstances = || count::circumstances(backend, method, host::now(), Duration::ZERO);
        match &mut self.mode {
            CheckpointMode::Disabled => {}
            CheckpointMode::Deferred(deferred) => {
                deferred.session = Some((circumstances(), session_start));
            }
            CheckpointMode::Journal(journal) => {
                journal.begin(circumstances(), session_start, vec![], self.partials.clone())?;
            }
        }
        Ok(())
    }

    /// Saves a finished task.
    fn save(&mut self, done: Done<Tally>) {
        match &mut self.mode {
            CheckpointMode::Disabled => {}
            CheckpointMode::Deferred(deferred) => {
                self.partials.finish(done.task);
                deferred.done.push(done);
            }
            CheckpointMode::Journal(journal) => {
                let added = journal.add_task(done);
                self.warn_of(added);
            }
        }
    }

    /// Commits results when the next commit is due, or creates a deferred journal when it is due. `expected`
    /// is the expected duration of the session, if known.
    fn tick(&mut self, expected: Option<Duration>) {
        match &mut self.mode {
            CheckpointMode::Deferred(deferred) if deferred.is_due(expected) => {
                if let Some(journal) = deferred.create(&self.partials) {
                    self.mode = CheckpointMode::Journal(Box::new(journal));
                }
            }
            CheckpointMode::Disabled | CheckpointMode::Deferred(_) => {}
            CheckpointMode::Journal(journal) => {
                let committed = journal.tick();
                self.warn_of(committed);
            }
        }
    }

    /// Prints a warning once if a commit failed, for example because the disk is full: the count continues,
    /// and a later commit may succeed. If the file is gone, no commit succeeds until the user has moved it back.
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

    /// Ends the session. Returns the circumstances of the count; with a journal they are combined from all
    /// its sessions.
    ///
    /// # Errors
    /// The error that ended the count. With a journal, the user also gets a hint on how to resume the count.
    /// If the count was stopped, the hint is part of the error; after other errors, this function prints it.
    /// There is no hint if the journal is gone, or if the count was ended by a device that
    /// counts incorrectly.
    fn end(
        &mut self,
        run: &Run,
        part: &PartialCount,
        outcome: Result<Circumstances, RunError>,
    ) -> anyhow::Result<Circumstances> {
        let CheckpointMode::Journal(journal) = &mut self.mode else {
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
                let (done, all) = (part.done().len() - journal.pending(), run.len());
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

    /// Removes an automatic journal after its result was delivered.
    pub fn remove_if_automatic(self) {
        let CheckpointMode::Journal(journal) = self.mode else { return };
        let file = journal.file().to_owned();
        if is_automatic(&journal)
            && let Err(error) = journal.remove()
        {
            output::warn(format!("cannot remove the journal {}: {error}", paths::shown(&file)));
        }
    }

    /// Renames an automatic journal whose tasks give a wrong result, so that the same command starts the
    /// count again. Replaces a journal that was renamed before. For a journal that the user named, only prints a
    /// warning.
    pub fn quarantine(self) {
        let CheckpointMode::Journal(journal) = self.mode else { return };
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
}

/// Returns whether the journal was created automatically, as far as its path shows.
fn is_automatic(journal: &Journal) -> bool {
    autosave::is_autosave(journal.file(), &journal.contents().run)
}

/// Returns the hint after an interruption that leaves a journal.
pub fn resume_hint(journal: &Journal) -> String {
    let resume = format!("resume with `queens resume {}`", paths::shell_quoted(journal.file()));
    if is_automatic(journal) {
        format!("{resume}, or run the same `queens count` command again")
    } else {
        resume
    }
}

/// A journal that is created only when the count turns out to be long, and the tasks finished so far.
struct DeferredJournal {
    /// The path; `None` if the user's data folder is unknown.
    file: Option<PathBuf>,
    run: Run,
    locking: Locking,
    /// Circumstances and start of the session.
    session: Option<(Circumstances, Instant)>,
    done: Vec<Done<Tally>>,
    /// Time of the last failed attempt to create the journal.
    failed: Option<Instant>,
}

impl DeferredJournal {
    /// Pause after a failed attempt to create the journal.
    const RETRY: Duration = Duration::from_secs(60);

    fn is_due(&self, expected: Option<Duration>) -> bool {
        if !self.may_try() {
            return false;
        }
        let elapsed = self
            .session
            .as_ref()
            .map(|(_, session_start)| session_start.elapsed())
            .unwrap_or_default();
        match expected {
            Some(expected) => elapsed >= TIME_TO_ESTIMATE && expected > LONG_COUNT,
            None => elapsed >= MAX_TIME_WITHOUT_ESTIMATE,
        }
    }

    /// Returns whether no attempt has failed yet, or the last failure was long enough ago.
    fn may_try(&self) -> bool {
        self.failed.is_none_or(|failed| failed.elapsed() >= DeferredJournal::RETRY)
    }

    /// Creates the journal and prints its path. If that fails,
    /// returns `None` and, at the first failure, prints a warning with the reason.
    fn create(&mut self, partials: &PartialTasks) -> Option<Journal> {
        match self.try_create(partials) {
            Ok(journal) => {
                let file = paths::shown(journal.file());
                output::note(format!(
                    "saving finished tasks to {file}; run the same command again to resume"
                ));
                Some(journal)
            }
            Err(reason) => {
                if self.failed.is_none() {
                    output::warn(format!(
                        "cannot keep a journal: {reason}; the count continues and will retry"
                    ));
                }
                self.failed = Some(Instant::now());
                None
            }
        }
    }

    fn try_create(&self, partials: &PartialTasks) -> Result<Journal, String> {
        let to_message = |error: JournalError| error.to_string();
        let file = self.file.as_ref().ok_or(
            "the user's data folder is unknown: set HOME to an absolute path, or name a file with `--journal`",
        )?;
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(|error| {
                format!(
                    "cannot create the folder {}: {}",
                    paths::shown(folder),
                    paths::reason(&error)
                )
            })?;
        }
        let mut journal =
            Journal::open_or_create(file, &self.run, self.locking).map_err(to_message)?;
        if let Some(holder) = journal.try_lock().map_err(to_message)? {
            return Err(format!("{} is in use by {holder}", paths::shown(file)));
        }
        // Another process may have begun the same count, and ended, since this count began.
        if !journal.contents().sessions.is_empty() {
            return Err(format!("{} already has another count", paths::shown(file)));
        }
        if let Some((circumstances, session_start)) = &self.session {
            journal
                .begin(circumstances.clone(), *session_start, self.done.clone(), partials.clone())
                .map_err(to_message)?;
        }
        Ok(journal)
    }
}

#[cfg(test)]
mod tests {
    use queens_core::{Method, Plan, Size};

    use super::*;

    #[test]
    fn a_journal_that_could_not_be_created_is_created_later() {
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("blocked");
        fs::write(&blocked, "").unwrap();
        let plan = Plan::new(Size::new(8).unwrap(), Method::Symmetry);
        let task = Done { task: 0, result: Tally::default(), took: Duration::ZERO };
        let mut deferred = DeferredJournal {
            file: Some(blocked.join("journal")),
            run: Run { plan: std::sync::Arc::new(plan), shard: None },
            locking: Locking::On,
            session: None,
            done: vec![task],
            failed: None,
        };
        assert!(deferred.may_try());
        assert!(deferred.create(&PartialTasks::default()).is_none());
        assert!(!deferred.may_try());
        deferred.failed = deferred.failed.unwrap().checked_sub(DeferredJournal::RETRY);
        assert!(deferred.may_try());
        fs::remove_file(&blocked).unwrap();
        assert!(deferred.create(&PartialTasks::default()).is_some());
        assert_eq!(deferred.done.len(), 1);
    }
}
