//! Which part of the tree is seen, and how large.

use super::layout::{STEP, Window};
use super::props::Props;
use crate::browser::fits;
use crate::place::ExploreLayout;

/// How much of the drawing is seen unmagnified.
const EXTENT: (f64, f64) = (440.0, 300.0);
const ZOOM: f64 = 1.25;
/// The least side of what is to be hit by a finger, in pixels.
const TOUCH: f64 = 44.0;

/// Where somebody looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The left and upper edge; none while it follows the search.
    pub corner: Option<(f64, f64)>,
    /// How often it has been enlarged.
    zoom: i8,
    /// The least zoom: where fingers point, a node must not become too small for them.
    least: f64,
    /// Whether there is room for more.
    large: bool,
}

impl Camera {
    /// Follows the search.
    pub fn new(props: &Props) -> Camera {
        let &Props { zoom, large, .. } = props;
        // The panel is not as wide as the window by its frame and the page's.
        let least = coarse().map_or(0.0, |width| TOUCH / STEP.1 * EXTENT.0 / (width - 64.0));
        let least = least.min(ZOOM.powi(ExploreLayout::ZOOMS[1].into()));
        Camera { corner: None, zoom, least, large }
    }

    /// How much of the drawing is seen.
    pub fn extent(self) -> (f64, f64) {
        let room = if self.large { 1.25 } else { 1.0 };
        let zoom = (ZOOM.powi(self.zoom.into()) / room).max(self.least);
        (EXTENT.0 / zoom, EXTENT.1 / zoom)
    }

    /// The window on a tree whose present node stands at `present`.
    pub fn window(self, present: (f64, f64)) -> Window {
        match self.corner {
            Some(corner) => Window { corner, extent: self.extent() },
            None => Window::around(present, self.extent()),
        }
    }

    /// Whether it can show more of the drawing: below what fingers can hit nothing changes.
    pub fn can_go_back(self) -> bool {
        ZOOM.powi(self.zoom.into()) > self.least
    }

    /// Enlarged so often, in so much room, with the middle where it is.
    pub fn zoomed(self, zoom: i8, large: bool) -> Camera {
        let old = self.extent();
        let zoomed = Camera { zoom, large, ..self };
        let new = zoomed.extent();
        let corner =
            self.corner.map(|(x, y)| (x + (old.0 - new.0) / 2.0, y + (old.1 - new.1) / 2.0));
        Camera { corner, ..zoomed }
    }
}

/// The window's width in the page's pixels, where fingers point.
fn coarse() -> Option<f64> {
    fits("(pointer: coarse)").then(|| web_sys::window()?.inner_width().ok()?.as_f64()).flatten()
}
