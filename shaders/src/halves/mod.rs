//! Half-board matching on a device that lists placements and counts their pairs.
//!
//! A device joins the placements of the strips twice: first to count them, then to write each to
//! its position. So every list has its room before anything is written. Lists that do not fit at
//! the same time are processed one after the other, and lists that are too long alone in
//! [parts](ListSlice). Then the device splits the lists, in the same two steps, and [tiles](Tile) say
//! which placements to compare. [`HalvesQueue`] controls all of this on any [`Device`], so that devices
//! only launch, read and write.

mod launch;
mod leaves;
mod lists;
mod queue;

pub use launch::{Join, Launch, Shape};
pub use lists::{
    ColumnSetTask, HalfRecord, Halves, Lengths, ListSlice, Pairing, Tile, WaitContext, pairings,
    put_lists, tiles,
};
pub use queue::{Device, HalvesKernel, HalvesQueue, Limits, Pending, ROUND};
