//! Exercises: questions about the methods that are answered by hand on a board. A seed draws the
//! board, and the searches themselves give the answers.

mod chance;
mod draw;

use alloc::vec::Vec;

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
    /// The queens that are shown.
    pub board: Queens,
    /// The search that it is about, and how many of its steps lead to the board with the answer
    /// on it or before it; none for what is asked of a solution alone.
    pub search: Option<(Stepped, u64)>,
    /// What is asked.
    pub question: Question,
    /// What is right.
    pub answer: Answer,
}

/// What is asked of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// The square on which the search puts its next queen, whichever it lifts before.
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
    /// The squares that a rule closes in this branch, whatever else stands on the board.
    Closed {
        /// The rule.
        rule: Rule,
        /// The only row that is asked for.
        row: Option<u32>,
    },
    /// The squares of the queens that a branch begins with.
    Branch {
        /// BOUND1.
        bound1: u32,
        /// Whether the first queen stands in the corner.
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
    /// The image with the smallest judgement value, one of these.
    Smallest(Vec<Placement>),
    /// How an image compares with the solution, one of [`Question::OUTCOMES`].
    Compare(Transform),
    /// The lower half that fits below the queens, one of these.
    Fitting(Vec<Queens>),
}

/// What is right.
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

    /// What a comparison can come to, to choose from.
    pub const OUTCOMES: [Outcome; 3] = [Outcome::ImageSmaller, Outcome::Same, Outcome::ImageLarger];
}

impl Exercise {
    /// How many levels of difficulty there are.
    pub const LEVELS: u32 = 4;

    /// How hard the exercises of a seed are, from 0: the seed's last digit, up to the hardest level.
    pub fn level(seed: u32) -> u32 {
        (seed % 10).min(Exercise::LEVELS - 1)
    }

    /// The seed of another exercise: after one that was answered rightly it is harder, as long as
    /// there are harder ones, otherwise as hard.
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
        // Behind the last seed it begins anew.
        next.unwrap_or(seed % 10)
    }

    /// The board's side.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// How the board, which is a solution, compares with an image.
    pub fn compared(&self, transform: Transform) -> Outcome {
        Comparison::new(self.board.rows(), self.size(), transform).outcome()
    }
}
