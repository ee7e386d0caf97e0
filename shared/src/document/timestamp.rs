//! Validates RFC 3339 timestamps and converts them to Unix time. The core does not read the clock.

use alloc::format;

/// Seconds in a day.
const DAY: i64 = 86_400;

/// Whether `text` is an RFC 3339 date and time, such as `2026-01-31T09:30:00.5+09:00`.
pub(super) fn is_rfc3339(text: &str) -> bool {
    seconds_since_1970(text).is_some()
}

/// Returns the instant of an RFC 3339 date and time in seconds since 1970-01-01T00:00:00Z, or
/// `None` if `text` is not one. A leap second counts as the first second of the next minute.
///
/// ```
/// use queens_core::document::seconds_since_1970;
/// let tokyo = seconds_since_1970("2026-01-31T09:30:00+09:00");
/// assert_eq!(tokyo, seconds_since_1970("2026-01-31T00:30:00Z"));
/// assert_eq!(seconds_since_1970("1970-01-01T00:00:01.5Z"), Some(1.5));
/// assert_eq!(seconds_since_1970("yesterday"), None);
/// ```
#[must_use]
pub fn seconds_since_1970(text: &str) -> Option<f64> {
    let (date, rest) = text.split_once(['T', 't', ' '])?;
    let (time, zone) = rest.split_at_checked(rest.find(['Z', 'z', '+', '-'])?)?;
    let (seconds, fraction) = seconds_of_day(time)?;
    Some((days_since_1970(date)? * DAY + seconds - offset(zone)?) as f64 + fraction)
}

/// The number of days from 1970-01-01 to a date such as `2026-01-31`.
fn days_since_1970(text: &str) -> Option<i64> {
    let [year, month, day] = numbers(text, '-', [4, 2, 2])?;
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=days).contains(&day) {
        return None;
    }
    // The formula of Howard Hinnant's `days_from_civil`. Years begin in March here, so the leap day
    // is the last day of a year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let days_before_month = (153 * month + 2) / 5;
    // There are 719,468 days between 0000-03-01 and 1970-01-01.
    Some(365 * year + leap_days + days_before_month + day - 1 - 719_468)
}

/// The whole seconds and the fraction of a second of a time such as `09:30:00.5`.
fn seconds_of_day(text: &str) -> Option<(i64, f64)> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, digits)) => {
            let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            let fraction = if is_number { format!("0.{digits}").parse().ok() } else { None };
            (whole, fraction?)
        }
        None => (text, 0.0),
    };
    let [hour, minute, second] = numbers(whole, ':', [2, 2, 2])?;
    // 60 is a leap second.
    let is_time = hour <= 23 && minute <= 59 && second <= 60;
    is_time.then_some((3600 * hour + 60 * minute + second, fraction))
}

/// The seconds by which local time is ahead of UTC: `Z`, `+09:00`, `-11:30`.
fn offset(text: &str) -> Option<i64> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let [hour, minute] = numbers(text.get(1..)?, ':', [2, 2])?;
    (hour <= 23 && minute <= 59).then_some(sign * (3600 * hour + 60 * minute))
}

/// Parses numbers that have exactly `lengths` digits and are separated by `separator`.
fn numbers<const K: usize>(text: &str, separator: char, lengths: [usize; K]) -> Option<[i64; K]> {
    let mut parts = text.split(separator);
    let mut numbers = [0; K];
    for (number, length) in numbers.iter_mut().zip(lengths) {
        let part = parts.next()?;
        let is_number = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        *number = if is_number { part.parse().ok()? } else { return None };
    }
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_rfc_3339_timestamps() {
        for text in [
            "2026-01-31T09:30:00Z",
            "2026-01-31T09:30:00.123456789Z",
            "2024-02-29t23:59:60z",
            "2026-12-31 00:00:00+09:00",
            "2026-12-31T00:00:00.5-11:30",
        ] {
            assert!(is_rfc3339(text), "{text}");
        }
    }

    #[test]
    fn rejects_other_timestamps() {
        for text in [
            "",
            "yesterday",
            "2026-01-31",
            "2026-01-31T09:30:00",
            "2026-01-31T09:30Z",
            "2026-1-31T09:30:00Z",
            "2026-13-01T09:30:00Z",
            "2026-02-29T09:30:00Z",
            "2026-04-31T09:30:00Z",
            "2026-01-31T24:00:00Z",
            "2026-01-31T09:30:00.Z",
            "2026-01-31T09:30:00+0900",
            "2026-01-31T09:30:00+25:00",
            "2026-01-31T09:30:00Zulu",
            "2026-01-31T09:30:00é",
            "+026-01-31T09:30:00Z",
        ] {
            assert!(!is_rfc3339(text), "{text}");
        }
    }

    /// The days are those of `date -u -d DATE +%s`, divided by 86,400.
    #[test]
    fn converts_timestamps_to_unix_time() {
        for (text, days) in [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("0000-01-01", -719_528),
            ("1900-03-01", -25_508),
            ("2000-02-29", 11_016),
            ("2024-12-31", 20_088),
            ("2026-11-24", 20_781),
            ("9999-12-31", 2_932_896),
        ] {
            assert_eq!(days_since_1970(text), Some(days), "{text}");
        }
        let seconds = |text| seconds_since_1970(text).unwrap();
        assert_eq!(seconds("1970-01-02T01:02:03.25Z"), 86_400.0 + 3_723.25);
        // A later local time can be an earlier instant.
        assert!(seconds("2026-01-31T23:00:00+09:00") < seconds("2026-01-31T15:00:00Z"));
        assert!(seconds("2026-01-31T09:30:00-11:30") > seconds("2026-01-31T20:59:59Z"));
    }
}
