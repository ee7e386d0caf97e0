//! Times from documents.

/// The resolution of clocks, in seconds.
const RESOLUTION: f64 = 1e-9;

/// Returns a time in seconds, or 0 for less than a nanosecond. A document can claim any time, but rates
/// and factors of such times would exceed all numbers.
pub fn measured(seconds: f64) -> f64 {
    if seconds < RESOLUTION { 0.0 } else { seconds }
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
