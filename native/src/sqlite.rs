//! Opens SQLite files of this program, and distinguishes them from other files.

use std::{
    env,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
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
    /// Tables of an earlier layout.
    Earlier(i32),
    /// Tables of a later layout.
    Later(i32),
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
            (_, layout) if layout > self.layout => FileContents::Later(layout),
            (_, layout) if layout > 0 => FileContents::Earlier(layout),
            _ => FileContents::Other,
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

/// Returns the application id of a database; `None` if the file is not a database.
pub fn application(file: &Path) -> Option<i32> {
    /// Position of the id in the header.
    const ID: usize = 68;
    let start = start::<{ ID + 4 }>(file).filter(|_| is_database(file))?;
    start.get(ID..)?.try_into().ok().map(i32::from_be_bytes)
}

/// Returns the path of the database for which SQLite would create a side file of this name: `x` for
/// `x-journal`, `x-wal` and `x-shm`. Returns `None` for any other name.
pub fn database_of_side_file(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_str()?;
    let database = SIDE_FILES.iter().find_map(|ending| name.strip_suffix(ending))?;
    (!database.is_empty()).then(|| file.with_file_name(database))
}

/// Endings of the names of SQLite's side files: the rollback journal, the write-ahead log and its index.
const SIDE_FILES: [&str; 3] = ["-journal", "-wal", "-shm"];

/// Returns the file that symbolic links lead to, even if it does not exist yet. SQLite keeps the side files
/// in the folder of this file.
pub fn end_of_links(file: &Path) -> PathBuf {
    let mut end = file.to_owned();
    for _ in 0..paths::MAX_LINKS {
        match paths::link_target(&end) {
            Some(next) => end = next,
            None => break,
        }
    }
    end
}

/// Returns the existing database for which SQLite uses a file of this name as a side file, if there is one.
/// SQLite would overwrite or delete any other file of this name.
pub fn owner_of_side_file(file: &Path) -> Option<PathBuf> {
    database_of_side_file(&end_of_links(file)).filter(|database| is_database(database))
}

/// Returns the paths of a database's side files, in the order of `SIDE_FILES`.
pub fn side_files(database: &Path) -> [PathBuf; 3] {
    let end = end_of_links(database);
    SIDE_FILES.map(|ending| side_file(&end, ending))
}

/// Returns the path of the side file with this ending. `end` is the database's file, which is not a link.
pub fn side_file(end: &Path, ending: &str) -> PathBuf {
    let mut path = end.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// Returns the log of a missing or empty database, if the log has changes of a database that was moved away.
/// SQLite would delete the log.
fn stranded_log(database: &Path) -> Option<PathBuf> {
    /// Position, in the header of a rollback journal, of the number of pages that the database had before.
    const PAGES_BEFORE: usize = 16;
    let [rollback, log, _] = side_files(database);
    // A log that SQLite no longer needs begins with zeros.
    let has_log = start::<1>(&log).is_some_and(|start| start != [0] && !start.is_empty());
    // If the transaction that creates a database is interrupted, the database was empty before.
    let has_rollback = start::<{ PAGES_BEFORE + 4 }>(&rollback).is_some_and(|start| {
        start.first() != Some(&0) && start.iter().skip(PAGES_BEFORE).any(|&byte| byte != 0)
    });
    let found = if has_log { Some(log) } else { has_rollback.then_some(rollback) };
    // Look at the database last, because another process may just have created it.
    found.filter(|_| !fs::metadata(database).is_ok_and(|metadata| metadata.len() > 0))
}

/// Returns a file that has the name of a side file of `database`, but that SQLite did not write. SQLite would
/// take it for an invalid log and delete it.
fn foreign_side_file(database: &Path) -> Option<PathBuf> {
    let is_foreign = |path: &Path, starts: &[[u8; 4]]| {
        // A log that SQLite no longer needs may remain, empty or beginning with zeros.
        start::<4>(path).is_some_and(|start| {
            start.iter().any(|&byte| byte != 0) && !starts.iter().any(|own| own.starts_with(&start))
        })
    };
    let [rollback, log, index] = side_files(database);
    if is_foreign(&rollback, &[[0xd9, 0xd5, 0x05, 0xf9]]) {
        return Some(rollback);
    }
    if is_foreign(&log, &[[0x37, 0x7f, 0x06, 0x82], [0x37, 0x7f, 0x06, 0x83]]) {
        return Some(log);
    }
    // An index starts with its version. If there is a log, SQLite rebuilds a damaged index. The index of an open
    // database must not be opened here: closing it would release SQLite's locks on it.
    let is_index_foreign = !log.exists() && is_foreign(&index, &[3_007_000_u32.to_ne_bytes()]);
    is_index_foreign.then_some(index)
}

/// Returns the number of hard links to a file, if there are several. SQLite keeps a log for each name of the
/// file, so the changes in the log of one name would be missing or overwritten under another one.
#[cfg(unix)]
fn hard_links(file: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(file).ok().map(|metadata| metadata.nlink()).filter(|&links| links > 1)
}

#[cfg(not(unix))]
fn hard_links(_: &Path) -> Option<u64> {
    None
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

/// Returns the reason why SQLite must not open a file: data would be lost, or end up in another file than the
/// user named.
fn danger(file: &Path) -> Option<String> {
    if paths::ends_in_separator(file) {
        return Some(paths::IS_A_FOLDER.to_owned());
    }
    if let Some(links) = hard_links(file) {
        return Some(format!(
            "it has {links} names (hard links), each with a log of its own; keep only the name that \
             has a -wal or -journal file beside it, if there is one"
        ));
    }
    if let Some(database) = owner_of_side_file(file) {
        return Some(is_name_of_log(&database));
    }
    if let Some(side_file) = foreign_side_file(file) {
        let side_file = paths::shown(&side_file);
        return Some(format!(
            "{side_file} is not an SQLite log, and SQLite would delete it; move it elsewhere"
        ));
    }
    let log = stranded_log(file)?;
    Some(format!("it is missing or empty, but its log {} is not", paths::shown(&log)))
}

/// Returns the reason why a file cannot have the name of a log of this database.
pub fn is_name_of_log(database: &Path) -> String {
    format!("SQLite uses this name for a log of the database {}", paths::shown(database))
}

/// Returns what the user can do if a file cannot be opened.
pub fn open_error_hint(file: &Path) -> Option<String> {
    let log = stranded_log(file)?;
    Some(format!(
        "if the database was moved, move it back, or move {} beside it under its new name; if it was deleted, \
         delete the log, too",
        paths::shown(&log)
    ))
}

/// Opens a file for reading and writing, and creates it if `creates` is set. A statement waits for
/// other users of the file for up to `timeout`. Without `locks`, SQLite does not lock the file.
pub fn open(
    file: &Path,
    creates: bool,
    locks: bool,
    timeout: Duration,
) -> rusqlite::Result<Connection> {
    // SQLite treats a file of one byte as empty, and would overwrite it.
    if fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.len() == 1) {
        let error = ffi::Error::new(ffi::SQLITE_NOTADB);
        return Err(rusqlite::Error::SqliteFailure(error, None));
    }
    // SQLite would open a pipe or a device, and fail later without a reason.
    let is_special = fs::metadata(file).is_ok_and(|metadata| !metadata.is_file());
    // With a name that is too long, SQLite would fail later and leave an empty file.
    if is_special || danger(file).is_some() || path_length_error(file).is_some() {
        let error = ffi::Error::new(ffi::SQLITE_CANTOPEN);
        return Err(rusqlite::Error::SqliteFailure(error, None));
    }
    // A connection belongs to one thread at a time, so SQLite need not lock it.
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, creates);
    // Names such as `:memory:` and `file:x` have a special meaning in SQLite, but not with a folder in
    // front.
    let file = Path::new(".").join(file);
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
    let cannot_open =
        cause.sqlite_error_code() == Some(ErrorCode::CannotOpen) && !is_at_open_file_limit();
    let access = || cannot_open.then(|| path_length_error(file).or_else(|| access_error(file)));
    let found = paths::obstacle(file).or_else(|| danger(file)).or_else(|| access().flatten());
    found.unwrap_or_else(|| reason(cause))
}

/// Returns the reason if the path is too long for SQLite.
fn path_length_error(file: &Path) -> Option<String> {
    /// Maximum number of bytes of an absolute path without links. SQLite's limit, `MAX_PATHNAME`, is 512 bytes
    /// including the ending `-journal`.
    const MAX_PATH: usize = 504;
    /// Maximum number of bytes of a file name, so that the name of its journal has at most 255.
    const MAX_NAME: usize = 247;
    let file = end_of_links(file);
    let name = file.file_name()?.len();
    if cfg!(unix) && name > MAX_NAME {
        return Some(format!("its name has {name} bytes, and SQLite accepts at most {MAX_NAME}"));
    }
    let folder = fs::canonicalize(paths::folder(&file)).ok()?;
    let length = folder.join(file.file_name()?).as_os_str().len();
    (cfg!(unix) && length > MAX_PATH)
        .then(|| format!("its path has {length} bytes, and SQLite accepts at most {MAX_PATH}"))
}

/// Returns the system's reason why a file cannot be read or, if it does not exist, created.
fn access_error(file: &Path) -> Option<String> {
    match File::open(file) {
        Ok(_) => None,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let folder = paths::folder(file);
            tempfile::tempfile_in(folder).err().map(|error| paths::creation_error(folder, &error))
        }
        Err(error) => Some(paths::reason(&error)),
    }
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
        Some(ErrorCode::CannotOpen) if is_at_open_file_limit() => {
            "this process may open too few files (`ulimit -n`)".to_owned()
        }
        // SQLite's message would be "unable to open database file", with the name.
        Some(ErrorCode::CannotOpen) => {
            "SQLite cannot open it; check the permissions of the file and its folder".to_owned()
        }
        // SQLite's message, "disk I/O error", gets the likely reason.
        Some(ErrorCode::SystemIoFailure) if may_have_grown_a_file(cause) => match file_size_limit()
        {
            Some(limit) => format!(
                "{cause}; this process may write files of up to {limit} bytes only (`ulimit -f`)"
            ),
            None if is_full_index(cause) => format!("{cause}; its disk may be full"),
            None => cause.to_string(),
        },
        _ => cause.to_string(),
    }
}

