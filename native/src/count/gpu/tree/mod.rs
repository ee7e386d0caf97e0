//! Tree search of the method `symmetry` on GPUs.
//!
//! A GPU searches thousands of small subtrees in parallel, so the host divides the tasks: the start of
//! each task becomes a node, nodes are expanded level by level, and the nodes of the last level are
//! searched to the end. The data stays on the GPU. The host only selects the level and the range of the
//! next launch, so that no buffer overflows, no launch takes long, and progress can be shown.
//! `shaders/README.md` explains the kernels.

mod device;
mod search;

pub use device::Device;
pub use search::TreeSearch;
