//! The state of Explore and its reducer. Long operations ask the caller whether there is time left.

mod action;
mod goal;
mod pace;
mod play;
mod playback;
mod seek;
mod shelf;

use std::rc::Rc;

use queens_core::{
    Beat, Column, Event, Node, Previous, Size, Square, Stepped, Timeline, View, Work,
};
use serde::{Deserialize, Serialize};

use crate::routing::{ExploreLayout, Layer, Layers};
pub use action::{Action, Jump};
use goal::SLICE;
pub use goal::{Goal, Notice};
pub use pace::{Pace, PauseAt};
use playback::Playback;
pub use shelf::FoundSolution;
use shelf::Shelf;

/// What happened in a stretch of steps: a column of the timeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    pub solutions: u32,
    /// Squares closed by a rule.
    pub cut: u32,
    /// Comparisons with an image.
    pub comparisons: u32,
}

impl Mark {
    /// Returns the mark of two stretches together.
    #[must_use]
    pub fn plus(self, other: Mark) -> Mark {
        Mark {
            solutions: self.solutions.saturating_add(other.solutions),
            cut: self.cut.saturating_add(other.cut),
            comparisons: self.comparisons.saturating_add(other.comparisons),
        }
    }
}

/// The search after one of its steps, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The number of steps done.
    pub step: u64,
    /// The state of the search.
    pub view: View,
    /// Its state one step earlier.
    pub before: View,
    /// The event of the step; `None` at step 0.
    pub event: Option<Event>,
    /// The beat of the step, if it is one.
    pub beat: Option<Beat>,
    /// The event's line in the iterative form.
    pub line: Option<u32>,
    /// The work so far.
    pub work: Work,
}

/// An index of the whole search, for the timeline, as far as the worker has got.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimelineIndex {
    /// The marks of all stretches.
    pub marks: Rc<[Mark]>,
    /// The number of steps in a stretch.
    pub stretch: u64,
    /// The number of steps so far; the length of the search if it has ended.
    pub steps: u64,
    /// Whether the search has ended.
    pub ended: bool,
}

/// The state of Explore.
#[derive(Clone, Debug)]
pub struct ExploreState {
    timeline: Timeline,
    snapshot: Snapshot,
    index: TimelineIndex,
    shelf: Shelf,
    goal: Option<Goal>,
    playing: bool,
    pace: Pace,
    pause_at: PauseAt,
    playback: Playback,
    furthest: u64,
    notice: Option<Notice>,
    /// The notice to show on arrival.
    arrival: Option<Notice>,
    layers: Layers,
    hex: bool,
    lit: Option<Column>,
    asked: Option<Square>,
    pinned: bool,
}

impl ExploreState {
    /// Returns a search at step 0, paused.
    pub fn new(method: Stepped, size: Size) -> ExploreState {
        let timeline = Timeline::new(method, size);
        let view = timeline.view();
        let snapshot = Snapshot {
            step: 0,
            view,
            before: view,
            event: None,
            beat: None,
            line: None,
            work: *timeline.work(),
        };
        ExploreState {
            timeline,
            snapshot,
            index: TimelineIndex::default(),
            shelf: Shelf::default(),
            goal: None,
            playing: false,
            pace: Pace::default(),
            pause_at: PauseAt::default(),
            playback: Playback::default(),
            furthest: 0,
            notice: None,
            arrival: None,
            layers: Layers::default(),
            hex: false,
            lit: None,
            asked: None,
            pinned: false,
        }
    }

    /// Starts another search at step 0, paused, with the same display settings.
    pub fn restart(&mut self, method: Stepped, size: Size) {
        *self = ExploreState {
            pace: self.pace,
            pause_at: self.pause_at,
            playback: self.playback.at_rest(),
            layers: self.layers,
            hex: self.hex,
            ..ExploreState::new(method, size)
        };
    }

    /// Applies an action. A jump is only started: [`work`](ExploreState::work) carries it out.
    pub fn apply(&mut self, action: Action) {
        match action {
            Action::TogglePlay => {
                let playing = !self.playing;
                if self.is_done() {
                    self.go(Goal::Step(0));
                } else {
                    self.halt();
                }
                self.playing = playing;
                self.playback.begin(self.timeline.step());
            }
            Action::By(steps) => {
                self.go(Goal::Step(self.timeline.step().saturating_add_signed(steps)));
            }
            Action::To(step) => self.go(Goal::Step(step)),
            Action::First => self.go(Goal::Step(0)),
            Action::LastVisited => self.go(Goal::Step(self.furthest)),
            Action::Next(jump) => self.go(Goal::Next(jump)),
            Action::Previous(jump) => {
                self.go(Goal::Previous(jump, Previous::to(self.timeline.step())));
            }
            Action::End => self.go(Goal::End),
            Action::ToNode(node) => self.go(Goal::Node(node)),
            Action::ToSolution(node) => self.go(Goal::Found(node)),
            Action::ToCut(node) => self.go(Goal::Cut(node, false)),
            Action::Stop => {
                self.halt();
                self.stop_here();
            }
            Action::Pace(pace) => self.pace = pace,
            Action::Faster => self.pace = self.pace.faster(),
            Action::Slower => self.pace = self.pace.slower(),
            Action::PauseAt(pause_at) => self.pause_at = pause_at,
            Action::Overlay(layer) => self.layers = self.layers.toggled(layer),
            Action::ToggleHex => self.hex = !self.hex,
            Action::Light(column) => self.lit = column,
            Action::Ask(square) if !self.pinned => self.asked = square,
            Action::Ask(_) => {}
            Action::Pin(square) => {
                self.pinned = square.is_some() && !(self.pinned && self.asked == square);
                self.asked = square;
            }
        }
    }

