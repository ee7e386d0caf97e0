//! The journal of a count: finds an existing one, locks it, or creates a new one.

use std::{
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use queens_core::document::Shard;

use super::{
    checkpoint::Checkpointer,
    failure::{Failure, Message},
    interrupt, output,
    request::Request,
};
use queens::{
    journal::{Journal, JournalError, Locking, Run, autosave},
    paths,
};

/// Interval at which a process that waits for a journal tries to lock it.
const LOCK_POLL: Duration = Duration::from_millis(250);

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

    /// Opens and locks the journal to resume from, if there is one, or decides where a new one will be. If no
    /// method was requested, searches the automatic journals of the default methods.
    ///
    /// # Errors
    /// [`JournalError`], for example if the journal belongs to another count; wrapped in
    /// [`Failure::AutomaticJournal`] if the user did not name the file. [`Failure`] as in [`lock`].
    pub fn open(&self, request: &Request) -> anyhow::Result<CountJournal> {
        let &JournalArgs { ref journal, no_journal, lock_args: args } = self;
        let find = |file: &Path| find_same_count(file, args.locking(), request);
        let found = match journal {
            Some(file) => find(file)?,
            None if no_journal => return Ok(CountJournal::New(NewJournal::None)),
            None => {
                let methods = [request.default_method(), request.gpu_method];
                let mut files = methods.into_iter().filter_map(|method| {
                    autosave::path_for(request.size, method, request.shard.as_ref())
                });
                let found = files.find_map(|file| find(&file).transpose()).transpose();
                found.map_err(Failure::AutomaticJournal)?
            }
        };
        Ok(match (found, journal) {
            (Some(journal), _) => CountJournal::Existing(Box::new(lock(journal, args)?)),
            (None, Some(file)) => CountJournal::New(NewJournal::File(file.clone(), args)),
            (None, None) => CountJournal::New(NewJournal::Automatic(args.locking())),
        })
    }
}

/// The journal of a count.
pub enum CountJournal {
    /// A journal to resume from. It is locked, unless all its tasks are done.
    Existing(Box<Journal>),
    New(NewJournal),
}

/// A journal that does not exist yet, because its plan is not known.
pub enum NewJournal {
    /// No journal.
    None,
    /// The file of the journal.
    File(PathBuf, LockArgs),
    /// A journal in the user's data folder, if the count turns out to be long.
    Automatic(Locking),
}

impl NewJournal {
    /// Creates and locks the journal of `run`, unless it is automatic.
    pub fn checkpointer(self, run: &Run) -> anyhow::Result<Checkpointer> {
        match self {
            NewJournal::None => Ok(Checkpointer::disabled()),
            NewJournal::File(file, args) => {
                let journal = Journal::open_or_create(&file, run, args.locking())?;
                Ok(Checkpointer::saving_to(lock(journal, args)?))
            }
            NewJournal::Automatic(locking) => Ok(Checkpointer::deferred(run, locking)),
        }
    }
}

impl LockArgs {
    /// Opens and locks the journal of `queens resume`.
    pub fn open(self, file: &Path) -> anyhow::Result<Journal> {
        lock(Journal::open_with(file, self.locking())?, self)
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

/// Locks the journal, unless all tasks are done. Waits while another process holds the lock, unless `--no-wait`
/// is set.
///
/// # Errors
/// [`Failure::InUse`] if another process holds the lock and `--no-wait` is set, [`Failure::Resumable`] if
/// the wait was interrupted, or [`JournalError`] if the journal cannot be locked, read or written.
fn lock(mut journal: Journal, args: LockArgs) -> anyhow::Result<Journal> {
    let mut must_note_wait = true;
    let path = journal.file().to_owned();
    let file = paths::shown(&path);
    while let Some(holder) = journal.try_lock()? {
        if args.no_wait {
            let text = Message::new(format!("{file} is in use by {holder}"));
            let hint = "without `--no-wait`, the count resumes when that process ends";
            return Err(Failure::InUse(text.with_hint(hint)).into());
        }
        if interrupt::is_set() {
            let text = format!("interrupted while waiting for {file}, which is in use by {holder}");
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
