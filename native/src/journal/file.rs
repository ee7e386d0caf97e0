//! Opens journal files and rejects other files.

use std::{path::Path, time::Duration};

use queens_core::document;
use rusqlite::{Connection, TransactionBehavior};

use super::{
    contents::{self, Contents, TABLES},
    error::{self, JournalError},
    lock::Locking,
    run::Run,
    table::LAYOUT,
};
use crate::sqlite::{self, FileContents, FileKind};

/// File format.
const FORMAT: FileKind = FileKind { application: document::JOURNAL, layout: LAYOUT };

/// Maximum wait of an operation for another process that reads or writes the file. The timeout is short
/// because the user waits for the last commit after Ctrl-C. A failed commit is tried again.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Returns whether a file is a journal of any version, by its application id.
pub fn is_journal(file: &Path) -> bool {
    sqlite::start::<72>(file).is_some_and(|start| document::is_journal(&start))
}

/// Opens an existing file.
pub fn open_existing(file: &Path, locking: Locking) -> Result<Connection, JournalError> {
    // If the system cannot tell whether the file exists, opening it gives the reason.
    if matches!(file.try_exists(), Ok(false)) {
        return Err(JournalError::Missing { file: file.into() });
    }
    connect(file, false, locking)
}

/// Opens a journal file. If the file is missing or empty, creates the journal of `run` in it.
pub fn open_or_create(
    file: &Path,
    run: &Run,
    locking: Locking,
) -> Result<Connection, JournalError> {
    let mut connection = connect(file, true, locking)?;
    let create = |connection: &mut Connection| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Check again inside the transaction, where no other process can create the tables.
        if FORMAT.identify(&transaction)? == FileContents::Nothing {
            FORMAT.create(&transaction, TABLES)?;
            contents::write_run(&transaction, fastrand::i64(..), run)?;
        }
        transaction.commit()
    };
    let database_error = |cause| error::database_error(file, cause);
    if FORMAT.identify(&connection).map_err(database_error)? == FileContents::Nothing {
        create(&mut connection).map_err(database_error)?;
    }
    Ok(connection)
}

/// Reads all contents in one transaction. Rejects other files, other versions and damaged journals.
pub fn read(file: &Path, connection: &mut Connection) -> Result<Contents, JournalError> {
    let database_error = |cause| error::database_error(file, cause);
    let transaction = connection.transaction().map_err(database_error)?;
    match FORMAT.identify(&transaction).map_err(database_error)? {
        FileContents::This => {}
        FileContents::OtherLayout(layout) => {
            return Err(JournalError::OtherLayout { file: file.into(), layout });
        }
        FileContents::Nothing => return Err(JournalError::Empty { file: file.into() }),
        FileContents::Other => return Err(JournalError::NotAJournal { file: file.into() }),
    }
    Contents::read(file, &transaction)
}

fn connect(
    file: &Path,
    create_if_missing: bool,
    locking: Locking,
) -> Result<Connection, JournalError> {
    let database_error = |cause| error::database_error(file, cause);
    let connection = sqlite::open(file, create_if_missing, locking == Locking::On, BUSY_TIMEOUT)
        .map_err(database_error)?;
    // With this setting, each commit is on the disk when it returns. With FULL, SQLite does not sync the
    // folder after it removes the rollback log. After a power failure, the log could be back, and SQLite
    // would undo the last commit.
    connection.pragma_update(None, "synchronous", "EXTRA").map_err(database_error)?;
    Ok(connection)
}
