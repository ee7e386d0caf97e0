//! Connects the state of Explore to the browser: frames, keys, the address, the worker and screen
//! readers.

use std::cell::Cell;
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_render::{AnimationFrame, request_animation_frame};
use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::controls::keys::{self, Command, Target};
use super::displayed::DisplayedState;
use super::scene::{Dialog, LayoutChange, Message, Scene};
use super::screen::screen;
use crate::address::{Address, ExplorePosition, Navigate};
use crate::browser::{focus_in_place, now, scroll_to_top};
use crate::search::sentences::why;
use crate::search::state::{Action, Choices, ExploreState, TimelineIndex};
use crate::search::summary::summary;
use crate::words::Language;
use crate::worker::{Answer, Client, Request, Ticket};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub address: Rc<Address>,
    /// The number of navigations by the user. When it grows, Explore follows the address.
    pub navigation_count: u64,
    /// Changes the address.
    pub navigate: Navigate,
    pub language: Language,
    pub worker: Client,
}

/// The Explore component.
pub struct Player {
    scene: Scene,
    frame: Option<AnimationFrame>,
    last_frame: Option<f64>,
    announcing: Option<Timeout>,
    /// The element to focus after the next rendering. Before it, the element may be hidden.
    focus: Option<&'static str>,
    key_target: Rc<Cell<Target>>,
    _keys: Option<EventListener>,
    /// Keeps the worker indexing this search for the timeline.
    _index: Ticket,
}

/// The longest time that the search may use in a frame, in milliseconds. A frame takes about 16, and
/// the browser needs the rest.
const FRAME_WORK: f64 = 8.0;
/// The delay before a new position is written to the address, in milliseconds. Browsers limit how
/// often the address may change.
const ADDRESS_PAUSE: u32 = 300;
const ADDRESS_PAUSE_PLAYING: u32 = 1000;
/// The delay before a new position is announced to screen readers, in milliseconds. The
/// announcement describes the step at the end of the delay.
const ANNOUNCE_PAUSE: u32 = 1000;
const ANNOUNCE_PAUSE_PLAYING: u32 = 3000;

impl Component for Player {
    type Message = Message;
    type Properties = Props;

    fn create(ctx: &Context<Self>) -> Player {
        let Props { address, language, .. } = ctx.props();
        let state = ExploreState::new(address.method, address.size);
        let scene = Scene {
            displayed: DisplayedState::new(&state, 0.0),
            state,
            send: ctx.link().callback(|message| message),
            act: ctx.link().callback(Message::Do),
            announced: String::new(),
            dialog: None,
            layout: address.layout,
            return_position: None,
            race_key: None,
            race_takes_focus: false,
            address: Rc::clone(address),
            language: *language,
        };
        let link = ctx.link().clone();
        let key_target = Rc::new(Cell::new(scene.key_target()));
        let keys = keys::listen(Rc::clone(&key_target), move |command| {
            link.send_message(match command {
                Command::Do(action) => Message::Key(action),
                Command::Help => Message::Open(Some(Dialog::Keys)),
                Command::Present => Message::Layout(LayoutChange::Present),
                Command::Leave => Message::Layout(LayoutChange::Leave),
            });
        });
        let mut player = Player {
            scene,
            frame: None,
            last_frame: None,
            announcing: None,
            focus: None,
            key_target,
            _keys: keys,
            _index: index(ctx),
        };
        player.scene.state.apply(Action::Choose(CHOICES.get()));
        player.go(Action::MoveTo(address.step));
        player.scene.set_layout(address.layout);
        player.show(true, true);
        player.request_frame(ctx);
        player
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        let Props { address, navigation_count, language, .. } = ctx.props();
        self.scene.address = Rc::clone(address);
        self.scene.language = *language;
        let is_other = (address.method, address.size) != (old.address.method, old.address.size);
        if is_other {
            self.scene.state.restart(address.method, address.size);
            self.scene.return_position = None;
            self._index = index(ctx);
        }
        // Other changes of the address replace it without a navigation, and leave the step and the layout
        // as they are.
        if is_other || *navigation_count != old.navigation_count {
            self.go(Action::MoveTo(address.step));
            self.scene.set_layout(address.layout);
            let (had_race, has_race) = (old.address.compare.is_some(), self.scene.has_race());
            self.scene.race_takes_focus = has_race;
            // The focused link between race and board has disappeared.
            self.focus = (had_race && !has_race).then_some("board");
        }
        self.scene.pause_hidden_search();
        self.show(true, true);
        self.request_frame(ctx);
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        let is_frame = matches!(message, Message::Frame(_));
        let was_playing = self.scene.state.is_playing();
        let changed = self.handle(ctx, message);
        self.scene.pause_hidden_search();
        let is_visible = self.show(changed, !is_frame);
        self.request_frame(ctx);
        let state = &self.scene.state;
        let pause = if state.is_playing() { ADDRESS_PAUSE_PLAYING } else { ADDRESS_PAUSE };
        if state.jump_in_progress().is_none() {
            let position = self.scene.position_at(state.snapshot().step);
            let is_new = ctx.props().navigate.record_position(position, pause);
            // The last announcement may have summarized this step.
            let has_stopped = was_playing && !state.is_playing();
            if is_new || has_stopped {
                self.schedule_announcement(ctx);
            }
        }
        is_visible
    }

