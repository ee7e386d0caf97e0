//! Durations.

use queens_core::notation::grouped;

use super::language::Language;
use crate::tr;

/// A year of the Julian calendar, in seconds.
pub const YEAR: f64 = 365.25 * 86_400.0;

/// Formats a number of seconds in the one or two units that matter.
pub fn duration(language: Language, seconds: f64) -> String {
    let two = |value: u64, unit: u64| (value / unit, value % unit);
    let whole = seconds.round() as u64;
    match seconds {
        s if s < 0.001 => tr!(language, "results.time.microseconds", s = format!("{:.0}", s * 1e6)),
        s if s < 1.0 => tr!(language, "results.time.milliseconds", s = format!("{:.0}", s * 1e3)),
        s if s < 10.0 => tr!(language, "results.time.seconds", s = format!("{s:.2}")),
        s if s < 59.95 => tr!(language, "results.time.seconds", s = format!("{s:.1}")),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_durations() {
        let en = |seconds| duration(Language::English, seconds);
        assert_eq!(en(0.000_25), "250 µs");
        assert_eq!(en(0.25), "250 ms");
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
