//! Tests of journal files: saved contents, rejected files and locks.

use std::thread;

use queens_core::{
    Coverage, Form, Isa, Method, PartialCount, Plan, Size,
    document::{Backend, BackendKind, Circumstances, Host, Program, Seconds, Shard},
};
use rusqlite::{Connection, types::Value};
use tempfile::TempDir;

use super::*;

fn run(n: u32, method: Method) -> Run {
    Run::whole(Plan::new(Size::new(n).unwrap(), method))
}

fn circumstances(seconds: f64) -> Circumstances {
    Circumstances {
        form: Form::Recursive,
        backend: Backend::new(BackendKind::Cpu, "a processor", "2 threads"),
        program: Program::new("queens", "1.2.3", "abcdef"),
        host: Host::new("linux", "a processor", 2),
        started: "2026-01-02T03:04:05.678Z".into(),
        seconds: Seconds::new(seconds).unwrap(),
    }
}

fn finished_task(run: &Run, task: usize) -> Done<Tally> {
    let result = run.plan.count(task, Form::Recursive).unwrap();
    Done { task, result, took: Duration::from_micros(task as u64) }
}

/// Creates a journal with these tasks. Returns its folder, which is deleted on drop, and its path.
fn journal_with(run: &Run, tasks: impl IntoIterator<Item = usize>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("count.journal");
    add_session(&file, run, tasks);
    (folder, file)
}

/// Adds tasks to a journal in a new session.
fn add_session(file: &Path, run: &Run, tasks: impl IntoIterator<Item = usize>) {
    let mut journal = Journal::open_or_create(file, run, Locking::On).unwrap();
    assert_eq!(journal.try_lock().unwrap(), None);
    journal.begin(circumstances(0.0), Instant::now(), vec![], PartialTasks::default()).unwrap();
    tasks.into_iter().for_each(|task| journal.add_task(finished_task(run, task)).unwrap());
    journal.end(Some(circumstances(0.0))).unwrap();
    assert_eq!(journal.pending(), 0);
}

/// Changes a journal with plain SQL, so that the row checksums no longer match.
fn tamper(file: &Path, sql: &str) {
    Connection::open(file).unwrap().execute_batch(sql).unwrap();
}

/// Returns the message of the error of opening a journal, with `FILE` in place of the path.
fn open_error(file: &Path) -> String {
    Journal::open(file).unwrap_err().to_string().replace(&format!("{}", file.display()), "FILE")
}

#[test]
fn finished_tasks_survive_reopening() {
    let run = run(8, Method::Symmetry);
    let (_folder, file) = journal_with(&run, [3, 0]);
    add_session(&file, &run, [5]);
    let journal = Journal::open(&file).unwrap();
    let contents = journal.contents();
    let mut part = PartialCount::new(&run.plan);
    [0, 3, 5].into_iter().for_each(|task| part.add(finished_task(&run, task)).unwrap());
    assert_eq!(contents.finished_tasks, part);
    assert_eq!((journal.holder(), contents.is_complete()), (None, false));
    let sessions: Vec<_> =
        contents.sessions.iter().map(|session| (session.number, session.tasks)).collect();
    assert_eq!(sessions, [(1, 2), (2, 1)]);
    let joined = Session::combined_circumstances(&contents.sessions).unwrap();
    assert_eq!(joined.started, "2026-01-02T03:04:05.678Z");
    assert_eq!(joined.backend.detail, "2 threads, last of 2 sessions");
    let seconds: f64 = contents.sessions.iter().map(|s| s.circumstances.seconds.get()).sum();
    assert_eq!(joined.seconds.get(), seconds);
    // No extra files, such as a write-ahead log, that a network file system would have to share.
    let names = fs::read_dir(file.parent().unwrap()).unwrap();
    let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["count.journal", "count.journal.lock"]);
}

/// Counts a task and returns its partial result number `number`, counted from 1.
fn partial_result(run: &Run, task: usize, number: usize) -> Done<Tally> {
    let mut tallies = vec![];
    let mut counter = run.plan.counter(Form::Recursive, Isa::PORTABLE);
    counter.count_resumable(&run.plan, task, None, |tally| tallies.push(tally)).unwrap();
    Done { task, result: tallies[number - 1], took: Duration::from_millis(number as u64) }
}

