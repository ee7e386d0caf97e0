//! What the page and its worker say to each other.
//!
//! A request is asked once, under a number that the page chooses; the worker answers it with any
//! number of parts and one last answer, until the page says that it has lost interest. To add a
//! request: a variant of [`Request`], its variants of [`Answer`], and a job.

mod encoding;
mod results;

use queens_core::{Class, Numbers, Placement, Queens, Size, Stepped, Turns};
use serde::{Deserialize, Serialize};

pub use encoding::{decode, encode, is_ready, ready};
pub use queens_state::count::{
    Command, Forecast, Line, News, Now, Order, Phase, Place, Posted, Standing, Trouble, WebGpu,
    Wrong,
};
pub use queens_state::routing::{Field, Listing};
pub use queens_state::search::state::Mark;
pub use results::{
    Again, Chart, DocumentId, Drawing, Gist, Keeping, Made, NoFile, Other, Point, Quantity,
    Recounted, Tasks, Why,
};

/// Names a request for as long as the page lives.
pub type RequestId = u64;

/// From the page to the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Call {
    /// Do this and answer under this number.
    Ask(RequestId, Box<Request>),
    /// Lead a count in several workers, and tell of it under this number: [`Answer::Count`].
    Count(RequestId, Command),
    /// Do this with files, and answer under this number: [`Answer::Files`] again and again.
    Keep(RequestId, Keeping),
    /// The page shows a document no more, or one time less.
    LetGo(DocumentId),
    /// Nobody waits for the answers any more.
    Stop(RequestId),
}

/// From the worker to the page: one answer to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The request that it answers.
    pub id: RequestId,
    pub answer: Answer,
}

/// What the worker can be asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// The representatives of all classes, found by the symmetry method, smallest first:
    /// [`Answer::Classes`] again and again, the last with the ledger.
    Classes { size: Size },
    /// A run ahead through a search, for the timeline: [`Answer::Survey`] again and again, the
    /// last with the end, unless the search is too long for that.
    Survey { method: Stepped, size: Size },
    /// All solutions and the symmetric ones of one board after the other, as far as seconds go:
    /// [`Answer::Numbers`] again and again.
    Numbers,
    /// The step at which a search meets a solution: one [`Answer::Located`].
    Locate {
        method: Stepped,
        /// The solution.
        placement: Placement,
    },
    /// The number of solutions that contain some queens: [`Answer::Completions`] again and again,
    /// the last with `done`.
    Completions { queens: Queens },
    /// One of the solutions that contain some queens: [`Answer::Completion`].
    Completion {
        queens: Queens,
        /// Which one, from 0, in the order of the search.
        index: u64,
    },
    /// Two methods side by side, on the way to a solution that both meet: [`Answer::Compared`] again
    /// and again.
    Compare {
        first: Stepped,
        second: Stepped,
        size: Size,
        /// To which one.
        to: Common,
    },
    /// The work of all methods on a board: [`Answer::Efforts`] again and again.
    Efforts { size: Size },
    /// Results side by side: [`Answer::Drawing`].
    Chart(Chart),
    /// The tasks of a result: [`Answer::Drawing`], and others while more becomes known of the chosen
    /// one.
    Tasks(Tasks),
    /// Tasks of a result counted again: [`Answer::Recounted`] again and again.
    Again(Again),
}

/// A solution that two methods both meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Common {
    /// By its number, from 1; the end beyond the last one, the start if 0.
    Number(u64),
    /// The last one that the first method has met by a step.
    ByStep(u64),
}

/// How far a search has come: a share of the tasks that its plan would have. They are even
/// enough for a bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Tasks entered.
    pub tasks: u32,
    /// Tasks in all, at least 1.
    pub of: u32,
}

impl Progress {
    /// The share from 0 to 1.
    pub fn share(self) -> f64 {
        f64::from(self.tasks) / f64::from(self.of.max(1))
    }
}

