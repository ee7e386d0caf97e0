//! Dates and times of counts, in the reader's time zone.

use queens_core::document::seconds_since_1970;

use crate::browser::date_and_time;

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
        if seconds_since_1970(stamp).is_none() {
            return Moment { local: stamp.to_owned(), utc: stamp.to_owned() };
        }
        let [local, utc] = [None, Some("UTC")].map(|zone| date_and_time(stamp, zone));
        let is_utc = local == utc;
        let utc = utc + " UTC";
        Moment { local: if is_utc { utc.clone() } else { local }, utc }
    }

    /// Returns both times, the second in brackets; only one if they are equal.
    pub fn both(self) -> String {
        if self.local == self.utc { self.local } else { format!("{} ({})", self.local, self.utc) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_name_the_zone_only_if_it_is_utc() {
        let moment = Moment::new("2026-01-31T09:30:59.5Z");
        assert_eq!(moment.both(), "2026-01-31 09:30 UTC");
        let [local, utc] = ["2026-02-01 00:30", "2026-01-31 15:30 UTC"].map(str::to_owned);
        assert_eq!(Moment { local, utc }.both(), "2026-02-01 00:30 (2026-01-31 15:30 UTC)");
        assert_eq!(Moment::new("soon").both(), "soon");
    }
}
