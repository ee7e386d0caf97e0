//! The store of result documents: one SQLite file.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use etcetera::BaseStrategy;
use queens_core::document::{BackendKind, Document, DocumentError, Summary};
use queens_core::{Checks, Method, Size};
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, named_params};
use sha2::{Digest, Sha256};

/// Marks the file as one of ours ("Quns"), so that no other program's database is written to.
const APPLICATION_ID: i32 = 0x5175_6e73;
/// Changes when the tables do.
const LAYOUT: i32 = 1;

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

/// Result documents in an SQLite file. Several threads may share a store, and several processes a
/// file.
#[derive(Debug)]
pub struct Store {
    connection: Mutex<Connection>,
}

/// What came of adding a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Added {
    /// What the list says of the document.
    pub summary: Summary,
    /// Whether it was not there before.
    pub is_new: bool,
}

/// Which documents to list; what is `None` admits all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only boards of this size.
    pub n: Option<Size>,
    /// Only counts by this method.
    pub method: Option<Method>,
    /// Only counts on this kind of backend.
    pub backend: Option<BackendKind>,
}

/// A part of a list, newest documents first.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// The documents' summaries.
    pub results: Vec<Summary>,
    /// Where the next part begins, if there is one.
    pub next: Option<i64>,
}

/// Why the store could not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The user has no home, so there is no data folder.
    #[error("the folder for your data cannot be found; name a file with --store")]
    NoDataFolder,
    /// The folder of the file cannot be made.
    #[error("the folder {} for the results cannot be created", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is a database of something else, or not a database.
    #[error("{} is not a store of results; name another file with --store", .file.display())]
    NotAStore {
        /// The file.
        file: PathBuf,
    },
    /// The file was written by a later program.
    #[error(
        "{} was written by a later version of this program (layout {layout}, this one knows {LAYOUT})",
        .file.display()
    )]
    Later {
        /// The file.
        file: PathBuf,
        /// Its layout.
        layout: i32,
    },
    /// The file cannot be opened.
    #[error("the store of results {} cannot be opened", .file.display())]
    Open {
        /// The file.
        file: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// The database failed.
    #[error("the store of results failed")]
    Database(#[from] rusqlite::Error),
    /// The file holds something that this program cannot have written.
    #[error("the store of results is damaged")]
    Damaged(#[from] DocumentError),
}

impl Store {
    /// The file that is used where none is named: `queens/results.sqlite` in the user's data
    /// folder.
    ///
    /// # Errors
    /// [`StoreError::NoDataFolder`].
    pub fn default_file() -> Result<PathBuf, StoreError> {
        let folders = etcetera::choose_base_strategy().map_err(|_| StoreError::NoDataFolder)?;
        Ok(folders.data_dir().join("queens").join("results.sqlite"))
    }

    /// Opens the store in `file`, which is created with its folders if it is not there.
    ///
    /// # Errors
    /// If the file cannot be opened or is no store of this version.
    pub fn open(file: &Path) -> Result<Store, StoreError> {
        if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)
                .map_err(|source| StoreError::Folder { folder: folder.into(), source })?;
        }
        let connection = Self::connect(file).map_err(|error| match error {
            StoreError::Database(source) if is_no_database(&source) => {
                StoreError::NotAStore { file: file.into() }
            }
            StoreError::Database(source) => StoreError::Open { file: file.into(), source },
            other => other,
        })?;
        Ok(Store { connection: Mutex::new(connection) })
    }

    fn connect(file: &Path) -> Result<Connection, StoreError> {
        let mut connection = Connection::open(file)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let pragma = |name: &str| transaction.pragma_query_value(None, name, |row| row.get(0));
        let (application, layout): (i32, i32) =
            (pragma("application_id")?, pragma("user_version")?);
        let tables: i32 =
            transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        match (application, layout, tables) {
            (0, 0, 0) => {
                transaction.execute_batch(TABLES)?;
                transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
                transaction.pragma_update(None, "user_version", LAYOUT)?;
            }
            (APPLICATION_ID, LAYOUT, _) => {}
            (APPLICATION_ID, later, _) if later > LAYOUT => {
                return Err(StoreError::Later { file: file.into(), layout: later });
            }
            _ => return Err(StoreError::NotAStore { file: file.into() }),
        }
        transaction.commit()?;
        // Readers need not wait for a writer.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        Ok(connection)
    }

    /// Adds a document that has passed the checks `verified`; nothing changes if it is there
    /// already.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add(&self, document: &Document, verified: Checks) -> Result<Added, StoreError> {
        let text = document.canonical_json();
        let id = hex(&Sha256::digest(&text));
        let summary = Summary::of(document, id, verified);
        let added = self.connection().execute(
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

    /// The document with this id, as canonical JSON.
    ///
    /// # Errors
    /// If the database fails.
    pub fn get(&self, id: &str) -> Result<Option<String>, StoreError> {
        let find = "SELECT document FROM results WHERE id = ?1";
        Ok(self.connection().query_row(find, [id], |row| row.get(0)).optional()?)
    }

    /// Up to `limit` documents that `filter` admits, newest first, beginning before `before`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn list(
        &self,
        filter: Filter,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Listing, StoreError> {
        let connection = self.connection();
        let mut find = connection.prepare(
            "SELECT number, summary FROM results
             WHERE (:n IS NULL OR n = :n)
               AND (:method IS NULL OR method = :method)
               AND (:backend IS NULL OR backend = :backend)
               AND (:before IS NULL OR number < :before)
             ORDER BY number DESC LIMIT :limit",
        )?;
        let rows = find.query_map(
            named_params! {
                ":n": filter.n.map(Size::get),
                ":method": filter.method.map(Method::id),
                ":backend": filter.backend.map(BackendKind::id),
                ":before": before,
                // One more than wanted tells whether there is a next part.
                ":limit": i64::from(limit) + 1,
            },
            |row: &Row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let mut rows: Vec<(i64, String)> = rows.collect::<Result<_, _>>()?;
        let is_more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let next = rows.last().map(|(number, _)| *number).filter(|_| is_more);
        let results =
            rows.iter().map(|(_, text)| Summary::parse(text)).collect::<Result<_, _>>()?;
        Ok(Listing { results, next })
    }

    /// A thread that panicked while it held the connection has left no half-written state: every
    /// change is one statement.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The document's id: the SHA-256 of its canonical JSON, in hexadecimal.
#[must_use]
pub fn id(document: &Document) -> String {
    hex(&Sha256::digest(document.canonical_json()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_no_database(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EIGHT: &str = include_str!("../../tests/data/results/eight.json");
    const ONE: &str = include_str!("../../tests/data/results/one.json");
    const SHARD: &str = include_str!("../../tests/data/results/shard.json");

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
        let file = folder.path().join("new").join("folders").join("results.sqlite");
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
        // By Python: sorted keys, no white space, seconds as 0.0; then SHA-256.
        let expected = "e156af9f948b7a6eed1e0a211c9db07ae291ab9c5af37b7f07cb3b78521de544";
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
    fn other_files_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("text");
        let words = "no database, but long enough to be taken for the header of one, page and all";
        fs::write(&text, words.repeat(20)).unwrap();
        let error = Store::open(&text).unwrap_err();
        assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
        assert!(error.to_string().contains("is not a store of results"));
        assert_eq!(fs::read_to_string(&text).unwrap(), words.repeat(20));

        let other = folder.path().join("other.sqlite");
        Connection::open(&other).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
        assert!(matches!(Store::open(&other).unwrap_err(), StoreError::NotAStore { .. }));

        let later = folder.path().join("later.sqlite");
        drop(filled(&later));
        Connection::open(&later).unwrap().pragma_update(None, "user_version", 2).unwrap();
        let error = Store::open(&later).unwrap_err();
        assert!(error.to_string().ends_with("(layout 2, this one knows 1)"), "{error}");

        let error = Store::open(folder.path()).unwrap_err();
        assert!(error.to_string().ends_with("cannot be opened"), "{error}");
    }
}
