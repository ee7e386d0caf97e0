//! Journals of unfinished counts.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use queens::journal::{Journal, Locking, PartialTasks};

/// Returns a journal with only the first `tasks` finished tasks of the journal in `whole`.
pub fn part_of(whole: &Path, tasks: usize) -> Result<Vec<u8>> {
    let whole = Journal::open(whole)?;
    let contents = whole.contents();
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("part.journal");
    let mut part = Journal::open_or_create(&file, &contents.run, Locking::On)?;
    ensure!(part.try_lock()?.is_none(), "another process holds the lock of the journal");
    let session = contents.sessions.first().context("the journal has no session")?;
    let circumstances = session.circumstances.clone();
    let done = contents.finished_tasks.done().take(tasks).copied().collect();
    part.begin(circumstances, Instant::now(), done, PartialTasks::default())?;
    part.end(None)?;
    Ok(fs::read(&file)?)
}
