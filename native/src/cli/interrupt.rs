//! Ctrl-C, SIGTERM and SIGHUP.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use anyhow::Context;
#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};

/// Whether somebody asked this process to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    /// The signal that came last; 0 before any.
    signal: Arc<AtomicUsize>,
    /// Whether the next signal ends the process at once.
    ends_at_once: Arc<AtomicBool>,
}

/// The signal that stopped the process, for its exit code.
static CAUGHT: OnceLock<Interrupt> = OnceLock::new();

#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

impl Interrupt {
    /// Catches the first signal from now on; a second one ends the process at once. What is
    /// ignored when the command starts stays ignored, as `nohup` and a shell's background jobs
    /// have it.
    pub fn catch() -> anyhow::Result<Interrupt> {
        let interrupt = CAUGHT.get_or_init(Interrupt::default).clone();
        for signal in SIGNALS.into_iter().filter(|&signal| !is_ignored(signal)) {
            let ends_at_once = || Arc::clone(&interrupt.ends_at_once);
            let number = usize::try_from(signal).unwrap_or_default();
            // Those that come first are asked first.
            flag::register_conditional_shutdown(signal, 128 + signal, ends_at_once())
                .and_then(|_| flag::register(signal, ends_at_once()))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&interrupt.signal), number))
                .context("cannot watch for Ctrl-C")?;
        }
        Ok(interrupt)
    }

    /// No signal is caught, so none comes.
    #[cfg(test)]
    pub fn none() -> Interrupt {
        Interrupt::default()
    }

    /// From now on nobody looks whether a signal has come, so the next one ends the process at
    /// once.
    pub fn end(&self) {
        self.ends_at_once.store(true, Ordering::Relaxed);
    }

    /// The next signal is looked for again.
    pub fn resume(&self) {
        self.ends_at_once.store(false, Ordering::Relaxed);
    }

    /// Whether a signal has come.
    pub fn came(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
    }
}

/// The exit code of a command that was stopped, as shells have it: 130 after Ctrl-C, 143 after
/// SIGTERM.
pub fn exit_code() -> u8 {
    let signal = CAUGHT.get().map_or(0, |caught| caught.signal.load(Ordering::Relaxed));
    128 + u8::try_from(signal).ok().filter(|&signal| signal != 0).unwrap_or(2)
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "nothing safe tells how a signal is handled")]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action the call only writes the present one, for which there is room,
    // and which is read only if it was written.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(not(unix))]
fn is_ignored(_: i32) -> bool {
    false
}
