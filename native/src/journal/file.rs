//! Opening the file of a journal, and refusing files that are none.

use std::{path::Path, time::Duration};

use rusqlite::{Connection, TransactionBehavior};

use super::{
    contents::{self, Contents, TABLES},
    error::{self, JournalError},
    run::Run,
    table::LAYOUT,
};
use crate::sqlite::{self, Format, Holds};

/// Its application id is "Qunj".
const FORMAT: Format = Format { application: 0x5175_6e6a, layout: LAYOUT };

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
    connect(file, false)
}

/// Opens a file, or makes it the journal of `run` if it is not there or empty.
pub fn new_or_existing(file: &Path, run: &Run) -> Result<Connection, JournalError> {
    let mut connection = connect(file, true)?;
    let make = |connection: &mut Connection| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Only now can nobody else make it.
        if FORMAT.identify(&transaction)? == Holds::Nothing {
            FORMAT.create(&transaction, TABLES)?;
            contents::write_run(&transaction, fastrand::i64(..), run)?;
        }
        transaction.commit()
    };
    let failed = |cause| error::of_database(file, cause);
    if FORMAT.identify(&connection).map_err(failed)? == Holds::Nothing {
        make(&mut connection).map_err(failed)?;
    }
    Ok(connection)
}

/// Whether a file that is there holds nothing, not even another program's data.
pub fn is_empty(file: &Path) -> Result<bool, JournalError> {
    let holds = FORMAT.identify(&existing(file)?);
    Ok(holds.map_err(|cause| error::of_database(file, cause))? == Holds::Nothing)
}

/// Reads everything in one moment, and refuses what is no journal, another version's or damaged.
pub fn read(file: &Path, connection: &mut Connection) -> Result<Contents, JournalError> {
    let failed = |cause| error::of_database(file, cause);
    let transaction = connection.transaction().map_err(failed)?;
    match FORMAT.identify(&transaction).map_err(failed)? {
        Holds::This => {}
        Holds::Later(layout) => return Err(JournalError::Later { file: file.into(), layout }),
        Holds::Earlier(layout) => return Err(JournalError::Earlier { file: file.into(), layout }),
        Holds::Nothing => return Err(JournalError::Empty { file: file.into() }),
        Holds::Other => return Err(JournalError::NotAJournal { file: file.into() }),
    }
    // What is wrong with the pages shows before anything is written to them.
    let check = "PRAGMA integrity_check(1)";
    let what: String = transaction.query_row(check, [], |row| row.get(0)).map_err(failed)?;
    if what != "ok" {
        return Err(JournalError::Damaged { file: file.into(), what });
    }
    Contents::read(file, &transaction)
}

fn connect(file: &Path, creates: bool) -> Result<Connection, JournalError> {
    let failed = |cause| error::of_database(file, cause);
    let connection = sqlite::open(file, creates, PATIENCE).map_err(failed)?;
    // Each commit is on the disk before the next one.
    connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
    Ok(connection)
}