    fn view(&self, _ctx: &Context<Self>) -> Html {
        screen(&self.scene)
    }

    fn rendered(&mut self, _ctx: &Context<Self>, _first: bool) {
        self.key_target.set(self.scene.key_target());
        if let Some(id) = self.focus.take() {
            focus_in_place(id);
        }
    }
}

impl Player {
    /// Handles a message. Returns whether the component must render again.
    fn handle(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        let navigate = &ctx.props().navigate;
        let scene = &mut self.scene;
        match message {
            // The race is in the place of the board, so the keys of the board act on the race.
            Message::Key(action) if scene.has_race() => {
                return scene.send_key_to_race(action);
            }
            Message::Key(action) => return self.handle(ctx, Message::Do(action)),
            Message::Do(action) => {
                self.go(action);
                CHOICES.set(self.scene.state.choices());
            }
            Message::Visit(action) => {
                scene.open(None);
                self.focus = Some("board");
                self.go(action);
            }
            Message::Frame(time) => return self.advance(time),
            Message::Announce => {
                self.announcing = None;
                scene.announced = match scene.state.is_summarized() {
                    true => summary(scene.language, &scene.state, scene.state.snapshot()),
                    false => why(scene.language, scene.state.snapshot()),
                };
            }
            Message::Open(dialog) => scene.open(dialog),
            Message::Find(node) => {
                scene.return_position = Some(scene.position_at(scene.state.snapshot().step));
                self.go(Action::Pin(None));
                self.go(Action::ToSolution(node));
            }
            Message::Return => self.go_back(),
            Message::Watch => {
                self.go(Action::TogglePlay);
                // The focused button disappears.
                focus_in_place("board");
            }
            Message::Compare(compare) => {
                // The focus stays in the list.
                scene.race_takes_focus = false;
                navigate.replace(Address { compare: Some(compare), ..scene.address() });
                return false;
            }
            Message::Index(index) => scene.state.set_index(index),
            // The innermost first.
            Message::Layout(LayoutChange::Leave)
                if scene.state.is_pinned() && !scene.has_race() =>
            {
                self.go(Action::Pin(None));
            }
            Message::Layout(LayoutChange::Leave)
                if scene.has_race() && !scene.layout.presenting =>
            {
                navigate.push(Address { compare: None, ..scene.address() });
                return false;
            }
            Message::Layout(change) => return self.arrange(change),
        }
        true
    }

