//! The result database: result documents in one SQLite file.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Duration,
};

use etcetera::BaseStrategy;
use queens_core::document::{BackendKind, Document, Summary};
use queens_core::{Checks, Method, Size};
use rusqlite::{
    Connection, ErrorCode, OptionalExtension, TransactionBehavior, named_params, params_from_iter,
    types,
};
use sha2::{Digest, Sha256};

use crate::{
    lock::lock,
    paths,
    sqlite::{self, Format, Holds},
};

/// Version of the schema. Increase it when a table changes.
const LAYOUT: i32 = 1;
/// File format. The application id is "Quns" in ASCII.
const FORMAT: Format = Format { application: 0x5175_6e73, layout: LAYOUT };

const TABLES: &str = "
    CREATE TABLE results (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        n INTEGER NOT NULL,
        method TEXT NOT NULL,
        backend TEXT NOT NULL,
        summary TEXT NOT NULL,
        document TEXT NOT NULL
    ) STRICT;
";
/// Tables and indexes that are added when a store is opened, for databases of older versions. `removals`
/// tells other servers which results were removed; the indexes speed up filtered lists.
///
/// A filter with several conditions uses only one index. With 100,000 results and no match, such a list
/// takes 0.1 s. Indexes for all combinations (seven in total) would slow down each post.
const ADDITIONS: &str = "
    CREATE TABLE IF NOT EXISTS removals (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS results_by_n ON results (n);
    CREATE INDEX IF NOT EXISTS results_by_method ON results (method);
    CREATE INDEX IF NOT EXISTS results_by_backend ON results (backend);
";

/// Number of removals that are kept for [`Store::news`].
const REMEMBERED: i64 = 1000;

/// Soft limit on the size of one page of results, in bytes.
const LONGEST_LIST: usize = 1024 * 1024;

/// Maximum wait of a change for another program that changes the same file.
const PATIENCE: Duration = Duration::from_secs(10);

/// A database of result documents in an SQLite file. Several threads may share a store, and several
/// processes a file.
#[derive(Debug)]
pub struct Store {
    file: PathBuf,
    writer: Mutex<Connection>,
    /// A separate connection, so that readers never wait for writers.
    reader: Mutex<Connection>,
    opened: Files,
}

/// Identities of a store's file and its write-ahead log. They show whether a path still leads to the same
/// file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Files {
    file: Option<FileId>,
    /// The log; `None` if the file system does not support one.
    log: Option<FileId>,
}

impl Files {
    fn of(file: &Path) -> Files {
        let mut log = file.as_os_str().to_owned();
        log.push("-wal");
        Files { file: file_id(file), log: file_id(Path::new(&log)) }
    }
}

/// Device and inode of a file.
#[cfg(unix)]
type FileId = (u64, u64);

#[cfg(unix)]
fn file_id(file: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(file).ok().map(|there| (there.dev(), there.ino()))
}

/// On other systems an open file cannot be replaced.
#[cfg(not(unix))]
type FileId = ();

#[cfg(not(unix))]
fn file_id(file: &Path) -> Option<FileId> {
    file.exists().then_some(())
}

/// Result of adding a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Added {
    /// The document's entry in the list.
    pub summary: Summary,
    /// Whether the document was not in the store before.
    pub is_new: bool,
}

/// Filter for lists. A field that is `None` accepts all documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only boards of this size.
    pub n: Option<Size>,
    /// Only counts by this method.
    pub method: Option<Method>,
    /// Only counts on this kind of backend.
    pub backend: Option<BackendKind>,
}

/// A page of the list, newest documents first.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    pub results: Vec<Summary>,
    /// Ids of the documents on this page whose summary is damaged.
    pub unreadable: Vec<String>,
    /// Start of the next page, if there is one.
    pub next: Option<i64>,
}

/// Position in the sequence of changes, for polling.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Heard {
    /// Number of the newest document.
    result: i64,
    /// Number of the last removal.
    removal: i64,
}

/// Changes in a store, by this process or another one that shares the file. All removals come before all
/// additions.
#[derive(Debug, Clone, PartialEq)]
pub struct News {
    /// Ids of the removed documents.
    pub removed: Vec<String>,
    /// The added documents, oldest first.
    pub added: Vec<Summary>,
    /// Position after these changes.
    pub heard: Heard,
}

