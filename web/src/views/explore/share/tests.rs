//! The texts of the Share panel, and where its links lead.

use queens_state::search::picture::rows;
use queens_state::search::state::{Action, ExploreState};

use super::*;
use crate::parts::rendered::{elements, outline, rendered_at};
use crate::place::Tab;

/// Renders the Share panel at an address.
fn shown(query: &str) -> String {
    let (address, problems) = Address::parse(query);
    assert!(problems.is_empty(), "{problems:?}");
    let mut state = ExploreState::new(address.method, address.size);
    state.apply(Action::MoveTo(address.step));
    state.work(&mut || true);
    let props = Props {
        address: Rc::new(address.clone()),
        layout: address.layout,
        now: *state.snapshot(),
        rows: rows(&state).into(),
        end: Some(2071),
    };
    rendered_at(Language::English, address, html! { <Share ..props /> })
}

#[test]
fn texts_match_their_snapshot() {
    insta::assert_snapshot!("share", outline(&shown("?n=8&step=300")));
}

/// The panel opens the guide, so the tab of the link is not that of the address.
#[test]
fn the_link_opens_the_tab_from_which_the_panel_was_opened() {
    let (address, _) = Address::parse("?n=6&step=9");
    let layout = address.layout.with_tab(Tab::Tree, false);
    let state = ExploreState::new(address.method, address.size);
    let props = Props {
        address: Rc::new(address.clone()),
        layout,
        now: *state.snapshot(),
        rows: rows(&state).into(),
        end: None,
    };
    let html = rendered_at(Language::English, address, html! { <Share ..props /> });
    let link = elements(&html, "id=\"copy-link-link\"")[0].attribute("value").unwrap();
    assert_eq!(link, "?n=6&step=9&tab=tree");
}
