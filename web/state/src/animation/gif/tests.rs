//! Decodes GIFs and compares their frames with the boards of `queens_core` searches.

use gif::{ColorOutput, DecodeOptions, Decoder};
use queens_core::{Beat, Rule, Size, Square, SquareState, Stepped, Timeline};

use super::super::palette::mixed;
use super::super::{Advance, Caption, Colours, Film, Look};
use super::*;
use crate::search::state::ExploreState;

/// Makes a GIF of a search. Returns it with the step of each frame.
fn make(method: Stepped, look: Look, range: [u64; 2], every_step: bool) -> (Vec<u8>, Vec<u64>) {
    let state = ExploreState::new(method, Size::new(look.n).unwrap());
    let mut film = Film::new(&state, range, every_step, look);
    let layout = look.layout();
    let mut gif = Gif::new([layout.width, layout.height], film.palette()).unwrap();
    let mut steps = vec![];
    while film.advance(&mut || true) == Advance::Frame {
        steps.push(film.snapshot().step);
        let picture = film.picture(&Caption::default());
        gif.add(picture, 50).unwrap();
    }
    (gif.finish().unwrap(), steps)
}

/// A decoded GIF. Each frame is a complete picture, in red, green and blue.
struct Decoded {
    width: usize,
    frames: Vec<Vec<[u8; 3]>>,
    delays: Vec<u16>,
}

fn decode(file: &[u8]) -> Decoded {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder: Decoder<&[u8]> = options.read_info(file).unwrap();
    let [width, height] = [decoder.width(), decoder.height()].map(usize::from);
    let (mut canvas, mut frames, mut delays) = (vec![[0; 3]; width * height], vec![], vec![]);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let [left, top] = [frame.left, frame.top].map(usize::from);
        let pixels = frame.buffer.chunks(4 * usize::from(frame.width)).enumerate();
        for (y, row) in pixels {
            for (x, pixel) in row.chunks(4).enumerate() {
                canvas[(top + y) * width + left + x] = [pixel[0], pixel[1], pixel[2]];
            }
        }
        frames.push(canvas.clone());
        delays.push(frame.delay);
    }
    Decoded { width, frames, delays }
}

/// The mark on a square of a picture.
#[derive(Debug, PartialEq)]
enum Mark {
    Queen,
    Closed(Rule),
    Attacked,
    Other,
}

/// Recognizes the mark on a square by the number of pixels in its colour.
fn recognize(pixels: &[[u8; 3]], colours: &Colours) -> Mark {
    let count = |colour: [u8; 3]| pixels.iter().filter(|&&pixel| pixel == colour).count();
    if count(colours.ink) > pixels.len() / 10 {
        return Mark::Queen;
    }
    // Edges are antialiased, so a mark has few pixels of exactly its colour. But squares without the
    // mark have even fewer.
    let part = pixels.len() / 20;
    if let Some(rule) = Rule::ALL.into_iter().find(|&rule| count(colours.rule(rule)) > part) {
        return Mark::Closed(rule);
    }
    if count(colours.hatch) > part { Mark::Attacked } else { Mark::Other }
}

/// Checks that each frame shows the board of its step, and returns the number of frames.
fn check(method: Stepped, look: Look, range: [u64; 2], every_step: bool) -> usize {
    let (file, steps) = make(method, look, range, every_step);
    let Decoded { width, frames, .. } = decode(&file);
    assert_eq!(frames.len(), steps.len());
    let layout = look.layout();
    let side = layout.square as usize;
    let mut timeline = Timeline::new(method, Size::new(look.n).unwrap());
    let mut marks = 0;
    for (frame, &step) in frames.iter().zip(&steps) {
        assert!(timeline.seek(step, u64::MAX));
        let view = timeline.view();
        for square in Square::all(view.size) {
            let (row, column) = square.to_left();
            let [row, column] = [row, column].map(|at| layout.margin as usize + at as usize * side);
            let pixels = (0..side * side)
                .map(|pixel| frame[(row + pixel / side) * width + column + pixel % side]);
            let drawn = view.square(square);
            let expected = match (drawn.state, drawn.rule) {
                (SquareState::Queen, _) => Mark::Queen,
                (_, Some(rule)) => Mark::Closed(rule),
                (SquareState::Attacked, _) => Mark::Attacked,
                _ => Mark::Other,
            };
            let found = recognize(&pixels.collect::<Vec<_>>(), &look.colours);
            assert_eq!(found, expected, "{method} step {step} {:?}", square.to_left());
            marks += usize::from(expected != Mark::Other);
        }
    }
    assert!(marks > 0);
    frames.len()
}

fn look(n: u32, side: u32) -> Look {
    Look { n, side, caption: 0, colours: Colours::LIGHT }
}

