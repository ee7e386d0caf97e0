//! The result database: result documents in one SQLite file.

mod error;
#[cfg(test)]
mod tests;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Duration,
};

use queens_core::document::{BackendKind, Document, Summary};
use queens_core::{Checks, Method, Size};
use rusqlite::{
    Connection, ErrorCode, OptionalExtension, Row, Transaction, TransactionBehavior, named_params,
};
use sha2::{Digest, Sha256};

use error::LAYOUT;
pub use error::StoreError;

use crate::{
    lock::lock,
    paths,
    sqlite::{self, FileContents, FileKind},
};

/// File format. The application id is "Quns" in ASCII.
const FORMAT: FileKind = FileKind { application: 0x5175_6e73, layout: LAYOUT };

/// The tables. `number` orders the results; `id` is the digest of the document. `removals` lists the removed
/// results for [`Store::changes_since`]. Without indexes, a filtered list reads all rows, but not all of their
/// documents.
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
    CREATE TABLE removals (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL
    ) STRICT;
";

/// Maximum number of removals that are stored for [`Store::changes_since`].
const MAX_REMOVALS: i64 = 1000;

/// Soft limit on the size of one page of results, in bytes.
const MAX_PAGE_BYTES: usize = 1024 * 1024;

/// Maximum time that a change waits for other programs that write to the same file. A stopping server waits
/// for its last change.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// A database of result documents in an SQLite file. Several threads may share a store, and several
/// processes a file.
#[derive(Debug)]
pub struct Store {
    writer: Mutex<Connection>,
    /// A separate connection: with a write-ahead log, readers do not wait for writers.
    reader: Mutex<Connection>,
    file: PathBuf,
    /// The file that the path led to when the store was opened.
    opened: FileId,
}

/// Result of adding a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Added {
    /// The document's entry in the list.
    pub summary: Summary,
    /// Whether the document was stored now.
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
    /// Value of `before` for the next page, if there is one (see [`Store::list`]).
    pub next: Option<i64>,
}

/// Position in the sequence of changes, for polling.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Number of the newest document.
    result: i64,
    /// Number of the last removal.
    removal: i64,
}

/// Changes in a store, by this process or another one that shares the file. Apply the removals before the
/// additions.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// Ids of the removed documents.
    pub removed: Vec<String>,
    /// The added documents, oldest first.
    pub added: Vec<Summary>,
    /// Position after these changes.
    pub cursor: Cursor,
}

