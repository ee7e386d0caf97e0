//! Saving a count in a journal, and resuming it.

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use queens_core::{
    Done, Method, PartialCount, Tally,
    document::{Circumstances, Shard},
};

use super::{
    destination,
    failure::{Failure, Message},
    interrupt::Interrupt,
    output,
};
use queens::{
    count::{self, Backend, CountRequest, RunError},
    host,
    journal::{Contents, Journal, JournalError, LeaseWatch, PartialTasks, Run, Session, autosave},
    paths,
};

/// How often a process that waits for a journal checks whether it is free.
const LOOK: Duration = Duration::from_millis(250);

/// The hint after an interruption that leaves a journal.
pub const SAME_COMMAND: &str = "resume with the same command";

/// Counts expected to take longer create a journal automatically.
const LONG: Duration = Duration::from_secs(60);

/// Working time after which the estimate of the duration is reliable.
const KNOWN: Duration = Duration::from_secs(3);

/// Working time after which a count without an estimate creates a journal in any case.
const UNKNOWN: Duration = Duration::from_secs(10);

/// Whether and where a count keeps a journal.
#[derive(clap::Args, Debug)]
pub struct JournalArgs {
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

impl JournalArgs {
    /// The file named by `--journal`.
    pub fn file(&self) -> Option<&Path> {
        self.journal.as_deref()
    }

