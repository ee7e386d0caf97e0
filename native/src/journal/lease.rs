//! Who works on a journal: one process at a time.

use std::{
    fmt,
    time::{Duration, Instant},
};

use jiff::Timestamp;

use crate::host::{self, Process};

/// How long a lease lasts that nobody renews; those who hold one renew it much more often.
pub const LEASE: Duration = Duration::from_secs(60);

/// The process that works on a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Random: what tells one lease from another.
    pub(super) token: i64,
    pub host: String,
    pub process: Process,
    /// When the lease was last renewed, by that machine's clock, in milliseconds since 1970. Only
    /// people read it: clocks of two machines differ.
    pub(super) renewed: i64,
    /// How often it was renewed.
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

    pub(super) fn is_same(&self, other: &Holder) -> bool {
        self.token == other.token
    }

    /// Whether it is known to have ended. A lease of this process itself is left from a journal that it
    /// could not release.
    pub fn has_ended(&self) -> bool {
        self.process == Process::this() || self.process.has_ended()
    }

    /// When it was last heard of, by its own clock.
    pub fn renewed(&self) -> Timestamp {
        Timestamp::from_millisecond(self.renewed).unwrap_or_default()
    }

    /// Whether it no longer works on the journal: it is known to have ended, or it renewed nothing
    /// while this process waited as long as a lease lasts, by its own clock that nobody sets.
    pub fn is_gone(&self, patience: &mut Patience) -> bool {
        self.has_ended() || patience.is_over(self, Instant::now())
    }
}

/// As messages name it.
impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} on {}", self.process.id, self.host)
    }
}

/// What somebody who waits for a lease has seen of it.
#[derive(Debug, Default)]
pub struct Patience {
    seen: Option<(i64, i64, Instant)>,
}

impl Patience {
    /// As if so much time had gone by.
    #[cfg(test)]
    pub(super) fn has_waited(&mut self, time: Duration) {
        if let Some((.., since)) = &mut self.seen {
            *since = since.checked_sub(time).unwrap();
        }
    }

    /// Whether the lease has been seen unchanged for as long as one lasts.
    fn is_over(&mut self, holder: &Holder, now: Instant) -> bool {
        match self.seen {
            Some((token, renewals, since))
                if (token, renewals) == (holder.token, holder.renewals) =>
            {
                now.saturating_duration_since(since) >= LEASE
            }
            _ => {
                self.seen = Some((holder.token, holder.renewals, now));
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_lasts_whatever_the_clocks_of_machines_say() {
        let second = Duration::from_secs(1);
        let begin = Instant::now();
        for step in [-120_000, 120_000, i64::MIN / 2, i64::MAX / 2] {
            let mut holder = Holder::this_process();
            // Renewed, by its clock, two minutes ago or from now, or at no time at all.
            holder.renewed = holder.renewed.saturating_add(step);
            let mut patience = Patience::default();
            for seconds in 0..60 {
                assert!(!patience.is_over(&holder, begin + seconds * second), "{step}");
            }
            holder.renew();
            // Its clock is set while it lives.
            holder.renewed = holder.renewed.saturating_sub(step);
            assert!(!patience.is_over(&holder, begin + 60 * second), "{step}");
            assert!(!patience.is_over(&holder, begin + 119 * second), "{step}");
            assert!(patience.is_over(&holder, begin + 120 * second), "{step}");
        }
    }
}
