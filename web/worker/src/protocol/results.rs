//! Requests about results, and the pictures that answer them.

use queens_core::{
    Checks,
    document::{Contradiction, DocumentError, Header},
    words,
};
use queens_state::routing::{Field, Listing};
use serde::{Deserialize, Serialize};

use super::encoding;

words! {
    /// The quantity that a chart of results shows above N.
    #[derive(Default, Serialize, Deserialize)]
    pub enum Quantity {
        /// The time of each count.
        #[default]
        Time = "time",
        /// The speed-up over a chosen series of results.
        SpeedUp = "speed-up",
        /// Solutions per second.
        Rate = "rate",
    }
}

/// A request for a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// The page's texts about results: one line per text, with its key, a tab and the text.
    pub words: String,
    /// The filters of the list, and the settings of the chart.
    pub list: Listing,
    /// All results.
    pub points: Vec<Point>,
    /// Whether the chart must fit the width of a phone.
    pub narrow: bool,
}

/// A result in a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The result's id in URLs.
    pub id: String,
    /// The result's values for [`Field::FILTERS`].
    pub fields: [String; 4],
    /// The display name of the method.
    pub method: String,
    /// The display name of the form.
    pub form: String,
    /// The device that counted.
    pub device: String,
    pub threads: u32,
    /// Whether the result is a complete count without contradictions.
    pub whole: bool,
    pub total: u64,
    /// The time that the count took, in seconds.
    pub seconds: f64,
}

impl Point {
    /// The result's value for a filter.
    pub fn field(&self, field: Field) -> &str {
        let place = Field::FILTERS.iter().position(|filter| *filter == field);
        place.and_then(|place| self.fields.get(place)).map_or("", String::as_str)
    }
}

/// A request for a map of the tasks of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tasks {
    /// The page's texts, as in [`Chart`].
    pub words: String,
    pub document: DocumentId,
    /// The task whose details are shown.
    pub chosen: Option<u32>,
    /// Parameters that links to other views carry along, such as `&lang=ja`.
    pub link: String,
}

/// A request to recount tasks of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    pub document: DocumentId,
    /// The task to recount, or `None` for all tasks.
    pub task: Option<u32>,
}

/// The progress of a recount.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recounted {
    /// The number of recounted tasks.
    pub counted: u64,
    /// The number of tasks left to recount.
    pub left: u64,
    /// The number of tasks that do not agree.
    pub different: u64,
    /// The first few tasks that do not agree.
    pub others: Vec<Other>,
}

/// A task whose recount does not agree with the result document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Other {
    pub id: u32,
    /// The number of solutions according to the document.
    pub told: u64,
    /// The number of solutions found by the recount, or `None` if the plan has no such task.
    pub here: Option<u64>,
}

/// A picture with its text and controls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    /// The filter controls, as HTML.
    pub above: String,
    /// The picture and its text, as HTML.
    pub html: String,
    /// The picture as a file, and its width and height in SVG units.
    pub svg: (String, [f64; 2]),
    /// The values of the picture in CSV format.
    pub csv: String,
}

/// Identifies a document that the worker holds, for as long as the page lives.
pub type DocumentId = u64;

/// The parts of a document that the page shows; the worker holds the whole document, including its
/// tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gist {
    /// The id of the document in messages.
    pub document: DocumentId,
    /// Its [header](Gist::header) as JSON.
    pub header: String,
    /// The checks that the document has passed in the worker.
    pub checks: Checks,
    /// The first few contradictions in the document.
    pub contradictions: Vec<Contradiction>,
    /// The number of further contradictions.
    pub more: usize,
}

impl Gist {
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

    /// Encodes the outcomes of reading files, in the encoding of messages. They are nested as
    /// bytes, so only the Results view needs the code that decodes them.
    pub fn write(made: &[Made]) -> Vec<u8> {
        // Encoding cannot fail: the tests encode every message.
        encoding::write(made).unwrap_or_default()
    }

    /// Decodes the bytes of [`Gist::write`].
    pub fn read(made: &[u8]) -> Vec<Made> {
        // Decoding cannot fail: page and worker come from the same build.
        encoding::read(made).unwrap_or_default()
    }
}

/// A file name, and what the page shows of the file or why it was rejected.
pub type Made = (String, Result<Gist, Why>);

/// The reason why a file was rejected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Why {
    /// The file is not a result document.
    Document(DocumentError),
    /// The browser could not read it.
    Unreadable,
    /// The file is larger than any result document.
    TooLarge,
    /// The file could not be fetched or stored.
    NoFile(NoFile),
}

/// A request to process result files. The worker answers with a few files at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Keeping {
    /// Read all files in the browser's database.
    All,
    /// Read these files, given by name and by a URL from the page, and store those that are result
    /// documents.
    Load(Vec<(String, String)>),
    /// Read a file from the page's own host.
    Fetch(String),
    /// Delete the file with this [key](Keeping::key).
    Remove(String),
}

impl Keeping {
    /// The key under which a file is stored. A file of the same name about the same count replaces
    /// the stored one.
    pub fn key(name: &str, header: &Header) -> String {
        let shard = header.shard.as_ref().map_or(0, |shard| shard.index);
        format!("{} {} {} {shard} {name}", header.started, header.n, header.total)
    }
}

words! {
    /// The reason why a file could not be fetched or stored.
    #[derive(Serialize, Deserialize)]
    pub enum NoFile {
        /// The page's own host has no such file.
        Absent = "absent",
        /// The link points to another host.
        Elsewhere = "elsewhere",
        /// The browser has no space for the file, or does not allow storage.
        NotKept = "not-kept",
    }
}
