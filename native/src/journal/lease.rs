//! Who works on a journal: one process at a time.

use std::{
    fmt,
    time::{Duration, Instant},
};

use jiff::Timestamp;

use crate::host;

/// How long a lease lasts that nobody renews; those who hold one renew it much more often.
pub const LEASE: Duration = Duration::from_secs(60);

/// The process that works on a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Random: what tells one lease from another.
    pub(super) token: i64,
    pub host: String,
    /// The process's number there.
    pub process: u32,
    /// When the lease was last renewed, by that machine's clock, in milliseconds since 1970.
    pub(super) renewed: i64,
    /// How often it was renewed.
    pub(super) renewals: i64,
}

impl Holder {
    pub(super) fn this_process() -> Holder {
        Holder {
            token: fastrand::i64(..),
            host: host::name().to_owned(),
            process: std::process::id(),
            renewed: Timestamp::now().as_millisecond(),
            renewals: 0,
        }
    }

    pub(super) fn renew(&mut self) {
        self.renewed = Timestamp::now().as_millisecond();
        self.renewals += 1;
    }

    pub(super) fn is_same(&self, other: &Holder) -> bool {
        self.token == other.token
    }

    fn is_here(&self) -> bool {
        self.host == host::name()
    }

    /// Whether it is known to have ended, as it is of processes of this machine.
    pub fn has_ended(&self) -> bool {
        self.is_here() && (self.process == std::process::id() || !host::is_running(self.process))
    }

    /// When it was last heard of, by its own clock.
    pub fn renewed(&self) -> Timestamp {
        Timestamp::from_millisecond(self.renewed).unwrap_or_default()
    }

    /// Whether it no longer works on the journal: it is a process of this machine that has ended,
    /// its lease ran out on another machine, or it renewed nothing while somebody waited as long as
    /// a lease lasts. That last one holds whatever clocks say.
    pub fn is_gone(&self, patience: &mut Patience) -> bool {
        if self.has_ended() {
            return true;
        }
        let age = Timestamp::now().as_millisecond().saturating_sub(self.renewed);
        let is_old = u64::try_from(age).is_ok_and(|age| Duration::from_millis(age) >= LEASE);
        patience.is_over(self) || (is_old && !self.is_here())
    }
}

/// As messages name it.
impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} on {}", self.process, self.host)
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
    fn is_over(&mut self, holder: &Holder) -> bool {
        match self.seen {
            Some((token, renewals, since))
                if (token, renewals) == (holder.token, holder.renewals) =>
            {
                since.elapsed() >= LEASE
            }
            _ => {
                self.seen = Some((holder.token, holder.renewals, Instant::now()));
                false
            }
        }
    }
}