/// Errors of the result database.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The user has no home directory and so no data folder.
    #[error("cannot find the user's data folder")]
    NoDataFolder,
    /// The folder of the file cannot be created.
    #[error("cannot create the folder {} for the results", .folder.display())]
    Folder {
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is another kind of database, or not a database.
    #[error("{} is not a result database", .file.display())]
    NotAStore { file: PathBuf },
    /// The file was written by a newer version.
    #[error(
        "{} was written by a newer version of queens (layout {layout}; this version reads up to \
         {LAYOUT})",
        .file.display()
    )]
    Later { file: PathBuf, layout: i32 },
    /// The file cannot be opened.
    #[error(
        "cannot open the result database {}: {}", .file.display(), sqlite::not_opened(.file, .cause)
    )]
    Open { file: PathBuf, cause: rusqlite::Error },
    /// The file cannot be written.
    #[error("the result database {} is read-only", .file.display())]
    ReadOnly { file: PathBuf },
    /// A stored document does not match its id.
    #[error("the stored result {id} is damaged")]
    Damaged { id: String },
    /// The file was removed after it was opened.
    #[error("the result database {} no longer exists", .file.display())]
    Gone { file: PathBuf },
    /// Another file has taken the name of the file after it was opened.
    #[error("the result database {} was replaced by another file", .file.display())]
    Replaced { file: PathBuf },
    /// The write-ahead log was removed or replaced after it was opened.
    #[error("the write-ahead log of the result database {} was removed or replaced", .file.display())]
    LogReplaced { file: PathBuf },
    /// The database failed. The error is not a source, because the library repeats its message.
    #[error("result database error: {0}")]
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Database(error)
    }
}

impl StoreError {
    /// What the user of the command can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            StoreError::NoDataFolder => "name a file with `--store`",
            StoreError::NotAStore { .. } => "name another file with `--store`",
            StoreError::Later { .. } => {
                "install a newer version of queens, or name another file with `--store`"
            }
            StoreError::ReadOnly { .. } => "make it writable, or name another file with `--store`",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    /// Returns the error code of the database, if it failed.
    #[must_use]
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            StoreError::Database(error) | StoreError::Open { cause: error, .. } => {
                error.sqlite_error_code()
            }
            _ => None,
        }
    }
}

impl Store {
    /// Opens the default store, `queens/results.sqlite` in the user's data folder. Creates the file and
    /// its folder if they do not exist.
    pub fn open_default() -> Result<Store, StoreError> {
        let folders = etcetera::choose_base_strategy().map_err(|_| StoreError::NoDataFolder)?;
        let file = folders.data_dir().join("queens").join("results.sqlite");
        let folder = paths::folder(&file);
        fs::create_dir_all(folder)
            .map_err(|source| StoreError::Folder { folder: folder.into(), source })?;
        Store::open(&file)
    }

    /// Opens the store in `file`, and creates the file if it does not exist.
    pub fn open(file: &Path) -> Result<Store, StoreError> {
        let open = |error| match error {
            StoreError::Database(_) if error.code() == Some(ErrorCode::NotADatabase) => {
                StoreError::NotAStore { file: file.into() }
            }
            StoreError::Database(cause) => StoreError::Open { file: file.into(), cause },
            other => other,
        };
        let writer = Mutex::new(Self::connect(file).map_err(open)?);
        let reader = Mutex::new(Self::connection(file).map_err(|error| open(error.into()))?);
        let opened = Files::of(file);
        Ok(Store { file: file.into(), writer, reader, opened })
    }

    /// Checks that the paths of the file and its log still lead to the open files. Otherwise a program
    /// that opens the store later would not find the written data.
    fn is_in_place(&self) -> Result<(), StoreError> {
        let file = || self.file.clone();
        let there = Files::of(&self.file);
        match there.file {
            _ if there == self.opened => Ok(()),
            None => Err(StoreError::Gone { file: file() }),
            found if found == self.opened.file => Err(StoreError::LogReplaced { file: file() }),
            Some(_) => Err(StoreError::Replaced { file: file() }),
        }
    }

    fn connection(file: &Path) -> rusqlite::Result<Connection> {
        sqlite::open(file, true, PATIENCE)
    }

