//! Random access to the steps of a search, with snapshots.

use alloc::{vec, vec::Vec};
use core::cmp::Ordering;

use crate::{Event, Node, Seek, Size, Stepped, Tracer, View, Work};

/// A search that can move to any step, forwards or backwards. It keeps copies of the tracer at
/// regular steps, but no history: to move back, it loads the copy before the target and replays
/// from there.
///
/// Step k is the state after k events; step 0 is the empty board.
///
/// ```
/// use queens_core::{Size, Stepped, Timeline};
/// let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8)?);
/// timeline.seek(100, u64::MAX);
/// let there = timeline.view();
/// timeline.seek(99, u64::MAX);
/// timeline.seek(100, u64::MAX);
/// assert_eq!(timeline.view(), there);
/// # Ok::<(), queens_core::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Timeline {
    now: Tracer,
    /// Copies at the steps 0, interval, 2·interval, …
    copies: Vec<Tracer>,
    interval: u64,
    end: Option<u64>,
}

impl Timeline {
    /// When there are this many copies, every second one is dropped and the interval doubles. The
    /// copies take less than 1 MiB in all.
    const MAX_COPIES: usize = 512;
    /// The number of steps between copies before any copy is dropped.
    const FIRST_INTERVAL: u64 = 64;

    /// Creates a search over the whole board at step 0.
    pub fn new(method: Stepped, size: Size) -> Timeline {
        let now = Tracer::new(method, size);
        Timeline { copies: vec![now.clone()], now, interval: Timeline::FIRST_INTERVAL, end: None }
    }

    /// Moves to step `target`, or to the end if that comes first, with at most `budget` steps of
    /// the search. Returns whether it got there; if not, call again to continue.
    pub fn seek(&mut self, target: u64, budget: u64) -> bool {
        self.load_copy_before(target);
        for _ in 0..budget {
            if self.now.steps() >= target || self.forward().is_none() {
                return true;
            }
        }
        self.now.steps() >= target || self.now.is_done()
    }

    /// Does the next step; `None` at the end.
    pub fn forward(&mut self) -> Option<Event> {
        let step = self.now.forward()?;
        let steps = self.now.steps();
        if steps == self.copies.len() as u64 * self.interval {
            self.copies.push(self.now.clone());
            if self.copies.len() >= Timeline::MAX_COPIES {
                let mut index = 0;
                self.copies.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.interval *= 2;
            }
        }
        if step == Event::Done {
            self.end = Some(steps);
        }
        Some(step)
    }

    /// Loads the last copy at or before `target`, unless the current step is between that copy and
    /// `target`.
    fn load_copy_before(&mut self, target: u64) {
        let index = usize::try_from(target / self.interval).unwrap_or(usize::MAX);
        let index = index.min(self.copies.len().saturating_sub(1));
        if let Some(copy) = self.copies.get(index) {
            let is_past_target = target < self.now.steps();
            if is_past_target || copy.steps() > self.now.steps() {
                self.now = copy.clone();
            }
        }
    }

    /// Moves to the next step at which `counter` of the search grows (solutions,
    /// [beats](crate::Beat), …), with at most `budget` steps.
    pub fn seek_next(&mut self, counter: impl Fn(&Tracer) -> u64, budget: u64) -> Seek {
        let before = counter(&self.now);
        for _ in 0..budget {
            if self.forward().is_none() {
                return Seek::NoMore;
            }
            if counter(&self.now) > before {
                return Seek::Found;
            }
        }
        Seek::OutOfBudget
    }

    /// Moves back to the last step before the start of `search` at which `counter` grew, with at most
    /// `budget` steps. Call it again with the same `search` to continue. After [`Seek::NoMore`], the
    /// timeline is one step before the start; if the search started from step 0, the timeline has not
    /// moved.
    pub fn seek_previous(
        &mut self,
        search: &mut BackwardSearch,
        counter: impl Fn(&Tracer) -> u64,
        budget: u64,
    ) -> Seek {
        let wanted = match search.wanted {
            Some(wanted) => wanted,
            None => {
                let Some(last) = search.before.checked_sub(1) else { return Seek::NoMore };
                if !self.seek(last, budget) {
                    return Seek::OutOfBudget;
                }
                let wanted = counter(&self.now);
                if wanted == 0 {
                    return Seek::NoMore;
                }
                let is_before = |copy: &Tracer| counter(copy) < wanted && copy.steps() <= last;
                if let Some(copy) = self.last_copy(is_before) {
                    self.now = copy.clone();
                }
                search.wanted = Some(wanted);
                wanted
            }
        };
        for _ in 0..budget {
            if counter(&self.now) >= wanted || self.forward().is_none() {
                return Seek::Found;
            }
        }
        if counter(&self.now) >= wanted { Seek::Found } else { Seek::OutOfBudget }
    }

    /// The last copy for which `is_before` holds. If it does not hold for a copy, it must not hold for
    /// later copies.
    fn last_copy(&self, is_before: impl Fn(&Tracer) -> bool) -> Option<&Tracer> {
        let later = self.copies.partition_point(is_before);
        self.copies.get(later.checked_sub(1)?)
    }

