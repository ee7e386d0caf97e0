//! Properties of the search tree component.

use queens_core::{Node, Size, Stepped};
use queens_state::search::state::Action;
use yew::prelude::*;

use crate::words::Language;

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    pub method: Stepped,
    /// The current node of the search.
    pub current: Node,
    /// The node whose queen is placed next.
    pub next: Option<Node>,
    pub size: Size,
    pub language: Language,
    /// The zoom level; negative levels show the tree smaller than normal.
    pub zoom: i8,
    /// Sets the zoom level.
    pub zoomed: Callback<i8>,
    /// The current step.
    pub step: u64,
    /// Whether the tree fills the window, together with the sentence and the transport bar.
    pub large: bool,
    /// Toggles whether the tree fills the window.
    pub enlarge: Callback<()>,
    /// Jumps to the step of a node.
    pub act: Callback<Action>,
}

impl Props {
    /// The key of the component, which is different for another search.
    pub fn key(&self) -> String {
        format!("{} {}", self.method, self.size)
    }
}
