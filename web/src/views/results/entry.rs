//! The documents of the view: what the list shows of them, their origin and their checks.

use std::cmp::Ordering;
use std::rc::Rc;

use queens_core::document::{
    Checks, Contradiction, DocumentError, Header, Summary, seconds_since_1970,
};
#[cfg(test)]
use queens_core::known::known;
use queens_core::material::Finding;
use serde_json::Value;

use crate::worker::{DocumentHandle, DocumentInfo, FileError, FileRequest};

/// The outcome of reading a file in the worker: a document, or the reason for its rejection.
pub type ReadOutcome = Result<(DocumentHandle, DocumentInfo), FileError>;

/// The origin of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The server's list, or a document of the server that was opened by its address.
    Server,
    /// A loaded file, by its name.
    File(String),
    /// The fragment of the page's address, which has no tasks.
    Link,
}

/// The id of the result that came in the address.
pub const LINKED: &str = "linked";
/// The id of the second result of a link to a comparison.
pub const LINKED_SECOND: &str = "linked-2";

/// Whether an id is that of a result that came in the address.
pub fn is_linked(id: &str) -> bool {
    [LINKED, LINKED_SECOND].contains(&id)
}

/// The program that checked a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verifier {
    /// The server, when it accepted the document.
    Server,
    Page,
}

/// A document of the list.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The id in addresses: the server's id, that of a file by its [key](Entry::key), or [`LINKED`] or
    /// [`LINKED_SECOND`].
    pub id: String,
    /// The origin of the document.
    pub source: Source,
    /// All fields of the document except its tasks.
    pub header: Rc<Header>,
    /// The start of the count in seconds since 1970. The header has the start as text, whose
    /// parsing takes too long for sorting hundreds of documents.
    started: Option<f64>,
    /// A handle to the whole document in the worker. `None` for a summary in the server's list until
    /// the worker has read the document, and always for a link, because both omit the tasks.
    pub document: Option<DocumentHandle>,
    /// The checks that the page or the server made, and which of the two made them. The document's
    /// own claims are in the header.
    pub verified: (Verifier, Checks),
    /// The first few contradictions of the document.
    pub contradictions: Rc<[Contradiction]>,
    /// The number of further contradictions.
    pub further_contradictions: usize,
    /// Whether the row is highlighted: the document arrived from the server while the view was open, came in a link, or
    /// is that of a file opened last.
    pub fresh: bool,
    /// The names of the loaded files with the same document, in the row of a document of the server.
    pub copies: Rc<[String]>,
}

/// Compares only ids, document handles, checks, copies and `fresh`, because documents never change.
impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.id == other.id
            && self.document == other.document
            && (self.verified, self.fresh) == (other.verified, other.fresh)
            && self.copies == other.copies
    }
}

impl Entry {
    /// Creates the entry of a file.
    ///
    /// # Errors
    /// If the file could not be read or is not a result document. A document with contradictions is
    /// accepted.
    pub fn of_file(name: String, outcome: ReadOutcome) -> Result<Entry, RejectedDocument> {
        let read = outcome.and_then(|document| {
            let entry = Entry::of_document(String::new(), Source::File(name.clone()), document)
                .map_err(FileError::Document)?;
            Ok(Entry { id: entry.key().map(|key| file_id(&key)).unwrap_or_default(), ..entry })
        });
        read.map_err(|why| RejectedDocument { name, why, is_file: true })
    }

    /// Creates the entry of a document that the worker has read and checked.
    pub fn of_document(
        id: String,
        source: Source,
        (document, info): (DocumentHandle, DocumentInfo),
    ) -> Result<Entry, DocumentError> {
        let header = info.header()?;
        Ok(Entry {
            id,
            source,
            started: seconds_since_1970(&header.started),
            header: Rc::new(header),
            document: Some(document),
            verified: (Verifier::Page, info.checks),
            contradictions: info.contradictions.into(),
            further_contradictions: info.more,
            fresh: false,
            copies: Rc::new([]),
        })
    }

    /// Whether the row is that of a file opened last.
    pub fn is_loaded(&self) -> bool {
        self.fresh && self.file_name().is_some()
    }

    /// Returns the name of the loaded file with this document. A published file keeps it.
    pub fn file_name(&self) -> Option<&str> {
        match &self.source {
            Source::File(name) => Some(name),
            Source::Server | Source::Link => self.copies.first().map(String::as_str),
        }
    }

    /// Compares the starts of two counts, across time zones.
    pub fn compare_starts(&self, other: &Entry) -> Ordering {
        self.started.partial_cmp(&other.started).unwrap_or(Ordering::Equal)
    }

    /// Whether both entries have the same document and contradictions, even if their sources
    /// differ.
    pub fn has_same_document(&self, other: &Entry) -> bool {
        self.document == other.document && self.contradictions == other.contradictions
    }

