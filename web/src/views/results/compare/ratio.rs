//! Ratios of times as text.

use crate::words::grouped_decimal;

/// Returns a ratio with as many decimals as it needs.
pub fn ratio_text(ratio: f64) -> String {
    let decimals = match ratio {
        10.0.. => 0,
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
    fn ratios_near_one_have_three_decimals() {
        let ratios = [2e-6, 0.012_34, 0.5, 0.987_65, 1.001, 1.25, 12.4, 4e6].map(ratio_text);
        assert_eq!(
            ratios,
            ["0.0000020", "0.012", "0.50", "0.988", "1.001", "1.25", "12", "4,000,000"]
        );
    }
}
