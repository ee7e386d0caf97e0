//! What a count in several workers is told, and what it says.

use queens_core::{Checks, Method, Numbers, Size, words};
use serde::{Deserialize, Serialize};

/// What a count is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Tell how it stands, now and whenever that changes.
    Watch,
    /// Find out how long an order would take.
    Weigh(Order),
    /// Count this.
    Begin(Order),
    /// Begin no further task; those begun come to their end.
    Pause,
    /// Go on after a pause, or with what is kept of an earlier count.
    GoOn,
    /// Begin no further task and abandon those begun. What is finished is kept.
    Stop,
    /// Remove what is kept.
    Forget,
    /// Hand out the result document of a line: [`News::File`].
    Save(u32),
    /// Hand out all lines as a table: [`News::File`].
    Table,
    /// Send the result document of a line to the server that the page came from.
    Post(u32),
}

/// What is to be counted: boards by a method, a line for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The method; none for all of them, one after the other.
    pub method: Option<Method>,
    /// The first board.
    pub from: Size,
    /// The last board.
    pub to: Size,
    /// What counts.
    pub place: Place,
}

/// What counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// So many workers, at least 1, each on a core of the processor.
    Workers(u32),
    /// A GPU, by WebGPU. It counts by [`Place::METHODS`] alone.
    WebGpu,
}

impl Place {
    /// The usual method of GPUs.
    pub const METHOD: Method = Method::Symmetry;

    /// The methods of GPUs.
    pub const METHODS: [Method; 2] = [Place::METHOD, Method::Halves];

    /// The largest board of GPUs by halves. A page cannot stop in the middle of a task, and those of
    /// larger boards take minutes.
    pub const LARGEST_BY_HALVES: u32 = 24;

    /// The smallest board of GPUs: smaller ones have nothing to divide among their lanes.
    pub const SMALLEST: u32 = 4;

    /// How many workers there are, one of which may speak with a GPU.
    pub const fn hands(self) -> u32 {
        match self {
            Place::Workers(workers) => workers,
            Place::WebGpu => 1,
        }
    }
}

impl Order {
    /// The lines, in their order. A method that does not reach so far ends earlier.
    pub fn lines(self) -> impl Iterator<Item = (Method, Size)> {
        let methods = Method::ALL.iter().copied();
        let methods = methods.filter(move |&method| self.method.is_none_or(|one| one == method));
        methods.flat_map(move |method| {
            let last = self.to.get().min(method.largest());
            let sizes = Size::all().filter(move |size| *size >= self.from && size.get() <= last);
            sizes.map(move |size| (method, size))
        })
    }
}

/// What a count says to everyone who watches it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum News {
    /// How it stands.
    Standing(Box<Standing>),
    /// All finished lines.
    Lines(Vec<Line>),
    /// A file to be saved.
    File {
        name: String,
        /// Its media type.
        kind: String,
        /// What is in it.
        text: String,
    },
}

words! {
    /// Where a count is.
    #[derive(Default, Serialize, Deserialize)]
    pub enum Phase {
        /// It is not known yet whether something is kept.
        #[default]
        Opening = "opening",
        /// Nothing is counted, nor left to be counted.
        Idle = "idle",
        /// It goes on.
        Running = "running",
        /// No task begins, but some are still being counted.
        Pausing = "pausing",
        /// It waits.
        Paused = "paused",
        /// It was stopped, or the page was left: what is finished is kept.
        Kept = "kept",
        /// Another page of this browser counts.
        Elsewhere = "elsewhere",
    }
}

impl Phase {
    /// Whether another count may begin.
    pub const fn is_at_rest(self) -> bool {
        matches!(self, Phase::Idle | Phase::Kept)
    }
}

/// How a count stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Where it is.
    pub phase: Phase,
    /// What is being counted or is kept; none if there is nothing left to count.
    pub order: Option<Order>,
    /// The line that is being counted.
    pub now: Option<Now>,
    /// How long the order that was weighed last would take, as far as that is known.
    pub forecast: Option<Forecast>,
    /// What the browser keeps of the count, in bytes.
    pub kept: u64,
    /// What went wrong, if something did.
    pub trouble: Option<Trouble>,
    /// The number of cores that the browser tells of.
    pub cores: u32,
    /// What the browser has of WebGPU.
    pub webgpu: WebGpu,
    /// Whether the page came from a server that results can be posted to, once it has answered.
    pub server: Option<bool>,
}

/// What a browser has of WebGPU.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum WebGpu {
    /// It has not answered yet.
    #[default]
    Asked,
    /// It has none.
    Missing,
    /// It has none for a page that came neither encrypted nor from this machine.
    Insecure,
    /// It finds no GPU that it would use.
    NoAdapter,
    /// A GPU, by the name that the browser gives it.
    Found(String),
    /// A GPU that did not count, with the reason.
    Failed(String),
    /// A GPU that counted wrong.
    Wrong,
}

impl WebGpu {
    /// Whether there is no GPU to count on, for all that is known.
    pub const fn is_out(&self) -> bool {
        !matches!(self, WebGpu::Asked | WebGpu::Found(_))
    }
}

/// A line that is being counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Now {
    pub method: Method,
    pub size: Size,
    /// How many tasks have been begun, here and now or earlier.
    pub begun: u32,
    /// How many are done.
    pub done: u32,
    /// How many there are.
    pub tasks: u32,
    /// The solutions that those done stand for.
    pub solutions: u64,
    /// How long it has been counted, in seconds.
    pub seconds: f64,
    /// How long the rest will take, in seconds, if that can be told.
    pub left: Option<f64>,
}

/// How long an order would take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    pub order: Order,
    /// All of it, in seconds.
    pub seconds: f64,
    /// Whether that follows from samples of smaller boards.
    pub guessed: bool,
    /// The smallest N that would take longer than an hour, once it is known.
    pub hour: Option<u32>,
}

/// What can go wrong with a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trouble {
    /// The browser has no room, or lets nothing be kept.
    NotKept,
    /// A worker broke down, with the browser's words for it.
    Broken(String),
    /// The GPU broke down, with its driver's words for it.
    Gpu(String),
    /// The GPU counts wrong, as one of its tasks shows that was counted again.
    Wrong(Wrong),
}

/// A task that a GPU has counted wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrong {
    pub task: usize,
    /// The solutions that the GPU found; the largest number if they are too many.
    pub counted: u64,
    /// Those that the processor finds, likewise.
    pub expected: u64,
}

/// A finished line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub method: Method,
    pub size: Size,
    /// What was counted, or why it cannot be right.
    pub outcome: Result<Numbers, String>,
    /// The checks that the numbers have passed.
    pub checks: Checks,
    /// What counted.
    pub place: Place,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The same as in the seeds' tables.
    pub time: String,
    /// Whether the server has it.
    pub posted: Posted,
}

/// Whether a document is with the server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Posted {
    /// Nobody asked for that.
    #[default]
    No,
    /// It is on its way.
    Sending,
    /// The server has it, by this id.
    There(String),
    /// It did not take it: the status of its answer, if there was one.
    Refused(Option<u16>),
}
