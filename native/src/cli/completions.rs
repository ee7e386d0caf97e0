//! `queens completions`: completion scripts for shells.

use std::{io::Write, process::ExitCode};

use clap::Command;
use clap_complete::{Shell, generate};

/// Print a shell completion script
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens completions bash > ~/.local/share/bash-completion/completions/queens
  queens completions zsh > ~/.zfunc/_queens
  queens completions fish > ~/.config/fish/completions/queens.fish")]
pub struct Args {
    /// Shell to complete for
    shell: Shell,
}

pub fn run(args: &Args, mut command: Command, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let name = command.get_name().to_owned();
    // Generate the script in memory first, because the generator does not return write errors, such as a
    // closed pipe.
    let mut script = Vec::new();
    generate(args.shell, &mut command, name, &mut script);
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
