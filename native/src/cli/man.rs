//! `queens man`: manual pages.

use std::{io::Write, process::ExitCode};

use clap::Command;
use clap_mangen::Man;

use super::failure::Failure;

/// Print the man page of `queens` or of one of its subcommands
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens man | man -l -
  queens man count | man -l -
  queens man > ~/.local/share/man/man1/queens.1")]
pub struct Args {
    /// Subcommand, such as count or template slurm [default: `queens` itself]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

pub fn run(args: &Args, mut command: Command, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    // Building sets the full names of the subcommands, such as queens-count.
    command.build();
    let page = args.command.iter().try_fold(command, |command, name| find(&command, name))?;
    Man::new(page).source(concat!("queens ", env!("CARGO_PKG_VERSION"))).render(out)?;
    Ok(ExitCode::SUCCESS)
}

/// Finds a subcommand by its name.
fn find(command: &Command, name: &str) -> Result<Command, Failure> {
    command.find_subcommand(name).cloned().ok_or_else(|| {
        let text = format!("unrecognized subcommand '{name}'");
        Failure::arguments(text, "`queens --help` lists the subcommands")
    })
}
