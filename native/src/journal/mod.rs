//! The journal of a count: an SQLite file with its plan, its finished tasks, how far the others
//! are, and when, where and with what they were counted, from which it goes on after a stop, a crash
//! or a power cut.
//!
//! It may lie on a network file system and be copied, cut off or damaged: SQLite keeps no
//! write-ahead log beside it, each commit is on the disk before the next one, one process at a
//! time holds a [lease](Holder), and every row has a checksum, so that a wrong number is
//! noticed before it is added up.

mod contents;
mod error;
mod file;
mod in_work;
pub mod kept;
mod lease;
mod run;
mod table;
#[cfg(test)]
mod tests;

pub use contents::Contents;
pub use error::JournalError;
pub use in_work::InWork;
pub use lease::{Holder, LEASE, Patience};
pub use run::{Run, Session};

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use queens_core::{Done, Tally, document::Circumstances};
use rusqlite::{Connection, TransactionBehavior};

/// Finished tasks wait for a commit no longer than this.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// The share of the time that goes into commits at most, as one in so many: where the disk is
/// quick, tasks wait for a moment only.
const SHARE: u32 = 50;

/// How often the lease is renewed, and kept how far tasks are, while none is finished.
const RENEWAL: Duration = Duration::from_secs(10);

/// How long it takes until a commit that failed is tried again.
const RETRY: Duration = Duration::from_secs(10);

/// A journal, open for one count.
#[derive(Debug)]
pub struct Journal {
    file: PathBuf,
    connection: Connection,
    contents: Contents,
    /// What shows that the lease is this process's.
    lease: Option<Holder>,
    /// This process's session, if it has begun one.
    session: Option<Session>,
    begun: Instant,
    pending: Vec<Done<Tally>>,
    in_work: InWork,
    /// What the file has of that.
    written: BTreeMap<usize, Done<Tally>>,
    /// When a commit was last tried, how long that took, and whether it failed.
    tried: Instant,
    took: Duration,
    is_failing: bool,
}

impl Journal {
    /// Opens a journal that is there, and reads all of it.
    pub fn open(file: &Path) -> Result<Journal, JournalError> {
        let mut connection = file::existing(file)?;
        let contents = file::read(file, &mut connection)?;
        Ok(Journal::with(file, connection, contents))
    }

    /// The same, but nothing where there is no file, or an empty one.
    pub fn find(file: &Path) -> Result<Option<Journal>, JournalError> {
        if !file.exists() || file::is_empty(file)? {
            return Ok(None);
        }
        Journal::open(file).map(Some)
    }

    /// Opens the journal of `run`, which is made if it is not there.
    ///
    /// # Errors
    /// [`JournalError`] if it cannot be made, or if what is there is another run's or none that
    /// this program can go on with.
    pub fn of(file: &Path, run: &Run) -> Result<Journal, JournalError> {
        let mut connection = file::new_or_existing(file, run)?;
        let contents = file::read(file, &mut connection)?;
        contents.run.same_as(run).map_err(|(theirs, ours)| JournalError::OtherRun {
            file: file.into(),
            theirs,
            ours,
        })?;
        Ok(Journal::with(file, connection, contents))
    }

    fn with(file: &Path, connection: Connection, contents: Contents) -> Journal {
        let now = Instant::now();
        Journal {
            file: file.into(),
            connection,
            contents,
            lease: None,
            session: None,
            begun: now,
            pending: Vec::new(),
            in_work: InWork::default(),
            written: BTreeMap::new(),
            tried: now,
            took: Duration::ZERO,
            is_failing: false,
        }
    }

    /// Where it is.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// What it said when it was last read; what this process has kept since is not among it.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Takes the lease, if nobody else works on the journal, and reads it again; a journal whose
    /// tasks are all done needs none. Tells who holds it otherwise: to be asked again after a
    /// while, with the same `patience`.
    pub fn claim(&mut self, patience: &mut Patience) -> Result<Option<Holder>, JournalError> {
        if self.lease.is_some() || self.contents.is_complete() {
            return Ok(None);
        }
        let held = |holder: &Holder, patience: &mut Patience| !holder.is_gone(patience);
        let failed = |cause| error::of_writing(&self.file, cause);
        // A look that disturbs nobody.
        let holder = contents::holder(&self.connection, self.contents.id)
            .map_err(|cause| error::of_reading(&self.file, cause))?;
        if let Some(holder) = holder.filter(|holder| held(holder, patience)) {
            return Ok(Some(holder));
        }
        // A write-ahead log, which somebody's tool may have left, is for processes of one machine.
        let set = |mode| self.connection.pragma_update(None, "journal_mode", mode);
        set("DELETE").map_err(failed)?;
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        // Somebody else may have been quicker.
        let contents = Contents::read(&self.file, &transaction)?;
        let is_complete = contents.is_complete();
        if let Some(holder) = contents.holder.clone().filter(|holder| held(holder, patience))
            && !is_complete
        {
            return Ok(Some(holder));
        }
        if !is_complete {
            let lease = Holder::this_process();
            contents::write_lease(&transaction, contents.id, &lease).map_err(failed)?;
            transaction.commit().map_err(failed)?;
            self.lease = Some(lease);
            self.connection.busy_timeout(file::PATIENCE_OF_COMMITS).map_err(failed)?;
        }
        self.contents = contents;
        Ok(None)
    }