impl Store {
    /// Opens the default store, `queens/results.sqlite` in the user's data folder. Creates the file and
    /// its folder if they do not exist.
    pub fn open_default() -> Result<Store, StoreError> {
        let folder = paths::data_folder().ok_or(StoreError::NoDataFolder)?;
        let file = folder.join("results.sqlite");
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
            StoreError::Database(cause) if error::is_damage(&cause) => {
                StoreError::Corrupt { file: file.into(), what: cause.to_string() }
            }
            StoreError::Database(cause) => StoreError::Open { file: file.into(), cause },
            other => other,
        };
        let writer = Self::open_writer(file).map_err(open)?;
        let reader = Self::open_connection(file).map_err(|error| open(error.into()))?;
        let opened = file_id(file).ok_or_else(|| StoreError::Gone { file: file.into() })?;
        Ok(Store {
            writer: Mutex::new(writer),
            reader: Mutex::new(reader),
            file: file.to_owned(),
            opened,
        })
    }

    fn open_connection(file: &Path) -> rusqlite::Result<Connection> {
        sqlite::open(file, true, true, BUSY_TIMEOUT)
    }

    fn open_writer(file: &Path) -> Result<Connection, StoreError> {
        let mut connection = Self::open_connection(file)?;
        if connection.is_readonly("main")? {
            return Err(StoreError::ReadOnly { file: file.into() });
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        match FORMAT.identify(&transaction)? {
            FileContents::Nothing => FORMAT.create(&transaction, TABLES)?,
            FileContents::This if transaction.table_exists(None, "results")? => {}
            FileContents::OtherLayout(layout) => {
                return Err(StoreError::OtherLayout { file: file.into(), layout });
            }
            _ => return Err(StoreError::NotAStore { file: file.into() }),
        }
        transaction.commit()?;
        // In this mode, readers do not wait for a writer.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        Ok(connection)
    }

    /// Adds a document that has passed the checks `verified`. Does nothing if the store already contains the
    /// document, except that it replaces a damaged copy.
    ///
    /// # Errors
    /// If the database fails, or its file was moved, removed or replaced.
    pub fn add(&self, document: &Document, verified: Checks) -> Result<Added, StoreError> {
        let text = document.canonical_json();
        let id = digest(&text);
        let summary = Summary::of(document, id, verified);
        let writer = lock(&self.writer);
        let transaction = self.begin_change(&writer)?;
        let inserted = transaction.execute(
            "INSERT INTO results (id, n, method, backend, summary, document)
             VALUES (:id, :n, :method, :backend, :summary, :document)
             ON CONFLICT (id) DO UPDATE SET summary = excluded.summary, document = excluded.document
             WHERE document <> excluded.document",
            named_params! {
                ":id": summary.id,
                ":n": document.header.n.get(),
                ":method": document.header.method.id(),
                ":backend": document.header.backend.kind.id(),
                ":summary": summary.to_json(),
                ":document": text,
            },
        )?;
        transaction.commit()?;
        Ok(Added { summary, is_new: inserted > 0 })
    }

    /// Returns the document with this id as canonical JSON.
    ///
    /// # Errors
    /// If the database fails, or the document is damaged.
    pub fn get(&self, id: &str) -> Result<Option<String>, StoreError> {
        let find = "SELECT document FROM results WHERE id = ?1";
        let found: Option<String> =
            lock(&self.reader).query_row(find, [id], |row| row.get(0)).optional()?;
        match found {
            Some(text) if digest(&text) != id => Err(StoreError::Damaged { id: id.into() }),
            found => Ok(found),
        }
    }

    /// Removes the document with this id, and returns whether the store had it.
    pub fn remove(&self, id: &str) -> Result<bool, StoreError> {
        let writer = lock(&self.writer);
        let transaction = self.begin_change(&writer)?;
        if transaction.execute("DELETE FROM results WHERE id = ?1", [id])? == 0 {
            return Ok(false);
        }
        transaction.execute("INSERT INTO removals (id) VALUES (?1)", [id])?;
        let expired = transaction.last_insert_rowid() - MAX_REMOVALS;
        transaction.execute("DELETE FROM removals WHERE number <= ?1", [expired])?;
        transaction.commit()?;
        Ok(true)
    }

    /// Returns the summaries of up to `limit` documents that match `filter`, newest first, starting below
    /// the number `before`. A page of large summaries ends earlier, after about 1 MiB. For damaged summaries,
    /// returns only the ids.
    pub fn list(
        &self,
        filter: Filter,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Listing, StoreError> {
        let connection = lock(&self.reader);
        let mut find = connection.prepare(
            "SELECT number, id, summary FROM results
             WHERE number < :before AND (:n IS NULL OR n = :n)
                 AND (:method IS NULL OR method = :method)
                 AND (:backend IS NULL OR backend = :backend)
             ORDER BY number DESC",
        )?;
        let mut rows = find.query(named_params! {
            ":before": before.unwrap_or(i64::MAX),
            ":n": filter.n.map(Size::get),
            ":method": filter.method.map(Method::id),
            ":backend": filter.backend.map(BackendKind::id),
        })?;
        let mut listing = Listing { results: Vec::new(), unreadable: Vec::new(), next: None };
        let (mut bytes, mut last) = (0, None);
        while let Some(row) = rows.next()? {
            let listed = listing.results.len() + listing.unreadable.len();
            if listed >= limit as usize || bytes > MAX_PAGE_BYTES {
                listing.next = last;
                break;
            }
            let summary = text(row, 2)?;
            bytes += summary.len();
            last = Some(row.get(0)?);
            match Summary::parse(&summary) {
                Ok(summary) => listing.results.push(summary),
                Err(_) => listing.unreadable.push(row.get(1)?),
            }
        }
        Ok(listing)
    }

    /// Returns changes after the position `since`: all stored removals, and the 100 oldest additions.
    ///
    /// Call this again with the new cursor until the cursor stays the same. Applying the removals and then
    /// the additions of each call gives the current contents, even if a document was removed and added
    /// again.
    pub fn changes_since(&self, since: Cursor) -> Result<Changes, StoreError> {
        const MAX_ADDED: i64 = 100;
        let mut connection = lock(&self.reader);
        // Read both tables in the same state.
        let transaction = connection.transaction()?;
        let rows = |select: &str, after: i64| {
            let mut find = transaction.prepare(select)?;
            let rows = find.query_map([after], |row| Ok((row.get(0)?, text(row, 1)?)))?;
            rows.collect::<Result<Vec<(i64, String)>, _>>()
        };
        let removed = rows(
            "SELECT number, id FROM removals WHERE number > ?1 ORDER BY number",
            since.removal,
        )?;
        let added = rows(
            &format!(
                "SELECT number, summary FROM results WHERE number > ?1
                 ORDER BY number LIMIT {MAX_ADDED}"
            ),
            since.result,
        )?;
        let last = |rows: &[(i64, String)], before| rows.last().map_or(before, |row| row.0);
        Ok(Changes {
            cursor: Cursor {
                result: last(&added, since.result),
                removal: last(&removed, since.removal),
            },
            removed: removed.into_iter().map(|(_, id)| id).collect(),
            added: added.iter().filter_map(|(_, text)| Summary::parse(text).ok()).collect(),
        })
    }

    /// Begins a transaction that changes the database, unless its path leads to another file now: users would
    /// not find the change. Waits for other programs that change the database.
    fn begin_change<'a>(&self, writer: &'a Connection) -> Result<Transaction<'a>, StoreError> {
        self.check_file()?;
        Ok(Transaction::new_unchecked(writer, TransactionBehavior::Immediate)?)
    }

    /// Checks that the path still leads to the open file.
    fn check_file(&self) -> Result<(), StoreError> {
        match file_id(&self.file) {
            Some(current) if current == self.opened => Ok(()),
            Some(_) => Err(StoreError::Replaced { file: self.file.clone() }),
            None => Err(StoreError::Gone { file: self.file.clone() }),
        }
    }

    /// Returns the current position in the sequence of changes.
    pub fn current_cursor(&self) -> Result<Cursor, StoreError> {
        let find = "SELECT (SELECT coalesce(max(number), 0) FROM results),
                           (SELECT coalesce(max(number), 0) FROM removals)";
        Ok(lock(&self.reader)
            .query_row(find, [], |row| Ok(Cursor { result: row.get(0)?, removal: row.get(1)? }))?)
    }
}

/// Device and inode of a file.
#[cfg(unix)]
type FileId = (u64, u64);

#[cfg(unix)]
fn file_id(file: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(file).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// On other systems, an open file cannot be replaced, so the id only shows that the file exists.
#[cfg(not(unix))]
type FileId = ();

#[cfg(not(unix))]
fn file_id(file: &Path) -> Option<FileId> {
    file.exists().then_some(())
}

/// Returns the document's id: the SHA-256 of its canonical JSON, in hexadecimal.
#[must_use]
pub fn id(document: &Document) -> String {
    digest(&document.canonical_json())
}

/// Reads a text column. SQLite does not check that it is UTF-8, and one damaged row must not make the others
/// unreadable.
fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
    Ok(String::from_utf8_lossy(row.get_ref(column)?.as_bytes()?).into_owned())
}

fn digest(canonical: &str) -> String {
    Sha256::digest(canonical).iter().map(|byte| format!("{byte:02x}")).collect()
}
