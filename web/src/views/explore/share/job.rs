//! Makes an animation in short slices, with progress. It can be stopped.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use queens_core::{Size, Stepped, words};
use queens_state::animation::{Advance, Caption, Colours, Film, Gif, Look, Picture};
use queens_state::search::state::ExploreState;
use web_sys::{Blob, BlobPropertyBag};
use yew::Callback;

use super::drawn::{AnimatedSvg, REST, title};
use super::letters::{self, Letters};
use super::pause::pause;
use super::video::Video;
use crate::browser::{Theme, download, now};
use crate::words::Language;

words! {
    /// The format of an animation.
    #[derive(Default)]
    pub enum AnimationFormat {
        #[default]
        Gif = "gif",
        Video = "video",
        Svg = "svg",
    }
}

/// An animation to make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnimationRequest {
    pub language: Language,
    pub method: Stepped,
    pub size: Size,
    /// The first and the last step.
    pub range: [u64; 2],
    /// Whether each step has a frame, or only each move.
    pub every_step: bool,
    /// The time of a frame in seconds.
    pub frame_seconds: f64,
    /// The side of the board in pixels.
    pub side: u32,
    /// Whether the sentence of each step is below the board.
    pub caption: bool,
    pub format: AnimationFormat,
}

/// The progress of an animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationProgress {
    /// The search has reached this step on its way to the next frame.
    Searching(u64),
    /// The number of frames so far, and the step of the last one.
    Drawn(usize, u64),
}

/// How an animation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationOutcome {
    /// The file was offered to the user. It has this number of frames and of bytes.
    Made(usize, u64),
    /// The user stopped it.
    Stopped,
    /// It would have too many frames.
    TooLong,
    /// The work took too long.
    TooSlow,
    /// The browser could not make the file.
    Failed,
}

/// The length of a slice of work in milliseconds: less than a frame of the screen.
const SLICE: f64 = 10.0;

/// The time after which the work ends without a file, in milliseconds. Recording a video does not count,
/// because it takes as long as the video plays.
const LONGEST: f64 = 10_000.0;

/// The longest video, in seconds.
const LONGEST_VIDEO: f64 = 120.0;

/// Makes an animation and offers its file as a download.
pub async fn make(
    request: AnimationRequest,
    report: Callback<AnimationProgress>,
    is_stopped: Rc<Cell<bool>>,
) -> AnimationOutcome {
    let Some(mut maker) = Maker::new(&request) else { return AnimationOutcome::Failed };
    let state = ExploreState::new(request.method, request.size);
    let mut film = Film::new(&state, request.range, request.every_step, look(&request));
    let (mut frames, mut work) = (0, 0.0);
    loop {
        pause(0).await;
        if is_stopped.get() {
            return AnimationOutcome::Stopped;
        }
        let begin = now();
        let mut recording = 0.0;
        match film.advance(&mut || now() < begin + SLICE) {
            Advance::Moving => report.emit(AnimationProgress::Searching(film.reached())),
            Advance::Over => break,
            Advance::Frame => {
                frames += 1;
                if frames > most_frames(&request) {
                    return AnimationOutcome::TooLong;
                }
                report.emit(AnimationProgress::Drawn(frames, film.snapshot().step));
                let drawn = now();
                if maker.add(&mut film, &request).await.is_none() {
                    return AnimationOutcome::Failed;
                }
                if request.format == AnimationFormat::Video {
                    recording = now() - drawn;
                }
            }
        }
        work += now() - begin - recording;
        if work > LONGEST {
            return AnimationOutcome::TooSlow;
        }
    }
    let [from, to] = request.range;
    let name = format!("queens-{}-{}-{from}-{to}", request.size, request.method);
    match maker.finish(&film, &request).await.and_then(|(file, ending)| {
        download::offer(&format!("{name}.{ending}"), &file)?;
        Some(file.size())
    }) {
        Some(bytes) => AnimationOutcome::Made(frames, bytes as u64),
        None => AnimationOutcome::Failed,
    }
}

