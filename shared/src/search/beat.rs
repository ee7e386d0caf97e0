//! Beats: the events of a search that a user follows.

use crate::{Event, Outcome, RowBits, Size};

/// An event of a search that a user follows. The steps between two beats only enter a row, test its
/// squares, or continue a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Beat {
    /// A queen is placed.
    Place,
    /// A rule closes squares, and other squares of the row stay open.
    Prune,
    /// The last open square of a row without a queen is closed, so the search must move the queen
    /// above.
    DeadEnd,
    /// The board is full, but two of its queens attack each other.
    Conflict,
    /// A solution is discarded, because one of its images represents the class.
    Discard,
    /// A solution is counted.
    Solution,
    /// A queen is removed: the search backtracks.
    Lift,
    /// The search is over.
    Done,
}

/// Recognizes the beats in a method's events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beats {
    all: RowBits,
    /// The open squares of the row that was entered last; empty as soon as the row has a queen.
    open: RowBits,
    /// Whether the last event placed a queen.
    placed: bool,
    count: u64,
    dead_ends: u64,
}

impl Beats {
    pub(super) fn new(size: Size) -> Beats {
        Beats { all: size.mask(), open: RowBits::EMPTY, placed: false, count: 0, dead_ends: 0 }
    }

    /// The number of beats so far.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The number of dead ends so far.
    pub(super) fn dead_ends(&self) -> u64 {
        self.dead_ends
    }

    /// Processes the next event. Returns its beat, or `None` if it only enters a row, tests squares
    /// or compares.
    #[inline]
    pub(super) fn see(&mut self, event: Event) -> Option<Beat> {
        let after_place = core::mem::replace(&mut self.placed, false);
        let beat = match event {
            Event::Descend { .. } => {
                self.open = self.all;
                return None;
            }
            Event::Try { .. } => return None,
            Event::Reject { .. } if after_place => Beat::Conflict,
            Event::Reject { squares, .. } if self.close(squares) => Beat::DeadEnd,
            Event::Reject { .. } => return None,
            Event::Cut { squares, .. } if self.close(squares) => Beat::DeadEnd,
            Event::Cut { .. } => Beat::Prune,
            Event::Place { .. } => {
                self.open = RowBits::EMPTY;
                self.placed = true;
                Beat::Place
            }
            Event::Compare { outcome: Outcome::ImageSmaller, .. } => Beat::Discard,
            Event::Compare { .. } => return None,
            Event::Solution { .. } => Beat::Solution,
            Event::Back { .. } => {
                self.open = RowBits::EMPTY;
                Beat::Lift
            }
            Event::Done => Beat::Done,
        };
        self.count = self.count.saturating_add(1);
        if beat == Beat::DeadEnd {
            self.dead_ends = self.dead_ends.saturating_add(1);
        }
        Some(beat)
    }

    /// Closes squares of the row. Returns whether this closed the last open square.
    fn close(&mut self, squares: RowBits) -> bool {
        let was_open = !self.open.is_empty();
        self.open -= squares;
        was_open && self.open.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::{vec, vec::Vec};

    use super::*;
    use crate::{Stepped, Tracer};

    fn small_search(method: Stepped, n: u32) -> Tracer {
        Tracer::new(method, Size::new(n.min(method.facts().largest)).unwrap())
    }

    /// Returns the beats up to and including the first `last`.
    fn beats_to(method: Stepped, n: u32, last: Beat) -> Vec<Beat> {
        let mut search = small_search(method, n);
        let mut beats = vec![];
        while beats.last() != Some(&last) && search.forward().is_some() {
            beats.extend(search.beat());
        }
        assert_eq!(search.beats(), beats.len() as u64);
        beats
    }

    #[test]
    fn backtracking_of_n_8_reaches_a_dead_end_at_beat_6() {
        let beats = beats_to(Stepped::Backtracking, 8, Beat::DeadEnd);
        assert_eq!(beats[..5], [Beat::Place; 5]);
        assert_eq!(beats[5..], [Beat::DeadEnd]);
    }

    #[test]
    fn backtracking_of_n_8_places_113_queens_before_a_solution() {
        let beats = beats_to(Stepped::Backtracking, 8, Beat::Solution);
        let placed = beats.iter().filter(|&&beat| beat == Beat::Place).count();
        assert_eq!(placed, 113);
    }

    #[test]
    fn only_rows_left_without_a_queen_are_dead_ends() {
        for &method in Stepped::ALL {
            let mut search = small_search(method, if method.facts().largest < 10 { 4 } else { 6 });
            let (mut dead_ends, mut rows_left) = (0, 0);
            let mut entered = false;
            while let Some(step) = search.forward() {
                dead_ends += u32::from(search.beat() == Some(Beat::DeadEnd));
                match step {
                    Event::Descend { .. } => entered = true,
                    Event::Place { .. } => entered = false,
                    Event::Back { .. } | Event::Done if entered => {
                        entered = false;
                        rows_left += 1;
                    }
                    _ => {}
                }
                // A dead end is reported before the search backtracks.
                assert!(dead_ends >= rows_left, "{method} step {}", search.steps());
            }
            assert_eq!(dead_ends, rows_left, "{method}");
        }
    }

    #[test]
    fn distinguishes_solutions_from_conflicts() {
        for &method in Stepped::ALL {
            let mut search = small_search(method, 6);
            let (mut solutions, mut conflicts) = (0, 0);
            while search.forward().is_some() {
                solutions += u64::from(search.beat() == Some(Beat::Solution));
                conflicts += u64::from(search.beat() == Some(Beat::Conflict));
            }
            assert_eq!(solutions, search.work().tally.met(), "{method}");
            let tests_full_boards = method.facts().tests.len() < crate::Line::ALL.len();
            assert_eq!(conflicts > 0, tests_full_boards, "{method}");
        }
    }
}
