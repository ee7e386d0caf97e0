//! Messages between the page and a count in several workers.

use queens_core::{Checks, Method, Numbers, Size, document::BackendKind, words};
use serde::{Deserialize, Serialize};

/// A command of the page to a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CountCommand {
    /// Report the status now and whenever it changes.
    Watch,
    /// Start a count. Finished rows of earlier counts stay, unless the job counts them again.
    Start(CountJob),
    /// Start no further tasks, finish the running ones, and then pause.
    Pause,
    /// Resume a paused or saved count.
    Resume,
    /// Pause at once, and abandon the running tasks. Finished tasks stay saved.
    Stop,
    /// Delete the unfinished count. All finished rows stay.
    Discard,
    /// Delete the saved count and all finished rows.
    Delete,
    /// Send the result documents of all finished rows to the page: [`CountEvent::Documents`].
    SendDocuments,
}

/// The boards and methods to count. The result has one row for each board and method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountJob {
    /// The method; `None` for all methods, one after the other.
    pub method: Option<Method>,
    /// The first board.
    pub from: Size,
    /// The last board.
    pub to: Size,
    /// The workers or the GPU that count.
    pub executor: Executor,
}

/// The part of the machine on which a count runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Executor {
    /// This number of workers on the processor, at least 1.
    Workers(u32),
    /// A GPU, with WebGPU. It supports only [`Method::on_gpus`].
    WebGpu,
}

impl Executor {
    /// The smallest board for a GPU. Smaller boards have no work to divide among the GPU's threads.
    pub const SMALLEST: u32 = 4;

    /// Returns the number of workers. A count on a GPU has one, which controls the GPU.
    pub const fn worker_count(self) -> u32 {
        match self {
            Executor::Workers(workers) => workers,
            Executor::WebGpu => 1,
        }
    }

    /// Returns the backend's name in documents.
    pub const fn backend(self) -> BackendKind {
        match self {
            Executor::Workers(_) => BackendKind::Wasm,
            Executor::WebGpu => BackendKind::Webgpu,
        }
    }
}

impl CountJob {
    /// Returns the method and the board of each row. The rows of a method end at its largest board.
    pub fn rows(self) -> impl Iterator<Item = (Method, Size)> {
        let methods = Method::ALL.iter().copied();
        let methods = methods.filter(move |&method| self.method.is_none_or(|one| one == method));
        methods.flat_map(move |method| {
            let last = self.to.get().min(method.largest());
            let sizes = Size::all().filter(move |size| *size >= self.from && size.get() <= last);
            sizes.map(move |size| (method, size))
        })
    }

    /// Returns a job without rows: the range of its boards is empty.
    pub fn without_rows(self) -> CountJob {
        let mut sizes = Size::all();
        let [from, to] = [sizes.next_back(), sizes.next()];
        CountJob { from: from.unwrap_or(self.from), to: to.unwrap_or(self.to), ..self }
    }

    /// Whether the job counts the board of a finished row by the same method, so that it replaces the row.
    pub fn replaces(self, row: &FinishedRow) -> bool {
        self.rows().any(|counted| counted == (row.method, row.size))
    }
}

/// A message that a count sends to each request of the page that watches it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CountEvent {
    /// The current status.
    Status(Box<CountStatus>),
    /// All finished rows: those of earlier counts, then those of the current one.
    Rows(Vec<FinishedRow>),
    /// The result documents of the finished rows: the name of a file and its content.
    Documents(Vec<(String, String)>),
}

words! {
    /// The phase of a count.
    #[derive(Default, Serialize, Deserialize)]
    pub enum Phase {
        /// The saved count is being read.
        #[default]
        Opening = "opening",
        /// No count is running, and no unfinished one is saved.
        Idle = "idle",
        /// Tasks are being counted.
        Running = "running",
        /// No further tasks start, but some are still running.
        Pausing = "pausing",
        /// The count is paused, or the page was closed. Its finished tasks are saved.
        Saved = "kept",
        /// Another tab of this browser may count. This one only shows the saved count.
        Elsewhere = "elsewhere",
    }
}

impl Phase {
    /// Whether another count may start.
    pub const fn can_start(self) -> bool {
        matches!(self, Phase::Idle | Phase::Saved)
    }
}

