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

/// Formats the ratio of two times with as many decimals as it needs.
pub fn ratio_text(ratio: f64) -> String {
    let decimals = match ratio {
        9.995.. => 0,
        ratio if (0.9..1.1).contains(&ratio) => 3,
        0.1.. => 2,
        // Two digits after the zeros.
        ratio if ratio > 0.0 => (1.0 - ratio.log10().floor()) as usize,
        _ => 0,
    };
    grouped_decimal(ratio, decimals)
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

    #[test]
    fn ratios_near_one_have_three_decimals() {
        let ratios = [2e-6, 0.012_34, 0.5, 0.987_65, 1.001, 1.25, 9.997, 12.4, 4e6];
        assert_eq!(
            ratios.map(ratio_text),
            ["0.0000020", "0.012", "0.50", "0.988", "1.001", "1.25", "10", "12", "4,000,000"]
        );
    }
}
