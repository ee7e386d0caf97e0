//! Journals: resuming, waiting for another process, `queens status`, and files that cannot be used.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{ChildStderr, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use queens::{
    journal::{Journal, LEASE_DURATION, LeaseWatch, PartialTasks, Run},
    store::Store,
};
use queens_core::{
    Done, Method, Plan, Size, Tally,
    document::{Circumstances, Document},
};
use queens_tests::process::Companion;
use rusqlite::{Connection, TransactionBehavior};

use serde_json::Value;

use crate::support::{CommandOutput, command, known, queens};

/// The arguments of a count that takes a few seconds on one thread, in tasks of a few milliseconds.
/// Callers append the path of the journal. The count uses portable code: with vector code it takes
/// under two seconds and, on a slow disk, could end before a test has seen enough saved tasks.
const COUNT: [&str; 9] =
    ["count", "18", "--isa", "portable", "--threads", "1", "--backend", "cpu", "--journal"];

/// Starts the command with these arguments. Returns the process and its stderr.
fn start_count(args: &[&str]) -> (Companion, BufReader<ChildStderr>) {
    start_count_as(command(), args)
}

fn start_count_as(mut command: Command, args: &[&str]) -> (Companion, BufReader<ChildStderr>) {
    command.args(args).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut running = Companion::start(&mut command).unwrap();
    let stderr = BufReader::new(running.0.stderr.take().unwrap());
    (running, stderr)
}

/// Returns the number of finished tasks in the journal.
fn finished_tasks(file: &Path) -> usize {
    Journal::find(file).unwrap().map_or(0, |journal| journal.contents().finished_tasks.done().len())
}

/// Waits until the journal has at least this number of finished tasks.
fn wait_for(file: &Path, tasks: usize) {
    let end = Instant::now() + Duration::from_secs(300);
    // Errors count as 0 tasks: the journal may still be incomplete, or locked.
    let done = || {
        Journal::find(file)
            .ok()
            .flatten()
            .map_or(0, |journal| journal.contents().finished_tasks.done().len())
    };
    while !file.exists() || done() < tasks {
        assert!(Instant::now() < end, "no {tasks} tasks in {}", file.display());
        thread::sleep(Duration::from_millis(50));
    }
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

/// Starts [`COUNT`] and interrupts it with a signal after this number of tasks.
fn interrupted_count(file: &str, signal: &str, tasks: usize) -> CommandOutput {
    let (mut running, mut stderr) = start_count(&[&COUNT[..], &[file]].concat());
    wait_for(Path::new(file), tasks);
    running.signal(signal).unwrap();
    let code = running.0.wait().unwrap().code();
    let (mut err, out) = (String::new(), String::new());
    stderr.read_to_string(&mut err).unwrap();
    CommandOutput { code, out, err }
}

fn document(output: &CommandOutput) -> Document {
    assert_eq!(output.code, Some(0), "{}", output.err);
    let document = Document::parse(&output.out).unwrap();
    assert_eq!(document.contradictions(), []);
    let n = u64::from(document.header.n.get());
    assert_eq!(document.header.total.to_string(), known(n)["total"]);
    document
}

#[test]
#[cfg(unix)]
fn resume_keeps_finished_tasks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eighteen.journal");
    let name = file.to_str().unwrap();
    let mut saved = 0;
    for signal in ["INT", "TERM"] {
        let output = interrupted_count(name, signal, saved + 1);
        assert_eq!(output.code, Some(75), "{signal}: {}", output.err);
        let hint = format!("\n  hint: resume with `queens resume {name}`\n");
        let last = output.err.strip_suffix(&hint).unwrap().lines().last().unwrap();
        let finished = last.strip_prefix("error: interrupted: ").unwrap();
        let finished = finished.strip_suffix(" of 1024 tasks are finished and saved").unwrap();
        let now = finished_tasks(&file);
        assert_eq!(finished, now.to_string(), "{last}");
        assert!(now >= saved, "{now} after {saved}");
        saved = now;
    }
    let before = Journal::open(&file).unwrap().contents().finished_tasks.clone();
    let resumed = ["resume", name, "--json", "--threads", "2"];
    let output = queens([&resumed[..], &["--backend", "cpu"]].concat());
    let document = document(&output);
    let expected =
        format!("resuming N = 18 by halves: {saved} of 1024 tasks are already in {name}");
    assert!(output.err.contains(&expected), "{}", output.err);
    let contents = Journal::open(&file).unwrap();
    let contents = contents.contents();
    // Finished tasks are unchanged and were not counted again.
    assert!(before.done().all(|task| contents.finished_tasks.done().any(|other| other == task)));
    assert_eq!(contents.sessions.len(), 3);
    assert_eq!(contents.sessions[2].tasks, 1024 - saved);
    let detail = &document.header.backend.detail;
    assert!(detail.starts_with("2 threads, "), "{detail}");
    assert!(detail.ends_with(", last of 3 sessions"), "{detail}");
    let seconds: f64 = contents.sessions.iter().map(|s| s.circumstances.seconds.get()).sum();
    assert!((document.header.seconds.get() - seconds).abs() < 1e-6);
    assert_eq!(document.header.started, contents.sessions[0].circumstances.started);
}

