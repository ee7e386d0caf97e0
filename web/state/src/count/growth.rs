//! The growth of sampled times from board to board.

use std::collections::BTreeMap;

use queens_core::Method;

/// The shortest time in seconds that a sample can have: browsers round their clocks to a tenth of a
/// millisecond.
const CLOCK_STEP: f64 = 0.000_1;

/// A line through the sampled times of a method, on a logarithmic scale, that never falls with N.
///
/// A sample may be several times too long, so that it exceeds that of the next board. Such samples are
/// replaced by their geometric mean until none falls (isotonic regression by pooling adjacent
/// violators), and the line goes through the middle of each pool, so that it has no steps.
#[derive(Debug)]
pub struct Growth {
    /// N and the logarithm of a time, in ascending order of both.
    nodes: Vec<(f64, f64)>,
}

/// Adjacent samples with their mean.
#[derive(Clone, Copy)]
struct Pool {
    first: u32,
    last: u32,
    /// The sum of the logarithms of the times.
    sum: f64,
    samples: f64,
}

impl Pool {
    fn mean(&self) -> f64 {
        self.sum / self.samples
    }

    /// Returns the points of the line. Half-board matching takes about the same time for an odd board
    /// as for the even one above it, so this pair stays level.
    fn nodes(self, method: Method) -> Vec<(f64, f64)> {
        let [first, last] = [self.first, self.last].map(f64::from);
        let is_pair = self.last == self.first + 1 && self.first % 2 == 1;
        if method == Method::Halves && is_pair {
            vec![(first, self.mean()), (last, self.mean())]
        } else {
            vec![(first.midpoint(last), self.mean())]
        }
    }
}

impl Growth {
    /// Creates the line from the sampled time in seconds by N.
    pub fn new(method: Method, samples: &BTreeMap<u32, f64>) -> Growth {
        let mut pools: Vec<Pool> = vec![];
        for (&n, &time) in samples {
            let mut pool = Pool { first: n, last: n, sum: time.max(CLOCK_STEP).ln(), samples: 1.0 };
            while let Some(before) = pools.pop_if(|before| before.mean() >= pool.mean()) {
                let (sum, samples) = (before.sum + pool.sum, before.samples + pool.samples);
                pool = Pool { first: before.first, last: pool.last, sum, samples };
            }
            pools.push(pool);
        }
        Growth { nodes: pools.into_iter().flat_map(|pool| pool.nodes(method)).collect() }
    }

    /// Returns the time in seconds of a board; `None` without samples.
    pub fn at(&self, n: u32) -> Option<f64> {
        let n = f64::from(n);
        let next = self.nodes.iter().position(|node| node.0 >= n).unwrap_or(self.nodes.len());
        // At the ends, the line continues in its direction.
        let second = next.clamp(1, self.nodes.len().max(2) - 1);
        let &(x, y) = self.nodes.get(second - 1)?;
        let slope = self.nodes.get(second).map_or(0.0, |end| (end.1 - y) / (end.0 - x));
        Some((y + slope * (n - x)).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(method: Method, samples: &[(u32, f64)]) -> Vec<f64> {
        let samples: BTreeMap<u32, f64> = samples.iter().copied().collect();
        let growth = Growth::new(method, &samples);
        samples.keys().map(|&n| (growth.at(n).unwrap() * 1e6).round() / 1e6).collect()
    }

    #[test]
    fn samples_that_grow_stay_as_they_are() {
        let samples = [(8, 0.001), (9, 0.002), (10, 0.002_5), (12, 4.0)];
        assert_eq!(times(Method::Symmetry, &samples), [0.001, 0.002, 0.002_5, 4.0]);
        assert_eq!(times(Method::Symmetry, &[(8, 0.5)]), [0.5]);
        assert_eq!(Growth::new(Method::Symmetry, &BTreeMap::new()).at(8), None);
    }

    #[test]
    fn a_sample_above_the_next_one_becomes_no_step() {
        // The geometric mean of N = 10 and 11 is 2, in the middle between them.
        let samples = [(9, 1.0), (10, 4.0), (11, 1.0), (12, 16.0)];
        let found = times(Method::Symmetry, &samples);
        assert!(found.is_sorted_by(|smaller, larger| smaller < larger), "{found:?}");
        assert!(found[1] < 2.0 && found[2] > 2.0, "{found:?}");
        assert_eq!((found[0], found[3]), (1.0, 16.0));
        // At the ends, too.
        let found = times(Method::Symmetry, &[(8, 2.0), (9, 1.0), (10, 8.0), (11, 6.0)]);
        assert!(found.is_sorted_by(|smaller, larger| smaller < larger), "{found:?}");
        let found = times(Method::Symmetry, &[(8, 0.0), (9, 0.0), (10, 0.0), (11, 1.0)]);
        assert!(found[..2].iter().all(|&time| time <= CLOCK_STEP), "{found:?}");
    }

    #[test]
    fn half_board_matching_may_take_as_long_for_an_odd_board_as_for_the_next() {
        let samples = [(12, 1.0), (13, 4.0), (14, 4.0), (15, 30.0), (16, 20.0)];
        let found = times(Method::Halves, &samples);
        assert_eq!(found, [1.0, 4.0, 4.0, 24.494_897, 24.494_897]);
    }
}
