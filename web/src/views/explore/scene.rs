//! What Explore shows, and what can happen to it.

use std::rc::Rc;

use queens_core::{Form, Stepped};
use yew::prelude::*;

use super::code::lines::Lines;
use super::told::Told;
use crate::board::square::Row;
use crate::parts::search::state::{Action, State, Survey};
use crate::place::Address;
use crate::words::Language;

/// What happens to Explore.
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

/// What Explore shows.
pub struct Scene {
    /// The search and how it is shown.
    pub state: State,
    /// The board as it is drawn, in rows from the top.
    pub drawn: Rc<[Row]>,
    /// What the words beside the board speak of.
    pub told: Told,
    /// Takes what happens.
    pub send: Callback<Message>,
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
    /// The page's address.
    pub address: Rc<Address>,
    /// The page's language.
    pub language: Language,
}

impl Scene {
    /// The page's address with the step that is told.
    pub fn address(&self) -> Address {
        Address { step: self.told.now.step, ..(*self.address).clone() }
    }
}
