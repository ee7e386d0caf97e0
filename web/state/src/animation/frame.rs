//! A frame: the board after a step, and the text below it.

use queens_core::Square;

use super::font;
use super::palette::{Colours, Palette, Rgb, mixed};
use super::square::SquareLook;
use crate::board::Row;
use crate::search::picture::Finding;

/// How the frames of an animation look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The number of rows of the board.
    pub n: u32,
    /// The largest side of the board in pixels.
    pub side: u32,
    /// The height of the text below the board in pixels; 0 for none.
    pub caption: u32,
    pub colours: Colours,
}

/// Where the parts of a frame are, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameLayout {
    /// The side of a square.
    pub square: u32,
    /// The space on each side of the board. The numbers are on the left and above.
    pub margin: u32,
    pub width: u32,
    pub height: u32,
    /// The top of the text.
    pub caption: u32,
}

impl Look {
    /// Returns where the parts are. Width and height are even, as most video formats require.
    pub fn layout(&self) -> FrameLayout {
        let square = (self.side / self.n.max(1)).max(4);
        let board = square * self.n;
        let margin = (self.side / 20).clamp(12, 40);
        let even = |pixels: u32| pixels + pixels % 2;
        let caption = board + 2 * margin;
        let space = if self.caption > 0 { self.caption + margin / 2 } else { 0 };
        let [width, height] = [board + 2 * margin, caption + space].map(even);
        FrameLayout { square, margin, width, height, caption }
    }
}

/// Text that the browser has drawn: the coverage of each pixel, from 0 to 255, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    pub width: u32,
    pub cover: Vec<u8>,
}

/// A drawn frame: the palette index of each pixel, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<u8>,
}

/// Draws frames. It caches drawn squares, because most squares look like earlier ones.
#[derive(Clone, Debug)]
pub struct Painter {
    look: Look,
    layout: FrameLayout,
    palette: Palette,
    squares: Vec<(SquareLook, Vec<u8>)>,
}

impl Painter {
    pub fn new(look: Look) -> Painter {
        let palette = Palette::new(&look.colours);
        Painter { look, layout: look.layout(), palette, squares: vec![] }
    }

    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// Draws a step.
    pub fn paint(&mut self, rows: &[Row], finding: &Finding, caption: &Caption) -> Picture {
        let FrameLayout { width, height, .. } = self.layout;
        let paper = self.palette.nearest(self.look.colours.paper);
        let pixels = vec![paper; (width * height) as usize];
        let mut picture = Picture { width, height, pixels };
        self.numbers(&mut picture);
        self.board(&mut picture, rows, finding);
        self.border(&mut picture);
        for &line in finding.attacks() {
            self.line(&mut picture, line);
        }
        self.text(&mut picture, caption);
        picture
    }

    /// Draws the squares.
    fn board(&mut self, picture: &mut Picture, rows: &[Row], finding: &Finding) {
        let Colours { good, bad, accent, .. } = self.look.colours;
        let fresh = match finding {
            Finding::Solution => good,
            Finding::Attacks(_) => bad,
            Finding::Nothing | Finding::Image(_) | Finding::Over => accent,
        };
        let FrameLayout { square: side, margin, .. } = self.layout;
        for row in rows {
            for (column, square) in (0..).zip(&row.squares) {
                let is_dark = (row.row + column) % 2 == 1;
                let look = SquareLook::new(square, is_dark, row.at_work, fresh);
                let known = self.squares.iter().position(|(each, _)| *each == look);
                let number = known.unwrap_or_else(|| {
                    let drawn = look.draw(side, &self.look.colours, &self.palette);
                    self.squares.push((look, drawn));
                    self.squares.len() - 1
                });
                let Some((_, drawn)) = self.squares.get(number) else { continue };
                let at = [margin + column * side, margin + row.row * side];
                for (line, pixels) in (0..).zip(drawn.chunks(side as usize)) {
                    picture.copy([at[0], at[1] + line], pixels);
                }
            }
        }
    }

    /// Draws the numbers of columns and rows.
    fn numbers(&self, picture: &mut Picture) {
        let FrameLayout { square, margin, .. } = self.layout;
        // Two digits must fit above a square.
        let scale = (margin / 12).min(square / 12).max(1);
        let ink = self.palette.nearest(self.look.colours.soft);
        for number in 0..self.look.n {
            let middle = margin + number * square + square / 2;
            picture.number(number, [middle, margin / 2], scale, ink);
            picture.number(number, [margin / 2, middle], scale, ink);
        }
    }

