//! Many small boards, of which only those near the window are drawn (virtual scrolling).

use std::cell::{Cell, RefCell};
use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_render::{AnimationFrame, request_animation_frame};
use queens_core::{Class, Stepped};
use wasm_bindgen::JsCast;
use web_sys::{Element, NodeList};
use yew::prelude::*;

use super::search::{Board, Boards};
use crate::board::mini_board;
use crate::parts::link::follow;
use crate::place::{Address, exploring, playing, showing, use_address};
use crate::words::{Language, grouped, tr, use_language};

/// Boards drawn before anything has been measured.
const FIRST: usize = 24;

/// What `aria-setsize` says while more boards may come. Every board is written so and [numbered](number)
/// afterwards: if the last answer wrote all boards anew, it would take the focus from them.
const UNKNOWN: &str = "-1";

/// How the boards lie on the page.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Layout {
    /// Boards side by side, at least 1.
    columns: usize,
    /// The height of a row of them, in pixels, more than 0.
    pitch: f64,
}

/// The part of a shelf that is drawn.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    layout: Layout,
    rows: Range<usize>,
}

impl Part {
    /// The rows that can be seen in a window of some height if the first row lies at `top` within
    /// it.
    fn seen(layout: Layout, boards: usize, top: f64, height: f64) -> Part {
        let all = boards.div_ceil(layout.columns);
        // Negative numbers become 0.
        let first = (-top / layout.pitch) as usize;
        let last = ((height - top) / layout.pitch).ceil() as usize;
        let last = last.min(all);
        Part { layout, rows: first.min(last)..last }
    }

    /// These rows, and one more on each side: there scrolling finds it, and the Tab key.
    fn with_next_rows(&self, boards: usize) -> Part {
        let all = boards.div_ceil(self.layout.columns);
        let Range { start, end } = self.rows;
        Part { rows: start.saturating_sub(1)..all.min(end + 1), ..*self }
    }

    /// Whether it has rows in common with another part.
    fn meets(&self, other: &Part) -> bool {
        self.rows.start < other.rows.end && other.rows.start < self.rows.end
    }

    /// The boards of each of its rows, by their places: none of a row that a shelf of so many does not
    /// have, as after another choice.
    fn rows_of_boards(&self, all: usize) -> impl Iterator<Item = Range<usize>> {
        let columns = self.layout.columns;
        self.rows.clone().map(move |row| row * columns..((row + 1) * columns).min(all))
    }

