//! Sizes of buffers and launches by device type.

/// The sizes of buffers and launches on a device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// The number of nodes in a level.
    pub(super) nodes: u32,
    /// The maximum number of invocations of a launch. Each takes one node after another, so more
    /// invocations than can run at the same time gain nothing.
    pub(super) lanes: u32,
    /// The maximum number of loop iterations of an invocation in one launch.
    pub(super) turns: u32,
    /// The smallest number of nodes worth a launch.
    pub(super) launch: u32,
    /// The maximum number of workgroups of a launch of the colour join.
    pub(super) workgroups: u32,
}

impl Sizes {
    /// For a GPU with its own memory.
    pub(super) const LARGE: Sizes = Sizes {
        nodes: 1 << 20,
        lanes: 1 << 16,
        turns: 1 << 17,
        launch: 1 << 18,
        workgroups: u16::MAX as u32,
    };

    /// For every other GPU. Most of them share the processor's memory.
    pub(super) const MEDIUM: Sizes = Sizes {
        nodes: 1 << 18,
        lanes: 1 << 15,
        turns: 1 << 17,
        launch: 1 << 17,
        workgroups: u16::MAX as u32,
    };

    /// For software renderers. Mesa's lavapipe silently ends a shader after 65,535 iterations of
    /// its loops, added up over the eight or sixteen invocations that run together.
    pub(super) const SOFTWARE: Sizes = Sizes {
        nodes: 1 << 16,
        lanes: 1 << 10,
        turns: 1 << 11,
        launch: 1 << 8,
        workgroups: 1 << 10,
    };
}
