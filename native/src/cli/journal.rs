//! The journal of a count: finds an existing one, locks it, or creates a new one.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use queens_core::{
    Method, PartialCount, Size,
    document::{Circumstances, Shard},
};

use super::{
    failure::{Failure, Message},
    interrupt, output,
    request::Request,
};
use queens::{
    journal::{Journal, JournalError, Locking, PartialTasks, Run},
    paths,
};

/// File extension of automatic journals.
const EXTENSION: &str = "journal";

/// Interval at which a process that waits for a journal tries to lock it.
const LOCK_POLL: Duration = Duration::from_millis(250);

/// Expected duration above which a count creates a journal automatically.
const LONG_COUNT: Duration = Duration::from_secs(60);

/// Shortest running time of a session before its estimated duration is used. Earlier estimates are not
/// reliable.
const TIME_TO_ESTIMATE: Duration = Duration::from_secs(3);

/// Running time of a session after which it creates a journal even without an estimate.
const MAX_TIME_WITHOUT_ESTIMATE: Duration = Duration::from_secs(10);

/// Arguments that choose the journal of a count.
#[derive(clap::Args, Debug)]
pub struct JournalArgs {
    /// Save each finished task in this file, so that an interrupted count can resume [default: a
    /// file in the user's data folder, on Linux in ~/.local/share/queens/journals/, if the count is
    /// expected to take over a minute]
    ///
    /// After 3 seconds, the command estimates the time of the count from the tasks finished so far; if it
    /// is over a minute, the command creates the automatic journal. While no estimate is possible, it
    /// waits until 10 seconds have passed, and then creates the journal in any case. A count that is
    /// interrupted before that starts from the beginning the next time.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Do not write a journal, and ignore an existing one
    #[arg(long, conflicts_with = "journal")]
    no_journal: bool,
    #[command(flatten)]
    lock_args: LockArgs,
}

/// Arguments that choose how a journal is locked.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct LockArgs {
    /// Fail if another process is using the journal, instead of waiting for it
    #[arg(long)]
    no_wait: bool,
    /// Do not lock the journal, for file systems without locks
    ///
    /// Without a lock, nothing keeps a second process from using the journal at the same time, which can
    /// damage it.
    #[arg(long)]
    no_lock: bool,
}

impl JournalArgs {
    /// Returns the file named by `--journal`.
    pub fn file(&self) -> Option<&Path> {
        self.journal.as_deref()
    }

    /// Opens and locks the journal to resume from, if there is one: the file named by `--journal`, or the
    /// automatic journal of a method that this request may have begun with.
    ///
    /// # Errors
    /// [`JournalError`], for example if the journal belongs to another count; wrapped in
    /// [`Failure::AutomaticJournal`] if the user did not name the file. [`Failure`] as in
    /// [`lock`](LockArgs::lock).
    pub fn find(&self, request: &Request) -> anyhow::Result<Option<Journal>> {
        let find = |file: &Path| find_same_count(file, self.lock_args.locking(), request);
        let found = match &self.journal {
            _ if self.no_journal => None,
            Some(file) => find(file)?,
            None => {
                let methods = [request.default_method(), request.gpu_method];
                let mut files = methods.into_iter().filter_map(|method| {
                    automatic_path(request.size, method, request.shard.as_ref())
                });
                let found = files.find_map(|file| find(&file).transpose()).transpose();
                found.map_err(Failure::AutomaticJournal)?
            }
        };
        found.map(|journal| self.lock_args.lock(journal)).transpose()
    }

    /// Creates and locks the journal of `run`, unless it is automatic.
    pub fn create(&self, run: &Run) -> anyhow::Result<CountJournal> {
        let locking = self.lock_args.locking();
        Ok(match &self.journal {
            _ if self.no_journal => CountJournal::None,
            Some(file) => {
                let journal = Journal::open_or_create(file, run, locking)?;
                CountJournal::File(Box::new(self.lock_args.lock(journal)?))
            }
            None => CountJournal::Deferred(Box::new(DeferredJournal::new(run.clone(), locking))),
        })
    }
}

/// The journal of a count.
#[derive(Default)]
pub enum CountJournal {
    #[default]
    None,
    /// A journal that is created when the count turns out to be long.
    Deferred(Box<DeferredJournal>),
    /// A journal that is locked or, if all its tasks are done, needs no lock.
    File(Box<Journal>),
}

