//! Half-board matching on a GPU.
//!
//! A GPU joins the placements of the strips twice: first to count them, then to write each to its
//! position. In between, the host assigns memory to each list. Lists that do not fit at the same
//! time are processed one after the other. A list that does not even fit alone is processed in
//! [parts](ListSlice).
//! Then the GPU splits the lists, in the same two steps, and compares them [tile](Tile) by tile.
//! [`HalvesQueue`] controls all of this on any [`Device`], which only launches, reads and writes.

mod launch;
mod leaves;
mod lists;
mod queue;

pub use launch::{Launch, Pass, Shape};
pub use lists::{
    Choice, HalfRecord, Halves, Lengths, ListSlice, Pairing, Tile, WaitContext, pairings,
    place_lists, tiles,
};
pub use queue::{Device, HalvesKernel, HalvesQueue, Limits, Pending, ROUND};
