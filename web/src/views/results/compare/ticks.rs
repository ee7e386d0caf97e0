//! The ticked results, whose ids are in the address.

use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::address::{Address, Field, Navigate, ResultsParameters};
use crate::views::results::archive::Archive;
use crate::views::results::entry::is_linked;

/// Returns the ids of the ticked results, at most two.
pub fn ticked(list: &ResultsParameters) -> impl Iterator<Item = &str> {
    list.get(Field::Pair).split(',').filter(|id| !id.is_empty()).take(2)
}

/// Returns the id of the result that is compared with the result `id`, if `id` is one of two ticked results.
pub fn other_of_pair<'a>(list: &'a ResultsParameters, id: &str) -> Option<&'a str> {
    let ids: Vec<&str> = ticked(list).collect();
    match ids[..] {
        [first, second] if first == id => Some(second),
        [first, second] if second == id => Some(first),
        _ => None,
    }
}

/// Returns the ticked results after a click on the box of the result `id`. A third tick replaces the
/// first.
fn toggled(list: &ResultsParameters, id: &str) -> String {
    let mut ids: Vec<&str> = ticked(list).collect();
    match ids.iter().position(|ticked| *ticked == id) {
        Some(at) => drop(ids.remove(at)),
        None => ids.push(id),
    }
    let start = ids.len().saturating_sub(2);
    ids.get(start..).unwrap_or_default().join(",")
}

/// Returns the address `to` with the ticks of the list at `list`. The links of rows omit the ticks, because otherwise
/// each tick would change all of them.
pub fn with_ticks(to: &Address, list: &Address) -> Address {
    to.with_field(Field::Pair, list.results.get(Field::Pair))
}

/// Returns the address without the tick of the result `id`.
pub fn without_tick(address: &Address, id: &str) -> Address {
    let ids: Vec<&str> = ticked(&address.results).filter(|ticked| *ticked != id).collect();
    address.with_field(Field::Pair, &ids.join(","))
}

/// Returns the address with a tick of the result `new` instead of one of the result `old`, a file that was published.
pub fn with_tick_moved(address: &Address, old: &str, new: &str) -> Address {
    let mut ids: Vec<&str> = ticked(&address.results).filter(|ticked| *ticked != new).collect();
    for id in ids.iter_mut().filter(|id| **id == old) {
        *id = new;
    }
    address.with_field(Field::Pair, &ids.join(","))
}

/// Ticks the documents of the server instead of the results of a link that the list does not show, because the server
/// has the same results. It also has their tasks, which a link lacks.
#[hook]
pub fn use_server_ticks(archive: &Archive, address: &Address, navigate: &Navigate) {
    let shown = |id: &str| Some([id.to_owned(), archive.shown_instead(id)?.id.clone()]);
    let linked = ticked(&address.results).filter(|id| is_linked(id));
    let moved: Vec<_> = linked.filter_map(shown).collect();
    let navigate = navigate.clone();
    use_effect_with(moved, move |moved| {
        if !moved.is_empty() {
            let move_tick = |address: Address, [hidden, shown]: &[String; 2]| {
                with_tick_moved(&address, hidden, shown)
            };
            navigate.replace(moved.iter().fold(navigate.address(), move_tick));
        }
    });
}

/// Returns a callback for clicks on the boxes of the table, whose values are the ids of the results. It calls `on_leave`
/// before a comparison opens.
pub fn on_tick(
    address: &Rc<Address>,
    navigate: &Navigate,
    on_leave: &Callback<()>,
) -> Callback<Event> {
    let (address, navigate) = (Rc::clone(address), navigate.clone());
    let on_leave = on_leave.clone();
    Callback::from(move |event: Event| {
        let Some(tick) = event.target_dyn_into::<HtmlInputElement>() else { return };
        if tick.type_() == "checkbox" {
            let to = address.with_field(Field::Pair, &toggled(&address.results, &tick.value()));
            // A comparison is an entry of the history, so that the browser's back button leads to the list.
            let counts = [&address, &to].map(|address| ticked(&address.results).count());
            if counts == [1, 2] {
                on_leave.emit(());
                navigate.push(to);
            } else {
                navigate.replace(to);
            }
        }
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[test]
    fn an_opened_result_keeps_the_ticks_of_the_list() {
        let list = Address::default().with_field(Field::Pair, "a,b");
        // The links of rows omit the ticks.
        let row = list.with_field(Field::Pair, "").with_result(Some("c".into()));
        let opened = with_ticks(&row, &list);
        assert_eq!(opened.result.as_deref(), Some("c"));
        assert_eq!(ticked(&opened.with_result(None).results).collect::<Vec<_>>(), ["a", "b"]);
        let ticks = |address: &Address| address.results.get(Field::Pair).to_owned();
        // A result that is removed loses its tick.
        assert_eq!(["a", "b", "c"].map(|id| ticks(&without_tick(&list, id))), ["b", "a", "a,b"]);
        // A file that is published has another id.
        assert_eq!(ticks(&with_tick_moved(&list, "a", "c")), "c,b");
        assert_eq!(ticks(&with_tick_moved(&list, "a", "b")), "b");
        assert_eq!(ticks(&with_tick_moved(&list, "c", "d")), "a,b");
    }

    #[test]
    fn a_third_tick_replaces_the_first() {
        let list = |pair: &str| ResultsParameters::default().with(Field::Pair, pair);
        let after = |pair: &str, id: &str| toggled(&list(pair), id);
        assert_eq!(after("", "file-1"), "file-1");
        assert_eq!(after("file-1", "ab"), "file-1,ab");
        assert_eq!(after("file-1,ab", "cd"), "ab,cd");
        assert_eq!(after("file-1,ab", "file-1"), "ab");
        assert_eq!(after("ab", "ab"), "");
        // An address may contain any text.
        assert_eq!(after(",a,,b,c", "c"), "b,c");
    }

    #[test]
    fn an_open_result_is_compared_with_the_other_of_two_ticks() {
        let list = |pair: &str| ResultsParameters::default().with(Field::Pair, pair);
        assert_eq!(other_of_pair(&list("a,b"), "a"), Some("b"));
        assert_eq!(other_of_pair(&list("a,b"), "b"), Some("a"));
        assert_eq!(other_of_pair(&list("a,b"), "c"), None);
        assert_eq!(other_of_pair(&list("a"), "a"), None);
    }
}
