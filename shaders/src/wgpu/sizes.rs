//! How much is done at once, by the kind of device.

/// How much a card holds and does at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// The nodes of a level.
    pub(super) nodes: u32,
    /// The lanes of a launch. They take up nodes until none is left, so that more than run at once
    /// gain nothing.
    pub(super) lanes: u32,
    /// How often the loops of a lane may turn in one launch.
    pub(super) turns: u32,
    /// The fewest nodes worth a launch.
    pub(super) launch: u32,
}

impl Sizes {
    /// For a GPU with memory of its own.
    pub(super) const LARGE: Sizes =
        Sizes { nodes: 1 << 20, lanes: 1 << 16, turns: 1 << 17, launch: 1 << 18 };

    /// For a GPU that shares the processor's memory.
    pub(super) const MEDIUM: Sizes =
        Sizes { nodes: 1 << 18, lanes: 1 << 15, turns: 1 << 17, launch: 1 << 17 };

    /// For software. That of Mesa ends a shader without a word once its loops have turned 65,535
    /// times, counted over eight or sixteen lanes that run together.
    pub(super) const SOFTWARE: Sizes =
        Sizes { nodes: 1 << 16, lanes: 1 << 10, turns: 1 << 11, launch: 1 << 8 };
}
