//! Exercises: questions about the methods, answered on a board. The seed determines the board, and
//! the searches give the answers.

mod draw;
mod puzzle;
mod split_mix;

use alloc::vec::Vec;

pub use puzzle::{Level, Puzzle};

use crate::{
    Class, Comparison, Outcome, Placement, Queens, Register, Rule, Size, Stepped, Transform,
};

/// A question about a method, and its answer.
///
/// ```
/// use queens_core::{Answer, Exercise, Method, Question};
/// let exercise = Exercise::new(Method::Backtracking, 7).ok_or("every method has exercises")?;
/// assert_eq!(exercise.question, Question::NextQueen);
/// let Answer::Squares(squares) = exercise.answer else { return Err("one square".into()) };
/// assert_eq!(squares.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exercise {
    /// The queens on the board in the question.
    pub board: Queens,
    /// The search in question, and the number of its steps after which it shows the answer or is about
    /// to; `None` for questions about a solution only.
    pub search: Option<(Stepped, u64)>,
    /// The question.
    pub question: Question,
    /// The correct answer.
    pub answer: Answer,
}

/// A question about a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// The square on which the search places its next queen, possibly after lifting others.
    NextQueen,
    /// The squares of a row that the queens above attack.
    Attacked {
        /// The row.
        row: u32,
    },
    /// The squares of a row whose bits are 1 in a register.
    Word {
        /// The row.
        row: u32,
        /// The register.
        register: Register,
    },
    /// The squares that a rule closes in this branch, whatever else is on the board.
    Closed {
        /// The rule.
        rule: Rule,
        /// The row in question; `None` for the whole board.
        row: Option<u32>,
    },
    /// The squares of the first queens of a branch.
    Branch {
        /// BOUND1.
        bound1: u32,
        /// Whether the first queen is in the corner.
        corner: bool,
    },
    /// The last squares of the side columns that a queen may take: both ends of row BOUND2.
    Bound2 {
        /// BOUND1.
        bound1: u32,
    },
    /// The cells A, B and C.
    Cells,
    /// The size of a solution's class, one of [`Question::CLASSES`].
    Class,
    /// The image with the smallest judgement value among these.
    Smallest(Vec<Placement>),
    /// How an image compares with the solution, one of [`Question::OUTCOMES`].
    Compare(Transform),
    /// The squares of the other colour that the queens on white squares leave to those on black
    /// ones: all whose row and column are empty.
    OtherColour,
}

/// The correct answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Exactly these squares.
    Squares(Queens),
    /// The choice with this number, from 0.
    Choice(usize),
}

impl Question {
    /// The classes to choose from.
    pub const CLASSES: [Class; 3] = [Class::Two, Class::Four, Class::Eight];

    /// The outcomes of a comparison to choose from.
    pub const OUTCOMES: [Outcome; 3] = [Outcome::ImageSmaller, Outcome::Same, Outcome::ImageLarger];
}

impl Exercise {
    /// The number of levels of difficulty.
    pub const LEVELS: u32 = 4;

    /// The difficulty of a seed's exercises, from 0: the seed's last digit, limited to the hardest
    /// level.
    pub fn level(seed: u32) -> u32 {
        (seed % 10).min(Exercise::LEVELS - 1)
    }

    /// Returns the seed of the next exercise. After a correct answer it is one level harder, up to
    /// the hardest level; otherwise it has the same level.
    ///
    /// ```
    /// use queens_core::Exercise;
    /// assert_eq!((Exercise::level(70), Exercise::next_seed(70, true)), (0, 71));
    /// assert_eq!((Exercise::level(73), Exercise::next_seed(73, true)), (3, 83));
    /// assert_eq!((Exercise::level(70), Exercise::next_seed(70, false)), (0, 80));
    /// ```
    pub fn next_seed(seed: u32, is_right: bool) -> u32 {
        let is_harder = is_right && Exercise::level(seed) < Exercise::LEVELS - 1;
        let next = seed.checked_add(if is_harder { 1 } else { 10 });
        // After the last seed the sequence restarts.
        next.unwrap_or(seed % 10)
    }

    /// The board's side.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// Compares the board, which must be a solution, with its image under `transform`.
    pub fn compared(&self, transform: Transform) -> Outcome {
        Comparison::new(self.board.rows(), self.size(), transform).outcome()
    }
}