#[test]
fn a_finished_journal_gives_the_same_result_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("twelve.journal");
    let count = ["count", "12", "--json", "--journal", file.to_str().unwrap()];
    let first = document(&queens(count));
    assert_eq!(document(&queens(count)), first);
    assert_eq!(document(&queens(["resume", file.to_str().unwrap(), "--json"])), first);
    // Without `--method`, the journal's method is used; another one is rejected.
    let bitmap = ["--method", "bitmap"];
    let output = queens([&count[..], &bitmap].concat());
    assert_eq!((output.code, output.out.as_str()), (Some(65), ""));
    let expected = " belongs to another count, N = 12 by symmetry; this count is N = 12 by bitmap\n  hint: name another file with `--journal`\n";
    assert!(output.err.ends_with(expected), "{}", output.err);
    let mut other = count;
    other[1] = "11";
    let output = queens(other);
    assert_eq!(output.code, Some(65));
    assert!(output.err.contains("; this count is N = 11\n  hint: "), "{}", output.err);
}

#[test]
fn rejecting_a_shards_journal_suggests_its_shard_option() {
    let folder = tempfile::tempdir().unwrap();
    let count =
        |args: &[&str]| in_folder(&folder, &[&["count", "6", "--journal", "j"], args].concat());
    assert_eq!(count(&["--shard", "0/3"]).code, Some(0));
    for (args, requested, hint) in [
        (&[][..], "all of N = 6", "add `--shard 0/3`, or name another file with `--journal`"),
        (&["--shard", "1/3"], "N = 6 by symmetry, shard 1/3", "name another file with `--journal`"),
        (&["--method", "bitmap"], "all of N = 6 by bitmap", "name another file with `--journal`"),
    ] {
        let output = count(args);
        let expected = format!(
            "error: j belongs to another count, N = 6 by symmetry, shard 0/3; this count is \
             {requested}\n  hint: {hint}\n"
        );
        assert_eq!((output.code, output.err), (Some(65), expected), "{args:?}");
    }
}

#[test]
fn a_finished_journal_accepts_only_options_that_fit_together() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(in_folder(&folder, &["count", "8", "--journal", "j"]).code, Some(0));
    for (args, error) in [
        (&["--device", "1"][..], "`--device 1` needs a GPU backend"),
        (&["--isa", "avx2"], "`--isa avx2` works only with the method halves, not with symmetry"),
        (
            &["--backend", "wgpu", "--form", "recursive"],
            "GPUs cannot run the recursive form of symmetry",
        ),
    ] {
        let output = in_folder(&folder, &[&["resume", "j"], args].concat());
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{output:?}");
        assert!(output.err.contains(&format!("error: {error}\n  hint: ")), "{output:?}");
    }
    // Nothing is left to count, so the backend need not be available.
    let output = in_folder(&folder, &["resume", "j", "--backend", "wgpu", "--device", "99"]);
    assert_eq!(output.code, Some(0), "{output:?}");
}

