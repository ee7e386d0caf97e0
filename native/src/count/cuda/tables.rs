//! The tables of a board on a card.

use std::sync::Arc;

use queens_core::Size;

use super::{context::Context, memory::DeviceMemory};

/// The tables of half-board matching, which all queues of a card share.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) context: Arc<Context>,
    pub(super) size: Size,
    pub(super) index: DeviceMemory<u32>,
    pub(super) placements: DeviceMemory<u32>,
}

impl Drop for Tables {
    fn drop(&mut self) {
        // Whichever thread is the last to let go of them.
        let _ = self.context.enter();
    }
}
