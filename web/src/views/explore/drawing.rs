//! What is seen of the board: one path for all squares of a kind, however many there are, so that
//! a new picture changes a handful of elements.

use std::rc::Rc;

use queens_core::{Cell, Rule};
use yew::prelude::*;

use super::picture::{Row, Square};
use crate::components::glyph::{FREE, QUEEN, SQUARE, dark_squares, on_squares};
use crate::components::squares::SIDE;

/// What the drawing needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The board's side, in squares.
    pub n: u32,
    /// The rows from the top.
    pub rows: Rc<[Row]>,
}

/// The squares and what stands on them. For the eye alone: what can be pointed at, and what a
/// screen reader is told, are the squares of [`super::board::Board`].
#[component]
pub fn Drawing(props: &Props) -> Html {
    let rows = &props.rows;
    let rules = Rule::ALL.into_iter().map(|rule| {
        let d = on_squares(rows, SQUARE, |square| square.closed() == Some(rule));
        html! { <path class="rule" data-squares={rule.id()} {d} fill={format!("url(#x-{})", rule.id())} /> }
    });
    let attacked = on_squares(rows, SQUARE, |square| square.attacked);
    let overlaid = on_squares(rows, "m4 4h32v32h-32z", |square| square.overlaid);
    let fresh = on_squares(rows, "m2 2h36v36h-36z", |square| square.fresh);
    let free = on_squares(rows, FREE, |square| square.free && square.rule.is_none());
    let queens = on_squares(rows, QUEEN, |square| square.queen);
    html! {
        <g class="drawing" aria-hidden="true">
            <Ground n={props.n} at_work={rows.iter().find(|row| row.at_work).map(|row| row.row)} />
            <path data-squares="attacked" fill="url(#x-attacked)" d={attacked} />
            { for rules }
            <path data-squares="overlaid" class="overlay" d={overlaid} />
            <path data-squares="fresh" class="fresh" d={fresh} />
            <path data-squares="free" class="free" d={free} />
            <Signs signs={found(rows, Square::closed)} />
            <path data-squares="queen" class="queen" d={queens} />
            <Badges badges={found(rows, |square| square.cell)} />
        </g>
    }
}

/// What the bare board needs.
#[derive(Properties, PartialEq)]
struct GroundProps {
    /// The board's side, in squares.
    n: u32,
    /// The row in which the search is at work.
    at_work: Option<u32>,
}

/// The bare board, its row at work tinted.
#[component]
fn Ground(props: &GroundProps) -> Html {
    let extent = props.n * SIDE;
    let lines: String = (1..props.n)
        .map(|at| at * SIDE)
        .map(|at| format!("M{at} 0V{extent}M0 {at}H{extent}"))
        .collect();
    let (side, extent) = (SIDE.to_string(), extent.to_string());
    let at_work = props.at_work.map(|row| {
        let y = (row * SIDE).to_string();
        html! { <rect class="square at-work" {y} width={extent.clone()} height={side} /> }
    });
    html! {
        <>
            <rect class="square" width={extent.clone()} height={extent.clone()} />
            <path class="square dark" d={dark_squares(props.n)} />
            { for at_work }
            <path class="grid" d={lines} />
        </>
    }
}

/// Something on a square: the square's upper left corner in the drawing's units, and what it is.
type On<T> = (u32, u32, T);

/// What `read` finds on the squares.
fn found<T>(rows: &[Row], read: impl Fn(&Square) -> Option<T>) -> Vec<On<T>> {
    let mut found = vec![];
    for row in rows {
        for (column, square) in (0..).zip(&row.squares) {
            found.extend(read(square).map(|sign| (column * SIDE, row.row * SIDE, sign)));
        }
    }
    found
}

/// What the signs need.
#[derive(Properties, PartialEq)]
struct SignsProps {
    signs: Vec<On<Rule>>,
}

/// The signs of the rules, drawn again only when they change.
#[component]
fn Signs(props: &SignsProps) -> Html {
    let signs = props.signs.iter().map(|&(x, y, rule)| {
        html! {
            <text class={classes!("sign", rule.id())} x={(x + 20).to_string()} y={(y + 25).to_string()}>
                { rule.sign() }
            </text>
        }
    });
    html! { <g>{ for signs }</g> }
}

/// What the badges need.
#[derive(Properties, PartialEq)]
struct BadgesProps {
    badges: Vec<On<Cell>>,
}

/// The letters of the cells, drawn again only when they change.
#[component]
fn Badges(props: &BadgesProps) -> Html {
    let badges = props.badges.iter().map(|&(x, y, cell)| {
        let x = (x + 32).to_string();
        html! {
            <>
                <circle class="badge" cx={x.clone()} cy={(y + 8).to_string()} r="6.5" />
                <text class="badge-letter" {x} y={(y + 11).to_string()}>{ cell.letter() }</text>
            </>
        }
    });
    html! { <g>{ for badges }</g> }
}