/// Returns the largest number of frames.
pub fn most_frames(request: &AnimationRequest) -> usize {
    match request.format {
        AnimationFormat::Video => {
            Film::MOST_FRAMES.min((LONGEST_VIDEO / request.frame_seconds) as usize)
        }
        AnimationFormat::Gif | AnimationFormat::Svg => Film::MOST_FRAMES,
    }
}

/// Returns how the frames look.
fn look(request: &AnimationRequest) -> Look {
    let colours = match Theme::shown() {
        Theme::Light => Colours::LIGHT,
        Theme::Dark => Colours::DARK,
    };
    let caption = if request.caption { letters::height(request.side) } else { 0 };
    Look { n: request.size.get(), side: request.side, caption, colours }
}

/// An unfinished file.
enum Maker {
    /// The GIF, the canvas for its text, and the last frame. A frame is added only when the next one
    /// exists, because the final frame is shown longer.
    Gif(Box<Gif>, Option<Letters>, Option<Picture>),
    Video(Video, Option<Letters>),
    Svg(AnimatedSvg),
}

impl Maker {
    fn new(request: &AnimationRequest) -> Option<Maker> {
        let AnimationRequest { language, size, frame_seconds, caption, .. } = *request;
        if request.format == AnimationFormat::Svg {
            return Some(Maker::Svg(AnimatedSvg::new(
                language,
                size.get(),
                frame_seconds,
                caption,
            )));
        }
        let look = look(request);
        let layout = look.layout();
        let letters = Letters::new(&look, &layout).filter(|_| caption);
        let sides = [layout.width, layout.height];
        Some(match request.format {
            AnimationFormat::Video => Maker::Video(Video::new(sides)?, letters),
            _ => {
                let palette = queens_state::animation::Palette::new(&look.colours);
                Maker::Gif(Box::new(Gif::new(sides, &palette).ok()?), letters, None)
            }
        })
    }

    /// Adds a frame.
    async fn add(&mut self, film: &mut Film, request: &AnimationRequest) -> Option<()> {
        let caption = |letters: &Option<Letters>| match letters {
            Some(letters) => letters.draw(request.language, film.snapshot()),
            None => Some(Caption::default()),
        };
        match self {
            Maker::Gif(gif, letters, last) => {
                let caption = caption(letters)?;
                let picture = film.picture(&caption);
                if let Some(last) = last.replace(picture) {
                    gif.add(last, hundredths(request.frame_seconds)).ok()?;
                }
            }
            Maker::Video(video, letters) => {
                let caption = caption(letters)?;
                let picture = film.picture(&caption);
                video.show(&picture, film.palette(), request.frame_seconds).await?;
            }
            Maker::Svg(svg) => {
                let (rows, finding) = film.board();
                svg.add(film.snapshot(), &rows, &finding);
            }
        }
        Some(())
    }

    /// Returns the file and the ending of its name.
    async fn finish(self, film: &Film, request: &AnimationRequest) -> Option<(Blob, &'static str)> {
        match self {
            Maker::Gif(mut gif, _, last) => {
                gif.add(last?, hundredths(request.frame_seconds + REST)).ok()?;
                let bytes = gif.finish().ok()?;
                let parts = Array::of1(&Uint8Array::from(&bytes[..]));
                let properties = BlobPropertyBag::new();
                properties.set_type("image/gif");
                let file =
                    Blob::new_with_u8_array_sequence_and_options(&parts, &properties).ok()?;
                Some((file, "gif"))
            }
            Maker::Video(video, _) => video.finish(REST).await,
            Maker::Svg(svg) => {
                let text = svg.finish(&title(request.language, film.snapshot()));
                Some((download::of_text("image/svg+xml", &text)?, "svg"))
            }
        }
    }
}

/// Converts a time to hundredths of a second, as a GIF stores it.
fn hundredths(seconds: f64) -> u16 {
    (seconds * 100.0) as u16
}
