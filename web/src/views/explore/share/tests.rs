//! The texts of the dialog Share.

use super::*;
use crate::parts::rendered::{outline, rendered_at};
use crate::search::squares::rows;
use crate::search::state::{Action, ExploreState};

/// Renders the dialog at an address.
fn shown(query: &str) -> String {
    let (address, problems) = Address::parse(query);
    assert!(problems.is_empty(), "{problems:?}");
    let mut state = ExploreState::new(address.method, address.size);
    state.apply(Action::MoveTo(address.step));
    state.work(&mut || true);
    let props = Props {
        address: Rc::new(address.clone()),
        now: *state.snapshot(),
        rows: rows(&state).into(),
        closed: Callback::noop(),
    };
    rendered_at(Language::English, address, html! { <Share ..props /> })
}

#[test]
fn texts_match_their_snapshot() {
    insta::assert_snapshot!("share", outline(&shown("?n=8&step=300")));
}
