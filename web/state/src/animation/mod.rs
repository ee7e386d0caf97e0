//! A search as pictures made of pixels: the frames of an animation, and the animation as a GIF.
//!
//! A frame is a pure function of a step and of the [`Look`]. The browser draws only the text below the
//! board, as a [`Caption`], because only the browser has fonts.

mod film;
mod font;
mod frame;
mod gif;
mod palette;
mod square;

pub use film::{Advance, Film};
pub use frame::{Caption, FrameLayout, Look, Picture};
pub use gif::Gif;
pub use palette::{Colours, Palette, Rgb};
pub use square::queen;
