//! Requests about result documents, and the answers.

use queens_core::{
    Checks, Queens,
    document::{Contradiction, DocumentError, Header},
    material::Finding,
    words,
};
use serde::{Deserialize, Serialize};

use super::encoding;
use super::task_pairs::TimePicture;

/// A task of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Task {
    pub id: u32,
    /// The number of solutions that the task represents.
    pub total: u64,
    pub seconds: f64,
}

/// A summary of the tasks of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskSummary {
    /// The number of tasks, at least 1.
    pub count: u32,
    /// The sum of the tasks' times, in seconds.
    pub seconds: f64,
    /// The median of the tasks' times, in seconds.
    pub median: f64,
    /// The task with the most solutions.
    pub largest: Task,
    /// The slowest tasks, in this order, and then the chosen one unless it is among them.
    pub listed: Vec<ListedTask>,
}

/// A task with its start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListedTask {
    pub task: Task,
    pub start: TaskStart,
}
/// The start of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TaskStart {
    /// The plan has no such task, or the page has released the document.
    Unknown,
    /// The task starts with these queens on the board.
    Queens(Queens),
    /// The task is a list of this number of row sets: the rows that have a white queen.
    RowSets(u32),
}

/// A request to recount tasks of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecountRequest {
    pub document: DocumentId,
    /// The task to recount, or `None` for all tasks.
    pub task: Option<u32>,
}

/// The tasks of two results of the same plan, compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskDifference {
    /// The number of tasks that both results have.
    pub common: u32,
    /// The number of tasks that only the first result has.
    pub only_first: u32,
    /// The number of tasks that only the second result has.
    pub only_second: u32,
    /// The number of common tasks with different numbers of solutions.
    pub mismatch_count: u32,
    /// The first few of these tasks.
    pub mismatches: Vec<TaskPair>,
    pub times: TimeDifference,
}

/// A task with the numbers of solutions of two results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskPair {
    pub id: u32,
    pub totals: [u64; 2],
}

/// The times of the tasks that have one in both results, compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeDifference {
    /// The number of tasks with a time in both results.
    pub timed: u32,
    /// The number of these tasks that took longer in the first result, and in the second.
    pub longer: [u32; 2],
    /// The time in seconds of all tasks of each result, which adds up the times of parallel threads.
    pub sums: [f64; 2],
    /// The few tasks whose times differ most, the largest difference first.
    pub largest: Vec<TimePair>,
    /// The median of the second time divided by the first; 0 without such tasks.
    pub median_ratio: f64,
    /// The times of the second result against those of the first; `None` without such tasks.
    pub picture: Option<TimePicture>,
}

/// A task with its times in two results, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimePair {
    pub id: u32,
    pub seconds: [f64; 2],
}

/// The progress of a recount.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecountProgress {
    /// The number of recounted tasks.
    pub counted: u64,
    /// The number of tasks left to recount.
    pub remaining: u64,
    /// The number of tasks whose recount disagrees with the document.
    pub mismatch_count: u64,
    /// The first few tasks whose recount disagrees.
    pub mismatches: Vec<Mismatch>,
}

/// A task whose recount disagrees with the result document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    pub id: u32,
    /// The number of solutions according to the document.
    pub claimed: u64,
    /// The number of solutions found by the recount, or `None` if the plan has no such task.
    pub recounted: Option<u64>,
}

/// The id of a document that the worker stores, valid for as long as the page lives.
pub type DocumentId = u64;

/// The parts of a document that the page shows. The worker stores the whole document, including its
/// tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentInfo {
    /// The id of the document in messages.
    pub document: DocumentId,
    /// The [header](Header) of the document as JSON.
    pub header: String,
    /// The checks that the document has passed in the worker.
    pub checks: Checks,
    /// The first few contradictions in the document.
    pub contradictions: Vec<Contradiction>,
    /// The number of further contradictions.
    pub more: usize,
}

