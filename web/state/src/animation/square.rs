//! A square of the board as pixels.

use queens_core::{Cell, Rule, SquareState};

use super::font;
use super::palette::{Colours, Palette, Rgb, TINT, mixed};
use crate::board::SquareStyle;

/// The side of a square in the units of the shapes below.
const SIDE: f32 = 40.0;

/// The number of samples along a pixel's side. Their average is the pixel's colour, so edges are smooth.
const SAMPLES: u32 = 3;

/// The shape of the queen in a square of 40 by 40 units, as on the page.
pub mod queen {
    /// The corners of the crown.
    pub const CROWN: [[f32; 2]; 11] = [
        [10.5, 28.0],
        [7.0, 14.5],
        [13.0, 21.0],
        [13.6, 10.5],
        [18.0, 19.4],
        [20.0, 9.0],
        [22.0, 19.4],
        [26.4, 10.5],
        [27.0, 21.0],
        [33.0, 14.5],
        [29.5, 28.0],
    ];
    /// The upper left and the lower right corner of the foot.
    pub const FOOT: [[f32; 2]; 2] = [[10.5, 30.2], [29.5, 33.5]];
    /// The middles of the balls.
    pub const BALLS: [[f32; 2]; 5] =
        [[7.0, 12.6], [13.4, 8.6], [20.0, 7.0], [26.6, 8.6], [33.0, 12.6]];
    /// The radius of a ball.
    pub const BALL: f32 = 2.0;
}

/// What is drawn on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareLook {
    /// Whether it is one of the dark squares.
    pub is_dark: bool,
    /// Whether its row is the current one.
    pub at_work: bool,
    state: SquareState,
    closed: Option<Rule>,
    cell: Option<Cell>,
    is_free: bool,
    tried: bool,
    /// The colour of the last step, if the step is about the square.
    fresh: Option<Rgb>,
}

impl SquareLook {
    /// Returns what is drawn on a square. `fresh` is the colour of squares that the last step is about.
    pub fn new(square: &SquareStyle, is_dark: bool, at_work: bool, fresh: Rgb) -> SquareLook {
        SquareLook {
            is_dark,
            at_work,
            state: square.state,
            closed: square.closed(),
            cell: square.cell,
            is_free: square.is_free(),
            tried: square.tried,
            fresh: square.fresh.then_some(fresh),
        }
    }

    /// Draws the square with a side of `side` pixels. Returns palette indices, row by row.
    pub fn draw(&self, side: u32, colours: &Colours, palette: &Palette) -> Vec<u8> {
        // A square has few colours, so each is looked up in the palette only once.
        let mut known: Vec<(Rgb, u8)> = vec![];
        let mut number = |colour: Rgb| match known.iter().find(|(each, _)| *each == colour) {
            Some(&(_, number)) => number,
            None => {
                let number = palette.nearest(colour);
                known.push((colour, number));
                number
            }
        };
        let scale = SIDE / (side * SAMPLES) as f32;
        let pixels = (0..side * side).map(|index| {
            let (x, y) = (index % side * SAMPLES, index / side * SAMPLES);
            let mut sum = [0_u32; 3];
            for sample in 0..SAMPLES * SAMPLES {
                let at = [x + sample % SAMPLES, y + sample / SAMPLES];
                let [x, y] = at.map(|position| (position as f32 + 0.5) * scale);
                let colour = self.colour(x, y, colours);
                sum.iter_mut().zip(colour).for_each(|(sum, channel)| *sum += u32::from(channel));
            }
            let samples = SAMPLES * SAMPLES;
            number(sum.map(|sum| ((sum + samples / 2) / samples) as u8))
        });
        pixels.collect()
    }