/// Returns whether the file system rejected a lock.
pub fn cannot_lock(cause: &rusqlite::Error) -> bool {
    matches!(
        cause.sqlite_error().map(|error| error.extended_code),
        Some(ffi::SQLITE_PROTOCOL | ffi::SQLITE_IOERR_LOCK | ffi::SQLITE_IOERR_RDLOCK)
    )
}

/// Returns whether a write failed because another program has removed, moved or replaced the open file.
pub fn is_file_gone(cause: &rusqlite::Error) -> bool {
    cause.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_READONLY_DBMOVED)
}

/// Returns whether the index of a write-ahead log could not grow. SQLite reports a full disk only for other
/// files.
fn is_full_index(cause: &rusqlite::Error) -> bool {
    cause.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_IOERR_SHMSIZE)
}

/// Returns whether this process can open fewer than eight more files. SQLite opens a database, its logs and
/// its folder.
fn is_at_open_file_limit() -> bool {
    let opened: io::Result<Vec<File>> = (0..8).map(|_| File::open(env::temp_dir())).collect();
    opened.is_err_and(|error| paths::is_open_file_limit(&error))
}

/// Returns whether the failed operation may have enlarged a file. SQLite does not report the reason itself.
fn may_have_grown_a_file(cause: &rusqlite::Error) -> bool {
    let code = cause.sqlite_error().map(|error| error.extended_code);
    matches!(
        code,
        Some(
            ffi::SQLITE_IOERR_WRITE
                | ffi::SQLITE_IOERR_TRUNCATE
                | ffi::SQLITE_IOERR_SHMOPEN
                | ffi::SQLITE_IOERR_SHMSIZE
        )
    )
}

