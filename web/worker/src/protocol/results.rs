//! What is asked about results, and the pictures that answer it.

use queens_core::{PlanId, document::Header, words};
use serde::{Deserialize, Serialize};

use super::{Field, Listing};

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
    /// The number of threads.
    pub threads: u32,
    /// Whether it is a whole count that does not contradict itself.
    pub whole: bool,
    /// The solutions.
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
    /// The plan that they belong to.
    pub plan: PlanId,
    /// All of them.
    pub tasks: Vec<Task>,
    /// The one that is told of more closely.
    pub chosen: Option<u32>,
    /// What links to other views carry along, such as `&lang=ja`.
    pub link: String,
}

/// A task of a result: its id, the solutions that it stands for, and how long it took in seconds.
pub type Task = (u32, u64, f64);

/// Tasks of a result that are to be counted again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// The plan that they belong to.
    pub plan: PlanId,
    /// Their ids, and the solutions that each stands for in the result.
    pub tasks: Vec<(u32, u64)>,
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

/// What becomes of files with results in the browser's database.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Keeping {
    /// Hand all of them out: [`Answer::Files`](super::Answer::Files) for a few at a time.
    All,
    /// Keep this one, if it is a result document.
    Put {
        /// The file's name.
        name: String,
        /// What is in it.
        text: String,
    },
    /// Hand out a file of the host that the page came from.
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
