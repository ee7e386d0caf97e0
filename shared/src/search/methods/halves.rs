//! 15: half-board matching places no queen after another, so there is nothing to step through.
//!
//! The counting itself is in [`crate::halves`]; this is what a tracer shows of it.

use super::{Prefix, rows::Rows};
use crate::{Method, Size, Step, Trace, View};

/// A search that is done before it has begun.
#[derive(Clone, Debug)]
pub struct Iterative {
    board: Rows,
}

impl Trace for Iterative {
    fn new(size: Size) -> Iterative {
        Iterative { board: Rows::new(size) }
    }

    fn below(prefix: &Prefix) -> Iterative {
        Iterative { board: Rows::below(prefix) }
    }

    fn step(&mut self) -> Step {
        Step::done()
    }

    fn skip_row(&mut self) {}

    fn view(&self) -> View {
        self.board.view(Method::Halves, None)
    }
}
