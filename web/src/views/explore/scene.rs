//! What Explore shows, and what can happen to it.

use std::rc::Rc;

use queens_core::{Form, Node, Stepped};
use queens_state::board::Row;
use queens_state::search::state::{Action, ExploreState, TimelineIndex};
use yew::prelude::*;

use super::code::lines::Lines;
use super::told::Told;
use crate::place::{Address, ExploreLayout, Here};
use crate::words::Language;

/// What happens to Explore.
pub enum Message {
    /// A person does something.
    Do(Action),
    /// The same from far below the board, which should come into sight.
    Visit(Action),
    /// The browser is about to draw, at this time in milliseconds.
    Frame(f64),
    /// The present step should be read out.
    Announce,
    /// Opens or closes the list of keys.
    Help(bool),
    /// Opens or closes the search tree.
    Tree,
    /// The tree is as large as this.
    Zoom(i8),
    /// Gives the tree the window, or takes it back.
    Large,
    /// A comparison goes to a solution in common, or follows the board.
    Common(Option<u64>),
    /// Saves steps, from one to another, as a moving picture.
    Film(u64, u64),
    /// Lays everything out for many, or as usual again.
    Present(bool),
    /// The address goes to the clipboard.
    CopyLink,
    /// That has been said for long enough.
    Copied,
    /// Goes to the step that finds the solution of a node, from where one can come back.
    Find(Node),
    /// Comes back from there.
    Return,
    /// A step of the tour.
    Tour(u8),
    /// Another method to compare with, or none.
    Compare(Option<Stepped>),
    /// Counts the work of all methods, or shows it no longer.
    Work(bool),
    /// Another form of the code.
    Form(Form),
    /// The worker has found out more about the whole search.
    Index(TimelineIndex),
}

/// What Explore shows.
pub struct Scene {
    /// The search and how it is shown.
    pub state: ExploreState,
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
    /// What is shown besides the search, but for what `state` knows better.
    pub shown: ExploreLayout,
    /// Whether steps were to be saved that lie too far from here.
    pub too_far: bool,
    /// Whether the address has been copied just now.
    pub copied: bool,
    /// Whether somebody was led to the work of all methods and has not gone on since.
    pub led: bool,
    /// Where a way back leads, if there is one.
    pub left: Option<Here>,
    /// The step of the first visit's tour; none once it has been seen.
    pub tour: Option<u8>,
    /// Whether there is room to open the panels at first.
    pub roomy: bool,
    /// Whether there is room for the tree beside the board.
    pub vast: bool,
    /// Whether there is room to open at least the registers.
    pub wide: bool,
    pub address: Rc<Address>,
    pub language: Language,
}

impl Scene {
    /// The page's address with the step that is told.
    pub fn address(&self) -> Address {
        let Here { step, shown } = self.here(self.told.now.step);
        Address { step, shown, ..(*self.address).clone() }
    }

    /// Where Explore is at a step.
    pub fn here(&self, step: u64) -> Here {
        Here { step, shown: self.state.shown(self.shown) }
    }

    /// Whether the search tree is open: where there is room, until somebody closes it.
    pub fn is_tree_open(&self) -> bool {
        self.shown.tree.unwrap_or(self.vast)
    }
}
