//! The command line: one file per command, and what they share.

mod again;
mod args;
mod backend;
mod board;
mod boards;
mod classes;
mod complete;
mod completions;
mod count;
mod counting;
mod decide;
mod deliver;
mod devices;
mod estimate;
mod failure;
mod interrupt;
mod keeping;
mod man;
mod merge;
mod methods;
mod missing;
mod output;
mod played;
mod progress;
mod reporter;
mod resume;
mod serve;
mod sets;
mod shard;
mod source;
mod status;
mod symmetries;
mod table;
mod target;
mod template;
mod verify;

use std::{
    env,
    ffi::OsString,
    io::{self, Write},
    process::{self, ExitCode},
    sync::LazyLock,
};

use clap::{CommandFactory, Parser, Subcommand};
use queens_core::document::{Program, harmless};

use failure::Failure;

/// Counts, shows and explains the solutions of the N-Queens problem
#[derive(Parser)]
#[command(
    version,
    long_version = VERSION.as_str(),
    arg_required_else_help = true,
    after_help = AFTER_HELP
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The version and, where it is known, the commit that the command was built of.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let Program { version, commit, .. } = queens::count::program();
    if commit.is_empty() { version } else { format!("{version} ({commit})") }
});

const AFTER_HELP: &str = "\
Rows count from the top and columns from the left, both from 0; the judgement value, by which
the images of a placement compare, counts columns from the right, and says so.

Exit codes: 0 done; 1 a recount disagrees, a port or a journal is in use, or posting failed;
2 wrong arguments; 65 a result document or a journal is damaged or contradicts itself, or shards
are missing, double or mixed; 69 the backend is not available; 75 interrupted, and a journal goes
on; 130 interrupted, 143 ended by SIGTERM.";

#[derive(Subcommand)]
enum Command {
    Count(count::Args),
    Resume(resume::Args),
    Status(status::Args),
    Table(table::Args),
    Boards(boards::Args),
    Classes(classes::Args),
    Symmetries(symmetries::Args),
    Complete(complete::Args),
    Methods(methods::Args),
    Devices(devices::Args),
    Missing(missing::Args),
    Merge(merge::Args),
    Verify(verify::Args),
    Template(template::Args),
    Serve(serve::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Reads the command line and does what it says.
///
/// # Errors
/// Whatever kept the command from doing it; [`report`] knows the exit code.
pub fn run() -> anyhow::Result<ExitCode> {
    let cli = Cli::try_parse().unwrap_or_else(|error| refuse(&error));
    let mut out = output::stdout();
    let code = match cli.command {
        Command::Count(args) => count::run(&args, &mut out)?,
        Command::Resume(args) => resume::run(&args, &mut out)?,
        Command::Status(args) => status::run(&args, &mut out)?,
        Command::Table(args) => table::run(&args, &mut out)?,
        Command::Boards(args) => boards::run(&args, &mut out)?,
        Command::Classes(args) => classes::run(&args, &mut out)?,
        Command::Symmetries(args) => symmetries::run(&args, &mut out)?,
        Command::Complete(args) => complete::run(&args, &mut out)?,
        Command::Methods(args) => methods::run(&args, &mut out)?,
        Command::Devices(args) => devices::run(&args, &mut out)?,
        Command::Missing(args) => missing::run(&args, &mut out)?,
        Command::Merge(args) => merge::run(&args, &mut out)?,
        Command::Verify(args) => verify::run(&args, &mut out)?,
        Command::Template(args) => template::run(&args, &mut out)?,
        Command::Serve(args) => serve::run(&args, &mut out)?,
        Command::Completions(args) => completions::run(&args, Cli::command(), &mut out)?,
        Command::Man(args) => man::run(&args, Cli::command(), &mut out)?,
    };
    match out.flush() {
        // What failed before has been told, and counts more than a reader that has left.
        Err(_) if code != ExitCode::SUCCESS => {}
        flushed => flushed?,
    }
    Ok(code)
}

/// Says what is wrong with the arguments, or prints the help, and ends the process.
fn refuse(error: &clap::Error) -> ! {
    // A terminal would obey it, as it obeys colours.
    let is_obeyed = |argument: OsString| {
        let text = argument.to_string_lossy();
        harmless(&text) != text
    };
    if !error.use_stderr() || !env::args_os().any(is_obeyed) {
        error.exit();
    }
    output::note(error.render().to_string().trim_end());
    process::exit(error.exit_code())
}

/// Says on stderr why the command failed, and returns the exit code that goes with it.
pub fn report(error: anyhow::Error) -> ExitCode {
    if error.chain().any(is_broken_pipe) {
        // Whoever read the output has seen enough.
        return ExitCode::SUCCESS;
    }
    // Whatever else fails says with what; only printing does not.
    let error = if error.is::<io::Error>() { error.context("cannot print") } else { error };
    output::complain(&error);
    ExitCode::from(Failure::exit_code_of(&error))
}

fn is_broken_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_contradict_each_other_nowhere() {
        Cli::command().debug_assert();
    }
}
