//! `queens completions`: what a shell needs to complete this command's words.

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
    // Whole before it is written: the generator cannot pass on that nobody reads it.
    let mut script = Vec::new();
    generate(args.shell, &mut command, name, &mut script);
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
