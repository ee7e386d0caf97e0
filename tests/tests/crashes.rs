//! Counts and their journals under killed processes. The tests are short; `cargo xtask survive` runs their long forms.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic, too")]

use std::{
    collections::BTreeMap,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use fastrand::Rng;
use queens::journal::{Journal, Locking};
use queens_core::{Done, Form, Tally};
use queens_tests::{
    command::{self, CommandOutput},
    process::Companion,
    short_or_long,
};

fn queens(args: &[&str]) -> Command {
    let mut command = Command::new(command::path().unwrap());
    command.args(args).env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// The total of a count that succeeded.
fn total(output: &CommandOutput) -> String {
    assert_eq!(output.code, Some(0), "{}", output.err);
    output.json()["total"].as_str().unwrap().to_owned()
}

/// The number of solutions for N = 19.
const TOTAL_OF_19: &str = "4968057848";

/// The arguments of a count that takes some seconds on one thread and has [`TASKS`] tasks. Callers append the
/// path of the journal.
const COUNT: [&str; 8] =
    ["count", "19", "--json", "--threads", "1", "--backend", "cpu", "--journal"];

/// The number of tasks of [`COUNT`].
const TASKS: usize = 527;

fn finished_tasks(file: &Path) -> BTreeMap<usize, Done<Tally>> {
    let journal = Journal::find(file, Locking::On).unwrap_or_else(|error| panic!("{error}"));
    let tasks = |journal: Journal| {
        journal.contents().finished_tasks.done().map(|done| (done.task, *done)).collect()
    };
    journal.map(tasks).unwrap_or_default()
}

#[test]
fn a_repeatedly_killed_count_gives_the_right_total() {
    let seed = fastrand::u64(..);
    let mut random = Rng::with_seed(seed);
    println!("seed {seed}");
    let (mut kills, mut runs, mut slowest) = (0, 0, Duration::ZERO);
    while kills < short_or_long(15, 200) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("nineteen.journal");
        let count = [&COUNT[..], &[file.to_str().unwrap()]].concat();
        let mut before = BTreeMap::new();
        runs += 1;
        for lives in 1.. {
            // On a slow disk, a process needs a longer life to finish anything.
            let lifetime = Duration::from_millis(random.u64(0..2000 + 100 * lives));
            let mut command = queens(&count);
            let begun = Instant::now();
            let mut running =
                Companion::start(command.stdout(Stdio::null()).stderr(Stdio::null())).unwrap();
            thread::sleep(lifetime);
            if running.0.try_wait().unwrap().is_some() {
                break;
            }
            running.0.kill().unwrap();
            let lived = begun.elapsed();
            running.0.wait().unwrap();
            kills += 1;
            let after = finished_tasks(&file);
            // Saved tasks are unchanged and were not counted again.
            assert!(before.iter().all(|(task, done)| after.get(task) == Some(done)));
            // The finished tasks are saved, except for those of the process's last moment.
            let saved = after.iter().filter(|(task, _)| !before.contains_key(task));
            let saved: Duration = saved.map(|(_, done)| done.took).sum();
            slowest = slowest.max(lived.saturating_sub(saved));
            before = after;
        }
        // The same command prints the result.
        assert_eq!(total(&CommandOutput::capture(&mut queens(&count)).unwrap()), TOTAL_OF_19);
        let journal = Journal::open(&file).unwrap();
        let sessions = &journal.contents().sessions;
        assert_eq!(sessions.iter().map(|session| session.tasks).sum::<usize>(), TASKS);
    }
    println!("{kills} kills in {runs} counts; at most {slowest:?} of a process's life was lost");
}

#[test]
fn a_killed_task_resumes_from_its_partial_progress() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("twentysix.journal");
    let name = file.to_str().unwrap();
    let start = |args: &[&str]| {
        let mut command = queens(args);
        Companion::start(command.stdout(Stdio::null()).stderr(Stdio::null())).unwrap()
    };
    let end = Instant::now() + Duration::from_secs(300);
    let wait_until = |what: &dyn Fn(&Journal) -> bool| {
        // The journal may be incomplete or locked.
        while !Journal::find(&file, Locking::On)
            .is_ok_and(|journal| journal.as_ref().is_some_and(what))
        {
            assert!(Instant::now() < end);
            thread::sleep(Duration::from_millis(50));
        }
    };
    // Most tasks take half a minute, and the test does not wait for their end.
    let cpu = ["--threads", "2", "--backend", "cpu"];
    let mut running = start(&[&["count", "26", "--journal", name][..], &cpu].concat());
    wait_until(&|journal| !journal.contents().partials.is_empty());
    running.0.kill().unwrap();
    running.0.wait().unwrap();
    let killed = Journal::open(&file).unwrap();
    let saved = &killed.contents().partials;
    assert!(!saved.is_empty() && saved.len() <= 2);
    let mut running = start(&[&["resume", name][..], &cpu].concat());
    wait_until(&|journal| saved.keys().all(|&task| journal.contents().finished_tasks.has(task)));
    running.signal("TERM").unwrap();
    assert_eq!(running.0.wait().unwrap().code(), Some(75));
    let plan = &killed.contents().run.plan;
    let mut counter = plan.counter(Form::Recursive, queens::isa::best());
    let done = finished_tasks(&file);
    for (task, so_far) in saved {
        let done = done[task];
        assert_eq!(counter.count(plan, *task), Ok(done.result));
        assert!(done.took > so_far.took);
    }
}
