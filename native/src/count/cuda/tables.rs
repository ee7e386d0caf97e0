//! Tables of a board in GPU memory.

use std::sync::Arc;

use queens_core::Size;

use super::{context::Context, memory::DeviceMemory};

/// The tables of half-board matching, shared by all queues of a device.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) context: Arc<Context>,
    pub(super) size: Size,
    /// The offsets into `placements`, and the split tree; see
    /// [`Shape::index`](queens_gpu::halves::Shape::index).
    pub(super) index: DeviceMemory<u32>,
    pub(super) placements: DeviceMemory<u32>,
}

impl Drop for Tables {
    fn drop(&mut self) {
        // The last owner may be on a thread where the context is not current yet, but freeing memory needs
        // the context.
        let _ = self.context.enter();
    }
}
