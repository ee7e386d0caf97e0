//! Times from documents, and the median of numbers that are computed from them.

/// The resolution of clocks, in seconds.
const RESOLUTION: f64 = 1e-9;

/// Returns a time in seconds, or 0 for less than a nanosecond. A document can claim any time, but rates
/// and factors of such times would exceed all numbers.
pub fn measured(seconds: f64) -> f64 {
    if seconds < RESOLUTION { 0.0 } else { seconds }
}

/// Returns the median of some numbers: the mean of the middle two if their number is even.
pub fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_unstable_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    let upper = *numbers.get(middle)?;
    let lower = if numbers.len().is_multiple_of(2) { middle.checked_sub(1) } else { None };
    let lower = lower.and_then(|lower| numbers.get(lower)).copied().unwrap_or(upper);
    Some(f64::midpoint(lower, upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_than_a_nanosecond_is_nothing() {
        assert_eq!([0.0, 1e-308, 9.99e-10].map(measured), [0.0; 3]);
        assert_eq!([1e-9, 0.25].map(measured), [1e-9, 0.25]);
    }
}
