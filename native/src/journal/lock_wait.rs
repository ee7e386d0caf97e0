//! Waiting for a journal that another program keeps locked.

use std::{
    thread,
    time::{Duration, Instant},
};

use super::{error::JournalError, file::BUSY_TIMEOUT};

/// Maximum wait for another program, whose commit may take seconds on a slow disk.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// Pause between two attempts. Without it, the attempts would use a whole CPU core on a file system without
/// locks, where each attempt fails at once.
const PAUSE: Duration = Duration::from_millis(100);

/// Repeats an operation for up to 20 s while another program keeps the journal locked. Stops early if
/// `is_interrupted` returns `true`. Calls `on_wait` once, after two seconds, so that the caller can say
/// what it waits for.
pub fn wait_while_locked<T>(
    mut operation: impl FnMut() -> Result<T, JournalError>,
    is_interrupted: impl Fn() -> bool,
    on_wait: impl FnOnce(),
) -> Result<T, JournalError> {
    let start = Instant::now();
    let mut on_wait = Some(on_wait);
    loop {
        match operation() {
            Err(error)
                if error.is_lock_error() && start.elapsed() < MAX_WAIT && !is_interrupted() => {}
            outcome => return outcome,
        }
        if start.elapsed() >= BUSY_TIMEOUT
            && let Some(on_wait) = on_wait.take()
        {
            on_wait();
        }
        thread::sleep(PAUSE);
    }
}
