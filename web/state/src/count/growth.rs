//! The growth of sampled times from board to board.

use std::collections::BTreeMap;

/// The number of boards whose growth is extrapolated.
pub const FITTED_BOARDS: u32 = 6;

/// The shortest time in seconds that a sample can have: browsers round their clocks to a tenth of a
/// millisecond.
const CLOCK_STEP: f64 = 0.000_1;

/// The shortest sampled time in seconds that is trusted. The boards below it are counted whole in less
/// time, so the noise of the clock and of other programs may exceed their time.
const TRUSTED: f64 = 0.3;

/// The largest growth from a board to the next, as a multiple of the usual growth. The colour join grows
/// more towards an odd board than towards an even one.
const LARGEST_GROWTH: f64 = 2.5;

/// A line through the sampled times of a method, on a logarithmic scale, that never falls with N.
///
/// A sample may be several times too long, so that it exceeds that of the next board. Such samples are
/// replaced by their geometric mean until none falls (isotonic regression by pooling adjacent
/// violators), and the line goes through the middle of each pool, so that it has no steps.
///
/// From each board to the next, the line grows by at most 2.5 times the average factor of the largest sampled
/// boards. Otherwise it would repeat the noise of the smallest boards, whose samples can be 25 times too
/// short. It has no least growth, because the colour join grows less from an odd board to the even one above it.
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

    /// Returns the point of the line: the mean, in the middle between the boards.
    fn node(self) -> (f64, f64) {
        (f64::from(self.first).midpoint(f64::from(self.last)), self.mean())
    }
}

impl Growth {
    /// Creates the line from the sampled time in seconds by N.
    pub fn new(samples: &BTreeMap<u32, f64>) -> Growth {
        let mut pools: Vec<Pool> = vec![];
        for (&n, &time) in samples {
            let mut pool = Pool { first: n, last: n, sum: time.max(CLOCK_STEP).ln(), samples: 1.0 };
            while let Some(before) = pools.pop_if(|before| before.mean() >= pool.mean()) {
                let (sum, samples) = (before.sum + pool.sum, before.samples + pool.samples);
                pool = Pool { first: before.first, last: pool.last, sum, samples };
            }
            pools.push(pool);
        }
        let line = Growth { nodes: pools.into_iter().map(Pool::node).collect() };
        line.limited(samples)
    }