#[test]
fn rejects_files_that_are_not_journals() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    let name = file.to_str().unwrap();
    let output = queens(["resume", name]);
    assert_eq!(output.code, Some(65));
    assert_eq!(
        output.err,
        format!(
            "error: journal not found: {name}\n  hint: `queens status` lists the automatic journals\n"
        )
    );
    drop(Store::open(&file).unwrap());
    let list = "`queens status` lists the automatic journals";
    let document = "it is a result document; check it with `queens verify`";
    for (contents, hint) in [("", list), (include_str!("../../data/results/eight.json"), document)]
    {
        if !contents.is_empty() {
            fs::remove_file(&file).unwrap();
            fs::write(&file, contents).unwrap();
        }
        for (args, hint) in [
            (&["resume", name][..], hint),
            (&["status", name], hint),
            (&["count", "8", "--journal", name], "name another file with `--journal`"),
        ] {
            let output = queens(args);
            assert_eq!((output.code, output.out.as_str()), (Some(65), ""), "{args:?}");
            let expected = format!("error: {name} is not a queens journal\n  hint: {hint}\n");
            assert!(output.err.ends_with(&expected), "{args:?}: {}", output.err);
        }
    }
    fs::write(&file, "{}").unwrap();
    assert_eq!(queens(["resume", name]).code, Some(65));
    let nowhere = folder.path().join("no/folder");
    let output = queens(["count", "8", "--journal", nowhere.to_str().unwrap()]);
    assert_eq!((output.code, output.out.as_str()), (Some(1), ""));
    assert!(output.err.contains("cannot open the journal "), "{}", output.err);
}

#[test]
fn waits_for_a_journal_in_use_unless_no_wait() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eighteen.journal");
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
    // The waiting process notices that the holder was killed, and takes over at once instead of waiting
    // for the lease to expire.
    first.0.kill().unwrap();
    let killed = Instant::now();
    assert!(lines.next().unwrap().contains(" of 1024 tasks are already in "));
    assert!(killed.elapsed() < LEASE_DURATION / 2, "{:?}", killed.elapsed());
    assert_eq!(second.0.wait().unwrap().code(), Some(0));
    let journal = Journal::open(&file).unwrap();
    assert!(journal.contents().is_complete() && journal.contents().holder.is_none());
}

#[test]
fn waiting_process_prints_the_finished_result() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eighteen.journal");
    let name = file.to_str().unwrap();
    let (mut first, _stderr) = start_count(&[&COUNT[..], &[name]].concat());
    wait_for(&file, 1);
    let second = queens([&COUNT[..], &[name, "--json"]].concat());
    assert_eq!(document(&second).tasks.len(), 1024);
    assert_eq!(first.0.wait().unwrap().code(), Some(0));
    assert_eq!(Journal::open(&file).unwrap().contents().sessions.len(), 1);
}

/// Returns the command with `home` as the user's data folder.
fn with_data_folder(home: &Path) -> Command {
    let mut command = command();
    command.env("XDG_DATA_HOME", home);
    command
}