#[test]
fn stores_partial_progress_of_unfinished_tasks() {
    let run = run(17, Method::Colours);
    let (_folder, file) = journal_with(&run, [3]);
    let saved_partials = || Journal::open(&file).unwrap().contents.partials.clone();
    let expected = |all: &[Done<Tally>]| {
        all.iter().map(|finished_task| (finished_task.task, *finished_task)).collect()
    };
    assert!(saved_partials().is_empty());
    let mut journal = Journal::open(&file).unwrap();
    assert_eq!(journal.try_lock().unwrap(), None);
    let partials = PartialTasks::default();
    journal.begin(circumstances(0.0), Instant::now(), vec![], partials.clone()).unwrap();
    let parts = [partial_result(&run, 30, 2), partial_result(&run, 31, 1)];
    [partial_result(&run, 30, 1), parts[0], parts[1]]
        .into_iter()
        .for_each(|part| partials.record(part));
    journal.end(None).unwrap();
    assert_eq!(saved_partials(), expected(&parts));
    // A later session loads both partial results and finishes one of the tasks.
    add_session(&file, &run, [30]);
    assert_eq!(saved_partials(), expected(&parts[1..]));
    assert!(
        Journal::open(&file)
            .unwrap()
            .contents
            .finished_tasks
            .done()
            .eq(&[finished_task(&run, 3), finished_task(&run, 30)])
    );

    let connection = Connection::open(&file).unwrap();
    let id = Journal::open(&file).unwrap().contents.id;
    let whole = run.plan.expected_coverage(31).unwrap();
    let Coverage { sets, weight } = parts[1].result.covered.unwrap();
    for (sets, weight) in [(sets, whole.weight), (sets + 1, weight), (0, 0)] {
        let covered = Some(Coverage { sets, weight });
        let wrong = Done { result: Tally { covered, ..parts[1].result }, ..parts[1] };
        contents::write_partials(&connection, id, &BTreeMap::new(), &expected(&[wrong])).unwrap();
        let message =
            "the journal FILE is damaged: the partial result of task 31 does not match the task";
        assert_eq!(open_error(&file), message, "{sets} {weight}");
    }
    // The partial result of a finished task is ignored.
    contents::write_partials(&connection, id, &BTreeMap::new(), &expected(&parts[1..])).unwrap();
    contents::write_task(&connection, id, 2, &finished_task(&run, 31)).unwrap();
    assert!(saved_partials().is_empty());
}

#[test]
fn a_commit_is_durable_once_it_returns() {
    let (_folder, file) = journal_with(&run(5, Method::Symmetry), [0]);
    let journal = Journal::open(&file).unwrap();
    let pragma = |name| journal.connection.pragma_query_value(None, name, |row| row.get(0));
    // EXTRA: without it, a power failure could bring the rollback log back and undo the last commit.
    assert_eq!(pragma("synchronous"), Ok(3));
}

#[test]
fn a_shards_journal_is_complete_when_the_tasks_of_the_shard_are_done() {
    let whole = run(8, Method::Symmetry);
    let shard = Run { shard: Shard::new(1, 3), ..whole.clone() };
    let (_folder, file) = journal_with(&shard, (0..whole.plan.len()).filter(|task| task % 3 == 1));
    assert!(Journal::open(&file).unwrap().contents().is_complete());
    let error = Journal::open_or_create(&file, &whole, Locking::On).unwrap_err().to_string();
    let message =
        " belongs to another count, N = 8 by symmetry, shard 1/3; this count is N = 8 by symmetry";
    assert!(error.ends_with(message), "{error}");
}