/// The status of a count.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CountStatus {
    pub phase: Phase,
    /// The job that is being counted or is saved; `None` if all of its rows are finished.
    pub job: Option<CountJob>,
    /// The first unfinished row of the job, if its count has begun.
    pub current_row: Option<CurrentRow>,
    /// The workers, in a fixed order; empty unless a count runs or is paused.
    pub workers: Vec<WorkerStatus>,
    /// The last problem.
    pub trouble: Option<Trouble>,
    /// The number of processor cores that the browser reports.
    pub cores: u32,
    /// The state of WebGPU in the browser.
    pub webgpu: WebGpu,
}

/// The state of WebGPU in a browser.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum WebGpu {
    /// The browser has not answered yet.
    #[default]
    Unknown,
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
    Faulty,
}

impl WebGpu {
    /// Whether it is certain that no GPU can count.
    pub const fn is_unusable(&self) -> bool {
        !matches!(self, WebGpu::Unknown | WebGpu::Found(_))
    }
}

/// The progress of the row that is being counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurrentRow {
    pub method: Method,
    pub size: Size,
    /// The number of running and finished tasks, those of earlier sessions included.
    pub started: u32,
    /// The number of finished tasks.
    pub done: u32,
    /// The number of all tasks.
    pub tasks: u32,
    /// The number of solutions that the finished tasks represent.
    pub solutions: u64,
    /// The counting time so far, in seconds.
    pub seconds: f64,
    /// The estimated remaining time in seconds, if an estimate is possible.
    pub remaining_seconds: Option<f64>,
}

impl CurrentRow {
    /// Whether enough of the board is counted to extrapolate its time: 5 % of the tasks in at least 0.3 s, or
    /// 16 tasks in at least 10 s. With less, the start-up of the workers and a few unusual tasks decide: a
    /// board of 2.5 s was expected to take 40 s.
    pub fn has_enough(&self) -> bool {
        let (done, tasks) = (u64::from(self.done), u64::from(self.tasks));
        let has_share = done > 0 && done * 20 >= tasks && self.seconds >= 0.3;
        has_share || done >= 16 && self.seconds >= 10.0
    }

    /// Returns the expected time of the whole row in seconds by its finished tasks; `None` until
    /// [enough](CurrentRow::has_enough) are finished. For a paused or restored row, which has no remaining
    /// time, the share of finished tasks is taken for their share of the time.
    pub fn expected_seconds(&self) -> Option<f64> {
        let by_share = || self.seconds * f64::from(self.tasks) / f64::from(self.done);
        let by_pace = self.remaining_seconds.map(|remaining| self.seconds + remaining);
        self.has_enough().then(|| by_pace.unwrap_or_else(by_share))
    }
}

/// The work of one worker on the current row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// The first task of the batch that the worker is counting; `None` while it has no work.
    pub task: Option<u32>,
    /// The number of tasks of the batch.
    pub batch: u32,
    /// The number of tasks of the row that the worker has finished.
    pub done: u32,
}

/// A problem of a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trouble {
    /// The count cannot be saved: the browser's storage is full or not available.
    NotSaved,
    /// Another tab counts, too, in a browser without Web Locks.
    OtherTabCounts,
    /// A worker failed, or a result was rejected, with the reason.
    WorkerFailed(String),
    /// The GPU failed, with the reason.
    GpuFailed(String),
    /// The GPU is faulty: a recount of one of its tasks gave another number.
    GpuFaulty(WrongTask),
}

/// A task that a GPU counted incorrectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongTask {
    pub task: usize,
    /// The number of solutions that the GPU found; [`u64::MAX`] if the number does not fit.
    pub counted: u64,
    /// The number of solutions that the processor found, with the same limit.
    pub expected: u64,
}

/// The result of a finished row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinishedRow {
    pub method: Method,
    pub size: Size,
    /// The numbers, or the reason why they cannot be right.
    pub outcome: Result<Numbers, String>,
    /// The checks that the numbers passed.
    pub checks: Checks,
    /// The workers or the GPU that counted the row.
    pub executor: Executor,
    /// The counting time, in seconds.
    pub seconds: f64,
    /// The counting time as in the tables of the seed programs: `dd:hh:mm:ss.cc`.
    pub time: String,
}
