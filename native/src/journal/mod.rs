//! Journal of a count: an SQLite file from which the count resumes after an interruption, a crash or a
//! power failure.
//!
//! It stores the plan, the finished tasks, the partial results of unfinished tasks, and for each session
//! its time, machine, program and backend.
//!
//! The file may lie on a network file system, and it may be copied, truncated or damaged. Therefore
//! SQLite does not use a write-ahead log, each commit is on the disk before the next one starts, only one
//! process at a time holds the [lease](Holder), and each row has a checksum that is verified before its
//! numbers are added up.

pub mod autosave;
mod contents;
mod error;
mod file;
mod lease;
mod lock_wait;
mod partial_tasks;
mod run;
mod table;
#[cfg(test)]
mod tests;

pub use contents::Contents;
pub use error::JournalError;
pub use file::is_journal;
pub use lease::{Holder, LEASE_DURATION, LeaseWatch};
pub use lock_wait::wait_while_locked;
pub use partial_tasks::PartialTasks;
pub use run::{Run, Session};

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use queens_core::{Done, Tally, document::Circumstances};
use rusqlite::{Connection, TransactionBehavior};

/// Maximum time that a finished task waits for a commit, unless commits fail.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// Pause after a commit, as a multiple of the duration of that commit. Commits therefore take at most a
/// fiftieth of the time, unless [`MAX_WAIT`] limits the pause. On a fast disk, tasks wait only briefly.
const PAUSE_FACTOR: u32 = 50;

/// Interval for renewing the lease and saving partial results while no finished task waits.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(10);

/// Pause after a failed commit.
const RETRY_INTERVAL: Duration = Duration::from_secs(10);

/// A journal, open for one count.
#[derive(Debug)]
pub struct Journal {
    file: PathBuf,
    connection: Connection,
    contents: Contents,
    /// The lease, if this process holds it.
    lease: Option<Holder>,
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
    /// Duration of that attempt.
    last_duration: Duration,
    /// Whether that attempt failed.
    is_failing: bool,
}

impl Journal {
    /// Opens an existing journal and reads all of it.
    pub fn open(file: &Path) -> Result<Journal, JournalError> {
        let mut connection = file::open_existing(file)?;
        let contents = file::read(file, &mut connection)?;
        Ok(Journal::new(file, connection, contents))
    }

    /// Opens a journal like [`open`](Journal::open), but returns `None` if the file is missing or empty.
    pub fn find(file: &Path) -> Result<Option<Journal>, JournalError> {
        if !file.exists() || file::is_empty(file)? {
            return Ok(None);
        }
        Journal::open(file).map(Some)
    }

    /// Opens the journal of `run`, or creates it if the file is missing or empty.
    ///
    /// # Errors
    /// [`JournalError`] if the file cannot be created, is not a journal that this version can resume, or
    /// belongs to another run.
    pub fn open_or_create(file: &Path, run: &Run) -> Result<Journal, JournalError> {
        let mut connection = file::open_or_create(file, run)?;
        let contents = file::read(file, &mut connection)?;
        contents.run.same_as(run).map_err(|(in_journal, requested)| JournalError::OtherRun {
            file: file.into(),
            in_journal,
            requested,
            shard: None,
        })?;
        Ok(Journal::new(file, connection, contents))
    }

