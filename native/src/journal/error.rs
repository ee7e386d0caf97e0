//! Errors of journals.

use std::{
    io,
    path::{Path, PathBuf},
};

use rusqlite::ErrorCode;

use super::table::{LAYOUT, Unreadable};
use crate::{paths, sqlite};

/// Reasons why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file does not exist.
    #[error("journal not found: {}", paths::shown(.file))]
    Missing { file: PathBuf },
    /// The file is not a journal.
    #[error("{} is not a queens journal", paths::shown(.file))]
    NotAJournal { file: PathBuf },
    /// The file is empty: its count ended before the first commit.
    #[error("the journal {} is empty: no count has saved anything in it", paths::shown(.file))]
    Empty { file: PathBuf },
    /// Another version of queens wrote the file, with a layout that this version does not read.
    #[error(
        "{} was written by another version of queens (layout {layout}; this version reads {LAYOUT})",
        paths::shown(.file)
    )]
    OtherLayout { file: PathBuf, layout: i32 },
    /// The content is contradictory or unreadable.
    #[error("the journal {} is damaged: {what}", paths::shown(.file))]
    Damaged {
        file: PathBuf,
        /// The damage, in one clause.
        what: String,
    },
    /// This version does not know the task plan.
    #[error(
        "the journal {} uses a task plan that this version does not know: {what}",
        paths::shown(.file)
    )]
    UnknownPlan {
        file: PathBuf,
        /// The unknown part of the plan.
        what: String,
    },
    /// The journal belongs to another count.
    #[error("{} belongs to another count, {in_journal}; this count is {requested}", paths::shown(.file))]
    OtherRun {
        file: PathBuf,
        /// The count that the journal belongs to.
        in_journal: String,
        /// The requested count.
        requested: String,
    },
    /// The file cannot be opened or created.
    #[error("cannot open the journal {}: {}", paths::shown(.file), sqlite::open_error_reason(.file, .cause))]
    Open { file: PathBuf, cause: rusqlite::Error },
    /// Results cannot be written.
    #[error("cannot write to the journal {}: {}", paths::shown(.file), sqlite::reason(.cause))]
    Write { file: PathBuf, cause: rusqlite::Error },
    /// The lock file cannot be opened or locked.
    #[error("cannot lock {}: {}", paths::shown(.file), paths::reason(.cause))]
    Lock { file: PathBuf, cause: io::Error },
}

/// Hint for file systems without locks.
const NO_LOCKS: &str = "if its file system has no locks, and no other process uses the journal, count with \
                        `--no-lock`";

impl JournalError {
    /// Returns whether results cannot be written because another program has removed or replaced the file.
    #[must_use]
    pub fn is_file_gone(&self) -> bool {
        matches!(self, JournalError::Write { cause, .. } if sqlite::is_file_gone(cause))
    }

    /// Returns what the user of the command can do about the error.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            JournalError::Missing { .. } => "`queens status` lists the automatic journals",
            JournalError::OtherLayout { .. } => {
                "finish the count with that version, or remove the file to start it again"
            }
            JournalError::Damaged { .. } => {
                "restore the journal from a copy, or delete it to start the count again"
            }
            JournalError::UnknownPlan { .. } => {
                "resume it with the version of queens that wrote it"
            }
            JournalError::Empty { .. } => "start the count with `queens count` and `--journal`",
            JournalError::OtherRun { .. } => "name another file with `--journal`",
            JournalError::Lock { .. } => NO_LOCKS,
            JournalError::Open { cause, .. } if sqlite::cannot_lock(cause) => NO_LOCKS,
            JournalError::NotAJournal { .. }
            | JournalError::Open { .. }
            | JournalError::Write { .. } => return None,
        };
        Some(hint.to_owned())
    }
}

/// Converts a database error that occurs while a journal is opened or read.
pub fn database_error(file: &Path, cause: rusqlite::Error) -> JournalError {
    let file = file.to_owned();
    match cause.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => JournalError::NotAJournal { file },
        Some(
            ErrorCode::CannotOpen
            | ErrorCode::PermissionDenied
            | ErrorCode::ReadOnly
            | ErrorCode::DiskFull
            | ErrorCode::SystemIoFailure
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::OutOfMemory,
        ) => JournalError::Open { file, cause },
        // Missing tables or columns, values of another type, or inconsistent pages.
        _ => JournalError::Damaged { file, what: cause.to_string() },
    }
}

/// Converts a database error that occurs during a write.
pub fn write_error(file: &Path, cause: rusqlite::Error) -> JournalError {
    JournalError::Write { file: file.to_owned(), cause }
}

/// Converts an error of reading a table.
pub fn read_error(file: &Path, cause: Unreadable) -> JournalError {
    match cause {
        Unreadable::Database(cause) => database_error(file, cause),
        Unreadable::Damaged { table, row } => {
            let what = format!("row {row} of table {table} has a wrong checksum or value");
            JournalError::Damaged { file: file.to_owned(), what }
        }
    }
}