    fn connect(file: &Path) -> Result<Connection, StoreError> {
        let mut connection = Self::connection(file)?;
        if connection.is_readonly("main")? {
            return Err(StoreError::ReadOnly { file: file.into() });
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        match FORMAT.identify(&transaction)? {
            Holds::Nothing => FORMAT.create(&transaction, TABLES)?,
            Holds::This if transaction.table_exists(None, "results")? => {}
            Holds::Later(layout) => return Err(StoreError::Later { file: file.into(), layout }),
            _ => return Err(StoreError::NotAStore { file: file.into() }),
        }
        transaction.execute_batch(ADDITIONS)?;
        transaction.commit()?;
        // In this mode, readers do not wait for a writer.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // The first read in this mode creates the log.
        FORMAT.identify(&connection)?;
        Ok(connection)
    }

    /// Adds a document with the passed checks `verified`. Does nothing if the store already has it.
    ///
    /// # Errors
    /// If the database fails, or its file was removed or replaced.
    pub fn add(&self, document: &Document, verified: Checks) -> Result<Added, StoreError> {
        let text = document.canonical_json();
        let id = digest(&text);
        let summary = Summary::of(document, id, verified);
        let writer = lock(&self.writer);
        self.is_in_place()?;
        let added = writer.execute(
            "INSERT INTO results (id, n, method, backend, summary, document)
             VALUES (:id, :n, :method, :backend, :summary, :document)
             ON CONFLICT (id) DO NOTHING",
            named_params! {
                ":id": summary.id,
                ":n": document.header.n.get(),
                ":method": document.header.method.id(),
                ":backend": document.header.backend.kind.id(),
                ":summary": summary.to_json(),
                ":document": text,
            },
        )?;
        Ok(Added { summary, is_new: added == 1 })
    }

    /// Returns the document with this id as canonical JSON.
    ///
    /// # Errors
    /// If the database fails, or the document is damaged.
    pub fn get(&self, id: &str) -> Result<Option<String>, StoreError> {
        let find = "SELECT document FROM results WHERE id = ?1";
        let found =
            lock(&self.reader).query_row(find, [id], |row| row.get::<_, String>(0)).optional()?;
        match found {
            Some(text) if digest(&text) != id => Err(StoreError::Damaged { id: id.into() }),
            found => Ok(found),
        }
    }

    /// Removes the document with this id, and returns whether the store had it.
    pub fn remove(&self, id: &str) -> Result<bool, StoreError> {
        let mut connection = lock(&self.writer);
        self.is_in_place()?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if transaction.execute("DELETE FROM results WHERE id = ?1", [id])? == 0 {
            return Ok(false);
        }
        transaction.execute("INSERT INTO removals (id) VALUES (?1)", [id])?;
        let forgotten = transaction.last_insert_rowid() - REMEMBERED;
        transaction.execute("DELETE FROM removals WHERE number <= ?1", [forgotten])?;
        transaction.commit()?;
        Ok(true)
    }

    /// Returns up to `limit` documents that match `filter`, newest first, starting below the number
    /// `before`. Returns fewer documents if they are large. For damaged documents, only the ids are
    /// returned.
    pub fn list(
        &self,
        filter: Filter,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Listing, StoreError> {
        let text = |id: &str| types::Value::Text(id.to_owned());
        let conditions = [
            ("n = ?", filter.n.map(|n| n.get().into())),
            ("method = ?", filter.method.map(|method| text(method.id()))),
            ("backend = ?", filter.backend.map(|backend| text(backend.id()))),
            ("number < ?", before.map(types::Value::Integer)),
        ];
        let (conditions, values): (Vec<_>, Vec<_>) =
            conditions.into_iter().filter_map(|(words, value)| Some((words, value?))).unzip();
        let filter = if conditions.is_empty() {
            String::new()
        } else {
            format!("WHERE {}", conditions.join(" AND "))
        };
        let connection = lock(&self.reader);
        let mut find = connection.prepare(&format!(
            "SELECT number, id, summary FROM results {filter} ORDER BY number DESC"
        ))?;
        let mut rows = find.query(params_from_iter(values))?;
        let mut listing = Listing { results: Vec::new(), unreadable: Vec::new(), next: None };
        let (mut bytes, mut last) = (0, None);
        while let Some(row) = rows.next()? {
            let listed = listing.results.len() + listing.unreadable.len();
            if listed >= limit as usize || bytes > LONGEST_LIST {
                listing.next = last;
                break;
            }
            let (number, id, text): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            bytes += text.len();
            last = Some(number);
            match Summary::parse(&text) {
                Ok(summary) => listing.results.push(summary),
                Err(_) => listing.unreadable.push(id),
            }
        }
        Ok(listing)
    }

    /// Returns the changes after `since`, or the oldest of them. Applying the removals and then the
    /// additions gives the current contents, even if a document was removed and added again.
    pub fn news(&self, since: Heard) -> Result<News, StoreError> {
        const MOST: i64 = 100;
        let mut connection = lock(&self.reader);
        // Read both tables in the same state.
        let transaction = connection.transaction()?;
        let rows = |of: &str, after: i64| {
            let mut find = transaction.prepare(of)?;
            let rows = find.query_map([after], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<Result<Vec<(i64, String)>, _>>()
        };
        let removed = rows(
            "SELECT number, id FROM removals WHERE number > ?1 ORDER BY number",
            since.removal,
        )?;
        let added = rows(
            &format!(
                "SELECT number, summary FROM results WHERE number > ?1 ORDER BY number LIMIT {MOST}"
            ),
            since.result,
        )?;
        let last = |rows: &[(i64, String)], before| rows.last().map_or(before, |&(last, _)| last);
        Ok(News {
            heard: Heard {
                result: last(&added, since.result),
                removal: last(&removed, since.removal),
            },
            removed: removed.into_iter().map(|(_, id)| id).collect(),
            added: added.iter().filter_map(|(_, text)| Summary::parse(text).ok()).collect(),
        })
    }

    /// Returns the current position in the sequence of changes.
    pub fn now(&self) -> Result<Heard, StoreError> {
        let find = "SELECT (SELECT coalesce(max(number), 0) FROM results),
                           (SELECT coalesce(max(number), 0) FROM removals)";
        Ok(lock(&self.reader)
            .query_row(find, [], |row| Ok(Heard { result: row.get(0)?, removal: row.get(1)? }))?)
    }
}

/// Returns the document's id: the SHA-256 of its canonical JSON, in hexadecimal.
#[must_use]
pub fn id(document: &Document) -> String {
    digest(&document.canonical_json())
}

fn digest(canonical: &str) -> String {
    hex(&Sha256::digest(canonical))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
impl Store {
    /// Simulates a full disk: the file cannot grow any more.
    pub(crate) fn give_no_more_room(&self) {
        let writer = lock(&self.writer);
        let pages: i64 = writer.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        writer.pragma_update(None, "max_page_count", pages).unwrap();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EIGHT: &str = include_str!("../../tests/data/results/eight.json");
    const ONE: &str = include_str!("../../tests/data/results/one.json");
    const SHARD: &str = include_str!("../../tests/data/results/shard.json");
    const AWKWARD: &str = include_str!("../../tests/data/results/awkward.json");

    fn document(text: &str) -> Document {
        Document::parse(text).unwrap()
    }

    fn filled(file: &Path) -> Store {
        let store = Store::open(file).unwrap();
        for text in [EIGHT, ONE, SHARD] {
            assert!(store.add(&document(text), Checks::NONE).unwrap().is_new);
        }
        store
    }

    fn totals(listing: &Listing) -> Vec<u64> {
        listing.results.iter().map(|each| each.header.total).collect()
    }

    #[test]
    fn a_document_is_kept_once_and_survives_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("results.sqlite");
        let store = filled(&file);
        let again = store.add(&document(EIGHT), Checks::NONE).unwrap();
        assert!(!again.is_new);
        assert_eq!(again.summary.id, id(&document(EIGHT)));
        drop(store);
        let store = Store::open(&file).unwrap();
        let kept = store.get(&again.summary.id).unwrap().unwrap();
        assert_eq!(document(&kept), document(EIGHT));
        assert_eq!(store.get("nothing").unwrap(), None);
    }

    #[test]
    fn the_id_is_the_digest_of_the_canonical_text() {
        // Computed in Python: JSON with sorted keys, without spaces, seconds as 0.0; then SHA-256.
        let expected = "174de9710655a0e1837a044a34367a68d9085b482c05eadc8014ed7f69dbefa0";
        assert_eq!(id(&document(ONE)), expected);
    }

    #[test]
    fn lists_are_filtered_and_come_newest_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(&folder.path().join("results.sqlite"));
        let list = |filter| store.list(filter, None, 10).unwrap();
        assert_eq!(totals(&list(Filter::default())), [40, 1, 92]);
        let n = Size::new(8).ok();
        assert_eq!(totals(&list(Filter { n, ..Filter::default() })), [40, 92]);
        let backend = Some(BackendKind::Wasm);
        assert_eq!(totals(&list(Filter { backend, ..Filter::default() })), [1]);
        assert_eq!(totals(&list(Filter { n, backend, method: None })), [0; 0]);
        let method = Some(Method::Symmetry);
        assert_eq!(totals(&list(Filter { method, ..Filter::default() })).len(), 3);
        let all = list(Filter::default());
        let eight = document(EIGHT);
        assert_eq!(all.results[2], Summary::of(&eight, id(&eight), Checks::NONE));
    }

    #[test]
    fn lists_come_in_parts() {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(&folder.path().join("results.sqlite"));
        let first = store.list(Filter::default(), None, 2).unwrap();
        assert_eq!(totals(&first), [40, 1]);
        let second = store.list(Filter::default(), first.next, 2).unwrap();
        assert_eq!((totals(&second), second.next), (vec![92], None));
        let whole = store.list(Filter::default(), None, 3).unwrap();
        assert_eq!((whole.results.len(), whole.next), (3, None));
    }

    #[test]
    fn large_summaries_make_short_lists() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("results.sqlite")).unwrap();
        for seconds in 1..=40 {
            let mut document = document(EIGHT);
            document.header.seconds = Duration::from_secs(seconds).into();
            document.header.host.cpu = "x".repeat(60_000);
            assert!(store.add(&document, Checks::NONE).unwrap().is_new);
        }
        let (mut found, mut before, mut parts) = (0, None, 0);
        loop {
            let part = store.list(Filter::default(), before, 1000).unwrap();
            let bytes: usize = part.results.iter().map(|each| each.to_json().len()).sum();
            assert!(bytes < 2 * LONGEST_LIST, "{bytes}");
            (found, before, parts) = (found + part.results.len(), part.next, parts + 1);
            if before.is_none() {
                break;
            }
        }
        assert_eq!(found, 40);
        assert!(parts > 1);
    }

    fn opening_failed(file: &Path, reason: &str) -> String {
        format!("cannot open the result database {}: {reason}", file.display())
    }

    #[test]
    fn other_files_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("text");
        let words = "no database, but long enough to be taken for the header of one, page and all";
        fs::write(&text, words.repeat(20)).unwrap();
        let error = Store::open(&text).unwrap_err();
        assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
        assert!(error.to_string().contains("is not a result database"));
        assert_eq!(error.hint().as_deref(), Some("name another file with `--store`"));
        assert_eq!(fs::read_to_string(&text).unwrap(), words.repeat(20));

        let other = folder.path().join("other.sqlite");
        Connection::open(&other).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
        assert!(matches!(Store::open(&other).unwrap_err(), StoreError::NotAStore { .. }));

        let empty = folder.path().join("empty.sqlite");
        drop(filled(&empty));
        Connection::open(&empty).unwrap().execute_batch("DROP TABLE results").unwrap();
        assert!(matches!(Store::open(&empty).unwrap_err(), StoreError::NotAStore { .. }));

        let later = folder.path().join("later.sqlite");
        drop(filled(&later));
        Connection::open(&later).unwrap().pragma_update(None, "user_version", 2).unwrap();
        let error = Store::open(&later).unwrap_err();
        assert!(error.to_string().ends_with("(layout 2; this version reads up to 1)"), "{error}");

        let error = Store::open(folder.path()).unwrap_err();
        let words = "it is a folder, not a file";
        assert_eq!(error.to_string(), opening_failed(folder.path(), words));

        let missing = folder.path().join("none");
        let file = missing.join("results.sqlite");
        let words = format!("the folder {} does not exist", missing.display());
        assert_eq!(Store::open(&file).unwrap_err().to_string(), opening_failed(&file, &words));
        assert!(!missing.exists());
    }