    /// Returns the document of the server, of those `listed`, that this file or link repeats.
    pub fn published<'a>(&self, listed: &[&'a Entry]) -> Option<&'a Entry> {
        if self.source == Source::Server || !self.contradictions.is_empty() {
            return None;
        }
        let is_same =
            |other: &&&Entry| other.started == self.started && other.header == self.header;
        listed.iter().find(is_same).copied()
    }

    /// Returns the key under which the browser stores a file; `None` for other documents.
    pub fn key(&self) -> Option<String> {
        match &self.source {
            Source::File(name) => Some(FileRequest::key(name, &self.header)),
            Source::Server | Source::Link => None,
        }
    }

    /// Creates the entry of a result that came in a link. A link has no tasks, so the page can check
    /// only the numbers.
    pub fn of_link(id: &str, header: Header) -> Entry {
        let contradictions = header.contradictions();
        let checks = if contradictions.is_empty() { header.comparable() } else { Checks::NONE };
        Entry {
            id: id.to_owned(),
            source: Source::Link,
            started: seconds_since_1970(&header.started),
            header: Rc::new(header),
            document: None,
            verified: (Verifier::Page, checks),
            contradictions: contradictions.into(),
            further_contradictions: 0,
            fresh: true,
            copies: Rc::new([]),
        }
    }

    /// Creates the entry of a summary in the server's list. The server has checked the document.
    ///
    /// # Errors
    /// If this program cannot read the summary, for example because a newer program added its
    /// method.
    pub fn of_summary(summary: Value) -> Result<Entry, RejectedDocument> {
        let name = summary.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        match Summary::from_value(summary) {
            Ok(Summary { header, id, verified }) => Ok(Entry {
                id,
                source: Source::Server,
                started: seconds_since_1970(&header.started),
                header: Rc::new(header),
                document: None,
                verified: (Verifier::Server, verified),
                contradictions: Rc::new([]),
                further_contradictions: 0,
                fresh: false,
                copies: Rc::new([]),
            }),
            Err(error) => {
                let why = FileError::Document(error);
                Err(RejectedDocument { name, why, is_file: false })
            }
        }
    }
}

/// The start of the ids of files.
pub const FILE_PREFIX: &str = "file-";

/// Returns the id of a file in addresses: a hash (FNV-1a) of its key. After a reload, the files arrive in another
/// order, so a number would not lead to the same file.
pub fn file_id(key: &str) -> String {
    let hash = key.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{FILE_PREFIX}{hash:016x}")
}

/// A file or document that was rejected.
#[derive(Clone, Debug, PartialEq)]
pub struct RejectedDocument {
    /// The file's name, the server's id or [`LINKED`].
    pub name: String,
    pub why: FileError,
    /// Whether the document came from a file.
    pub is_file: bool,
}

impl RejectedDocument {
    /// Returns the findings, if the file is a list of solutions or a table of totals.
    pub fn findings(&self) -> Option<&[Finding]> {
        match &self.why {
            FileError::Material(findings) => Some(findings),
            _ => None,
        }
    }

    /// Returns the key under which the browser stores the rejected document, if it stores it.
    pub fn key(&self) -> Option<&str> {
        match &self.why {
            FileError::Stored(key, _) => Some(key),
            _ => None,
        }
    }
}

#[cfg(test)]
thread_local! {
    static DOCUMENTS: std::cell::RefCell<queens_worker::Documents> = std::cell::RefCell::default();
}

/// Reads a document as the worker does.
#[cfg(test)]
pub fn read_document(text: &str) -> ReadOutcome {
    let info =
        DOCUMENTS.with_borrow_mut(|documents| documents.read(text)).map_err(FileError::Document)?;
    Ok((crate::worker::Client::idle().handle(info.document), info))
}

/// Returns an entry with this id, N, method and time in seconds. Its device is named `this`.
#[cfg(test)]
pub fn counted(id: &str, n: u32, method: queens_core::Method, seconds: f64) -> Entry {
    let text = include_str!("../../../../tests/data/results/eight.json");
    let mut entry = Entry::of_file("x".into(), read_document(text)).unwrap();
    entry.id = id.into();
    let header = Rc::make_mut(&mut entry.header);
    (header.n, header.method) = (queens_core::Size::new(n).unwrap(), method);
    header.total = known(n).unwrap().total();
    header.form = queens_core::Form::Iterative;
    header.seconds = queens_core::document::Seconds::new(seconds).unwrap();
    (header.host.threads, header.backend.device) = (2, "this".into());
    entry
}

/// Returns an entry with this number of tasks that its plan does not have. Each task causes
/// contradictions.
#[cfg(all(test, not(target_family = "wasm")))]
pub fn contradictory(tasks: u32) -> Entry {
    let text = include_str!("../../../../tests/data/results/eight.json");
    let mut document: Value = serde_json::from_str(text).unwrap();
    let task = |id: u32| serde_json::json!({ "id": id, "total": "1", "seconds": 0.5 });
    document["tasks"] = (1000..1000 + tasks).map(task).collect();
    Entry::of_file("wrong.json".into(), read_document(&document.to_string())).unwrap()
}