    /// Advances by one frame: towards the goal, or by what is due since the last frame.
    pub fn frame(&mut self, elapsed_ms: f64, more: &mut dyn FnMut() -> bool) {
        if self.playing && self.goal.is_none() {
            self.play(elapsed_ms / 1000.0 * self.pace.rate(), more);
        }
        self.work(more);
    }

    /// Shows the search where it is, after one more step, so that the state before is known.
    pub(super) fn stop_here(&mut self) {
        self.snapshot.before = self.timeline.view();
        self.timeline.forward();
        self.show();
    }

    fn show(&mut self) {
        let step = self.timeline.step();
        let last = self.timeline.last();
        self.snapshot = Snapshot {
            step,
            view: self.timeline.view(),
            event: last.map(|last| last.event),
            beat: self.timeline.tracer().beat(),
            line: last.map(|last| last.line),
            work: *self.timeline.work(),
            ..self.snapshot
        };
        self.furthest = self.furthest.max(step);
        self.shelf.follow(&self.timeline);
    }

    /// Replaces the index, which the worker extends step by step.
    pub fn set_index(&mut self, index: TimelineIndex) {
        self.index = index;
    }

    /// Whether the next frame has work to do.
    pub fn is_busy(&self) -> bool {
        self.playing || self.goal.is_some() || self.shelf.lacks_some(&self.timeline)
    }

    /// The method of the search.
    pub fn method(&self) -> Stepped {
        self.timeline.tracer().method()
    }

    /// The last solutions up to the step that is shown, as far as they are known yet, in the order in
    /// which the search finds them. The search has found `work.tally.met()` in all.
    pub fn solutions(&self) -> impl Iterator<Item = &FoundSolution> {
        self.shelf.found()
    }

    /// The step that is shown.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Whether the search is at its end.
    pub fn is_done(&self) -> bool {
        self.timeline.last().is_some_and(|last| last.event == Event::Done)
    }

    /// Whether it is playing.
    pub fn playing(&self) -> bool {
        self.playing
    }

    /// The target of the current jump, and the step reached so far.
    pub fn on_the_way(&self) -> Option<(Goal, u64)> {
        self.goal.map(|goal| (goal, self.timeline.step()))
    }

    /// The current node, and the node of the next queen.
    pub fn nodes(&self) -> (Node, Option<Node>) {
        (Node::of(&self.snapshot.view), self.timeline.tracer().next_node())
    }

    /// How fast it plays.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Where it pauses while it plays.
    pub fn pause_at(&self) -> PauseAt {
        self.pause_at
    }

    /// Whether it plays so fast that a summary replaces the sentence of each step.
    pub fn is_summarized(&self) -> bool {
        self.playing && self.pace.is_summarized()
    }

    /// The notice for the user.
    pub fn notice(&self) -> Option<Notice> {
        self.notice
    }

    /// The number of steps of the whole search, once it is known.
    pub fn end(&self) -> Option<u64> {
        Some(self.index.steps).filter(|_| self.index.ended).or(self.timeline.end())
    }

    /// The furthest step that the timeline shows.
    pub fn extent(&self) -> u64 {
        self.end().unwrap_or_else(|| self.furthest.max(self.index.steps).max(100))
    }

    /// The index of the timeline.
    pub fn index(&self) -> &TimelineIndex {
        &self.index
    }

    /// Whether a layer is on.
    pub fn overlays(&self, layer: Layer) -> bool {
        self.layers.contains(layer)
    }

    /// Takes over the layout of an address.
    pub fn take(&mut self, shown: &ExploreLayout) {
        self.layers = shown.layers;
        self.hex = shown.hex;
        self.asked = shown.asked;
        self.pinned = shown.asked.is_some();
    }

    /// Returns the layout for an address: `besides` with everything that this state knows.
    pub fn shown(&self, besides: ExploreLayout) -> ExploreLayout {
        let asked = self.asked.filter(|_| self.pinned);
        ExploreLayout { layers: self.layers, hex: self.hex, asked, ..besides }
    }

    /// Whether registers are shown in hexadecimal, too.
    pub fn hex(&self) -> bool {
        self.hex
    }

    /// The highlighted column.
    pub fn lit(&self) -> Option<Column> {
        self.lit
    }

    /// The square that is explained.
    pub fn asked(&self) -> Option<Square> {
        self.asked
    }

    /// Whether the explanation stays while the pointer is elsewhere.
    pub fn pinned(&self) -> bool {
        self.pinned
    }
}

#[cfg(test)]
mod tests;
