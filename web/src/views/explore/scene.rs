//! The state of Explore, and the messages that change it.

use std::rc::Rc;

use queens_core::{Form, Node, Stepped};
use queens_state::search::state::{Action, ExploreState, TimelineIndex};
use yew::prelude::*;

use super::code::lines::Lines;
use super::told::Told;
use crate::place::{Address, ExploreLayout, Here};
use crate::words::Language;

/// A message to Explore.
pub enum Message {
    /// An action of the user.
    Do(Action),
    /// An action from a control far below the board, after which the board is scrolled into view.
    Visit(Action),
    /// The browser is about to draw a frame, at this time in milliseconds.
    Frame(f64),
    /// The current step should be announced to screen readers.
    Announce,
    /// Opens or closes the list of keyboard shortcuts.
    Help(bool),
    Layout(LayoutChange),
    /// Exports an animation of a range of steps.
    Film(u64, u64),
    /// Copies the address to the clipboard.
    CopyLink,
    /// Hides the message about the copied address.
    Copied,
    /// Jumps to the step that finds the solution of a node. The user can return from there.
    Find(Node),
    /// Returns from that jump.
    Return,
    /// Plays the search for a reader who has not started it yet.
    Watch,
    /// Selects another method to compare, or none.
    Compare(Option<Stepped>),
    /// Opens or closes the table of the work of all methods.
    Work(bool),
    /// Selects another form of the code.
    Form(Form),
    /// The worker has extended the timeline index.
    Index(TimelineIndex),
}

/// A change of the layout, which the address keeps.
#[derive(Clone, Copy)]
pub enum LayoutChange {
    /// Opens or closes the search tree.
    Tree,
    /// Sets the zoom level of the tree.
    Zoom(i8),
    /// Toggles whether the tree fills the window.
    Large,
    /// A comparison jumps to a common solution, or follows the board.
    Common(Option<u64>),
    /// Turns the presentation on or off.
    Present,
    /// Ends the presentation, or shows the tree in its usual size.
    Leave,
}

/// The state of Explore.
pub struct Scene {
    /// The state of the search.
    pub state: ExploreState,
    /// The state that the board and the text around it show.
    pub told: Told,
    /// Receives messages.
    pub send: Callback<Message>,
    /// Receives actions of the user. It is created once, so components with unchanged properties
    /// are not rendered again.
    pub act: Callback<Action>,
    /// Opens the list of keyboard shortcuts.
    pub open_help: Callback<()>,
    /// The lines of the recursive form.
    pub lines: Rc<Lines>,
    /// The last announcement for screen readers.
    pub announced: String,
    /// Whether the list of keyboard shortcuts is open.
    pub help: bool,
    /// The layout, except for the parts that `state` stores.
    pub shown: ExploreLayout,
    /// Whether the steps of the last export were too far away.
    pub too_far: bool,
    /// Whether the address was copied a moment ago.
    pub copied: bool,
    /// Whether the user came to the work of all methods through a link and has not moved since.
    pub led: bool,
    /// The position to which the user can return.
    pub left: Option<Here>,
    /// Whether the window is large enough to open the panels initially.
    pub roomy: bool,
    /// Whether the window is large enough for the tree next to the board.
    pub vast: bool,
    /// Whether the window is large enough to open at least the registers.
    pub wide: bool,
    pub address: Rc<Address>,
    pub language: Language,
}

impl Scene {
    /// The page's address with the displayed step.
    pub fn address(&self) -> Address {
        let Here { step, shown } = self.here(self.told.now.step);
        Address { step, shown, ..(*self.address).clone() }
    }

    /// The position of Explore at a step.
    pub fn here(&self, step: u64) -> Here {
        Here { step, shown: self.state.shown(self.shown) }
    }

    /// Changes the layout. Returns whether it is different now.
    pub fn arrange(&mut self, change: LayoutChange) -> bool {
        let tree = self.is_tree_open();
        let shown = &mut self.shown;
        match change {
            LayoutChange::Tree => (shown.tree, shown.large) = (Some(!tree), false),
            LayoutChange::Zoom(zoom) => shown.zoom = zoom,
            LayoutChange::Large => {
                (shown.tree, shown.large) = (Some(true), !shown.large);
                shown.presenting = false;
            }
            LayoutChange::Common(common) => shown.common = common,
            LayoutChange::Present => (shown.presenting, shown.large) = (!shown.presenting, false),
            LayoutChange::Leave if !shown.presenting && !shown.large => return false,
            LayoutChange::Leave => (shown.presenting, shown.large) = (false, false),
        }
        true
    }

    /// Whether the search tree is open. In a large window it is open until the user closes it.
    pub fn is_tree_open(&self) -> bool {
        self.shown.tree.unwrap_or(self.vast)
    }
}
