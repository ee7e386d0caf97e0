//! Journals: resuming, `queens status`, and files that cannot be used.

use std::{
    fs,
    time::{Duration, Instant},
};

use queens::journal::{Journal, Locking, PartialTasks, Run};
use queens_core::{Done, Method, Plan, Size, Tally, document::Circumstances};

use crate::running::{TASKS, document, finished_tasks, interrupted_count, with_data_folder};
use crate::support::{CommandOutput, queens};

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
    assert_eq!(output.err, format!("error: {} is not a queens journal\n", name("a.journal")));
    let output = status(&["--json"]);
    assert_eq!((output.code, output.err.as_str()), (Some(65), ""), "{output:?}");
    let list = output.json();
    assert_eq!((&list[0]["journal"], &list[1]["n"]), (&name("a.journal").into(), &6.into()));
    let error = format!("{} is not a queens journal", name("a.journal"));
    assert_eq!(list[0]["error"], error);
}
