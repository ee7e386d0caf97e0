//! A grid of small boards. Only boards near the window are drawn (virtual scrolling).

use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::ops::Range;
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_render::{AnimationFrame, request_animation_frame};
use queens_core::{Class, Stepped};
use wasm_bindgen::JsCast;
use web_sys::{Element, NodeList};
use yew::prelude::*;

use super::search::{Board, Boards};
use crate::board::markup::Markup;
use crate::board::mini_board;
use crate::browser::window;
use crate::parts::link::follow;
use crate::place::{Address, explore_address, play_address, symmetries_address, use_address};
use crate::words::{Language, grouped, tr, use_language};

/// The number of boards that are drawn before the layout is measured.
const UNMEASURED: usize = 24;

/// The `aria-setsize` while more boards may come. All boards are rendered with this value, and
/// [`set_sizes`] then writes the number. If the last answer changed the properties of all boards,
/// they would be rendered again and lose the focus.
const UNKNOWN: &str = "-1";

/// The layout of the boards.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Layout {
    /// The number of boards per row, at least 1.
    columns: usize,
    /// The height of a row in pixels, more than 0.
    pitch: f64,
}

/// The rows that are drawn, with the layout for which they were computed.
#[derive(Clone, Debug, PartialEq)]
struct VisibleRows {
    layout: Layout,
    rows: Range<usize>,
}

impl VisibleRows {
    /// Returns the rows that are visible in a window of this height, if the first row is at `top`.
    fn in_window(layout: Layout, boards: usize, top: f64, height: f64) -> VisibleRows {
        let all = boards.div_ceil(layout.columns);
        // The cast turns negative numbers into 0.
        let first = (-top / layout.pitch) as usize;
        let last = ((height - top) / layout.pitch).ceil() as usize;
        let last = last.min(all);
        VisibleRows { layout, rows: first.min(last)..last }
    }

    /// Returns these rows with the next row on each side, so that scrolling and the Tab key can
    /// reach the next row.
    fn with_next_rows(&self, boards: usize) -> VisibleRows {
        let all = boards.div_ceil(self.layout.columns);
        let Range { start, end } = self.rows;
        VisibleRows { rows: start.saturating_sub(1)..all.min(end + 1), ..*self }
    }

    /// Whether two ranges have common rows.
    fn overlaps(&self, other: &VisibleRows) -> bool {
        self.rows.start < other.rows.end && other.rows.start < self.rows.end
    }

    /// Returns the index ranges of the boards in each row. Rows beyond `all` boards, as after a
    /// change of the filter, are empty.
    fn rows_of_boards(&self, all: usize) -> impl Iterator<Item = Range<usize>> {
        let columns = self.layout.columns;
        self.rows.clone().map(move |row| row * columns..((row + 1) * columns).min(all))
    }

    /// Returns the heights of the spaces that replace the rows above and below.
    fn spaces(&self, all: usize) -> (f64, f64) {
        let rows = all.div_ceil(self.layout.columns);
        let below = rows.saturating_sub(self.rows.end);
        (self.rows.start as f64 * self.layout.pitch, below as f64 * self.layout.pitch)
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub boards: Boards,
    /// The size of the classes.
    pub class: Class,
    /// Whether the search has ended, so that the number of boards is final.
    pub done: bool,
}

/// A grid of representatives. Each board links to its images, to the step at which it was found,
/// and to Play.
#[component]
pub fn VirtualGrid(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let onclick = Callback::from(move |event: MouseEvent| follow(&navigate, &event));
    let outer = use_node_ref();
    let list = use_node_ref();
    let visible = use_visible_rows(&outer, &list, &props.boards);
    let all = props.boards.len();
    let unmeasured = 0..all.min(UNMEASURED);
    let (rows, (above, below)) = match &visible {
        Some(visible) => (visible.rows_of_boards(all).collect(), visible.spaces(all)),
        None => (vec![unmeasured], (0.0, 0.0)),
    };
    let total = if props.done { all.to_string() } else { UNKNOWN.to_owned() };
    {
        let list = list.clone();
        use_effect(move || set_sizes(&list, &total));
    }
    let rows = rows.into_iter().map(|indices| {
        let first = indices.start;
        let boards = props.boards.range(indices);
        html! {
            <Row key={first} {boards} {first} class={props.class} {language} address={&address} />
        }
    });
    html! {
        <div
            ref={outer} data-testid={format!("shelf-{}", props.class)}
            data-boards={all.to_string()}
        >
            { space(above) }
            <ul ref={list} class="tiles" {onclick}>{ for rows }</ul>
            { space(below) }
        </div>
    }
}

/// Writes the number of boards into the `aria-setsize` of each board.
fn set_sizes(list: &NodeRef, total: &str) {
    let others = format!(":scope > li:not([aria-setsize='{total}'])");
    let others = list.cast::<Element>().and_then(|list| list.query_selector_all(&others).ok());
    for index in 0..others.as_ref().map_or(0, NodeList::length) {
        let board = others.as_ref().and_then(|others| others.get(index));
        if let Some(board) = board.and_then(|board| board.dyn_into::<Element>().ok()) {
            // Fails only for an invalid attribute name.
            let _ = board.set_attribute("aria-setsize", total);
        }
    }
}

#[derive(Properties, PartialEq)]
struct RowProps {
    boards: Vec<Board>,
    /// The index of the first board, from 0.
    first: usize,
    /// The size of the classes.
    class: Class,
    /// When the language changes, the boards are rendered again, including their set sizes.
    language: Language,
    address: Rc<Address>,
}

/// A row of boards. It is not rendered again when other rows come and go.
///
/// The boards are written as text. For hundreds of boards, the browser's parser is several times
/// faster than creating elements one by one.
#[component]
fn Row(props: &RowProps) -> Html {
    let Some(first) = props.boards.first() else { return html! {} };
    let writer = TileWriter {
        language: props.language,
        address: &props.address,
        class: props.class,
        pictures: mini_board::Writer::new(first.placement.size()),
    };
    let mut tiles = Markup::default();
    for (board, position) in props.boards.iter().zip(props.first + 1..) {
        writer.tile(&mut tiles, board, position);
    }
    tiles.into_html()
}

/// Writes small boards with their links as HTML.
struct TileWriter<'a> {
    language: Language,
    address: &'a Address,
    class: Class,
    pictures: mini_board::Writer,
}

