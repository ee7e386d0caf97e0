//! Journals of long counts: waiting for another process, automatic journals, and journals that are locked or
//! moved during a count.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::Stdio,
    thread,
    time::Duration,
};

use queens::journal::Journal;
use queens_tests::process::Companion;
use rusqlite::{Connection, TransactionBehavior};

use crate::running::{
    COUNT, TASKS, document, finished_tasks, interrupted_count, start_count, start_count_as,
    wait_for, with_data_folder,
};
use crate::support::{CommandOutput, queens};

/// Returns the text between `before` and `after`.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("{text}"));
    rest.split_once(after).unwrap_or_else(|| panic!("{text}")).0
}

/// Pauses a process, so that the count does not finish before the test has checked its state. Chooses a
/// moment when the process does not write to its journal, because a paused writer would keep it locked.
fn pause(running: &Companion, file: &Path) {
    loop {
        running.signal("STOP").unwrap();
        thread::sleep(Duration::from_millis(20));
        let mut journal = Connection::open(file).unwrap();
        journal.busy_timeout(Duration::ZERO).unwrap();
        if journal.transaction_with_behavior(TransactionBehavior::Immediate).is_ok() {
            return;
        }
        running.signal("CONT").unwrap();
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[cfg(unix)]
fn waits_for_a_journal_in_use_unless_no_wait() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nineteen.journal");
    let name = file.to_str().unwrap();
    let (mut first, _stderr) = start_count(&[&COUNT[..], &[name]].concat());
    wait_for(&file, 20);
    pause(&first, &file);
    let output = queens(["resume", name, "--no-wait"]);
    assert_eq!((output.code, output.out.as_str()), (Some(1), ""), "{}", output.err);
    let expected = format!("error: {name} is in use by process {} on ", first.0.id());
    assert!(output.err.starts_with(&expected), "{}", output.err);
    let (mut second, stderr) = start_count(&["resume", name, "--threads", "1"]);
    let mut lines = stderr.lines().map(Result::unwrap);
    let note = lines.next().unwrap();
    let expected = format!("waiting for {name}, which is in use by process {} on ", first.0.id());
    assert!(note.starts_with(&expected), "{note}");
    // The lock ends with its process, and the waiting process takes over.
    first.0.kill().unwrap();
    assert!(lines.next().unwrap().contains(&format!(" of {TASKS} tasks are already in ")));
    assert_eq!(second.0.wait().unwrap().code(), Some(0));
    let journal = Journal::open(&file).unwrap();
    assert!(journal.contents().is_complete() && journal.holder().is_none());
}

#[test]
#[cfg(unix)]
fn long_counts_keep_an_automatic_journal() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("queens/journals/22-colours.journal");
    let count = ["count", "22", "--threads", "1", "--backend", "cpu"];
    let (mut running, stderr) = start_count_as(with_data_folder(home.path()), &count);
    let mut lines = stderr.lines().map(Result::unwrap);
    let note = format!(
        "saving finished tasks to {}; run the same command again to resume",
        file.display()
    );
    assert!(lines.any(|line| line == note));
    pause(&running, &file);
    // The journal contains the tasks that were finished before the note.
    let journal = Journal::open(&file).unwrap();
    let sessions = &journal.contents().sessions;
    assert_eq!(sessions.len(), 1);
    let first = journal.contents().finished_tasks.done().len();
    assert!(sessions[0].circumstances.seconds.get() >= 3.0 && first > 0, "{sessions:?}");
    // `status` also lists a journal that a process holds.
    let status = CommandOutput::capture(with_data_folder(home.path()).args(["status", "--json"]))
        .unwrap()
        .json();
    assert_eq!(status[0]["journal"], file.to_str().unwrap());
    assert_eq!((&status[0]["n"], &status[0]["method"]), (&22.into(), &"colours".into()));
    assert_eq!(status[0]["holder"]["process"], running.0.id());
    assert!(status[0]["seconds_remaining"].as_f64().unwrap() > 20.0, "{status}");
    running.0.kill().unwrap();
    running.0.wait().unwrap();
    // The same command resumes the count and, when interrupted, explains how to resume it again.
    let (mut running, stderr) = start_count_as(with_data_folder(home.path()), &count[..2]);
    let mut lines = stderr.lines().map(Result::unwrap);
    let resume_note = lines.next().unwrap();
    let done: usize =
        between(&resume_note, "resuming N = 22 by colours: ", " of ").parse().unwrap();
    assert!(
        done >= first && resume_note.ends_with(&format!(" are already in {}", file.display())),
        "{resume_note}"
    );
    assert!(lines.any(|line| line.starts_with("N = 22, colours: ")));
    running.signal("TERM").unwrap();
    assert_eq!(running.0.wait().unwrap().code(), Some(75));
    let last = lines.last().unwrap();
    let file_name = file.display();
    let hint = format!(
        "resume with `queens resume {file_name}`, or run the same `queens count` command again"
    );
    assert_eq!(last, format!("  hint: {hint}"));
    let output = CommandOutput::capture(with_data_folder(home.path()).args(["status"])).unwrap();
    assert!(output.out.starts_with("N = 22 by colours\n"), "{}", output.out);
    assert!(output.out.ends_with("\nLock       none\n"), "{}", output.out);
    // `--no-journal` starts from the beginning and leaves the journal alone.
    let none = ["count", "22", "--no-journal"];
    let (_running, stderr) = start_count_as(with_data_folder(home.path()), &none);
    let mut lines = stderr.lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("N = 22, colours: ")));
    assert_eq!(Journal::open(&file).unwrap().contents().sessions.len(), 2);
}