    /// Returns the journal to resume from, if there is one. If no method was requested, journals of the
    /// `usual` methods qualify.
    ///
    /// # Errors
    /// [`JournalError`], for example if the journal belongs to another count; wrapped in
    /// [`Failure::AutomaticJournal`] if the user did not name the file.
    pub fn found(
        &self,
        request: CountRequest,
        usual: &[Method],
        shard: Option<&Shard>,
    ) -> anyhow::Result<Option<Journal>> {
        destination::ignore_limit();
        if let Some(file) = &self.journal {
            return Ok(of_the_same(file, request, shard)?);
        }
        let methods = request.method.as_ref().map_or(usual, std::slice::from_ref);
        let files =
            methods.iter().filter_map(|&method| autosave::path_for(request.size, method, shard));
        for file in files.filter(|_| !self.no_journal) {
            let found = of_the_same(&file, request, shard).map_err(Failure::AutomaticJournal)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Creates the checkpointer of a count that has no journal yet.
    pub fn checkpointer(
        &self,
        run: &Run,
        quiet: bool,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Checkpointer> {
        if let Some(file) = &self.journal {
            return Ok(Checkpointer::of(acquire_lease(
                Journal::of(file, run)?,
                self.no_wait,
                quiet,
                interrupt,
            )?));
        }
        let (size, method) = (run.plan.size(), run.plan.method());
        let file =
            autosave::path_for(size, method, run.shard.as_ref()).filter(|_| !self.no_journal);
        Ok(Checkpointer::with(file.map_or(CheckpointMode::Nothing, |file| {
            let run = run.clone();
            CheckpointMode::Later(Box::new(DeferredJournal {
                file,
                run,
                quiet,
                session: None,
                done: vec![],
            }))
        })))
    }
}

/// Opens the journal in a file, if there is one. Rejects a journal of another count.
fn of_the_same(
    file: &Path,
    request: CountRequest,
    shard: Option<&Shard>,
) -> Result<Option<Journal>, JournalError> {
    let Some(journal) = Journal::find(file)? else { return Ok(None) };
    let run = &journal.contents().run;
    let is_same_shard = run.shard.as_ref().map(|shard| (shard.index, shard.of))
        == shard.map(|shard| (shard.index, shard.of));
    let theirs = run.plan.method();
    let is_same_method = request.method.is_none_or(|method| method == theirs);
    if run.plan.size() == request.size && is_same_method && is_same_shard {
        return Ok(Some(journal));
    }
    let mut ours = format!("N = {}", request.size);
    if let Some(method) = request.method {
        ours += &format!(" by {method}");
    }
    if let Some(shard) = shard {
        ours += &format!(", shard {}/{}", shard.index, shard.of);
    }
    Err(JournalError::OtherRun { file: file.into(), theirs: run.to_string(), ours })
}

/// Acquires the journal's lease. Waits for its holder, unless `no_wait` is set.
///
/// # Errors
/// [`Failure::InUse`] if another process holds the lease and `no_wait` is set, [`Failure::Resumable`] if
/// the wait was interrupted, or [`JournalError`] if the journal cannot be read or written.
pub fn acquire_lease(
    mut journal: Journal,
    no_wait: bool,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Journal> {
    destination::ignore_limit();
    let (mut patience, mut is_told) = (LeaseWatch::default(), quiet);
    while let Some(holder) = journal.try_acquire(&mut patience)? {
        let file = paths::shown(journal.file());
        if no_wait {
            let text = Message::new(format!("{file} is in use by {holder}"));
            let hint = "without `--no-wait`, the count resumes when that process releases the journal, \
                        or a minute after it last renewed its lock";
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

/// Saves the finished tasks of a count, if it has a journal.
pub struct Checkpointer {
    keeps: CheckpointMode,
    /// Partial results of unfinished tasks.
    in_work: PartialTasks,
    /// Whether the warning about a failed write was printed.
    is_told: bool,
    /// The error after which nothing more can be saved.
    lost: Option<JournalError>,
}

enum CheckpointMode {
    Nothing,
    /// A journal that is created when the count turns out to be long.
    Later(Box<DeferredJournal>),
    Journal(Box<Journal>),
}

impl Checkpointer {
    /// Creates a checkpointer that saves nothing.
    pub fn nothing() -> Checkpointer {
        Checkpointer::with(CheckpointMode::Nothing)
    }

    /// Creates a checkpointer that saves to a journal whose lease is held.
    pub fn of(journal: Journal) -> Checkpointer {
        Checkpointer::with(CheckpointMode::Journal(Box::new(journal)))
    }

    fn with(keeps: CheckpointMode) -> Checkpointer {
        Checkpointer { keeps, in_work: PartialTasks::default(), is_told: false, lost: None }
    }

    /// Contents of the journal when its lease was acquired.
    pub fn contents(&self) -> Option<&Contents> {
        match &self.keeps {
            CheckpointMode::Journal(journal) => Some(journal.contents()),
            _ => None,
        }
    }

    /// Partial results of unfinished tasks.
    pub fn in_work(&self) -> &PartialTasks {
        &self.in_work
    }

    /// The journal's file, if there is a journal.
    pub fn file(&self) -> Option<&Path> {
        match &self.keeps {
            CheckpointMode::Journal(journal) => Some(journal.file()),
            _ => None,
        }
    }

    /// Begins a session in the journal, with its start time, backend and method.
    pub fn begin(&mut self, backend: &dyn Backend, method: Method) -> Result<(), JournalError> {
        let begun = Instant::now();
        let circumstances = || count::circumstances(backend, method, host::now(), Duration::ZERO);
        match &mut self.keeps {
            CheckpointMode::Nothing => {}
            CheckpointMode::Later(later) => later.session = Some((circumstances(), begun)),
            CheckpointMode::Journal(journal) => {
                journal.begin(circumstances(), begun, vec![], self.in_work.clone())?;
            }
        }
        Ok(())
    }

    /// Saves a finished task.
    ///
    /// # Errors
    /// [`JournalError::Lost`] if another process has taken over the journal.
    pub fn keep(&mut self, done: Done<Tally>) -> Result<(), JournalError> {
        match &mut self.keeps {
            CheckpointMode::Nothing => Ok(()),
            CheckpointMode::Later(later) => {
                self.in_work.finish(done.task);
                later.done.push(done);
                Ok(())
            }
            CheckpointMode::Journal(journal) => {
                let kept = journal.keep(done);
                self.forgive(kept)
            }
        }
    }

    /// Commits and renews the lease if it is time, and creates a deferred journal when it is due. Breaks
    /// if the count must stop because the lease was lost. `expected` is the expected duration of the
    /// whole count, if known.
    pub fn tick(&mut self, expected: Option<Duration>) -> ControlFlow<()> {
        let done = match &mut self.keeps {
            CheckpointMode::Nothing => Ok(()),
            CheckpointMode::Later(later) if !later.is_due(expected) => Ok(()),
            CheckpointMode::Later(later) => {
                self.keeps = later
                    .made(&self.in_work)
                    .map(Box::new)
                    .map_or(CheckpointMode::Nothing, CheckpointMode::Journal);
                Ok(())
            }
            CheckpointMode::Journal(journal) => journal.tick(),
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

    /// Ends the session. Returns the circumstances of the count, combined from all its sessions.
    ///
    /// # Errors
    /// The error that ended the count, with a hint how to resume it.
    pub fn end(
        &mut self,
        run: &Run,
        part: &PartialCount,
        outcome: Result<Circumstances, RunError>,
    ) -> anyhow::Result<Circumstances> {
        let CheckpointMode::Journal(journal) = &mut self.keeps else {
            return outcome.map_err(Failure::of_run);
        };
        let outcome = match (self.lost.take(), outcome) {
            (Some(lost), _) | (None, Err(RunError::Journal(lost))) => return Err(lost.into()),
            (None, outcome) => outcome,
        };
        let ended = journal.end(outcome.as_ref().ok().cloned());
        if let Err(error) = &ended {
            let lost = journal.pending();
            output::warn(format!("{error}; {lost} finished tasks are not saved"));
        }
        let file = journal.file();
        let mut resume = format!("resume with `queens resume {}`", for_a_shell(file));
        if autosave::is_autosave(file) {
            resume = format!("{SAME_COMMAND}, or with `queens resume {}`", for_a_shell(file));
        }
        match outcome {
            Ok(circumstances) => Ok(Session::joined(journal.sessions()).unwrap_or(circumstances)),
            Err(RunError::Stopped { .. }) => {
                let (mut done, all) = (part.done().len() - journal.pending(), run.len());
                // A locked journal is still there, and the user is waiting.
                if ended.is_err_and(|error| !error.is_of_a_lock()) {
                    let Some(saved) = journal.saved() else {
                        let file = paths::shown(file);
                        let text =
                            format!("interrupted: {file} is gone or damaged, so nothing is saved");
                        return Err(Failure::Interrupted(text).into());
                    };
                    done = saved;
                }
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

    /// Removes an automatic journal after its result was delivered.
    pub fn remove_if_automatic(self) {
        let CheckpointMode::Journal(journal) = self.keeps else { return };
        let file = journal.file().to_owned();
        if autosave::is_autosave(&file)
            && let Err(error) = journal.remove()
        {
            output::warn(format!("cannot remove the journal {}: {error}", paths::shown(&file)));
        }
    }

    /// Renames an automatic journal whose tasks give a wrong result, so that the same command starts
    /// again. A journal that the user named stays, with a warning.
    pub fn quarantine(self) {
        let Some(file) = self.file().map(Path::to_owned) else { return };
        if !autosave::is_autosave(&file) {
            let file = paths::shown(&file);
            output::warn(format!(
                "{file} may contain wrong results; start again with a new journal"
            ));
            return;
        }
        drop(self);
        let aside = file.with_extension("wrong");
        if fs::rename(&file, &aside).is_ok() {
            output::note(format!("the journal was moved to {}", paths::shown(&aside)));
        }
    }
}

/// Quotes a path for a shell, if necessary.
fn for_a_shell(file: &Path) -> String {
    let name = file.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:@%,".contains(c);
    if name.chars().all(is_plain) {
        return name.into_owned();
    }
    if !name.contains(char::is_control) {
        return format!("'{}'", name.replace('\'', "'\\''"));
    }
    // A line break would end the message's line, so the shell must get it as an escape.
    let quoted: String = name.chars().fold(String::new(), |quoted, c| match c {
        '\\' | '\'' => format!("{quoted}\\{c}"),
        c if c.is_control() => {
            let mut buffer = [0; 4];
            let bytes = c.encode_utf8(&mut buffer).bytes();
            bytes.fold(quoted, |quoted, byte| format!("{quoted}\\{byte:03o}"))
        }
        c => format!("{quoted}{c}"),
    });
    format!("$'{quoted}'")
}

/// A deferred journal: it is created when the count turns out to be long.
struct DeferredJournal {
    file: PathBuf,
    run: Run,
    quiet: bool,
    /// Circumstances and start of the session.
    session: Option<(Circumstances, Instant)>,
    done: Vec<Done<Tally>>,
}

impl DeferredJournal {
    fn is_due(&self, expected: Option<Duration>) -> bool {
        let elapsed = self.session.as_ref().map(|(_, begun)| begun.elapsed()).unwrap_or_default();
        expected.map_or(elapsed >= UNKNOWN, |expected| elapsed >= KNOWN && expected > LONG)
    }

    /// Creates the journal. Prints its path, or a warning with the reason if it fails.
    fn made(&mut self, in_work: &PartialTasks) -> Option<Journal> {
        let made = self.try_make(in_work);
        if !self.quiet {
            let file = paths::shown(&self.file);
            match &made {
                Ok(_) => output::note(format!(
                    "saving finished tasks to {file}; run the same command again to resume"
                )),
                Err(reason) => output::warn(format!("cannot keep a journal: {reason}")),
            }
        }
        made.ok()
    }

    fn try_make(&mut self, in_work: &PartialTasks) -> Result<Journal, String> {
        let said = |error: JournalError| error.to_string();
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder).map_err(|error| {
                format!("cannot create the folder {}: {}", paths::shown(folder), error.kind())
            })?;
        }
        let mut journal = Journal::of(&self.file, &self.run).map_err(said)?;
        if let Some(holder) = journal.try_acquire(&mut LeaseWatch::default()).map_err(said)? {
            return Err(format!("{} is in use by {holder}", paths::shown(&self.file)));
        }
        if let Some((circumstances, begun)) = self.session.take() {
            let done = std::mem::take(&mut self.done);
            journal.begin(circumstances, begun, done, in_work.clone()).map_err(said)?;
        }
        Ok(journal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_paths_for_a_shell_on_one_line() {
        for (path, quoted) in [
            ("a/b-1.journal", "a/b-1.journal"),
            ("it's here", r"'it'\''s here'"),
            ("a\\'b\nerror: \u{9b}c", r"$'a\\\'b\012error: \302\233c'"),
        ] {
            assert_eq!(for_a_shell(Path::new(path)), quoted);
        }
    }
}
