//! The small boards of the classes of one size, a page at a time.

use std::rc::Rc;

use queens_core::Class;
use yew::prelude::*;

use super::search::{Board, Boards};
use crate::address::{Address, solution_address, use_address};
use crate::board::markup::Markup;
use crate::board::mini_board;
use crate::parts::deferred::use_slices;
use crate::parts::link::follow;
use crate::parts::pager::{Pager, items};
use crate::parts::roving;
use crate::words::{Language, grouped, tr, use_language};

/// The number of boards that are drawn at a time, which takes a few milliseconds.
const SLICE: usize = 25;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub boards: Boards,
    /// The size of the classes.
    pub class: Class,
}

/// A grid of representatives. Each board links to its images.
#[component]
pub fn Tiles(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let onclick = Callback::from(move |event: MouseEvent| follow(&navigate, &event));
    let page = use_state_eq(|| 0);
    let Props { boards, class } = props;
    let all = boards.len();
    let shown = items(*page, all);
    let slices = use_slices(shown.len().div_ceil(SLICE), 1, 1);
    let slices = shown.clone().step_by(SLICE).take(slices).map(|first| {
        let boards = boards.range(first..(first + SLICE).min(shown.end));
        let has_tab_stop = first == shown.start;
        html! { <Slice key={first} {boards} {has_tab_stop} class={*class} {language} address={&address} /> }
    });
    let slices: Vec<Html> = slices.collect();
    let id = format!("shelf-{class}");
    let on_page = {
        let page = page.setter();
        Callback::from(move |to| page.set(to))
    };
    html! {
        <div data-testid={id.clone()} data-boards={all.to_string()}>
            <Pager {id} {all} page={*page} {on_page} />
            <ul
                class="tiles" {onclick}
                onkeydown={|event: KeyboardEvent| roving::on_key(&event)}
                onfocusin={|event: FocusEvent| roving::on_focus(&event)}
            >
                { slices }
            </ul>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct SliceProps {
    boards: Vec<Board>,
    /// Whether the first board is in the tab order, until another one has the focus.
    has_tab_stop: bool,
    /// The size of the classes.
    class: Class,
    language: Language,
    address: Rc<Address>,
}

/// Some boards. They are not rendered again when others come, so a link keeps the focus.
///
/// The boards are written as text. For hundreds of boards, the browser's parser is several times
/// faster than creating elements one by one.
#[component]
fn Slice(props: &SliceProps) -> Html {
    let Some(first) = props.boards.first() else { return html! {} };
    let pictures = mini_board::Writer::new(first.placement.size());
    let mut tiles = Markup::default();
    for (index, board) in props.boards.iter().enumerate() {
        let tab_index = if index == 0 && props.has_tab_stop { 0 } else { -1 };
        write_tile(&mut tiles, props, &pictures, board, tab_index);
    }
    tiles.into_html()
}

/// Writes a small board with its link as HTML.
fn write_tile(
    tiles: &mut Markup,
    SliceProps { class, language, address, .. }: &SliceProps,
    pictures: &mini_board::Writer,
    board: &Board,
    tab_index: i32,
) {
    let number = grouped(board.number.into());
    let columns = board.placement;
    let label = tr!(*language, "classes.tile", number = number, class = class, columns = columns);
    tiles.open("li", &[("data-columns", &columns)]);
    let to = solution_address(address, &columns).to_query();
    tiles.open("a", &[("class", &"tile"), ("href", &to), ("tabindex", &tab_index)]);
    pictures.write(tiles, &columns, &label);
    tiles.element("span", &[("class", &"number"), ("aria-hidden", &"true")], &number);
    tiles.close("a");
    tiles.close("li");
}
