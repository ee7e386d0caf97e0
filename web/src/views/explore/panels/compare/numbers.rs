//! The work counters of a comparison.

use crate::words::grouped;
use crate::worker::Effort;

/// Returns the value of a work counter.
pub type WorkCounter = fn(&Effort) -> u64;

/// The counters, each with the key of its name.
pub const COUNTERS: [(&str, WorkCounter); 6] = [
    ("compare.steps", |effort| effort.steps),
    ("work.tried", |effort| effort.tried),
    ("work.attacked", |effort| effort.attacked),
    ("compare.cut", |effort| effort.cut),
    ("work.comparisons", |effort| effort.comparisons),
    ("work.solutions", |effort| effort.solutions),
];

/// The ratio of the second number to the first, or a dash if one of them is 0.
pub fn ratio(first: u64, second: u64) -> String {
    if first == 0 || second == 0 {
        return "–".to_owned();
    }
    let ratio = second as f64 / first as f64;
    if ratio < 9.995 {
        format!("× {ratio:.2}")
    } else {
        format!("× {}", grouped(ratio.round() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_ratios() {
        let pairs = [(4, 1), (3, 10), (1, 10), (7, 123_456), (0, 3), (3, 0)];
        let shown = pairs.map(|(first, second)| ratio(first, second));
        assert_eq!(shown, ["× 0.25", "× 3.33", "× 10", "× 17,637", "–", "–"]);
    }
}
