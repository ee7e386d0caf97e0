//! The journal of a count, as commands keep it.

use std::{ops::ControlFlow, path::Path, thread, time::Duration};

use jiff::Timestamp;
use queens_core::{
    Done, Part, Tally,
    document::{Circumstances, Shard},
};

use super::{failure::Failure, interrupt::Interrupt, output};
use queens::{
    count::{self, Backend, RunError, Wish},
    journal::{Journal, JournalError, Patience, Run, Session},
};

/// How often somebody who waits for a journal looks again.
const LOOK: Duration = Duration::from_millis(250);

/// The journal in a file, if there is one; refused if it is of another count.
///
/// # Errors
/// [`JournalError`].
pub fn find(
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
    let (mut patience, mut is_told) = (Patience::default(), quiet);
    while let Some(holder) = journal.claim(&mut patience)? {
        let file = journal.file().display();
        if no_wait {
            return Err(Failure::InUse(format!("{file} is in use by {holder}")).into());
        }
        if interrupt.came() {
            let words = format!("interrupted while {file} was in use by {holder}");
            return Err(Failure::Resumable(words).into());
        }
        if !is_told {
            is_told = true;
            output::note(format!("{file} is in use by {holder}: waiting for it"));
        }
        thread::sleep(LOOK);
    }
    Ok(journal)
}

/// What keeps the finished tasks of a count.
pub struct Keeper {
    journal: Option<Journal>,
    /// Whether it was said that the journal cannot be written.
    is_told: bool,
    /// Why nothing can be kept any more.
    lost: Option<JournalError>,
}

impl Keeper {
    /// Keeps nothing.
    pub fn nothing() -> Keeper {
        Keeper { journal: None, is_told: false, lost: None }
    }

    /// Keeps tasks in a journal whose lease is taken.
    pub fn of(journal: Journal) -> Keeper {
        Keeper { journal: Some(journal), ..Keeper::nothing() }
    }

    /// What is finished.
    pub fn part(&self, run: &Run) -> Part {
        let kept = |journal: &Journal| journal.contents().part.clone();
        self.journal.as_ref().map_or_else(|| Part::new(&run.plan), kept)
    }

    /// Says in the journal what counts from now on.
    ///
    /// # Errors
    /// [`JournalError`] if it cannot be written.
    pub fn begin(&mut self, backend: &dyn Backend) -> Result<(), JournalError> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        journal.begin(count::circumstances(backend, Timestamp::now(), Duration::ZERO))
    }

    /// Keeps a finished task.
    ///
    /// # Errors
    /// [`JournalError::Lost`].
    pub fn keep(&mut self, done: Done<Tally>) -> Result<(), JournalError> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let kept = journal.keep(done);
        self.forgive(kept)
    }

    /// Does what is due, and says whether the count can go on.
    pub fn tick(&mut self) -> ControlFlow<()> {
        let Some(journal) = &mut self.journal else { return ControlFlow::Continue(()) };
        let done = journal.tick();
        match self.forgive(done) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.lost = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// A count is worth more than its journal: a disk that is full, say, is told once, and tried
    /// again.
    fn forgive(&mut self, outcome: Result<(), JournalError>) -> Result<(), JournalError> {
        match outcome {
            Err(JournalError::Lost { .. }) | Ok(()) => outcome,
            Err(error) => {
                if !self.is_told {
                    self.is_told = true;
                    output::note(format!("{error}; the count goes on, and tries again"));
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
        self,
        run: &Run,
        part: &Part,
        outcome: Result<Circumstances, RunError>,
    ) -> anyhow::Result<Circumstances> {
        let Some(mut journal) = self.journal else {
            return outcome.map_err(Failure::of_run);
        };
        let outcome = match (self.lost, outcome) {
            (Some(lost), _) | (None, Err(RunError::Journal(lost))) => return Err(lost.into()),
            (None, outcome) => outcome,
        };
        let ended = journal.end(outcome.as_ref().ok().cloned());
        let file = journal.file().display();
        if let Err(error) = ended {
            let lost = journal.pending();
            output::note(format!("{error}; {lost} finished tasks are not in it"));
        }
        match outcome {
            Ok(circumstances) => Ok(Session::joined(journal.sessions()).unwrap_or(circumstances)),
            Err(RunError::Stopped { .. }) => {
                let (done, all) = (part.done().len() - journal.pending(), run.len());
                Err(Failure::Resumable(format!(
                    "interrupted: {done} of {all} tasks are done and kept; go on by \
                     `queens resume {file}`"
                ))
                .into())
            }
            Err(error) => {
                output::note(format!("what was finished is kept; `queens resume {file}` goes on"));
                Err(Failure::of_run(error))
            }
        }
    }
}
