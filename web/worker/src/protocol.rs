//! Messages between the page and its worker.
//!
//! The page sends a request under a number that it chooses. The worker sends any number of partial
//! answers and one last answer, unless the page stops the request. To add a request, add a variant
//! of [`Request`], its variants of [`Answer`], and a `Job` (see `jobs.rs`), which `searches::job`
//! starts.

mod count;
mod encoding;
mod results;
mod task_pairs;

use queens_core::{Class, Numbers, Placement, Queens, Size, Stepped, Turns};
use serde::{Deserialize, Serialize};

use crate::icicle::Icicle;
pub use count::{
    CountCommand, CountEvent, CountJob, CountStatus, CurrentRow, Executor, FinishedRow, Phase,
    Trouble, WebGpu, WorkerStatus, WrongTask,
};
pub use encoding::{decode, encode, is_ready, ready};
pub use results::{
    DocumentId, DocumentInfo, FileAccessError, FileError, FileRequest, ListedTask, LoadedFile,
    Mismatch, PublishOutcome, RecountProgress, RecountRequest, Task, TaskDifference, TaskPair,
    TaskStart, TaskSummary, TimeDifference, TimePair,
};
pub use task_pairs::{ComparedTask, PICTURE_CELLS, PictureCell, TimePicture, median_ratio};

/// Identifies a request for as long as the page lives.
pub type RequestId = u64;

/// A message from the page to the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Call {
    /// Process this request and answer under this number.
    Request(RequestId, Box<Request>),
    /// Execute this command for the count in the pool of workers. After [`CountCommand::Watch`],
    /// its events are sent under this number: [`Answer::Count`], repeatedly.
    Count(RequestId, CountCommand),
    /// Process files and answer under this number: [`Answer::Files`], repeatedly.
    Files(RequestId, FileRequest),
    /// Release one reference of the page to this document. The worker drops the document with the
    /// last reference.
    Release(DocumentId),
    /// The page no longer needs the answers to this request.
    Stop(RequestId),
}

/// A message from the worker to the page: one answer to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The request that is answered.
    pub id: RequestId,
    pub answer: Answer,
}

/// A request to the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// The representatives of all classes, found by the symmetry method in ascending order:
    /// [`Answer::Classes`], repeatedly, the last one with the ledger.
    Classes { size: Size },
    /// An index of a whole search for the timeline: [`Answer::TimelineIndex`], repeatedly. In the
    /// last answer the search has ended, unless it is too long to be indexed.
    TimelineIndex { method: Stepped, size: Size },
    /// The step at which a search reaches a solution: [`Answer::Located`], repeatedly.
    Locate {
        method: Stepped,
        /// The solution.
        placement: Placement,
    },
    /// The number of solutions that contain the given queens: [`Answer::Completions`], repeatedly,
    /// the last one with `done`.
    Completions { queens: Queens },
    /// One of the solutions that contain the given queens: [`Answer::Completion`], repeatedly,
    /// until the solution is found or missing.
    Completion {
        queens: Queens,
        /// The index of the solution, from 0, in the order of the search.
        index: u64,
    },
    /// The work of methods on a board: [`Answer::Efforts`], repeatedly.
    Efforts { methods: Vec<Stepped>, size: Size },
    /// A summary of the tasks of a result, with the task `chosen`: [`Answer::TaskSummary`].
    TaskSummary { document: DocumentId, chosen: Option<u32> },
    /// All tasks of a result: [`Answer::TaskList`].
    TaskList(DocumentId),
    /// The tasks of two results, compared: [`Answer::TaskDifference`].
    TaskDifference([DocumentId; 2]),
    /// The total of shards that complete a count: [`Answer::SumOfShards`].
    SumOfShards(Vec<DocumentId>),
    /// A recount of tasks of a result: [`Answer::RecountProgress`], repeatedly.
    Recount(RecountRequest),
}

/// The progress of a search in parts of similar size, for a progress bar: the tasks of its plan
/// that it has entered, or the finished parts of a count of completions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchProgress {
    /// The number of parts entered or finished.
    pub entered: u32,
    /// The number of all parts. It is 0 for a count of completions if the division into parts already
    /// shows that no solution exists.
    pub all: u32,
}

impl SearchProgress {
    /// The fraction done, from 0 to 1.
    pub fn fraction(self) -> f64 {
        f64::from(self.entered) / f64::from(self.all.max(1))
    }
}

