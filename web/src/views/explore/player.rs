//! Connects the state of Explore to the browser: frames, keys, the address, a screen reader.

use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use gloo_timers::callback::Timeout;
use queens_core::{Form, Stepped};
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

use super::code::lines::Lines;
use super::controls::keys::{Command, command};
use super::controls::tour;
use super::screen::screen;
use super::told::Told;
use crate::board::square::Row;
use crate::browser::{fits, now};
use crate::parts::search::picture::rows;
use crate::parts::search::state::{Action, State, Survey};
use crate::parts::search::why::why;
use crate::place::{Address, Navigate};
use crate::words::Language;
use crate::worker::{Answer, Client, Request, Ticket};

/// What the player needs from the page.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The page's address.
    pub address: Rc<Address>,
    /// Changes it.
    pub navigate: Navigate,
    /// The page's language.
    pub language: Language,
    /// The page's worker.
    pub worker: Client,
}

/// What happens to the player.
pub enum Message {
    /// A person does something.
    Do(Action),
    /// The browser is about to draw, at this time in milliseconds.
    Frame(f64),
    /// The present step should be read out.
    Announce,
    /// Opens or closes the list of keys.
    Help(bool),
    /// Opens or closes the search tree.
    Tree,
    /// A step of the tour.
    Tour(u8),
    /// Another method to compare with, or none.
    Compare(Option<Stepped>),
    /// Another form of the code.
    Form(Form),
    /// The worker has found out more about the whole search.
    Survey(Survey),
}

/// Explore at work.
pub struct Player {
    /// The search and how it is shown.
    pub state: State,
    /// The board as it is drawn, in rows from the top.
    pub drawn: Rc<[Row]>,
    /// What the words beside the board speak of.
    pub told: Told,
    /// Takes what a person does. Made once, so that what is as it was is not drawn again.
    pub act: Callback<Action>,
    /// Opens the list of keys.
    pub open_help: Callback<()>,
    /// The lines of the recursive form.
    pub lines: Rc<Lines>,
    /// What a screen reader is told.
    pub announced: String,
    /// Whether the list of keys is open.
    pub help: bool,
    /// Whether the search tree is shown.
    pub tree: bool,
    /// The step of the first visit's tour; none once it has been seen.
    pub tour: Option<u8>,
    /// Whether there is room to open the panels at first.
    pub roomy: bool,
    /// Whether there is room to open at least the registers.
    pub wide: bool,
    /// The step that the address names, or will name in a moment.
    named: u64,
    frame: Option<AnimationFrame>,
    last_frame: Option<f64>,
    announcing: Option<Timeout>,
    /// Keeps the worker at the survey of this search.
    _survey: Ticket,
}

/// How long a frame may work, in milliseconds: the rest of its 16 is the browser's.
const FRAME_WORK: f64 = 8.0;
/// Browsers refuse addresses that change too often.
const ADDRESS_PAUSE: u32 = 300;
const ADDRESS_PAUSE_PLAYING: u32 = 1000;
/// Announcements come no faster than they can be begun to be read.
const ANNOUNCE_PAUSE: u32 = 1000;
const ANNOUNCE_PAUSE_PLAYING: u32 = 3000;

impl Component for Player {
    type Message = Message;
    type Properties = Props;

    fn create(ctx: &Context<Self>) -> Player {
        let address = &ctx.props().address;
        let state = State::new(address.method, address.size);
        let drawn: Rc<[Row]> = rows(&state).into();
        let mut player = Player {
            told: Told::at(&state, &drawn, 0.0),
            drawn,
            state,
            act: ctx.link().callback(Message::Do),
            open_help: ctx.link().callback(|()| Message::Help(true)),
            lines: Lines::of_method(address.method),
            announced: String::new(),
            help: false,
            tree: false,
            tour: (!address.embed && !tour::is_seen()).then_some(1),
            roomy: fits("(min-width: 60rem)"),
            wide: fits("(min-width: 40rem)"),
            named: address.step,
            frame: None,
            last_frame: None,
            announcing: None,
            _survey: survey(ctx),
        };
        player.go(Action::To(address.step));
        player.show(true);
        player.ask_for_frame(ctx);
        player
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        let address = &ctx.props().address;
        if (address.method, address.size) != (old.address.method, old.address.size) {
            self.state.restart(address.method, address.size);
            self.lines = Lines::of_method(address.method);
            self._survey = survey(ctx);
            self.named = address.step;
            self.go(Action::To(address.step));
        } else if address.step != self.named && !ctx.props().navigate.is_own_step(address.step) {
            self.named = address.step;
            self.go(Action::To(address.step));
        }
        self.show(true);
        self.ask_for_frame(ctx);
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        let changed = match message {
            Message::Do(action) => {
                self.go(action);
                true
            }
            Message::Frame(time) => self.draw_frame(time),
            Message::Announce => {
                self.announcing = None;
                self.announced = why(ctx.props().language, self.state.snapshot());
                true
            }
            Message::Help(open) => {
                self.help = open;
                true
            }
            Message::Tree => {
                self.tree = !self.tree;
                true
            }
            Message::Tour(step) => {
                self.tour = (step <= tour::STEPS).then_some(step);
                if self.tour.is_none() {
                    tour::remember();
                }
                true
            }
            Message::Compare(compare) => {
                let address = Address { compare, ..(*ctx.props().address).clone() };
                ctx.props().navigate.replace(address);
                false
            }
            Message::Form(form) => {
                let address = Address { form, ..(*ctx.props().address).clone() };
                ctx.props().navigate.replace(address);
                false
            }
            Message::Survey(survey) => {
                self.state.learn(survey);
                true
            }
        };
        let seen = self.show(changed);
        self.ask_for_frame(ctx);
        let step = self.state.snapshot().step;
        if step != self.named && self.state.on_the_way().is_none() {
            self.named = step;
            let pause = if self.state.playing() { ADDRESS_PAUSE_PLAYING } else { ADDRESS_PAUSE };
            ctx.props().navigate.note_step(step, pause);
            self.plan_announcement(ctx);
        }
        seen
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        screen(self, ctx)
    }
}

