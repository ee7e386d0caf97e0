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
    /// The elements of lists that are in memory at a time, as far as there is memory.
    pub(super) elements: u32,
    /// The elements of a list that a workgroup compares with its tile.
    pub(super) others: u32,
    /// The workgroups that compare lists in a launch.
    pub(super) workgroups: u32,
}

/// What every device launches at once.
const WORKGROUPS: u32 = 65_535;

impl Sizes {
    /// For a GPU with memory of its own.
    pub(super) const LARGE: Sizes = Sizes {
        nodes: 1 << 20,
        lanes: 1 << 16,
        turns: 1 << 17,
        launch: 1 << 18,
        elements: 1 << 26,
        others: 1 << 12,
        workgroups: WORKGROUPS,
    };

    /// For a GPU that shares the processor's memory.
    pub(super) const MEDIUM: Sizes = Sizes {
        nodes: 1 << 18,
        lanes: 1 << 15,
        turns: 1 << 17,
        launch: 1 << 17,
        elements: 1 << 24,
        others: 1 << 12,
        workgroups: WORKGROUPS,
    };

    /// For software. That of Mesa ends a shader without a word once its loops have turned 65,535
    /// times, counted over eight or sixteen lanes that run together.
    pub(super) const SOFTWARE: Sizes = Sizes {
        nodes: 1 << 16,
        lanes: 1 << 10,
        turns: 1 << 11,
        launch: 1 << 8,
        elements: 1 << 22,
        others: 1 << 6,
        workgroups: WORKGROUPS,
    };
}
