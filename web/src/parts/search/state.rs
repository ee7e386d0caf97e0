//! What Explore knows and how it changes. No browser in here: what takes time asks the caller
//! whether there is time left.

use std::rc::Rc;

use queens_core::{
    Column, Event, Node, Previous, Seek, Size, Square, Stepped, Timeline, View, Work,
};

use crate::place::{Layer, Layers, Shown};
use crate::worker::Mark;

/// What is shown: the search after one of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The number of steps done.
    pub step: u64,
    /// What can be seen.
    pub view: View,
    /// What could be seen one step earlier.
    pub before: View,
    /// The event that led here; `None` at step 0.
    pub event: Option<Event>,
    /// Its line in the iterative form.
    pub line: Option<u32>,
    /// The work so far.
    pub work: Work,
}

/// Where the search is being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To a step.
    Step(u64),
    /// To the next of a kind.
    Next(Jump),
    /// To the one before.
    Previous(Jump, Previous),
    /// To the end of the search.
    End,
    /// To a node of the search tree.
    Node(Node),
    /// To the step that finds the solution of a node with all its queens.
    Found(Node),
    /// To the step that cuts a node off: first to its parent, and from there on to the cut.
    Cut(Node, bool),
}

/// What a person should be told beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// There is none before this step.
    NoEarlier(Jump),
    /// There is none after this step; the search is at its end now.
    NoMore(Jump),
    /// The address asked for a step beyond the end.
    BeyondTheEnd(u64),
    /// The search never comes to the node.
    NoSuchNode,
}

/// The whole search as far as the worker has told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// What happened in each stretch of steps.
    pub marks: Rc<[Mark]>,
    /// The number of steps in a stretch.
    pub stretch: u64,
    /// Steps done so far; the length of the search if it has ended.
    pub steps: u64,
    /// Whether the search has ended.
    pub ended: bool,
}

/// What can be jumped to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// A solution that counts.
    Solution,
    /// A comparison with an image.
    Comparison,
    /// A rule that closes squares.
    Rule,
}

impl Jump {
    /// The name in the page's texts and elements.
    pub fn id(self) -> &'static str {
        match self {
            Jump::Solution => "solution",
            Jump::Comparison => "comparison",
            Jump::Rule => "rule",
        }
    }

    /// What grows at such a step.
    fn count(self) -> fn(&Work) -> u64 {
        match self {
            Jump::Solution => |work| work.tally.met(),
            Jump::Comparison => |work| work.comparisons,
            Jump::Rule => |work| work.cut.iter().sum(),
        }
    }
}

/// Something a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Starts or stops playing.
    TogglePlay,
    /// So many steps forwards, or backwards.
    By(i64),
    /// To a step.
    To(u64),
    /// To the next of a kind.
    Next(Jump),
    /// To the one before this step.
    Previous(Jump),
    /// To the step that puts a node's last queen.
    ToNode(Node),
    /// To the step that finds the solution of a node with all its queens, where the method counts it.
    ToSolution(Node),
    /// To the step at which a rule cuts a node off.
    ToCut(Node),
    /// To step 0.
    First,
    /// To the end of the search.
    End,
    /// To the furthest step visited.
    LastVisited,
    /// Gives up going to a far step: stays where the search is by now.
    Stop,
    /// A place on the scale of speeds.
    Speed(u32),
    /// Lays something over the board or takes it off.
    Overlay(Layer),
    /// Shows or hides the registers in hexadecimal.
    ToggleHex,
    /// Lights a column, or none.
    Light(Option<Column>),
    /// Asks about a square.
    Ask(Option<Square>),
    /// Asks about a square so that the question stays; the same square again ends that.
    Pin(Option<Square>),
}

impl Action {
    /// Whether it leads to another step.
    pub fn leads_elsewhere(self) -> bool {
        use Action::{Ask, Light, Overlay, Pin, Speed, ToggleHex};
        !matches!(self, Speed(_) | Overlay(_) | ToggleHex | Light(_) | Ask(_) | Pin(_))
    }
}

/// The state of Explore.
#[derive(Clone, Debug)]
pub struct State {
    timeline: Timeline,
    snapshot: Snapshot,
    survey: Survey,
    goal: Option<Goal>,
    playing: bool,
    speed: u32,
    /// Parts of a step that playing has saved up: an accumulator, so that the rate holds whatever
    /// the browser's frames last.
    saved: f64,
    furthest: u64,
    notice: Option<Notice>,
    /// What to tell on arrival.
    arrival: Option<Notice>,
    layers: Layers,
    hex: bool,
    lit: Option<Column>,
    asked: Option<Square>,
    pinned: bool,
}

