//! The command `queens`.

// All output goes through `cli::output`, which replaces control characters.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]

mod cli;
mod page;

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    keep_mesa_quiet();
    cli::run().unwrap_or_else(cli::report)
}

/// Prevents Mesa's Vulkan layer from asking Wayland which GPU shows the desktop. On a system without
/// Wayland, the layer prints an error on stderr that looks like an error of this program.
#[expect(unsafe_code, reason = "the layer reads its setting only from the environment")]
fn keep_mesa_quiet() {
    if cfg!(target_os = "linux") && env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: the program has not started a thread that could read the environment.
        unsafe { env::set_var("NODEVICE_SELECT", "1") };
    }
}
