//! How far the numbers of work in `tests/data/work.json` go.

use queens_core::Stepped;

/// The largest N of a method: what a test can count again within a second.
pub fn far(method: Stepped) -> usize {
    match method {
        Stepped::BruteForce => 7,
        Stepped::Permutations => 9,
        Stepped::Mirror | Stepped::SideCuts | Stepped::Symmetry => 15,
        _ => 12,
    }
}
