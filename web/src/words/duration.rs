//! Durations.

use queens_core::notation::grouped;

use super::language::Language;
use crate::words::tr;

/// A year of the Julian calendar, in seconds.
pub const YEAR: f64 = 365.25 * 86_400.0;

/// Formats a number of seconds in the one or two units that matter.
pub fn duration(language: Language, seconds: f64) -> String {
    let two = |value: u64, unit: u64| (value / unit, value % unit);
    let whole = seconds.round() as u64;
    match seconds {
        s if s < 0.000_999_5 => {
            tr!(language, "results.time.microseconds", s = microseconds(s * 1e6))
        }
        s if s < 0.999_5 => {
            tr!(language, "results.time.milliseconds", s = three_digits(s * 1e3))
        }
        s if s < 59.95 => tr!(language, "results.time.seconds", s = three_digits(s)),
        s if s < 3599.5 => {
            let (m, s) = two(whole, 60);
            tr!(language, "results.time.minutes", m = m, s = s)
        }
        s if s < 86_370.0 => {
            let (h, m) = two((seconds / 60.0).round() as u64, 60);
            tr!(language, "results.time.hours", h = h, m = m)
        }
        // No count takes longer than a thousand years, but a document can claim to.
        s if s > 365_250.0 * 86_400.0 => {
            tr!(language, "results.time.ages", d = format!("{:.1e}", s / 86_400.0))
        }
        s if s >= 2.0 * YEAR => {
            let years = s / YEAR;
            let y = if years < 99.95 { format!("{years:.1}") } else { format!("{years:.0}") };
            tr!(language, "results.time.years", y = y)
        }
        _ => {
            let (d, h) = two((seconds / 3600.0).round() as u64, 24);
            tr!(language, "results.time.days", d = grouped(d), h = h)
        }
    }
}

/// Formats a number of microseconds with three significant digits, and as 0 if it would be rounded to 0.00.
fn microseconds(value: f64) -> String {
    if value < 0.005 { "0".to_owned() } else { three_digits(value) }
}

/// Formats a number from 1 to 999 with three significant digits, a smaller one with two decimals.
fn three_digits(value: f64) -> String {
    let decimals = match value {
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_durations() {
        let en = |seconds| duration(Language::English, seconds);
        assert_eq!(en(0.000_25), "250 µs");
        assert_eq!(
            [0.0, 4e-9, 1.9e-6, 2.1e-6, 34.5e-6].map(en),
            ["0 µs", "0 µs", "1.90 µs", "2.10 µs", "34.5 µs"]
        );
        // From 1 ms on, a time has the same number of digits wherever it is shown.
        assert_eq!(en(0.004_81), "4.81 ms");
        assert_eq!(en(0.05), "50.0 ms");
        assert_eq!(en(0.25), "250 ms");
        assert_eq!([0.000_999_7, 0.009_997, 0.999_7].map(en), ["1.00 ms", "10.0 ms", "1.00 s"]);
        assert_eq!([9.997, 12.34].map(en), ["10.0 s", "12.3 s"]);
        assert_eq!(en(1.384), "1.38 s");
        assert_eq!(en(59.97), "1 min 0 s");
        assert_eq!(en(128.0), "2 min 8 s");
        assert_eq!(en(11_294.0), "3 h 8 min");
        assert_eq!(en(1_141_200.0), "13 d 5 h");
        assert_eq!(en(729.0 * 86_400.0), "729 d 0 h");
        assert_eq!(en(4_121.6 * 86_400.0), "11.3 years");
        assert_eq!(en(300_000.0 * 86_400.0), "821 years");
        assert_eq!(en(1e300), "1.2e295 d");
    }
}
