//! Journal of a count: an SQLite file from which the count resumes after an interruption, a crash or a
//! power failure.
//!
//! It stores the plan, the finished tasks, the partial results of unfinished tasks, and for each session
//! its time, machine, program and backend.
//!
//! The file may lie on a network file system, and it may be copied, truncated or damaged. Therefore
//! SQLite does not use a write-ahead log, each commit is on the disk before the next one starts, only one
//! process at a time holds the [lock](Locking), and each row has a checksum that is verified before its
//! numbers are added up.

mod contents;
mod error;
mod file;
mod lock;
mod partial_tasks;
mod run;
mod table;
#[cfg(test)]
mod tests;

pub use contents::Contents;
pub use error::JournalError;
pub use file::is_journal;
pub use lock::{Holder, Locking};
pub use partial_tasks::PartialTasks;
pub use run::{Run, Session};

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use queens_core::{Done, Tally, document::Circumstances};
use rusqlite::{Connection, TransactionBehavior};

/// Pause after a commit while finished tasks wait for the next one.
const COMMIT_INTERVAL: Duration = Duration::from_millis(250);

/// Interval for saving partial results and the time of the session while no finished task waits.
const PARTIALS_INTERVAL: Duration = Duration::from_secs(10);

/// Pause after a failed commit.
const RETRY_INTERVAL: Duration = Duration::from_secs(10);

/// Whether this process may write to a journal.
#[derive(Debug)]
enum Access {
    ReadOnly,
    /// This process holds the lock, which ends when the file is closed.
    Locked(#[expect(dead_code, reason = "only kept open")] File),
    /// The user ensures that no other process writes.
    Unlocked,
}

/// A journal, open for one count.
#[derive(Debug)]
pub struct Journal {
    file: PathBuf,
    connection: Connection,
    contents: Contents,
    locking: Locking,
    lock_file: PathBuf,
    access: Access,
    /// The session of this process, if it has begun one.
    session: Option<Session>,
    /// Start of the session.
    session_start: Instant,
    /// Finished tasks that are not committed yet.
    pending: Vec<Done<Tally>>,
    /// Partial results that the backend records.
    partials: PartialTasks,
    /// The partial results that the file holds.
    written: BTreeMap<usize, Done<Tally>>,
    /// End of the last attempt to commit.
    last_attempt: Instant,
    /// Whether that attempt failed.
    is_failing: bool,
}

impl Journal {
    /// Opens an existing journal and reads all of it.
    pub fn open(file: &Path) -> Result<Journal, JournalError> {
        Journal::open_with(file, Locking::On)
    }

    /// Opens an existing journal like [`open`](Journal::open), with or without locks.
    pub fn open_with(file: &Path, locking: Locking) -> Result<Journal, JournalError> {
        let mut connection = file::open_existing(file, locking)?;
        let contents = file::read(file, &mut connection)?;
        Ok(Journal::new(file, connection, contents, locking))
    }

    /// Opens a journal like [`open_with`](Journal::open_with), but returns `None` if the file is missing or empty.
    pub fn find(file: &Path, locking: Locking) -> Result<Option<Journal>, JournalError> {
        if !file.exists() {
            return Ok(None);
        }
        match Journal::open_with(file, locking) {
            Err(JournalError::Empty { .. }) => Ok(None),
            found => found.map(Some),
        }
    }

    /// Opens the journal of `run`, or creates it if the file is missing or empty.
    ///
    /// # Errors
    /// [`JournalError`] if the file cannot be created, is not a journal that this version can resume, or
    /// belongs to another run.
    pub fn open_or_create(
        file: &Path,
        run: &Run,
        locking: Locking,
    ) -> Result<Journal, JournalError> {
        let mut connection = file::open_or_create(file, run, locking)?;
        let contents = file::read(file, &mut connection)?;
        contents.run.same_as(run).map_err(|(in_journal, requested)| JournalError::OtherRun {
            file: file.into(),
            in_journal,
            requested,
        })?;
        Ok(Journal::new(file, connection, contents, locking))
    }

    fn new(file: &Path, connection: Connection, contents: Contents, locking: Locking) -> Journal {
        let now = Instant::now();
        Journal {
            file: file.into(),
            connection,
            contents,
            locking,
            lock_file: lock::lock_file(file),
            access: Access::ReadOnly,
            session: None,
            session_start: now,
            pending: Vec::new(),
            partials: PartialTasks::default(),
            written: BTreeMap::new(),
            last_attempt: now,
            is_failing: false,
        }
    }

    /// Returns the path of the file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the contents at the last reading, without the results that this process has saved since.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Returns the process that writes to the journal, if there is one.
    pub fn holder(&self) -> Option<Holder> {
        lock::holder(&self.lock_file)
    }

