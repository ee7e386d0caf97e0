//! What happens in a search, one event at a time.

use core::panic::Location;

use crate::{Class, Outcome, RowBits, Rule, Transform};

/// What a solution that a method reports stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// Itself.
    Single,
    /// Itself and its left-right mirror.
    MirrorPair,
    /// All members of its class.
    Class(Class),
}

impl Found {
    /// The number of solutions that it stands for.
    #[inline]
    pub const fn solutions(self) -> u64 {
        match self {
            Found::Single => 1,
            Found::MirrorPair => 2,
            Found::Class(class) => class.members(),
        }
    }
}

/// One step of a search. Rows count from the top; a `square` is a single bit of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The search enters a row.
    Descend {
        /// The row entered.
        row: u32,
    },
    /// A method that looks at one square after another looks at this one.
    Try {
        /// The row.
        row: u32,
        /// The square looked at.
        square: RowBits,
    },
    /// Squares are closed because a queen attacks them. Methods that test a full board report
    /// the first queen that another one attacks.
    Reject {
        /// The row.
        row: u32,
        /// The attacked squares: one, or all of the row at once.
        squares: RowBits,
    },
    /// Squares that no queen attacks are closed by a rule.
    Cut {
        /// The row.
        row: u32,
        /// The rule.
        rule: Rule,
        /// The squares it closes.
        squares: RowBits,
    },
    /// A queen is put on the board.
    Place {
        /// The row.
        row: u32,
        /// The queen's square.
        square: RowBits,
    },
    /// The solution on the board has been compared with one of its images.
    Compare {
        /// What makes the image.
        transform: Transform,
        /// How the image compares.
        outcome: Outcome,
    },
    /// The queens on the board are a solution that counts.
    Solution {
        /// What it stands for.
        found: Found,
    },
    /// The search goes back to a row and lifts its queen.
    Back {
        /// The row whose queen is lifted.
        row: u32,
    },
    /// Nothing is left to search.
    Done,
}

/// Something that is told every event of a search in its recursive form.
///
/// The methods' code calls the named functions ([`place`](Observer::place), …), each of which
/// hands one [`Event`] to [`see`](Observer::see). An observer that ignores an event costs
/// nothing there: the event is known at compile time. The line of the method's source that
/// reports an event is `Location::caller()` within `see`.
pub trait Observer {
    /// Takes one event.
    #[track_caller]
    fn see(&mut self, event: Event);

    /// [`Event::Descend`].
    #[inline(always)]
    #[track_caller]
    fn descend(&mut self, row: u32) {
        self.see(Event::Descend { row });
    }

    /// [`Event::Try`].
    #[inline(always)]
    #[track_caller]
    fn try_square(&mut self, row: u32, square: RowBits) {
        self.see(Event::Try { row, square });
    }

    /// [`Event::Reject`], unless `squares` is empty.
    #[inline(always)]
    #[track_caller]
    fn reject(&mut self, row: u32, squares: RowBits) {
        if !squares.is_empty() {
            self.see(Event::Reject { row, squares });
        }
    }

    /// [`Event::Cut`], unless `squares` is empty.
    #[inline(always)]
    #[track_caller]
    fn cut(&mut self, row: u32, rule: Rule, squares: RowBits) {
        if !squares.is_empty() {
            self.see(Event::Cut { row, rule, squares });
        }
    }

    /// [`Event::Place`].
    #[inline(always)]
    #[track_caller]
    fn place(&mut self, row: u32, square: RowBits) {
        self.see(Event::Place { row, square });
    }

    /// [`Event::Compare`].
    #[inline(always)]
    #[track_caller]
    fn compare(&mut self, transform: Transform, outcome: Outcome) {
        self.see(Event::Compare { transform, outcome });
    }

    /// [`Event::Solution`].
    #[inline(always)]
    #[track_caller]
    fn solution(&mut self, found: Found) {
        self.see(Event::Solution { found });
    }

    /// [`Event::Back`].
    #[inline(always)]
    #[track_caller]
    fn back(&mut self, row: u32) {
        self.see(Event::Back { row });
    }

    /// [`Event::Done`].
    #[inline(always)]
    #[track_caller]
    fn done(&mut self) {
        self.see(Event::Done);
    }
}

/// One event of a method's iterative form, with the line of its source that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// What happened.
    pub event: Event,
    /// The line in the method's source file, from 1.
    pub line: u32,
}

impl Step {
    #[inline]
    #[track_caller]
    fn new(event: Event) -> Step {
        Step { event, line: Location::caller().line() }
    }

    /// [`Event::Descend`].
    #[inline]
    #[track_caller]
    pub(crate) fn descend(row: u32) -> Step {
        Step::new(Event::Descend { row })
    }

    /// [`Event::Try`].
    #[inline]
    #[track_caller]
    pub(crate) fn try_square(row: u32, square: RowBits) -> Step {
        Step::new(Event::Try { row, square })
    }

    /// [`Event::Reject`].
    #[inline]
    #[track_caller]
    pub(crate) fn reject(row: u32, squares: RowBits) -> Step {
        Step::new(Event::Reject { row, squares })
    }

    /// [`Event::Cut`].
    #[inline]
    #[track_caller]
    pub(crate) fn cut(row: u32, rule: Rule, squares: RowBits) -> Step {
        Step::new(Event::Cut { row, rule, squares })
    }

    /// [`Event::Place`].
    #[inline]
    #[track_caller]
    pub(crate) fn place(row: u32, square: RowBits) -> Step {
        Step::new(Event::Place { row, square })
    }

    /// [`Event::Compare`].
    #[inline]
    #[track_caller]
    pub(crate) fn compare(transform: Transform, outcome: Outcome) -> Step {
        Step::new(Event::Compare { transform, outcome })
    }

    /// [`Event::Solution`].
    #[inline]
    #[track_caller]
    pub(crate) fn solution(found: Found) -> Step {
        Step::new(Event::Solution { found })
    }

    /// [`Event::Back`].
    #[inline]
    #[track_caller]
    pub(crate) fn back(row: u32) -> Step {
        Step::new(Event::Back { row })
    }

    /// [`Event::Done`].
    #[inline]
    #[track_caller]
    pub(crate) fn done() -> Step {
        Step::new(Event::Done)
    }
}