    /// Returns the colour at a point of the square.
    fn colour(&self, x: f32, y: f32, colours: &Colours) -> Rgb {
        let ground = self.ground(colours);
        if let Some(cell) = self.cell
            && let Some(is_ink) = badge(first(cell.letter()), x, y)
        {
            return if is_ink { colours.ink } else { colours.light };
        }
        if self.state == SquareState::Queen && is_queen(x, y) {
            return colours.ink;
        }
        if let Some(rule) = self.closed {
            match letter(first(rule.sign()), [x, y], [20.0, 20.0], 2.0) {
                Some(true) => return colours.rule(rule),
                // A gap around the sign separates it from the pattern.
                Some(false) => return ground,
                None => {}
            }
        }
        if self.tried && is_cross(x, y) || self.is_free && is_near([x, y], [20.0, 20.0], 3.5) {
            return colours.soft;
        }
        let from_edge = x.min(y).min(SIDE - x).min(SIDE - y);
        if let Some(fresh) = self.fresh.filter(|_| (2.0..4.5).contains(&from_edge)) {
            return fresh;
        }
        if self.state == SquareState::Attacked && is_hatch(Hatch::Up, x, y) {
            return colours.hatch;
        }
        let is_pattern =
            self.closed.filter(|&rule| pattern(rule).iter().any(|&each| is_hatch(each, x, y)));
        is_pattern.map_or(ground, |rule| colours.rule(rule))
    }

    /// Returns the colour of the square itself.
    fn ground(&self, colours: &Colours) -> Rgb {
        let ground = if self.is_dark { colours.dark } else { colours.light };
        let ground = if self.at_work { mixed(ground, colours.accent, TINT) } else { ground };
        self.fresh.map_or(ground, |fresh| mixed(ground, fresh, TINT))
    }
}

/// Returns the first letter of a sign.
fn first(sign: &str) -> char {
    sign.chars().next().unwrap_or_default()
}

/// A set of parallel lines.
#[derive(Clone, Copy)]
enum Hatch {
    Up,
    Down,
    Horizontal,
    Vertical,
    Dashes,
}

/// Returns the hatching of the squares that a rule closes, as on the page.
fn pattern(rule: Rule) -> &'static [Hatch] {
    match rule {
        Rule::UpperSide => &[Hatch::Down],
        Rule::LowerSide => &[Hatch::Horizontal],
        Rule::LastRow => &[Hatch::Vertical],
        Rule::Corner => &[Hatch::Up, Hatch::Down],
        Rule::Half => &[Hatch::Dashes],
    }
}

/// Whether a point is on one of the lines. The lines of neighbouring squares continue each other.
fn is_hatch(hatch: Hatch, x: f32, y: f32) -> bool {
    let on = |position: f32, period: f32, width: f32| position.rem_euclid(period) < width;
    match hatch {
        Hatch::Up => on(x + y, 8.0, 2.0),
        Hatch::Down => on(x - y, 8.0, 2.0),
        Hatch::Horizontal => on(y - 2.0, 5.0, 1.0),
        Hatch::Vertical => on(x - 2.0, 5.0, 1.0),
        Hatch::Dashes => on(y - 3.5, 8.0, 1.0) && on(x - 3.0, 8.0, 2.0),
    }
}

/// Whether a point belongs to the queen.
fn is_queen(x: f32, y: f32) -> bool {
    let [[left, top], [right, bottom]] = queen::FOOT;
    let is_foot = (left..right).contains(&x) && (top..bottom).contains(&y);
    is_foot
        || queen::BALLS.iter().any(|&ball| is_near([x, y], ball, queen::BALL))
        || is_inside(&queen::CROWN, x, y)
}

/// Whether a point is inside a polygon: a line to the left crosses its border an odd number of times.
fn is_inside(corners: &[[f32; 2]], x: f32, y: f32) -> bool {
    let following = corners.iter().cycle().skip(1);
    let crossings = corners.iter().zip(following).filter(|&(&[x1, y1], &[x2, y2])| {
        (y1 > y) != (y2 > y) && x > x1 + (y - y1) / (y2 - y1) * (x2 - x1)
    });
    crossings.count() % 2 == 1
}

fn is_near([x, y]: [f32; 2], [middle_x, middle_y]: [f32; 2], radius: f32) -> bool {
    let (dx, dy) = (x - middle_x, y - middle_y);
    dx * dx + dy * dy < radius * radius
}

