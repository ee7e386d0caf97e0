//! The state of Explore, and the messages that change it.

use std::rc::Rc;

use queens_core::{Node, Stepped};
use yew::prelude::*;

use super::controls::keys::Target;
use super::displayed::DisplayedState;
use super::model::race::RaceAction;
use crate::address::{Address, ExploreLayout, ExplorePosition};
use crate::search::state::{Action, ExploreState, TimelineIndex};
use crate::words::Language;

/// A message to Explore.
pub enum Message {
    /// An action of the user.
    Do(Action),
    /// An action by a key, which acts on the race while it is in the place of the board.
    Key(Action),
    /// An action from a dialog, which it closes.
    Visit(Action),
    /// The browser is about to draw a frame, at this time in milliseconds.
    Frame(f64),
    /// The current step should be announced to screen readers.
    Announce,
    /// Opens a dialog, or closes the open one.
    Open(Option<Dialog>),
    Layout(LayoutChange),
    /// Jumps to the step that finds the solution of a node. The user can return from there.
    Find(Node),
    /// Returns from that jump.
    Return,
    /// Starts playing, by the button that is shown at step 0.
    Watch,
    /// Selects another method to compare.
    Compare(Stepped),
    /// The worker has extended the timeline index.
    Index(TimelineIndex),
}

/// A dialog in front of Explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// The list of keyboard shortcuts.
    Keys,
    /// What the user can share.
    Share,
    /// The signs on the board and the colours of the map.
    Signs,
    /// The work of the search, and of all methods.
    Numbers,
    /// The masks of each branch.
    Masks,
}

/// A change of the layout. The address contains the layout.
#[derive(Clone, Copy)]
pub enum LayoutChange {
    /// Turns the presentation on or off.
    Present,
    /// Ends the presentation.
    Leave,
}

/// The state of Explore.
pub struct Scene {
    pub state: ExploreState,
    /// The state that the board and the text around it show.
    pub displayed: DisplayedState,
    /// Receives messages.
    pub send: Callback<Message>,
    /// Receives actions of the user. It is created once, so components with unchanged properties
    /// are not rendered again.
    pub act: Callback<Action>,
    /// The last announcement for screen readers.
    pub announced: String,
    /// The open dialog.
    pub dialog: Option<Dialog>,
    /// The layout, except for the parts that `state` stores.
    pub layout: ExploreLayout,
    /// The position to which the user can return.
    pub return_position: Option<ExplorePosition>,
    /// The last key that was pressed for the race, with its number.
    pub race_key: Option<(u32, RaceAction)>,
    /// Whether the race takes the focus, because the link that opened it has disappeared.
    pub race_takes_focus: bool,
    pub address: Rc<Address>,
    pub language: Language,
}

impl Scene {
    /// The page's address with the displayed step.
    pub fn address(&self) -> Address {
        let ExplorePosition { step, layout } = self.position_at(self.displayed.snapshot.step);
        Address { step, layout, ..(*self.address).clone() }
    }

    /// The position of Explore at a step.
    pub fn position_at(&self, step: u64) -> ExplorePosition {
        ExplorePosition { step, layout: self.state.with_layout_of_state(self.layout) }
    }

    /// Changes the layout. Returns `false` only if [`LayoutChange::Leave`] finds nothing to leave.
    pub fn arrange(&mut self, change: LayoutChange) -> bool {
        let is_change = matches!(change, LayoutChange::Present) || self.layout.presenting;
        self.layout.presenting ^= is_change;
        is_change
    }

    /// Opens a dialog, or closes the open one.
    pub fn open(&mut self, dialog: Option<Dialog>) {
        self.dialog = dialog;
        self.layout.work = dialog == Some(Dialog::Numbers);
    }

    /// What the keys of the search act on.
    pub fn key_target(&self) -> Target {
        Target {
            is_race: self.has_race(),
            is_presented: self.layout.presenting,
            is_pinned: self.state.is_pinned(),
        }
    }

    /// Takes the layout of the address.
    pub fn set_layout(&mut self, layout: ExploreLayout) {
        self.layout = layout;
        self.state.set_layout(&layout);
        self.open(layout.work.then_some(Dialog::Numbers));
    }

    /// The method to compare with: the one that the address names, or by default the symmetry method, or the
    /// bitmap method if the board shows the symmetry method. A method is not compared with itself.
    pub fn compared_with(&self) -> Stepped {
        let own = self.state.method();
        let other = if own == Stepped::Symmetry { Stepped::Bitmap } else { Stepped::Symmetry };
        self.address.compare.filter(|&named| named != own).unwrap_or(other)
    }

    /// Whether the race takes the place of the board.
    pub fn has_race(&self) -> bool {
        self.address.compare.is_some() && !self.address.is_embedded
    }

    /// Pauses a search that plays on the board when the race takes its place.
    pub fn pause_hidden_search(&mut self) {
        if self.has_race() && self.state.is_playing() {
            self.state.apply(Action::TogglePlay);
        }
    }

    /// Sends the key of an action on the board to the race, if the race has a meaning for it.
    pub fn send_key_to_race(&mut self, action: Action) -> bool {
        let number = self.race_key.map_or(0, |(number, _)| number);
        let key = RaceAction::of(action).map(|action| (number + 1, action));
        self.race_key = key.or(self.race_key);
        key.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(query: &str) -> Scene {
        let address = Address::parse(query).0;
        let state = ExploreState::new(address.method, address.size);
        Scene {
            displayed: DisplayedState::new(&state, 0.0),
            state,
            send: Callback::noop(),
            act: Callback::noop(),
            announced: String::new(),
            dialog: None,
            layout: address.layout,
            return_position: None,
            race_key: None,
            race_takes_focus: false,
            address: Rc::new(address),
            language: Language::English,
        }
    }

    /// Addresses that compare a method with itself, or name a common solution, open the race.
    #[test]
    fn an_open_race_is_in_place_of_the_board() {
        for (query, expected) in [
            ("?method=backtracking&compare=symmetry", true),
            ("?method=symmetry&compare=symmetry", true),
            ("?method=bitmap&compare=symmetry&common=2", true),
            ("?method=bitmap&compare=symmetry&embed=1", false),
            ("?method=bitmap", false),
        ] {
            let mut scene = scene(query);
            assert_eq!(scene.has_race(), expected, "{query}");
            assert_ne!(scene.compared_with(), scene.state.method(), "{query}");
            scene.state.apply(Action::TogglePlay);
            scene.pause_hidden_search();
            assert_eq!(scene.state.is_playing(), !expected, "{query}: the race hides its board");
        }
    }

    #[test]
    fn keys_act_on_the_race_while_it_is_in_place_of_the_board() {
        let mut scene = scene("?method=bitmap&compare=symmetry");
        assert!(scene.send_key_to_race(Action::MoveBy(1)));
        assert_eq!(scene.race_key, Some((1, RaceAction::Move)));
        assert!(!scene.send_key_to_race(Action::MoveBy(-1)), "a race does not go back");
        assert!(scene.send_key_to_race(Action::MoveBy(1)));
        assert_eq!(scene.race_key, Some((2, RaceAction::Move)));
        assert_eq!(scene.state.snapshot().step, 0);
    }
}
