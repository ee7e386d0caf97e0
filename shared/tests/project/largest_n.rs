//! The largest N of each method in `tests/data/work.json`.

use queens_core::Stepped;

/// The largest N at which a test can count a method's work within a second.
pub fn largest_n(method: Stepped) -> usize {
    match method {
        Stepped::BruteForce => 7,
        Stepped::Permutations => 9,
        Stepped::Mirror | Stepped::SideCuts | Stepped::Symmetry => 15,
        _ => 12,
    }
}