/// Whether a point belongs to the cross of a square that was tried.
fn is_cross(x: f32, y: f32) -> bool {
    let (dx, dy) = (x - 20.0, y - 20.0);
    dx.abs() < 5.5 && dy.abs() < 5.5 && ((dx - dy).abs() < 1.6 || (dx + dy).abs() < 1.6)
}

/// Whether a point belongs to a letter around `middle`: `Some(false)` between its pixels and in a gap
/// around it, `None` outside the gap. `scale` is the side of the letter's pixels.
fn letter(letter: char, [x, y]: [f32; 2], middle: [f32; 2], scale: f32) -> Option<bool> {
    let [width, height] = [font::WIDTH, font::HEIGHT].map(|pixels| pixels as f32);
    let left = (x - middle[0]) / scale + width / 2.0;
    let top = (y - middle[1]) / scale + height / 2.0;
    let is_around = (-1.0..width + 1.0).contains(&left) && (-1.0..height + 1.0).contains(&top);
    is_around.then(|| left >= 0.0 && top >= 0.0 && font::has(letter, left as u32, top as u32))
}

/// Whether a point belongs to the letter of a cell or to the ring around it: `Some(false)` elsewhere
/// inside the ring, `None` outside.
fn badge(sign: char, x: f32, y: f32) -> Option<bool> {
    const MIDDLE: [f32; 2] = [31.5, 8.5];
    if !is_near([x, y], MIDDLE, 7.5) {
        return None;
    }
    let is_ring = !is_near([x, y], MIDDLE, 6.5);
    Some(is_ring || letter(sign, [x, y], MIDDLE, 1.2) == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the colours of a drawn square.
    fn drawn(square: &SquareStyle) -> Vec<Rgb> {
        let colours = Colours::LIGHT;
        let palette = Palette::new(&colours);
        let look = SquareLook::new(square, false, false, colours.bad);
        look.draw(40, &colours, &palette).into_iter().map(|number| palette.colour(number)).collect()
    }

    fn count(pixels: &[Rgb], colour: Rgb) -> usize {
        pixels.iter().filter(|&&pixel| pixel == colour).count()
    }

    #[test]
    fn each_mark_has_its_colour() {
        let colours = Colours::LIGHT;
        let empty = SquareStyle::default();
        assert_eq!(count(&drawn(&empty), colours.light), 1600);
        let queen = drawn(&SquareStyle { state: SquareState::Queen, ..empty });
        assert!((250..700).contains(&count(&queen, colours.ink)), "{}", count(&queen, colours.ink));
        // The middle of the foot, and two corners of the square.
        assert_eq!(
            (queen[32 * 40 + 20], queen[0], queen[1599]),
            (colours.ink, colours.light, colours.light)
        );
        let attacked = drawn(&SquareStyle { state: SquareState::Attacked, ..empty });
        assert!(count(&attacked, colours.hatch) > 50 && count(&attacked, colours.light) > 400);
        let tried = drawn(&SquareStyle { tried: true, ..empty });
        assert_eq!((tried[20 * 40 + 20], tried[0]), (colours.soft, colours.light));
        let fresh = drawn(&SquareStyle { fresh: true, ..empty });
        assert!(
            count(&fresh, colours.bad) > 200
                && fresh[20 * 40 + 20] == mixed(colours.light, colours.bad, TINT)
        );
        for rule in Rule::ALL {
            let closed = drawn(&SquareStyle { rule: Some(rule), ..empty });
            assert!(count(&closed, colours.rule(rule)) > 10, "{rule}");
        }
    }

    #[test]
    fn neighbouring_patterns_continue_each_other() {
        for hatch in [Hatch::Up, Hatch::Down, Hatch::Horizontal, Hatch::Vertical, Hatch::Dashes] {
            for position in 0..400 {
                let along = position as f32 / 10.0;
                assert_eq!(is_hatch(hatch, along, 0.25), is_hatch(hatch, along, 40.25));
                assert_eq!(is_hatch(hatch, 0.25, along), is_hatch(hatch, 40.25, along));
            }
        }
    }
}
