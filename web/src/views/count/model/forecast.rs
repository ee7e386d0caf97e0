//! The expected time of boards, going by counted ones.

use std::collections::BTreeMap;

use queens_core::Method;
use queens_worker::{CountJob, CountStatus, Executor, FinishedRow};

/// The shortest time in seconds of a counted board by which others are expected. Shorter times depend on
/// messages to the workers more than on the count.
const SHORTEST: f64 = 0.1;

/// One hour, in seconds.
const HOUR: f64 = 3600.0;

/// Returns the average factor by which a board takes longer than the next smaller one. It is larger if the
/// method tests fewer lines before it places a queen, and smallest without a search.
const fn usual_growth(method: Method) -> f64 {
    match (method.stepped(), method.facts().tests.len()) {
        (None, _) => 4.0,
        (Some(_), 0) => 25.0,
        (Some(_), 1) => 12.0,
        (Some(_), _) => 8.0,
    }
}

/// Whether the times of two executors can be compared: the same number of workers runs in parallel, or
/// both are the GPU.
pub fn is_comparable(one: Executor, other: Executor, cores: u32) -> bool {
    let parallel = |executor: Executor| executor.worker_count().min(cores).max(1);
    (one == Executor::WebGpu) == (other == Executor::WebGpu) && parallel(one) == parallel(other)
}

/// The times of the boards that one method has counted on comparable executors.
#[derive(Debug)]
pub struct Forecast {
    method: Method,
    /// The time in seconds by N.
    counted: BTreeMap<u32, f64>,
}

impl Forecast {
    /// Collects the times of the finished boards, and that of the board that is being counted once enough
    /// of its tasks are finished.
    pub fn new(
        method: Method,
        executor: Executor,
        status: &CountStatus,
        rows: &[FinishedRow],
    ) -> Forecast {
        let is_like = |by| is_comparable(by, executor, status.cores);
        let finished = rows
            .iter()
            .filter(|row| row.method == method && row.outcome.is_ok() && is_like(row.executor));
        let mut counted: BTreeMap<u32, f64> =
            finished.map(|row| (row.size.get(), row.seconds)).collect();
        let current = status.current_row.filter(|row| {
            row.method == method && status.job.is_some_and(|job| is_like(job.executor))
        });
        counted.extend(current.and_then(|row| Some((row.size.get(), row.expected_seconds()?))));
        Forecast { method, counted }
    }

    /// Returns the time of a board in seconds: its own if it was counted, or else that of the next smaller
    /// counted board or, without one, of the next larger one, times a factor for each board between.
    /// Returns `None` if no board took long enough.
    pub fn seconds(&self, n: u32) -> Option<f64> {
        let is_long = |&(_, &time): &(&u32, &f64)| time >= SHORTEST;
        let below = || self.counted.range(..n).rfind(is_long);
        let own = || self.counted.get_key_value(&n);
        let above = || self.counted.range(n..).find(is_long);
        let (&from, &time) = own().or_else(below).or_else(above)?;
        Some(time * self.growth(from).powi(n.cast_signed() - from.cast_signed()))
    }

    /// Returns the factor from a board to the next. If possible, it goes by two steps, because the colour
    /// join grows more towards an odd board than towards an even one.
    fn growth(&self, from: u32) -> f64 {
        let time = |n: Option<u32>| self.counted.get(&n?).filter(|&&time| time >= SHORTEST);
        match (time(from.checked_sub(2)), time(Some(from))) {
            (Some(before), Some(time)) => (time / before).sqrt().max(1.0),
            _ => usual_growth(self.method),
        }
    }

    /// Returns the smallest N that would take over an hour.
    pub fn over_an_hour(&self) -> Option<u32> {
        (1..=self.method.largest()).find(|&n| self.seconds(n).is_some_and(|time| time > HOUR))
    }
}

/// Returns how many times as many solutions a board has as the one with a row less, if that was counted, too.
pub fn growth(rows: &[FinishedRow], row: &FinishedRow) -> Option<f64> {
    let total = |row: &FinishedRow| row.outcome.as_ref().ok().map(|numbers| numbers.total() as f64);
    let mut before = rows.iter().filter(|before| before.size.get() + 1 == row.size.get());
    let before = before.find_map(total).filter(|&before| before > 0.0)?;
    Some(total(row)? / before)
}