#[test]
#[cfg(unix)]
fn long_counts_keep_an_automatic_journal() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("queens/journals/21-halves.journal");
    let count = ["count", "21", "--threads", "1", "--backend", "cpu"];
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
    let (first, holder) =
        (journal.contents().finished_tasks.done().len(), &journal.contents().holder);
    assert_eq!(holder.as_ref().unwrap().process.id, running.0.id());
    assert!(sessions[0].circumstances.seconds.get() >= 3.0 && first > 0, "{sessions:?}");
    // `status` also lists a journal that a process holds.
    let status = CommandOutput::capture(with_data_folder(home.path()).args(["status", "--json"]))
        .unwrap()
        .json();
    assert_eq!(status[0]["journal"], file.to_str().unwrap());
    assert_eq!((&status[0]["n"], &status[0]["method"]), (&21.into(), &"halves".into()));
    assert_eq!(status[0]["holder"]["process"], running.0.id());
    assert_eq!(status[0]["holder"]["exited"], false);
    assert!(status[0]["seconds_remaining"].as_f64().unwrap() > 20.0, "{status}");
    running.0.kill().unwrap();
    running.0.wait().unwrap();
    // The same command resumes the count and, when interrupted, explains how to resume it again.
    let (mut running, stderr) = start_count_as(with_data_folder(home.path()), &count[..2]);
    let mut lines = stderr.lines().map(Result::unwrap);
    let resume_note = lines.next().unwrap();
    let done: usize = between(&resume_note, "resuming N = 21 by halves: ", " of ").parse().unwrap();
    assert!(
        done >= first && resume_note.ends_with(&format!(" are already in {}", file.display())),
        "{resume_note}"
    );
    assert!(lines.any(|line| line.starts_with("N = 21, halves: ")));
    running.signal("TERM").unwrap();
    assert_eq!(running.0.wait().unwrap().code(), Some(75));
    let last = lines.last().unwrap();
    let file_name = file.display();
    let hint = format!(
        "resume with `queens resume {file_name}`, or run the same `queens count` command again"
    );
    assert_eq!(last, format!("  hint: {hint}"));
    let output = CommandOutput::capture(with_data_folder(home.path()).args(["status"])).unwrap();
    assert!(output.out.starts_with("N = 21 by halves\n"), "{}", output.out);
    assert!(output.out.ends_with("\nLock       none\n"), "{}", output.out);
    // `--no-journal` starts from the beginning and leaves the journal alone.
    let none = ["count", "21", "--no-journal"];
    let (_running, stderr) = start_count_as(with_data_folder(home.path()), &none);
    let mut lines = stderr.lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("N = 21, halves: ")));
    assert_eq!(Journal::open(&file).unwrap().contents().sessions.len(), 2);
}

/// Returns the text between `before` and `after`.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("{text}"));
    rest.split_once(after).unwrap_or_else(|| panic!("{text}")).0
}

#[test]
#[cfg(unix)]
fn a_waiting_process_gets_the_result_before_the_journal_is_removed() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("queens/journals/18-halves.journal");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let output = interrupted_count(file.to_str().unwrap(), "INT", 1);
    assert_eq!(output.code, Some(75), "{}", output.err);
    let count = ["count", "18", "--threads", "1", "--backend", "cpu"];
    let (mut first, stderr) = start_count_as(with_data_folder(home.path()), &count);
    let mut lines = stderr.lines().map(Result::unwrap);
    assert!(lines.next().unwrap().contains(" of 1024 tasks are already in "));
    while Journal::open(&file).map_or(true, |journal| journal.contents().holder.is_none()) {
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
fn a_named_journal_in_the_automatic_folder_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("queens/journals/mine.journal");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let args = ["count", "8", "--journal", file.to_str().unwrap()];
    let output = CommandOutput::capture(with_data_folder(home.path()).args(args)).unwrap();
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(Journal::open(&file).unwrap().contents().is_complete());
    let resume = ["resume", file.to_str().unwrap()];
    let output = CommandOutput::capture(with_data_folder(home.path()).args(resume)).unwrap();
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(Journal::open(&file).unwrap().contents().is_complete());
    // A journal with the name of the count's automatic journal is treated as the automatic journal: the
    // finished count removes it.
    let automatic = file.with_file_name("8-symmetry.journal");
    fs::rename(&file, &automatic).unwrap();
    let resume = ["resume", automatic.to_str().unwrap()];
    let output = CommandOutput::capture(with_data_folder(home.path()).args(resume)).unwrap();
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(!automatic.exists());
}