    #[test]
    fn those_who_read_do_not_wait_for_those_who_write() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("results.sqlite");
        let store = filled(&file);
        let mut other = Connection::open(&file).unwrap();
        let held = other.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| store.remove(&id(&document(ONE))).unwrap());
            // Wait until the other thread holds the lock of the writer.
            while store.writer.try_lock().is_ok() {
                std::thread::yield_now();
            }
            assert_eq!(store.list(Filter::default(), None, 10).unwrap().results.len(), 3);
            drop(held);
        });
        assert_eq!(store.list(Filter::default(), None, 10).unwrap().results.len(), 2);
    }

    #[test]
    fn a_store_that_is_gone_or_damaged_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("results.sqlite");
        let store = filled(&file);
        let other = Connection::open(&file).unwrap();
        other.execute("UPDATE results SET summary = '{' WHERE number = 2", []).unwrap();
        let list = store.list(Filter::default(), None, 10).unwrap();
        assert_eq!(totals(&list), [40, 92]);
        assert_eq!(list.unreadable, [id(&document(ONE))]);
        // News skip the damaged document.
        let news = store.news(Heard::default()).unwrap();
        assert_eq!((news.added.len(), news.heard), (2, store.now().unwrap()));
        other.execute("UPDATE results SET document = '{}' WHERE number = 1", []).unwrap();
        let error = store.get(&id(&document(EIGHT))).unwrap_err().to_string();
        assert_eq!(error, format!("the stored result {} is damaged", id(&document(EIGHT))));
        fs::remove_file(&file).unwrap();
        let error = store.add(&document(EIGHT), Checks::NONE).unwrap_err();
        assert!(error.to_string().ends_with("no longer exists"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn a_store_that_was_replaced_takes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("results.sqlite");
        let log = folder.path().join("results.sqlite-wal");
        let refused = |store: &Store| {
            let error = store.add(&document(AWKWARD), Checks::NONE).unwrap_err().to_string();
            assert_eq!(store.remove(&id(&document(EIGHT))).unwrap_err().to_string(), error);
            error.replace(file.to_str().unwrap(), "FILE")
        };
        let moved = filled(&file);
        fs::rename(&file, folder.path().join("away")).unwrap();
        assert_eq!(refused(&moved), "the result database FILE no longer exists");
        // Another server creates a new file with the old name. The old log does not belong to it.
        fs::remove_file(&log).unwrap();
        let second = Store::open(&file).unwrap();
        assert_eq!(refused(&moved), "the result database FILE was replaced by another file");
        assert!(second.add(&document(EIGHT), Checks::NONE).unwrap().is_new);
        assert!(second.remove(&id(&document(EIGHT))).unwrap());
        // Other programs would not find the results in a removed log.
        fs::remove_file(&log).unwrap();
        let words = "the write-ahead log of the result database FILE was removed or replaced";
        assert_eq!(refused(&second), words);
    }

    #[test]
    fn several_stores_share_a_file_and_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("results.sqlite");
        let one = filled(&file);
        for _ in 0..3 {
            let other = Store::open(&file).unwrap();
            assert!(other.remove(&id(&document(ONE))).unwrap());
            drop(other);
            assert!(one.add(&document(ONE), Checks::NONE).unwrap().is_new);
        }
    }

    #[test]
    fn a_damaged_page_is_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("results.sqlite");
        drop(filled(&file));
        let whole = fs::read(&file).unwrap();
        let page = usize::from(u16::from_be_bytes([whole[16], whole[17]]));
        let mut sentences = Vec::new();
        // Skip the first page, which identifies the file.
        for begin in (page..whole.len()).step_by(page) {
            let mut damaged = whole.clone();
            damaged[begin..begin + page].fill(0xa5);
            fs::write(&file, &damaged).unwrap();
            let told = Store::open(&file).and_then(|store| {
                store.list(Filter::default(), None, 10)?;
                store.news(Heard::default())?;
                let kept = [EIGHT, ONE, SHARD].map(|text| store.get(&id(&document(text))));
                kept.into_iter().collect::<Result<Vec<_>, _>>()?;
                store.add(&document(AWKWARD), Checks::NONE)
            });
            sentences.extend(told.err().map(|error| error.to_string()));
        }
        let pages = whole.len() / page - 1;
        println!("{} of {pages} pages are missed: {sentences:#?}", sentences.len());
        assert!(sentences.len() > pages / 2, "{sentences:?}");
        assert!(sentences.iter().all(|words| words.contains("result database")));
    }

    #[test]
    fn ten_thousand_results_stay_fast() {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(&folder.path().join("results.sqlite"));
        // Ten thousand copies of the first document, among the two others.
        lock(&store.writer)
            .execute_batch(
                "WITH RECURSIVE numbers (number) AS
                     (SELECT 4 UNION ALL SELECT number + 1 FROM numbers WHERE number < 10003)
                 INSERT INTO results
                     SELECT numbers.number, 'copy ' || numbers.number, 9, 'bitmap', 'cuda',
                            summary, document
                     FROM numbers, results WHERE id = (SELECT id FROM results LIMIT 1)",
            )
            .unwrap();
        let in_time = |what: &str, filter, before, limit, found: usize| {
            let asked = std::time::Instant::now();
            let listing = store.list(filter, before, limit).unwrap();
            let took = asked.elapsed();
            println!("{what}: {took:?}");
            assert_eq!(listing.results.len(), found, "{what}");
            assert!(took < Duration::from_secs(5), "{what}: {took:?}");
            listing.next
        };
        let any = Filter::default();
        in_time("the newest", any, None, 100, 100);
        in_time("the oldest", any, Some(104), 100, 100);
        let lost = Filter { n: Size::new(8).ok(), ..any };
        in_time("a filter with two matches", lost, None, 100, 2);
        let lost = Filter { backend: Some(BackendKind::Wasm), ..any };
        in_time("a filter with one match", lost, None, 100, 1);
        let none = Filter { n: Size::new(9).ok(), method: Some(Method::Symmetry), ..any };
        in_time("a filter without a match", none, None, 100, 0);
        let (asked, mut before, mut parts) = (std::time::Instant::now(), None, 0);
        loop {
            let listing = store.list(any, before, 1000).unwrap();
            parts += listing.results.len();
            before = listing.next;
            if before.is_none() {
                break;
            }
        }
        println!("all: {:?}", asked.elapsed());
        assert_eq!(parts, 10_003);
        assert!(store.add(&document(AWKWARD), Checks::NONE).unwrap().is_new);
        let since = Heard { result: 10_003, removal: 0 };
        // Saving may be slow on this disk, but reading the news must not be.
        let asked = std::time::Instant::now();
        assert_eq!(store.news(since).unwrap().added.len(), 1);
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    }

    #[test]
    fn news_tell_what_went_before_what_came() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("results.sqlite");
        let store = filled(&file);
        let (eight, one) = (document(EIGHT), document(ONE));
        let heard = store.now().unwrap();
        // Another process removes and adds one document, and removes another one.
        let other = Store::open(&file).unwrap();
        assert!(other.remove(&id(&eight)).unwrap() && !other.remove(&id(&eight)).unwrap());
        assert!(other.remove(&id(&one)).unwrap());
        assert!(other.add(&eight, Checks::NONE).unwrap().is_new);
        let news = store.news(heard).unwrap();
        assert_eq!(news.removed, [id(&eight), id(&one)]);
        assert_eq!(news.added, [Summary::of(&eight, id(&eight), Checks::NONE)]);
        let nothing = News { removed: vec![], added: vec![], heard: news.heard };
        assert_eq!(store.news(news.heard).unwrap(), nothing);
        // Only the last removals are kept.
        for seconds in 1..=REMEMBERED as u64 + 5 {
            let mut document = document(EIGHT);
            document.header.seconds = Duration::from_secs(seconds).into();
            assert!(store.add(&document, Checks::NONE).unwrap().is_new);
            assert!(store.remove(&id(&document)).unwrap());
        }
        assert_eq!(store.news(heard).unwrap().removed.len(), REMEMBERED as usize);
    }

    #[test]
    fn a_full_disk_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("results.sqlite")).unwrap();
        store.give_no_more_room();
        let error = (1..)
            .find_map(|seconds| {
                let mut document = document(EIGHT);
                document.header.seconds = Duration::from_secs(seconds).into();
                store.add(&document, Checks::NONE).err()
            })
            .unwrap();
        assert_eq!(error.code(), Some(ErrorCode::DiskFull));
        assert_eq!(error.to_string(), "result database error: database or disk is full");
    }
}
