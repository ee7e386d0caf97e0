//! The state of Explore and its reducer. Long operations ask the caller whether there is time left.

mod action;
mod goal;
mod pace;
mod play;
mod playback;
mod seek;
mod solutions;

use std::rc::Rc;

use queens_core::{
    BackwardSearch, Beat, Column, Event, Placement, Size, Square, Stepped, Timeline, View, Work,
};
use queens_worker::Icicle;

use super::name::Name;
use crate::address::ExploreLayout;
pub use action::{Action, Jump};
pub use goal::Notice;
use goal::{Goal, SLICE};
pub use pace::Pace;
use playback::Playback;
use solutions::Solutions;

/// The search after one of its steps, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The number of steps done.
    pub step: u64,
    /// The number of moves among them: [beats](queens_core::Beat), which users count.
    pub moves: u64,
    /// The state of the search.
    pub view: View,
    /// Its state one step earlier.
    pub before: View,
    /// The event of the step; `None` at step 0.
    pub event: Option<Event>,
    /// The beat of the step; `None` if the step has none.
    pub beat: Option<Beat>,
    /// The work so far.
    pub work: Work,
}

/// The part of the search that the worker has indexed so far, for the map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimelineIndex {
    /// The number of steps so far; the length of the search if it has ended.
    pub steps: u64,
    /// The number of [beats](queens_core::Beat) among them.
    pub beats: u64,
    /// Whether the search has ended.
    pub has_ended: bool,
    /// The map of these steps.
    pub icicle: Rc<Icicle>,
}

/// What the user has chosen for every search of a visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// `None` until the user has set the pace.
    pub pace: Option<Pace>,
    /// The kind of step at which playing stops. Not every method has it.
    pub target: Jump,
}

/// The state of Explore.
#[derive(Clone, Debug)]
pub struct ExploreState {
    timeline: Timeline,
    snapshot: Snapshot,
    index: TimelineIndex,
    solutions: Solutions,
    goal: Option<Goal>,
    playing: bool,
    choices: Choices,
    playback: Playback,
    /// The furthest step visited.
    furthest_step: u64,
    notice: Option<Notice>,
    /// The notice to show on arrival.
    arrival: Option<Notice>,
    /// The name whose squares are lit.
    pointed: Option<Name>,
    hex: bool,
    highlighted_column: Option<Column>,
    /// The square that is explained.
    selected_square: Option<Square>,
    /// Whether the explanation stays while the pointer is elsewhere.
    is_pinned: bool,
}

impl ExploreState {
    /// Returns a search at step 0, paused.
    pub fn new(method: Stepped, size: Size) -> ExploreState {
        let timeline = Timeline::new(method, size);
        let view = timeline.view();
        let snapshot = Snapshot {
            step: 0,
            moves: 0,
            view,
            before: view,
            event: None,
            beat: None,
            work: *timeline.work(),
        };
        ExploreState {
            timeline,
            snapshot,
            index: TimelineIndex::default(),
            solutions: Solutions::default(),
            goal: None,
            playing: false,
            choices: Choices::default(),
            playback: Playback::default(),
            furthest_step: 0,
            notice: None,
            arrival: None,
            pointed: None,
            hex: false,
            highlighted_column: None,
            selected_square: None,
            is_pinned: false,
        }
    }

    /// Starts another search at step 0, paused, with the same display settings.
    pub fn restart(&mut self, method: Stepped, size: Size) {
        *self = ExploreState {
            choices: self.choices,
            playback: self.playback.at_rest(),
            hex: self.hex,
            ..ExploreState::new(method, size)
        };
    }

    /// Applies an action. A jump is only started: [`work`](ExploreState::work) carries it out.
    pub fn apply(&mut self, action: Action) {
        match action {
            Action::TogglePlay => {
                let playing = !self.playing;
                if playing {
                    self.unpin();
                }
                if playing && self.is_done() {
                    self.start_jump(Goal::Step(0));
                } else {
                    self.stop_jump();
                }
                self.playing = playing;
                self.playback.begin(self.timeline.step(), self.timeline.tracer().dead_ends());
            }
            Action::MoveBy(steps) => {
                self.start_jump(Goal::Step(self.timeline.step().saturating_add_signed(steps)));
            }
            Action::MoveTo(step) => self.start_jump(Goal::Step(step)),
            Action::Next(jump) => self.start_jump(Goal::Next(jump)),
            Action::Previous(jump) => {
                self.start_jump(Goal::Previous(jump, BackwardSearch::from(self.timeline.step())));
            }
            Action::ToNode(node) => self.start_jump(Goal::Node(node)),
            Action::ToSolution(node) => self.start_jump(Goal::Found(node)),
            Action::Stop => {
                self.stop_jump();
                self.step_and_show();
            }
            Action::Pace(pace) => self.choices.pace = Some(pace),
            Action::Faster => self.choices.pace = Some(self.pace().faster()),
            Action::Slower => self.choices.pace = Some(self.pace().slower()),
            Action::Target(target) => self.choices.target = target,
            Action::Choose(choices) => self.choices = choices,
            Action::Point(name) => self.pointed = name,
            Action::ToggleHex => self.hex = !self.hex,
            Action::Highlight(column) => self.highlighted_column = column,
            Action::Explain(square) if !self.is_pinned => self.selected_square = square,
            Action::Explain(_) => {}
            Action::Pin(square) => {
                self.is_pinned =
                    square.is_some() && !(self.is_pinned && self.selected_square == square);
                self.selected_square = square;
                // The explanation would be gone with the next move.
                self.playing &= !self.is_pinned;
            }
        }
    }

