//! The values of a chart as text: short on the axis, exact enough in the table.

use queens_core::notation::grouped;

use super::series::Quantity;
use crate::text::{Language, duration};
use crate::tr;

impl Quantity {
    /// A value in the table and at its mark.
    pub fn text(self, language: Language, value: f64) -> String {
        match self {
            Quantity::Time => duration(language, value),
            Quantity::Rate => rate(language, value),
            Quantity::SpeedUp => factor(value),
        }
    }

    /// A value at a tick of the axis.
    pub fn tick(self, language: Language, value: f64) -> String {
        match self {
            Quantity::Time => round_time(language, value),
            Quantity::Rate | Quantity::SpeedUp => self.text(language, value),
        }
    }
}

/// A round time, such as a power of ten of a second.
fn round_time(language: Language, seconds: f64) -> String {
    let rounded = |value: f64| ((value * 100.0).round() / 100.0).to_string();
    match seconds {
        s if s < 0.000_999 => tr!(language, "results.time.microseconds", s = rounded(s * 1e6)),
        s if s < 0.999 => tr!(language, "results.time.milliseconds", s = rounded(s * 1e3)),
        s if s < 9_999.0 => tr!(language, "results.time.seconds", s = rounded(s)),
        s => {
            let power = format!("10{}", superscript(s.log10().round() as i32));
            tr!(language, "results.time.seconds", s = power)
        }
    }
}

/// Solutions per second.
fn rate(language: Language, value: f64) -> String {
    let power = value.log10().floor() as i32;
    let digits = value / 10_f64.powi(power);
    let number = if value < 9_999.0 {
        ((value * 10.0).round() / 10.0).to_string()
    } else if (digits - 1.0).abs() < 0.005 {
        format!("10{}", superscript(power))
    } else {
        format!("{digits:.2}·10{}", superscript(power))
    };
    tr!(language, "results.chart.per-second", rate = number)
}

/// A speed-up.
fn factor(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("× {}", grouped(value.round() as u64)),
        value if value >= 10.0 => format!("× {}", (value * 10.0).round() / 10.0),
        value => format!("× {}", (value * 1000.0).round() / 1000.0),
    }
}

/// A whole number as an exponent.
fn superscript(power: i32) -> String {
    let digit = |digit| match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        '-' => '⁻',
        _ => '⁰',
    };
    power.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::plain;

    #[test]
    fn formats_ticks_and_values() {
        let times = [0.00001, 0.5, 1000.0, 1e6];
        let tick = |seconds| plain(&Quantity::Time.tick(Language::English, seconds));
        assert_eq!(times.map(tick), ["10 µs", "500 ms", "1000 s", "10⁶ s"]);
        let rate = |value| plain(&Quantity::Rate.text(Language::Japanese, value));
        assert_eq!([10.0, 1e9, 2.5e7].map(rate), ["10/秒", "10⁹/秒", "2.50·10⁷/秒"]);
        let factors = [0.25, 24.04, 1234.0].map(factor);
        assert_eq!(factors, ["× 0.25", "× 24", "× 1,234"]);
    }
}
