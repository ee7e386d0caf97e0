//! Pictures that the browser has drawn, as an animated GIF.

use std::collections::HashMap;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

/// The number of the colour that stands for the pixels that stay as they are.
const UNCHANGED: u8 = 0;

/// The largest number of other colours of a frame.
const COLOURS: usize = 255;

type Rgb = [u8; 3];

/// A GIF to which pictures are added one by one.
pub struct Gif {
    encoder: Encoder<Vec<u8>>,
    sides: [u16; 2],
    /// The colours of the last picture.
    last: Vec<Rgb>,
    /// The frame of the last picture. It is written once its time is known.
    frame: Option<Frame<'static>>,
}

impl Gif {
    /// Starts a GIF that repeats without end.
    ///
    /// # Errors
    /// Fails if the start of the file cannot be written.
    pub fn new(sides: [u16; 2]) -> Result<Gif, EncodingError> {
        let mut encoder = Encoder::new(vec![], sides[0], sides[1], &[])?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Gif { encoder, sides, last: vec![], frame: None })
    }

    /// Adds a picture, given by the red, green, blue and alpha of each pixel, and shows the one before it for this
    /// number of hundredths of a second.
    ///
    /// # Errors
    /// Fails if the frame cannot be encoded.
    pub fn add(&mut self, pixels: &[u8], hundredths: u16) -> Result<(), EncodingError> {
        self.write(hundredths)?;
        let (pixels, _) = pixels.as_chunks::<4>();
        let picture: Vec<Rgb> =
            pixels.iter().map(|&[red, green, blue, _]| [red, green, blue]).collect();
        let is_unchanged = |at: usize| self.last.get(at) == picture.get(at);
        let changed = picture.iter().enumerate().filter(|(at, _)| !is_unchanged(*at));
        let palette = palette(changed.map(|(_, &colour)| colour));
        let mut numbers = HashMap::new();
        let indices = picture.iter().enumerate().map(|(at, &colour)| {
            if is_unchanged(at) {
                return UNCHANGED;
            }
            *numbers.entry(colour).or_insert_with(|| nearest(&palette, colour) + 1)
        });
        self.frame = Some(Frame {
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            width: self.sides[0],
            height: self.sides[1],
            buffer: indices.collect(),
            palette: Some([&[[0; 3]], &palette[..]].concat().into_flattened()),
            ..Frame::default()
        });
        self.last = picture;
        Ok(())
    }

    /// Writes the frame of the last picture.
    fn write(&mut self, hundredths: u16) -> Result<(), EncodingError> {
        let Some(frame) = self.frame.take() else { return Ok(()) };
        self.encoder.write_frame(&Frame { delay: hundredths, ..frame })
    }

    /// Returns the file, which shows the last picture for this number of hundredths of a second.
    ///
    /// # Errors
    /// Fails if the file cannot be completed.
    pub fn finish(mut self, hundredths: u16) -> Result<Vec<u8>, EncodingError> {
        self.write(hundredths)?;
        self.encoder.into_inner()
    }
}

/// Returns the most frequent colours. The others are blends at the edges of shapes and letters.
fn palette(colours: impl Iterator<Item = Rgb>) -> Vec<Rgb> {
    let mut counts: HashMap<Rgb, u32> = HashMap::new();
    for colour in colours {
        *counts.entry(colour).or_default() += 1;
    }
    let mut counts: Vec<(Rgb, u32)> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
    counts.into_iter().take(COLOURS).map(|(colour, _)| colour).collect()
}

/// Returns the index of the colour nearest to this one, at most 254.
fn nearest(palette: &[Rgb], colour: Rgb) -> u8 {
    let distance = |&(_, each): &(usize, &Rgb)| {
        let channels = each.iter().zip(colour).map(|(&a, b)| u32::from(a.abs_diff(b)));
        channels.map(|difference| difference * difference).sum::<u32>()
    };
    palette.iter().enumerate().min_by_key(distance).map_or(0, |(number, _)| number as u8)
}

#[cfg(test)]
mod tests {
    use gif::{ColorOutput, DecodeOptions};

    use super::*;

    #[test]
    fn frames_have_their_pictures_and_times() {
        let (white, black, red) = ([255, 255, 255, 255], [0, 0, 0, 255], [200, 0, 0, 255]);
        let first = [white, black, white, white].concat();
        let second = [white, black, red, white].concat();
        let mut gif = Gif::new([2, 2]).unwrap();
        gif.add(&first, 7).unwrap();
        gif.add(&second, 100).unwrap();
        let file = gif.finish(300).unwrap();
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(&file[..]).unwrap();
        let frame = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!((frame.delay, &frame.buffer[..]), (100, &first[..]));
        let frame = decoder.read_next_frame().unwrap().unwrap();
        // Only the third pixel differs from the picture before it.
        assert_eq!((frame.delay, &frame.buffer[8..12]), (300, &red[..]));
        assert!(frame.buffer.chunks(4).enumerate().all(|(at, pixel)| (pixel[3] == 0) != (at == 2)));
        assert!(decoder.read_next_frame().unwrap().is_none());
    }

    #[test]
    fn rare_colours_become_the_nearest_common_ones() {
        let grey = |level: u8| [level; 3];
        let often = (0..250).flat_map(|level| [grey(level); 2]);
        let palette = palette(often.chain((0..9).map(|level| [level, 0, 255])));
        assert_eq!(palette.len(), COLOURS);
        assert_eq!(palette[usize::from(nearest(&palette, [101, 100, 100]))], grey(100));
    }
}