    /// Advances by one frame: towards the goal, or by the beats that are due since the last frame.
    pub fn frame(&mut self, elapsed_ms: f64, more: &mut dyn FnMut() -> bool) {
        if self.playing && self.goal.is_none() {
            self.play(elapsed_ms / 1000.0 * self.pace().rate(), more);
        }
        self.work(more);
    }

    /// Takes one more step and shows it, so that the state before the step is known.
    pub(super) fn step_and_show(&mut self) {
        self.snapshot.before = self.timeline.view();
        self.timeline.forward();
        self.show();
    }

    /// Copies the current step of the timeline to the snapshot.
    fn show(&mut self) {
        let step = self.timeline.step();
        let last = self.timeline.last();
        self.snapshot = Snapshot {
            step,
            moves: self.timeline.tracer().beats(),
            view: self.timeline.view(),
            event: last,
            beat: self.timeline.tracer().beat(),
            work: *self.timeline.work(),
            ..self.snapshot
        };
        self.furthest_step = self.furthest_step.max(step);
    }

    /// Replaces the index, which the worker extends step by step.
    pub fn set_index(&mut self, index: TimelineIndex) {
        self.index = index;
    }

    /// Whether the next frame has work to do.
    pub fn is_busy(&self) -> bool {
        self.playing || self.goal.is_some() || self.solutions.is_incomplete(&self.timeline)
    }

    /// The method of the search.
    pub fn method(&self) -> Stepped {
        self.timeline.tracer().method()
    }

    /// The solutions of a small board at the end of the search, as far as they have been found again.
    pub fn solutions(&self) -> &[Placement] {
        self.solutions.found()
    }

    /// The step that is shown.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Whether the search is at its end.
    pub fn is_done(&self) -> bool {
        self.timeline.last().is_some_and(|last| last == Event::Done)
    }

    /// Whether the search plays.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// During a jump, the number of moves up to the step reached so far.
    pub fn jump_in_progress(&self) -> Option<u64> {
        self.goal.map(|_| self.timeline.tracer().beats())
    }

    /// How fast the search plays.
    pub fn pace(&self) -> Pace {
        if self.plays_quickly() { Pace::Fast } else { self.choices.pace.unwrap_or_default() }
    }

    /// Whether the search plays and has sped up by itself.
    pub fn plays_quickly(&self) -> bool {
        self.playing && self.is_quick()
    }

    /// What the user has chosen for every search.
    pub fn choices(&self) -> Choices {
        self.choices
    }

    /// The kind of step to which the bar leads, and at which playing stops.
    pub fn target(&self) -> Jump {
        let mut targets = Jump::targets(self.snapshot.view.method);
        targets.find(|&target| target == self.choices.target).unwrap_or_default()
    }

    /// Whether the search plays so fast that a summary replaces the sentence of each step.
    pub fn is_summarized(&self) -> bool {
        self.playing && self.pace().is_summarized()
    }

    /// The notice for the user.
    pub fn notice(&self) -> Option<Notice> {
        self.notice
    }

    /// The number of steps of the whole search, once it is known.
    pub fn end(&self) -> Option<u64> {
        Some(self.index.steps).filter(|_| self.index.has_ended).or(self.timeline.end())
    }

    /// The number of moves of the whole search, once it is known.
    pub fn all_moves(&self) -> Option<u64> {
        let known = Some(self.index.beats).filter(|_| self.index.has_ended);
        known.or_else(|| self.is_done().then_some(self.snapshot.moves))
    }

    /// The time in which the whole search plays at the current pace, in seconds, once its end is known.
    pub fn seconds(&self) -> Option<f64> {
        self.index.has_ended.then(|| self.index.beats as f64 / self.pace().rate())
    }

    /// The furthest step that the map shows.
    pub fn extent(&self) -> u64 {
        self.end().unwrap_or_else(|| self.furthest_step.max(self.index.steps).max(100))
    }

    /// The index of the map.
    pub fn index(&self) -> &TimelineIndex {
        &self.index
    }

    /// The name whose squares are lit.
    pub fn pointed(&self) -> Option<Name> {
        self.pointed
    }

    /// Applies the layout of an address.
    pub fn set_layout(&mut self, layout: &ExploreLayout) {
        self.hex = layout.hex;
        self.selected_square = layout.selected_square;
        self.is_pinned = layout.selected_square.is_some();
    }

    /// Returns the layout for an address: `layout` with the fields that this state stores.
    pub fn with_layout_of_state(&self, layout: ExploreLayout) -> ExploreLayout {
        let selected_square = self.selected_square.filter(|_| self.is_pinned);
        ExploreLayout { hex: self.hex, selected_square, ..layout }
    }

    /// Whether registers are shown in hexadecimal, too.
    pub fn hex(&self) -> bool {
        self.hex
    }

    /// The highlighted column.
    pub fn highlighted_column(&self) -> Option<Column> {
        self.highlighted_column
    }

    /// The square that is explained.
    pub fn selected_square(&self) -> Option<Square> {
        self.selected_square
    }

    /// Ends the explanation of a square that the user has selected at an earlier step.
    fn unpin(&mut self) {
        if std::mem::take(&mut self.is_pinned) {
            self.selected_square = None;
        }
    }

    /// Whether the explanation stays while the pointer is elsewhere.
    pub fn is_pinned(&self) -> bool {
        self.is_pinned
    }
}

#[cfg(test)]
mod tests;