impl TileWriter<'_> {
    fn tile(&self, tiles: &mut Markup, board: &Board, position: usize) {
        let TileWriter { language, address, class, pictures } = self;
        let number = grouped(board.number.into());
        let columns = board.placement;
        let label =
            tr!(*language, "classes.tile", number = number, class = class, columns = columns);
        let attributes: [(_, &dyn Display); 3] =
            [("aria-posinset", &position), ("aria-setsize", &UNKNOWN), ("data-columns", &columns)];
        tiles.open("li", &attributes);
        let to = symmetries_address(address, &columns).to_query();
        tiles.open("a", &[("class", &"tile"), ("href", &to)]);
        pictures.write(tiles, &columns, &label);
        tiles.close("a");
        tiles.open("p", &[("class", &"tile-foot")]);
        tiles.element("span", &[("class", &"number")], &number);
        let step = explore_address(address, Stepped::Symmetry, columns.size(), board.step);
        let links = [("tile-step", step), ("tile-play", play_address(address, &columns))];
        for (class, to) in links {
            let name = to.view.name(*language);
            let (to, label) = (to.to_query(), [&name, language.colon(), &number].concat());
            tiles.element("a", &[("class", &class), ("href", &to), ("aria-label", &label)], &name);
        }
        tiles.close("p");
        tiles.close("li");
    }
}

/// A spacer. Its height is an attribute, because the page's policy forbids inline styles.
fn space(height: f64) -> Html {
    html! { <svg class="space" width="1" height={height.to_string()} aria-hidden="true" /> }
}

/// Tracks the scroll position. Returns the rows to draw, or `None` until the first boards have
/// been measured.
#[hook]
fn use_visible_rows(outer: &NodeRef, list: &NodeRef, boards: &Boards) -> Option<VisibleRows> {
    let visible = use_state_eq(|| None::<VisibleRows>);
    let updater = use_memo((), |()| RowUpdater {
        outer: outer.clone(),
        list: list.clone(),
        boards: Cell::default(),
        drawn: RefCell::default(),
        set: visible.setter(),
        frame: RefCell::default(),
    });
    {
        let updater = Rc::clone(&updater);
        use_effect_with((), move |()| {
            let listeners = window().map(|window| {
                ["scroll", "resize"].map(|name| {
                    let updater = Rc::clone(&updater);
                    EventListener::new(&window, name, move |_| updater.schedule())
                })
            });
            move || drop(listeners)
        });
    }
    use_effect_with(boards.clone(), move |boards| {
        updater.boards.set(boards.len());
        updater.schedule();
    });
    (*visible).clone()
}

/// Updates the drawn rows when the page scrolls or changes.
struct RowUpdater {
    outer: NodeRef,
    list: NodeRef,
    /// The number of boards.
    boards: Cell<usize>,
    /// The rows that are drawn or about to be drawn.
    drawn: RefCell<Option<VisibleRows>>,
    set: UseStateSetter<Option<VisibleRows>>,
    /// The pending update before the next frame.
    frame: RefCell<Option<AnimationFrame>>,
}

impl RowUpdater {
    /// Schedules an update before the next frame, at most one at a time, because measuring can cost
    /// a layout of the whole page.
    fn schedule(self: &Rc<Self>) {
        let updater = Rc::downgrade(self);
        let update = move |_| updater.upgrade().iter().for_each(RowUpdater::update);
        self.frame.borrow_mut().get_or_insert_with(|| request_animation_frame(update));
    }

