//! The largest N of the work counters in `tests/data/work.json`.

use queens_core::Stepped;

/// The largest N of a method that a test can recount within a second.
pub fn far(method: Stepped) -> usize {
    match method {
        Stepped::BruteForce => 7,
        Stepped::Permutations => 9,
        Stepped::Mirror | Stepped::SideCuts | Stepped::Symmetry => 15,
        _ => 12,
    }
}