    /// Returns a line through the boards of `samples` with limited growth. The smallest trusted board stays
    /// where it is; smaller ones are raised, and larger ones lowered.
    fn limited(self, samples: &BTreeMap<u32, f64>) -> Growth {
        let Some(usual) = usual_growth(samples) else { return self };
        let on_line = |&n| Some((f64::from(n), self.at(n)?.ln()));
        let mut nodes: Vec<(f64, f64)> = samples.keys().filter_map(on_line).collect();
        let largest = |from: f64, to: f64| (to - from) * (usual + LARGEST_GROWTH.ln());
        let is_trusted = |node: &(f64, f64)| node.1 >= TRUSTED.ln();
        let trusted = nodes.iter().position(is_trusted).unwrap_or(nodes.len().saturating_sub(1));
        let (below, above) = nodes.split_at_mut(trusted);
        let Some(&mut first) = above.first_mut() else { return self };
        let mut before = first;
        for node in above {
            node.1 = node.1.min(before.1 + largest(before.0, node.0));
            before = *node;
        }
        let mut next = first;
        for node in below.iter_mut().rev() {
            node.1 = node.1.max(next.1 - largest(node.0, next.0));
            next = *node;
        }
        Growth { nodes }
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

/// Returns the usual growth from a board to the next, on a logarithmic scale: the slope of the straight line
/// through the largest boards that were sampled. `None` with fewer than two samples.
fn usual_growth(samples: &BTreeMap<u32, f64>) -> Option<f64> {
    let largest = samples.iter().rev().take(FITTED_BOARDS as usize);
    let points: Vec<_> =
        largest.map(|(&n, &time)| (f64::from(n), time.max(CLOCK_STEP).ln())).collect();
    let [here, next] = [0.0, 1.0].map(|n| regression(&points, n));
    Some((next? - here?).max(0.0))
}

/// Returns the value at `x` of the straight line that fits the points best (least squares).
pub fn regression(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let mean =
        |value: fn(&(f64, f64)) -> f64| points.iter().map(value).sum::<f64>() / points.len() as f64;
    let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
    let width: f64 = points.iter().map(|point| (point.0 - mean_x).powi(2)).sum();
    let slope = points.iter().map(|point| (point.0 - mean_x) * (point.1 - mean_y)).sum::<f64>();
    (width > 0.0).then(|| mean_y + slope / width * (x - mean_x))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(samples: &[(u32, f64)]) -> Vec<f64> {
        let samples: BTreeMap<u32, f64> = samples.iter().copied().collect();
        let growth = Growth::new(&samples);
        samples.keys().map(|&n| (growth.at(n).unwrap() * 1e6).round() / 1e6).collect()
    }

    #[test]
    fn samples_that_grow_stay_as_they_are() {
        let samples = [(8, 0.001), (9, 0.002), (10, 0.03), (12, 4.0)];
        assert_eq!(times(&samples), [0.001, 0.002, 0.03, 4.0]);
        assert_eq!(times(&[(8, 0.5)]), [0.5]);
        assert_eq!(Growth::new(&BTreeMap::new()).at(8), None);
    }

    #[test]
    fn a_sample_above_the_next_one_becomes_no_step() {
        // The geometric mean of N = 10 and 11 is 2, in the middle between them.
        let samples = [(9, 1.0), (10, 4.0), (11, 1.0), (12, 16.0)];
        let found = times(&samples);
        assert!(found.is_sorted_by(|smaller, larger| smaller < larger), "{found:?}");
        assert!(found[1] < 2.0 && found[2] > 2.0, "{found:?}");
        assert_eq!((found[0], found[3]), (1.0, 16.0));
        // At the ends, too.
        let found = times(&[(8, 2.0), (9, 1.0), (10, 8.0), (11, 6.0)]);
        assert!(found.is_sorted_by(|smaller, larger| smaller < larger), "{found:?}");
        let found = times(&[(8, 0.0), (9, 0.0), (10, 0.0), (11, 1.0)]);
        assert!(found.is_sorted() && found[0] <= CLOCK_STEP, "{found:?}");
    }

    #[test]
    fn a_board_is_expected_to_take_longer_than_the_one_below_it() {
        // The largest two samples, N = 15 and 16, in the wrong order.
        let samples = [(13, 0.033), (14, 0.074), (15, 0.18), (16, 0.16)];
        let found = times(&samples);
        assert!(found[3] > 1.2 * found[2] && found[2] > found[1], "{found:?}");
        // Those of smaller boards, too.
        let found = times(&[(12, 1.0), (13, 5.0), (14, 4.0), (15, 20.0), (16, 60.0)]);
        assert!(found[2] > 1.2 * found[1], "{found:?}");
    }

    #[test]
    fn the_noise_of_small_boards_does_not_show() {
        // The samples of N = 11 to 13 are far too short, as in a browser that has just compiled the code.
        let samples = [
            (11, 0.000_1),
            (12, 0.000_2),
            (13, 0.02),
            (14, 0.5),
            (15, 0.7),
            (16, 2.5),
            (17, 10.0),
            (18, 40.0),
            (19, 160.0),
        ];
        let found = times(&samples);
        let steps: Vec<f64> = found.windows(2).map(|pair| pair[1] / pair[0]).collect();
        assert!(steps.iter().all(|step| (1.0..10.0).contains(step)), "{steps:?}");
        // Those of larger boards stay.
        assert_eq!(found[3..], [0.5, 0.7, 2.5, 10.0, 40.0, 160.0]);
        // A large board whose few sampled tasks are far too long is lowered.
        let found = times(&[(12, 1.0), (13, 4.0), (14, 16.0), (15, 2_000.0)]);
        assert!((16.0..1_000.0).contains(&found[3]), "{found:?}");
    }
}
