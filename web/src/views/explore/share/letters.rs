//! The text below a frame, drawn by the browser, which has the fonts.

use queens_state::animation::{Caption, FrameLayout, Look};
use queens_state::search::state::Snapshot;
use queens_state::search::why::why;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, ContextAttributes2d, HtmlCanvasElement};

use super::drawn::title;
use crate::browser::window;
use crate::words::{Language, lines};

/// The number of lines: the title, and the longest sentence.
const LINES: u32 = 5;

/// The colour of the title. Its opacity makes the title lighter than the sentence.
const TITLE: &str = "rgb(0 0 0 / 70%)";

/// Draws text into captions.
pub struct Letters {
    context: CanvasRenderingContext2d,
    width: u32,
    font: u32,
}

/// Returns the size of the letters for a board with this side.
fn font(side: u32) -> u32 {
    (side / 30).max(11)
}

/// Returns the height of the text for a board with this side.
pub fn height(side: u32) -> u32 {
    LINES * font(side) * 7 / 5
}

impl Letters {
    /// Returns a canvas for the captions of frames. `None` if the browser has no canvas.
    pub fn new(look: &Look, layout: &FrameLayout) -> Option<Letters> {
        let document = window()?.document()?;
        let canvas =
            document.create_element("canvas").ok()?.dyn_into::<HtmlCanvasElement>().ok()?;
        let width = layout.width.saturating_sub(2 * layout.margin).max(1);
        canvas.set_width(width);
        canvas.set_height(look.caption.max(1));
        let options = ContextAttributes2d::new();
        options.set_will_read_frequently(true);
        let context = canvas.get_context_with_context_options("2d", &options).ok()??;
        Some(Letters { context: context.dyn_into().ok()?, width, font: font(look.side) })
    }

    /// Draws the title and the sentence of a step. `None` if the browser does not let the page read
    /// the canvas.
    pub fn draw(&self, language: Language, now: &Snapshot) -> Option<Caption> {
        let Letters { context, width, font } = self;
        let height = LINES * font * 7 / 5;
        context.clear_rect(0.0, 0.0, f64::from(*width), f64::from(height));
        context.set_font(&format!("{font}px system-ui, \"Noto Sans JP\", sans-serif"));
        let sentence = lines(&why(language, now), (2 * width / font) as usize);
        for (line, text) in (0_u32..).zip([title(language, now)].into_iter().chain(sentence)) {
            context.set_fill_style_str(if line == 0 { TITLE } else { "#000" });
            let y = f64::from(font * (10 + 14 * line)) / 10.0;
            // A line that is too wide is drawn narrower.
            context.fill_text_with_max_width(text.trim_end(), 0.0, y, f64::from(*width)).ok()?;
        }
        let image = context.get_image_data(0.0, 0.0, f64::from(*width), f64::from(height)).ok()?;
        // A pixel has four bytes: red, green, blue, and alpha, which is how much it is covered.
        let cover = image.data().0.chunks(4).filter_map(|pixel| pixel.last().copied()).collect();
        Some(Caption { width: *width, cover })
    }
}
