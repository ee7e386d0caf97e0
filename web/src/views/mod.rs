//! The page's views.

mod classes;
mod explore;
mod play;
mod results;
mod symmetries;

use yew::prelude::*;

use crate::i18n::{Language, tr};

/// A view of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// Step through a search.
    Explore,
    /// Put queens by hand.
    Play,
    /// The eight images of a solution.
    Symmetries,
    /// All classes of a board.
    Classes,
    /// Result documents.
    Results,
}

impl View {
    /// All views, in the order of the bar.
    pub const ALL: [View; 5] =
        [View::Explore, View::Play, View::Symmetries, View::Classes, View::Results];

    /// The name in addresses.
    pub const fn id(self) -> &'static str {
        match self {
            View::Explore => "explore",
            View::Play => "play",
            View::Symmetries => "symmetries",
            View::Classes => "classes",
            View::Results => "results",
        }
    }

    /// The view of an id.
    pub fn parse(id: &str) -> Option<View> {
        View::ALL.into_iter().find(|view| view.id() == id)
    }

    /// The name on the page.
    pub fn name(self, language: Language) -> String {
        match self {
            View::Explore => tr!(language, "view.explore"),
            View::Play => tr!(language, "view.play"),
            View::Symmetries => tr!(language, "view.symmetries"),
            View::Classes => tr!(language, "view.classes"),
            View::Results => tr!(language, "view.results"),
        }
    }

    /// What the view shows.
    pub fn show(self) -> Html {
        match self {
            View::Explore => html! { <explore::Explore /> },
            View::Play => html! { <play::Play /> },
            View::Symmetries => html! { <symmetries::Symmetries /> },
            View::Classes => html! { <classes::Classes /> },
            View::Results => html! { <results::Results /> },
        }
    }
}
