//! Keyboard navigation in lists of links: one link of a list is in the tab order, and the arrow keys, Home and End
//! lead to the others. The lists are in columns.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::browser::has_modifier;

/// The links of the list to which the target of an event belongs, and the link of the target.
fn links(event: &Event) -> Option<(Vec<HtmlElement>, usize)> {
    let link = event.target_dyn_into::<Element>()?.closest("li > a").ok()??;
    let found = link.closest("ul").ok()??.query_selector_all("li > a").ok()?;
    let all = (0..found.length()).filter_map(|index| found.get(index)?.dyn_into().ok());
    let all: Vec<HtmlElement> = all.collect();
    let at = all.iter().position(|each| **each == link)?;
    Some((all, at))
}

/// Moves the focus to the link to which a key leads.
pub fn on_key(event: &KeyboardEvent) {
    if has_modifier(event) || event.shift_key() {
        return;
    }
    let Some((all, at)) = links(event) else { return };
    let top = |link: &HtmlElement| link.get_bounding_client_rect().top();
    let first_row = all.first().map(top);
    let columns = all.iter().take_while(|link| Some(top(link)) == first_row).count();
    let next = next(&event.key(), at, columns, all.len());
    if let Some(link) = next.and_then(|next| all.get(next)) {
        // Focusing an element that has just been removed fails, which is harmless.
        let _ = link.focus();
        event.prevent_default();
    }
}

/// Makes the focused link that of the tab order.
pub fn on_focus(event: &FocusEvent) {
    let Some((all, at)) = links(event) else { return };
    for (index, link) in all.iter().enumerate() {
        let stop = if index == at { 0 } else { -1 };
        if link.tab_index() != stop {
            link.set_tab_index(stop);
        }
    }
}

/// Returns the index to which a key leads, or `None` for other keys.
fn next(key: &str, at: usize, columns: usize, all: usize) -> Option<usize> {
    let last = all.checked_sub(1)?;
    let next = match key {
        "ArrowLeft" => at.saturating_sub(1),
        "ArrowRight" => (at + 1).min(last),
        "ArrowUp" => at.checked_sub(columns).unwrap_or(at),
        "ArrowDown" => Some(at + columns).filter(|&next| next <= last).unwrap_or(at),
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lead_through_a_list_in_columns() {
        // Two rows of 12 and one of 8.
        let next = |key, at| next(key, at, 12, 32);
        let to = [("ArrowLeft", 4), ("ArrowRight", 6), ("ArrowUp", 5), ("ArrowDown", 17)];
        assert!(to.iter().all(|&(key, to)| next(key, 5) == Some(to)));
        assert_eq!([next("Home", 5), next("End", 5)], [Some(0), Some(31)]);
        assert_eq!([next("ArrowLeft", 0), next("ArrowRight", 31)], [Some(0), Some(31)]);
        assert_eq!([next("ArrowDown", 19), next("ArrowDown", 20)], [Some(31), Some(20)]);
        assert_eq!([next("ArrowUp", 31), next("Enter", 5)], [Some(19), None]);
    }
}