#[test]
fn quarantines_an_automatic_journal_with_a_wrong_result() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("queens/journals/8-symmetry.journal");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let run = Run::whole(Plan::new(Size::new(8).unwrap(), Method::Symmetry));
    let mut journal = Journal::open_or_create(&file, &run).unwrap();
    assert_eq!(journal.try_acquire(&mut LeaseWatch::default()).unwrap(), None);
    // A wrong result, as faulty memory could cause it: one of the 12 classes must have 4 members, not 8.
    let eight = document(&queens(["count", "8", "--json"])).header;
    let circumstances = Circumstances {
        form: eight.form,
        backend: eight.backend,
        program: eight.program,
        host: eight.host,
        started: eight.started,
        seconds: eight.seconds,
    };
    let result = Tally { classes: [0, 0, 0, 12], ..Tally::default() };
    let wrong = Done { task: 0, result, took: Duration::ZERO };
    journal.begin(circumstances, Instant::now(), vec![wrong], PartialTasks::default()).unwrap();
    drop(journal);
    let count = || {
        CommandOutput::capture(with_data_folder(home.path()).args(["count", "8", "--json"]))
            .unwrap()
    };
    let output = count();
    assert_eq!((output.code, output.out.as_str()), (Some(1), ""), "{}", output.err);
    assert!(
        output
            .err
            .contains("error: THE COUNT IS WRONG and was discarded (N = 8, method symmetry): "),
        "{}",
        output.err
    );
    let quarantined = file.with_extension("wrong");
    assert!(output.err.contains("\n  hint: this is a bug or a hardware fault; "), "{}", output.err);
    let moved = format!("the journal was moved to {}\n", quarantined.display());
    assert!(output.err.contains(&moved), "{}", output.err);
    assert!(quarantined.exists() && !file.exists());
    assert_eq!(document(&count()).header.unique, Some(12));
}

#[test]
#[cfg(unix)]
fn continues_without_a_journal_if_the_home_folder_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let mut count = command();
    count.env_remove("XDG_DATA_HOME").env("HOME", "relative").current_dir(&folder);
    let (mut running, stderr) =
        start_count_as(count, &["count", "21", "--threads", "1", "--backend", "cpu"]);
    let lines: Vec<_> = stderr
        .lines()
        .map(Result::unwrap)
        .skip_while(|line| !line.starts_with("warning: "))
        .take(2)
        .collect();
    running.signal("INT").unwrap();
    assert_eq!(
        lines,
        [
            "warning: cannot keep a journal: the user's data folder is unknown; the count continues",
            "  hint: set HOME to an absolute path, or name a file with `--journal`"
        ]
    );
    assert_eq!(running.0.wait().unwrap().code(), Some(130));
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
}

#[test]
fn continues_without_a_journal_in_an_unwritable_folder() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    fs::write(&home, "no folder").unwrap();
    let (mut running, stderr) = start_count_as(
        with_data_folder(&home),
        &["count", "21", "--threads", "1", "--backend", "cpu"],
    );
    let mut lines = stderr.lines().map(Result::unwrap);
    let warning = "warning: cannot keep a journal: cannot create the folder ";
    assert!(lines.any(|line| line.starts_with(warning)));
    assert!(lines.any(|line| line.starts_with("N = 21, halves: ")));
    assert!(running.0.try_wait().unwrap().is_none());
    let output =
        CommandOutput::capture(with_data_folder(&folder.path().join("new")).arg("status")).unwrap();
    assert_eq!((output.code, output.out.as_str()), (Some(0), "no automatic journals found\n"));
}

#[test]
#[cfg(unix)]
fn count_continues_while_the_journal_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a journal");
    let name = file.to_str().unwrap();
    let (mut running, mut stderr) = start_count(&[&COUNT[..], &[name]].concat());
    wait_for(&file, 20);
    let mut other = Connection::open(&file).unwrap();
    let held = other.transaction_with_behavior(TransactionBehavior::Exclusive).unwrap();
    let sent = Instant::now();
    running.signal("INT").unwrap();
    assert_eq!(running.0.wait().unwrap().code(), Some(75));
    // The process waits for the lock only briefly, but a slow system takes longer.
    assert!(sent.elapsed() < Duration::from_secs(60), "{:?}", sent.elapsed());
    drop(held);
    let mut output = String::new();
    stderr.read_to_string(&mut output).unwrap();
    let warning =
        format!("warning: cannot write to the journal {name}: another program keeps it locked, ");
    assert!(output.contains(&warning), "{output}");
    let end =
        format!(" tasks are finished and saved\n  hint: resume with `queens resume '{name}'`\n");
    assert!(output.ends_with(&end), "{output}");
    let saved: usize = between(&output, "error: interrupted: ", " of 1024 ").parse().unwrap();
    assert_eq!(saved, finished_tasks(&file));
}

