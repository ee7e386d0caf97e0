//! Scroll position and zoom of the tree.

use super::layout::{Layout, STEP, Window};
use super::props::Props;
use crate::browser::{media_matches, window};
use crate::place::ExploreLayout;

/// The extent of the visible part at zoom 0.
const EXTENT: (f64, f64) = (440.0, 300.0);
/// The factor between two zoom levels.
const ZOOM: f64 = 1.25;
/// The smallest side of a touch target, in pixels.
const TOUCH: f64 = 44.0;

/// The visible part of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The upper left corner; `None` while the camera follows the search.
    pub corner: Option<(f64, f64)>,
    /// The zoom level: the exponent of [`ZOOM`].
    zoom: i8,
    /// The smallest zoom factor. On touch screens, nodes must not become too small.
    least: f64,
    /// Whether the tree fills the window.
    large: bool,
}

impl Camera {
    /// Creates a camera that follows the search.
    pub fn new(props: &Props) -> Camera {
        let &Props { zoom, large, .. } = props;
        // The margins of the page and of the panel make the tree narrower than the window.
        let least =
            touch_screen_width().map_or(0.0, |width| TOUCH / STEP.1 * EXTENT.0 / (width - 64.0));
        let least = least.min(ZOOM.powi(ExploreLayout::ZOOM_LIMITS[1].into()));
        Camera { corner: None, zoom, least, large }
    }

    /// The zoom factor without regard to touch targets. A tree that fills the window shows 1.25 times
    /// as much in each direction.
    fn factor(self) -> f64 {
        let room = if self.large { 1.25 } else { 1.0 };
        ZOOM.powi(self.zoom.into()) / room
    }

    /// The extent of the visible part.
    pub fn extent(self) -> (f64, f64) {
        let zoom = self.factor().max(self.least);
        (EXTENT.0 / zoom, EXTENT.1 / zoom)
    }

    /// The visible part of a tree whose current node is at `current`.
    pub fn window(self, current: (f64, f64)) -> Window {
        match self.corner {
            Some(corner) => Window { corner, extent: self.extent() },
            None => Window::around(current, self.extent()),
        }
    }

    /// Moves the visible part to a corner; `None` if no node would be in sight.
    pub fn moved_to(self, corner: (f64, f64), tree: &Layout) -> Option<Camera> {
        let window = Window { corner, extent: self.extent() };
        let is_seen = tree.items.iter().any(|item| window.shows(item));
        is_seen.then_some(Camera { corner: Some(corner), ..self })
    }

    /// Whether zooming out changes anything. It stops when touch targets would become too small.
    pub fn can_zoom_out(self) -> bool {
        self.factor() > self.least
    }

    /// Changes the zoom level and the size of the panel, but keeps the centre.
    pub fn zoomed(self, zoom: i8, large: bool) -> Camera {
        let old = self.extent();
        let zoomed = Camera { zoom, large, ..self };
        let new = zoomed.extent();
        let corner =
            self.corner.map(|(x, y)| (x + (old.0 - new.0) / 2.0, y + (old.1 - new.1) / 2.0));
        Camera { corner, ..zoomed }
    }
}

/// The width of the window in CSS pixels on a touch screen; `None` with a mouse.
fn touch_screen_width() -> Option<f64> {
    media_matches("(pointer: coarse)").then(|| window()?.inner_width().ok()?.as_f64()).flatten()
}

#[cfg(test)]
mod tests {
    use queens_core::{Node, Size, Stepped};

    use super::super::layout::{Opened, layout};
    use super::*;

    #[test]
    fn the_tree_cannot_be_dragged_out_of_sight() {
        let current = Node::root(Size::new(8).unwrap()).below(2);
        let tree = layout(Stepped::Symmetry, current, None, &Opened::default());
        for by in [(0.0, -40.0), (0.0, 40.0), (40.0, 0.0), (-40.0, 0.0), (30.0, 30.0)] {
            let mut camera = Camera { corner: Some((0.0, 0.0)), zoom: 0, least: 0.0, large: false };
            let mut moves = 0;
            while let Some((x, y)) = camera.corner
                && let Some(moved) = camera.moved_to((x + by.0, y + by.1), &tree)
            {
                camera = moved;
                moves += 1;
                assert!(tree.items.iter().any(|item| camera.window((0.0, 0.0)).shows(item)));
                assert!(moves < 1000, "{by:?}");
            }
            assert!(moves > 0, "{by:?}");
        }
    }

    #[test]
    fn zooms_out_exactly_as_long_as_that_shows_more() {
        // On a narrow touch screen, level 0 is the smallest in the panel, and level 1 in the window.
        for large in [false, true] {
            for zoom in -2..=3 {
                let camera = Camera { corner: None, zoom, least: 1.0, large };
                let shows_more = camera.zoomed(zoom - 1, large).extent() > camera.extent();
                assert_eq!(camera.can_zoom_out(), shows_more, "level {zoom}, large: {large}");
            }
        }
    }
}