impl Player {
    /// Does what a person asks for, within a frame's time.
    fn go(&mut self, action: Action) {
        self.last_frame = None;
        self.state.apply(action);
        let end = now() + FRAME_WORK;
        self.state.work(&mut || now() < end);
    }

    /// Lets the drawing follow the state where that has `changed`, and the words the drawing.
    /// Returns whether there is something new to see.
    fn show(&mut self, changed: bool) -> bool {
        let time = now();
        let late = self.told.now.step != self.state.snapshot().step;
        let tell = if self.state.playing() {
            late && time - self.told.time >= Told::PAUSE
        } else {
            late || changed
        };
        if changed {
            self.drawn = rows(&self.state).into();
        }
        if tell {
            self.told = Told::at(&self.state, &self.drawn, time);
        }
        changed || tell
    }

    fn draw_frame(&mut self, time: f64) -> bool {
        self.frame = None;
        let elapsed = self.last_frame.map_or(0.0, |last| (time - last).clamp(0.0, 250.0));
        self.last_frame = Some(time);
        let begin = now();
        let step = self.state.snapshot().step;
        let on_the_way = self.state.on_the_way().is_some();
        self.state.frame(elapsed, &mut || now() < begin + FRAME_WORK);
        on_the_way || self.state.snapshot().step != step
    }

    fn ask_for_frame(&mut self, ctx: &Context<Self>) {
        if self.state.is_busy() && self.frame.is_none() {
            let link = ctx.link().clone();
            let draw = move |time| link.send_message(Message::Frame(time));
            self.frame = Some(request_animation_frame(draw));
        }
    }

    fn plan_announcement(&mut self, ctx: &Context<Self>) {
        if self.announcing.is_none() {
            let pause = if self.state.playing() { ANNOUNCE_PAUSE_PLAYING } else { ANNOUNCE_PAUSE };
            let link = ctx.link().clone();
            let announce = move || link.send_message(Message::Announce);
            self.announcing = Some(Timeout::new(pause, announce));
        }
    }

    /// The page's address with the step that is told.
    pub fn address(&self, ctx: &Context<Self>) -> Address {
        Address { step: self.told.now.step, ..(*ctx.props().address).clone() }
    }
}

/// Asks the worker how long the search is and what it will meet.
fn survey(ctx: &Context<Player>) -> Ticket {
    let Address { method, size, .. } = *ctx.props().address;
    let link = ctx.link().clone();
    ctx.props().worker.ask(Request::Survey { method, size }, move |answer| {
        if let Answer::Survey { marks, stretch, steps, ended } = answer {
            let survey = Survey { marks: marks.into(), stretch, steps, ended };
            link.send_message(Message::Survey(survey));
        }
    })
}

/// What a key that was pressed within Explore means; `None` where it belongs to the element that
/// has the focus.
pub fn pressed(event: &KeyboardEvent) -> Option<Message> {
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let key = event.key();
    // What can be scrolled by the keyboard keeps the keys for that, and so does what has its own.
    if target.closest("dialog, .stack-frame, [role='tree']").ok().flatten().is_some() {
        return None;
    }
    let own = match target.tag_name().to_ascii_uppercase().as_str() {
        "INPUT" => target.id() != "timeline",
        "SELECT" | "TEXTAREA" | "PRE" | "DIALOG" => true,
        "BUTTON" | "A" | "SUMMARY" => key == " " || key == "Enter",
        _ => false,
    };
    if own {
        return None;
    }
    command(&key, event.shift_key()).map(|command| match command {
        Command::Do(action) => Message::Do(action),
        Command::Help => Message::Help(true),
    })
}