/// Returns the maximum size of the files that this process may write, in bytes; `None` if it is unlimited.
#[cfg(unix)]
#[expect(unsafe_code, reason = "no safe function returns this limit")]
fn file_size_limit() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the call only writes the limit to this variable.
    let status = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) };
    (status == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

#[cfg(not(unix))]
const fn file_size_limit() -> Option<u64> {
    None
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
        assert_eq!(application(&file), Some(7));
        assert_eq!(application(folder.path()), None);
        for (name, value, expected) in [
            ("user_version", 1, FileContents::Earlier(1)),
            ("user_version", 3, FileContents::Later(3)),
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

    #[test]
    fn rejects_a_file_of_one_byte_and_leaves_it_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("byte");
        fs::write(&file, "x").unwrap();
        let error = open(&file, true, true, Duration::ZERO).unwrap_err();
        assert_eq!(error.sqlite_error_code(), Some(ErrorCode::NotADatabase));
        assert_eq!(fs::read(&file).unwrap(), b"x");
    }

    #[test]
    fn rejects_a_database_beside_a_foreign_side_file_and_keeps_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("any.sqlite");
        let connection = open(&file, true, true, Duration::ZERO).unwrap();
        FORMAT.create(&connection, "CREATE TABLE numbers (number)").unwrap();
        drop(connection);
        for ending in ["-journal", "-wal"] {
            let side_file = folder.path().join(format!("any.sqlite{ending}"));
            assert_eq!(database_of_side_file(&side_file).as_ref(), Some(&file));
            for own in ["", "\0\0\0\0\0\0\0\0"] {
                fs::write(&side_file, own).unwrap();
                assert!(open(&file, false, true, Duration::ZERO).is_ok(), "{ending} {own:?}");
            }
            fs::write(&side_file, "{\"total\": 92}").unwrap();
            let error = open(&file, false, true, Duration::ZERO).unwrap_err();
            let reason = open_error_reason(&file, &error);
            assert!(
                reason.contains(&format!("any.sqlite{ending} is not an SQLite log")),
                "{reason}"
            );
            assert_eq!(fs::read(&side_file).unwrap(), b"{\"total\": 92}");
            fs::remove_file(&side_file).unwrap();
        }
        assert!(is_database(&file) && !is_database(folder.path()));
        assert_eq!(database_of_side_file(Path::new("-wal")), None);
        assert_eq!(database_of_side_file(&file), None);
    }

    #[test]
    fn rejects_a_missing_database_whose_log_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let named = |name: &str| folder.path().join(name);
        let file = named("any.sqlite");
        for (mode, ending) in [("WAL", "-wal"), ("DELETE", "-journal")] {
            let connection = open(&file, true, true, Duration::ZERO).unwrap();
            connection.pragma_update(None, "journal_mode", mode).unwrap();
            let change = "CREATE TABLE numbers (number); BEGIN; INSERT INTO numbers VALUES (1)";
            connection.execute_batch(change).unwrap();
            // The changes of the transaction leave memory before its end.
            connection.cache_flush().unwrap();
            let log = named(&format!("any.sqlite{ending}"));
            fs::copy(&log, named("log")).unwrap();
            drop(connection);
            fs::remove_file(&file).unwrap();
            fs::rename(named("log"), &log).unwrap();
            let content = fs::read(&log).unwrap();
            for is_missing in [true, false] {
                if !is_missing {
                    fs::write(&file, "").unwrap();
                }
                let error = open(&file, true, true, Duration::ZERO).unwrap_err();
                let reason = open_error_reason(&file, &error);
                let expected = format!("any.sqlite{ending} is not");
                assert!(reason.ends_with(&expected), "{reason}");
                assert!(open_error_hint(&file).unwrap().contains("delete the log, too"));
                assert_eq!(fs::read(&log).unwrap(), content);
            }
            fs::remove_file(&log).unwrap();
            assert!(open(&file, true, true, Duration::ZERO).is_ok());
            assert_eq!(open_error_hint(&file), None);
            fs::remove_file(&file).unwrap();
        }
        // The transaction that creates a database was interrupted.
        let connection = open(&file, true, true, Duration::ZERO).unwrap();
        connection.execute_batch("BEGIN; CREATE TABLE numbers (number)").unwrap();
        connection.cache_flush().unwrap();
        fs::copy(named("any.sqlite-journal"), named("log")).unwrap();
        drop(connection);
        fs::rename(named("log"), named("any.sqlite-journal")).unwrap();
        fs::write(&file, "").unwrap();
        assert!(open(&file, true, true, Duration::ZERO).is_ok());
    }

    #[test]
    fn rejects_the_name_of_a_log_of_another_database() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("run");
        let connection = open(&file, true, true, Duration::ZERO).unwrap();
        FORMAT.create(&connection, "CREATE TABLE numbers (number)").unwrap();
        for ending in SIDE_FILES {
            let other = folder.path().join(format!("run{ending}"));
            let error = open(&other, true, true, Duration::ZERO).unwrap_err();
            let reason = open_error_reason(&other, &error);
            assert!(reason.starts_with("SQLite uses this name for a log of "), "{reason}");
            assert!(!other.exists());
        }
        assert!(open(&folder.path().join("other-wal"), true, true, Duration::ZERO).is_ok());
    }

    #[test]
    fn names_a_missing_permission_to_write() {
        let error = |code| rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
        let denied = "no permission to write the file or its folder";
        assert_eq!(reason(&error(ffi::SQLITE_READONLY)), denied);
        assert_eq!(reason(&error(ffi::SQLITE_READONLY_DIRECTORY)), denied);
        assert_ne!(reason(&error(ffi::SQLITE_READONLY_DBMOVED)), denied);
    }

    #[test]
    fn rejects_a_path_that_names_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("none/");
        let error = open(&file, true, true, Duration::ZERO).unwrap_err();
        assert_eq!(open_error_reason(&file, &error), "it is a folder, not a file");
        assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
    }

    #[test]
    #[cfg(unix)]
    fn says_if_a_path_is_too_long() {
        let folder = tempfile::tempdir().unwrap();
        let folder = fs::canonicalize(folder.path()).unwrap();
        let deep = folder.join(vec!["x".repeat(100); 4].join("/"));
        fs::create_dir_all(&deep).unwrap();
        let named = |length: usize| deep.join("y".repeat(length - deep.as_os_str().len() - 1));
        assert!(open(&named(504), true, true, Duration::ZERO).is_ok());
        let error = open(&named(505), true, true, Duration::ZERO).unwrap_err();
        assert_eq!(
            open_error_reason(&named(505), &error),
            "its path has 505 bytes, and SQLite accepts at most 504"
        );
        let long = folder.join("z".repeat(248));
        let error = open(&long, true, true, Duration::ZERO).unwrap_err();
        assert_eq!(
            open_error_reason(&long, &error),
            "its name has 248 bytes, and SQLite accepts at most 247"
        );
        assert!(!long.exists());
        assert!(open(&folder.join("z".repeat(247)), true, true, Duration::ZERO).is_ok());
    }

    #[test]
    #[cfg(unix)]
    fn rejects_a_file_with_several_hard_links() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("any.sqlite"), folder.path().join("hard.sqlite"));
        let connection = open(&file, true, true, Duration::ZERO).unwrap();
        FORMAT.create(&connection, "CREATE TABLE numbers (number)").unwrap();
        drop(connection);
        fs::hard_link(&file, &other).unwrap();
        for name in [&file, &other] {
            let error = open(name, true, true, Duration::ZERO).unwrap_err();
            let reason = open_error_reason(name, &error);
            assert!(reason.starts_with("it has 2 names (hard links)"), "{reason}");
        }
        fs::remove_file(&other).unwrap();
        assert!(open(&file, false, true, Duration::ZERO).is_ok());
    }

    #[test]
    fn rejects_a_database_beside_a_foreign_index_and_keeps_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("any.sqlite");
        let index = folder.path().join("any.sqlite-shm");
        for own in [&[][..], &[0; 8], &3_007_000_u32.to_ne_bytes()] {
            fs::write(&index, own).unwrap();
            assert!(open(&file, true, true, Duration::ZERO).is_ok(), "{own:?}");
        }
        fs::write(&index, "1\n2\n3\n").unwrap();
        let error = open(&file, true, true, Duration::ZERO).unwrap_err();
        let reason = open_error_reason(&file, &error);
        assert!(reason.contains("any.sqlite-shm is not an SQLite log"), "{reason}");
        assert_eq!(fs::read(&index).unwrap(), b"1\n2\n3\n");
        // SQLite rebuilds the index of a log, for example after a power failure.
        fs::write(folder.path().join("any.sqlite-wal"), "").unwrap();
        assert!(open(&file, true, true, Duration::ZERO).is_ok());
    }

    #[test]
    #[cfg(unix)]
    fn finds_a_foreign_side_file_behind_a_link_to_no_file() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let named = |name: &str| folder.path().join(name);
        symlink("second", named("first")).unwrap();
        symlink("real", named("second")).unwrap();
        fs::write(named("real-journal"), "my notes").unwrap();
        let error = open(&named("first"), true, true, Duration::ZERO).unwrap_err();
        let reason = open_error_reason(&named("first"), &error);
        assert!(reason.contains("real-journal is not an SQLite log"), "{reason}");
        assert!(!named("real").exists());
    }

    #[test]
    fn explains_why_a_file_cannot_be_opened() {
        let folder = tempfile::tempdir().unwrap();
        let reason = |file: &Path| {
            let error = open(file, true, true, Duration::ZERO).unwrap_err();
            open_error_reason(file, &error)
        };
        assert_eq!(reason(folder.path()), "it is a folder, not a file");
        #[cfg(unix)]
        {
            use std::os::unix::{fs::symlink, net::UnixListener};
            let named = |name| folder.path().join(name);
            let made = std::process::Command::new("mkfifo").arg(named("pipe")).status();
            assert!(made.unwrap().success());
            assert_eq!(reason(&named("pipe")), "it is a pipe, not a file");
            let _listener = UnixListener::bind(named("socket")).unwrap();
            assert_eq!(reason(&named("socket")), "it is a socket, not a file");
            assert_eq!(reason(Path::new("/dev/null")), "it is a device, not a file");
            symlink(named("circle"), named("circle")).unwrap();
            assert_eq!(reason(&named("circle")), "too many levels of symbolic links");
            for name in ["pipe", "socket", "circle"] {
                fs::remove_file(named(name)).unwrap();
            }
        }
        #[cfg(target_os = "linux")]
        {
            // This folder accepts no files, not even from root.
            let reason = reason(Path::new("/proc/self/any.sqlite"));
            assert!(reason.starts_with("cannot create a file in /proc/self: "), "{reason}");
        }
        let missing = folder.path().join("none");
        let expected = format!("the folder {} does not exist", missing.display());
        assert_eq!(reason(&missing.join("any.sqlite")), expected);
        assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
    }
}
