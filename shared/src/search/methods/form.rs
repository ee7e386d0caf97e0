//! The two writings of every method.

use core::fmt;

use super::Prefix;
use crate::{Size, Step, View, words};

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