    /// Draws a line around the board.
    fn border(&self, picture: &mut Picture) {
        let FrameLayout { square, margin, .. } = self.layout;
        let ink = self.palette.nearest(self.look.colours.ink);
        let (low, high) = (margin - 1, margin + square * self.look.n);
        for position in low..=high {
            for at in [[position, low], [position, high], [low, position], [high, position]] {
                picture.set(at, ink);
            }
        }
    }

    /// Draws a line from a queen to a square that it attacks.
    fn line(&self, picture: &mut Picture, (queen, square): (Square, Square)) {
        let FrameLayout { square: side, margin, .. } = self.layout;
        let middle = |square: Square| {
            let (row, column) = square.to_left();
            [column, row].map(|position| (margin + position * side) as f32 + side as f32 / 2.0)
        };
        let (from, to) = (middle(queen), middle(square));
        let half_width = (side as f32 / 26.0).max(0.7);
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let is_steep = dy.abs() > dx.abs();
        // At each position along the longer axis, the line covers the pixels up to half of its width
        // on both sides, or √2 times that on a diagonal; `reach` is above both.
        let length = dx.abs().max(dy.abs()).max(1.0);
        let reach = (2.0 * half_width) as i32 + 1;
        for position in 0..=length as u32 {
            let along = position as f32 / length;
            let [x, y] = [from[0] + along * dx, from[1] + along * dy];
            for off in -reach..=reach {
                let [x, y] = if is_steep { [x + off as f32, y] } else { [x, y + off as f32] };
                let at = [x as u32, y as u32];
                let distance = distance(at.map(|position| position as f32 + 0.5), from, to);
                let cover = (half_width + 0.5 - distance).clamp(0.0, 1.0);
                if cover > 0.0 {
                    self.cover(picture, at, self.look.colours.bad, (cover * 255.0) as u8);
                }
            }
        }
    }

    /// Draws the text.
    fn text(&self, picture: &mut Picture, caption: &Caption) {
        let FrameLayout { margin, caption: top, height, width, .. } = self.layout;
        if caption.width == 0 {
            return;
        }
        let ink = self.look.colours.ink;
        for (line, covers) in (0..).zip(caption.cover.chunks(caption.width as usize)) {
            for (column, &cover) in (0..).zip(covers).filter(|(_, cover)| **cover > 0) {
                let at = [margin + column, top + line];
                if at[0] < width && at[1] < height {
                    self.cover(picture, at, ink, cover);
                }
            }
        }
    }

    /// Blends a colour into a pixel. A `share` of 255 replaces the pixel's colour.
    fn cover(&self, picture: &mut Picture, at: [u32; 2], colour: Rgb, share: u8) {
        if let Some(pixel) = picture.pixel(at) {
            *pixel = self.palette.nearest(mixed(self.palette.colour(*pixel), colour, share));
        }
    }
}

impl Picture {
    fn pixel(&mut self, [x, y]: [u32; 2]) -> Option<&mut u8> {
        let index = (x < self.width).then_some((y * self.width + x) as usize)?;
        self.pixels.get_mut(index)
    }

    fn set(&mut self, at: [u32; 2], colour: u8) {
        if let Some(pixel) = self.pixel(at) {
            *pixel = colour;
        }
    }

    /// Copies pixels into a row of the picture, starting at this point.
    fn copy(&mut self, [x, y]: [u32; 2], pixels: &[u8]) {
        let start = (y * self.width + x) as usize;
        if let Some(place) = self.pixels.get_mut(start..start + pixels.len()) {
            place.copy_from_slice(pixels);
        }
    }

    /// Draws a number around a point.
    fn number(&mut self, number: u32, [x, y]: [u32; 2], scale: u32, ink: u8) {
        let digits = number.to_string();
        let pitch = font::WIDTH + 1;
        let width = (digits.len() as u32 * pitch - 1) * scale;
        let left = x.saturating_sub(width / 2);
        let top = y.saturating_sub(font::HEIGHT * scale / 2);
        for (index, digit) in (0..).zip(digits.chars()) {
            for pixel in 0..font::WIDTH * scale * font::HEIGHT * scale {
                let (x, y) = (pixel % (font::WIDTH * scale), pixel / (font::WIDTH * scale));
                if font::has(digit, x / scale, y / scale) {
                    self.set([left + index * pitch * scale + x, top + y], ink);
                }
            }
        }
    }
}

/// Returns the distance of a point from the line segment between two points.
fn distance([x, y]: [f32; 2], from: [f32; 2], to: [f32; 2]) -> f32 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length_squared = (dx * dx + dy * dy).max(1.0);
    let along = (((x - from[0]) * dx + (y - from[1]) * dy) / length_squared).clamp(0.0, 1.0);
    let (off_x, off_y) = (x - from[0] - along * dx, y - from[1] - along * dy);
    (off_x * off_x + off_y * off_y).sqrt()
}
