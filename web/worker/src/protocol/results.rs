//! What is asked about results, and the pictures that answer it.
//!
//! It travels as texts, with the signs that ASCII has for this between [records](RECORD) and between
//! their [units](UNIT): every type that takes part in a message costs the page's module, which is to
//! be small, and these are many.

use queens_core::{Method, Plan, Size, document::Header, words};
use serde::{Deserialize, Serialize};

use super::{Field, Listing};

/// What stands between records.
pub const RECORD: &str = "\u{1e}";

/// What stands between the units of a record.
pub const UNIT: &str = "\u{1f}";

words! {
    /// What a chart of results shows above N.
    #[derive(Default)]
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
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub struct Point {
    /// The result's id in addresses.
    pub id: String,
    /// What it has in each of the [`Field::FILTERS`].
    pub fields: [String; 4],
    /// What its method is called.
    pub method: String,
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

impl Chart {
    /// Reads records: the words, the list, whether there is little width, and the results.
    pub fn read(text: &str) -> Chart {
        let mut records = text.split(RECORD);
        let mut next = || records.next().unwrap_or_default();
        let (words, list, narrow) = (next().to_owned(), Listing::read(next()), next() == "true");
        Chart { words, list, narrow, points: records.filter_map(Point::read).collect() }
    }
}

impl Point {
    /// Reads units in the order of the fields, the seconds by the bits of their number.
    fn read(record: &str) -> Option<Point> {
        let mut units = record.split(UNIT);
        let mut text = || units.next().map(str::to_owned);
        Some(Point {
            id: text()?,
            fields: [text()?, text()?, text()?, text()?],
            method: text()?,
            device: text()?,
            threads: text()?.parse().ok()?,
            whole: text()? == "true",
            total: text()?.parse().ok()?,
            seconds: f64::from_bits(text()?.parse().ok()?),
        })
    }

    /// What it has in a field by which results are chosen.
    pub fn field(&self, field: Field) -> &str {
        let place = Field::FILTERS.iter().position(|filter| *filter == field);
        place.and_then(|place| self.fields.get(place)).map_or("", String::as_str)
    }
}

/// The tasks of a result whose picture is wanted.
#[derive(Clone, Debug)]
pub struct Tasks {
    /// As for a [`Chart`].
    pub words: String,
    /// The plan that they belong to.
    pub plan: PlanOf,
    /// All of them.
    pub tasks: Vec<Task>,
    /// The one that is told of more closely, and what is counted again.
    pub list: Listing,
    /// What links to other views carry along, such as `&lang=ja`.
    pub link: String,
}

impl Tasks {
    /// Reads records: the words, the list, what links carry along, the plan, and the tasks. None if
    /// there is no such plan.
    pub fn read(text: &str) -> Option<Tasks> {
        let mut records = text.split(RECORD);
        let words = records.next()?.to_owned();
        let list = Listing::read(records.next()?);
        let link = records.next()?.to_owned();
        let mut plan = records.next()?.split(UNIT);
        let plan = PlanOf {
            size: plan.next()?.parse().ok()?,
            method: plan.next()?.parse().ok()?,
            version: plan.next()?.parse().ok()?,
        };
        Some(Tasks { words, plan, tasks: records.filter_map(task).collect(), list, link })
    }
}

/// Reads the units of a task, the seconds by the bits of their number.
fn task(record: &str) -> Option<Task> {
    let mut units = record.split(UNIT);
    let (id, total) = (units.next()?.parse().ok()?, units.next()?.parse().ok()?);
    Some((id, total, f64::from_bits(units.next()?.parse().ok()?)))
}

/// Names a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlanOf {
    /// The board.
    pub size: Size,
    /// The method.
    pub method: Method,
    /// The plan's version.
    pub version: u32,
}

impl PlanOf {
    /// The plan; none if this program does not know it.
    pub fn plan(self) -> Option<Plan> {
        Plan::of_version(self.size, self.method, self.version)
    }
}

/// A task of a result: its id, the solutions that it stands for, and how long it took in seconds.
pub type Task = (u32, u64, f64);

/// A picture with what is said about it.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// What is chosen by, as a part of the page.
    pub above: String,
    /// The picture and the words about it, as a part of the page.
    pub html: String,
    /// The picture as a file, and its width and height in its own units: whole numbers.
    pub svg: (String, [f64; 2]),
    /// What it shows, as comma-separated values.
    pub csv: String,
}

impl Drawing {
    /// Records: what is chosen by, picture and words, the file, its width, its height, the values.
    pub fn write(self) -> String {
        let (svg, sides) = self.svg;
        let [width, height] = sides.map(|side| side.ceil().to_string());
        [self.above, self.html, svg, width, height, self.csv].join(RECORD)
    }
}

/// What becomes of files with results in the browser's database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    pub enum NoFile {
        /// The host that the page came from has none of this name.
        Absent = "absent",
        /// A link leads to another host.
        Elsewhere = "elsewhere",
        /// The browser has no room for it, or lets nothing be kept.
        NotKept = "not-kept",
    }
}
