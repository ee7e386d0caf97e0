//! Handling of Ctrl-C, SIGTERM and SIGHUP.

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

/// Flag that is set when a signal asks the process to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    /// The last signal, or 0 before the first one.
    signal: Arc<AtomicUsize>,
    /// Whether the next signal ends the process at once.
    ends_at_once: Arc<AtomicBool>,
}

/// The flag of this process, from which the exit code is derived.
static CAUGHT: OnceLock<Interrupt> = OnceLock::new();

#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

impl Interrupt {
    /// Starts to catch signals: the first one sets the flag, and a second one ends the process at once.
    /// Signals that were ignored when the command started stay ignored, because `nohup` and background
    /// jobs of a shell rely on that.
    pub fn catch() -> anyhow::Result<Interrupt> {
        let interrupt = CAUGHT.get_or_init(Interrupt::default).clone();
        for signal in SIGNALS.into_iter().filter(|&signal| !is_ignored(signal)) {
            let ends_at_once = || Arc::clone(&interrupt.ends_at_once);
            let number = usize::try_from(signal).unwrap_or_default();
            // The handlers run in the order of registration, so the first one ends the process only if an
            // earlier signal has set the flag.
            flag::register_conditional_shutdown(signal, 128 + signal, ends_at_once())
                .and_then(|_| flag::register(signal, ends_at_once()))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&interrupt.signal), number))
                .context("cannot watch for Ctrl-C")?;
        }
        Ok(interrupt)
    }

    /// Creates a flag that no signal sets.
    #[cfg(test)]
    pub fn none() -> Interrupt {
        Interrupt::default()
    }

    /// Makes the next signal end the process at once, because the command no longer polls the flag.
    pub fn stop_polling(&self) {
        self.ends_at_once.store(true, Ordering::Relaxed);
    }

    /// Undoes [`stop_polling`](Interrupt::stop_polling): the next signal sets the flag again.
    pub fn resume_polling(&self) {
        self.ends_at_once.store(false, Ordering::Relaxed);
    }

    /// Returns whether a signal has arrived.
    pub fn is_set(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
    }
}

/// Returns the exit code of an interrupted command by the convention of shells, 128 plus the number of the
/// signal: 130 after Ctrl-C, 143 after SIGTERM.
pub fn exit_code() -> u8 {
    let signal = CAUGHT.get().map_or(0, |caught| caught.signal.load(Ordering::Relaxed));
    128 + u8::try_from(signal).ok().filter(|&signal| signal != 0).unwrap_or(2)
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "no safe function returns how a signal is handled")]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action, the call only writes the current action to the memory of that size.
    // It is read only if the call succeeded.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(not(unix))]
fn is_ignored(_: i32) -> bool {
    false
}
