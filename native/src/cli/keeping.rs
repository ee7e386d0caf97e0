//! The journal of a count, as commands keep it.

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use queens_core::{
    Done, Method, Part, Tally,
    document::{Circumstances, Shard},
};

use super::{
    failure::{Failure, Message},
    interrupt::Interrupt,
    output, target,
};
use queens::{
    count::{self, Backend, RunError, Wish},
    host,
    journal::{Contents, InWork, Journal, JournalError, Patience, Run, Session, kept},
};

/// How often a process that waits for a journal checks whether it is free.
const LOOK: Duration = Duration::from_millis(250);

/// The hint after an interruption that leaves a journal.
pub const SAME_COMMAND: &str = "resume with the same command";

/// A count that is expected to last longer keeps a journal by itself.
const LONG: Duration = Duration::from_secs(60);

/// After this time of work it is known well enough how long a count will last.
const KNOWN: Duration = Duration::from_secs(3);

/// A count of which nothing is known after this time may last any time.
const UNKNOWN: Duration = Duration::from_secs(10);

/// Whether and where a count keeps a journal.
#[derive(clap::Args, Debug)]
pub struct KeepArgs {
    /// Save each finished task in this file, so that an interrupted count can resume [default: a
    /// file in the user's data folder, on Linux in ~/.local/share/queens/, if the count is expected to
    /// take over a minute]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Do not write a journal, and ignore an existing one
    #[arg(long, conflicts_with = "journal")]
    no_journal: bool,
    /// Fail if another process is using the journal, instead of waiting for it
    #[arg(long)]
    pub no_wait: bool,
}

impl KeepArgs {
    /// The file that `--journal` names.
    pub fn file(&self) -> Option<&Path> {
        self.journal.as_deref()
    }