/// Steps between two looks at the clock: well under a millisecond.
const SLICE: u64 = 8192;

impl State {
    /// The largest place on the scale of speeds: ten thousand steps a second.
    pub const FASTEST: u32 = 40;
    const FIRST_SPEED: u32 = 6;

    /// A search at step 0, paused.
    pub fn new(method: Stepped, size: Size) -> State {
        let timeline = Timeline::new(method, size);
        let view = timeline.view();
        let snapshot = Snapshot {
            step: 0,
            view,
            before: view,
            event: None,
            line: None,
            work: *timeline.work(),
        };
        State {
            timeline,
            snapshot,
            survey: Survey::default(),
            goal: None,
            playing: false,
            speed: State::FIRST_SPEED,
            saved: 0.0,
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

    /// Another search, at step 0 and paused; what was chosen for the display stays.
    pub fn restart(&mut self, method: Stepped, size: Size) {
        *self = State {
            speed: self.speed,
            layers: self.layers,
            hex: self.hex,
            ..State::new(method, size)
        };
    }

    /// Takes an action. A way to a far step is only begun: [`work`](State::work) does it.
    pub fn apply(&mut self, action: Action) {
        match action {
            Action::TogglePlay => {
                let playing = !self.playing && !self.is_done();
                self.halt();
                self.playing = playing;
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
            Action::Speed(speed) => self.speed = speed.min(State::FASTEST),
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

    fn go(&mut self, goal: Goal) {
        self.halt();
        self.goal = Some(goal);
    }

    fn halt(&mut self) {
        self.playing = false;
        self.saved = 0.0;
        self.goal = None;
        self.notice = None;
        self.arrival = None;
    }

    /// Goes on towards the goal for as long as there is `more` time; at least one slice.
    pub fn work(&mut self, more: &mut dyn FnMut() -> bool) {
        while let Some(goal) = self.goal {
            self.goal = self.advance(goal);
            if self.goal.is_some() && !more() {
                return;
            }
        }
    }

    /// One slice of the way to a goal. Returns where to go on to; nothing on arrival. Whatever the
    /// goal, the last part of the way leads through the step before: that picture is shown, too.
    fn advance(&mut self, goal: Goal) -> Option<Goal> {
        let found = match goal {
            Goal::Step(step) => return self.advance_to_step(step),
            Goal::End if !self.timeline.seek(u64::MAX, SLICE) => return Some(Goal::End),
            Goal::End => Seek::Found,
            Goal::Next(jump) => self.timeline.seek_next(jump.count(), SLICE),
            Goal::Previous(jump, mut way) => {
                match self.timeline.seek_previous(&mut way, jump.count(), SLICE) {
                    Seek::OutOfBudget => return Some(Goal::Previous(jump, way)),
                    Seek::Found => Seek::Found,
                    Seek::NoMore => {
                        self.arrival = Some(Notice::NoEarlier(jump));
                        return Some(Goal::Step(way.before()));
                    }
                }
            }
            Goal::Node(node) => self.timeline.seek_node(&node, SLICE),
            Goal::Found(node) => match self.timeline.seek_node(&node, SLICE) {
                // What lies between are comparisons.
                Seek::Found => return Some(Goal::Next(Jump::Solution)),
                other => other,
            },
            Goal::Cut(node, false) => {
                let parent = node.parent().unwrap_or(node);
                match self.timeline.seek_node(&parent, SLICE) {
                    Seek::Found => return Some(Goal::Cut(node, true)),
                    other => other,
                }
            }
            Goal::Cut(node, true) => self.seek_cut(&node),
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

    /// Goes on from a node's parent to the step that cuts the node off.
    fn seek_cut(&mut self, node: &Node) -> Seek {
        let (Some(row), Some(column)) = (node.depth().checked_sub(1), node.column()) else {
            return Seek::NoMore;
        };
        for _ in 0..SLICE {
            match self.timeline.forward().map(|step| step.event) {
                Some(Event::Cut { row: at, squares, .. })
                    if at == row && squares.contains(column.to_right()) =>
                {
                    return Seek::Found;
                }
                Some(Event::Back { row: at }) if at < row => return Seek::NoMore,
                None => return Seek::NoMore,
                Some(_) => {}
            }
        }
        Seek::OutOfBudget
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

    /// One frame: goes on towards the goal or plays for the time since the last frame.
    pub fn frame(&mut self, elapsed_ms: f64, more: &mut dyn FnMut() -> bool) {
        if self.goal.is_some() {
            self.work(more);
        } else if self.playing {
            self.saved += elapsed_ms / 1000.0 * self.rate();
            let due = self.saved as u64;
            self.saved -= due as f64;
            self.play(due, more);
        }
    }

    fn play(&mut self, due: u64, more: &mut dyn FnMut() -> bool) {
        let mut left = due;
        while left > 1 {
            let slice = (left - 1).min(SLICE);
            if (0..slice).any(|_| self.timeline.forward().is_none()) {
                break;
            }
            left -= slice;
            if !more() {
                // This machine is not that fast: what could not be done is not saved up.
                self.saved = 0.0;
                left = left.min(1);
            }
        }
        if self.is_done() {
            self.playing = false;
            self.goal = Some(Goal::Step(self.timeline.step()));
            self.work(more);
        } else if left > 0 {
            self.snapshot.before = self.timeline.view();
            self.timeline.forward();
            self.show();
            self.playing = !self.is_done();
        }
    }

    /// Shows where the search is. It takes one more step, so that the picture before is known.
    fn stop_here(&mut self) {
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
            line: last.map(|last| last.line),
            work: *self.timeline.work(),
            ..self.snapshot
        };
        self.furthest = self.furthest.max(step);
    }

    /// Takes what the worker has found out about the whole search.
    pub fn learn(&mut self, survey: Survey) {
        self.survey = survey;
    }

    /// Whether the next frame has anything to do.
    pub fn is_busy(&self) -> bool {
        self.playing || self.goal.is_some()
    }

    /// The method that searches.
    pub fn method(&self) -> Stepped {
        self.timeline.tracer().method()
    }

    /// What is shown.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Whether the search is at its end.
    pub fn is_done(&self) -> bool {
        self.timeline.last().is_some_and(|last| last.event == Event::Done)
    }

    /// Whether it plays.
    pub fn playing(&self) -> bool {
        self.playing
    }

    /// Where the search is being sent, and the step that it has reached by now.
    pub fn on_the_way(&self) -> Option<(Goal, u64)> {
        self.goal.map(|goal| (goal, self.timeline.step()))
    }

    /// The node at which the search is, and the one whose queen is put next.
    pub fn nodes(&self) -> (Node, Option<Node>) {
        (Node::of(&self.snapshot.view), self.timeline.tracer().next_node())
    }

    /// The place on the scale of speeds.
    pub fn speed(&self) -> u32 {
        self.speed
    }

    /// Steps a second: ten places on the scale are a factor of ten.
    pub fn rate(&self) -> f64 {
        10f64.powf(f64::from(self.speed) / 10.0)
    }

    /// What a person should be told.
    pub fn notice(&self) -> Option<Notice> {
        self.notice
    }

    /// The number of steps of the whole search, once it is known.
    pub fn end(&self) -> Option<u64> {
        Some(self.survey.steps).filter(|_| self.survey.ended).or(self.timeline.end())
    }

    /// The furthest step that the timeline shows.
    pub fn extent(&self) -> u64 {
        self.end().unwrap_or_else(|| self.furthest.max(self.survey.steps).max(100))
    }

    /// The solutions and cuts known so far.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Whether something lies over the board.
    pub fn overlays(&self, layer: Layer) -> bool {
        self.layers.contains(layer)
    }

    /// Shows what an address says.
    pub fn take(&mut self, shown: &Shown) {
        self.layers = shown.layers;
        self.hex = shown.hex;
        self.asked = shown.asked;
        self.pinned = shown.asked.is_some();
    }

    /// What an address says of what is shown here, where it says `besides` of all else.
    pub fn shown(&self, besides: Shown) -> Shown {
        let asked = self.asked.filter(|_| self.pinned);
        Shown { layers: self.layers, hex: self.hex, asked, ..besides }
    }

    /// Whether the registers are shown in hexadecimal too.
    pub fn hex(&self) -> bool {
        self.hex
    }

    /// The column that is lit.
    pub fn lit(&self) -> Option<Column> {
        self.lit
    }

    /// The square asked about.
    pub fn asked(&self) -> Option<Square> {
        self.asked
    }

    /// Whether the question stays while the pointer goes elsewhere.
    pub fn pinned(&self) -> bool {
        self.pinned
    }
}

#[cfg(test)]
mod tests;
