//! Long lists, of which the page shows a part at a time.

use std::ops::Range;

use yew::prelude::*;

use crate::words::{grouped, tr, use_language};

/// The number of items on a page.
pub const PAGE: usize = 100;

/// Returns the indices of the items on a page, from 0. Pages behind the last one are the last one.
pub fn items(page: usize, all: usize) -> Range<usize> {
    let page = page.min(all.saturating_sub(1) / PAGE);
    page * PAGE..((page + 1) * PAGE).min(all)
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The start of the buttons' ids.
    pub id: AttrValue,
    /// The number of all items.
    pub all: usize,
    /// The shown page, from 0.
    pub page: usize,
    pub on_page: Callback<usize>,
}

/// The buttons that lead to the previous and the next page; nothing for a list of one page.
#[component]
pub fn Pager(props: &Props) -> Html {
    let language = use_language();
    let Props { id, all, page, on_page } = props;
    if *all <= PAGE {
        return html! {};
    }
    let Range { start, end } = items(*page, *all);
    let page = start / PAGE;
    let button = |way: &str, sign, to: Option<usize>| {
        let onclick = to.map(|to| on_page.reform(move |_: MouseEvent| to));
        let name = tr!(language, format!("pages.{way}"));
        // A disabled button would lose the focus.
        html! {
            <button
                id={format!("{id}-{way}")} type="button" {onclick} aria-label={name.clone()} title={name}
                aria-disabled={to.is_none().then_some("true")}
            >
                { sign }
            </button>
        }
    };
    let [from, to, all] = [start + 1, end, *all].map(|number| grouped(number as u64));
    html! {
        <p class="pager">
            { button("previous", "←", page.checked_sub(1)) }
            <span role="status">{ tr!(language, "pages.shown", from = from, to = to, all = all) }</span>
            { button("next", "→", Some(page + 1).filter(|next| next * PAGE < props.all)) }
        </p>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::words::Language;

    #[test]
    fn the_last_page_has_the_rest() {
        assert_eq!(
            [(0, 250), (1, 250), (2, 250)].map(|(page, all)| items(page, all)),
            [0..100, 100..200, 200..250]
        );
        // A filter has left fewer items.
        assert_eq!(
            [(7, 250), (7, 100), (7, 0)].map(|(page, all)| items(page, all)),
            [200..250, 0..100, 0..0]
        );
    }

    #[test]
    fn the_ends_of_a_list_have_no_further_page() {
        let shown = |all: usize, page: usize| {
            let on_page = Callback::noop();
            rendered(Language::English, html! { <Pager id="list" {all} {page} {on_page} /> })
        };
        assert_eq!(shown(100, 0), "");
        let disabled = |page| {
            let html = shown(1_250, page);
            let buttons = elements(&html, "button id=");
            buttons
                .iter()
                .map(|button| button.attribute("aria-disabled").is_some())
                .collect::<Vec<_>>()
        };
        assert_eq!([0, 5, 12].map(disabled), [[true, false], [false, false], [false, true]]);
        assert!(texts(&shown(1_250, 12)).contains("1,201 to 1,250 of 1,250"));
    }
}
