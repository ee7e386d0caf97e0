//! Frames as an animated GIF.

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::frame::Picture;
use super::palette::Palette;

/// A GIF to which frames are added one by one.
pub struct Gif {
    encoder: Encoder<Vec<u8>>,
    /// The previous frame: the file has only the part of a frame that differs from the previous one.
    last: Option<Picture>,
}

impl Gif {
    /// Starts a GIF that repeats without end.
    ///
    /// # Errors
    /// Fails if the palette has more colours than a GIF can have.
    pub fn new([width, height]: [u32; 2], palette: &Palette) -> Result<Gif, EncodingError> {
        let mut encoder = Encoder::new(vec![], short(width), short(height), &palette.bytes())?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Gif { encoder, last: None })
    }

    /// Adds a frame that is shown for this number of hundredths of a second.
    ///
    /// # Errors
    /// Fails if the frame cannot be encoded.
    pub fn add(&mut self, picture: Picture, hundredths: u16) -> Result<(), EncodingError> {
        let [left, top, width, height] = match &self.last {
            Some(last) => difference(last, &picture),
            None => [0, 0, picture.width, picture.height],
        };
        let rows = picture.pixels.chunks(picture.width.max(1) as usize);
        let rows = rows.skip(top as usize).take(height as usize);
        let part = rows.filter_map(|row| row.get(left as usize..(left + width) as usize));
        let frame = Frame {
            delay: hundredths,
            dispose: DisposalMethod::Keep,
            left: short(left),
            top: short(top),
            width: short(width),
            height: short(height),
            buffer: part.flatten().copied().collect(),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame)?;
        self.last = Some(picture);
        Ok(())
    }

    /// Returns the file.
    ///
    /// # Errors
    /// Fails if the file cannot be completed.
    pub fn finish(self) -> Result<Vec<u8>, EncodingError> {
        self.encoder.into_inner()
    }

    /// Returns the number of bytes so far.
    pub fn len(&self) -> usize {
        self.encoder.get_ref().len()
    }

    /// Whether the file has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A length as a GIF stores it. Pictures are far smaller than its largest value.
fn short(pixels: u32) -> u16 {
    u16::try_from(pixels).unwrap_or(u16::MAX)
}

/// Returns left, top, width and height of the part in which two pictures of equal size differ. For
/// equal pictures it is one pixel, because a GIF cannot have an empty frame.
fn difference(before: &Picture, after: &Picture) -> [u32; 4] {
    let width = after.width.max(1) as usize;
    let [mut left, mut top, mut right, mut bottom] = [usize::MAX, usize::MAX, 0, 0];
    let rows = before.pixels.chunks(width).zip(after.pixels.chunks(width)).enumerate();
    for (y, (before, after)) in rows.filter(|(_, (before, after))| before != after) {
        let is_other = |(before, after): (&u8, &u8)| before != after;
        let mut pairs = before.iter().zip(after);
        let first = pairs.clone().position(is_other).unwrap_or(0);
        let last = pairs.rposition(is_other).unwrap_or(0);
        (left, right) = (left.min(first), right.max(last + 1));
        (top, bottom) = (top.min(y), y + 1);
    }
    if right == 0 {
        return [0, 0, 1, 1];
    }
    [left, top, right - left, bottom - top].map(|pixels| pixels as u32)
}

#[cfg(test)]
mod tests;