    /// The journal with which a count goes on, if there is one; refused if it is of another count.
    /// Where no method was asked for, it may be of those that are `usual`.
    ///
    /// # Errors
    /// [`JournalError`], or [`Failure::AutomaticJournal`] if the user did not name the file.
    pub fn found(
        &self,
        wish: Wish,
        usual: &[Method],
        shard: Option<&Shard>,
    ) -> anyhow::Result<Option<Journal>> {
        target::ignore_limit();
        if let Some(file) = &self.journal {
            return Ok(of_the_same(file, wish, shard)?);
        }
        let methods = wish.method.as_ref().map_or(usual, std::slice::from_ref);
        let files = methods.iter().filter_map(|&method| kept::file(wish.size, method, shard));
        for file in files.filter(|_| !self.no_journal) {
            let found = of_the_same(&file, wish, shard).map_err(Failure::AutomaticJournal)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// What keeps the tasks of a count that has no journal yet.
    pub fn keeper(&self, run: &Run, quiet: bool, interrupt: &Interrupt) -> anyhow::Result<Keeper> {
        if let Some(file) = &self.journal {
            return Ok(Keeper::of(claimed(
                Journal::of(file, run)?,
                self.no_wait,
                quiet,
                interrupt,
            )?));
        }
        let (size, method) = (run.plan.size(), run.plan.method());
        let file = kept::file(size, method, run.shard.as_ref()).filter(|_| !self.no_journal);
        Ok(Keeper::with(file.map_or(Keeps::Nothing, |file| {
            let run = run.clone();
            Keeps::Later(Box::new(Later { file, run, quiet, session: None, done: vec![] }))
        })))
    }
}

/// The journal in a file, if there is one; refused if it is of another count.
fn of_the_same(
    file: &Path,
    wish: Wish,
    shard: Option<&Shard>,
) -> Result<Option<Journal>, JournalError> {
    let Some(journal) = Journal::find(file)? else { return Ok(None) };
    let run = &journal.contents().run;
    let is_same_shard = run.shard.as_ref().map(|shard| (shard.index, shard.of))
        == shard.map(|shard| (shard.index, shard.of));
    let theirs = run.plan.method();
    let is_same_method = wish.method.is_none_or(|method| method == theirs);
    if run.plan.size() == wish.size && is_same_method && is_same_shard {
        return Ok(Some(journal));
    }
    let mut ours = format!("N = {}", wish.size);
    if let Some(method) = wish.method {
        ours += &format!(" by {method}");
    }
    if let Some(shard) = shard {
        ours += &format!(", shard {}/{}", shard.index, shard.of);
    }
    Err(JournalError::OtherRun { file: file.into(), theirs: run.to_string(), ours })
}

/// Takes the journal's lease, and waits for whoever has it, unless that is not wanted.
///
/// # Errors
/// [`Failure::InUse`] if it is not, [`Failure::Resumable`] if the wait was interrupted, or what
/// keeps the journal from being read or written.
pub fn claimed(
    mut journal: Journal,
    no_wait: bool,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Journal> {
    target::ignore_limit();
    let (mut patience, mut is_told) = (Patience::default(), quiet);
    while let Some(holder) = journal.claim(&mut patience)? {
        let file = journal.file().display();
        if no_wait {
            let text = Message::new(format!("{file} is in use by {holder}"));
            let hint = "without `--no-wait`, the command waits until that process releases the journal, or \
                        has not renewed its lock for a minute, and then resumes the count";
            return Err(Failure::InUse(text.with_hint(hint)).into());
        }
        if interrupt.came() {
            let text = format!("interrupted while waiting for {file}, which is in use by {holder}");
            return Err(Failure::Resumable(text.into()).into());
        }
        if !is_told {
            is_told = true;
            output::note(format!("waiting for {file}, which is in use by {holder}"));
        }
        thread::sleep(LOOK);
    }
    Ok(journal)
}

/// What keeps the finished tasks of a count.
pub struct Keeper {
    keeps: Keeps,
    /// How far tasks are that are not finished.
    in_work: InWork,
    /// Whether it was said that the journal cannot be written.
    is_told: bool,
    /// Why nothing can be kept any more.
    lost: Option<JournalError>,
}

enum Keeps {
    Nothing,
    /// A journal that is made once the count turns out to be long.
    Later(Box<Later>),
    Journal(Box<Journal>),
}

impl Keeper {
    /// Keeps nothing.
    pub fn nothing() -> Keeper {
        Keeper::with(Keeps::Nothing)
    }

    /// Keeps tasks in a journal whose lease is taken.
    pub fn of(journal: Journal) -> Keeper {
        Keeper::with(Keeps::Journal(Box::new(journal)))
    }

    fn with(keeps: Keeps) -> Keeper {
        Keeper { keeps, in_work: InWork::default(), is_told: false, lost: None }
    }

    /// What the journal said when its lease was taken.
    pub fn contents(&self) -> Option<&Contents> {
        match &self.keeps {
            Keeps::Journal(journal) => Some(journal.contents()),
            _ => None,
        }
    }

    /// How far tasks are that are not finished.
    pub fn in_work(&self) -> &InWork {
        &self.in_work
    }

    /// The journal's file, if there is one.
    pub fn file(&self) -> Option<&Path> {
        match &self.keeps {
            Keeps::Journal(journal) => Some(journal.file()),
            _ => None,
        }
    }

    /// Says in the journal what counts from now on.
    pub fn begin(&mut self, backend: &dyn Backend, method: Method) -> Result<(), JournalError> {
        let begun = Instant::now();
        let circumstances = || count::circumstances(backend, method, host::now(), Duration::ZERO);
        match &mut self.keeps {
            Keeps::Nothing => {}
            Keeps::Later(later) => later.session = Some((circumstances(), begun)),
            Keeps::Journal(journal) => {
                journal.begin(circumstances(), begun, vec![], self.in_work.clone())?;
            }
        }
        Ok(())
    }

    /// Keeps a finished task.
    ///
    /// # Errors
    /// [`JournalError::Lost`].
    pub fn keep(&mut self, done: Done<Tally>) -> Result<(), JournalError> {
        match &mut self.keeps {
            Keeps::Nothing => Ok(()),
            Keeps::Later(later) => {
                self.in_work.finish(done.task);
                later.done.push(done);
                Ok(())
            }
            Keeps::Journal(journal) => {
                let kept = journal.keep(done);
                self.forgive(kept)
            }
        }
    }

    /// Does what is due, and says whether the count can go on; `expected` is how long it will last
    /// in all, as far as that is known.
    pub fn tick(&mut self, expected: Option<Duration>) -> ControlFlow<()> {
        let done = match &mut self.keeps {
            Keeps::Nothing => Ok(()),
            Keeps::Later(later) if !later.is_due(expected) => Ok(()),
            Keeps::Later(later) => {
                self.keeps =
                    later.made(&self.in_work).map(Box::new).map_or(Keeps::Nothing, Keeps::Journal);
                Ok(())
            }
            Keeps::Journal(journal) => journal.tick(),
        };
        match self.forgive(done) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.lost = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Continues without the journal if it cannot be written, for example because the disk is full.
    /// Warns once; later attempts may succeed.
    fn forgive(&mut self, outcome: Result<(), JournalError>) -> Result<(), JournalError> {
        match outcome {
            Err(JournalError::Lost { .. }) | Ok(()) => outcome,
            Err(error) => {
                if !self.is_told {
                    self.is_told = true;
                    output::warn(format!("{error}; the count continues and will retry"));
                }
                Ok(())
            }
        }
    }

    /// Writes down what came of the count, and says how it came about, all its sessions together.
    ///
    /// # Errors
    /// Why the count ended before its end, and how it can go on.
    pub fn end(
        &mut self,
        run: &Run,
        part: &Part,
        outcome: Result<Circumstances, RunError>,
    ) -> anyhow::Result<Circumstances> {
        let Keeps::Journal(journal) = &mut self.keeps else {
            return outcome.map_err(Failure::of_run);
        };
        let outcome = match (self.lost.take(), outcome) {
            (Some(lost), _) | (None, Err(RunError::Journal(lost))) => return Err(lost.into()),
            (None, outcome) => outcome,
        };
        if let Err(error) = journal.end(outcome.as_ref().ok().cloned()) {
            let lost = journal.pending();
            output::warn(format!("{error}; {lost} finished tasks are not saved"));
        }
        let file = journal.file();
        let mut resume = format!("resume with `queens resume {}`", for_a_shell(file));
        if kept::is_kept(file) {
            resume = format!("{SAME_COMMAND}, or with `queens resume {}`", for_a_shell(file));
        }
        match outcome {
            Ok(circumstances) => Ok(Session::joined(journal.sessions()).unwrap_or(circumstances)),
            Err(RunError::Stopped { .. }) => {
                let (done, all) = (part.done().len() - journal.pending(), run.len());
                let text = format!("interrupted: {done} of {all} tasks are finished and saved");
                Err(Failure::Resumable(Message::new(text).with_hint(resume)).into())
            }
            Err(error) => {
                let error = Failure::of_run(error);
                if !Failure::is_of_a_wrong_device(&error) {
                    output::note("finished tasks are saved");
                    output::hint(resume);
                }
                Err(error)
            }
        }
    }

    /// Removes a journal that nobody asked for, since its result is in somebody's hands.
    pub fn done_with(self) {
        let Keeps::Journal(journal) = self.keeps else { return };
        let file = journal.file().to_owned();
        if kept::is_kept(&file)
            && let Err(error) = journal.remove()
        {
            output::warn(format!("cannot remove the journal {}: {error}", file.display()));
        }
    }

    /// Puts a journal that nobody asked for aside, since what is in it makes no right count: the
    /// same command begins anew. One that the user named stays, with a warning.
    pub fn set_aside(self) {
        let Some(file) = self.file().map(Path::to_owned) else { return };
        if !kept::is_kept(&file) {
            let file = file.display();
            output::warn(format!(
                "{file} may contain wrong results; start again with a new journal"
            ));
            return;
        }
        drop(self);
        let aside = file.with_extension("wrong");
        if fs::rename(&file, &aside).is_ok() {
            output::note(format!("the journal was moved to {}", aside.display()));
        }
    }
}

/// A file's name as a shell takes it.
fn for_a_shell(file: &Path) -> String {
    let name = file.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:@%,".contains(c);
    if name.chars().all(is_plain) { name } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

/// A journal that is made once the count turns out to be long.
struct Later {
    file: PathBuf,
    run: Run,
    quiet: bool,
    /// With what and since when the count goes on.
    session: Option<(Circumstances, Instant)>,
    done: Vec<Done<Tally>>,
}

impl Later {
    fn is_due(&self, expected: Option<Duration>) -> bool {
        let elapsed = self.session.as_ref().map(|(_, begun)| begun.elapsed()).unwrap_or_default();
        expected.map_or(elapsed >= UNKNOWN, |expected| elapsed >= KNOWN && expected > LONG)
    }

    /// Makes the journal, and says where it is, or why there is none.
    fn made(&mut self, in_work: &InWork) -> Option<Journal> {
        let made = self.try_make(in_work);
        if !self.quiet {
            let file = self.file.display();
            match &made {
                Ok(_) => output::note(format!(
                    "saving finished tasks to {file}; run the same command again to resume"
                )),
                Err(reason) => output::warn(format!("cannot keep a journal: {reason}")),
            }
        }
        made.ok()
    }

    fn try_make(&mut self, in_work: &InWork) -> Result<Journal, String> {
        let said = |error: JournalError| error.to_string();
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder).map_err(|error| {
                format!("cannot create the folder {}: {}", folder.display(), error.kind())
            })?;
        }
        let mut journal = Journal::of(&self.file, &self.run).map_err(said)?;
        if let Some(holder) = journal.claim(&mut Patience::default()).map_err(said)? {
            return Err(format!("{} is in use by {holder}", self.file.display()));
        }
        if let Some((circumstances, begun)) = self.session.take() {
            let done = std::mem::take(&mut self.done);
            journal.begin(circumstances, begun, done, in_work.clone()).map_err(said)?;
        }
        Ok(journal)
    }
}