/// The place of a solution in a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// The step after which the solution is on the board.
    pub step: u64,
    /// The number of solutions that the search has kept by then: of classes, if it keeps one of each.
    pub kept: u64,
    /// The number of solutions that these represent.
    pub total: u64,
}

/// The representative of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Representative {
    /// The queens of the representative.
    pub placement: Placement,
    /// The size of the class.
    pub class: Class,
    /// The step of the symmetry method after which the representative is on the board.
    pub step: u64,
}

/// The work that a search has done so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    pub steps: u64,
    /// Queens placed.
    pub placed: u64,
    /// Squares tested one by one; 0 for methods that do not.
    pub looked_at: u64,
    /// Squares closed because a queen attacks them.
    pub attacked: u64,
    /// Squares closed by a rule.
    pub cut: u64,
    /// Comparisons with an image.
    pub comparisons: u64,
    /// Solutions found, each counted once however many solutions it represents.
    pub solutions: u64,
    /// Whether the search has ended.
    pub has_ended: bool,
}

impl Effort {
    /// The work of a search that has not begun.
    pub const NONE: Effort = Effort {
        steps: 0,
        placed: 0,
        looked_at: 0,
        attacked: 0,
        cut: 0,
        comparisons: 0,
        solutions: 0,
        has_ended: false,
    };

    /// The number of steps after which a search in the table of all methods stops: about a second
    /// of work.
    pub const LIMIT: u64 = 1 << 26;
}

/// An answer of the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// More representatives, in ascending order of their judgement values.
    Classes {
        /// The representatives found since the last answer.
        found: Vec<Representative>,
        /// The progress of the search.
        progress: SearchProgress,
        /// The totals, in the last answer.
        ledger: Option<ClassLedger>,
    },
    /// The part of a search that is indexed so far. Each answer replaces the previous one.
    TimelineIndex {
        /// The number of steps done so far, which is the length of the search if it has ended.
        steps: u64,
        /// The number of beats among them.
        beats: u64,
        /// Whether the search has ended.
        has_ended: bool,
        /// The map of these steps.
        icicle: Icicle,
    },
    /// The answer to [`Request::Locate`]: `None` while the search runs and, in the last answer, if the
    /// method does not reach the solution (it may reach another image instead).
    Located(Option<Location>),
    /// The answer to [`Request::Completions`]. Each answer replaces the previous one.
    Completions {
        /// The number of solutions found so far.
        found: u64,
        /// The progress of the count.
        progress: SearchProgress,
        /// Whether the count is complete.
        done: bool,
    },
    /// The answer to [`Request::Completion`].
    Completion {
        /// The solution, once found.
        placement: Option<Placement>,
        /// Whether the search has ended without finding the solution.
        is_missing: bool,
    },
    /// The answer to [`Request::Efforts`]. Each answer replaces the previous one.
    Efforts {
        /// The work of each method that has begun, in the order of the request. All searches except
        /// the last one have ended or were stopped at [`Effort::LIMIT`].
        efforts: Vec<Effort>,
    },
    /// An event of the count in the pool of workers.
    Count(CountEvent),
    /// The answer to [`Request::TaskSummary`]; `None` if the worker has no tasks of the document.
    TaskSummary(Option<TaskSummary>),
    /// The answer to [`Request::TaskList`].
    TaskList(Vec<Task>),
    /// The answer to [`Request::TaskDifference`]; `None` if the tasks cannot be compared.
    TaskDifference(Option<TaskDifference>),
    /// The answer to [`Request::SumOfShards`]; `None` if the shards cannot be added up.
    SumOfShards(Option<u64>),
    /// The answer to [`Request::Recount`]. Each answer replaces the previous one.
    RecountProgress(RecountProgress),
    /// The results of processing files.
    Files {
        /// An encoded list of [`LoadedFile`], written by [`DocumentInfo::write`], or the
        /// [`PublishOutcome`] of [`FileRequest::Publish`].
        files: Vec<u8>,
        /// Whether this is the last answer.
        last: bool,
    },
}

/// The totals of a board whose classes were found one by one, together with H and R from separate
/// searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassLedger {
    /// The sums over all classes.
    pub numbers: Numbers,
    /// H and R, found by searches that do not use the classes.
    pub turns: Turns,
}

impl ClassLedger {
    /// Whether H and R as derived from the classes equal those of the separate searches.
    pub fn agrees(&self) -> bool {
        self.numbers.turns() == self.turns
    }
}