    /// Says that a session has begun, unless no task is left, and keeps what it has finished: from
    /// now on tasks are kept, and how far the others are by `in_work`, which is told what the journal
    /// has of them.
    ///
    /// # Errors
    /// [`JournalError`] if it cannot be written, somebody else has taken the lease, or the last
    /// session has the largest number there is.
    pub fn begin(
        &mut self,
        circumstances: Circumstances,
        begun: Instant,
        done: Vec<Done<Tally>>,
        in_work: InWork,
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
        self.begun = begun;
        self.pending = done;
        self.in_work = in_work;
        self.written = self.contents.in_work.clone();
        for so_far in self.written.values().filter(|it| self.in_work.of(it.task).is_none()) {
            self.in_work.note(*so_far);
        }
        self.pending.iter().for_each(|done| self.in_work.finish(done.task));
        self.commit()
    }

    /// Keeps a finished task, together with those of the next moment, a second at most.
    pub fn keep(&mut self, done: Done<Tally>) -> Result<(), JournalError> {
        self.in_work.finish(done.task);
        self.pending.push(done);
        self.tick()
    }

    /// Commits what waits for it, and renews the lease, if it is time. To be called several times
    /// a second.
    ///
    /// # Errors
    /// [`JournalError::Lost`] if somebody else has taken the journal over: then nothing more can be
    /// kept. After any other error what waits goes on to do so.
    pub fn tick(&mut self) -> Result<(), JournalError> {
        let pause = match (self.is_failing, self.pending.is_empty()) {
            (true, _) => RETRY,
            (false, false) => (self.took * SHARE).min(LONGEST_WAIT),
            (false, true) => RENEWAL,
        };
        if self.lease.is_none() || self.tried.elapsed() < pause {
            return Ok(());
        }
        self.commit()
    }

    /// Ends the session: commits everything and gives up the lease.
    pub fn end(&mut self, circumstances: Option<Circumstances>) -> Result<(), JournalError> {
        if let (Some(session), Some(circumstances)) = (&mut self.session, circumstances) {
            session.circumstances = circumstances;
        }
        if self.lease.is_none() {
            return Ok(());
        }
        if let Err(error) = self.commit() {
            // Whoever stops a count waits for its end, and a dead holder is noticed anyway.
            self.lease = None;
            return Err(error);
        }
        self.release().map_err(|cause| error::of_writing(&self.file, cause))
    }

    /// Gives up the lease, if it is still this process's.
    fn release(&mut self) -> rusqlite::Result<()> {
        let Some(lease) = self.lease.take() else { return Ok(()) };
        contents::remove_lease(&self.connection, &lease)
    }

    /// How many finished tasks are not in the file yet.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// All sessions, this one last.
    pub fn sessions(&self) -> impl Iterator<Item = &Session> {
        self.contents.sessions.iter().chain(&self.session)
    }

    /// Removes the file, if it is still the one that was opened and all tasks in it are done;
    /// whoever waits for it has it open and finds the result.
    pub fn remove(self) -> io::Result<()> {
        let (file, id) = (self.file.clone(), self.contents.id);
        drop(self);
        match Journal::find(&file) {
            Ok(Some(there)) if there.contents.id == id && there.contents.is_complete() => {}
            _ => return Ok(()),
        }
        fs::remove_file(file)
    }

    fn commit(&mut self) -> Result<(), JournalError> {
        let clock = Instant::now();
        let outcome = self.try_commit();
        self.tried = Instant::now();
        self.took = self.tried - clock;
        self.is_failing = outcome.is_err();
        if outcome.is_ok() {
            self.pending.clear();
        }
        outcome
    }

    fn try_commit(&mut self) -> Result<(), JournalError> {
        let in_work = self.in_work.all();
        let (Some(lease), Some(session)) = (&mut self.lease, &mut self.session) else {
            return Ok(());
        };
        session.circumstances.seconds = self.begun.elapsed().into();
        let failed = |cause| error::of_writing(&self.file, cause);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        let id = self.contents.id;
        let holder = contents::holder(&transaction, id);
        match holder.map_err(|cause| error::of_reading(&self.file, cause))? {
            Some(holder) if holder.is_same(lease) => {}
            holder => {
                let holder = holder.map(Box::new);
                return Err(JournalError::Lost { file: self.file.clone(), holder });
            }
        }
        lease.renew();
        contents::write_lease(&transaction, id, lease).map_err(failed)?;
        contents::write_session(&transaction, id, session).map_err(failed)?;
        for done in &self.pending {
            contents::write_task(&transaction, id, session.number, done).map_err(failed)?;
        }
        contents::write_in_work(&transaction, id, &self.written, &in_work).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        self.written = in_work;
        Ok(())
    }
}

impl Drop for Journal {
    /// Whatever ended the count, the next one need not wait until the lease has run out.
    fn drop(&mut self) {
        // Without it that takes a minute, and nobody is there to tell.
        let _ = self.release();
    }
}
