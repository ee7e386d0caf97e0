//! Half-board matching: what a task is for a device that makes lists and counts their pairs.
//!
//! A device joins the placements of the strips twice, once to know how many there are, and once to
//! put each in its place. So there is room for every list before anything is written. What does not
//! fit at once is done one after the other, and lists too long for the room in [parts](Part). Then it
//! splits the lists, in the same two steps, and [tiles](Tile) say which placements are compared.
//! [`Queue`] does all that on any [`Device`], so that devices only launch, read and write.

mod launch;
mod leaves;
mod lists;
mod queue;

pub use launch::{Join, Launch, Shape};
pub use lists::{
    Choice, Guide, Half, Halves, Lengths, Pairing, Part, Tile, pairings, put_lists, tiles,
};
pub use queue::{Device, Kernel, Limits, Pending, Queue, ROUND};