#[test]
#[cfg(unix)]
fn a_journal_that_was_moved_saves_again_once_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eighteen.journal");
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
    assert_eq!(finished_tasks(&file), 1024);
}

#[test]
fn commands_name_the_locked_journal_that_they_wait_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eight.journal");
    let name = file.to_str().unwrap();
    assert_eq!(queens(["count", "8", "--journal", name]).code, Some(0));
    for arguments in [&["status", name][..], &["resume", name], &["count", "8", "--journal", name]]
    {
        let mut other = Connection::open(&file).unwrap();
        let held = other.transaction_with_behavior(TransactionBehavior::Exclusive).unwrap();
        let (mut running, mut stderr) = start_count(arguments);
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert_eq!(line, format!("waiting for {name}, which another program keeps locked\n"));
        drop(held);
        assert_eq!(running.0.wait().unwrap().code(), Some(0), "{arguments:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_second_ctrl_c_stops_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eighteen.journal");
    let (mut running, _stderr) = start_count(&[&COUNT[..], &[file.to_str().unwrap()]].concat());
    wait_for(&file, 20);
    // Lock the journal, so that the command is still waiting for it when the second signal arrives.
    let mut other = Connection::open(&file).unwrap();
    let _held = other.transaction_with_behavior(TransactionBehavior::Exclusive).unwrap();
    // Repeat the signal until the command ends: two signals sent before a slow process notices the first
    // one would arrive as one.
    let code = loop {
        let _ = running.signal("INT");
        thread::sleep(Duration::from_millis(100));
        if let Some(status) = running.0.try_wait().unwrap() {
            break status.code();
        }
    };
    assert_eq!(code, Some(130));
}

#[test]
fn status_reports_done_and_remaining_tasks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eighteen.journal");
    let name = file.to_str().unwrap();
    let (mut running, _stderr) = start_count(&[&COUNT[..], &[name]].concat());
    wait_for(&file, 100);
    pause(&running, &file);
    let status: Value = queens(["status", name, "--json"]).json();
    let number = |field: &str| status[field].as_u64().unwrap();
    assert_eq!((number("tasks"), number("done") + number("remaining")), (1024, 1024));
    assert!(number("done") >= 100);
    let (took, left) =
        (status["seconds"].as_f64().unwrap(), status["seconds_remaining"].as_f64().unwrap());
    let rate = number("done") as f64 / took;
    assert!((left - number("remaining") as f64 / rate).abs() < 0.01 * left, "{status}");
    running.0.kill().unwrap();
    running.0.wait().unwrap();
    let output = queens(["status", name]);
    assert!(output.out.contains(" of 1,024 tasks ("), "{}", output.out);
    let lock = output.out.lines().find(|line| line.starts_with("Lock")).unwrap();
    assert!(
        lock.starts_with("Lock       none (process ") && lock.ends_with(" has exited)"),
        "{lock}"
    );
    fs::write(&file, "{}").unwrap();
    assert_eq!(queens(["status", name]).code, Some(65));
}

/// Runs the command with this folder as its working directory.
fn in_folder(folder: &tempfile::TempDir, arguments: &[&str]) -> CommandOutput {
    command().args(arguments).current_dir(folder.path()).output().unwrap().into()
}

#[test]
fn the_result_cannot_replace_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let count = ["count", "8", "--journal", "eight.journal", "-o"];
    // SQLite would take a document with the name of a log for the log, and delete it.
    for target in ["eight.journal", "./eight.journal", "eight.journal-journal", "eight.journal-wal"]
    {
        // The journal does not exist yet for the first target. It exists for all later ones.
        let output = in_folder(&folder, &[&count[..], &[target]].concat());
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
        assert!(output.err.contains("is the journal of this count\n  hint: "), "{}", output.err);
        let output = in_folder(&folder, &["count", "8", "--journal", "eight.journal"]);
        assert_eq!(output.code, Some(0), "{}", output.err);
        let output = in_folder(&folder, &["resume", "eight.journal", "-o", target]);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
        assert!(output.err.contains("is the journal of this count\n  hint: "), "{}", output.err);
    }
    // The result of another count cannot replace this journal either.
    let output = in_folder(&folder, &["count", "6", "-o", "eight.journal"]);
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
    assert!(output.err.contains("cannot write eight.journal: it is a database"), "{}", output.err);
    assert_eq!(in_folder(&folder, &["status", "eight.journal"]).code, Some(0));
}