    fn new(file: &Path, connection: Connection, contents: Contents) -> Journal {
        let now = Instant::now();
        Journal {
            file: file.into(),
            connection,
            contents,
            lease: None,
            session: None,
            session_start: now,
            pending: Vec::new(),
            partials: PartialTasks::default(),
            written: BTreeMap::new(),
            last_attempt: now,
            last_duration: Duration::ZERO,
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

    /// Tries to acquire the lease, and reads the journal again.
    ///
    /// Returns `None` if this process now holds the lease, or if all tasks are done and no lease is
    /// needed. Otherwise returns the current holder; call again later with the same `watch`.
    pub fn try_acquire(&mut self, watch: &mut LeaseWatch) -> Result<Option<Holder>, JournalError> {
        if self.lease.is_some() || self.contents.is_complete() {
            return Ok(None);
        }
        let is_held = |holder: &Holder, watch: &mut LeaseWatch| !holder.is_abandoned(watch);
        let write_error = |cause| error::write_error(&self.file, cause);
        // Check without writing first, because a read does not block other processes.
        let holder = contents::read_holder(&self.connection, self.contents.id)
            .map_err(|cause| error::read_error(&self.file, cause))?;
        if let Some(holder) = holder.filter(|holder| is_held(holder, watch)) {
            return Ok(Some(holder));
        }
        // Another tool may have left the file in write-ahead mode, which works only within one machine.
        self.connection.pragma_update(None, "journal_mode", "DELETE").map_err(write_error)?;
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(write_error)?;
        // Another process may have acquired the lease since the check.
        let contents = Contents::read(&self.file, &transaction)?;
        let is_complete = contents.is_complete();
        if let Some(holder) = contents.holder.clone().filter(|holder| is_held(holder, watch))
            && !is_complete
        {
            return Ok(Some(holder));
        }
        if !is_complete {
            let lease = Holder::this_process();
            contents::write_lease(&transaction, contents.id, &lease).map_err(write_error)?;
            transaction.commit().map_err(write_error)?;
            self.lease = Some(lease);
        }
        self.contents = contents;
        Ok(None)
    }

    /// Begins a session and saves the finished tasks `done`. Does nothing without the lease: then all tasks
    /// are already in the file.
    ///
    /// Also adds the partial results of the file to `partials`, except for tasks that already have a partial
    /// result there. From then on, each commit saves the contents of `partials`.
    ///
    /// # Errors
    /// [`JournalError`] if the file cannot be written, another process has taken the lease, or the last
    /// session has the largest possible number.
    pub fn begin(
        &mut self,
        circumstances: Circumstances,
        session_start: Instant,
        done: Vec<Done<Tally>>,
        partials: PartialTasks,
    ) -> Result<(), JournalError> {
        if self.lease.is_none() {
            return Ok(());
        }
        let last = self.contents.sessions.last().map_or(0, |last| last.number);
        let number = last.checked_add(1).ok_or_else(|| JournalError::Damaged {
            file: self.file.clone(),
            what: format!("no session can follow session {last}"),
        })?;
        self.session = Some(Session::new(number, circumstances));
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

    /// Commits the waiting results and renews the lease if the next commit is due. Call this several times
    /// per second.
    ///
    /// # Errors
    /// [`JournalError::Lost`] if another process has taken over the journal; then nothing more can be
    /// saved. After any other error, the results keep waiting and the commit is tried again.
    pub fn tick(&mut self) -> Result<(), JournalError> {
        let pause = match (self.is_failing, self.pending.is_empty()) {
            (true, _) => RETRY_INTERVAL,
            (false, false) => (self.last_duration * PAUSE_FACTOR).min(MAX_WAIT),
            (false, true) => RENEWAL_INTERVAL,
        };
        if self.lease.is_none() || self.last_attempt.elapsed() < pause {
            return Ok(());
        }
        self.commit()
    }

    /// Ends the session: replaces its circumstances, if new ones are given, commits all results and releases
    /// the lease. Writes nothing without the lease.
    pub fn end(&mut self, circumstances: Option<Circumstances>) -> Result<(), JournalError> {
        if let (Some(session), Some(circumstances)) = (&mut self.session, circumstances) {
            session.circumstances = circumstances;
        }
        if self.lease.is_none() {
            return Ok(());
        }
        if let Err(error) = self.commit() {
            // Do not try to release the lease: the user is waiting. Other processes take over the lease once
            // this process has exited or the lease has expired.
            self.lease = None;
            return Err(error);
        }
        self.release().map_err(|cause| error::write_error(&self.file, cause))
    }

    /// Releases the lease, if this process still holds it.
    fn release(&mut self) -> rusqlite::Result<()> {
        let Some(lease) = self.lease.take() else { return Ok(()) };
        contents::remove_lease(&self.connection, &lease)
    }

    /// Returns the number of finished tasks that are not in the file yet.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Returns the number of finished tasks in the file at the journal's path. Returns `None` if the
    /// file cannot be read, or if another program has removed or replaced it.
    pub fn saved(&self) -> Option<usize> {
        let current = Journal::find(&self.file).ok()??;
        (current.contents.id == self.contents.id)
            .then(|| current.contents.finished_tasks.done().len())
    }

    /// Returns all sessions, with the session of this process last.
    pub fn sessions(&self) -> impl Iterator<Item = &Session> {
        self.contents.sessions.iter().chain(&self.session)
    }

    /// Removes the file if it is still this journal and all its tasks are done. Other processes that wait
    /// for the lease have the file open, so they can still read the result. Keeps a file that is locked until
    /// `is_interrupted` returns `true`.
    pub fn remove(self, is_interrupted: impl Fn() -> bool) -> io::Result<()> {
        let (file, id) = (self.file.clone(), self.contents.id);
        drop(self);
        match wait_while_locked(|| Journal::find(&file), is_interrupted, || {}) {
            Ok(Some(current)) if current.contents.id == id && current.contents.is_complete() => {}
            _ => return Ok(()),
        }
        fs::remove_file(file)
    }

    fn commit(&mut self) -> Result<(), JournalError> {
        let clock = Instant::now();
        let outcome = self.try_commit();
        self.last_attempt = Instant::now();
        self.last_duration = self.last_attempt - clock;
        self.is_failing = outcome.is_err();
        if outcome.is_ok() {
            self.pending.clear();
        }
        outcome
    }

    fn try_commit(&mut self) -> Result<(), JournalError> {
        let partials = self.partials.snapshot();
        let (Some(lease), Some(session)) = (&mut self.lease, &mut self.session) else {
            return Ok(());
        };
        session.circumstances.seconds = self.session_start.elapsed().into();
        let write_error = |cause| error::write_error(&self.file, cause);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(write_error)?;
        let id = self.contents.id;
        let holder = contents::read_holder(&transaction, id);
        match holder.map_err(|cause| error::read_error(&self.file, cause))? {
            Some(holder) if holder.has_same_token(lease) => {}
            holder => {
                let holder = holder.map(Box::new);
                return Err(JournalError::Lost { file: self.file.clone(), holder });
            }
        }
        lease.renew();
        contents::write_lease(&transaction, id, lease).map_err(write_error)?;
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

impl Drop for Journal {
    /// Releases the lease, so that the next count need not wait until it expires.
    fn drop(&mut self) {
        // If this fails, the lease expires after a minute. No caller could handle the error here.
        let _ = self.release();
    }
}
