//! The visible board. All squares of a kind are one path, so a new step changes only a few elements,
//! whatever the size of the board.

use std::fmt::{Display, Write};

use queens_core::{Rule, Square, Transform};
use queens_state::board::{Row, SquareStyle};
use queens_state::search::picture::Finding;
use yew::prelude::*;

use crate::board::glyph::QUEEN;
use crate::board::lines::lines;
use crate::board::markup::Markup;
use crate::board::paths::{SQUARE, dark_squares, each, on_squares};
use crate::board::squares::SIDE;
use crate::place::Layer;

/// The dot on a free square, as a path relative to the square's upper left corner.
const FREE: &str = "m16.5 20a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z";

/// The cross on a square that was tried, as a path relative to the square's upper left corner.
pub const TRIED: &str = "m15 15l10 10m0-10l-10 10";

/// The parts of the drawing that depend only on the size.
pub struct EmptyBoard {
    /// The side of the board in SVG units.
    extent: AttrValue,
    dark: AttrValue,
    /// The lines between the squares.
    lines: AttrValue,
}

impl EmptyBoard {
    /// Creates the empty board of `n` rows.
    pub fn new(n: u32) -> EmptyBoard {
        let extent = n * SIDE;
        let mut lines = String::new();
        for position in (1..n).map(|line| line * SIDE) {
            // Writing to a string cannot fail.
            let _ = write!(lines, "M{position} 0V{extent}M0 {position}H{extent}");
        }
        EmptyBoard {
            extent: extent.to_string().into(),
            dark: dark_squares(n).into(),
            lines: lines.into(),
        }
    }
}

/// Draws the squares and their contents. The drawing is hidden from pointers and screen readers;
/// these use the squares of [`super::grid::Board`].
pub fn drawing(empty_board: &EmptyBoard, rows: &[Row], finding: &Finding) -> Html {
    let extent = &empty_board.extent;
    // A path, because it can be empty. Some programs draw a line for a rectangle of height 0.
    let current_row = rows.iter().find(|row| row.at_work);
    let current_row = current_row.map(|row| format!("M0 {}H{extent}v{SIDE}H0z", row.row * SIDE));
    let path = |glyph: &str, wanted: &dyn Fn(&SquareStyle) -> bool| on_squares(rows, glyph, wanted);
    let (outlines, names) = layers(rows);
    let image = match finding {
        Finding::Image(transform) => image_path(*transform, rows.len() as u32 * SIDE),
        _ => String::new(),
    };
    let rules = Rule::ALL.into_iter().map(|rule| {
        let d = path(SQUARE, &|square| square.closed() == Some(rule));
        html! { <path class="rule" data-squares={rule.id()} {d} fill={format!("url(#x-{})", rule.id())} /> }
    });
    html! {
        <g class="drawing" aria-hidden="true">
            <rect class="square" width={extent} height={extent} />
            <path class="square dark" d={&empty_board.dark} />
            <path class="square at-work" d={current_row.unwrap_or_default()} />
            <path class="grid" d={&empty_board.lines} />
            <path data-squares="attacked" fill="url(#x-attacked)" d={path(SQUARE, &SquareStyle::is_attacked)} />
            { for rules }
            <g>{ outlines }</g>
            <path data-squares="fresh" class="fresh" d={path("m2 2h36v36h-36z", &|square| square.fresh)} />
            <path data-squares="free" class="free" d={path(FREE, &SquareStyle::is_free)} />
            <path data-squares="tried" class="tried" d={path(TRIED, &|square| square.tried)} />
            <g>{ signs(rows) }</g>
            { lines("attack", finding.attacks().iter().copied()) }
            <path class="image" d={image} />
            <path data-squares="queen" class="queen" d={path(QUEEN, &SquareStyle::is_queen)} />
            <g>{ badges(rows) }</g>
            <g>{ names }</g>
        </g>
    }
}

/// Draws how an image comes from the board: the axis of a reflection, or the arrow of a rotation.
/// `extent` is the side of the board.
pub fn image_path(transform: Transform, extent: u32) -> String {
    let (middle, radius) = (extent / 2, extent * 3 / 10);
    let [low, high] = [middle - radius, middle + radius];
    match transform {
        Transform::Identity => String::new(),
        Transform::LeftRight => format!("M{middle} 0V{extent}"),
        Transform::TopBottom => format!("M0 {middle}H{extent}"),
        Transform::MainDiagonal => format!("M0 0L{extent} {extent}"),
        Transform::AntiDiagonal => format!("M{extent} 0L0 {extent}"),
        // Clockwise from the top.
        Transform::Turn90 => {
            format!("M{middle} {low}A{radius} {radius} 0 0 1 {high} {middle}m-9-12l9 12l9-12")
        }
        Transform::Turn180 => {
            format!("M{middle} {low}A{radius} {radius} 0 0 1 {middle} {high}m12-9l-12 9l12 9")
        }
        Transform::Turn270 => {
            format!("M{middle} {low}A{radius} {radius} 0 1 1 {low} {middle}m-9 12l9-12l9 12")
        }
    }
}

/// The number of different insets and of different dashes. They have no common factor, so
/// `INSETS * DASHES` consecutive layers differ in at least one of the two.
const INSETS: usize = 4;
const DASHES: usize = 3;
const _: () = assert!(Layer::COUNT <= INSETS * DASHES, "two layers would look the same");