#[test]
fn rejects_other_files_and_leaves_them_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other");
    assert_eq!(open_error(&file), "journal not found: FILE");
    assert!(Journal::find(&file, Locking::On).unwrap().is_none());
    let text = "no database, but long enough for one".repeat(40);
    fs::write(&file, &text).unwrap();
    assert_eq!(open_error(&file), "FILE is not a queens journal");
    assert!(Journal::open_or_create(&file, &run(8, Method::Bitmap), Locking::On).is_err());
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    fs::remove_file(&file).unwrap();
    tamper(&file, "CREATE TABLE notes (text)");
    let before = fs::read(&file).unwrap();
    assert_eq!(open_error(&file), "FILE is not a queens journal");
    assert!(Journal::open_or_create(&file, &run(8, Method::Bitmap), Locking::On).is_err());
    assert_eq!(fs::read(&file).unwrap(), before);
    assert!(open_error(folder.path()).starts_with("cannot open the journal FILE: "));
}

#[test]
fn reports_changed_rows_and_missing_tables_as_damage() {
    let run = run(6, Method::Bitmap);
    for (change, reason) in [
        ("UPDATE tasks SET single = single + 1 WHERE task = 2", "row 3 of table tasks"),
        ("UPDATE tasks SET seconds = 1 WHERE task = 0", "row 1 of table tasks"),
        ("UPDATE tasks SET task = 7 WHERE task = 0", "row 6 of table tasks"),
        ("UPDATE run SET n = 7", "row 1 of table run"),
        ("UPDATE run SET id = id + 1", "row 1 of table run"),
        ("UPDATE sessions SET host = 'elsewhere'", "row 1 of table sessions"),
        ("DELETE FROM sessions", "session 1 is missing but has finished tasks"),
        ("DELETE FROM run", "it describes 0 counts instead of one"),
        ("DROP TABLE sessions", "no such table: sessions"),
    ] {
        let (_folder, file) = journal_with(&run, 0..6);
        tamper(&file, change);
        let message = open_error(&file);
        assert!(message.starts_with("the journal FILE is damaged: "), "{change}: {message}");
        assert!(message.contains(reason), "{change}: {message}");
    }
    // A missing task is counted again.
    let (_folder, file) = journal_with(&run, 0..6);
    tamper(&file, "DELETE FROM tasks WHERE task = 2");
    assert!(
        Journal::open(&file).unwrap().contents().finished_tasks.missing().any(|task| task == 2)
    );
}

/// Changes a column of the first row of a table, and the checksum with it. Returns whether the table accepts
/// the value.
fn forge(file: &Path, table: &'static str, column: &str, value: Value) -> bool {
    let connection = Connection::open(file).unwrap();
    let id = connection.query_row("SELECT id FROM run", [], |row| row.get(0)).unwrap();
    let mut select = connection.prepare(&format!("SELECT * FROM {table} ORDER BY 1")).unwrap();
    let place = select.column_index(column).unwrap();
    let last = select.column_count() - 1;
    let mut row: Vec<Value> =
        select.query_row([], |row| (0..last).map(|column| row.get(column)).collect()).unwrap();
    row[place] = value;
    table::write(&connection, id, table, row).is_ok()
}

/// Creates a journal with a partial result of task 30 of the colour join of N = 17, and the finished task 3.
fn journal_with_partial_result() -> (TempDir, PathBuf) {
    let run = run(17, Method::Colours);
    let (folder, file) = journal_with(&run, [3]);
    let mut journal = Journal::open(&file).unwrap();
    assert_eq!(journal.try_lock().unwrap(), None);
    let partials = PartialTasks::default();
    journal.begin(circumstances(0.0), Instant::now(), vec![], partials.clone()).unwrap();
    partials.record(partial_result(&run, 30, 1));
    journal.end(None).unwrap();
    (folder, file)
}