impl DocumentInfo {
    /// Parses the header: all of the document except its tasks.
    ///
    /// # Errors
    /// Never fails for a header that the worker has written.
    pub fn header(&self) -> Result<Header, DocumentError> {
        let value = serde_json::from_str(&self.header);
        let not_json = |error: serde_json::Error| error.to_string();
        let value = value.map_err(not_json).map_err(|reason| DocumentError::NotJson { reason })?;
        Header::from_value(value)
    }

    /// Encodes the results of reading files, in the encoding of messages. The bytes are nested in a
    /// message, so that only the Results view needs the code that decodes them.
    pub fn write(files: &[LoadedFile]) -> Vec<u8> {
        // Encoding cannot fail: the tests encode every message.
        encoding::write(files).unwrap_or_default()
    }

    /// Decodes the bytes of [`DocumentInfo::write`].
    pub fn read(bytes: &[u8]) -> Vec<LoadedFile> {
        // Decoding cannot fail: page and worker come from the same build.
        encoding::read(bytes).unwrap_or_default()
    }
}

/// The name of a file, with the parts of the document that the page shows, or the reason why the
/// file was rejected.
pub type LoadedFile = (String, Result<DocumentInfo, FileError>);

/// The reason why a file was rejected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FileError {
    /// The file is not a result document.
    Document(DocumentError),
    /// The file is a list of solutions or a table of totals, with these findings.
    Material(Vec<Finding>),
    /// The file is neither a result document nor a list or a table.
    Nothing,
    /// The file is a journal.
    Journal,
    /// The browser could not read the file.
    Unreadable,
    /// The file is larger than any result document.
    TooLarge,
    /// The file could not be fetched or stored.
    Access(FileAccessError),
    /// The browser's copy of a file, which has this [key](FileRequest::key), was rejected for this reason.
    Stored(String, Box<FileError>),
}

/// A request to process result files. The worker answers with a few files at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FileRequest {
    /// Read all files in the browser's database.
    LoadStored,
    /// Read these files, given by name and by a URL from the page, and store those that are result
    /// documents.
    Load(Vec<(String, String)>),
    /// Read a file from the page's own host.
    Fetch(String),
    /// Delete the file with this [key](FileRequest::key).
    Remove(String),
    /// Post the file with this [key](FileRequest::key) to the page's own server. The answer is
    /// a [`PublishOutcome`].
    Publish(String),
}

impl FileRequest {
    /// Returns the key under which a file is stored. A file with the same name about the same count
    /// replaces the stored one.
    pub fn key(name: &str, header: &Header) -> String {
        let shard = header.shard.as_ref().map_or(0, |shard| shard.index);
        format!("{} {} {} {shard} {name}", header.started, header.n, header.total)
    }
}

/// The outcome of posting a file to the page's own server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PublishOutcome {
    /// The server has the document. Its entry in the server's list, as JSON.
    Stored(String),
    /// The server rejected the document.
    Rejected {
        /// The HTTP status.
        status: u16,
        /// The server's reason, in English; empty if it gave none.
        reason: String,
    },
    /// No answer came.
    NoAnswer,
    /// The browser no longer has the file.
    Missing,
}

impl PublishOutcome {
    /// Encodes the outcome. Like the results of reading files, the bytes are nested in a message.
    pub fn write(&self) -> Vec<u8> {
        encoding::write(self).unwrap_or_default()
    }

    /// Decodes the bytes of [`PublishOutcome::write`].
    pub fn read(bytes: &[u8]) -> PublishOutcome {
        // Decoding cannot fail: page and worker come from the same build.
        encoding::read(bytes).unwrap_or(PublishOutcome::NoAnswer)
    }
}

words! {
    /// The reason why a file could not be fetched, stored or read from the browser's storage.
    #[derive(Serialize, Deserialize)]
    pub enum FileAccessError {
        /// The page's own host has no such file.
        NotFound = "absent",
        /// The link points to another host.
        OtherHost = "elsewhere",
        /// The browser has no space for the file, or does not allow storage.
        NotStored = "not-kept",
        /// The copy of the file in the browser's storage is damaged.
        Damaged = "damaged",
        /// Another tab, or the browser, has removed the file from the browser's storage.
        Removed = "removed",
    }
}
