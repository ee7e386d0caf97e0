//! Lease on a journal, which lets only one process at a time write to the file.

use std::{
    fmt,
    time::{Duration, Instant},
};

use jiff::Timestamp;

use crate::host::{self, Process};

/// Time after which a lease expires if it is not renewed. Its holder renews it at least every ten
/// seconds.
pub const LEASE_DURATION: Duration = Duration::from_secs(60);

/// The process that holds the lease of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Random identifier of the lease.
    pub(super) token: i64,
    pub host: String,
    pub process: Process,
    /// Time of the last renewal by the holder's clock, in milliseconds since 1970. It is only shown to
    /// users, never compared, because the clocks of two machines differ.
    pub(super) renewed: i64,
    /// Number of renewals.
    pub(super) renewals: i64,
}

impl Holder {
    pub(super) fn this_process() -> Holder {
        Holder {
            token: fastrand::i64(..),
            host: host::name().to_owned(),
            process: Process::this(),
            renewed: host::now().as_millisecond(),
            renewals: 0,
        }
    }

    pub(super) fn renew(&mut self) {
        self.renewed = host::now().as_millisecond();
        self.renewals = self.renewals.wrapping_add(1);
    }

    pub(super) fn has_same_token(&self, other: &Holder) -> bool {
        self.token == other.token
    }

    /// Returns whether the lease is abandoned because its process is known to have exited. A lease of this
    /// process counts as abandoned, too: an earlier [`Journal`](super::Journal) in this process failed to
    /// release it.
    pub fn has_exited(&self) -> bool {
        self.process.is_certainly(&Process::this()) || self.process.has_ended()
    }

    /// Returns the time of the last renewal, by the holder's clock.
    pub fn renewed(&self) -> Timestamp {
        Timestamp::from_millisecond(self.renewed).unwrap_or_default()
    }

    /// Returns whether the lease may be taken over: its process has exited, or it was not renewed while
    /// this process waited for [`LEASE_DURATION`]. The wait is measured by this machine's monotonic clock.
    pub fn is_abandoned(&self, watch: &mut LeaseWatch) -> bool {
        self.has_exited() || watch.has_expired(self, Instant::now())
    }
}

/// The form used in messages.
impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} on {}", self.process.id, self.host)
    }
}

/// A waiting process's observations of a lease, to detect that it has expired.
#[derive(Debug, Default)]
pub struct LeaseWatch {
    /// Token and number of renewals of the observed lease, and the time of their first observation.
    observed: Option<(i64, i64, Instant)>,
}

impl LeaseWatch {
    /// Moves the first observation into the past by `time`.
    #[cfg(test)]
    pub(super) fn backdate(&mut self, time: Duration) {
        if let Some((.., since)) = &mut self.observed {
            *since = since.checked_sub(time).unwrap();
        }
    }

    /// Observes the lease at the time `now`. Returns whether it has not been renewed for [`LEASE_DURATION`].
    fn has_expired(&mut self, holder: &Holder, now: Instant) -> bool {
        match self.observed {
            Some((token, renewals, since))
                if (token, renewals) == (holder.token, holder.renewals) =>
            {
                now.saturating_duration_since(since) >= LEASE_DURATION
            }
            _ => {
                self.observed = Some((holder.token, holder.renewals, now));
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lease_expiry_ignores_clock_differences() {
        let second = Duration::from_secs(1);
        let begin = Instant::now();
        for clock_error in [-120_000, 120_000, i64::MIN / 2, i64::MAX / 2] {
            let mut holder = Holder::this_process();
            // The last renewal is two minutes in the past or the future, or far out of range.
            holder.renewed = holder.renewed.saturating_add(clock_error);
            let mut watch = LeaseWatch::default();
            for seconds in 0..60 {
                assert!(!watch.has_expired(&holder, begin + seconds * second), "{clock_error}");
            }
            holder.renew();
            // The holder's clock is corrected while it holds the lease.
            holder.renewed = holder.renewed.saturating_sub(clock_error);
            assert!(!watch.has_expired(&holder, begin + 60 * second), "{clock_error}");
            assert!(!watch.has_expired(&holder, begin + 119 * second), "{clock_error}");
            assert!(watch.has_expired(&holder, begin + 120 * second), "{clock_error}");
        }
    }
}
