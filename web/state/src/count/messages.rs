//! Messages between the page and a count in several workers.

use queens_core::{Checks, Method, Numbers, Size, words};
use serde::{Deserialize, Serialize};

/// A command of the page to a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CountCommand {
    /// Report the status now and whenever it changes.
    Watch,
    /// Estimate the time that an order takes, from samples.
    Weigh(CountJob),
    /// Start a count.
    Begin(CountJob),
    /// Start no further tasks, and finish the running ones.
    Pause,
    /// Resume after a pause, or resume a saved count.
    GoOn,
    /// Start no further tasks, and abandon the running ones. Finished tasks stay saved.
    Stop,
    /// Delete the saved count.
    Forget,
    /// Send the result document of a line: [`CountEvent::File`].
    Save(u32),
    /// Send all lines as a table: [`CountEvent::File`].
    Table,
    /// Post the result document of a line to the server that the page came from.
    Post(u32),
}

/// A count of several boards, with one line for each board and method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountJob {
    /// The method; `None` for all methods, one after the other.
    pub method: Option<Method>,
    /// The first board.
    pub from: Size,
    /// The last board.
    pub to: Size,
    /// The workers or the GPU that count.
    pub place: Executor,
}

/// The part of the machine on which a count runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Executor {
    /// At least one worker, each on its own core of the processor.
    Workers(u32),
    /// A GPU, with WebGPU. It supports only [`Executor::METHODS`].
    WebGpu,
}

impl Executor {
    /// The default method on a GPU.
    pub const METHOD: Method = Method::Symmetry;

    /// The methods that run on a GPU.
    pub const METHODS: [Method; 2] = [Executor::METHOD, Method::Halves];

    /// The largest board for half-board matching on a GPU. A page cannot interrupt a task, and the
    /// tasks of larger boards take minutes.
    pub const LARGEST_BY_HALVES: u32 = 24;

    /// The smallest board for a GPU. Smaller boards have no work to divide among the GPU's threads.
    pub const SMALLEST: u32 = 4;

    /// Returns the number of workers. A count on a GPU has one, which controls the GPU.
    pub const fn hands(self) -> u32 {
        match self {
            Executor::Workers(workers) => workers,
            Executor::WebGpu => 1,
        }
    }
}

impl CountJob {
    /// Returns the lines in their order. A method ends at its largest board.
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

/// A message of a count to all pages that watch it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CountEvent {
    /// The status.
    Standing(Box<CountStatus>),
    /// All finished lines.
    Lines(Vec<FinishedRow>),
    /// A file to be saved.
    File {
        name: String,
        /// The media type.
        kind: String,
        /// The content of the file.
        text: String,
    },
}

words! {
    /// The phase of a count.
    #[derive(Default, Serialize, Deserialize)]
    pub enum Phase {
        /// Looking for a saved count.
        #[default]
        Opening = "opening",
        /// Nothing is being counted or saved.
        Idle = "idle",
        /// Tasks are being counted.
        Running = "running",
        /// No further tasks start, but some are still running.
        Pausing = "pausing",
        /// No tasks are running until the user resumes the count.
        Paused = "paused",
        /// The count was stopped, or the page was closed. Its finished tasks are saved.
        Kept = "kept",
        /// Another page of this browser is counting.
        Elsewhere = "elsewhere",
    }
}

impl Phase {
    /// Whether another count may start.
    pub const fn is_at_rest(self) -> bool {
        matches!(self, Phase::Idle | Phase::Kept)
    }
}

/// The status of a count.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CountStatus {
    /// The phase of the count.
    pub phase: Phase,
    /// The order that is being counted or is saved; `None` if there is nothing left to count.
    pub order: Option<CountJob>,
    /// The line that is being counted.
    pub now: Option<CurrentRow>,
    /// The estimate for the order of the last [`CountCommand::Weigh`]; `None` until it is ready.
    pub forecast: Option<Forecast>,
    /// The size of the saved count, in bytes.
    pub kept: u64,
    /// The last problem.
    pub trouble: Option<Trouble>,
    /// The number of processor cores that the browser reports.
    pub cores: u32,
    /// The state of WebGPU in the browser.
    pub webgpu: WebGpu,
    /// Whether results can be posted to the page's own server; `None` until the server has
    /// answered.
    pub server: Option<bool>,
}

/// The state of WebGPU in a browser.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum WebGpu {
    /// The browser has not answered yet.
    #[default]
    Asked,
    /// The browser does not support WebGPU.
    Missing,
    /// The browser supports WebGPU only for pages loaded over HTTPS or from this machine; this page
    /// is neither.
    Insecure,
    /// The browser offers no GPU.
    NoAdapter,
    /// A GPU, with the browser's name for it.
    Found(String),
    /// A GPU that failed, with the reason.
    Failed(String),
    /// A GPU that returned a wrong count.
    Wrong,
}

impl WebGpu {
    /// Whether it is certain that no GPU can count.
    pub const fn is_out(&self) -> bool {
        !matches!(self, WebGpu::Asked | WebGpu::Found(_))
    }
}

/// A line that is being counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurrentRow {
    pub method: Method,
    pub size: Size,
    /// The number of tasks that are running or finished, those of earlier sessions included.
    pub begun: u32,
    /// The number of finished tasks.
    pub done: u32,
    /// The number of all tasks.
    pub tasks: u32,
    /// The number of solutions that the finished tasks represent.
    pub solutions: u64,
    /// The counting time so far, in seconds.
    pub seconds: f64,
    /// The estimated remaining time in seconds, if an estimate is possible.
    pub left: Option<f64>,
}

/// The estimated time of an order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    pub order: CountJob,
    /// The time of the whole order, in seconds.
    pub seconds: f64,
    /// Whether the time is extrapolated from samples of smaller boards.
    pub guessed: bool,
    /// The smallest N that would take longer than an hour, once it is known.
    pub hour: Option<u32>,
}

/// A problem of a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trouble {
    /// The count cannot be saved: the browser's storage is full or not available.
    NotKept,
    /// A worker failed, with the browser's message.
    Broken(String),
    /// The GPU failed, with its driver's message.
    Gpu(String),
    /// The GPU is faulty: a recount of one of its tasks gave another number.
    Wrong(Wrong),
}

/// A task that a GPU counted wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrong {
    pub task: usize,
    /// The number of solutions that the GPU found; [`u64::MAX`] if the number does not fit.
    pub counted: u64,
    /// The number of solutions that the processor found, with the same limit.
    pub expected: u64,
}

/// A finished line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinishedRow {
    pub method: Method,
    pub size: Size,
    /// The numbers, or the reason why they cannot be right.
    pub outcome: Result<Numbers, String>,
    /// The checks that the numbers passed.
    pub checks: Checks,
    /// The workers or the GPU that counted the line.
    pub place: Executor,
    /// The counting time, in seconds.
    pub seconds: f64,
    /// The counting time in the form of the seeds' tables.
    pub time: String,
    /// Whether the document was posted to the server.
    pub posted: Posted,
}

/// Whether a document was posted to the server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Posted {
    /// Not posted.
    #[default]
    No,
    /// The request is running.
    Sending,
    /// The server has stored the document under this id.
    There(String),
    /// The server did not accept the document. `None` if no answer came, otherwise the HTTP status.
    Refused(Option<u16>),
}