/// Returns the expected time of each row of a job in seconds; `None` if that of a row is unknown.
pub fn row_times(job: CountJob, status: &CountStatus, rows: &[FinishedRow]) -> Option<Vec<f64>> {
    let time = |(method, size): (Method, queens_core::Size)| {
        Forecast::new(method, job.executor, status, rows).seconds(size.get())
    };
    job.rows().map(time).collect()
}

/// Returns the expected time of the current row in seconds.
pub fn expected_of_current_row(status: &CountStatus, rows: &[FinishedRow]) -> Option<f64> {
    let (row, job) = (status.current_row?, status.job?);
    Forecast::new(row.method, job.executor, status, rows).seconds(row.size.get())
}

#[cfg(test)]
mod tests {
    use queens_core::Size;
    use queens_worker::CurrentRow;

    use super::super::samples;
    use super::*;

    fn row(n: u32, seconds: f64) -> FinishedRow {
        FinishedRow { executor: Executor::Workers(4), ..samples::row(Method::Colours, n, seconds) }
    }

    fn times(rows: &[FinishedRow], status: &CountStatus) -> Vec<Option<f64>> {
        let forecast = Forecast::new(Method::Colours, Executor::Workers(4), status, rows);
        let rounded = |time: f64| (time * 1e6).round() / 1e6;
        (12..=15).map(|n| forecast.seconds(n).map(rounded)).collect()
    }

    #[test]
    fn boards_grow_by_a_factor_from_the_nearest_counted_one() {
        let status = CountStatus { cores: 2, ..CountStatus::default() };
        // Without a board that took a tenth of a second, nothing is expected of others.
        assert_eq!(times(&[], &status), [None; 4]);
        assert_eq!(times(&[row(12, 0.01)], &status), [Some(0.01), None, None, None]);
        assert_eq!(times(&[row(13, 2.0)], &status), [0.5, 2.0, 8.0, 32.0].map(Some));
        // Two boards show the growth. The last count of a board is the valid one.
        let rows = [row(11, 1.0), row(13, 5.0), row(13, 9.0)];
        assert_eq!(times(&rows, &status), [4.0, 9.0, 27.0, 81.0].map(Some));
        // Times of another method, of a GPU, or of fewer workers than cores say nothing.
        let other = FinishedRow { method: Method::Symmetry, ..row(13, 2.0) };
        let gpu = FinishedRow { executor: Executor::WebGpu, ..row(13, 2.0) };
        let one = FinishedRow { executor: Executor::Workers(1), ..row(13, 2.0) };
        let wrong = FinishedRow { outcome: Err("a reason".into()), ..row(13, 2.0) };
        assert_eq!(times(&[other, gpu, one, wrong], &status), [None; 4]);
        let two = FinishedRow { executor: Executor::Workers(2), ..row(13, 2.0) };
        assert_eq!(times(&[two], &status), [0.5, 2.0, 8.0, 32.0].map(Some));
        let forecast =
            Forecast::new(Method::Colours, Executor::Workers(4), &status, &[row(13, 2.0)]);
        // 4^5 × 2 s are less than an hour, and 4^6 × 2 s more.
        assert_eq!(forecast.over_an_hour(), Some(19));
    }

    #[test]
    fn a_small_share_of_a_board_does_not_tell_its_time() {
        let size = Size::new(15).unwrap();
        let executor = Executor::Workers(4);
        let job = CountJob { method: Some(Method::Colours), from: size, to: size, executor };
        // Of 1000 tasks: the finished ones, the seconds that they took, and the expected seconds.
        for (done, seconds, expected) in [
            (0, 0.0, 32.0),
            (49, 1.0, 32.0),
            (100, 0.25, 32.0),
            (50, 0.3, 6.0),
            (900, 2.25, 2.5),
            // A board of hours.
            (15, 20.0, 32.0),
            (16, 9.0, 32.0),
            (16, 20.0, 1250.0),
        ] {
            let remaining = seconds / f64::from(done) * f64::from(1000 - done);
            // A paused row has no remaining time.
            for remaining_seconds in [None, Some(remaining).filter(|_| done > 0)] {
                let row_in_progress = CurrentRow {
                    method: Method::Colours,
                    size,
                    started: done,
                    done,
                    tasks: 1000,
                    solutions: 0,
                    seconds,
                    remaining_seconds,
                };
                let status = CountStatus {
                    job: Some(job),
                    current_row: Some(row_in_progress),
                    cores: 4,
                    ..CountStatus::default()
                };
                let found = expected_of_current_row(&status, &[row(13, 2.0)]).unwrap();
                assert!((found - expected).abs() < 1e-9, "{done} tasks in {seconds} s: {found}");
            }
        }
    }
}
