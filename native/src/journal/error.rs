//! Why a journal cannot be used.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::{
    lease::Holder,
    table::{LAYOUT, Unreadable},
};

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// There is no such file.
    #[error("there is no journal {}", .file.display())]
    Missing {
        /// The file.
        file: PathBuf,
    },
    /// The file holds something else.
    #[error("{} is not a journal of a count", .file.display())]
    NotAJournal {
        /// The file.
        file: PathBuf,
    },
    /// The file was written by a later program.
    #[error(
        "{} was written by a later version of this program (layout {layout}, this one knows \
         {LAYOUT})",
        .file.display()
    )]
    Later {
        /// The file.
        file: PathBuf,
        /// Its layout.
        layout: i32,
    },
    /// What the file holds cannot all be true, or cannot be read.
    #[error("the journal {} is damaged: {what}", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What was found.
        what: String,
    },
    /// The plan of tasks is none of this program's.
    #[error(
        "the journal {} is of a plan of tasks that this program does not know: {what}",
        .file.display()
    )]
    UnknownPlan {
        /// The file.
        file: PathBuf,
        /// What is unknown about it.
        what: String,
    },
    /// It is the journal of another count.
    #[error("{} is the journal of {theirs}, not of {ours}", .file.display())]
    OtherRun {
        /// The file.
        file: PathBuf,
        /// What it is of.
        theirs: String,
        /// What was asked for.
        ours: String,
    },
    /// The file cannot be opened or made.
    #[error("the journal {} cannot be opened: {cause}", .file.display())]
    Open {
        /// The file.
        file: PathBuf,
        /// Why.
        cause: rusqlite::Error,
    },
    /// What was finished cannot be written down.
    #[error("the journal {} cannot be written: {cause}", .file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        cause: rusqlite::Error,
    },
    /// Somebody else works on it now.
    #[error(
        "the journal {} was taken over{}, because its lease had run out",
        .file.display(), .holder.as_ref().map(|holder| format!(" by {holder}")).unwrap_or_default()
    )]
    Lost {
        /// The file.
        file: PathBuf,
        /// Who does; none if it has been released since.
        holder: Option<Holder>,
    },
}

/// What a failure of the database means while a journal is opened or read.
pub fn of_database(file: &Path, cause: rusqlite::Error) -> JournalError {
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
        // Tables or columns that are not there, values of another kind, pages that contradict each
        // other.
        _ => JournalError::Damaged { file, what: cause.to_string() },
    }
}

/// What a failure of the database means while something is written.
pub fn of_writing(file: &Path, cause: rusqlite::Error) -> JournalError {
    JournalError::Write { file: file.to_owned(), cause }
}

/// What it means that a table cannot be read.
pub fn of_reading(file: &Path, cause: Unreadable) -> JournalError {
    match cause {
        Unreadable::Database(cause) => of_database(file, cause),
        Unreadable::Damaged { table, row } => {
            let what = format!("row {row} of its {table} is not as it was written");
            JournalError::Damaged { file: file.to_owned(), what }
        }
    }
}
