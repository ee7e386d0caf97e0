//! Playing a part of a search, once or again and again.

use super::pace::{Pace, PauseAt};
use super::playback::Playback;
use super::{ExploreState, Goal};
use crate::routing::Clip;

impl ExploreState {
    /// The time for which the last step stays before the clip starts again, in seconds.
    const LAST_STEP: f64 = 1.5;

    /// Sets the clip, goes to its first step unless the search is inside it, and starts to
    /// play if [`Clip::plays`] is set. The default clip only ends the clip before it.
    pub(super) fn start_clip(&mut self, clip: Clip) {
        let from = clip.from.unwrap_or(0);
        // A clip cannot end before its first step, and a clip of a single step cannot repeat.
        let to = clip.to.filter(|&to| to >= from);
        let repeats = clip.repeats && clip.to.is_none_or(|to| to > from);
        self.clip = Clip { to, repeats, ..clip };
        if clip == Clip::default() {
            return;
        }
        if let Some(speed) = clip.speed {
            self.pace = Pace::of_rate(speed);
            self.is_pace_chosen = true;
        }
        if to.is_some() || repeats {
            self.pause_at = PauseAt::End;
        }
        // The page may still be on its way to the step of its address.
        let target = match self.goal {
            Some(Goal::Step(step)) => Some(step),
            _ => None,
        };
        let step = target.unwrap_or(self.timeline.step());
        let is_over = to.is_some_and(|to| step >= to) || target.is_none() && self.is_clip_over();
        if step < from || is_over {
            self.start_jump(Goal::Step(from));
        } else if target.is_none() {
            self.stop_jump();
        }
        self.playing = clip.plays;
        self.playback.begin(from.max(step));
    }

    /// Forgets the clip if the user continues to play from its last step or a later step. A clip that repeats
    /// starts again from its last step. A clip that begins at the end of the search has nothing to play.
    pub(super) fn leave_clip(&mut self) {
        let Clip { speed, from, to, repeats, .. } = self.clip;
        let step = self.timeline.step();
        let is_left = if self.is_done() {
            from.is_some_and(|from| from >= step)
        } else {
            to.is_some_and(|to| step > to || step == to && !repeats)
        };
        if is_left {
            self.clip = Clip { speed, ..Clip::default() };
        }
    }

    /// Whether the search is at the end of the clip or after it.
    pub(super) fn is_clip_over(&self) -> bool {
        self.clip.to.is_some_and(|to| self.timeline.step() >= to)
            || self.clip.repeats && self.is_done()
    }

    /// Returns the number of steps to the end of the clip.
    pub(super) fn steps_left(&self) -> u64 {
        self.clip.to.map_or(u64::MAX, |to| to.saturating_sub(self.timeline.step()))
    }

    /// Returns the number of beats per second.
    pub(super) fn rate(&self) -> f64 {
        if self.is_quick() {
            return f64::from(Playback::QUICK);
        }
        self.clip.speed.map_or(self.pace.rate(), f64::from)
    }

    /// Whether the search speeds up by itself. It does so only before its first solution, at a pace
    /// that the user has not chosen, and not while a beat is held.
    pub(super) fn is_quick(&self) -> bool {
        self.playback.speeds_up
            && self.playback.due >= 0.0
            && !self.is_pace_chosen
            && self.clip == Clip::default()
            && self.timeline.work().tally.met() == 0
    }

    /// Sets the pace, which replaces the speed of the clip.
    pub(super) fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
        self.is_pace_chosen = true;
        self.clip.speed = None;
    }

    /// Keeps a clip that repeats at its last step, which it has just reached, for a while.
    pub(super) fn hold_last_step(&mut self) {
        if self.clip.repeats && self.is_clip_over() {
            self.playing = true;
            self.playback.due = -ExploreState::LAST_STEP * self.rate();
        }
    }

    /// Starts the clip again once its last step was shown long enough. Returns whether the clip is over.
    pub(super) fn repeat_clip(&mut self) -> bool {
        let is_over = self.clip.repeats && self.is_clip_over();
        if is_over && self.playback.due >= 0.0 {
            let from = self.clip.from.unwrap_or(0);
            if from >= self.timeline.step() {
                // The search ends before the clip begins.
                self.playing = false;
                return true;
            }
            self.start_jump(Goal::Step(from));
            self.playing = true;
            self.playback.begin(from);
        }
        is_over
    }
}

#[cfg(test)]
mod tests {
    use queens_core::{Size, Stepped};

    use super::super::Action;
    use super::*;

    fn state() -> ExploreState {
        ExploreState::new(Stepped::Backtracking, Size::new(8).unwrap())
    }

    /// Plays for this number of seconds, in frames. Returns the steps that were shown.
    fn play(state: &mut ExploreState, seconds: u32) -> Vec<u64> {
        let mut shown = vec![];
        for _ in 0..seconds * 50 {
            state.frame(20.0, &mut || true);
            shown.push(state.snapshot().step);
        }
        shown
    }

