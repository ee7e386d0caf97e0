//! Opens changed journals and any other files. Each is rejected with a message, or read and resumed.

#![no_main]
#![allow(
    dead_code,
    unused_imports,
    reason = "only the parts of the command that read journals are used"
)]
#![allow(clippy::duplicate_mod, reason = "the journal's table of checksums is private")]

/// The modules of the command that journals need, without the rest of the command.
#[path = "../../native/src/host.rs"]
mod host;
#[path = "../../native/src/journal/mod.rs"]
mod journal;
#[path = "../../native/src/lock.rs"]
mod lock;
#[path = "../../native/src/paths.rs"]
mod paths;
#[path = "../../native/src/sqlite.rs"]
mod sqlite;
/// Rows and their checksums.
#[path = "../../native/src/journal/table.rs"]
mod table;

use std::{
    fs,
    path::Path,
    sync::OnceLock,
    time::{Duration, Instant},
};

use journal::{Journal, JournalError, LeaseWatch, PartialTasks, Run};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use queens_core::document::{
    Backend, BackendKind, Circumstances, Document, Host, Program, Seconds, Shard,
};
use queens_core::halves::Isa;
use queens_core::{Done, Form, Method, Plan, Size, Tally, Turns, finalize};
use rusqlite::{Connection, types::Value};

#[derive(Arbitrary, Debug)]
enum Input {
    File(Vec<u8>),
    Journal { which: u8, changes: Vec<Change> },
}

#[derive(Arbitrary, Debug)]
enum Change {
    /// Replaces a byte of the file.
    Byte(u16, u8),
    /// Truncates the file.
    CutOff(u16),
    /// Replaces a value of a row and updates the checksum of the row.
    Cell { table: Table, row: u8, column: u8, to: Cell },
    /// Deletes a row.
    DeletedRow(Table, u8),
    /// Deletes a table.
    DeletedTable(Table),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Table {
    Run,
    Sessions,
    Tasks,
    Lease,
    InWork,
}

impl Table {
    fn name(self) -> &'static str {
        match self {
            Table::Run => "run",
            Table::Sessions => "sessions",
            Table::Tasks => "tasks",
            Table::Lease => "lease",
            Table::InWork => "in_work",
        }
    }
}

#[derive(Arbitrary, Debug)]
enum Cell {
    Null,
    Small(u8),
    Whole(i64),
    /// A number at or next to the limit of an integer type.
    Edge(u8),
    Real(f64),
    Method(u8),
    Text(String),
    Bytes(Vec<u8>),
}

impl Cell {
    fn value(self) -> Value {
        match self {
            Cell::Null => Value::Null,
            Cell::Small(number) => Value::Integer(number.into()),
            Cell::Whole(number) => Value::Integer(number),
            Cell::Edge(which) => {
                const EDGES: [i64; 6] =
                    [-1, 1 << 16, u32::MAX as i64 - 1, u32::MAX as i64, i64::MIN, i64::MAX];
                Value::Integer(EDGES[usize::from(which) % EDGES.len()])
            }
            Cell::Real(number) => Value::Real(number),
            Cell::Method(which) => {
                let method = Method::ALL[usize::from(which) % Method::ALL.len()];
                Value::Text(method.id().to_owned())
            }
            Cell::Text(text) => Value::Text(text),
            Cell::Bytes(bytes) => Value::Blob(bytes),
        }
    }
}

fuzz_target!(|input: Input| {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let file = folder.path().join("any.journal");
    let bytes = match input {
        Input::File(bytes) => bytes,
        Input::Journal { which, changes } => {
            let journals = journals();
            fs::write(&file, &journals[usize::from(which) % journals.len()])
                .expect("there is room");
            change(&file, changes)
        }
    };
    fs::write(&file, bytes).expect("there is room");
    match Journal::open(&file) {
        Ok(journal) => check_and_resume(&file, journal),
        Err(error) => assert!(describes_file(&error), "{error:?}"),
    }
});

/// Returns whether the error describes a fault of the file. The fuzzer's own file cannot be
/// missing, and no other process can take its lease.
fn describes_file(error: &JournalError) -> bool {
    !matches!(error, JournalError::Missing { .. } | JournalError::Lost { .. })
        && !error.to_string().is_empty()
}

/// Checks that the contents belong to one count, and that another process can resume that count.
fn check_and_resume(file: &Path, mut journal: Journal) {
    let contents = journal.contents();
    let run = contents.run.clone();
    assert!(contents.finished_tasks.done().all(|done| run.has(done.task)));
    assert_eq!(contents.is_complete(), contents.finished_tasks.done().len() == run.len());
    assert!(
        contents.partials.keys().all(|&task| run.has(task) && !contents.finished_tasks.has(task))
    );
    let sessions = contents.sessions.len();
    let tasks: usize = contents.sessions.iter().map(|session| session.tasks).sum();
    assert_eq!(tasks, contents.finished_tasks.done().len());
    let circumstances = journal::Session::combined_circumstances(&contents.sessions);
    // A complete count whose numbers are consistent makes a document that can be read again.
    if run.shard.is_none()
        && run.plan.size().get() <= 9
        && let Some(circumstances) = circumstances
        && let Ok(checked) = finalize(&contents.finished_tasks, Turns::of(run.plan.size()))
    {
        let document = Document::of(&checked, circumstances);
        assert_eq!(Document::parse(&document.to_json()), Ok(document));
    }
    let holder = match journal.try_acquire(&mut LeaseWatch::default()) {
        Ok(holder) => holder,
        Err(error) => return assert!(describes_file(&error), "{error:?}"),
    };
    if holder.is_some() || journal.contents().is_complete() {
        return;
    }
    let begun =
        journal.begin(circumstances_here(), Instant::now(), Vec::new(), PartialTasks::default());
    if let Err(error) = begun.and_then(|()| journal.end(None)) {
        return assert!(describes_file(&error), "{error:?}");
    }
    drop(journal);
    let reopened = Journal::open_or_create(file, &run).expect("the journal was readable before");
    assert_eq!(reopened.contents().sessions.len(), sessions + 1);
    assert_eq!(reopened.contents().holder, None);
}

