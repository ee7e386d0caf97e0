//! The parts of a chart of times against N, on a logarithmic scale: positions, axes, and the look of
//! lines.
//!
//! Each element has its colour on white as an attribute, so that a saved picture needs no
//! stylesheet. On the page, classes override these colours with those of the theme.

use queens_state::results::{LogScale, time_tick, time_ticks};
use yew::prelude::*;

use crate::words::Language;

/// The classes of lines, and their colours on white. Colour-blind readers can distinguish the
/// colours, and the shapes of the marks also differ.
const COLOURS: [(&str, &str); queens_state::results::COLOURS] = [
    ("line line-0", "#0b5fa5"),
    ("line line-1", "#c2410c"),
    ("line line-2", "#187a4b"),
    ("line line-3", "#8b3d94"),
    ("line line-4", "#8a6d00"),
    ("line line-5", "#0e7c86"),
    ("line line-6", "#b3261e"),
    ("line line-7", "#575b61"),
];

/// The marks: closed paths around the current point.
const MARKS: [&str; 8] = [
    "m-4-4h8v8h-8z",
    "m0-5.5l5.5 5.5-5.5 5.5-5.5-5.5z",
    "m0-5l5 9h-10z",
    "m0 5l5-9h-10z",
    "m-5 0a5 5 0 0 1 10 0a5 5 0 0 1-10 0z",
    "m-5-1.5h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z",
    "m-2.5-5h5l2.5 5-2.5 5h-5l-2.5-5z",
    "m-5-4h10l-5 4 5 4h-10l5-4z",
];

/// The space around the plot: above, at the right, below, at the left.
const MARGINS: [f64; 4] = [10.0, 14.0, 40.0, 78.0];
/// The widths of a chart, in a narrow window and in others.
const WIDTHS: [f64; 2] = [350.0, 760.0];

/// The positions of values in the picture.
pub struct Plot {
    pub width: f64,
    /// The height of the area between the axes.
    height: f64,
    /// The smallest and the largest N.
    sizes: [u32; 2],
    scale: LogScale,
    narrow: bool,
}

impl Plot {
    /// Creates a plot for points of N and a value above 0. `narrow` says whether the window has the width
    /// of a phone.
    pub fn new(points: &[(u32, f64)], height: f64, narrow: bool) -> Plot {
        let least = points.iter().map(|&(n, _)| n).min().unwrap_or(1);
        let most = points.iter().map(|&(n, _)| n).max().unwrap_or(1);
        let scale = LogScale::of(points.iter().map(|&(_, value)| value));
        let [phone, wide] = WIDTHS;
        let width = if narrow { phone } else { wide };
        Plot { width, height, sizes: [least, most], scale, narrow }
    }

    /// The smallest N.
    pub fn first(&self) -> u32 {
        self.sizes[0]
    }

    /// Returns the x coordinate of a board. A single board is in the middle.
    pub fn x(&self, n: u32) -> f64 {
        let [least, most] = self.sizes;
        let [_, right, _, left] = MARGINS;
        let share = if most > least { f64::from(n - least) / f64::from(most - least) } else { 0.5 };
        left + 12.0 + share * (self.width - left - right - 24.0)
    }

    pub fn y(&self, value: f64) -> f64 {
        self.foot() - self.height * self.scale.share(value)
    }

    /// The y coordinate of the lower end of the plot.
    pub fn foot(&self) -> f64 {
        MARGINS[0] + self.height
    }

    /// The y coordinate of the lower end of the picture without a legend.
    pub fn bottom(&self) -> f64 {
        self.foot() + MARGINS[2]
    }

    /// Returns the coordinates of a point.
    pub fn place(&self, (n, value): (u32, f64)) -> [f64; 2] {
        [self.x(n), self.y(value)]
    }

    /// Returns the coordinates of a point as path data.
    fn at(&self, (n, value): (u32, f64)) -> String {
        format!("{:.1} {:.1}", self.x(n), self.y(value))
    }

    /// Returns the mark at a point as path data.
    pub fn mark(&self, point: (u32, f64), look: Look) -> String {
        format!("M{}{}", self.at(point), look.mark)
    }

    /// Returns the line through points as path data.
    pub fn path(&self, points: impl Iterator<Item = (u32, f64)>) -> String {
        let points: Vec<String> = points.map(|point| self.at(point)).collect();
        format!("M{}", points.join("L"))
    }
}

/// Renders both axes with their ticks.
pub fn axes(language: Language, plot: &Plot) -> Html {
    let [_, right, _, left] = MARGINS;
    let end = plot.width - right;
    let text = |anchor: &'static str, x: f64, y: f64, text: String| {
        html! {
            <text stroke="none" text-anchor={anchor} x={format!("{x:.1}")} y={format!("{y:.1}")}>
                { text }
            </text>
        }
    };
    let values = time_ticks(plot.scale).into_iter().map(|value| {
        let y = plot.y(value);
        html! {
            <>
                <path d={format!("M{left} {y:.1}H{end}")} />
                { text("end", left - 8.0, y + 4.5, time_tick(language, value)) }
            </>
        }
    });
    let [least, most] = plot.sizes;
    let foot = plot.foot();
    let each = (most - least) as usize / if plot.narrow { 8 } else { 20 } + 1;
    let sizes = (least..=most).step_by(each).map(|n| {
        let x = plot.x(n);
        html! {
            <>
                <path d={format!("M{x:.1} {foot}v5")} />
                { text("middle", x, foot + 19.0, n.to_string()) }
            </>
        }
    });
    html! {
        <g class="axes" fill="#575b61" stroke="#d8d3c6" font-family="sans-serif" font-size="13">
            { for values }
            { for sizes }
            { text("end", end, foot + 36.0, "N".to_owned()) }
        </g>
    }
}

/// The appearance of a line and its marks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    pub class: &'static str,
    pub colour: &'static str,
    /// A closed path around the current point.
    pub mark: &'static str,
}

impl Look {
    /// Returns the look of a line. Line 8 has the colour of line 0, but another mark.
    pub fn of_line(index: usize) -> Look {
        let (class, colour) = COLOURS[index % COLOURS.len()];
        Look { class, colour, mark: MARKS[(index + index / COLOURS.len()) % MARKS.len()] }
    }
}
