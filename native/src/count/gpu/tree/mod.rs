//! The tree search of the method symmetry, as a work for cards.
//!
//! A GPU searches thousands of small boards at once, so the host cuts tasks up: each task's start
//! becomes a node, nodes are expanded level by level, and what comes out of the last level is
//! searched to the end. All of that happens on the device; the host only says which range of which
//! level is next, so that no buffer overflows, no launch takes long, and progress can be shown.
//! `shaders/README.md` explains the kernels.

mod device;
mod search;

pub use device::Device;
pub use search::TreeSearch;
