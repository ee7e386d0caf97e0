//! Advances a search towards its target, one time slice at a time.

use queens_core::Seek;

use super::ExploreState;
use super::action::Jump;
use super::goal::{Goal, Notice, SLICE};

impl ExploreState {
    /// Starts a jump, which [`work`](ExploreState::work) carries out.
    pub(super) fn start_jump(&mut self, goal: Goal) {
        self.stop_jump();
        self.unpin();
        self.goal = Some(goal);
    }

    /// Stops playing and abandons the current jump.
    pub(super) fn stop_jump(&mut self) {
        self.playing = false;
        self.playback = self.playback.at_rest();
        self.goal = None;
        self.notice = None;
        self.arrival = None;
    }

    /// Advances towards the goal while `more` returns true, by at least one slice, and then finds the
    /// solutions up to there.
    pub fn work(&mut self, more: &mut dyn FnMut() -> bool) {
        while let Some(goal) = self.goal {
            self.goal = self.advance(goal);
            if self.goal.is_some() && !more() {
                return;
            }
        }
        self.solutions.work(&self.timeline, more);
    }

    /// Advances by one slice. Returns the remaining goal, `None` on arrival. Every jump ends with a
    /// single step to its target, because the snapshot also holds the state before that step.
    fn advance(&mut self, goal: Goal) -> Option<Goal> {
        let found = match goal {
            Goal::Step(step) => return self.advance_to_step(step),
            // The copies of the search lead to its end faster.
            Goal::Next(Jump::End) if !self.timeline.seek(u64::MAX, SLICE) => return Some(goal),
            Goal::Next(Jump::End) => Seek::Found,
            Goal::Next(jump) => self.timeline.seek_next(jump.count(), SLICE),
            Goal::Previous(jump, mut cursor) => {
                match self.timeline.seek_previous(&mut cursor, jump.count(), SLICE) {
                    Seek::OutOfBudget => return Some(Goal::Previous(jump, cursor)),
                    Seek::Found => Seek::Found,
                    // The steps before the first beat belong to the empty board.
                    Seek::NoMore if matches!(jump, Jump::Beat | Jump::End) => {
                        return Some(Goal::Step(0));
                    }
                    Seek::NoMore => {
                        self.arrival = Some(Notice::NoEarlier(jump));
                        return Some(Goal::Step(cursor.before()));
                    }
                }
            }
            Goal::Node(node) => self.timeline.seek_node(&node, SLICE),
            Goal::Found(node) => match self.timeline.seek_node(&node, SLICE) {
                // Between the two steps are only comparisons.
                Seek::Found => return Some(Goal::Next(Jump::Solution)),
                other => other,
            },
        };
        match found {
            Seek::OutOfBudget => return Some(goal),
            Seek::Found => {}
            Seek::NoMore => {
                self.arrival = Some(match goal {
                    Goal::Next(jump) => Notice::NoMore(jump),
                    _ => Notice::NoSuchNode,
                });
            }
        }
        Some(Goal::Step(self.timeline.step()))
    }

    fn advance_to_step(&mut self, step: u64) -> Option<Goal> {
        if !self.timeline.seek(step.saturating_sub(1), SLICE) {
            return Some(Goal::Step(step));
        }
        self.snapshot.before = self.timeline.view();
        if step > 0 && self.timeline.forward().is_none() {
            self.arrival = Some(Notice::BeyondTheEnd(step));
            return Some(Goal::Step(self.timeline.step()));
        }
        self.show();
        self.notice = self.arrival.take();
        None
    }
}
