//! Errors of the result database.

use std::path::PathBuf;

use rusqlite::ErrorCode;

use crate::{paths, sqlite};

/// Version of the schema. Increase it when a table changes.
pub(super) const LAYOUT: i32 = 3;

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
    /// Another version of queens wrote the file.
    #[error(
        "{} was written by another version of queens (layout {layout}; this version reads {LAYOUT})",
        paths::shown(.file)
    )]
    OtherLayout { file: PathBuf, layout: i32 },
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
    /// The database failed. SQLite's error is not the `source`, because this message already contains it.
    #[error("{}: {}", if is_damage(.0) { "the result database is damaged" } else { "result database error" }, sqlite::reason(.0))]
    Database(rusqlite::Error),
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
            StoreError::NotAStore { .. } | StoreError::OtherLayout { .. } => {
                "name another file with `--store`"
            }
            StoreError::Corrupt { .. } => {
                "restore the database from a copy, or name another file with `--store`"
            }
            StoreError::Gone { .. } | StoreError::Replaced { .. } => {
                "move it back; stop the server before you move or replace a database"
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
            StoreError::Corrupt { .. } => Some(ErrorCode::DatabaseCorrupt),
            _ => None,
        }
    }
}