impl LockArgs {
    /// Opens and locks the journal of `queens resume`.
    pub fn open(self, file: &Path) -> anyhow::Result<Journal> {
        self.lock(Journal::open_with(file, self.locking())?)
    }

    /// Locks the journal, unless all tasks are done. Waits while another process holds the lock, unless
    /// `--no-wait` is set.
    ///
    /// # Errors
    /// [`Failure::InUse`] if another process holds the lock and `--no-wait` is set, [`Failure::Resumable`] if
    /// the wait was interrupted, or [`JournalError`] if the journal cannot be locked, read or written.
    fn lock(self, mut journal: Journal) -> anyhow::Result<Journal> {
        let mut must_note_wait = true;
        let path = journal.file().to_owned();
        let file = paths::shown(&path);
        while let Some(holder) = journal.try_lock()? {
            if self.no_wait {
                let text = Message::new(format!("{file} is in use by {holder}"));
                let hint = "without `--no-wait`, the count resumes when that process ends";
                return Err(Failure::InUse(text.with_hint(hint)).into());
            }
            if interrupt::is_set() {
                let text =
                    format!("interrupted while waiting for {file}, which is in use by {holder}");
                return Err(Failure::Resumable(text.into()).into());
            }
            if must_note_wait {
                must_note_wait = false;
                output::note(format!("waiting for {file}, which is in use by {holder}"));
            }
            thread::sleep(LOCK_POLL);
        }
        Ok(journal)
    }

    fn locking(self) -> Locking {
        if self.no_lock { Locking::Off } else { Locking::On }
    }
}

/// Opens the journal in a file, if there is one. Rejects a journal of another count.
fn find_same_count(
    file: &Path,
    locking: Locking,
    request: &Request,
) -> Result<Option<Journal>, JournalError> {
    let Some(journal) = Journal::find(file, locking)? else { return Ok(None) };
    let run = &journal.contents().run;
    // The patterns name all fields, so a new field is a compile error until it is compared or ignored here.
    let Run { plan, shard: saved_shard } = run;
    let (size, method) = (request.size, request.method);
    let part = |&Shard { index, of, extra: _ }: &Shard| (index, of);
    let (saved_shard, shard) = (saved_shard.as_ref().map(part), request.shard.as_ref().map(part));
    let is_same_method = method.is_none_or(|method| method == plan.method());
    if plan.size() == size && is_same_method && saved_shard == shard {
        return Ok(Some(journal));
    }
    let by = method.map(|method| format!(" by {method}")).unwrap_or_default();
    let part = shard.map(|(index, of)| format!(", shard {index}/{of}")).unwrap_or_default();
    Err(JournalError::OtherRun {
        file: file.into(),
        in_journal: run.to_string(),
        requested: format!("N = {size}{by}{part}"),
    })
}

/// Returns the folder of automatic journals: `queens/journals` in the user's data folder, or `None` if the
/// user has no home.
pub fn automatic_folder() -> Option<PathBuf> {
    Some(paths::data_folder()?.join("journals"))
}

/// Returns the path of a count's automatic journal, or `None` if the user has no home.
fn automatic_path(size: Size, method: Method, shard: Option<&Shard>) -> Option<PathBuf> {
    let shard = shard.map(|shard| format!("-shard-{}-of-{}", shard.index, shard.of));
    let name = format!("{size}-{method}{}.{EXTENSION}", shard.unwrap_or_default());
    Some(automatic_folder()?.join(name))
}

/// Returns whether the journal was created automatically, as far as its path shows. The folder alone does not
/// show this, because users may store other journals there.
pub fn is_automatic(journal: &Journal) -> bool {
    let (file, Run { plan, shard }) = (journal.file(), &journal.contents().run);
    let Some(own) = automatic_path(plan.size(), plan.method(), shard.as_ref()) else {
        return false;
    };
    let parent = |file: &Path| file.parent().and_then(|parent| fs::canonicalize(parent).ok());
    file.file_name() == own.file_name() && parent(file).is_some() && parent(file) == parent(&own)
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

/// Returns all journals in the folder of automatic journals, sorted by path.
///
/// # Errors
/// If the folder exists but cannot be read.
pub fn automatic_journals() -> io::Result<Vec<PathBuf>> {
    let Some(folder) = automatic_folder() else { return Ok(vec![]) };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
        entries => entries?,
    };
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    let is_journal =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == EXTENSION);
    let mut files: Vec<_> = paths.into_iter().filter(is_journal).collect();
    files.sort();
    Ok(files)
}

