//! Numbers.

use queens_core::notation::grouped;

/// Formats a number with thousands separators and this number of decimals.
pub fn grouped_decimal(value: f64, decimals: usize) -> String {
    let digits = format!("{value:.decimals$}");
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    match whole.parse() {
        Ok(whole) => grouped(whole) + fraction,
        // Negative, or above 64 bits.
        Err(_) => digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_the_thousands_of_ratios() {
        let numbers = [(999.96, 1), (12_345.678, 2), (1e6, 0), (0.25, 2), (1e20, 1)];
        assert_eq!(
            numbers.map(|(value, decimals)| grouped_decimal(value, decimals)),
            ["1,000.0", "12,345.68", "1,000,000", "0.25", "100000000000000000000.0"]
        );
    }
}
