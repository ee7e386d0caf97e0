//! Many small boards, of which only those near the window are drawn.

use std::ops::Range;

use gloo_events::EventListener;
use queens_core::{Class, Method};
use web_sys::Element;
use yew::prelude::*;

use super::search::{Board, Boards};
use crate::address::Address;
use crate::components::link::follow;
use crate::components::mini_board;
use crate::i18n::{grouped, tr, use_language};
use crate::navigation::use_address;
use crate::views::View;
use crate::views::symmetries::showing;

/// How far beyond the window boards are drawn, in pixels, so that scrolling finds them there.
const MARGIN: f64 = 300.0;

/// The part that is drawn begins and ends at multiples of so many rows, so that it changes only
/// now and then while the page is scrolled.
const STEP: usize = 2;

/// Boards drawn before anything has been measured.
const FIRST: usize = 24;

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
    /// The rows near a window of some height, if the first row lies at `top` within it.
    fn near(layout: Layout, boards: usize, top: f64, height: f64) -> Part {
        let all = boards.div_ceil(layout.columns);
        // Negative numbers become 0.
        let first = ((-top - MARGIN) / layout.pitch) as usize / STEP * STEP;
        let last = ((height - top + MARGIN) / layout.pitch) as usize / STEP * STEP + STEP;
        let last = last.min(all);
        Part { layout, rows: first.min(last)..last }
    }

    /// The boards in it.
    fn boards(&self, all: usize) -> Range<usize> {
        let columns = self.layout.columns;
        (self.rows.start * columns).min(all)..(self.rows.end * columns).min(all)
    }

    /// The heights that stand for the rows above and below it.
    fn spaces(&self, all: usize) -> (f64, f64) {
        let rows = all.div_ceil(self.layout.columns);
        let below = rows.saturating_sub(self.rows.end);
        (self.rows.start as f64 * self.layout.pitch, below as f64 * self.layout.pitch)
    }
}

/// What a shelf needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The boards.
    pub boards: Boards,
    /// The size of their classes.
    pub class: Class,
}

/// Representatives as small boards, each of which leads to its images.
#[component]
pub fn Shelf(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let explore = View::Explore.name(language);
    let onclick = Callback::from(move |event: MouseEvent| follow(&navigate, &event));
    let outer = use_node_ref();
    let list = use_node_ref();
    let part = use_part(&outer, &list, &props.boards);
    let all = props.boards.len();
    let (range, (above, below)) = match &part {
        Some(part) => (part.boards(all), part.spaces(all)),
        None => (0..all.min(FIRST), (0.0, 0.0)),
    };
    let first = range.start;
    let shown = props.boards.as_slice().get(range).unwrap_or_default();
    let tiles = shown.iter().zip(first + 1..).map(|(board, position)| {
        let number = grouped(board.number.into());
        let label = tr!(
            language,
            "classes.tile",
            number = number,
            class = props.class,
            columns = board.placement
        );
        html! {
            <li
                key={board.number} aria-setsize={all.to_string()}
                aria-posinset={position.to_string()} data-columns={board.placement.to_string()}
            >
                <a class="tile" href={showing(&address, &board.placement).to_query()}>
                    { mini_board::picture(&board.placement, &label) }
                </a>
                <a class="tile-step" href={exploring(&address, board).to_query()}>
                    <span class="number">{ number }</span>
                    <span class="where">{ explore.clone() }</span>
                </a>
            </li>
        }
    });
    html! {
        <div
            ref={outer} data-testid={format!("shelf-{}", props.class)}
            data-boards={all.to_string()}
        >
            { space(above) }
            <ul ref={list} class="tiles" {onclick}>{ for tiles }</ul>
            { space(below) }
        </div>
    }
}

/// The step of Explore's search at which a representative is found.
fn exploring(address: &Address, board: &Board) -> Address {
    Address {
        view: View::Explore,
        method: Method::Symmetry,
        step: board.step,
        ..address.with_size(board.placement.size())
    }
}

/// An empty height; as an attribute, since the page's policy forbids styles in the text.
fn space(height: f64) -> Html {
    html! { <svg class="space" width="1" height={height.to_string()} aria-hidden="true" /> }
}

/// Follows the window: the part to draw, once the first boards have been measured.
#[hook]
fn use_part(outer: &NodeRef, list: &NodeRef, boards: &Boards) -> Option<Part> {
    let part = use_state_eq(|| None::<Part>);
    let (setter, outer, list) = (part.setter(), outer.clone(), list.clone());
    use_effect_with(boards.clone(), move |boards| {
        let all = boards.len();
        let look = move || {
            let (Some(outer), Some(list)) = (outer.cast::<Element>(), list.cast::<Element>())
            else {
                return;
            };
            if let (Some(layout), Some(height)) = (measure(&list), window_height()) {
                let top = outer.get_bounding_client_rect().top();
                setter.set(Some(Part::near(layout, all, top, height)));
            }
        };
        look();
        let listeners = web_sys::window().map(|window| {
            let (scrolled, resized) = (look.clone(), look);
            [
                EventListener::new(&window, "scroll", move |_| scrolled()),
                EventListener::new(&window, "resize", move |_| resized()),
            ]
        });
        move || drop(listeners)
    });
    (*part).clone()
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

fn window_height() -> Option<f64> {
    web_sys::window()?.inner_height().ok()?.as_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: Layout = Layout { columns: 10, pitch: 100.0 };

    #[test]
    fn at_the_top_the_first_rows_are_drawn() {
        let part = Part::near(LAYOUT, 1765, 250.0, 900.0);
        assert_eq!(part.rows, 0..10);
        assert_eq!(part.boards(1765), 0..100);
        assert_eq!(part.spaces(1765), (0.0, 16_700.0));
    }

    #[test]
    fn in_the_middle_and_at_the_end() {
        let part = Part::near(LAYOUT, 1765, -5_000.0, 900.0);
        assert_eq!(part.rows, 46..64);
        let part = Part::near(LAYOUT, 1765, -16_800.0, 900.0);
        assert_eq!(part.rows, 164..177);
        assert_eq!(part.boards(1765), 1640..1765);
        assert_eq!(part.spaces(1765), (16_400.0, 0.0));
    }

    #[test]
    fn the_height_of_all_is_always_the_same() {
        for top in (-20_000..2_000).step_by(137) {
            let part = Part::near(LAYOUT, 1765, f64::from(top), 900.0);
            let (above, below) = part.spaces(1765);
            let drawn = part.rows.len() as f64 * LAYOUT.pitch;
            assert_eq!(above + drawn + below, 17_700.0, "{top}");
        }
    }

    #[test]
    fn far_beyond_the_window_nothing_is_drawn() {
        assert!(Part::near(LAYOUT, 50, -90_000.0, 900.0).rows.is_empty());
        assert!(Part::near(LAYOUT, 0, 0.0, 900.0).rows.is_empty());
    }
}