    /// The heights that stand for the rows above and below it.
    fn spaces(&self, all: usize) -> (f64, f64) {
        let rows = all.div_ceil(self.layout.columns);
        let below = rows.saturating_sub(self.rows.end);
        (self.rows.start as f64 * self.layout.pitch, below as f64 * self.layout.pitch)
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub boards: Boards,
    /// The size of their classes.
    pub class: Class,
    /// Whether these are all.
    pub complete: bool,
}

/// Representatives as small boards, each of which leads to its images, to the step at which it
/// was found and to its queens in Play.
#[component]
pub fn Shelf(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let onclick = Callback::from(move |event: MouseEvent| follow(&navigate, &event));
    let outer = use_node_ref();
    let list = use_node_ref();
    let part = use_part(&outer, &list, &props.boards);
    let all = props.boards.len();
    let unmeasured = 0..all.min(FIRST);
    let (rows, (above, below)) = match &part {
        Some(part) => (part.rows_of_boards(all).collect(), part.spaces(all)),
        None => (vec![unmeasured], (0.0, 0.0)),
    };
    let in_all = if props.complete { all.to_string() } else { UNKNOWN.to_owned() };
    {
        let list = list.clone();
        use_effect(move || number(&list, &in_all));
    }
    let rows = rows.into_iter().map(|places| {
        let first = places.start;
        let boards = props.boards.at(places);
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

/// Says on each board how many there are.
fn number(list: &NodeRef, in_all: &str) {
    let others = format!(":scope > li:not([aria-setsize='{in_all}'])");
    let others = list.cast::<Element>().and_then(|list| list.query_selector_all(&others).ok());
    for index in 0..others.as_ref().map_or(0, NodeList::length) {
        let board = others.as_ref().and_then(|others| others.get(index));
        if let Some(board) = board.and_then(|board| board.dyn_into::<Element>().ok()) {
            // Only a name with signs that attributes cannot have would fail.
            let _ = board.set_attribute("aria-setsize", in_all);
        }
    }
}

#[derive(Properties, PartialEq)]
struct RowProps {
    boards: Vec<Board>,
    /// The place of the first one on the shelf, from 0.
    first: usize,
    /// The size of their classes.
    class: Class,
    /// Their shelf's: with it they are written anew, and numbered again.
    language: Language,
    /// Where the page is.
    address: Rc<Address>,
}

/// A row of boards, which stays as it is while others come and go.
///
/// They are written as text: for hundreds of boards the browser's parser is several times faster
/// than elements made one by one.
#[component]
fn Row(props: &RowProps) -> Html {
    let Some(first) = props.boards.first() else { return html! {} };
    let writer = Writer {
        language: props.language,
        address: &props.address,
        class: props.class,
        pictures: mini_board::Writer::new(first.placement.size()),
    };
    let mut tiles = String::new();
    for (board, position) in props.boards.iter().zip(props.first + 1..) {
        writer.tile(&mut tiles, board, position);
    }
    Html::from_html_unchecked(tiles.into())
}

/// Writes small boards with what leads from them.
struct Writer<'a> {
    language: Language,
    address: &'a Address,
    class: Class,
    pictures: mini_board::Writer,
}

impl Writer<'_> {
    fn tile(&self, tiles: &mut String, board: &Board, position: usize) {
        let Writer { language, address, class, pictures } = self;
        let number = grouped(board.number.into());
        let columns = board.placement;
        let label =
            tr!(*language, "classes.tile", number = number, class = class, columns = columns);
        // Writing to a string cannot fail.
        let _ = write!(
            tiles,
            "<li aria-posinset=\"{position}\" aria-setsize=\"{UNKNOWN}\" data-columns=\"{columns}\"><a class=\"tile\" href=\"{}\">",
            escaped(&showing(address, &columns))
        );
        pictures.write(tiles, &columns, &label);
        let _ = write!(tiles, "</a><p class=\"tile-foot\"><span class=\"number\">{number}</span>");
        let step = exploring(address, Stepped::Symmetry, columns.size(), board.step);
        let ways = [("tile-step", step), ("tile-play", playing(address, &columns))];
        for (class, to) in ways {
            let name = to.view.name(*language);
            let to = escaped(&to);
            let _ = write!(
                tiles,
                "<a class=\"{class}\" href=\"{to}\" aria-label=\"{name} {number}\">{name}</a>"
            );
        }
        tiles.push_str("</p></li>");
    }
}

/// An address as an attribute of a text.
fn escaped(to: &Address) -> String {
    to.to_query().replace('&', "&amp;")
}

/// An empty height; as an attribute, since the page's policy forbids styles in the text.
fn space(height: f64) -> Html {
    html! { <svg class="space" width="1" height={height.to_string()} aria-hidden="true" /> }
}

/// Follows the window: the part to draw, once the first boards have been measured.
#[hook]
fn use_part(outer: &NodeRef, list: &NodeRef, boards: &Boards) -> Option<Part> {
    let part = use_state_eq(|| None::<Part>);
    let look = use_memo((), |()| Look {
        outer: outer.clone(),
        list: list.clone(),
        boards: Cell::default(),
        drawn: RefCell::default(),
        set: part.setter(),
        frame: RefCell::default(),
    });
    {
        let look = Rc::clone(&look);
        use_effect_with((), move |()| {
            let listeners = web_sys::window().map(|window| {
                ["scroll", "resize"].map(|moved| {
                    let look = Rc::clone(&look);
                    EventListener::new(&window, moved, move |_| look.soon())
                })
            });
            move || drop(listeners)
        });
    }
    use_effect_with(boards.clone(), move |boards| {
        look.boards.set(boards.len());
        look.soon();
    });
    (*part).clone()
}

/// Sees to it that the boards near the window are drawn.
struct Look {
    outer: NodeRef,
    list: NodeRef,
    /// How many boards there are.
    boards: Cell<usize>,
    /// What is drawn, or about to be.
    drawn: RefCell<Option<Part>>,
    set: UseStateSetter<Option<Part>>,
    /// Before the browser's next picture it looks again.
    frame: RefCell<Option<AnimationFrame>>,
}

impl Look {
    /// Looks once before the next picture, however often it is asked: where things lie can cost
    /// the browser a layout of the whole page.
    fn soon(self: &Rc<Self>) {
        let look = Rc::downgrade(self);
        let again = move |_| look.upgrade().iter().for_each(Look::again);
        self.frame.borrow_mut().get_or_insert_with(|| request_animation_frame(again));
    }

    /// Draws what is near the window now. After a jump to other boards these are drawn first, and
    /// those beyond the window with the next picture, so that neither takes long.
    fn again(self: &Rc<Self>) {
        self.frame.take();
        let Some((seen, near)) = self.parts() else {
            return;
        };
        let stays = self.drawn.borrow().as_ref().is_some_and(|drawn| drawn.meets(&seen));
        let part = if stays || seen.rows.is_empty() {
            near
        } else {
            self.soon();
            seen
        };
        *self.drawn.borrow_mut() = Some(part.clone());
        self.set.set(Some(part));
    }

    /// The part that can be seen, and the one near the window.
    fn parts(&self) -> Option<(Part, Part)> {
        // While no board is drawn, they lie as they did.
        let measured = measure(&self.list.cast::<Element>()?);
        let layout = measured.or_else(|| Some(self.drawn.borrow().as_ref()?.layout))?;
        let height = window_height()?;
        let top = self.outer.cast::<Element>()?.get_bounding_client_rect().top();
        let seen = Part::seen(layout, self.boards.get(), top, height);
        let near = seen.with_next_rows(self.boards.get());
        Some((seen, near))
    }
}

/// The layout as the browser made it. Boards lie without gaps: their space is within them.
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
    web_sys::window()?.inner_height().ok()?.as_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: Layout = Layout { columns: 10, pitch: 100.0 };
    const BOARDS: usize = 1765;

    /// What is seen in a window of 900 pixels.
    fn seen(top: f64) -> Part {
        Part::seen(LAYOUT, BOARDS, top, 900.0)
    }

    #[test]
    fn at_the_top_the_first_rows_are_drawn() {
        let part = seen(250.0);
        assert_eq!(part.rows, 0..7);
        let rows: Vec<_> = part.rows_of_boards(BOARDS).collect();
        assert_eq!((rows.len(), &rows[0], &rows[6]), (7, &(0..10), &(60..70)));
        assert_eq!(part.spaces(BOARDS), (0.0, 17_000.0));
        assert_eq!(part.with_next_rows(BOARDS).rows, 0..8);
    }

    #[test]
    fn in_the_middle_and_at_the_end() {
        assert_eq!(seen(-5_000.0).rows, 50..59);
        assert_eq!(seen(-5_050.0).rows, 50..60);
        assert_eq!(seen(-5_050.0).with_next_rows(BOARDS).rows, 49..61);
        let part = seen(-16_850.0);
        assert_eq!(part.rows, 168..177);
        assert_eq!(part.rows_of_boards(BOARDS).last(), Some(1760..1765));
        assert_eq!(part.spaces(BOARDS), (16_800.0, 0.0));
        assert_eq!(part.with_next_rows(BOARDS).rows, 167..177);
        assert!(part.rows_of_boards(20).all(|places| places.is_empty()), "there are 20 alone now");
    }

    #[test]
    fn the_height_of_all_is_always_the_same() {
        for top in (-20_000..2_000).step_by(137) {
            let part = seen(f64::from(top));
            for part in [part.with_next_rows(BOARDS), part] {
                let (above, below) = part.spaces(BOARDS);
                let drawn = part.rows.len() as f64 * LAYOUT.pitch;
                assert_eq!(above + drawn + below, 17_700.0, "{top}");
            }
        }
    }

    #[test]
    fn a_part_meets_what_is_in_it() {
        assert!(seen(-5_000.0).meets(&seen(-5_890.0)));
        assert!(!seen(-5_000.0).meets(&seen(-5_900.0)));
        assert!(!seen(0.0).meets(&seen(-90_000.0)));
    }

    #[test]
    fn beyond_the_window_the_nearest_row_is_drawn() {
        for (top, row) in [(90_000.0, 0..1), (-90_000.0, 176..177)] {
            assert!(seen(top).rows.is_empty());
            assert_eq!(seen(top).with_next_rows(BOARDS).rows, row);
        }
        assert!(Part::seen(LAYOUT, 0, 0.0, 900.0).with_next_rows(0).rows.is_empty());
    }
}
