//! Tables whose columns are data: a title, the cell of a row and, if the rows can be sorted by it, an order.

use std::cmp::Ordering;

use yew::prelude::*;

use crate::words::{Language, tr};

/// A column of a table with rows `R`. The cells also depend on the context `C`.
pub struct Column<C, R> {
    /// The key of the title in the page's texts, or a title that is the same in all languages, such as `N`. The part
    /// after the last dot is the id of the column in addresses.
    title: &'static str,
    /// The CSS class of the cells. Numbers are aligned on the right, and narrow windows hide the
    /// less important columns.
    class: &'static str,
    cell: fn(&C, &R) -> Html,
    compare: Option<fn(&R, &R) -> Ordering>,
    text: Option<fn(&C, &R) -> String>,
}

impl<C, R> Column<C, R> {
    pub const fn new(
        title: &'static str,
        class: &'static str,
        cell: fn(&C, &R) -> Html,
    ) -> Column<C, R> {
        Column { title, class, cell, compare: None, text: None }
    }

    /// Returns the column with an order of its rows.
    pub const fn sorted_by(self, compare: fn(&R, &R) -> Ordering) -> Column<C, R> {
        Column { compare: Some(compare), ..self }
    }

    /// Returns the column with the text of a cell. If it is the same in all rows, it can replace the column.
    pub const fn folding(self, text: fn(&C, &R) -> String) -> Column<C, R> {
        Column { text: Some(text), ..self }
    }

    /// Returns the text of all cells; `None` if they differ, or with fewer than two rows.
    pub fn common_text(&self, context: &C, rows: &[R]) -> Option<String> {
        let text = self.text.filter(|_| rows.len() > 1)?;
        let mut texts = rows.iter().map(|row| text(context, row));
        let first = texts.next()?;
        texts.all(|text| text == first).then_some(first)
    }

    pub fn id(&self) -> &'static str {
        self.title.rsplit('.').next().unwrap_or_default()
    }

    fn title(&self, language: Language) -> String {
        if self.title.contains('.') { tr!(language, self.title) } else { self.title.to_owned() }
    }
}

/// The order of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The id of the column.
    pub by: &'static str,
    pub descending: bool,
}

impl Order {
    /// Parses the order in an address; `default` if that names no column by which the rows can be sorted.
    pub fn parse<C, R>(columns: &[Column<C, R>], text: &str, default: Order) -> Order {
        let (id, descending) = match text.strip_prefix('-') {
            Some(id) => (id, true),
            None => (text, false),
        };
        let by = columns.iter().find(|by| by.compare.is_some() && by.id() == id);
        by.map_or(default, |by| Order { by: by.id(), descending })
    }

    /// Returns the order as in addresses; empty for the default.
    fn text(self, default: Order) -> String {
        if self == default {
            return String::new();
        }
        [if self.descending { "-" } else { "" }, self.by].concat()
    }

    /// Returns the order after a click on a column's head. A second click on the same head reverses
    /// the order.
    fn after(self, by: &'static str) -> Order {
        Order { by, descending: self.by == by && !self.descending }
    }

    pub fn sort<C, R>(self, columns: &[Column<C, R>], rows: &mut [R]) {
        let column = columns.iter().find(|column| column.id() == self.by);
        let Some(compare) = column.and_then(|column| column.compare) else { return };
        rows.sort_by(|a, b| if self.descending { compare(a, b).reverse() } else { compare(a, b) });
    }
}

/// Renders the heads of all columns.
pub fn heads<C, R>(language: Language, columns: &[Column<C, R>]) -> Html {
    columns
        .iter()
        .map(|column| {
            html! { <th scope="col" class={column.class}>{ column.title(language) }</th> }
        })
        .collect()
}

