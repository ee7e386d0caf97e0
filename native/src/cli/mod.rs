//! The command line: one file per command, and the modules that commands share.

mod args;
mod board;
mod boards;
mod classes;
mod complete;
mod completions;
mod count;
mod counting;
mod decide;
mod delivery;
mod destination;
mod devices;
mod estimate;
mod failure;
mod fastest;
mod interrupt;
mod journal;
mod man;
mod material;
mod merge;
mod methods;
mod missing;
mod output;
mod played;
mod progress;
mod recount;
mod reporter;
mod request;
mod resume;
mod serve;
mod source;
mod status;
mod symmetries;
mod table;
mod template;
mod verify;

use std::{
    io::{self, Write},
    process::ExitCode,
    sync::LazyLock,
};

use clap::{CommandFactory, Parser, Subcommand};
use queens_core::document::Program;

use failure::Failure;

/// Count, list and check solutions of the N-queens problem
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

/// The version and, if known, the commit that the command was built from.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let Program { version, commit, .. } = queens::count::program();
    if commit.is_empty() { version } else { format!("{version} ({commit})") }
});

const AFTER_HELP: &str = "\
Rows are numbered from the top and columns from the left, starting at 0.

The eight images of a solution are its rotations and reflections. The different ones among them form
a class of 2, 4 or 8 solutions (1 for N = 1). The judgement value of an image lists the columns of its
queens, from the top row down; in these values, columns are counted from the right. To compare two
values, find the first row in which they differ: the value with the smaller column there is the
smaller one. The image with the smallest value is the representative of the class.

In a result, Total is the number of solutions, Unique is the number of classes, and COUNT2, COUNT4 and
COUNT8 are the numbers of classes of 2, 4 and 8 solutions.

A result names the checks that it has passed. Not every check applies to every result:
  sums          always: the totals of the tasks add up to the total, and
                so do the solutions of all classes
  divisibility  if the method or `merge` derived the classes from the
                total, or if `verify` can apply the check known: the
                total and the number of solutions with half-turn
                symmetry leave the same remainder modulo 8
  burnside      if N > 1 and the count itself found the classes: unique
                solutions and class counts agree with Burnside's lemma;
                `verify` does not repeat this check
  known         if the result is not a shard and the numbers for this N
                are published: the result equals them
  recount       if `verify` or `merge` has recounted every task by plain
                backtracking: the recounts give the same totals

Exit codes:
  0    success; also a server stopped by a signal
  1    a recount disagrees with a document, a finished count fails one
       of its checks, a port or a journal is in use, a journal or store
       cannot be opened, a finished result cannot be saved or posted,
       or any other error
  2    invalid arguments; also an output file that is found to be
       unwritable before the count starts
  65   a result document is missing or unreadable; a journal is
       missing; a document, journal or store is damaged, inconsistent,
       or of a format unknown to this version of queens; a journal
       belongs to another count; shards are missing, duplicated or from
       different counts; or a document is a complete count, not a shard
  69   the backend or device is not available or failed, or there is
       not enough memory
  75   interrupted; finished tasks are in the journal, so the count can
       be resumed
  129  ended by SIGHUP, with nothing to resume
  130  interrupted by Ctrl-C, with nothing to resume
  143  ended by SIGTERM, with nothing to resume

A second signal ends the command at once, with the code of that signal, even if the count can be
resumed; so does the first one while the result is written or posted.";

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

/// Parses the command line and runs the command.
///
/// # Errors
/// The error of the command; [`report`] prints it and returns its exit code.
pub fn run() -> anyhow::Result<ExitCode> {
    let cli = Cli::parse();
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
        // The command has already reported its own failure, which matters more than this one.
        Err(_) if code != ExitCode::SUCCESS => {}
        flushed => flushed?,
    }
    Ok(code)
}

/// Prints the error on stderr and returns its exit code.
pub fn report(error: anyhow::Error) -> ExitCode {
    // Every I/O error has a context, except those of writing to stdout.
    let has_no_context = error.chain().len() == 1;
    let io_error = error.downcast_ref::<io::Error>().filter(|_| has_no_context);
    let error = match io_error.map(io::Error::kind) {
        // The reader closed the pipe, for example `queens boards 8 | head`; that is not an error.
        Some(io::ErrorKind::BrokenPipe) => return ExitCode::SUCCESS,
        Some(_) => error.context("cannot write to standard output"),
        None => error,
    };
    output::error(&error);
    ExitCode::from(Failure::exit_code_of(&error))
}

#[cfg(test)]
mod tests {
    use queens_core::Check;

    use super::*;

    #[test]
    fn clap_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_help_explains_each_check() {
        for check in Check::ALL {
            assert!(AFTER_HELP.contains(&format!("\n  {:14}", check.id())), "{}", check.id());
        }
    }
}
