//! The frames of an animation: one for each step of a range, or one for each move.

use super::frame::{Caption, Look, Painter, Picture};
use super::palette::Palette;
use crate::board::Row;
use crate::search::picture::{Finding, rows};
use crate::search::state::{Action, ExploreState, Jump, Snapshot};

/// The frames of a range of steps.
#[derive(Clone, Debug)]
pub struct Film {
    state: ExploreState,
    painter: Painter,
    /// The last step.
    to: u64,
    every_step: bool,
    /// Whether the state is at a frame. If so, the next call of `advance` leaves it.
    is_at_frame: bool,
}

/// The outcome of [`Film::advance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// The search is at the next frame.
    Frame,
    /// The search is on its way to the next frame.
    Moving,
    /// There are no more frames.
    Over,
}

impl Film {
    /// The largest number of frames.
    pub const MOST_FRAMES: usize = 300;

    /// Returns the film of the steps `from` to `to`, both included: a frame for each step if
    /// `every_step` is set, otherwise one for `from` and one for each move after it. The search has
    /// the method and the board of `state`.
    pub fn new(state: &ExploreState, [from, to]: [u64; 2], every_step: bool, look: Look) -> Film {
        let mut state = state.clone();
        state.apply(Action::MoveTo(from));
        Film { state, painter: Painter::new(look), to, every_step, is_at_frame: false }
    }

    /// Advances to the next frame while `more` returns true.
    pub fn advance(&mut self, more: &mut dyn FnMut() -> bool) -> Advance {
        if self.is_at_frame {
            self.is_at_frame = false;
            if self.state.is_done() {
                return Advance::Over;
            }
            let next = if self.every_step { Action::MoveBy(1) } else { Action::Next(Jump::Beat) };
            self.state.apply(next);
        }
        self.state.work(more);
        if self.state.jump_in_progress().is_some() {
            return Advance::Moving;
        }
        if self.state.snapshot().step > self.to {
            return Advance::Over;
        }
        self.is_at_frame = true;
        Advance::Frame
    }

    /// The step of the current frame. While the search moves, this is still the previous frame's step.
    pub fn snapshot(&self) -> &Snapshot {
        self.state.snapshot()
    }

    /// The step that the search has reached on its way to the next frame.
    pub fn reached(&self) -> u64 {
        self.state.jump_in_progress().map_or(self.snapshot().step, |(_, step)| step)
    }

    /// The board of the current frame.
    pub fn board(&self) -> (Vec<Row>, Finding) {
        (rows(&self.state), Finding::of(self.snapshot()))
    }

    /// Draws the current frame.
    pub fn picture(&mut self, caption: &Caption) -> Picture {
        let (rows, finding) = self.board();
        self.painter.paint(&rows, &finding, caption)
    }

    /// The colours of all frames.
    pub fn palette(&self) -> &Palette {
        self.painter.palette()
    }
}