/// A value with a valid checksum can still be one that this version does not know, or that no count can have.
#[test]
fn rejects_impossible_values_with_a_reason() {
    let text = |text: &str| Value::Text(text.to_owned());
    let (session, task) = ("row 1 of table sessions has", "row 1 of table tasks has");
    let symmetry = || journal_with(&run(8, Method::Symmetry), [3]);
    let colours = || journal_with(&run(8, Method::Colours), [0, 3]);
    let unknown = "uses a task plan that this version does not know:";
    for (journal, table, column, value, reason) in [
        (
            &symmetry as &dyn Fn() -> (TempDir, PathBuf),
            "sessions",
            "started",
            text("2026-01-02"),
            session,
        ),
        (&symmetry, "sessions", "started", text("2026-01-02 03:04:05.678Z"), session),
        (&symmetry, "sessions", "threads", Value::Integer(0), session),
        // An audit set without coverage.
        (&symmetry, "tasks", "chosen", Value::Integer(4), task),
        (&symmetry, "run", "version", Value::Integer(4), "version 4 of the plan"),
        (&symmetry, "run", "method", text("magic"), "the method \"magic\""),
        (&symmetry, "run", "n", Value::Integer(29), "N = 29"),
        (
            &symmetry,
            "run",
            "tasks",
            Value::Integer(7),
            "its task plan has 7 tasks; this version's has 16",
        ),
        (&colours, "tasks", "chosen", Value::Integer(1 << 60), "task 0: chosen: "),
        (&colours, "tasks", "single", Value::Integer(3), "task 0: total: 3 is odd"),
        (
            &journal_with_partial_result,
            "in_work",
            "chosen",
            Value::Integer(1 << 60),
            "task 30: chosen: ",
        ),
        (
            &journal_with_partial_result,
            "in_work",
            "single",
            Value::Integer(3),
            "task 30: total: 3 is odd",
        ),
    ] {
        let (_folder, file) = journal();
        Journal::open(&file).unwrap();
        assert!(forge(&file, table, column, value));
        let message = open_error(&file);
        let start = if table == "run" { unknown } else { "is damaged:" };
        assert!(message.starts_with(&format!("the journal FILE {start} {reason}")), "{message}");
    }
}

#[test]
fn rejects_other_layouts_and_leaves_them_unchanged() {
    let run = run(8, Method::Symmetry);
    let (_folder, file) = journal_with(&run, [1]);
    tamper(&file, "PRAGMA user_version = 3");
    assert_eq!(
        open_error(&file),
        "FILE was written by another version of queens (layout 3; this version reads 2)"
    );
    let bytes = fs::read(&file).unwrap();
    assert!(Journal::open_or_create(&file, &run, Locking::On).is_err());
    assert_eq!(fs::read(&file).unwrap(), bytes);
}

#[test]
fn a_changed_or_truncated_file_never_gives_a_wrong_task() {
    let run = run(8, Method::Symmetry);
    let (_folder, file) = journal_with(&run, 0..5);
    let early = fs::read(&file).unwrap();
    add_session(&file, &run, 5..9);
    let whole = fs::read(&file).unwrap();
    let truth: Vec<_> = (0..run.plan.len()).map(|task| finished_task(&run, task).result).collect();
    let mut random = fastrand::Rng::with_seed(7);
    let changed = |place: usize, random: &mut fastrand::Rng| {
        let mut bytes = whole.clone();
        bytes[place] ^= if random.bool() { 1 << random.u8(0..8) } else { random.u8(1..) };
        bytes
    };
    // SQLite detects most changes of its own structures, but none of the rows: each byte of the page with the
    // tasks is changed.
    let page: u32 = Connection::open(&file)
        .unwrap()
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'tasks'", [], |row| row.get(0))
        .unwrap();
    let page = page as usize;
    let rows = (4096 * (page - 1)..4096 * page).filter(|&place| whole[place] != 0);
    let places = (random.usize(0..101)..whole.len()).step_by(101).chain(rows);
    let mut damaged: Vec<_> = places.map(|place| changed(place, &mut random)).collect();
    damaged.extend((1024..whole.len()).step_by(1024).map(|end| whole[..end].to_vec()));
    // A copy made during a commit has some pages from before it.
    let pages = (4096..early.len()).step_by(4096);
    damaged.extend(pages.clone().map(|page| [&early[..page], &whole[page..]].concat()));
    damaged.extend(pages.map(|page| [&whole[..page], &early[page..]].concat()));
    let (mut rejected, mut read) = (0, 0);
    for bytes in damaged {
        fs::write(&file, &bytes).unwrap();
        match Journal::open(&file) {
            Err(error) => {
                assert!(error.to_string().contains("count.journal"), "{error}");
                rejected += 1;
            }
            Ok(journal) => {
                let contents = journal.contents();
                assert_eq!(contents.run.plan.identity(), run.plan.identity());
                let is_true = |done: &Done<Tally>| done.result == truth[done.task];
                assert!(contents.finished_tasks.done().all(is_true));
                read += 1;
            }
        }
    }
    println!("{rejected} rejected, {read} read");
    assert!(rejected > 0 && read > 0);
}