    #[test]
    fn a_clip_plays_its_steps_again_and_again() {
        let mut state = state();
        let clip =
            Clip { plays: true, speed: Some(4), from: Some(40), to: Some(61), repeats: true };
        state.apply(Action::Play(clip));
        let shown = play(&mut state, 20);
        assert!(shown.iter().all(|step| (40..=61).contains(step)), "{shown:?}");
        let starts = shown.windows(2).filter(|two| two[1] < two[0]).count();
        assert!((2..10).contains(&starts), "{starts} times in 20 seconds");
        assert!(state.is_playing());
        // The last step stays: 1.5 seconds are 75 frames.
        let last = shown.iter().filter(|&&step| step == 61).count();
        assert!(last >= starts * 70, "{last} frames at the last step of {starts} rounds");
    }

    #[test]
    fn a_clip_that_does_not_repeat_pauses_at_its_last_step() {
        let mut state = state();
        let clip = Clip { plays: true, speed: Some(8), to: Some(61), ..Clip::default() };
        state.apply(Action::Play(clip));
        assert_eq!(play(&mut state, 20).last(), Some(&61));
        assert!(!state.is_playing());
        // The user may play on, there and from a later step.
        for begin in [61, 200] {
            state.apply(Action::MoveTo(begin));
            state.work(&mut || true);
            state.apply(Action::TogglePlay);
            let shown = play(&mut state, 4);
            assert!(state.is_playing() && shown.iter().all(|&step| step >= begin), "{shown:?}");
            assert!(shown.last() > Some(&begin), "{shown:?}");
            state.apply(Action::Play(clip.waiting()));
            state.work(&mut || true);
        }
    }

    #[test]
    fn a_clip_without_steps_does_not_jump_again_and_again() {
        for [from, to] in [[61, 40], [61, 61], [1 << 40, 1 << 41]] {
            let mut state = state();
            let clip =
                Clip { plays: true, from: Some(from), to: Some(to), repeats: true, speed: None };
            state.apply(Action::Play(clip));
            let shown = play(&mut state, 20);
            assert!(shown.is_sorted(), "{from} to {to}: {shown:?}");
        }
        // A clip that begins after the end of the search rests there, and Play starts the search again.
        let mut state = ExploreState::new(Stepped::Backtracking, Size::new(4).unwrap());
        let clip = Clip { plays: true, from: Some(9_999), repeats: true, ..Clip::default() };
        state.apply(Action::Play(clip));
        play(&mut state, 4);
        assert!(!state.is_playing() && state.is_done());
        state.apply(Action::TogglePlay);
        state.frame(20.0, &mut || true);
        assert!(state.is_playing() && state.snapshot().step < 10, "{}", state.snapshot().step);
    }

    #[test]
    fn a_clip_ends_when_the_address_loses_it() {
        let mut state = state();
        state.apply(Action::Play(Clip { plays: true, to: Some(61), ..Clip::default() }));
        state.apply(Action::MoveTo(40));
        state.apply(Action::Play(Clip::default()));
        state.work(&mut || true);
        assert_eq!(state.snapshot().step, 40);
        state.apply(Action::TogglePlay);
        assert!(play(&mut state, 60).last() > Some(&61));
    }

    #[test]
    fn a_clip_lets_the_page_reach_the_step_of_its_address() {
        let mut state = state();
        state.apply(Action::MoveTo(50));
        state.apply(Action::Play(Clip { from: Some(0), to: Some(61), ..Clip::default() }));
        assert_eq!(play(&mut state, 2).last(), Some(&50));
    }

    #[test]
    fn a_clip_of_a_whole_search_repeats_at_its_end() {
        let mut state = ExploreState::new(Stepped::Backtracking, Size::new(4).unwrap());
        let clip = Clip { plays: true, speed: Some(30), repeats: true, ..Clip::default() };
        state.apply(Action::Play(clip));
        let shown = play(&mut state, 20);
        let end = *shown.iter().max().unwrap();
        assert_eq!(state.end(), Some(end));
        assert!(shown.windows(2).any(|two| two == [end, 0]), "{shown:?}");
    }

    #[test]
    fn a_waiting_clip_shows_its_first_step_until_the_user_plays_it() {
        let mut state = state();
        let clip = Clip { from: Some(40), to: Some(61), ..Clip::default() };
        state.apply(Action::Play(clip));
        assert_eq!(play(&mut state, 2), [40; 100]);
        state.apply(Action::TogglePlay);
        assert_eq!(play(&mut state, 60).last(), Some(&61));
        // A link may open it at a later step.
        state.apply(Action::MoveTo(50));
        state.work(&mut || true);
        state.apply(Action::Play(clip));
        assert_eq!(play(&mut state, 2), [50; 100]);
    }

    #[test]
    fn a_chosen_pace_replaces_the_speed_of_a_clip() {
        let mut state = state();
        state.apply(Action::Play(Clip { speed: Some(4), ..Clip::default() }));
        assert_eq!((state.rate(), state.pace()), (4.0, Pace::Fast));
        state.apply(Action::Pace(Pace::Read));
        assert_eq!(state.rate(), Pace::Read.rate());
        state.apply(Action::Play(Clip { speed: Some(1), ..Clip::default() }));
        assert_eq!((state.rate(), state.pace()), (1.0, Pace::Watch));
    }
}