/// A journal that is created only when the count turns out to be long.
pub struct DeferredJournal {
    /// The path; `None` if the user's data folder is unknown.
    file: Option<PathBuf>,
    run: Run,
    locking: Locking,
    /// Circumstances and start of the session.
    pub session: Option<(Circumstances, Instant)>,
    /// Time of the last failed attempt to create the journal.
    failed: Option<Instant>,
}

impl DeferredJournal {
    /// Pause after a failed attempt to create the journal.
    const RETRY: Duration = Duration::from_secs(60);

    fn new(run: Run, locking: Locking) -> DeferredJournal {
        let (size, method) = (run.plan.size(), run.plan.method());
        let file = automatic_path(size, method, run.shard.as_ref());
        DeferredJournal { file, run, locking, session: None, failed: None }
    }

    /// Returns whether the journal must be created now. `expected` is the expected duration of the session,
    /// if known.
    pub fn is_due(&self, expected: Option<Duration>) -> bool {
        if !self.may_try() {
            return false;
        }
        let elapsed = self.session.as_ref().map_or(Duration::ZERO, |(_, start)| start.elapsed());
        match expected {
            Some(expected) => elapsed >= TIME_TO_ESTIMATE && expected > LONG_COUNT,
            None => elapsed >= MAX_TIME_WITHOUT_ESTIMATE,
        }
    }

    /// Returns whether no attempt has failed yet, or the last failure was long enough ago.
    fn may_try(&self) -> bool {
        self.failed.is_none_or(|failed| failed.elapsed() >= DeferredJournal::RETRY)
    }

    /// Creates the journal with the tasks that are finished so far, and prints its path. If that fails,
    /// returns `None` and, at the first failure, prints a warning with the reason.
    pub fn create(&mut self, part: &PartialCount, partials: &PartialTasks) -> Option<Journal> {
        match self.try_create(part, partials) {
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

    fn try_create(&self, part: &PartialCount, partials: &PartialTasks) -> Result<Journal, String> {
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
        if let Some((circumstances, start)) = self.session.clone() {
            let done = part.done().copied().collect();
            journal.begin(circumstances, start, done, partials.clone()).map_err(to_message)?;
        }
        Ok(journal)
    }
}

#[cfg(test)]
mod tests {
    use queens::{count::Cpu, host};
    use queens_core::{Done, Form, Isa, Plan, Tally};

    use super::*;
    use crate::cli::counting::circumstances;

    #[test]
    fn a_journal_that_could_not_be_created_is_created_later() {
        output::set_quiet(true);
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("blocked");
        fs::write(&blocked, "").unwrap();
        let plan = Plan::new(Size::new(8).unwrap(), Method::Symmetry);
        let mut part = PartialCount::new(&plan);
        part.add(Done { task: 3, result: Tally::default(), took: Duration::ZERO }).unwrap();
        let cpu = Cpu::new(1, Form::Recursive, Isa::PORTABLE, &plan);
        let session = circumstances(&cpu, plan.method(), host::now(), Duration::ZERO);
        let mut deferred = DeferredJournal {
            file: Some(blocked.join("journal")),
            session: Some((session, Instant::now())),
            ..DeferredJournal::new(Run::whole(plan), Locking::On)
        };
        assert!(deferred.may_try());
        assert!(deferred.create(&part, &PartialTasks::default()).is_none());
        assert!(!deferred.may_try());
        deferred.failed = deferred.failed.unwrap().checked_sub(DeferredJournal::RETRY);
        assert!(deferred.may_try());
        fs::remove_file(&blocked).unwrap();
        let mut journal = deferred.create(&part, &PartialTasks::default()).unwrap();
        journal.end(None).unwrap();
        drop(journal);
        let journal = Journal::open_with(&blocked.join("journal"), Locking::On).unwrap();
        assert!(journal.contents().finished_tasks.has(3));
    }
}