#[test]
fn only_one_process_locks_a_journal() {
    let run = run(8, Method::Symmetry);
    let (_folder, file) = journal_with(&run, [0]);
    let [mut first, mut second] = [(); 2].map(|()| Journal::open(&file).unwrap());
    assert_eq!(first.try_lock().unwrap(), None);
    let holder = second.try_lock().unwrap();
    assert!(holder.is_some() && holder == Journal::open(&file).unwrap().holder());
    // Without the lock, a journal writes nothing.
    let begin = |journal: &mut Journal| {
        journal.begin(circumstances(0.0), Instant::now(), vec![], PartialTasks::default()).unwrap();
    };
    begin(&mut second);
    second.end(None).unwrap();
    begin(&mut first);
    first.add_task(finished_task(&run, 1)).unwrap();
    first.end(None).unwrap();
    // The second reads what the first has saved.
    assert_eq!(second.try_lock().unwrap(), None);
    assert!(second.contents().finished_tasks.has(1) && second.contents().sessions.len() == 2);
}

#[test]
fn a_file_system_without_locks_needs_no_lock() {
    let run = run(8, Method::Symmetry);
    let (_folder, file) = journal_with(&run, [0]);
    // A folder in place of the lock file fails as a file system without locks does.
    fs::remove_file(lock::lock_file(&file)).unwrap();
    fs::create_dir(lock::lock_file(&file)).unwrap();
    let error = Journal::open(&file).unwrap().try_lock().unwrap_err();
    assert!(error.to_string().starts_with("cannot lock "), "{error}");
    assert!(error.hint().unwrap().ends_with("count with `--no-lock`"));
    let mut journal = Journal::open_with(&file, Locking::Off).unwrap();
    assert_eq!(journal.try_lock().unwrap(), None);
    journal.begin(circumstances(0.0), Instant::now(), vec![], PartialTasks::default()).unwrap();
    journal.add_task(finished_task(&run, 1)).unwrap();
    journal.end(None).unwrap();
    assert!(Journal::open(&file).unwrap().contents().finished_tasks.has(1));
}

#[test]
fn ticks_commit_finished_tasks() {
    let run = run(8, Method::Symmetry);
    let (_folder, file) = journal_with(&run, []);
    let mut journal = Journal::open(&file).unwrap();
    assert_eq!(journal.try_lock().unwrap(), None);
    journal.begin(circumstances(0.0), Instant::now(), vec![], PartialTasks::default()).unwrap();
    let start = Instant::now();
    journal.add_task(finished_task(&run, 4)).unwrap();
    while journal.pending() > 0 {
        thread::sleep(Duration::from_millis(20));
        journal.tick().unwrap();
        assert!(start.elapsed() < Duration::from_secs(60));
    }
    // Another process can read the journal while this process holds the lock.
    let seen = Journal::open(&file).unwrap();
    assert!(seen.contents().finished_tasks.has(4));
    assert!(seen.holder().is_some());
}

#[test]
#[cfg(unix)]
fn reports_a_journal_removed_during_the_count() {
    let run = run(8, Method::Bitmap);
    let (_folder, file) = journal_with(&run, [0]);
    let mut journal = Journal::open(&file).unwrap();
    assert_eq!(journal.try_lock().unwrap(), None);
    journal.begin(circumstances(0.0), Instant::now(), vec![], PartialTasks::default()).unwrap();
    fs::remove_file(&file).unwrap();
    let error = journal.end(Some(circumstances(0.0))).unwrap_err().to_string();
    assert!(error.ends_with(": another program has removed or replaced it"), "{error}");
}

#[test]
fn reports_an_empty_journal_as_empty() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("count.journal");
    // A count that is killed during its first commit leaves an empty file.
    fs::write(&file, "").unwrap();
    let message = "the journal FILE is empty: no count has saved anything in it";
    assert_eq!(open_error(&file), message);
    assert!(Journal::find(&file, Locking::On).unwrap().is_none());
}
