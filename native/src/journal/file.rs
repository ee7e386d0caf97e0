//! Opening the file of a journal, and refusing files that are none.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::{
    contents::{self, Contents, TABLES},
    error::{self, JournalError},
    run::Run,
    table::LAYOUT,
};

/// Marks the file as one of ours ("Qunj"), so that no other program's database is written to.
const APPLICATION_ID: i32 = 0x5175_6e6a;

/// How long somebody waits for another process that reads or writes the file: on a slow disk a commit
/// takes seconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a commit waits for such a process: whoever presses Ctrl-C waits for it, too. One that
/// fails is tried again.
pub const PATIENCE_OF_COMMITS: Duration = Duration::from_secs(2);

/// Opens a file that is there.
pub fn existing(file: &Path) -> Result<Connection, JournalError> {
    if !file.exists() {
        return Err(JournalError::Missing { file: file.into() });
    }
    connect(file, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

/// Opens a file, or makes it the journal of `run` if it is not there or empty.
pub fn new_or_existing(file: &Path, run: &Run) -> Result<Connection, JournalError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let mut connection = connect(file, flags)?;
    let make = |connection: &mut Connection| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Only now can nobody else make it.
        if has_nothing(&transaction)? {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", LAYOUT)?;
            contents::write_run(&transaction, fastrand::i64(..), run)?;
        }
        transaction.commit()
    };
    let failed = |cause| error::of_database(file, cause);
    if has_nothing(&connection).map_err(failed)? {
        make(&mut connection).map_err(failed)?;
    }
    Ok(connection)
}

/// Whether a file that is there holds nothing, not even another program's data.
pub fn is_empty(file: &Path) -> Result<bool, JournalError> {
    has_nothing(&existing(file)?).map_err(|cause| error::of_database(file, cause))
}

/// Reads everything in one moment, and refuses what is no journal, another version's or damaged.
pub fn read(file: &Path, connection: &mut Connection) -> Result<Contents, JournalError> {
    let failed = |cause| error::of_database(file, cause);
    let transaction = connection.transaction().map_err(failed)?;
    let pragma = |name| transaction.pragma_query_value(None, name, |row| row.get(0));
    let application: i32 = pragma("application_id").map_err(failed)?;
    let layout: i32 = pragma("user_version").map_err(failed)?;
    match (application, layout) {
        (APPLICATION_ID, LAYOUT) => {}
        (APPLICATION_ID, layout) if layout > LAYOUT => {
            return Err(JournalError::Later { file: file.into(), layout });
        }
        (APPLICATION_ID, layout @ 1..LAYOUT) => {
            return Err(JournalError::Earlier { file: file.into(), layout });
        }
        _ => return Err(JournalError::NotAJournal { file: file.into() }),
    }
    // What is wrong with the pages shows before anything is written to them.
    let check = "PRAGMA integrity_check(1)";
    let what: String = transaction.query_row(check, [], |row| row.get(0)).map_err(failed)?;
    if what != "ok" {
        return Err(JournalError::Damaged { file: file.into(), what });
    }
    Contents::read(file, &transaction)
}

fn has_nothing(connection: &Connection) -> rusqlite::Result<bool> {
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let application: i32 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    Ok(tables == 0 && application == 0)
}

fn connect(file: &Path, flags: OpenFlags) -> Result<Connection, JournalError> {
    let failed = |cause| error::of_database(file, cause);
    let connection = Connection::open_with_flags(on_disk(file), flags).map_err(failed)?;
    // Each commit is on the disk before the next one.
    connection
        .busy_timeout(PATIENCE)
        .and_then(|()| connection.pragma_update(None, "synchronous", "FULL"))
        .map_err(failed)?;
    Ok(connection)
}

/// Some names, such as `:memory:`, are no files to SQLite; with a folder they are.
fn on_disk(file: &Path) -> PathBuf {
    Path::new(".").join(file)
}
