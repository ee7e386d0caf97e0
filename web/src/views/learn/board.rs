//! The board of an exercise, on which the user marks squares.

use queens_core::{Column, Queens, Rule, Size, Square};
use yew::prelude::*;

use crate::board::patterns::attacked;
use crate::board::squares::{SIDE, column_labels, row_labels};
use crate::board::{Row, SquareStyle, glyph};
use crate::parts::grid_navigation::{GridNavigation, use_grid_navigation};
use crate::words::{Language, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The rows from the top.
    pub rows: Vec<Row>,
    /// The marked squares, on a board of the same size.
    pub marked: Queens,
    /// Whether bit numbers are shown below the board.
    pub bits: bool,
    /// Marks a square or removes the mark.
    pub toggle: Callback<Square>,
}

/// A grid with a roving tab index. A click, Space or Enter marks a square or removes its mark.
#[component]
pub fn Board(props: &Props) -> Html {
    let language = use_language();
    let size = props.marked.size();
    let n = size.get();
    let GridNavigation { board, at, onclick, onkeydown, onfocusin } =
        use_grid_navigation(size, &props.toggle);
    let at_work = props.rows.iter().find(|row| row.at_work).map(|row| row.row);
    let rows = props.rows.iter().map(|row| {
        let squares = Square::of_row(size, row.row).zip(&row.squares).map(|(square, style)| {
            draw(language, square, style, props.marked.contains(square), at == Some(square))
        });
        html! {
            <g
                key={row.row} role="row" transform={format!("translate(0 {})", row.row * SIDE)}
                aria-label={tr!(language, "explore.row", row = row.row)}
            >
                { for squares }
            </g>
        }
    });
    let extent = (n * SIDE).to_string();
    html! {
        <div class={classes!("plate", "lesson-board")}><div class={classes!("board-area", format!("n-{n}"))}>
            { column_labels(size, None::<Column>) }
            { row_labels(n, at_work) }
            <svg
                id="board" ref={board} class="board" viewBox={format!("0 0 {extent} {extent}")}
                role="grid" aria-label={tr!(language, "lesson.board", n = n)} aria-describedby="question"
                aria-rowcount={n.to_string()} aria-colcount={n.to_string()} lang={language.id()}
                {onclick} {onkeydown} {onfocusin}
            >
                { for rows }
                if let Some(row) = at_work {
                    <rect class="at-work" x="1" y={(row * SIDE + 1).to_string()} width={(n * SIDE - 2).to_string()} height="38" />
                }
                <rect class="frame" width={extent.clone()} height={extent} />
            </svg>
            if props.bits {
                <span class="label bit-name" aria-hidden="true">{ tr!(language, "lesson.bit") }</span>
                { bit_labels(size) }
            }
        </div></div>
    }
}

/// Renders the bit numbers of the columns, from the right.
fn bit_labels(size: Size) -> Html {
    let labels = (0..size.get()).rev().map(|bit| html! { <span class="label">{ bit }</span> });
    html! { <div class="column-labels" aria-hidden="true">{ for labels }</div> }
}

/// Renders a square as a grid cell: its queen, its signs, and the mark of the user.
fn draw(
    language: Language,
    square: Square,
    style: &SquareStyle,
    marked: bool,
    roving: bool,
) -> Html {
    let (row, column) = square.to_left();
    let dark = (!(row + column).is_multiple_of(2)).then_some("dark");
    let mut what = match (style.is_queen(), marked) {
        (true, true) => tr!(language, "lesson.is-marked-queen"),
        (true, false) => tr!(language, "explore.is-queen"),
        (false, true) => tr!(language, "lesson.is-marked"),
        (false, false) => tr!(language, "lesson.is-empty"),
    };
    let sign = match (style.cell, style.closed()) {
        (Some(cell), _) => Some(("cell-letter", cell.letter())),
        (None, rule) => rule.map(|rule| (Rule::id(rule), rule.sign())),
    };
    // The label mentions every sign that is drawn.
    if let Some(cell) = style.cell {
        what.push_str(&tr!(language, "explore.has-cell", cell = cell.letter()));
    } else if let Some(rule) = style.closed() {
        what.push_str(&tr!(language, "explore.has-rule", sign = rule.sign()));
    }
    html! {
        <g
            role="gridcell" tabindex={if roving { "0" } else { "-1" }}
            transform={format!("translate({} 0)", column * SIDE)}
            data-row={row.to_string()} data-column={column.to_string()} data-state={style.state.id()}
            data-marked={marked.to_string()} aria-selected={marked.to_string()}
            aria-label={tr!(language, "explore.square", row = row, column = column, what = what)}
        >
            <rect class={classes!("square", dark)} width="40" height="40" />
            if style.is_attacked() { { attacked() } }
            if marked { <path class="mark" d="M4 4h32v32H4z" /> }
            if style.is_queen() { { glyph::queen() } }
            if let Some((class, sign)) = sign {
                <text class={classes!("sign", class)} x="20" y="27" aria-hidden="true">{ sign }</text>
            }
            <rect class="focus" x="1" y="1" width="38" height="38" />
        </g>
    }
}