    /// Moves to the step that places the last queen of `node`, with at most `budget` steps; to step
    /// 0 for the root. [`Seek::NoMore`] means that the search never reaches this node; the timeline
    /// has then moved.
    pub fn seek_node(&mut self, node: &Node, budget: u64) -> Seek {
        if node.depth() == 0 {
            self.seek(0, 0);
            return Seek::Found;
        }
        if self.now.node() == *node && self.now.has_placed() {
            return Seek::Found;
        }
        let is_not_past_node =
            |tracer: &Tracer| tracer.next_node().is_some_and(|next| next <= *node);
        if let Some(copy) = self.last_copy(is_not_past_node).or(self.copies.first())
            && (copy.steps() > self.now.steps() || !is_not_past_node(&self.now))
        {
            self.now = copy.clone();
        }
        for _ in 0..budget {
            let Some(event) = self.forward() else { return Seek::NoMore };
            if let Event::Place { row, .. } = event
                && row < node.depth()
            {
                match self.now.node().cmp(node) {
                    Ordering::Less => {}
                    Ordering::Equal => return Seek::Found,
                    Ordering::Greater => return Seek::NoMore,
                }
            }
        }
        Seek::OutOfBudget
    }

    /// The current step.
    pub fn step(&self) -> u64 {
        self.now.steps()
    }

    /// The number of steps of the whole search, once its end has been visited.
    pub fn end(&self) -> Option<u64> {
        self.end
    }

    /// The last event; `None` at step 0.
    pub fn last(&self) -> Option<Event> {
        self.now.last()
    }

    /// The work up to this step.
    pub fn work(&self) -> &Work {
        self.now.work()
    }

    /// The visible state at this step.
    pub fn view(&self) -> View {
        self.now.view()
    }

    /// The tracer at this step.
    pub fn tracer(&self) -> &Tracer {
        &self.now
    }
}

/// A backward search for the last change of a counter; see [`Timeline::seek_previous`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackwardSearch {
    before: u64,
    /// The counter's value at the target; unknown until the step before `before` has been visited.
    wanted: Option<u64>,
}

impl BackwardSearch {
    /// Starts a backward search from step `before`.
    pub fn from(before: u64) -> BackwardSearch {
        BackwardSearch { before, wanted: None }
    }

    /// The step from which the backward search starts.
    pub fn before(&self) -> u64 {
        self.before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solutions_found(search: &Tracer) -> u64 {
        search.work().tally.met()
    }

    #[test]
    fn finds_the_same_solutions_in_both_directions() {
        let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(9).unwrap());
        let mut forwards = vec![];
        while timeline.seek_next(solutions_found, u64::MAX) == Seek::Found {
            forwards.push(timeline.step());
        }
        assert_eq!(forwards.len(), 46);
        for budget in [u64::MAX, 100, 1] {
            timeline.seek(u64::MAX, u64::MAX);
            let mut backwards = vec![];
            let mut search = BackwardSearch::from(timeline.step());
            loop {
                match timeline.seek_previous(&mut search, solutions_found, budget) {
                    Seek::Found => {
                        backwards.push(timeline.step());
                        search = BackwardSearch::from(timeline.step());
                    }
                    Seek::NoMore => break,
                    Seek::OutOfBudget => {}
                }
            }
            assert_eq!(timeline.step(), forwards[0] - 1);
            backwards.reverse();
            assert_eq!(backwards, forwards);
        }
    }

    #[test]
    fn finds_every_node_from_several_steps() {
        for &method in Stepped::ALL {
            let size = Size::new(if method.facts().largest < 10 { 4 } else { 5 }).unwrap();
            let mut timeline = Timeline::new(method, size);
            let mut nodes = vec![(Node::root(size), 0)];
            while let Some(step) = timeline.forward() {
                if let Event::Place { .. } = step {
                    nodes.push((timeline.tracer().node(), timeline.step()));
                }
            }
            assert!(nodes.is_sorted(), "{method}: the order of nodes is that of the search");
            for from in [0, 7, timeline.step() / 2, timeline.step()] {
                for (node, step) in &nodes {
                    timeline.seek(from, u64::MAX);
                    let mut calls = 0;
                    while timeline.seek_node(node, 3) == Seek::OutOfBudget {
                        calls += 1;
                    }
                    assert_eq!(timeline.step(), *step, "{method} {node:?} from {from}");
                    assert!(calls < 50_000);
                }
            }
            // A queen in the right-hand corner attacks column 1 of the next row.
            let attacked = Node::root(size).below(0).below(1);
            assert_eq!(
                timeline.seek_node(&attacked, u64::MAX),
                match method {
                    Stepped::BruteForce | Stepped::Permutations => Seek::Found,
                    _ => Seek::NoMore,
                },
                "{method}"
            );
        }
    }

    #[test]
    fn seeking_stops_when_its_budget_is_used_up() {
        let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(10).unwrap());
        assert!(!timeline.seek(1000, 999));
        assert_eq!(timeline.step(), 999);
        assert!(timeline.seek(1000, 1));
        assert_eq!(timeline.seek_next(solutions_found, 1), Seek::OutOfBudget);
    }
}
