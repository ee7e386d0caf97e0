//! The state of Explore, and the messages that change it.

use std::rc::Rc;

use queens_core::{Node, Stepped};
use queens_state::search::race::RaceAction;
use queens_state::search::state::{Action, ExploreState, TimelineIndex};
use yew::prelude::*;

use super::controls::keys::Target;
use super::displayed::DisplayedState;
use crate::place::{Address, ExploreLayout, ExplorePosition, Tab};
use crate::words::Language;

/// A message to Explore.
pub enum Message {
    /// An action of the user.
    Do(Action),
    /// An action by a key, which acts on the race while it is in the place of the board.
    Key(Action),
    /// An action from a control far below the board, after which the board is scrolled into view.
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
    /// Opens or closes the table of the work of all methods.
    Work(bool),
    /// The worker has extended the timeline index.
    Index(TimelineIndex),
}

impl Message {
    /// Whether the message leads the user away from the table of the work of all methods.
    pub fn leaves_work(&self) -> bool {
        match self {
            // The pointer may pass over the board on its way to the table.
            Message::Do(Action::Explain(_) | Action::Highlight(_)) => false,
            Message::Do(_)
            | Message::Key(_)
            | Message::Visit(_)
            | Message::Find(_)
            | Message::Return
            | Message::Watch
            | Message::Layout(LayoutChange::Tab(_)) => true,
            _ => false,
        }
    }
}

/// A dialog in front of Explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// The list of keyboard shortcuts.
    Keys,
    /// What the user can share.
    Share,
}

/// A change of the layout. The address contains the layout.
#[derive(Clone, Copy)]
pub enum LayoutChange {
    /// Opens a tab.
    Tab(Tab),
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
    /// Whether to scroll to the table of the work of all methods, because a link or the user has
    /// just opened it. A message that [leaves the table](Message::leaves_work) ends this.
    pub scroll_to_work: bool,
    /// The position to which the user can return.
    pub return_position: Option<ExplorePosition>,
    /// The last key that was pressed for the race, with its number.
    pub race_key: Option<(u32, RaceAction)>,
    /// Whether the user has come through the race's door, so that it starts by itself.
    pub race_starts: bool,
    /// Whether the window is wider than a phone's, with room for open registers and for the last
    /// solutions next to the timeline.
    pub is_wide: bool,
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
        match change {
            LayoutChange::Tab(tab) => self.open(tab),
            LayoutChange::Leave if !self.layout.presenting => return false,
            LayoutChange::Present | LayoutChange::Leave => {
                self.layout.presenting = !self.layout.presenting;
            }
        }
        true
    }

    /// What the keys of the search act on.
    pub fn key_target(&self) -> Target {
        Target { is_race: self.has_race(), is_presented: self.layout.presenting }
    }

    /// The open tab.
    pub fn tab(&self) -> Tab {
        self.layout.open_tab(self.address.compare.is_some())
    }

    /// Whether the board comes along with the open tab on a phone: both are on the screen together.
    pub fn brings_board_along(&self) -> bool {
        !self.is_wide && self.has_tab_of_board()
    }

    /// Whether the open tab has content that follows the board.
    pub fn has_tab_of_board(&self) -> bool {
        let follows = matches!(self.tab(), Tab::Numbers | Tab::Code);
        follows && !self.address.is_embedded
    }

    /// Opens a tab.
    pub fn open(&mut self, tab: Tab) {
        self.layout = self.layout.with_tab(tab, self.address.compare.is_some());
    }

    /// Takes the layout of the address.
    pub fn set_layout(&mut self, layout: ExploreLayout) {
        self.layout = layout;
        self.state.set_layout(&layout);
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
        self.tab() == Tab::Race && !self.address.is_embedded
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
        let key = RaceAction::of_key(action).map(|action| (number + 1, action));
        self.race_key = key.or(self.race_key);
        key.is_some()
    }
}

#[cfg(test)]
mod tests {
    use queens_core::Size;

    use super::*;

    fn scene(query: &str) -> Scene {
        let address = Address::open(query).0;
        let state = ExploreState::new(address.method, address.size);
        Scene {
            displayed: DisplayedState::new(&state, 0.0),
            state,
            send: Callback::noop(),
            act: Callback::noop(),
            announced: String::new(),
            dialog: None,
            layout: address.layout,
            scroll_to_work: false,
            return_position: None,
            race_key: None,
            race_starts: false,
            is_wide: true,
            address: Rc::new(address),
            language: Language::English,
        }
    }

    /// Addresses that compare a method with itself, or name a common solution, open the race.
    #[test]
    fn an_open_race_is_in_place_of_the_board() {
        for (query, expected) in [
            ("?method=backtracking&compare=symmetry", true),
            ("?method=bitmap&tab=race", true),
            ("?method=bitmap&compare=symmetry&tab=guide", false),
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

    #[test]
    fn tabs_that_follow_the_search_bring_the_board_along_on_a_phone() {
        for (query, expected) in [
            ("?n=6&tab=numbers", true),
            ("?n=6&tab=code", true),
            ("?n=6&tab=guide", false),
            ("?n=6&tab=race", false),
            ("?n=6&tab=code&embed=1", false),
        ] {
            let mut scene = scene(query);
            assert!(!scene.brings_board_along(), "{query}");
            scene.is_wide = false;
            assert_eq!(scene.brings_board_along(), expected, "{query}");
        }
    }

    #[test]
    fn moves_of_the_search_and_other_tabs_leave_the_table_of_work() {
        let node = Node::root(Size::new(8).unwrap());
        for message in [
            Message::Do(Action::MoveBy(1)),
            Message::Visit(Action::ToNode(node)),
            Message::Find(node),
            Message::Return,
            Message::Watch,
            Message::Layout(LayoutChange::Tab(Tab::Guide)),
        ] {
            assert!(message.leaves_work());
        }
        for message in [
            Message::Do(Action::Explain(None)),
            Message::Do(Action::Highlight(None)),
            Message::Frame(0.0),
            Message::Work(true),
        ] {
            assert!(!message.leaves_work());
        }
    }
}