    /// Draws the rows near the window. After a jump to other rows, this draws the visible rows
    /// first and their neighbours in the next frame, so that neither frame takes long.
    fn update(self: &Rc<Self>) {
        self.frame.take();
        let Some((visible, extended)) = self.visible_rows() else {
            return;
        };
        let was_drawn = self.drawn.borrow().as_ref().is_some_and(|drawn| drawn.overlaps(&visible));
        let rows = if was_drawn || visible.rows.is_empty() {
            extended
        } else {
            self.schedule();
            visible
        };
        *self.drawn.borrow_mut() = Some(rows.clone());
        self.set.set(Some(rows));
    }

    /// Returns the visible rows, and the same rows with their neighbours.
    fn visible_rows(&self) -> Option<(VisibleRows, VisibleRows)> {
        // If no board is drawn, the last layout is still valid.
        let measured = measure(&self.list.cast::<Element>()?);
        let layout = measured.or_else(|| Some(self.drawn.borrow().as_ref()?.layout))?;
        let height = window_height()?;
        let top = self.outer.cast::<Element>()?.get_bounding_client_rect().top();
        let visible = VisibleRows::in_window(layout, self.boards.get(), top, height);
        let extended = visible.with_next_rows(self.boards.get());
        Some((visible, extended))
    }
}

/// Measures the layout. Boards have no gaps between them; their margins are inside.
fn measure(list: &Element) -> Option<Layout> {
    let tile = list.first_element_child()?.get_bounding_client_rect();
    let (width, pitch) = (tile.width(), tile.height());
    (width > 0.0 && pitch > 0.0).then(|| {
        let columns = (list.get_bounding_client_rect().width() / width).round() as usize;
        Layout { columns: columns.max(1), pitch }
    })
}

/// The height of the window, in pixels.
pub fn window_height() -> Option<f64> {
    window()?.inner_height().ok()?.as_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: Layout = Layout { columns: 10, pitch: 100.0 };
    const BOARDS: usize = 1765;

    /// The rows visible in a window of 900 pixels.
    fn visible(top: f64) -> VisibleRows {
        VisibleRows::in_window(LAYOUT, BOARDS, top, 900.0)
    }

    #[test]
    fn draws_the_first_rows_at_the_top() {
        let rows = visible(250.0);
        assert_eq!(rows.rows, 0..7);
        let boards: Vec<_> = rows.rows_of_boards(BOARDS).collect();
        assert_eq!((boards.len(), &boards[0], &boards[6]), (7, &(0..10), &(60..70)));
        assert_eq!(rows.spaces(BOARDS), (0.0, 17_000.0));
        assert_eq!(rows.with_next_rows(BOARDS).rows, 0..8);
    }

    #[test]
    fn draws_the_visible_rows_in_the_middle_and_at_the_end() {
        assert_eq!(visible(-5_000.0).rows, 50..59);
        assert_eq!(visible(-5_050.0).rows, 50..60);
        assert_eq!(visible(-5_050.0).with_next_rows(BOARDS).rows, 49..61);
        let rows = visible(-16_850.0);
        assert_eq!(rows.rows, 168..177);
        assert_eq!(rows.rows_of_boards(BOARDS).last(), Some(1760..1765));
        assert_eq!(rows.spaces(BOARDS), (16_800.0, 0.0));
        assert_eq!(rows.with_next_rows(BOARDS).rows, 167..177);
        assert!(
            rows.rows_of_boards(20).all(|indices| indices.is_empty()),
            "only 20 boards are left"
        );
    }

    #[test]
    fn the_total_height_does_not_depend_on_the_position() {
        for top in (-20_000..2_000).step_by(137) {
            let rows = visible(f64::from(top));
            for rows in [rows.with_next_rows(BOARDS), rows] {
                let (above, below) = rows.spaces(BOARDS);
                let drawn = rows.rows.len() as f64 * LAYOUT.pitch;
                assert_eq!(above + drawn + below, 17_700.0, "{top}");
            }
        }
    }

    #[test]
    fn detects_overlapping_rows() {
        assert!(visible(-5_000.0).overlaps(&visible(-5_890.0)));
        assert!(!visible(-5_000.0).overlaps(&visible(-5_900.0)));
        assert!(!visible(0.0).overlaps(&visible(-90_000.0)));
    }

    #[test]
    fn draws_the_nearest_row_beyond_the_window() {
        for (top, row) in [(90_000.0, 0..1), (-90_000.0, 176..177)] {
            assert!(visible(top).rows.is_empty());
            assert_eq!(visible(top).with_next_rows(BOARDS).rows, row);
        }
        assert!(VisibleRows::in_window(LAYOUT, 0, 0.0, 900.0).with_next_rows(0).rows.is_empty());
    }
}
