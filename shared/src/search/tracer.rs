//! Steps through a search.

use super::{beat::Beats, methods::Machine};
use crate::{Beat, Event, Node, Observer, Size, Stepped, View, Work};

/// A method's search that advances one event at a time and counts its work.
///
/// ```
/// use queens_core::{Event, Size, Stepped, Tracer};
/// let mut tracer = Tracer::new(Stepped::Symmetry, Size::new(5)?);
/// while tracer.forward().is_some() {}
/// assert_eq!(tracer.work().tally.total(), Some(10));
/// # Ok::<(), queens_core::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tracer {
    method: Stepped,
    machine: Machine,
    steps: u64,
    last: Option<Event>,
    beat: Option<Beat>,
    beats: Beats,
    work: Work,
}

impl Tracer {
    /// Creates a search over the whole board at step 0, before its first event.
    pub fn new(method: Stepped, size: Size) -> Tracer {
        let machine = Machine::new(method, size);
        Tracer {
            method,
            machine,
            steps: 0,
            last: None,
            beat: None,
            beats: Beats::new(size),
            work: Work::default(),
        }
    }

    /// Does one step; `None` once the search is done.
    #[inline]
    pub fn forward(&mut self) -> Option<Event> {
        if self.is_done() {
            return None;
        }
        let step = self.machine.step();
        self.steps += 1;
        self.last = Some(step);
        self.beat = self.beats.see(step);
        self.work.see(step);
        Some(step)
    }

    /// Abandons the row just entered, as if it were exhausted.
    pub(crate) fn skip_row(&mut self) {
        self.machine.skip_row();
    }

    /// The current node of the search tree.
    pub fn node(&self) -> Node {
        Node::of(&self.view())
    }

    /// The node whose queen is placed next; `None` if no more queens will be placed. All nodes
    /// before it have been visited, all nodes after it have not. This steps a copy of the search,
    /// which does not take long: between two placements there are at most a few events for each
    /// square of the board.
    pub fn next_node(&self) -> Option<Node> {
        let mut copy = self.clone();
        while let Some(step) = copy.forward() {
            if let Event::Place { .. } = step {
                return Some(copy.node());
            }
        }
        None
    }

    /// Whether the last step placed a queen.
    pub(crate) fn has_placed(&self) -> bool {
        matches!(self.last, Some(Event::Place { .. }))
    }

    /// Whether the last step was [`Event::Done`].
    pub fn is_done(&self) -> bool {
        matches!(self.last, Some(Event::Done))
    }

    /// The method.
    pub fn method(&self) -> Stepped {
        self.method
    }

    /// The number of steps done, from the start of the search.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The last step; `None` at step 0.
    pub fn last(&self) -> Option<Event> {
        self.last
    }

    /// The beat of the last step; `None` at step 0 and after a step without a beat (see [`Beat`]).
    pub fn beat(&self) -> Option<Beat> {
        self.beat
    }

    /// The number of beats so far.
    pub fn beats(&self) -> u64 {
        self.beats.count()
    }

    /// The number of [dead ends](Beat::DeadEnd) so far.
    pub fn dead_ends(&self) -> u64 {
        self.beats.dead_ends()
    }

    /// The work so far.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// The visible state at the current step.
    pub fn view(&self) -> View {
        self.machine.view()
    }
}
