//! Dates and times of counts, in the reader's time zone.

use queens_core::document::seconds_since_1970;

use crate::browser::utc_offset;

/// A date and time to the minute.
#[derive(Debug, PartialEq)]
pub struct Moment {
    /// In the reader's time zone: `2026-01-31 18:30`. With the zone only if that is UTC.
    pub local: String,
    /// In UTC: `2026-01-31 09:30 UTC`.
    pub utc: String,
}

impl Moment {
    /// Converts a date and time of RFC 3339. A text of another form is returned unchanged.
    pub fn new(stamp: &str) -> Moment {
        Moment::at(stamp, utc_offset)
    }

    /// `offset` returns the reader's offset from UTC in minutes, at a time in seconds since 1970.
    fn at(stamp: &str, offset: impl Fn(f64) -> i64) -> Moment {
        let Some(seconds) = seconds_since_1970(stamp) else {
            return Moment { local: stamp.to_owned(), utc: stamp.to_owned() };
        };
        let minutes = (seconds / 60.0).floor() as i64;
        let utc = text(minutes) + " UTC";
        let local = match offset(seconds) {
            0 => utc.clone(),
            offset => text(minutes + offset),
        };
        Moment { local, utc }
    }

    /// Returns the local time to the second.
    pub fn local_to_second(stamp: &str) -> String {
        let mut local = Moment::new(stamp).local;
        if let Some(seconds) = seconds_since_1970(stamp) {
            let second = seconds.rem_euclid(60.0) as u32;
            local.insert_str("2026-01-31 18:30".len(), &format!(":{second:02}"));
        }
        local
    }

    /// Returns both times, the second in brackets; only one if they are equal.
    pub fn both(self) -> String {
        if self.local == self.utc { self.local } else { format!("{} ({})", self.local, self.utc) }
    }
}

/// Formats a number of minutes since 1970.
fn text(minutes: i64) -> String {
    let (days, minute) = (minutes.div_euclid(24 * 60), minutes.rem_euclid(24 * 60));
    let [year, month, day] = date(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minute / 60, minute % 60)
}

/// Returns year, month and day of a number of days since 1970-01-01 (Howard Hinnant's `civil_from_days`).
fn date(days: i64) -> [i64; 3] {
    // Years begin in March here, so the leap day is the last day of a year.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    [era * 400 + year + next, month, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_the_time_zone_of_the_reader() {
        let tokyo = |stamp| Moment::at(stamp, |_| 9 * 60);
        let moment = tokyo("2026-01-31T15:30:59.5Z");
        assert_eq!(moment.local, "2026-02-01 00:30");
        assert_eq!(moment.utc, "2026-01-31 15:30 UTC");
        assert_eq!(moment.both(), "2026-02-01 00:30 (2026-01-31 15:30 UTC)");
        assert_eq!(tokyo("2026-01-31T09:30:00+09:00").local, "2026-01-31 09:30");
        let west = Moment::at("2024-03-01T02:15:00Z", |_| -3 * 60 - 30);
        assert_eq!(west.local, "2024-02-29 22:45");
        let utc = Moment::at("2026-01-31T09:30:00Z", |_| 0);
        assert_eq!(utc.both(), "2026-01-31 09:30 UTC");
        assert_eq!(tokyo("soon").local, "soon");
    }

    #[test]
    fn seconds_follow_the_minutes() {
        let local = Moment::local_to_second("2026-01-31T09:30:07.5Z");
        assert!(local.contains(":30:07"), "{local}");
        assert_eq!(Moment::local_to_second("soon"), "soon");
    }

    #[test]
    fn dates_are_the_inverse_of_the_parsed_ones() {
        for days in (-200_000..60_000).step_by(97) {
            let [year, month, day] = date(days);
            let stamp = format!("{year:04}-{month:02}-{day:02}T00:00:00Z");
            assert_eq!(seconds_since_1970(&stamp), Some(days as f64 * 86_400.0), "{stamp}");
        }
    }
}