    /// Tries to lock the journal, and reads it again.
    ///
    /// Returns `None` if this process may now write, or if all tasks are done and no lock is needed. Otherwise
    /// returns the process that holds the lock.
    pub fn try_lock(&mut self) -> Result<Option<Holder>, JournalError> {
        if !matches!(self.access, Access::ReadOnly) || self.contents.is_complete() {
            return Ok(None);
        }
        let access = match self.locking {
            Locking::Off => Access::Unlocked,
            Locking::On => match lock::try_lock(&self.lock_file) {
                Ok(Ok(locked)) => Access::Locked(locked),
                Ok(Err(holder)) => return Ok(Some(holder)),
                Err(cause) => {
                    return Err(JournalError::Lock { file: self.lock_file.clone(), cause });
                }
            },
        };
        self.contents = file::read(&self.file, &mut self.connection)?;
        if !self.contents.is_complete() {
            self.access = access;
        }
        Ok(None)
    }

    /// Begins a session and saves the finished tasks `done`. Does nothing without the lock: then all tasks
    /// are already in the file.
    ///
    /// Also adds the partial results of the file to `partials`, except for tasks that already have a partial
    /// result there. From then on, each commit saves the contents of `partials`.
    ///
    /// # Errors
    /// [`JournalError`] if the file cannot be written.
    pub fn begin(
        &mut self,
        circumstances: Circumstances,
        session_start: Instant,
        done: Vec<Done<Tally>>,
        partials: PartialTasks,
    ) -> Result<(), JournalError> {
        if matches!(self.access, Access::ReadOnly) {
            return Ok(());
        }
        let last = self.contents.sessions.last().map_or(0, |last| last.number);
        self.session = Some(Session::new(last.saturating_add(1), circumstances));
        self.session_start = session_start;
        self.pending = done;
        self.partials = partials;
        self.written = self.contents.partials.clone();
        for partial in self.written.values().filter(|done| self.partials.get(done.task).is_none()) {
            self.partials.record(*partial);
        }
        self.pending.iter().for_each(|done| self.partials.finish(done.task));
        self.commit()
    }

    /// Adds a finished task. It is saved by the next commit, at most about a second later.
    pub fn add_task(&mut self, done: Done<Tally>) -> Result<(), JournalError> {
        self.partials.finish(done.task);
        self.pending.push(done);
        self.tick()
    }

    /// Commits the waiting results if the next commit is due. Call this several times per second.
    ///
    /// # Errors
    /// After an error, the results keep waiting and the commit is tried again.
    pub fn tick(&mut self) -> Result<(), JournalError> {
        let pause = match (self.is_failing, self.pending.is_empty()) {
            (true, _) => RETRY_INTERVAL,
            (false, false) => COMMIT_INTERVAL,
            (false, true) => PARTIALS_INTERVAL,
        };
        if matches!(self.access, Access::ReadOnly) || self.last_attempt.elapsed() < pause {
            return Ok(());
        }
        self.commit()
    }

    /// Ends the session: replaces its circumstances, if new ones are given, commits all results and releases
    /// the lock. Writes nothing without the lock.
    pub fn end(&mut self, circumstances: Option<Circumstances>) -> Result<(), JournalError> {
        if let (Some(session), Some(circumstances)) = (&mut self.session, circumstances) {
            session.circumstances = circumstances;
        }
        let committed = match self.access {
            Access::ReadOnly => Ok(()),
            Access::Locked(_) | Access::Unlocked => self.commit(),
        };
        self.access = Access::ReadOnly;
        committed
    }

    /// Returns the number of finished tasks that are not in the file yet.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Returns all sessions, with the session of this process last.
    pub fn sessions(&self) -> impl Iterator<Item = &Session> {
        self.contents.sessions.iter().chain(&self.session)
    }

    /// Removes the file if it is still this journal and all its tasks are done. Other processes that wait
    /// for the lock have the file open, so they can still read the result.
    pub fn remove(self) -> io::Result<()> {
        let (file, id, locking) = (self.file.clone(), self.contents.id, self.locking);
        drop(self);
        match Journal::find(&file, locking) {
            Ok(Some(current)) if current.contents.id == id && current.contents.is_complete() => {}
            _ => return Ok(()),
        }
        fs::remove_file(file)
    }

    fn commit(&mut self) -> Result<(), JournalError> {
        let outcome = self.try_commit();
        self.last_attempt = Instant::now();
        self.is_failing = outcome.is_err();
        if outcome.is_ok() {
            self.pending.clear();
        }
        outcome
    }

    fn try_commit(&mut self) -> Result<(), JournalError> {
        let partials = self.partials.snapshot();
        let Some(session) = &mut self.session else { return Ok(()) };
        session.circumstances.seconds = self.session_start.elapsed().into();
        let write_error = |cause| error::write_error(&self.file, cause);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(write_error)?;
        let id = self.contents.id;
        contents::write_session(&transaction, id, session).map_err(write_error)?;
        for done in &self.pending {
            contents::write_task(&transaction, id, session.number, done).map_err(write_error)?;
        }
        contents::write_partials(&transaction, id, &self.written, &partials)
            .map_err(write_error)?;
        transaction.commit().map_err(write_error)?;
        self.written = partials;
        Ok(())
    }
}