#[test]
fn a_foreign_file_with_the_name_of_a_log_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("eight.journal-journal");
    fs::write(&notes, "my notes").unwrap();
    let output = in_folder(&folder, &["count", "8", "--journal", "eight.journal"]);
    assert_ne!(output.code, Some(0), "{}", output.out);
    let reason = "eight.journal-journal is not an SQLite log, and SQLite would delete it";
    assert!(output.err.contains(reason), "{}", output.err);
    assert_eq!(fs::read_to_string(&notes).unwrap(), "my notes");
}

#[test]
fn names_the_missing_folder_of_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let output = in_folder(&folder, &["count", "8", "--quiet", "--journal", "none/eight.journal"]);
    assert_eq!(output.code, Some(1));
    let error =
        "error: cannot open the journal none/eight.journal: the folder none does not exist\n";
    assert_eq!(output.err, error);
}

#[test]
#[cfg(unix)]
fn reports_an_unreadable_data_folder_in_status() {
    let output: CommandOutput =
        command().arg("status").env("XDG_DATA_HOME", "/dev/null").output().unwrap().into();
    assert_eq!(output.code, Some(1));
    let error = "error: cannot list the automatic journals in /dev/null/queens/journals: a part of the \
                 path is a file, not a folder\n";
    assert_eq!(output.err, error);
}

#[test]
fn status_lists_readable_journals_and_reports_the_others() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("queens/journals");
    fs::create_dir_all(&folder).unwrap();
    let name = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    fs::write(name("a.journal"), "no database, but long enough for one").unwrap();
    assert_eq!(queens(["count", "6", "-q", "--journal", &name("b.journal")]).code, Some(0));
    let status = |args: &[&str]| {
        CommandOutput::capture(with_data_folder(home.path()).arg("status").args(args)).unwrap()
    };
    let output = status(&[]);
    assert_eq!(output.code, Some(65), "{output:?}");
    assert!(output.out.starts_with("N = 6 by symmetry\nJournal "), "{output:?}");
    let error = format!(
        "error: {} is not a queens journal\n  hint: move or delete this file\n",
        name("a.journal")
    );
    assert_eq!(output.err, error);
    let output = status(&["--json"]);
    assert_eq!((output.code, output.err.as_str()), (Some(65), ""), "{output:?}");
    let list = output.json();
    assert_eq!((&list[0]["journal"], &list[1]["n"]), (&name("a.journal").into(), &6.into()));
    let error = format!("{} is not a queens journal", name("a.journal"));
    assert_eq!(list[0]["error"], error);
}

#[test]
#[cfg(unix)]
fn names_the_kind_of_a_journal_that_is_not_a_file() {
    use std::os::unix::{fs::symlink, net::UnixListener};
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new("mkfifo").arg(folder.path().join("pipe")).status();
    assert!(made.unwrap().success());
    let _listener = UnixListener::bind(folder.path().join("socket")).unwrap();
    symlink("circle", folder.path().join("circle")).unwrap();
    for (name, reason) in [
        ("pipe", "it is a pipe, not a file"),
        ("socket", "it is a socket, not a file"),
        ("/dev/null", "it is a device, not a file"),
        ("circle", "too many levels of symbolic links"),
    ] {
        let count = ["count", "8", "-q", "--journal", name];
        for args in [&["resume", name][..], &["status", name], &count] {
            let output = in_folder(&folder, args);
            assert_eq!((output.code, output.out.as_str()), (Some(1), ""), "{output:?}");
            assert_eq!(output.err, format!("error: cannot open the journal {name}: {reason}\n"));
        }
    }
}
