//! Errors of the result database.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::{paths, sqlite};

/// Version of the schema. Increase it when a table changes.
pub(super) const LAYOUT: i32 = 1;

/// Reasons why a store cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The user has no home directory and so no data folder.
    #[error("cannot find the user's data folder")]
    NoDataFolder,
    /// The folder of the file cannot be created.
    #[error("cannot create the folder {} for the results", paths::shown(.folder))]
    Folder {
        folder: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file is another kind of database, or not a database.
    #[error("{} is not a result database", paths::shown(.file))]
    NotAStore { file: PathBuf },
    /// The file was written by a newer version.
    #[error(
        "{} was written by a newer version of queens (layout {layout}; this version reads up to \
         {LAYOUT})",
        paths::shown(.file)
    )]
    Later { file: PathBuf, layout: i32 },
    /// The file cannot be opened.
    #[error(
        "cannot open the result database {}: {}", paths::shown(.file), sqlite::open_error_reason(.file, .cause)
    )]
    Open { file: PathBuf, cause: rusqlite::Error },
    /// SQLite found damage when it opened the file.
    #[error("the result database {} is damaged: {what}", paths::shown(.file))]
    Corrupt {
        file: PathBuf,
        /// The damage, in one clause.
        what: String,
    },
    /// A document does not match its id: the document is damaged, or the file was restored from a backup and
    /// its write-ahead log belongs to the file that it replaced.
    #[error(
        "the document in row {number} of the result database {} is damaged, or the database does not \
         belong to its log",
        paths::shown(.file)
    )]
    Mixed {
        file: PathBuf,
        /// The number of the first such result.
        number: i64,
    },
    /// The file cannot be written.
    #[error("the result database {} is read-only", paths::shown(.file))]
    ReadOnly { file: PathBuf },
    /// A stored document does not match its id.
    #[error("the stored result {id} is damaged")]
    Damaged { id: String },
    /// The file was removed after it was opened.
    #[error("the result database {} no longer exists", paths::shown(.file))]
    Gone { file: PathBuf },
    /// Another file has taken the name of the file after it was opened.
    #[error("the result database {} was replaced by another file", paths::shown(.file))]
    Replaced { file: PathBuf },
    /// Another program has changed the file, which may now mix pages of both programs.
    #[error(
        "the result database {} was changed by another program; restart the server, which checks it",
        paths::shown(.file)
    )]
    Overwritten { file: PathBuf },
    /// The write-ahead log or its index was removed, replaced or overwritten after it was opened.
    #[error(
        "the write-ahead log of the result database {} or its index was removed, replaced or \
         overwritten; restart the server, and leave the files -wal and -shm alone while it runs",
        paths::shown(.file)
    )]
    LogReplaced { file: PathBuf },
    /// The last changes are only in the write-ahead log, because they could not be copied to the file.
    #[error(
        "the last results are only in the log of the result database {}: {reason}",
        paths::shown(.file)
    )]
    LogKept { file: PathBuf, reason: String },
    /// The database failed. SQLite's error is not the `source`, because this message already contains it.
    #[error("{}: {}", if is_damage(.0) { "the result database is damaged" } else { "result database error" }, sqlite::reason(.0))]
    Database(rusqlite::Error),
}

/// Returns the names of the database's log and its index, for a hint.
fn log_files(database: &Path) -> String {
    let [_, log, index] = sqlite::side_files(database);
    format!("{} and {}", paths::shown(&log), paths::shown(&index))
}

/// Returns whether SQLite has found the file damaged.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt)
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Database(error)
    }
}

impl StoreError {
    /// Returns what the user of the command can do about the error.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            StoreError::NoDataFolder => "name a file with `--store`",
            StoreError::NotAStore { .. } => "name another file with `--store`",
            StoreError::Later { .. } => {
                "install a newer version of queens, or name another file with `--store`"
            }
            StoreError::Open { file, .. } => return sqlite::open_error_hint(file),
            StoreError::Corrupt { file, .. } => {
                return Some(format!(
                    "delete its log, {}, if there is one; then restore the database from a copy, or name \
                     another file with `--store`",
                    log_files(file)
                ));
            }
            StoreError::Gone { file } | StoreError::Replaced { file } => {
                let [_, log, _] = sqlite::side_files(file);
                return Some(format!(
                    "if it was moved, the moved file has all results; otherwise move its log, {}, which may \
                     have the last ones, to another folder; stop the server before you move or replace a \
                     database",
                    paths::shown(&log)
                ));
            }
            StoreError::Overwritten { file } => {
                return Some(format!(
                    "if a backup was restored while the server ran, delete the log, {}, and restore the \
                     backup again",
                    log_files(file)
                ));
            }
            StoreError::Mixed { file, number } => {
                return Some(format!(
                    "first copy the database and its log, {}; then, if a backup was restored, delete the \
                     log and restore the backup again, or otherwise delete only the damaged result: \
                     `sqlite3 {} 'DELETE FROM results WHERE number = {number}'`",
                    log_files(file),
                    paths::shell_quoted(file)
                ));
            }
            StoreError::LogKept { file, .. } => {
                return Some(format!(
                    "do not delete {}; if the database was moved, move and rename them with it",
                    log_files(file)
                ));
            }
            StoreError::ReadOnly { .. } => "make it writable, or name another file with `--store`",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    /// Returns SQLite's error code, if the error comes from the database.
    #[must_use]
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            StoreError::Database(error) | StoreError::Open { cause: error, .. } => {
                error.sqlite_error_code()
            }
            StoreError::Corrupt { .. } | StoreError::Mixed { .. } => {
                Some(ErrorCode::DatabaseCorrupt)
            }
            _ => None,
        }
    }
}
