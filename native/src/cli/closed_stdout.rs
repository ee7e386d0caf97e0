//! Detects whether stdout was closed when the command started, for example by `>&-` in a shell.
//!
//! Before `main`, Rust opens `/dev/null` in place of a closed stdout. From then on, a closed stdout cannot be
//! distinguished from a redirection to `/dev/null`, which discards the output on purpose. Therefore the check
//! runs in a function that the system calls before Rust starts.

use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Returns whether stdout was closed when the command started. On systems other than Linux and macOS, returns
/// `false`.
pub fn was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

/// The loader calls all functions in this section before the program starts.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[used]
#[expect(unsafe_code, reason = "no other function runs before Rust opens a closed stdout")]
// SAFETY: the section must contain only pointers to functions of this type. The function does not need Rust's
// runtime, which is not initialized yet: it makes one system call and sets a flag.
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
static LOOK_AT_STDOUT: extern "C" fn() = {
    extern "C" fn look_at_stdout() {
        // SAFETY: the call only reads the flags of the descriptor, and fails if it is closed.
        let is_closed = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) } == -1;
        WAS_CLOSED.store(is_closed, Ordering::Relaxed);
    }
    look_at_stdout
};