#[test]
fn each_frame_shows_the_board_of_its_step() {
    // A dead end, a step back, and the squares that the rules close.
    assert_eq!(check(Stepped::Backtracking, look(8, 320), [40, 70], true), 31);
    assert_eq!(check(Stepped::Symmetry, look(8, 400), [300, 325], true), 26);
    let dark = Look { colours: Colours::DARK, ..look(8, 320) };
    assert!(check(Stepped::Symmetry, dark, [1480, 1560], false) > 5);
    assert!(check(Stepped::Bitmap, look(5, 200), [0, 100_000], false) > 20);
}

#[test]
fn frames_are_the_first_step_and_the_moves_or_each_step() {
    let range = [40, 70];
    let (_, moves) = make(Stepped::Backtracking, look(8, 160), range, false);
    let mut timeline = Timeline::new(Stepped::Backtracking, Size::new(8).unwrap());
    let expected = (range[0]..=range[1]).filter(|&step| {
        assert!(timeline.seek(step, u64::MAX));
        step == range[0] || timeline.tracer().beat().is_some()
    });
    assert_eq!(moves, expected.collect::<Vec<_>>());
    let (_, steps) = make(Stepped::Backtracking, look(8, 160), range, true);
    assert_eq!(steps, (40..=70).collect::<Vec<_>>());
    // A range that reaches past the end stops there.
    let (_, all) = make(Stepped::Backtracking, look(4, 160), [0, u64::MAX], true);
    let mut timeline = Timeline::new(Stepped::Backtracking, Size::new(4).unwrap());
    assert!(timeline.seek(u64::MAX, u64::MAX));
    assert_eq!(all.last(), timeline.end().as_ref());
}

#[test]
fn a_dead_end_has_a_line_from_each_square() {
    let mut timeline = Timeline::new(Stepped::Backtracking, Size::new(8).unwrap());
    while timeline.tracer().beat() != Some(Beat::DeadEnd) {
        timeline.forward();
    }
    let (step, row) = (timeline.step(), timeline.view().row);
    let look = look(8, 480);
    let (file, _) = make(Stepped::Backtracking, look, [step, step], true);
    let Decoded { width, frames, .. } = decode(&file);
    let layout = look.layout();
    let bad = look.colours.bad;
    for column in 0..8 {
        let [x, y] = [column, row].map(|at| layout.margin + at * layout.square + layout.square / 2);
        let pixel = frames[0][(y - 1) as usize * width + x as usize];
        let is_red = (0..3).all(|channel| pixel[channel].abs_diff(bad[channel]) < 90);
        assert!(is_red, "column {column}: {pixel:?}");
    }
}

#[test]
fn a_caption_is_drawn_below_the_board() {
    let look = Look { caption: 20, ..look(4, 160) };
    let layout = look.layout();
    let state = ExploreState::new(Stepped::Backtracking, Size::new(4).unwrap());
    let mut film = Film::new(&state, [0, 0], true, look);
    assert_eq!(film.advance(&mut || true), Advance::Frame);
    let caption = Caption { width: 10, cover: [[255; 10], [128; 10]].concat() };
    let picture = film.picture(&caption);
    let at =
        |x: u32, y: u32| film.palette().colour(picture.pixels[(y * picture.width + x) as usize]);
    let Colours { ink, paper, .. } = look.colours;
    assert_eq!(at(layout.margin, layout.caption), ink);
    assert_eq!(at(layout.margin, layout.caption + 1), mixed(paper, ink, 128));
    assert_eq!(at(layout.margin + 10, layout.caption), paper);
    assert_eq!(film.advance(&mut || true), Advance::Over);
}

#[test]
fn a_gif_repeats_and_stores_only_changed_parts() {
    let (file, steps) = make(Stepped::Backtracking, look(8, 480), [0, 99], true);
    assert_eq!(steps.len(), 100);
    println!("100 steps of N = 8: {} bytes", file.len());
    assert!(file.len() < 450_000, "{}", file.len());
    let decoder = Decoder::new(&file[..]).unwrap();
    assert_eq!(decoder.repeat(), Repeat::Infinite);
    assert!(decode(&file).delays.iter().all(|&delay| delay == 50));
    // Width and height are even, as video codecs require.
    for n in 1..=32 {
        let layout = look(n, 480).layout();
        assert!(
            layout.width.is_multiple_of(2) && layout.height.is_multiple_of(2) && layout.width < 600,
            "{layout:?}"
        );
    }
}

#[test]
fn the_difference_of_equal_pictures_is_one_pixel() {
    let picture = Picture { width: 3, height: 2, pixels: vec![0; 6] };
    assert_eq!(difference(&picture, &picture), [0, 0, 1, 1]);
    let other = Picture { pixels: vec![0, 1, 0, 0, 0, 2], ..picture.clone() };
    assert_eq!(difference(&picture, &other), [1, 0, 2, 2]);
}