/// Renders the heads of all columns, each with a button that sorts the rows, which are in an `order`. `on_order`
/// receives the new order as in addresses.
pub fn sorting_heads<'a, C: 'a, R: 'a>(
    language: Language,
    columns: impl IntoIterator<Item = &'a Column<C, R>>,
    [order, default]: [Order; 2],
    on_order: &Callback<String>,
) -> Html {
    let head = |column: &Column<C, R>| {
        let (name, id) = (column.title(language), column.id());
        let (aria_sort, arrow) = match (order.by == id, order.descending) {
            (true, true) => (Some("descending"), "▾"),
            (true, false) => (Some("ascending"), "▴"),
            (false, _) => (None, ""),
        };
        let onclick = on_order.reform(move |_: MouseEvent| order.after(id).text(default));
        html! {
            <th key={id} scope="col" class={column.class} aria-sort={aria_sort}>
                if column.compare.is_some() {
                    <button
                        type="button" class="quiet" {onclick}
                        title={tr!(language, "results.sort", column = name)}
                    >
                        { name }<span class="arrow" aria-hidden="true">{ arrow }</span>
                    </button>
                } else {
                    { name }
                }
            </th>
        }
    };
    columns.into_iter().map(head).collect()
}

/// Renders the cells of a row. The first one is the row's head.
pub fn cells<'a, C: 'a, R: 'a>(
    columns: impl IntoIterator<Item = &'a Column<C, R>>,
    context: &C,
    row: &R,
) -> Html {
    let cell = |(index, column): (usize, &Column<C, R>)| {
        let (class, cell) = (column.class, (column.cell)(context, row));
        if index == 0 {
            html! { <th key={index} scope="row" {class}>{ cell }</th> }
        } else {
            html! { <td key={index} {class}>{ cell }</td> }
        }
    };
    columns.into_iter().enumerate().map(cell).collect()
}

/// Renders a table in a frame that can be scrolled if the table is wider.
pub fn framed(id: &'static str, name: String, heads: Html, rows: Html) -> Html {
    html! {
        <div class="wide-frame" tabindex="0" role="region" aria-label={name}>
            <table class="result-table" {id}>
                <thead><tr>{ heads }</tr></thead>
                <tbody>{ rows }</tbody>
            </table>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column<(), (u32, u32)>; 3] = [
        Column::new("a.n", "", |(), row: &(u32, u32)| html! { row.0 })
            .sorted_by(|a, b| a.0.cmp(&b.0)),
        Column::new("a.time", "", |(), row: &(u32, u32)| html! { row.1 })
            .sorted_by(|a, b| a.1.cmp(&b.1)),
        Column::new("a.checks", "", |(), _| html! {}),
    ];
    const DEFAULT: Order = Order { by: "n", descending: true };

    #[test]
    fn clicking_a_header_sorts_then_reverses() {
        let by_time = DEFAULT.after("time");
        assert_eq!(by_time, Order { by: "time", descending: false });
        assert_eq!(by_time.after("time"), Order { by: "time", descending: true });
    }

    #[test]
    fn the_sort_order_round_trips_through_the_address() {
        for by in ["n", "time"] {
            for descending in [false, true] {
                let order = Order { by, descending };
                assert_eq!(Order::parse(&COLUMNS, &order.text(DEFAULT), DEFAULT), order);
            }
        }
        for unknown in ["", "-", "checks", "no-such"] {
            assert_eq!(Order::parse(&COLUMNS, unknown, DEFAULT), DEFAULT);
        }
    }

    #[test]
    fn a_column_folds_if_all_its_texts_are_equal() {
        let column: Column<(), u32> =
            Column::new("a", "", |(), _| html! {}).folding(|(), row| (row % 10).to_string());
        for (rows, text) in
            [(&[12, 22, 2][..], Some("2")), (&[12, 13], None), (&[12], None), (&[], None)]
        {
            assert_eq!(column.common_text(&(), rows).as_deref(), text, "{rows:?}");
        }
    }

    #[test]
    fn sorts_rows_by_a_column() {
        let mut rows = [(1, 5), (3, 9), (2, 7)];
        DEFAULT.sort(&COLUMNS, &mut rows);
        assert_eq!(rows, [(3, 9), (2, 7), (1, 5)]);
        Order { by: "time", descending: false }.sort(&COLUMNS, &mut rows);
        assert_eq!(rows, [(1, 5), (2, 7), (3, 9)]);
    }
}
