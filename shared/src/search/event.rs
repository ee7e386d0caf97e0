//! The events of a search.

use crate::{Class, Outcome, RowBits, Rule, Transform};

/// The solutions that a reported solution represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// Only itself.
    Single,
    /// Itself and its left-right mirror image.
    MirrorPair,
    /// All members of its class.
    Class(Class),
}

impl Found {
    /// The number of solutions that it represents.
    #[inline]
    pub const fn solutions(self) -> u64 {
        match self {
            Found::Single => 1,
            Found::MirrorPair => 2,
            Found::Class(class) => class.members(),
        }
    }
}

/// One step of a search. Rows count from the top. A `square` is a single bit of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The search enters a row.
    Descend {
        /// The row entered.
        row: u32,
    },
    /// A method that tries one square after another tries this one.
    Try {
        /// The row.
        row: u32,
        /// The square tried.
        square: RowBits,
    },
    /// Squares are closed because a queen attacks them. Methods that test a full board report the
    /// first queen attacked by a queen above it.
    Reject {
        /// The row.
        row: u32,
        /// The attacked squares: one, or all of the row together.
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
    /// A queen is placed on the board.
    Place {
        /// The row.
        row: u32,
        /// The queen's square.
        square: RowBits,
    },
    /// The solution on the board has been compared with one of its images.
    Compare {
        /// The transform of the image.
        transform: Transform,
        /// The result of the comparison.
        outcome: Outcome,
    },
    /// The queens on the board are a solution that counts.
    Solution {
        /// The solutions that it represents.
        found: Found,
    },
    /// The search returns to a row and lifts its queen.
    Back {
        /// The row whose queen is lifted.
        row: u32,
    },
    /// The search has ended.
    Done,
}

/// Generates a function of [`Observer`] for each of these events.
macro_rules! reported {
    ($($name:ident: $event:ident { $($field:ident: $type:ty),* },)+) => {$(
        #[doc = concat!("[`Event::", stringify!($event), "`].")]
        #[inline(always)]
        fn $name(&mut self, $($field: $type),*) {
            self.see(Event::$event { $($field),* });
        }
    )+};
}

/// Receives the events of a search.
///
/// The recursive form of a method calls the named functions ([`place`](Observer::place), …), each of
/// which passes one [`Event`] to [`see`](Observer::see). The event is known at compile time, so an
/// event that the observer ignores costs nothing.
pub trait Observer {
    /// Receives one event.
    fn see(&mut self, event: Event);

    reported! {
        descend: Descend { row: u32 },
        try_square: Try { row: u32, square: RowBits },
        place: Place { row: u32, square: RowBits },
        compare: Compare { transform: Transform, outcome: Outcome },
        solution: Solution { found: Found },
        back: Back { row: u32 },
        done: Done {},
    }

    /// [`Event::Reject`], unless `squares` is empty.
    #[inline(always)]
    fn reject(&mut self, row: u32, squares: RowBits) {
        if !squares.is_empty() {
            self.see(Event::Reject { row, squares });
        }
    }

    /// [`Event::Cut`], unless `squares` is empty.
    #[inline(always)]
    fn cut(&mut self, row: u32, rule: Rule, squares: RowBits) {
        if !squares.is_empty() {
            self.see(Event::Cut { row, rule, squares });
        }
    }
}

/// Generates a constructor of each event.
macro_rules! events {
    ($($name:ident: $event:ident { $($field:ident: $type:ty),* },)+) => {
        impl Event {
            $(
                #[inline]
                pub(crate) fn $name($($field: $type),*) -> Event {
                    Event::$event { $($field),* }
                }
            )+
        }
    };
}

events! {
    descend: Descend { row: u32 },
    try_square: Try { row: u32, square: RowBits },
    reject: Reject { row: u32, squares: RowBits },
    cut: Cut { row: u32, rule: Rule, squares: RowBits },
    place: Place { row: u32, square: RowBits },
    compare: Compare { transform: Transform, outcome: Outcome },
    solution: Solution { found: Found },
    back: Back { row: u32 },
    done: Done {},
}