/// Applies the changes to a journal, and returns the bytes of the file.
fn change(file: &Path, changes: Vec<Change>) -> Vec<u8> {
    let mut byte_changes = Vec::new();
    {
        let connection = Connection::open(file).expect("the file is a journal");
        connection.pragma_update(None, "synchronous", "OFF").expect("the pragma is valid");
        for change in changes {
            match change {
                // Ignore the error of a value that the table does not allow: the row stays deleted.
                Change::Cell { table, row, column, to } => {
                    let _ = alter(&connection, table, row, Some((column, to)));
                }
                Change::DeletedRow(table, row) => {
                    let _ = alter(&connection, table, row, None);
                }
                Change::DeletedTable(table) => {
                    let _ = connection.execute_batch(&format!("DROP TABLE {}", table.name()));
                }
                byte_change => byte_changes.push(byte_change),
            }
        }
    }
    let mut bytes = fs::read(file).expect("the file exists");
    for change in byte_changes {
        match change {
            Change::Byte(at, to) => {
                if let Some(byte) = bytes.get_mut(usize::from(at)) {
                    *byte = to;
                }
            }
            Change::CutOff(rest) => bytes.truncate(rest.into()),
            _ => {}
        }
    }
    bytes
}

/// Deletes a row. With a `cell`, inserts it again with another value and a valid checksum.
fn alter(
    connection: &Connection,
    table: Table,
    row: u8,
    cell: Option<(u8, Cell)>,
) -> rusqlite::Result<()> {
    let name = table.name();
    let id: i64 = connection.query_row("SELECT id FROM run", [], |row| row.get(0))?;
    let rows: i64 =
        connection.query_row(&format!("SELECT count(*) FROM {name}"), [], |row| row.get(0))?;
    let at = i64::from(row) % rows.max(1);
    let select = format!("SELECT rowid, * FROM {name} ORDER BY 1 LIMIT 1 OFFSET {at}");
    let mut values = connection.query_row(&select, [], |row| {
        (0..row.as_ref().column_count())
            .map(|column| row.get(column))
            .collect::<Result<Vec<Value>, _>>()
    })?;
    let key = values.remove(0);
    values.pop();
    connection.execute(&format!("DELETE FROM {name} WHERE rowid = ?"), [key])?;
    let Some((column, to)) = cell else { return Ok(()) };
    let column = usize::from(column) % values.len();
    // The id of the run does not change, because every checksum includes it.
    if !(matches!(table, Table::Run) && column == 0) {
        values[column] = to.value();
    }
    table::write(connection, id, name, values)
}

/// Returns valid journals: of a finished count, of an unfinished one, of a finished shard, and of
/// half-board matching, without and with partial tasks.
fn journals() -> &'static [Vec<u8>] {
    static JOURNALS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    JOURNALS.get_or_init(|| {
        let run = |n, method| Run::whole(Plan::new(Size::new(n).expect("a board"), method));
        let six = run(6, Method::Symmetry);
        let eight = run(8, Method::Symmetry);
        let shard = Run { shard: Shard::new(1, 3), ..eight.clone() };
        let halves = run(8, Method::Halves);
        let all = |run: &Run| (0..run.plan.len()).filter(|&task| run.has(task)).collect::<Vec<_>>();
        let unfinished = run(17, Method::Halves);
        vec![
            journal_bytes(&six, &all(&six), &[]),
            journal_bytes(&eight, &[0, 3], &[]),
            journal_bytes(&shard, &all(&shard), &[]),
            journal_bytes(&halves, &[0, 3], &[]),
            journal_bytes(&unfinished, &[], &[5, 7]),
        ]
    })
}

/// Returns the bytes of a journal in which the tasks `done` are finished and the tasks `begun` are
/// partly counted.
fn journal_bytes(run: &Run, done: &[usize], begun: &[usize]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let file = folder.path().join("right.journal");
    let mut journal = Journal::open_or_create(&file, run).expect("a journal can be created");
    journal.try_acquire(&mut LeaseWatch::default()).expect("no other process holds the lease");
    let partials = PartialTasks::default();
    let circumstances = circumstances_here();
    journal
        .begin(circumstances, Instant::now(), Vec::new(), partials.clone())
        .expect("the lease is held");
    for &task in done {
        let result = run.plan.count(task, Form::Recursive).expect("a task of the plan");
        journal
            .add_task(Done { task, result, took: Duration::from_millis(1) })
            .expect("the session has begun");
    }
    for &task in begun {
        let mut tallies: Vec<Tally> = Vec::new();
        let mut counter = run.plan.counter(Form::Recursive, Isa::PORTABLE);
        counter
            .count_resumable(&run.plan, task, None, |tally| tallies.push(tally))
            .expect("a task of the plan");
        partials.record(Done { task, result: tallies[1], took: Duration::from_millis(2) });
    }
    journal.end(Some(circumstances_here())).expect("the session has begun");
    drop(journal);
    fs::read(&file).expect("it was just written")
}

fn circumstances_here() -> Circumstances {
    Circumstances {
        form: Form::Recursive,
        backend: Backend::new(BackendKind::Cpu, "a processor", "2 threads"),
        program: Program::new("queens", "1.2.3", "abcdef"),
        host: Host::new("linux", "a processor", 2),
        started: "2026-01-02T03:04:05.678Z".into(),
        seconds: Seconds::default(),
    }
}