#[test]
#[cfg(unix)]
fn a_waiting_process_gets_the_result_before_the_journal_is_removed() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("queens/journals/19-colours.journal");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let output = interrupted_count(file.to_str().unwrap(), "INT", 1);
    assert_eq!(output.code, Some(75), "{}", output.err);
    let count = ["count", "19", "--threads", "1", "--backend", "cpu"];
    let (mut first, stderr) = start_count_as(with_data_folder(home.path()), &count);
    let mut lines = stderr.lines().map(Result::unwrap);
    assert!(lines.next().unwrap().contains(&format!(" of {TASKS} tasks are already in ")));
    while Journal::open(&file).map_or(true, |journal| journal.holder().is_none()) {
        thread::sleep(Duration::from_millis(5));
    }
    pause(&first, &file);
    let mut second = with_data_folder(home.path());
    second.args(count).arg("--json").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut second = Companion::start(&mut second).unwrap();
    let mut waiting = BufReader::new(second.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(waiting.any(|line| line.contains(", which is in use by process ")));
    first.signal("CONT").unwrap();
    let mut out = String::new();
    second.0.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    let (code, err) = (second.0.wait().unwrap().code(), waiting.collect());
    let detail = document(&CommandOutput { code, out, err }).header.backend.detail;
    assert!(detail.ends_with(", last of 2 sessions"), "{detail}");
    assert_eq!(first.0.wait().unwrap().code(), Some(0));
    assert!(!file.exists());
}

#[test]
#[cfg(unix)]
fn a_journal_that_was_moved_saves_again_once_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nineteen.journal");
    let name = file.to_str().unwrap();
    let (mut running, stderr) = start_count(&[&COUNT[..], &[name]].concat());
    let mut lines = stderr.lines().map(Result::unwrap);
    wait_for(&file, 20);
    pause(&running, &file);
    let moved = folder.path().join("moved");
    fs::rename(&file, &moved).unwrap();
    running.signal("CONT").unwrap();
    let warning = format!(
        "warning: cannot write to the journal {name}: another program has removed or replaced it; the \
         count continues, but saves nothing until the file is back"
    );
    assert!(lines.any(|line| line == warning));
    let hint = lines.next().unwrap();
    assert!(hint.starts_with("  hint: move the file back; if it was deleted, let "), "{hint}");
    fs::rename(&moved, &file).unwrap();
    let others: Vec<_> = lines.collect();
    assert_eq!(running.0.wait().unwrap().code(), Some(0), "{others:?}");
    assert!(!others.iter().any(|line| line.starts_with("warning: ")), "{others:?}");
    assert_eq!(finished_tasks(&file), TASKS);
}
