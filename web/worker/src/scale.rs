//! The logarithmic scale of an axis.

use serde::{Deserialize, Serialize};

/// A logarithmic scale. Its ends are stored as exponents of ten.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogScale {
    least: f64,
    most: f64,
}

impl LogScale {
    /// Returns the shortest scale between powers of ten that includes all values. They must be above 0.
    /// Without values, it is from 1 to 10.
    pub fn of(values: impl Iterator<Item = f64>) -> LogScale {
        let [least, most] = LogScale::ends(values);
        let least = least.floor();
        LogScale { least, most: most.ceil().max(least + 1.0) }
    }

    /// Returns a scale of at least one decade with all values in the middle. They must be above 0. Without values,
    /// it is from 1 to 10.
    pub fn around(values: impl Iterator<Item = f64>) -> LogScale {
        /// The space at each end, as a part of the range of the values.
        const SPACE: f64 = 0.04;
        let [least, most] = LogScale::ends(values);
        let range = ((most - least) * (1.0 + 2.0 * SPACE)).max(1.0);
        let middle = f64::midpoint(least, most);
        LogScale { least: middle - range / 2.0, most: middle + range / 2.0 }
    }

    /// Returns the exponents of ten of the least and the largest value; without values, those of 1 and 10.
    fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
        let exponents: Vec<f64> = values.map(f64::log10).collect();
        let least = exponents.iter().copied().reduce(f64::min);
        let most = exponents.iter().copied().reduce(f64::max);
        least.zip(most).map_or([0.0, 1.0], |(least, most)| [least, most])
    }

    /// Returns the position of a value, from 0 at the lower end to 1 at the upper end.
    pub fn share(self, value: f64) -> f64 {
        (value.log10() - self.least) / (self.most - self.least)
    }

    /// The length of the scale in powers of ten.
    pub fn decades(self) -> i32 {
        (self.most - self.least) as i32
    }

    /// Selects values to label from candidates, those of the first group first, so that neighbours have a
    /// distance of at least a tenth of the scale.
    pub fn spaced(self, groups: &[Vec<f64>]) -> Vec<f64> {
        let mut ticks: Vec<f64> = Vec::new();
        for &value in groups.iter().flatten() {
            let place = self.share(value);
            // The tolerance is needed because logarithms are not exact.
            let is_inside = (-0.000_1..1.000_1).contains(&place);
            let is_free = ticks.iter().all(|&tick| (self.share(tick) - place).abs() > 0.099_9);
            if is_inside && is_free {
                ticks.push(value);
            }
        }
        ticks.sort_by(f64::total_cmp);
        ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_around_values_has_them_in_the_middle() {
        let scale = LogScale::around([0.001, 1.0].into_iter());
        let [first, last] = [0.001, 1.0].map(|value| scale.share(value));
        assert!(
            first > 0.0 && first < 0.05 && (first + last - 1.0).abs() < 1e-9,
            "{first}, {last}"
        );
        // Equal values have a scale, too.
        let scale = LogScale::around([2.0, 2.0].into_iter());
        assert!((scale.share(2.0) - 0.5).abs() < 1e-9 && scale.decades() >= 1, "{scale:?}");
    }

    #[test]
    fn a_scale_begins_and_ends_on_powers_of_ten() {
        let scale = LogScale::of([0.03, 7.0, 250.0].into_iter());
        assert_eq!((scale.share(0.01), scale.share(1000.0)), (0.0, 1.0));
        assert!((scale.share(1.0) - 0.4).abs() < 1e-12);
        let narrow = LogScale::of([3.0, 3.0].into_iter());
        assert_eq!((narrow.share(1.0), narrow.share(10.0)), (0.0, 1.0));
        assert_eq!(LogScale::of([].into_iter()), narrow);
    }
}
