//! The time of the next board of a series.

use std::collections::BTreeMap;

/// The smallest mean factor that a forecast uses. The times of all methods grow faster once the counting itself
/// takes most of the time.
const LEAST_FACTOR: f64 = 2.0;
/// The largest and the smallest number of boards that a forecast is made from.
const BASIS: [usize; 2] = [5, 3];

/// The reason why a series with several boards has no forecast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoForecast {
    /// These boards are missing below the largest one.
    Missing(Vec<u32>),
    /// This one of the largest boards took less than [`NoForecast::LEAST_TIME`].
    TooShort(u32),
    /// The times of the largest boards hardly grow.
    TooFlat,
}

impl NoForecast {
    /// The shortest time in seconds that a forecast uses. Shorter times depend on the clock and on the start of the
    /// threads more than on the count.
    pub const LEAST_TIME: f64 = 0.05;

    /// Returns the reason why [`Forecast::new`] fails for these times of at least two boards, in
    /// ascending order of N. Returns `None` if a forecast is possible.
    pub fn new(times: &BTreeMap<u32, f64>) -> Option<NoForecast> {
        let (&last, _) = times.last_key_value().filter(|_| times.len() > 1)?;
        let [_, least] = BASIS;
        let basis = last.saturating_sub(least as u32 - 1).max(1)..=last;
        let mut in_basis = times.range(basis.clone());
        if let Some((&n, _)) = in_basis.find(|&(_, &seconds)| seconds < NoForecast::LEAST_TIME) {
            return Some(NoForecast::TooShort(n));
        }
        let missing: Vec<u32> = basis.filter(|n| !times.contains_key(n)).collect();
        if !missing.is_empty() {
            return Some(NoForecast::Missing(missing));
        }
        let times = times.iter().map(|(&n, &seconds)| (n, seconds));
        Forecast::new(times).is_none().then_some(NoForecast::TooFlat)
    }
}

/// The time that the next board of a series is expected to take.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    pub n: u32,
    pub seconds: f64,
    /// The times that the smallest and the largest factor give.
    pub range: [f64; 2],
    /// The first and the last board of the basis.
    pub basis: [u32; 2],
    /// The mean factor from one board of the basis to the next.
    pub factor: f64,
}

impl Forecast {
    /// Forecasts from the times in seconds of boards in ascending order of N. Each board takes longer
    /// than the one before by a factor that changes slowly. The factors of even and odd boards may
    /// differ, which the range shows.
    pub fn new(times: impl DoubleEndedIterator<Item = (u32, f64)>) -> Option<Forecast> {
        let [most, least] = BASIS;
        let mut basis: Vec<(u32, f64)> = Vec::new();
        for (n, seconds) in times.rev() {
            let follows = basis.last().is_none_or(|&(next, _)| n + 1 == next);
            if !follows || seconds < NoForecast::LEAST_TIME || basis.len() == most {
                break;
            }
            basis.push((n, seconds));
        }
        if basis.len() < least {
            return None;
        }
        let (&(last, seconds), &(first, _)) = (basis.first()?, basis.last()?);
        let factors: Vec<f64> =
            basis.iter().zip(basis.iter().skip(1)).map(|(next, board)| next.1 / board.1).collect();
        let mean = factors.iter().map(|factor| factor.ln()).sum::<f64>() / factors.len() as f64;
        if mean.exp() < LEAST_FACTOR {
            return None;
        }
        let by =
            |pick: fn(f64, f64) -> f64, start| seconds * factors.iter().copied().fold(start, pick);
        Some(Forecast {
            n: last + 1,
            seconds: seconds * mean.exp(),
            range: [by(f64::min, f64::INFINITY), by(f64::max, 0.0)],
            basis: [first, last],
            factor: mean.exp(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forecast(times: &[(u32, f64)]) -> Option<Forecast> {
        Forecast::new(times.iter().copied())
    }

    #[test]
    fn extrapolates_the_next_board_from_the_last_ones() {
        assert_eq!(forecast(&[(12, 0.5)]), None, "one board is no basis");
        let next = forecast(&[(10, 0.4), (11, 2.0), (12, 12.0)]).unwrap();
        assert_eq!((next.n, next.basis), (13, [10, 12]));
        assert!((next.range[0] - 60.0).abs() < 1e-9 && (next.range[1] - 72.0).abs() < 1e-9);
        assert!(next.range[0] < next.seconds && next.seconds < next.range[1]);
        assert!((next.factor - 30_f64.sqrt()).abs() < 1e-9);
        // The boards have to follow each other, and each has to take a measurable time.
        assert_eq!(forecast(&[(10, 1.0), (12, 9.0), (13, 50.0)]), None);
        assert_eq!(forecast(&[(10, 0.049), (11, 9.0), (12, 50.0)]), None);
    }

    #[test]
    fn times_that_hardly_grow_have_no_forecast() {
        // The threads take longer to start than to count.
        for times in [[(10, 0.060), (11, 0.055), (12, 0.050)], [(10, 0.1), (11, 0.15), (12, 0.3)]] {
            assert_eq!(forecast(&times), None);
            let times = times.into_iter().collect();
            assert_eq!(NoForecast::new(&times), Some(NoForecast::TooFlat));
        }
        // The factor from one board to the next may be smaller than the mean.
        assert!(forecast(&[(14, 0.08), (15, 0.3), (16, 0.5)]).is_some());
    }

    #[test]
    fn a_series_without_a_forecast_has_a_reason() {
        let reason = |times: &[(u32, f64)]| NoForecast::new(&times.iter().copied().collect());
        let missing = |boards: &[u32]| Some(NoForecast::Missing(boards.to_vec()));
        for (times, expected) in [
            (&[(12, 0.5)][..], None),
            (&[(10, 0.4), (11, 2.0), (12, 12.0)], None),
            (&[(10, 1.0), (12, 9.0), (13, 50.0)], missing(&[11])),
            (&[(13, 1.0), (16, 50.0)], missing(&[14, 15])),
            (&[(10, 0.049), (11, 9.0), (12, 50.0)], Some(NoForecast::TooShort(10))),
            (&[(7, 0.00001), (8, 0.0001)], Some(NoForecast::TooShort(7))),
        ] {
            assert_eq!(reason(times), expected, "{times:?}");
            assert!(expected.is_none() || forecast(times).is_none(), "{times:?}");
        }
    }
}
