//! Handling of Ctrl-C, SIGTERM and SIGHUP.

use std::{
    sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::Context;
#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    low_level,
};

/// Time after a signal during which further signals are ignored as its duplicates. `timeout` sends its signal
/// to the process and then to the process group, and some wrappers forward a Ctrl-C that the terminal has
/// already sent to the process.
const SAME_SIGNAL: Duration = Duration::from_millis(200);

/// Flag that is set when a signal asks the process to stop.
struct Interrupt {
    /// Number of the first signal, or 0 if none has arrived.
    signal: AtomicI32,
    /// Time of the last signal that was not a duplicate, in milliseconds since the handlers were installed,
    /// or 0 if none has arrived.
    time: AtomicU64,
    /// Whether the next signal ends the process at once.
    ends_at_once: AtomicBool,
}

/// The flag that the handlers of this process set. The exit code is derived from it.
static INTERRUPT: Interrupt = Interrupt::new();

#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Installs the signal handlers. The first signal sets the flag, and a second one ends the process at
/// once. Signals that were ignored when the command started stay ignored, because `nohup` and background
/// jobs of a shell rely on that.
pub fn catch() -> anyhow::Result<()> {
    let begun = Instant::now();
    for signal in SIGNALS.into_iter().filter(|&signal| !is_ignored(signal)) {
        let handler = move || {
            if INTERRUPT.receive(signal, begun.elapsed()) {
                low_level::exit(128 + signal);
            }
        };
        register(signal, handler).context("cannot watch for Ctrl-C")?;
    }
    Ok(())
}

/// Makes the next signal end the process at once. Call this before work that does not poll the flag.
pub fn stop_polling() {
    INTERRUPT.ends_at_once.store(true, Ordering::Relaxed);
}

/// Returns whether a signal has arrived.
pub fn is_set() -> bool {
    INTERRUPT.signal.load(Ordering::Relaxed) != 0
}

/// Returns the exit code of an interrupted command. As shells do, it adds 128 to the number of the signal:
/// 130 after Ctrl-C, 143 after SIGTERM. Without a recorded signal, it is 130.
pub fn exit_code() -> u8 {
    let signal = INTERRUPT.signal.load(Ordering::Relaxed);
    128 + u8::try_from(signal).ok().filter(|&signal| signal != 0).unwrap_or(2)
}

impl Interrupt {
    /// Creates a flag that is not set.
    const fn new() -> Interrupt {
        let (signal, time) = (AtomicI32::new(0), AtomicU64::new(0));
        Interrupt { signal, time, ends_at_once: AtomicBool::new(false) }
    }

    /// Records a signal. `time` is measured since the handlers were installed. Returns whether the process
    /// must end at once.
    fn receive(&self, signal: i32, time: Duration) -> bool {
        let last = self.time.load(Ordering::Relaxed);
        let now = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
        if last != 0 && u128::from(now.saturating_sub(last)) < SAME_SIGNAL.as_millis() {
            return false;
        }
        // If two threads receive signals at the same time, only one of them records its signal.
        if self.time.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return false;
        }
        if self.ends_at_once.swap(true, Ordering::Relaxed) {
            return true;
        }
        self.signal.store(signal, Ordering::Relaxed);
        false
    }
}

/// Registers a handler for a signal.
#[expect(unsafe_code, reason = "no safe function registers a handler that reads a clock")]
fn register(signal: i32, handler: impl Fn() + Send + Sync + 'static) -> std::io::Result<()> {
    // SAFETY: the handler changes atomics, reads the monotonic clock and may end the process, all of which a
    // signal handler may do.
    unsafe { low_level::register(signal, handler) }.map(drop)
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "no safe function returns how a signal is handled")]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: because the new action is null, the call only writes the current action to `action`, which has
    // its type. It is read only if the call succeeded.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(not(unix))]
fn is_ignored(_: i32) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_signal_ends_the_process_unless_it_follows_at_once() {
        let interrupt = Interrupt::new();
        let receive = |time| interrupt.receive(SIGTERM, Duration::from_millis(time));
        assert!(!receive(0));
        assert_eq!(interrupt.signal.load(Ordering::Relaxed), SIGTERM);
        assert!(!receive(1));
        assert!(!receive(150));
        assert!(receive(1000));
    }

    #[test]
    fn the_first_signal_ends_a_process_that_does_not_poll() {
        let interrupt = Interrupt::new();
        interrupt.ends_at_once.store(true, Ordering::Relaxed);
        assert!(interrupt.receive(SIGTERM, Duration::from_secs(5)));
    }
}
