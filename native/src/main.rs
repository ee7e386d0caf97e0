//! The command `queens`.

// Printed texts go through `cli::output`, which lets a terminal obey nothing.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]

mod cli;

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    keep_mesa_quiet();
    cli::run().unwrap_or_else(cli::report)
}

/// Keeps Mesa's Vulkan layer from asking Wayland which GPU shows the desktop: where Wayland cannot
/// be, that prints an error on stderr which looks like one of ours.
#[expect(unsafe_code, reason = "the layer reads its setting only from the environment")]
fn keep_mesa_quiet() {
    if cfg!(target_os = "linux") && env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: no other thread has been started that could read the environment.
        unsafe { env::set_var("NODEVICE_SELECT", "1") };
    }
}
