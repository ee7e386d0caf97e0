//! Control of the sizes of launches and batches.

use std::{ops::RangeInclusive, time::Duration};

/// Adapts the size of a piece of work so that it takes a given time.
#[derive(Clone, Debug)]
pub struct Pace {
    size: usize,
    limits: RangeInclusive<usize>,
    /// The intended duration of a piece.
    time: Duration,
}

impl Pace {
    /// Starts with pieces of `first` items and adapts the size, within `limits`, to take `time`.
    pub fn new(first: usize, limits: RangeInclusive<usize>, time: Duration) -> Pace {
        Pace { size: first, limits, time }
    }

    /// Returns the size of the next piece.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Reports that `amount` items took this long. The size grows at most fourfold, since the first
    /// pieces may be unusually light.
    pub fn learn(&mut self, amount: usize, took: Duration) {
        // The last piece of a batch is often smaller. Its short time says nothing about full pieces.
        if took < self.time && amount < self.size {
            return;
        }
        let ratio = self.time.as_secs_f64() / took.as_secs_f64().max(1e-6);
        let wanted = amount as f64 * ratio.clamp(0.0, 4.0);
        self.size = (wanted as usize).clamp(*self.limits.start(), *self.limits.end());
    }
}

/// The launches of a batch: their sizes, and what ends them.
pub struct Launches<'a> {
    /// The number of nodes or triples per launch.
    pub pace: &'a mut Pace,
    /// Reads a clock.
    pub now: &'a dyn Fn() -> Duration,
    /// Whether the count is stopped, which is asked before each launch.
    pub is_stopped: &'a dyn Fn() -> bool,
}

impl Launches<'_> {
    pub(crate) fn size(&self) -> u32 {
        u32::try_from(self.pace.size()).unwrap_or(u32::MAX)
    }

    pub(crate) fn now(&self) -> Duration {
        (self.now)()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        (self.is_stopped)()
    }

    /// Reports that a launch with `amount` items began at `start` and has ended.
    pub(crate) fn learn(&mut self, amount: usize, start: Duration) {
        self.pace.learn(amount, self.now().saturating_sub(start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pace_converges_to_the_target_time() {
        let mut pace = Pace::new(100, 1..=1_000_000, Duration::from_millis(100));
        for _ in 0..20 {
            let amount = pace.size();
            pace.learn(amount, Duration::from_micros(amount as u64));
        }
        assert_eq!(pace.size(), 100_000);
        pace.learn(10, Duration::from_micros(10));
        assert_eq!(pace.size(), 100_000, "a fast small piece changes nothing");
        pace.learn(1, Duration::from_secs(1000));
        assert_eq!(pace.size(), 1);
    }
}
