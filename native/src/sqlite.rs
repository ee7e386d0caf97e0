//! Opens SQLite files of this program, and distinguishes them from other files.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
    time::Duration,
};

use rusqlite::{Connection, ErrorCode, OpenFlags, config::DbConfig, ffi};

use crate::paths;

/// A file format, identified by two numbers in SQLite's header.
#[derive(Debug)]
pub struct FileKind {
    /// SQLite's application id. It distinguishes the file from the databases of other programs, which are
    /// never written to.
    pub application: i32,
    /// SQLite's user version, which changes whenever existing tables change.
    pub layout: i32,
}

/// The contents of a file, as identified by [`FileKind::identify`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileContents {
    /// Nothing, not even another program's data.
    Nothing,
    /// Tables of the expected format and layout.
    This,
    /// Tables of another layout.
    OtherLayout(i32),
    /// Data of another program.
    Other,
}

impl FileKind {
    /// Identifies the contents of a file by its application id and user version.
    pub fn identify(&self, connection: &Connection) -> rusqlite::Result<FileContents> {
        let pragma = |name| connection.pragma_query_value(None, name, |row| row.get(0));
        let (application, layout): (i32, i32) =
            (pragma("application_id")?, pragma("user_version")?);
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        Ok(match (application, layout) {
            (0, 0) if tables == 0 => FileContents::Nothing,
            (application, _) if application != self.application => FileContents::Other,
            (_, layout) if layout == self.layout => FileContents::This,
            (_, 0) => FileContents::Other,
            (_, layout) => FileContents::OtherLayout(layout),
        })
    }

    /// Creates the tables in an empty file, and sets its application id and user version. Call this in a
    /// transaction.
    pub fn create(&self, connection: &Connection, tables: &str) -> rusqlite::Result<()> {
        connection.execute_batch(tables)?;
        connection.pragma_update(None, "application_id", self.application)?;
        connection.pragma_update(None, "user_version", self.layout)
    }
}

/// Returns whether a file is an SQLite database that has been written to.
pub fn is_database(file: &Path) -> bool {
    start::<16>(file).is_some_and(|start| start == b"SQLite format 3\0")
}

/// Returns up to `LENGTH` bytes of the start of a regular file, if it can be read.
pub fn start<const LENGTH: usize>(file: &Path) -> Option<Vec<u8>> {
    if !fs::metadata(file).is_ok_and(|metadata| metadata.is_file()) {
        return None;
    }
    let mut start = Vec::new();
    File::open(file).ok()?.take(LENGTH as u64).read_to_end(&mut start).ok()?;
    Some(start)
}

/// Opens a file for reading and writing, and creates it if `creates` is set. A statement waits for
/// other users of the file for up to `timeout`. Without `locks`, SQLite does not lock the file.
pub fn open(
    file: &Path,
    creates: bool,
    locks: bool,
    timeout: Duration,
) -> rusqlite::Result<Connection> {
    // SQLite would open a pipe or a device, and fail later without a reason.
    if paths::obstacle(file).is_some() {
        let error = ffi::Error::new(ffi::SQLITE_CANTOPEN);
        return Err(rusqlite::Error::SqliteFailure(error, None));
    }
    // A connection belongs to one thread at a time, so SQLite need not lock it.
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, creates);
    let connection = if locks || cfg!(not(unix)) {
        Connection::open_with_flags(file, flags)?
    } else {
        Connection::open_with_flags_and_vfs(file, flags, "unix-none")?
    };
    connection.busy_timeout(timeout)?;
    // The file may come from an untrusted source. This program creates no triggers and no views. Foreign
    // ones could undo changes, or run without end.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    Ok(connection)
}

/// Returns the reason why a file cannot be opened. SQLite's own message gives no reason.
pub fn open_error_reason(file: &Path, cause: &rusqlite::Error) -> String {
    paths::obstacle(file).unwrap_or_else(|| reason(cause))
}

/// Returns the reason of a database error. On a file system without locks, SQLite reports a locked file.
pub fn reason(cause: &rusqlite::Error) -> String {
    match cause.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy) => {
            "another program keeps it locked, or its file system does not support locks".to_owned()
        }
        // SQLite's message would be "attempt to write a readonly database".
        _ if is_file_gone(cause) => "another program has removed or replaced it".to_owned(),
        Some(ErrorCode::ReadOnly) => "no permission to write the file or its folder".to_owned(),
        // SQLite's message would be "unable to open database file", with the name.
        Some(ErrorCode::CannotOpen) => {
            "SQLite cannot open it; check the permissions of the file and its folder".to_owned()
        }
        _ => cause.to_string(),
    }
}

/// Returns whether another program keeps the file locked, or the file system rejected a lock.
pub fn cannot_lock(cause: &rusqlite::Error) -> bool {
    cause.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
        || matches!(
            cause.sqlite_error().map(|error| error.extended_code),
            Some(ffi::SQLITE_PROTOCOL | ffi::SQLITE_IOERR_LOCK | ffi::SQLITE_IOERR_RDLOCK)
        )
}

/// Returns whether a write failed because another program has removed, moved or replaced the open file.
pub fn is_file_gone(cause: &rusqlite::Error) -> bool {
    cause.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_READONLY_DBMOVED)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: FileKind = FileKind { application: 7, layout: 2 };

    #[test]
    fn identifies_a_file_by_its_application_id() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("any.sqlite");
        let connection = open(&file, true, true, Duration::ZERO).unwrap();
        let contents = || FORMAT.identify(&connection).unwrap();
        assert_eq!(contents(), FileContents::Nothing);
        FORMAT.create(&connection, "CREATE TABLE numbers (number)").unwrap();
        assert_eq!(contents(), FileContents::This);
        for (name, value, expected) in [
            ("user_version", 1, FileContents::OtherLayout(1)),
            ("user_version", 3, FileContents::OtherLayout(3)),
            ("user_version", 0, FileContents::Other),
            ("application_id", 8, FileContents::Other),
            ("application_id", 0, FileContents::Other),
        ] {
            connection.pragma_update(None, name, value).unwrap();
            assert_eq!(contents(), expected, "{name} = {value}");
        }
    }

    #[test]
    fn disables_triggers_and_views_of_foreign_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("any.sqlite");
        let tables = "
            CREATE TABLE numbers (number);
            CREATE TRIGGER undo AFTER INSERT ON numbers BEGIN DELETE FROM numbers; END;
            CREATE VIEW other_numbers AS SELECT number FROM numbers;";
        Connection::open(&file).unwrap().execute_batch(tables).unwrap();
        let connection = open(&file, false, true, Duration::ZERO).unwrap();
        connection.execute("INSERT INTO numbers VALUES (1)", []).unwrap();
        let count = |table: &str| {
            let select = format!("SELECT count(*) FROM {table}");
            connection.query_row(&select, [], |row| row.get::<_, i64>(0))
        };
        assert_eq!(count("numbers").unwrap(), 1);
        let error = count("other_numbers").unwrap_err().to_string();
        assert!(error.contains("prohibited"), "{error}");
    }
}
