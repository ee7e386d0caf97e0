//! A video that the browser records from a canvas in real time.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Promise};
use queens_state::animation::{Palette, Picture};
use wasm_bindgen::{Clamped, JsCast, prelude::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobEvent, BlobPropertyBag, CanvasRenderingContext2d, HtmlCanvasElement, ImageData,
    MediaRecorder, MediaRecorderOptions, RecordingState,
};

use super::pause::pause;
use crate::browser::{now, window};

/// The formats in the order of preference, each with the ending of its files.
const FORMATS: [(&str, &str); 3] =
    [("video/webm;codecs=vp9", "webm"), ("video/webm", "webm"), ("video/mp4", "mp4")];

/// The time after which a frame is drawn again, in milliseconds. A recorder writes nothing while the
/// canvas stays as it is.
const REPEAT: u32 = 100;

/// Returns the format of the videos that the browser can record.
pub fn format() -> Option<(&'static str, &'static str)> {
    window()?;
    // A browser without recorders has no such object, and asking it would fail.
    js_sys::Reflect::get(&js_sys::global(), &"MediaRecorder".into())
        .ok()?
        .dyn_into::<js_sys::Function>()
        .ok()?;
    FORMATS.into_iter().find(|(kind, _)| MediaRecorder::is_type_supported(kind))
}

/// A recording.
pub struct Video {
    recorder: MediaRecorder,
    context: CanvasRenderingContext2d,
    /// The parts of the file that the browser has finished.
    parts: Rc<RefCell<Array>>,
    kind: &'static str,
    ending: &'static str,
    image: Option<ImageData>,
    _on_data: Closure<dyn Fn(BlobEvent)>,
}

impl Video {
    /// Prepares a recording, which starts with the first frame. `None` if the browser cannot record.
    pub fn new([width, height]: [u32; 2]) -> Option<Video> {
        let (kind, ending) = format()?;
        let document = window()?.document()?;
        let canvas =
            document.create_element("canvas").ok()?.dyn_into::<HtmlCanvasElement>().ok()?;
        canvas.set_width(width);
        canvas.set_height(height);
        let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        let options = MediaRecorderOptions::new();
        options.set_mime_type(kind);
        // Flat colours and letters need a higher limit than the default, but use little of it.
        options.set_video_bits_per_second(4_000_000);
        let stream = canvas.capture_stream().ok()?;
        let recorder =
            MediaRecorder::new_with_media_stream_and_media_recorder_options(&stream, &options)
                .ok()?;
        let parts = Rc::new(RefCell::new(Array::new()));
        let on_data = {
            let parts = Rc::clone(&parts);
            Closure::<dyn Fn(BlobEvent)>::new(move |event: BlobEvent| {
                if let Some(part) = event.data() {
                    parts.borrow_mut().push(&part);
                }
            })
        };
        recorder.set_ondataavailable(Some(on_data.as_ref().unchecked_ref()));
        Some(Video { recorder, context, parts, kind, ending, image: None, _on_data: on_data })
    }

    /// Shows a frame for some seconds.
    pub async fn show(&mut self, picture: &Picture, palette: &Palette, seconds: f64) -> Option<()> {
        let pixels = picture.pixels.iter().flat_map(|&number| {
            let [red, green, blue] = palette.colour(number);
            [red, green, blue, 255]
        });
        let pixels: Vec<u8> = pixels.collect();
        let (pixels, width) = (Clamped(&pixels[..]), picture.width);
        let image =
            ImageData::new_with_u8_clamped_array_and_sh(pixels, width, picture.height).ok()?;
        let is_first = self.image.replace(image).is_none();
        self.draw()?;
        if is_first {
            self.recorder.start().ok()?;
        }
        self.hold(seconds).await
    }

    /// Draws the last frame on the canvas.
    fn draw(&self) -> Option<()> {
        self.context.put_image_data(self.image.as_ref()?, 0.0, 0.0).ok()
    }

    /// Shows the last frame for some seconds.
    async fn hold(&self, seconds: f64) -> Option<()> {
        let end = now() + seconds * 1000.0;
        loop {
            self.draw()?;
            let left = end - now();
            if left <= 0.0 {
                return Some(());
            }
            pause(REPEAT.min(left.ceil() as u32)).await;
        }
    }

    /// Holds the last frame, ends the recording, and returns the file with the ending of its name.
    pub async fn finish(self, seconds: f64) -> Option<(Blob, &'static str)> {
        self.hold(seconds).await?;
        let ended = Promise::new(&mut |resolve, _| self.recorder.set_onstop(Some(&resolve)));
        self.recorder.stop().ok()?;
        JsFuture::from(ended).await.ok()?;
        let properties = BlobPropertyBag::new();
        properties.set_type(self.kind.split(';').next().unwrap_or_default());
        let parts = self.parts.borrow();
        let file = Blob::new_with_blob_sequence_and_options(&parts, &properties).ok()?;
        Some((file, self.ending))
    }
}

impl Drop for Video {
    /// Ends the recording of a video that was stopped.
    fn drop(&mut self) {
        self.recorder.set_ondataavailable(None);
        if self.recorder.state() == RecordingState::Recording {
            // Fails only if the recorder has stopped already.
            let _ = self.recorder.stop();
        }
    }
}
