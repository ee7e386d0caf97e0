//! The state of Explore, and the messages that change it.

use std::rc::Rc;

use queens_core::{Form, Node, Stepped};
use queens_state::search::state::{Action, ExploreState, TimelineIndex};
use yew::prelude::*;

use super::displayed::DisplayedState;
use crate::place::{Address, ExploreLayout, ExplorePosition, Tab};
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
    /// Opens or closes the Share panel.
    Share(bool),
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
    /// Selects another form of the code.
    Form(Form),
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
            | Message::Visit(_)
            | Message::Find(_)
            | Message::Return
            | Message::Watch
            | Message::Layout(LayoutChange::Tab(_)) => true,
            _ => false,
        }
    }
}

/// A change of the layout. The address contains the layout.
#[derive(Clone, Copy)]
pub enum LayoutChange {
    /// Opens a tab.
    Tab(Tab),
    /// Sets the zoom level of the tree.
    Zoom(i8),
    /// Toggles whether the tree fills the window.
    Large,
    /// Enlarges or reduces the picture of the whole search.
    Whole,
    /// Moves the comparison to a common solution, or makes it follow the board.
    CommonSolution(Option<u64>),
    /// Turns the presentation on or off.
    Present,
    /// Ends the presentation, and shows the tree in its usual size.
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
    /// Opens the list of keyboard shortcuts.
    pub open_help: Callback<()>,
    /// The last announcement for screen readers.
    pub announced: String,
    /// Whether the list of keyboard shortcuts is open.
    pub help: bool,
    /// The layout, except for the parts that `state` stores.
    pub layout: ExploreLayout,
    /// Whether the Share panel is open.
    pub share: bool,
    /// The tab from which the user has opened the Share panel, if it is not the guide. The panel's link
    /// opens this tab.
    pub shared_tab: Option<Tab>,
    /// Whether to scroll to the table of the work of all methods, because a link or the user has
    /// just opened it. A message that [leaves the table](Message::leaves_work) ends this.
    pub scroll_to_work: bool,
    /// The position to which the user can return.
    pub return_position: Option<ExplorePosition>,
    /// How often the key that plays was pressed while the race was presented.
    pub race_toggles: u32,
    /// Whether the race starts by itself, because the user has come through its door.
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
        let whole = self.is_whole_large();
        let layout = &mut self.layout;
        match change {
            LayoutChange::Tab(tab) => {
                self.shared_tab = None;
                self.open(tab);
            }
            LayoutChange::Zoom(zoom) => layout.zoom = zoom,
            LayoutChange::Large => {
                (layout.tree, layout.large) = (Some(true), !layout.large);
                layout.presenting = false;
            }
            LayoutChange::Whole => layout.whole = !whole,
            LayoutChange::CommonSolution(common) => layout.common = common,
            LayoutChange::Present => {
                (layout.presenting, layout.large) = (!layout.presenting, false);
            }
            LayoutChange::Leave if !layout.presenting && !layout.large => return false,
            LayoutChange::Leave => (layout.presenting, layout.large) = (false, false),
        }
        true
    }

    /// The open tab.
    pub fn tab(&self) -> Tab {
        self.layout.open_tab(self.address.compare.is_some(), self.address.form)
    }

    /// Opens or closes the Share panel, which is in the guide.
    pub fn show_share(&mut self, share: bool) {
        self.share = share;
        self.shared_tab = tab_to_share(self.tab(), self.shared_tab).filter(|_| share);
        if share {
            self.open(Tab::Guide);
        }
    }

    /// The layout that the link of the Share panel opens.
    pub fn shared_layout(&self) -> ExploreLayout {
        let Address { layout, compare, form, .. } = self.address();
        self.shared_tab.map_or(layout, |tab| layout.with_tab(tab, compare.is_some(), form))
    }

    /// Opens a tab.
    pub fn open(&mut self, tab: Tab) {
        let Address { compare, form, .. } = *self.address;
        self.layout = self.layout.with_tab(tab, compare.is_some(), form);
    }

    /// Whether the race is presented instead of the board.
    pub fn is_race_presented(&self) -> bool {
        self.layout.presenting && !self.address.is_embedded && self.tab() == Tab::Race
    }

    /// Whether the search tree fills the window.
    pub fn is_tree_large(&self) -> bool {
        self.layout.large && self.tab() == Tab::Tree
    }

    /// Whether the picture of the whole search is large.
    pub fn is_whole_large(&self) -> bool {
        let has_room = !self.address.is_embedded && !self.is_tree_large();
        has_room && self.layout.whole
    }
}

/// Returns the tab that the link of the Share panel opens. `open` is the tab from which the panel is opened, and
/// `earlier` the one from which it was opened before. `None` stands for the guide.
fn tab_to_share(open: Tab, earlier: Option<Tab>) -> Option<Tab> {
    if open == Tab::Guide { earlier } else { Some(open) }
}

#[cfg(test)]
mod tests {
    use queens_core::Size;

    use super::*;

    /// The panel is in the guide, so a second press on the button finds the guide open.
    #[test]
    fn the_share_panel_keeps_the_tab_from_which_it_was_opened() {
        assert_eq!(tab_to_share(Tab::Guide, None), None);
        assert_eq!(tab_to_share(Tab::Tree, None), Some(Tab::Tree));
        assert_eq!(tab_to_share(Tab::Guide, Some(Tab::Tree)), Some(Tab::Tree));
        assert_eq!(tab_to_share(Tab::Code, Some(Tab::Tree)), Some(Tab::Code));
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
