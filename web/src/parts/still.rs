//! What stands still while something within it moves.

use yew::prelude::*;

/// What is drawn, and when it was made.
#[derive(Properties)]
pub struct Props {
    /// Another number each time that something in it has changed.
    pub made: u64,
    /// What is drawn.
    pub children: Html,
}

/// What was made at the same time is the same, so that nothing in it needs to be compared.
impl PartialEq for Props {
    fn eq(&self, other: &Props) -> bool {
        self.made == other.made
    }
}

/// A part of the page that is looked at again only when it was made anew. What changes in between
/// takes that from a context.
#[component]
pub fn Still(props: &Props) -> Html {
    props.children.clone()
}
