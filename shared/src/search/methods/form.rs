//! The two forms of every stepped method, and the interface of the iterative one.

use core::fmt;

use super::Prefix;
use crate::{Event, Observer, Size, View, words};

words! {
    /// The two forms of every stepped method.
    #[derive(Default)]
    pub enum Form {
        /// A function that calls itself; reports to an [`Observer`].
        #[default]
        Recursive = "recursive",
        /// A loop over arrays, which can be run step by step, as the tracer does.
        Iterative = "iterative",
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// The iterative form of a method: a search that does one step at a time. A clone continues from
/// the same step.
pub trait Trace: Clone {
    /// Creates the search over the whole board, before its first step.
    fn new(size: Size) -> Self;

    /// Creates the search below a prefix of queens, before its first step.
    fn below(prefix: &Prefix) -> Self;

    /// Does the next step. After the first [`Done`](crate::Event::Done), every further step is
    /// `Done`.
    fn step(&mut self) -> Event;

    /// Abandons the row just entered, as if it were exhausted. Call this right after
    /// [`Descend`](crate::Event::Descend).
    fn skip_row(&mut self);

    /// The visible state at the current step.
    fn view(&self) -> View;
}

/// Does all remaining steps and reports their events, as the recursive form below a prefix does.
///
/// Counts use this function because it takes half the time of a [`Tracer`](crate::Tracer), which
/// branches on the method at every step and counts all work.
pub(super) fn run<O: Observer>(mut search: impl Trace, watch: &mut O) {
    loop {
        match search.step() {
            Event::Done => return,
            event => watch.see(event),
        }
    }
}
