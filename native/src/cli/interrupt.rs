//! Ctrl-C, SIGTERM and SIGHUP.

use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::Context;

/// Whether somebody asked this process to stop.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Catches the first signal from now on; a second one ends the process at once.
    ///
    /// # Errors
    /// If the system does not let it; at most once per process.
    pub fn catch() -> anyhow::Result<Interrupt> {
        let asked = Arc::new(AtomicBool::new(false));
        let first = Arc::clone(&asked);
        ctrlc::set_handler(move || {
            if first.swap(true, Ordering::Relaxed) {
                process::exit(130);
            }
        })
        .context("cannot watch for Ctrl-C")?;
        Ok(Interrupt(asked))
    }

    /// No signal is caught, so none comes.
    #[cfg(test)]
    pub fn none() -> Interrupt {
        Interrupt(Arc::default())
    }

    /// From now on nobody looks whether a signal has come, so the next one ends the process at
    /// once.
    pub fn end(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a signal has come.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
