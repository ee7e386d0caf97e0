//! The work counters of a comparison.

use queens_core::Stepped;
use queens_state::search::race::Unit;

use crate::words::grouped;
use crate::worker::Effort;

/// Returns the value of a work counter.
pub type WorkCounter = fn(&Effort) -> u64;

/// The key of the counter that some methods do not have.
const TESTED: &str = "work.looked";

/// The counters, each with the key of its name. Queens and tested squares are different units, so each has
/// its own counter.
pub const COUNTERS: [(&str, WorkCounter); 7] = [
    ("compare.steps", |effort| effort.steps),
    ("work.put", |effort| effort.placed),
    (TESTED, |effort| effort.looked_at),
    ("work.attacked", |effort| effort.attacked),
    ("compare.cut", |effort| effort.cut),
    ("work.comparisons", |effort| effort.comparisons),
    ("work.solutions", |effort| effort.solutions),
];

/// Whether a counter applies to a method.
pub fn applies(name: &str, method: Stepped) -> bool {
    name != TESTED || Unit::SquaresTried.applies_to(method.facts())
}

/// Returns the number of a counter as text, or a dash if the counter does not apply to the method.
pub fn count_text(name: &str, method: Stepped, count: u64) -> String {
    if applies(name, method) { grouped(count) } else { "–".to_owned() }
}

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
