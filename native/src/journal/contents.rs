//! Schema of a journal, and conversions between its rows and values.

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use jiff::Timestamp;
use queens_core::{
    Coverage, Done, Method, PartialCount, Plan, Size, Tally,
    document::{Backend, Circumstances, Contradiction, Host, Program, Seconds, Shard, TaskTotal},
};
use rusqlite::{Connection, types::Value};

use super::{
    error::{self, JournalError},
    run::{Run, Session},
    table::{self, RowValues},
};

/// The tables. The last column of each table, `seal`, is the row checksum (see `table`).
///
/// `sets`, `weight` and `chosen` are set only for tasks of the colour join: the coverage of the task, and
/// the number of solutions of its audit set. A row of `in_work` is the partial result of an unfinished
/// task: the sum over its first `sets` pairs of row sets.
pub const TABLES: &str = "
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        n INTEGER NOT NULL,
        method TEXT NOT NULL,
        version INTEGER NOT NULL,
        tasks INTEGER NOT NULL,
        shard INTEGER,
        shards INTEGER,
        seal INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE sessions (
        number INTEGER PRIMARY KEY,
        host TEXT NOT NULL,
        process INTEGER NOT NULL,
        started TEXT NOT NULL,
        seconds REAL NOT NULL,
        form TEXT NOT NULL,
        backend TEXT NOT NULL,
        device TEXT NOT NULL,
        detail TEXT NOT NULL,
        program TEXT NOT NULL,
        program_version TEXT NOT NULL,
        built_from TEXT NOT NULL,
        os TEXT NOT NULL,
        cpu TEXT NOT NULL,
        threads INTEGER NOT NULL,
        seal INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE tasks (
        task INTEGER PRIMARY KEY,
        session INTEGER NOT NULL,
        seconds REAL NOT NULL,
        single INTEGER NOT NULL,
        mirror_pairs INTEGER NOT NULL,
        classes_of_1 INTEGER NOT NULL,
        classes_of_2 INTEGER NOT NULL,
        classes_of_4 INTEGER NOT NULL,
        classes_of_8 INTEGER NOT NULL,
        sets INTEGER,
        weight INTEGER,
        chosen INTEGER,
        seal INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE in_work (
        task INTEGER PRIMARY KEY,
        seconds REAL NOT NULL,
        single INTEGER NOT NULL,
        sets INTEGER NOT NULL,
        weight INTEGER NOT NULL,
        chosen INTEGER,
        seal INTEGER NOT NULL
    ) STRICT;
";

/// Contents of a journal.
#[derive(Debug)]
pub struct Contents {
    /// Random number that identifies the journal.
    pub(super) id: i64,
    /// The plan, and the shard if the journal is for only one.
    pub run: Run,
    /// The finished tasks.
    pub finished_tasks: PartialCount,
    /// Partial results of unfinished tasks, by task number.
    pub partials: BTreeMap<usize, Done<Tally>>,
    /// The sessions in the order in which they began.
    pub sessions: Vec<Session>,
}

impl Contents {
    /// Reads all tables and verifies the row checksums.
    pub(super) fn read(file: &Path, connection: &Connection) -> Result<Contents, JournalError> {
        let read_error = |cause| error::read_error(file, cause);
        let damaged = |what: String| JournalError::Damaged { file: file.into(), what };
        let runs = table::read(connection, None, "run", read_run).map_err(read_error)?;
        let [row] = &runs[..] else {
            return Err(damaged(format!("it describes {} counts instead of one", runs.len())));
        };
        let unknown = |what| JournalError::UnknownPlan { file: file.into(), what };
        let (id, run) = (row.0, row.1.clone().map_err(unknown)?);
        let tasks = table::read(connection, Some(id), "tasks", read_task).map_err(read_error)?;
        let (mut finished_tasks, mut tasks_by_session) =
            (PartialCount::new(&run.plan), BTreeMap::new());
        for (session, done) in tasks {
            if !run.has(done.task) {
                return Err(damaged(format!("task {} does not belong to {run}", done.task)));
            }
            finished_tasks.add(done).map_err(|error| damaged(error.to_string()))?;
            *tasks_by_session.entry(session).or_default() += 1;
        }
        let partials = table::read(connection, Some(id), "in_work", read_partial);
        let mut partials: BTreeMap<usize, Done<Tally>> = partials
            .map_err(read_error)?
            .into_iter()
            .map(|partial| (partial.task, partial))
            .collect();
        // A finished task no longer needs its partial result.
        partials.retain(|&task, _| !finished_tasks.has(task));
        for (&task, partial) in &partials {
            let covered = partial.result.covered.unwrap_or_default();
            let expected = run.plan.expected_coverage_of_first(task, covered.sets as usize);
            if !run.has(task) || covered.sets == 0 || expected != Some(covered) {
                return Err(damaged(format!(
                    "the partial result of task {task} does not match the task"
                )));
            }
        }
        let sessions = table::read(connection, Some(id), "sessions", read_session);
        let mut sessions = sessions.map_err(read_error)?;
        for done in finished_tasks.done().chain(partials.values()) {
            let found = TaskTotal::from(done).contradictions(done.task, run.plan.identity());
            if let Some(found) = found.first() {
                return Err(damaged(impossible(done.task, found)));
            }
        }
        for session in &mut sessions {
            session.tasks = tasks_by_session.remove(&session.number).unwrap_or_default();
        }
        if let Some((number, _)) = tasks_by_session.first_key_value() {
            return Err(damaged(format!("session {number} is missing but has finished tasks")));
        }
        Ok(Contents { id, run, finished_tasks, partials, sessions })
    }

    /// Returns whether all tasks of the run are done.
    pub fn is_complete(&self) -> bool {
        self.run.is_complete(&self.finished_tasks)
    }
}

/// Describes a value that a task cannot have. The result document with this value would be rejected.
fn impossible(task: usize, found: &Contradiction) -> String {
    let text = found.to_string();
    let text = text.strip_prefix(&format!("tasks[{task}].")).unwrap_or(&text);
    format!("task {task}: {text}")
}

/// Reads the id of the journal and its run. If this version does not know the plan, the run is an error with the
/// unknown part of the row.
fn read_run(columns: &mut RowValues) -> Option<(i64, Result<Run, String>)> {
    let (id, n, method) = (columns.integer()?, columns.integer()?, columns.text()?);
    let (version, tasks) = (columns.integer()?, columns.integer()?);
    let shard = columns.integer_or_null()?.zip(columns.integer_or_null()?);
    Some((id, to_run(n, &method, version, tasks, shard)))
}

fn to_run(
    n: i64,
    method: &str,
    version: u32,
    tasks: usize,
    shard: Option<(u32, u32)>,
) -> Result<Run, String> {
    let size = u32::try_from(n).ok().and_then(|n| Size::new(n).ok());
    let size = size.filter(|size| size.get() <= Size::MAX_COUNTED);
    let size = size.ok_or_else(|| format!("N = {n}"))?;
    let method = method.parse::<Method>().map_err(|_| format!("the method \"{method}\""))?;
    if version != Plan::VERSION {
        return Err(format!("version {version} of the plan"));
    }
    let plan = Plan::new(size, method);
    if plan.len() != tasks {
        let expected = plan.len();
        return Err(format!("its task plan has {tasks} tasks; this version's has {expected}"));
    }
    let to_shard = |(index, of)| Shard::new(index, of).ok_or(format!("shard {index}/{of}"));
    Ok(Run { plan: Arc::new(plan), shard: shard.map(to_shard).transpose()? })
}

fn read_task(columns: &mut RowValues) -> Option<(u32, Done<Tally>)> {
    let task = columns.integer()?;
    let session = columns.integer()?;
    let took = Duration::try_from_secs_f64(columns.real()?).ok()?;
    let (single, mirror_pairs) = (columns.integer()?, columns.integer()?);
    let classes = [columns.integer()?, columns.integer()?, columns.integer()?, columns.integer()?];
    let covered = columns.integer_or_null()?.zip(columns.integer_or_null()?);
    let covered = covered.map(|(sets, weight)| Coverage { sets, weight });
    let chosen = columns.integer_or_null()?;
    if chosen.is_some() && covered.is_none() {
        // Such a task would make the result document unreadable.
        return None;
    }
    let result = Tally { single, mirror_pairs, classes, covered, chosen };
    Some((session, Done { task, took, result }))
}

fn read_partial(columns: &mut RowValues) -> Option<Done<Tally>> {
    let task = columns.integer()?;
    let took = Duration::try_from_secs_f64(columns.real()?).ok()?;
    let single = columns.integer()?;
    let covered = Some(Coverage { sets: columns.integer()?, weight: columns.integer()? });
    let chosen = columns.integer_or_null()?;
    Some(Done { task, took, result: Tally { single, covered, chosen, ..Tally::default() } })
}

fn read_session(columns: &mut RowValues) -> Option<Session> {
    let (number, host, process) = (columns.integer()?, columns.text()?, columns.integer()?);
    // An invalid start time would make the result document unreadable.
    let started = columns.text().filter(|started| is_time(started))?;
    let seconds = Seconds::new(columns.real()?)?;
    let form = columns.text()?.parse().ok()?;
    let kind = columns.text()?.parse().ok()?;
    let backend = Backend::new(kind, columns.text()?, columns.text()?);
    let program = Program::new(columns.text()?, columns.text()?, columns.text()?);
    let (os, cpu) = (columns.text()?, columns.text()?);
    let threads = columns.integer().filter(|&threads: &u32| threads > 0)?;
    let machine = Host::new(os, cpu, threads);
    let circumstances = Circumstances { form, backend, program, host: machine, started, seconds };
    Some(Session { number, host, process, circumstances, tasks: 0 })
}

/// Returns whether a text is a time in exactly the form that this program writes.
fn is_time(text: &str) -> bool {
    text.parse::<Timestamp>().is_ok_and(|time| format!("{time:.3}") == text)
}

/// Writes the identity of the run. `id` is a random number that identifies the journal.
pub fn write_run(connection: &Connection, id: i64, run: &Run) -> rusqlite::Result<()> {
    let shard = run.shard.as_ref();
    let integer = |number: u32| Value::Integer(number.into());
    let row = vec![
        Value::Integer(id),
        integer(run.plan.size().get()),
        Value::Text(run.plan.method().id().to_owned()),
        integer(Plan::VERSION),
        to_integer(run.plan.len() as u64)?,
        shard.map_or(Value::Null, |shard| integer(shard.index)),
        shard.map_or(Value::Null, |shard| integer(shard.of)),
    ];
    table::write(connection, id, "run", row)
}

/// Writes a finished task.
pub fn write_task(
    connection: &Connection,
    id: i64,
    session: u32,
    done: &Done<Tally>,
) -> rusqlite::Result<()> {
    let Tally { single, mirror_pairs, classes, covered, chosen } = done.result;
    let mut row = vec![
        to_integer(done.task as u64)?,
        Value::Integer(session.into()),
        Value::Real(done.took.as_secs_f64()),
        to_integer(single)?,
        to_integer(mirror_pairs)?,
    ];
    for count in classes {
        row.push(to_integer(count)?);
    }
    row.push(to_integer_or_null(covered.map(|covered| covered.sets.into()))?);
    row.push(to_integer_or_null(covered.map(|covered| covered.weight))?);
    row.push(to_integer_or_null(chosen)?);
    table::write(connection, id, "tasks", row)
}

/// Changes the table of partial results from its current contents, `written`, to `partials`. Writes only the
/// rows that differ.
pub fn write_partials(
    connection: &Connection,
    id: i64,
    written: &BTreeMap<usize, Done<Tally>>,
    partials: &BTreeMap<usize, Done<Tally>>,
) -> rusqlite::Result<()> {
    if written == partials {
        return Ok(());
    }
    for task in written.keys().filter(|task| !partials.contains_key(task)) {
        let task = to_integer(*task as u64)?;
        connection.execute("DELETE FROM in_work WHERE task = ?", [task])?;
    }
    let is_new = |partial: &&Done<Tally>| written.get(&partial.task) != Some(partial);
    for partial in partials.values().filter(is_new) {
        let Coverage { sets, weight } = partial.result.covered.unwrap_or_default();
        let row = vec![
            to_integer(partial.task as u64)?,
            Value::Real(partial.took.as_secs_f64()),
            to_integer(partial.result.single)?,
            Value::Integer(sets.into()),
            to_integer(weight)?,
            to_integer_or_null(partial.result.chosen)?,
        ];
        table::write(connection, id, "in_work", row)?;
    }
    Ok(())
}

/// Inserts or updates a session.
pub fn write_session(connection: &Connection, id: i64, session: &Session) -> rusqlite::Result<()> {
    let Circumstances { form, backend, program, host, started, seconds } = &session.circumstances;
    let text = |text: &str| Value::Text(text.to_owned());
    let row = vec![
        Value::Integer(session.number.into()),
        text(&session.host),
        Value::Integer(session.process.into()),
        text(started),
        Value::Real(seconds.get()),
        text(form.id()),
        text(backend.kind.id()),
        text(&backend.device),
        text(&backend.detail),
        text(&program.name),
        text(&program.version),
        text(&program.commit),
        text(&host.os),
        text(&host.cpu),
        Value::Integer(host.threads.into()),
    ];
    table::write(connection, id, "sessions", row)
}

/// Converts a number to SQLite's signed 64-bit integer. The counts of all boards up to N = 28 fit.
fn to_integer(number: u64) -> rusqlite::Result<Value> {
    let number = i64::try_from(number);
    number
        .map(Value::Integer)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

fn to_integer_or_null(number: Option<u64>) -> rusqlite::Result<Value> {
    number.map_or(Ok(Value::Null), to_integer)
}
