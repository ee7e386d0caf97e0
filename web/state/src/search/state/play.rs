//! Playing: the search moves from beat to beat. The steps inside a beat pass quickly before it, and
//! the beat itself stays on the screen for the rest of its time.

use queens_core::{Beat, Event};

use super::action::Jump;
use super::pace::{Pace, PauseAt};
use super::playback::Playback;
use super::{ExploreState, Goal, SLICE};

impl ExploreState {
    /// Plays for this time, in beats.
    pub(super) fn play(&mut self, elapsed: f64, more: &mut dyn FnMut() -> bool) {
        self.playback.due += elapsed;
        let due = self.playback.due.max(0.0) as u64;
        if due == 0 {
            self.show_due_steps();
            return;
        }
        self.playback.due -= due as f64;
        let pauses = self.pauses();
        let must_stop = |state: &ExploreState| state.is_done() || pauses(state);
        let mut left = due;
        while left > 1 && !must_stop(self) {
            for _ in 0..SLICE {
                self.timeline.forward();
                left -= u64::from(self.timeline.tracer().beat().is_some());
                if left == 1 || must_stop(self) {
                    break;
                }
            }
            if !more() {
                // This machine is too slow for the rate: drop the beats that were due.
                self.playback.due = 0.0;
                left = 1;
            }
        }
        if must_stop(self) {
            // A jump to the current step also sets the snapshot's state before the step.
            self.stop_jump();
            self.goal = Some(Goal::Step(self.timeline.step()));
            self.work(more);
            return;
        }
        self.show_after(self.steps_to_beat());
        self.playback.beat_start = self.timeline.step();
        if must_stop(self) {
            self.stop_jump();
        } else {
            self.hold_first_beats();
        }
    }

    /// Holds the current beat if it is one of the first of its kind, and speeds up after the last of them.
    fn hold_first_beats(&mut self) {
        let holds_first_steps = self.holds_first_steps();
        let rate = self.rate();
        let Playback { held_dead_ends, held_lifts, held_queen, .. } = &mut self.playback;
        let hold = match self.timeline.tracer().beat() {
            Some(Beat::Place) if holds_first_steps && !*held_queen => {
                *held_queen = true;
                self.playback.due -= Playback::HOLD;
                return;
            }
            Some(Beat::DeadEnd) if *held_dead_ends < Playback::MAX_HELD => {
                *held_dead_ends += 1;
                // At slow paces, the limit in seconds applies.
                let first = (Playback::LONGEST_HOLD * rate).min(Playback::HOLD_FIRST_DEAD_END);
                if *held_dead_ends == 1 { first } else { Playback::HOLD }
            }
            Some(Beat::Lift) if holds_first_steps && *held_lifts < Playback::MAX_HELD => {
                *held_lifts += 1;
                Playback::HOLD
            }
            _ => return,
        };
        let is_last = [*held_dead_ends, *held_lifts] == [Playback::MAX_HELD; 2];
        self.playback.speeds_up |= is_last;
        self.playback.due -= hold;
    }

    /// Returns the number of beats per second.
    pub(super) fn rate(&self) -> f64 {
        if self.is_quick() { f64::from(Playback::QUICK) } else { self.pace.rate() }
    }

    /// Whether the search speeds up by itself. It does so only before its first solution, at a pace
    /// that the user has not chosen, and not while a beat is held.
    pub(super) fn is_quick(&self) -> bool {
        self.playback.speeds_up
            && self.playback.due >= 0.0
            && !self.is_pace_chosen
            && self.timeline.work().tally.met() == 0
    }

    /// Sets the pace.
    pub(super) fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
        self.is_pace_chosen = true;
    }

    /// Returns a predicate on later states of this search: whether playing pauses at their step.
    fn pauses(&self) -> impl Fn(&ExploreState) -> bool + use<> {
        let tracer = self.timeline.tracer();
        let (pause_at, begin) = (self.pause_at, self.timeline.step());
        let [solutions, rules] = [Jump::Solution, Jump::Rule].map(|jump| jump.count()(tracer));
        move |state| {
            let tracer = state.timeline.tracer();
            match pause_at {
                PauseAt::FirstSolution => solutions == 0 && Jump::Solution.count()(tracer) > 0,
                PauseAt::Solution => Jump::Solution.count()(tracer) > solutions,
                PauseAt::DeadEnd => {
                    state.timeline.step() > begin && tracer.beat() == Some(Beat::DeadEnd)
                }
                PauseAt::Rule => Jump::Rule.count()(tracer) > rules,
                PauseAt::End => false,
            }
        }
    }

    /// Whether the first queens and the first attacked square are shown longer.
    fn holds_first_steps(&self) -> bool {
        self.playback.held_dead_ends <= Playback::MAX_HELD
    }

    /// Shows the steps before the next beat that are due by now.
    fn show_due_steps(&mut self) {
        let fraction = (self.playback.due - Playback::REST) / (1.0 - Playback::REST);
        if fraction > 0.0 {
            let done = self.timeline.step().saturating_sub(self.playback.beat_start);
            // The last step is the beat itself.
            let all = (done + self.steps_to_beat()).saturating_sub(1);
            let due = ((all as f64 * fraction).ceil() as u64).saturating_sub(done);
            if !self.holds_first_steps() || self.playback.held_attack {
                return self.show_after(due);
            }
            for _ in 0..due {
                self.show_after(1);
                if matches!(self.snapshot.event, Some(Event::Reject { .. })) {
                    self.playback.held_attack = true;
                    self.playback.due -= Playback::HOLD;
                    break;
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

    /// The number of steps to the next beat, found by a copy of the search. It is at most about the
    /// number of squares of a row.
    fn steps_to_beat(&self) -> u64 {
        let mut copy = self.timeline.tracer().clone();
        while copy.forward().is_some() && copy.beat().is_none() {}
        copy.steps() - self.timeline.step()
    }
}
