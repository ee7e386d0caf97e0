//! What the search tree is given.

use queens_core::{Node, Size, Stepped};
use queens_state::search::state::Action;
use yew::prelude::*;

use crate::words::Language;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub method: Stepped,
    /// The node at which the search is.
    pub present: Node,
    /// The node whose queen is put next.
    pub next: Option<Node>,
    pub size: Size,
    pub language: Language,
    /// How often it has been enlarged, or made smaller if negative.
    pub zoom: i8,
    /// Enlarges it so often.
    pub zoomed: Callback<i8>,
    /// The step that is shown.
    pub step: u64,
    /// Whether the tree has the window to itself, with the sentence and the bar.
    pub large: bool,
    /// Gives it the window, or takes it back.
    pub enlarge: Callback<()>,
    /// Goes to nodes.
    pub act: Callback<Action>,
}
