//! Journals: resuming, `queens status`, and files that cannot be used.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use queens::{
    journal::{Journal, Locking, PartialTasks, Run},
    store::Store,
};
use queens_core::{Done, Method, Plan, Size, Tally, document::Circumstances};
use rusqlite::{Connection, TransactionBehavior};

use serde_json::Value;

use crate::running::{
    COUNT, TASKS, document, finished_tasks, interrupted_count, pause, start_count, wait_for,
    with_data_folder,
};
use crate::support::{CommandOutput, command, queens};

#[test]
#[cfg(unix)]
fn resume_keeps_finished_tasks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nineteen.journal");
    let name = file.to_str().unwrap();
    let mut saved = 0;
    for signal in ["INT", "TERM"] {
        let output = interrupted_count(name, signal, saved + 1);
        assert_eq!(output.code, Some(75), "{signal}: {}", output.err);
        let hint = format!("\n  hint: resume with `queens resume {name}`\n");
        let last = output.err.strip_suffix(&hint).unwrap().lines().last().unwrap();
        let finished = last.strip_prefix("error: interrupted: ").unwrap();
        let finished =
            finished.strip_suffix(&format!(" of {TASKS} tasks are finished and saved")).unwrap();
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
        format!("resuming N = 19 by colours: {saved} of {TASKS} tasks are already in {name}");
    assert!(output.err.contains(&expected), "{}", output.err);
    let contents = Journal::open(&file).unwrap();
    let contents = contents.contents();
    // Finished tasks are unchanged and were not counted again.
    assert!(before.done().all(|task| contents.finished_tasks.done().any(|other| other == task)));
    assert_eq!(contents.sessions.len(), 3);
    assert_eq!(contents.sessions[2].tasks, TASKS - saved);
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
        (&["--isa", "avx2"], "`--isa avx2` works only with the method colours, not with symmetry"),
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
    let mut journal = Journal::open_or_create(&file, &run, Locking::On).unwrap();
    assert_eq!(journal.try_lock().unwrap(), None);
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
fn a_second_ctrl_c_stops_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nineteen.journal");
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
#[cfg(unix)]
fn status_reports_done_and_remaining_tasks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nineteen.journal");
    let name = file.to_str().unwrap();
    let (mut running, _stderr) = start_count(&[&COUNT[..], &[name]].concat());
    wait_for(&file, 100);
    pause(&running, &file);
    let status: Value = queens(["status", name, "--json"]).json();
    let number = |field: &str| status[field].as_u64().unwrap();
    assert_eq!(
        (number("tasks"), number("done") + number("remaining")),
        (TASKS as u64, TASKS as u64)
    );
    assert!(number("done") >= 100);
    let (took, left) =
        (status["seconds"].as_f64().unwrap(), status["seconds_remaining"].as_f64().unwrap());
    let rate = number("done") as f64 / took;
    assert!((left - number("remaining") as f64 / rate).abs() < 0.01 * left, "{status}");
    let lock = |output: &CommandOutput| {
        output.out.lines().find(|line| line.starts_with("Lock")).unwrap().to_owned()
    };
    let held = lock(&queens(["status", name]));
    let start = format!("Lock       held by process {} on ", running.0.id());
    assert!(held.starts_with(&start) && held.contains(" since 20"), "{held}");
    running.0.kill().unwrap();
    running.0.wait().unwrap();
    let output = queens(["status", name]);
    assert!(output.out.contains(&format!(" of {TASKS} tasks (")), "{}", output.out);
    let lock = lock(&output);
    assert_eq!(lock, "Lock       none");
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
    for target in ["eight.journal", "./eight.journal"] {
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