/// The one solution that stands for its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Representative {
    /// Its queens.
    pub placement: Placement,
    /// The size of its class.
    pub class: Class,
    /// The step of the symmetry method after which it is on the board.
    pub step: u64,
}

/// What a search has done so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    pub steps: u64,
    /// Squares looked at, or queens put.
    pub tried: u64,
    /// Squares closed because a queen attacks them.
    pub attacked: u64,
    /// Squares closed by a rule.
    pub cut: u64,
    /// Comparisons with an image.
    pub comparisons: u64,
    pub met: u64,
    /// Whether the search is at its end.
    pub ended: bool,
}

impl Effort {
    /// Nothing yet.
    pub const NONE: Effort =
        Effort { steps: 0, tried: 0, attacked: 0, cut: 0, comparisons: 0, met: 0, ended: false };

    /// The number of steps at which a search of the table of all methods is given up: about a
    /// second of work.
    pub const LIMIT: u64 = 1 << 26;
}

/// What the worker answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// More representatives, in ascending order of their judgement values.
    Classes {
        /// Those found since the last answer.
        found: Vec<Representative>,
        /// How far the search has come.
        progress: Progress,
        /// The sums, in the last answer.
        ledger: Option<ClassLedger>,
    },
    /// A search as far as it is known; each answer takes the place of the one before.
    Survey {
        /// What happened in each stretch of steps.
        marks: Vec<Mark>,
        /// The number of steps in a stretch.
        stretch: u64,
        /// Steps done so far; the length of the search if it has ended.
        steps: u64,
        /// Whether the search has ended.
        ended: bool,
    },
    /// Boards that have been counted since the last answer.
    Numbers {
        /// In ascending order of N, first with Q, then with H and R alone.
        counted: Vec<Counted>,
    },
    /// The answer to [`Request::Locate`]: the step after which the solution is on the board, or
    /// nothing if the method never meets it (it may meet only another image).
    Located { step: Option<u64> },
    /// The answer to [`Request::Completions`]; each takes the place of the one before.
    Completions {
        /// Solutions so far.
        found: u64,
        /// How far the search has come.
        progress: Progress,
        /// Whether these are all.
        done: bool,
    },
    /// The answer to [`Request::Completion`].
    Completion {
        /// The solution, once it is found.
        placement: Option<Placement>,
        /// Whether the search has ended without one.
        none: bool,
    },
    /// The answer to [`Request::Compare`]; each takes the place of the one before.
    Compared {
        /// What each method has done.
        efforts: [Effort; 2],
        /// The number of solutions that both have met.
        common: u64,
        /// The last of them.
        solution: Option<Placement>,
        /// Whether they are where they were asked to go.
        there: bool,
    },
    /// The answer to [`Request::Efforts`]: each method that has begun, in the order of the
    /// ladder. All but the last one have ended or were given up.
    Efforts {
        /// What each has done.
        efforts: Vec<Effort>,
    },
    /// What there is to say of a count in several workers.
    Count(News),
    /// A picture; each takes the place of the one before.
    Drawing(Drawing),
    /// The answer to [`Request::Again`]; each takes the place of the one before.
    Recounted(Recounted),
    /// What became of files.
    Files {
        /// [What the worker has made](Gist::write) of some.
        files: Vec<u8>,
        /// Whether these are all.
        last: bool,
    },
}

/// What was counted of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    pub size: Size,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of counting a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// H and R; the board is too large for more.
    Turns(Turns),
    /// Everything, settled as the command settles it.
    Numbers(Numbers),
    /// Numbers that cannot be right.
    Wrong,
}

/// The numbers of a board whose classes were found one by one, and what turns keep, found by
/// searches of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassLedger {
    /// The sums over all classes.
    pub numbers: Numbers,
    /// H and R, found without the classes.
    pub turns: Turns,
}

impl ClassLedger {
    /// Whether the classes are as many as Burnside's lemma says.
    pub fn agrees(&self) -> bool {
        self.numbers.turns() == self.turns
    }
}
