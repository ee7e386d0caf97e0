//! The parts that tables of tasks share: their pages, and the heads of their columns.

use yew::prelude::*;

use super::words::sort_marks;
use crate::words::{Language, grouped, tr};

/// A page of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pages {
    /// The shown page, from 1.
    page: u32,
    /// The number of rows on all pages.
    rows: u32,
}

impl Pages {
    /// The number of rows on a page.
    pub const ROWS: u32 = 50;

    /// Selects a page of a table with this many rows. A page beyond the last one becomes the last one.
    pub fn new(page: u32, rows: u32) -> Pages {
        let last = Pages { page, rows }.last();
        Pages { page: page.clamp(1, last), rows }
    }

    fn last(self) -> u32 {
        self.rows.div_ceil(Pages::ROWS).max(1)
    }

    /// Returns the index of the first row on the page.
    pub fn first_row(self) -> u32 {
        (self.page - 1) * Pages::ROWS
    }

    /// Renders which rows are shown, and the buttons that lead to the other pages; nothing if there is one page.
    /// The ids begin with `table` and end with `place`. Only the buttons below the table, whose place is empty,
    /// announce another page.
    pub fn buttons(
        self,
        language: Language,
        table: &str,
        on_page: &Callback<u32>,
        place: &str,
    ) -> Option<Html> {
        let (page, last) = (self.page, self.last());
        if last == 1 {
            return None;
        }
        let (from, to) = (self.first_row() + 1, (page * Pages::ROWS).min(self.rows));
        let [from, to, all] = [from, to, self.rows].map(|number| grouped(number.into()));
        let button = |id: &'static str, sign: &'static str, to: u32| {
            // A button with the attribute `disabled` would lose the focus on the first and the last page.
            let is_idle = to == page;
            let disabled = is_idle.then_some("true");
            let on_page = on_page.clone();
            let onclick = Callback::from(move |_: MouseEvent| {
                if !is_idle {
                    on_page.emit(to);
                }
            });
            let label = tr!(language, format!("results.compare.{id}"));
            html! {
                <button
                    id={format!("{table}-{id}{place}")} type="button" {onclick} aria-disabled={disabled}
                    aria-label={label.clone()} title={label}
                >
                    { sign }
                </button>
            }
        };
        Some(html! {
            <p class="task-pages">
                { button("page-first", "⇤", 1) }
                { button("page-before", "←", page.saturating_sub(1).max(1)) }
                <span role={place.is_empty().then_some("status")}>
                    { tr!(language, "results.compare.page", from = from, to = to, all = all) }
                </span>
                { button("page-after", "→", (page + 1).min(last)) }
                { button("page-last", "⇥", last) }
            </p>
        })
    }
}

/// Renders the head of a column of numbers, whose button with this id sorts the table. `sorted` says whether the table
/// is in descending order of the column; `None` if it is in the order of another one.
pub fn sort_head(
    language: Language,
    id: String,
    name: &str,
    sorted: Option<bool>,
    onclick: Callback<MouseEvent>,
) -> Html {
    let (aria_sort, arrow) = sort_marks(sorted);
    html! {
        <th scope="col" class="number" aria-sort={aria_sort}>
            <button
                {id} type="button" class="quiet" {onclick}
                title={tr!(language, "results.sort", column = name)}
            >
                { name }<span class="arrow" aria-hidden="true">{ arrow }</span>
            </button>
        </th>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};

    fn shown(language: Language, page: u32, rows: u32) -> String {
        let buttons = Pages::new(page, rows).buttons(language, "pair", &Callback::noop(), "");
        rendered(language, buttons.unwrap_or_default())
    }

    #[test]
    fn the_first_and_the_last_page_have_no_way_beyond() {
        let disabled = |page| {
            let html = shown(Language::Japanese, page, 120);
            let buttons = elements(&html, "type=\"button\"");
            buttons.iter().map(|each| each.attribute("aria-disabled").is_some()).collect::<Vec<_>>()
        };
        assert_eq!(disabled(1), [true, true, false, false]);
        assert_eq!(disabled(2), [false; 4]);
        assert_eq!(disabled(3), [false, false, true, true]);
        assert!(texts(&shown(Language::English, 3, 120)).contains("101–120 of 120"));
    }

    #[test]
    fn a_page_beyond_the_last_one_is_the_last_one() {
        assert_eq!([0, 1, 3, 9].map(|page| Pages::new(page, 101).first_row()), [0, 0, 100, 100]);
        assert_eq!(Pages::new(2, 50).first_row(), 0);
        assert_eq!(texts(&shown(Language::English, 1, 50)), "");
    }
}
