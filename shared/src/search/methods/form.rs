//! The two writings of every method.

use core::fmt;

use super::Prefix;
use crate::{Event, Observer, Size, Step, View, words};

words! {
    /// The two writings of every method.
    #[derive(Default)]
    pub enum Form {
        /// A function that calls itself; reports to an [`Observer`](crate::Observer).
        #[default]
        Recursive = "recursive",
        /// A loop over arrays that can be stepped: the tracer.
        Iterative = "iterative",
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// The iterative form of a method: a search that does one step at a time. Cloning it keeps the
/// place; the clone goes on from there.
pub trait Trace: Clone {
    /// The search over the whole board, before its first step.
    fn new(size: Size) -> Self;

    /// The search below a prefix of queens, before its first step.
    fn below(prefix: &Prefix) -> Self;

    /// Does the next step. Once it has said [`Done`](crate::Event::Done) it says so for ever.
    fn step(&mut self) -> Step;

    /// Gives up the row just entered, as if it had been exhausted: right after
    /// [`Descend`](crate::Event::Descend).
    fn skip_row(&mut self);

    /// What can be seen now.
    fn view(&self) -> View;
}

/// Does all steps that are left and reports their events, as the recursive form below a prefix does.
///
/// Counting goes through here and not through a [`Tracer`](crate::Tracer), which asks at each step
/// which method it is and keeps account of all work: without that it takes half of the time.
pub(super) fn run<O: Observer>(mut search: impl Trace, watch: &mut O) {
    loop {
        match search.step().event {
            Event::Done => return,
            event => watch.see(event),
        }
    }
}