    /// Changes the layout. Returns whether the component must render again.
    fn arrange(&mut self, change: LayoutChange) -> bool {
        let was_presenting = self.scene.layout.presenting;
        let is_changed = self.scene.arrange(change);
        if self.scene.layout.presenting && !was_presenting {
            // Otherwise the presentation would begin as far down as the page was scrolled.
            scroll_to_top();
            // Otherwise the key that plays would press the focused button and end the presentation.
            let is_race = self.scene.has_race();
            self.focus = Some(if is_race { "play" } else { "board" });
        }
        is_changed
    }

    /// Returns to the position before a jump.
    fn go_back(&mut self) {
        let scene = &mut self.scene;
        if let Some(ExplorePosition { step, layout }) = scene.return_position.take() {
            self.go(Action::MoveTo(step));
            self.scene.set_layout(layout);
        }
    }

    /// Applies an action of the user and works on it for at most [`FRAME_WORK`].
    fn go(&mut self, action: Action) {
        self.last_frame = None;
        self.scene.state.apply(action);
        let end = now() + FRAME_WORK;
        self.scene.state.work(&mut || now() < end);
    }

    /// Updates the board and the text together, if something `changed` or the step is new. While the
    /// search plays, a change is shown only if `at_once` is set, and a new step only
    /// [`DisplayedState::INTERVAL`] after the last copy. Returns whether anything was updated.
    fn show(&mut self, changed: bool, at_once: bool) -> bool {
        let time = now();
        let is_outdated = self.scene.displayed.snapshot.step != self.scene.state.snapshot().step;
        let is_due = if self.scene.state.is_playing() {
            changed && at_once
                || is_outdated && time - self.scene.displayed.time >= DisplayedState::INTERVAL
        } else {
            is_outdated || changed
        };
        if is_due {
            self.scene.displayed = DisplayedState::new(&self.scene.state, time);
        }
        is_due
    }

    /// Advances the search by one frame. Returns whether the component must render again.
    fn advance(&mut self, time: f64) -> bool {
        self.frame = None;
        let elapsed = self.last_frame.map_or(0.0, |last| (time - last).clamp(0.0, 250.0));
        self.last_frame = Some(time);
        let begin = now();
        let step = self.scene.state.snapshot().step;
        // Frames also serve a jump to another step, and the search for the solutions up to the current
        // step. Both change what is displayed even if the step stays the same.
        let playing = self.scene.state.is_playing();
        self.scene.state.frame(elapsed, &mut || now() < begin + FRAME_WORK);
        !playing || self.scene.state.snapshot().step != step
    }

    fn request_frame(&mut self, ctx: &Context<Self>) {
        if self.scene.state.is_busy() && self.frame.is_none() {
            let link = ctx.link().clone();
            let on_frame = move |time| link.send_message(Message::Frame(time));
            self.frame = Some(request_animation_frame(on_frame));
        }
    }

    fn schedule_announcement(&mut self, ctx: &Context<Self>) {
        if self.announcing.is_none() {
            let pause =
                if self.scene.state.is_playing() { ANNOUNCE_PAUSE_PLAYING } else { ANNOUNCE_PAUSE };
            let link = ctx.link().clone();
            let announce = move || link.send_message(Message::Announce);
            self.announcing = Some(Timeout::new(pause, announce));
        }
    }
}

thread_local! {
    /// The user's choices. They stay while other views are open.
    static CHOICES: Cell<Choices> = Cell::default();
}

/// Asks the worker to index the search.
fn index(ctx: &Context<Player>) -> Ticket {
    let Address { method, size, .. } = *ctx.props().address;
    let link = ctx.link().clone();
    ctx.props().worker.request(Request::TimelineIndex { method, size }, move |answer| {
        if let Answer::TimelineIndex { steps, beats, has_ended, icicle } = answer {
            let index = TimelineIndex { steps, beats, has_ended, icicle: icicle.into() };
            link.send_message(Message::Index(index));
        }
    })
}
