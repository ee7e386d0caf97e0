//! Playing: the search moves from beat to beat. At the slowest pace, the tests inside a beat pass quickly
//! before it, and the beat itself stays on the screen for the rest of its time.

use queens_core::{Beat, Tracer};

use super::pace::Pace;
use super::playback::Playback;
use super::{ExploreState, Goal, SLICE};

impl ExploreState {
    /// Plays for this time, in beats.
    pub(super) fn play(&mut self, elapsed: f64, more: &mut dyn FnMut() -> bool) {
        self.playback.due += elapsed;
        let due = self.playback.due.max(0.0) as u64;
        let is_target = self.target_reached();
        if due == 0 {
            if self.pace() == Pace::Read {
                self.show_due_tests(is_target);
            }
            return;
        }
        self.playback.due -= due as f64;
        let mut left = due;
        while left > 1 && !is_target(self.timeline.tracer()) {
            for _ in 0..SLICE {
                self.timeline.forward();
                left -= u64::from(self.timeline.tracer().beat().is_some());
                if left == 1 || is_target(self.timeline.tracer()) {
                    break;
                }
            }
            if !more() {
                // This machine is too slow for the rate: drop the beats that were due.
                self.playback.due = 0.0;
                left = 1;
            }
        }
        if is_target(self.timeline.tracer()) {
            // A jump to the current step also sets the snapshot's state before the step.
            self.stop_jump();
            self.goal = Some(Goal::Step(self.timeline.step()));
            self.work(more);
            return;
        }
        self.show_after(self.steps_to_beat(&is_target));
        self.playback.beat_start = self.timeline.step();
        if is_target(self.timeline.tracer()) {
            self.stop_jump();
        } else if self.snapshot.beat == Some(Beat::DeadEnd)
            && self.playback.held < Playback::SLOW_DEAD_ENDS
            && !self.pace().is_summarized()
        {
            self.playback.held += 1;
            self.playback.due -= Playback::HOLD * self.pace().rate();
        }
    }

    /// Whether the search has sped up by itself: its viewers have seen some dead ends.
    pub(super) fn is_quick(&self) -> bool {
        let seen = self.timeline.tracer().dead_ends().saturating_sub(self.playback.dead_ends);
        self.choices.pace.is_none() && seen > Playback::SLOW_DEAD_ENDS
    }

    /// Returns a predicate on later states of this search: whether playing stops there.
    fn target_reached(&self) -> impl Fn(&Tracer) -> bool + use<> {
        let count = self.target().count();
        let before = count(self.timeline.tracer());
        move |search| search.is_done() || count(search) > before
    }

    /// Shows the tests before the next beat that are due by now.
    fn show_due_tests(&mut self, is_target: impl Fn(&Tracer) -> bool) {
        let fraction = (self.playback.due - Playback::REST) / (1.0 - Playback::REST);
        if fraction > 0.0 {
            let done = self.timeline.step().saturating_sub(self.playback.beat_start);
            // The last step is the beat itself.
            let all = (done + self.steps_to_beat(|_| false)).saturating_sub(1);
            let due = ((all as f64 * fraction).ceil() as u64).saturating_sub(done);
            for _ in 0..due {
                self.step_and_show();
                if is_target(self.timeline.tracer()) {
                    return self.stop_jump();
                }
            }
        }
    }

    /// Shows the search after this many more steps. The last one is taken alone, because the
    /// snapshot also holds the state before it.
    fn show_after(&mut self, steps: u64) {
        for _ in 1..steps {
            self.timeline.forward();
        }
        if steps > 0 {
            self.step_and_show();
        }
    }

    /// The number of steps to the next beat or to the target, found by a copy of the search. It is at most
    /// about the number of squares of a row.
    fn steps_to_beat(&self, is_target: impl Fn(&Tracer) -> bool) -> u64 {
        let mut copy = self.timeline.tracer().clone();
        while copy.forward().is_some() && copy.beat().is_none() && !is_target(&copy) {}
        copy.steps() - self.timeline.step()
    }
}