/// Draws the layers over the board and returns their outlines and names. Each layer has a colour,
/// and a unique combination of dash and inset. Its name is on its first square, above everything
/// else.
fn layers(rows: &[Row]) -> (Vec<Html>, Vec<Html>) {
    let n = rows.len() as u32;
    let mut names: Vec<NameBox> = vec![];
    let visible = rows.iter().flat_map(|row| &row.squares).fold(0, |set, each| set | each.layers);
    let layers = Layer::all().filter(|layer| visible & layer.bit() != 0).map(|layer| {
        let has_layer = |square: &SquareStyle| square.layers & layer.bit() != 0;
        // The outlines leave the middle of the square to the signs.
        let (inset, dash) = (3 + 2 * (layer.number() % INSETS), layer.number() % DASHES);
        let side = SIDE as usize - 2 * inset;
        let glyph = match layer {
            Layer::Register(_) => format!("m{inset} {inset}h{side}v{side}h-{side}z"),
            // A whole row is drawn as a band.
            Layer::Bound1 | Layer::Bound2 => format!("m0 {inset}h{SIDE}m0 {side}h-{SIDE}"),
        };
        let mut first = None;
        each(rows, &mut |x, y, square| {
            first = first.or(has_layer(square).then_some((x, y)));
        });
        let corner = first.unwrap_or_default();
        // The name is about as wide as its square. The limits grow with the board, so that the name
        // can be read on the screen at all sizes.
        let height = (60 / layer.name().len() as u32).clamp(n.max(8) - 1, n.max(9) - 1);
        // The name is at the bottom of the square, because the cell letters are at the top. No name
        // crosses the edge of the board.
        let width = layer.name().len() as u32 * height * 3 / 5;
        let is_left = 2 * corner.0 < n * SIDE;
        let (x, anchor) = if is_left { (corner.0 + 2, "start") } else { (corner.0 + 38, "end") };
        let left = if is_left { x } else { x.saturating_sub(width) };
        let name = NameBox { left, right: left + width, y: corner.1 + SIDE - 3, height };
        let name = name.moved_off(&names);
        let y = name.y;
        names.push(name);
        let outline = html! {
            <path
                key={layer.name()} data-squares="overlaid" data-layer={layer.name()}
                class={classes!("overlay", format!("dash-{dash}"), layer.class())}
                d={on_squares(rows, &glyph, &has_layer)}
            />
        };
        let name = html! {
            <text
                key={layer.name()} class={classes!("overlay-name", layer.class())} x={x.to_string()}
                y={y.to_string()} text-anchor={anchor} font-size={height.to_string()}
            >
                { layer.name() }
            </text>
        };
        (outline, name)
    });
    layers.unzip()
}

/// The place of a layer's name, in units of the drawing.
#[derive(Clone, Copy)]
struct NameBox {
    left: u32,
    right: u32,
    /// The baseline, near the bottom.
    y: u32,
    height: u32,
}

impl NameBox {
    /// Moves the name up until it covers none of the others, or down if there is no room above.
    fn moved_off(self, others: &[Self]) -> Self {
        let lines_up = 0..=self.y.saturating_sub(self.height) / self.height;
        let up = lines_up.map(|line| self.y - line * self.height);
        let down = (1..).map(|line| self.y + line * self.height);
        let is_clear = |name: &Self| !others.iter().any(|other| name.overlaps(other));
        up.chain(down).map(|y| Self { y, ..self }).find(is_clear).unwrap_or(self)
    }

    fn overlaps(&self, other: &Self) -> bool {
        let top = |name: &Self| name.y.saturating_sub(name.height);
        self.left < other.right
            && other.left < self.right
            && top(self) < other.y
            && top(other) < self.y
    }
}

/// A ring around the selected square.
pub fn ring(square: Square) -> Html {
    let (row, column) = square.to_left();
    let middle = |position: u32| (position * SIDE + SIDE / 2).to_string();
    let ring = |class: &'static str| {
        html! {
            <circle {class} cx={middle(column)} cy={middle(row)} r="16.5" />
        }
    };
    html! { <g class="ring" aria-hidden="true">{ ring("ring-ground") }{ ring("ring-line") }</g> }
}

/// The signs of the rules on the squares that they close. They are written as markup, which the
/// browser reads again only if it changes.
fn signs(rows: &[Row]) -> Html {
    let mut signs = Markup::default();
    each(rows, &mut |x, y, square| {
        if let Some(rule) = square.closed() {
            let class = format_args!("sign {}", rule.id());
            let attributes: [(_, &dyn Display); 3] =
                [("class", &class), ("x", &(x + 20)), ("y", &(y + 25))];
            signs.element("text", &attributes, &rule.sign());
        }
    });
    signs.into_html()
}

/// The letters of the cells, also written as markup.
pub fn badges(rows: &[Row]) -> Html {
    let mut badges = Markup::default();
    each(rows, &mut |x, y, square| {
        if let Some(cell) = square.cell {
            let x = x + 32;
            let circle: [(_, &dyn Display); 4] =
                [("class", &"badge"), ("cx", &x), ("cy", &(y + 8)), ("r", &"6.5")];
            badges.element("circle", &circle, &"");
            let letter: [(_, &dyn Display); 3] =
                [("class", &"badge-letter"), ("x", &x), ("y", &(y + 11))];
            badges.element("text", &letter, &cell.letter());
        }
    });
    badges.into_html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_layers_do_not_overlap() {
        let name = |left, right, y| NameBox { left, right, y, height: 8 };
        let place = |name: NameBox, others: &[NameBox]| name.moved_off(others).y;
        let first = name(0, 24, 37);
        assert_eq!(place(first, &[]), 37);
        // On the same square, and on the next one, into which the first name reaches.
        assert_eq!(place(name(0, 20, 37), &[first]), 29);
        assert_eq!(place(name(20, 44, 37), &[first]), 29);
        assert_eq!(place(name(24, 44, 37), &[first]), 37);
        // Without room above, names go below.
        let large = NameBox { height: 31, ..first };
        assert_eq!(place(large, &[large]), 68);
    }
}
