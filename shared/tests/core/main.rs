//! Tests of the core through its public interface. Their modules use only what the published package has.
//!
//! They are one program, because linking a program takes longer than running its tests.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic, too")]

use queens_core::Size;

mod board;
mod cuts;
mod facts;
mod forms;
#[cfg(feature = "serde")]
mod serial;
mod square_view;
mod tree;
#[cfg(any(target_arch = "aarch64", all(target_feature = "avx2", target_feature = "bmi2")))]
mod vectors;

// These use plans or features that need a heap.
#[cfg(feature = "alloc")]
mod colours;
#[cfg(feature = "alloc")]
mod completion;
#[cfg(feature = "alloc")]
mod count;
#[cfg(feature = "alloc")]
mod exercises;
#[cfg(feature = "alloc")]
mod material;
#[cfg(feature = "alloc")]
mod notation;
#[cfg(feature = "alloc")]
mod notations;
#[cfg(feature = "alloc")]
mod programs;
#[cfg(feature = "alloc")]
mod properties;

fn size(n: u32) -> Size {
    Size::new(n).unwrap()
}
