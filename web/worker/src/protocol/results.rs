//! What is asked about results, and the pictures that answer it.

use queens_core::{
    Checks,
    document::{Contradiction, DocumentError, Header},
    words,
};
use queens_state::routing::{Field, Listing};
use serde::{Deserialize, Serialize};

use super::encoding;

words! {
    /// What a chart of results shows above N.
    #[derive(Default, Serialize, Deserialize)]
    pub enum Quantity {
        /// The time that each count took.
        #[default]
        Time = "time",
        /// How many times as fast as a chosen line of results each is.
        SpeedUp = "speed-up",
        /// Solutions per second.
        Rate = "rate",
    }
}

/// The chart that is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// The page's texts about results, each a line of its key, a tab and the text.
    pub words: String,
    /// Which results are listed, and what is shown of them.
    pub list: Listing,
    /// All results.
    pub points: Vec<Point>,
    /// Whether there is only the width of a phone.
    pub narrow: bool,
}

/// A result in a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The result's id in addresses.
    pub id: String,
    /// What it has in each of the [`Field::FILTERS`].
    pub fields: [String; 4],
    /// What its method is called.
    pub method: String,
    /// What the form of the method is called.
    pub form: String,
    /// The device that counted.
    pub device: String,
    pub threads: u32,
    /// Whether it is a whole count that does not contradict itself.
    pub whole: bool,
    pub total: u64,
    /// How long that took.
    pub seconds: f64,
}

impl Point {
    /// What it has in a field by which results are chosen.
    pub fn field(&self, field: Field) -> &str {
        let place = Field::FILTERS.iter().position(|filter| *filter == field);
        place.and_then(|place| self.fields.get(place)).map_or("", String::as_str)
    }
}

/// The tasks of a result whose picture is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tasks {
    /// As for a [`Chart`].
    pub words: String,
    pub document: DocumentId,
    /// The one that is told of more closely.
    pub chosen: Option<u32>,
    /// What links to other views carry along, such as `&lang=ja`.
    pub link: String,
}

/// Tasks of a result that are to be counted again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    pub document: DocumentId,
    /// The one that is wanted; all where there is none.
    pub task: Option<u32>,
}

/// What counting tasks again has come to so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recounted {
    /// The number of tasks that are counted.
    pub counted: u64,
    /// The number of those to come.
    pub left: u64,
    /// The number of those that do not agree.
    pub different: u64,
    /// The first few that do not agree.
    pub others: Vec<Other>,
}

/// A task that does not agree with what was counted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Other {
    /// The task.
    pub id: u32,
    /// The solutions that it stands for in the result.
    pub told: u64,
    /// Those that were counted here; none where the plan has no such task.
    pub here: Option<u64>,
}

/// A picture with what is said about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    /// What is chosen by, as a part of the page.
    pub above: String,
    /// The picture and the words about it, as a part of the page.
    pub html: String,
    /// The picture as a file, and its width and height in its own units.
    pub svg: (String, [f64; 2]),
    /// What it shows, as comma-separated values.
    pub csv: String,
}

/// Names a document that the worker holds, for as long as the page lives.
pub type DocumentId = u64;

/// What the page shows of a document that the worker has read and holds: all but the tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gist {
    /// What the document is called between page and worker.
    pub document: DocumentId,
    /// Its [header](Gist::header) as JSON.
    pub header: String,
    /// The checks that the worker has made and that were passed.
    pub checks: Checks,
    /// What in it cannot be true: the first few.
    pub contradictions: Vec<Contradiction>,
    /// How many more there are.
    pub more: usize,
}

impl Gist {
    /// All of the document but its tasks.
    ///
    /// # Errors
    /// None for what the worker has written.
    pub fn header(&self) -> Result<Header, DocumentError> {
        let value = serde_json::from_str(&self.header);
        let not_json = |error: serde_json::Error| error.to_string();
        let value = value.map_err(not_json).map_err(|reason| DocumentError::NotJson { reason })?;
        Header::from_value(value)
    }

    /// What the worker has made of files, in the encoding of messages: only what shows results needs
    /// the code that reads it.
    pub fn write(made: &[Made]) -> Vec<u8> {
        // The tests encode every message: none fails.
        encoding::write(made).unwrap_or_default()
    }

    /// What [`Gist::write`] has written.
    pub fn read(made: &[u8]) -> Vec<Made> {
        // As for all messages, page and worker are of one making.
        encoding::read(made).unwrap_or_default()
    }
}

/// A file by its name, and what the page shows of it, or why there is nothing.
pub type Made = (String, Result<Gist, Why>);

/// Why a file was not taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Why {
    /// It is no document.
    Document(DocumentError),
    /// The browser could not read it.
    Unreadable,
    /// It has more bytes than a document can have.
    TooLarge,
    /// It did not come, or does not stay.
    NoFile(NoFile),
}

/// What is done with files with results. Those that are read are told of, a few at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Keeping {
    /// Read all that the browser's database has.
    All,
    /// Read these, by their names and by addresses that the page has lent them, and keep those that
    /// are result documents.
    Load(Vec<(String, String)>),
    /// Read one of the host that the page came from.
    Fetch(String),
    /// Keep the one of this [key](Keeping::key) no longer.
    Remove(String),
}

impl Keeping {
    /// What a file is kept under: one that says the same of the same count takes its place.
    pub fn key(name: &str, header: &Header) -> String {
        let shard = header.shard.as_ref().map_or(0, |shard| shard.index);
        format!("{} {} {} {shard} {name}", header.started, header.n, header.total)
    }
}

words! {
    /// Why a file did not come, or does not stay.
    #[derive(Serialize, Deserialize)]
    pub enum NoFile {
        /// The host that the page came from has none of this name.
        Absent = "absent",
        /// A link leads to another host.
        Elsewhere = "elsewhere",
        /// The browser has no room for it, or lets nothing be kept.
        NotKept = "not-kept",
    }
}
