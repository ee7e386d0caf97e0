//! A memoized component: renders again only if its version changes.

use yew::prelude::*;

#[derive(Properties)]
pub struct Props {
    /// The version of the contents, which changes with them.
    pub version: u64,
    pub children: Html,
}

/// Contents of the same version are equal, so they need not be compared.
impl PartialEq for Props {
    fn eq(&self, other: &Props) -> bool {
        self.version == other.version
    }
}

/// Renders its children again only if `version` has changed. A component among them that must render
/// more often has to read a context.
#[component]
pub fn Memo(props: &Props) -> Html {
    props.children.clone()
}
