//! Rate control: how much to do at once.

use std::{ops::RangeInclusive, time::Duration};

/// Learns how much to do at once so that it takes a certain time.
#[derive(Clone, Debug)]
pub struct Pace {
    size: usize,
    limits: RangeInclusive<usize>,
    time: Duration,
}

impl Pace {
    /// Pieces of `first` things at first, and later of as many, within limits, as take `time`.
    pub fn new(first: usize, limits: RangeInclusive<usize>, time: Duration) -> Pace {
        Pace { size: first, limits, time }
    }

    /// How much to do next.
    pub fn size(&self) -> usize {
        self.size
    }

    /// `amount` took that long. The size at most quadruples, since the first pieces may be light.
    pub fn learn(&mut self, amount: usize, took: Duration) {
        // What was cut short by an end says nothing about larger sizes.
        if took < self.time && amount < self.size {
            return;
        }
        let ratio = self.time.as_secs_f64() / took.as_secs_f64().max(1e-6);
        let wanted = amount as f64 * ratio.clamp(0.0, 4.0);
        self.size = (wanted as usize).clamp(*self.limits.start(), *self.limits.end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_settles_where_the_time_is_right() {
        let mut pace = Pace::new(100, 1..=1_000_000, Duration::from_millis(100));
        for _ in 0..20 {
            let amount = pace.size();
            pace.learn(amount, Duration::from_micros(amount as u64));
        }
        assert_eq!(pace.size(), 100_000);
        pace.learn(10, Duration::from_micros(10));
        assert_eq!(pace.size(), 100_000, "a short rest says nothing");
        pace.learn(1, Duration::from_secs(1000));
        assert_eq!(pace.size(), 1);
    }
}
