//! Counts that run while a test looks at their journals.

use std::{
    io::{BufReader, Read},
    path::Path,
    process::{ChildStderr, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use queens::journal::{Journal, Locking};
use queens_core::document::Document;
use queens_tests::process::Companion;

use crate::support::{CommandOutput, command, known};

/// The number of tasks of [`COUNT`].
pub const TASKS: usize = 527;

/// The arguments of a count that takes a few seconds on one thread, in short tasks.
/// Callers append the path of the journal. The count uses portable code: with vector code it takes
/// under two seconds and, on a slow disk, could end before a test has seen enough saved tasks.
pub const COUNT: [&str; 9] =
    ["count", "19", "--isa", "portable", "--threads", "1", "--backend", "cpu", "--journal"];

/// Starts the command with these arguments. Returns the process and its stderr.
pub fn start_count(args: &[&str]) -> (Companion, BufReader<ChildStderr>) {
    start_count_as(command(), args)
}

pub fn start_count_as(mut command: Command, args: &[&str]) -> (Companion, BufReader<ChildStderr>) {
    command.args(args).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut running = Companion::start(&mut command).unwrap();
    let stderr = BufReader::new(running.0.stderr.take().unwrap());
    (running, stderr)
}

/// Returns the number of finished tasks in the journal.
pub fn finished_tasks(file: &Path) -> usize {
    Journal::find(file, Locking::On)
        .unwrap()
        .map_or(0, |journal| journal.contents().finished_tasks.done().len())
}

/// Waits until the journal has at least this number of finished tasks.
pub fn wait_for(file: &Path, tasks: usize) {
    let end = Instant::now() + Duration::from_secs(300);
    // Errors count as 0 tasks: the journal may still be incomplete, or locked.
    let done = || {
        Journal::find(file, Locking::On)
            .ok()
            .flatten()
            .map_or(0, |journal| journal.contents().finished_tasks.done().len())
    };
    while !file.exists() || done() < tasks {
        assert!(Instant::now() < end, "no {tasks} tasks in {}", file.display());
        thread::sleep(Duration::from_millis(50));
    }
}

/// Starts [`COUNT`] and interrupts it with a signal after this number of tasks.
pub fn interrupted_count(file: &str, signal: &str, tasks: usize) -> CommandOutput {
    let (mut running, mut stderr) = start_count(&[&COUNT[..], &[file]].concat());
    wait_for(Path::new(file), tasks);
    running.signal(signal).unwrap();
    let code = running.0.wait().unwrap().code();
    let (mut err, out) = (String::new(), String::new());
    stderr.read_to_string(&mut err).unwrap();
    CommandOutput { code, out, err }
}

pub fn document(output: &CommandOutput) -> Document {
    assert_eq!(output.code, Some(0), "{}", output.err);
    let document = Document::parse(&output.out).unwrap();
    assert_eq!(document.contradictions(), []);
    let n = u64::from(document.header.n.get());
    assert_eq!(document.header.total.to_string(), known(n)["total"]);
    document
}

/// Returns the command with `home` as the user's data folder.
pub fn with_data_folder(home: &Path) -> Command {
    let mut command = command();
    command.env("XDG_DATA_HOME", home);
    command
}
