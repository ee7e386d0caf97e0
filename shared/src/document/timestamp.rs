//! Whether a text is a date and time by RFC 3339. Core reads no clock and does no arithmetic with
//! dates, so the shape and the ranges are all it needs.

/// Whether `text` is a date and time by RFC 3339, such as `2026-01-31T09:30:00.5+09:00`.
pub(super) fn is_rfc3339(text: &str) -> bool {
    let Some((date, rest)) = text.split_once(['T', 't', ' ']) else {
        return false;
    };
    let Some(zone) = rest.find(['Z', 'z', '+', '-']) else {
        return false;
    };
    let (time, zone) = rest.split_at(zone);
    is_date(date) && is_time(time) && is_zone(zone)
}

fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) =
        (digits(parts.next(), 4), digits(parts.next(), 2), digits(parts.next(), 2), parts.next())
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

fn is_time(text: &str) -> bool {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let mut parts = whole.split(':');
    let (Some(hour), Some(minute), Some(second), None) =
        (digits(parts.next(), 2), digits(parts.next(), 2), digits(parts.next(), 2), parts.next())
    else {
        return false;
    };
    let fraction_is_good = fraction
        .is_none_or(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
    // 60 is a leap second.
    hour <= 23 && minute <= 59 && second <= 60 && fraction_is_good
}

fn is_zone(text: &str) -> bool {
    if matches!(text, "Z" | "z") {
        return true;
    }
    let Some((hour, minute)) = text.get(1..).and_then(|rest| rest.split_once(':')) else {
        return false;
    };
    matches!((digits(Some(hour), 2), digits(Some(minute), 2)), (Some(0..=23), Some(0..=59)))
}

/// The number that exactly `length` digits stand for.
fn digits(text: Option<&str>, length: usize) -> Option<u32> {
    let text = text?;
    let all_digits = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    if all_digits { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::is_rfc3339;

    #[test]
    fn good() {
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
    fn bad() {
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
}
