//! The times of a count by N, as the lines of a chart.

use std::collections::BTreeMap;

use queens_core::Method;

use super::messages::{CountStatus, FinishedRow, Phase};

/// The shortest time in seconds that the chart shows, a power of ten so that it is at the foot.
/// Shorter times depend on the browser's clock and on starting the workers more than on the count:
/// they do not even grow with N.
pub const MEASURABLE: f64 = 0.01;

/// The times of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeLine {
    pub method: Method,
    /// N and the time in seconds of each finished board, in ascending order of N.
    pub done: Vec<(u32, f64)>,
    /// The board that is being counted.
    pub current: Option<UnfinishedPoint>,
    /// N and the expected time of each further board, in ascending order of N.
    pub expected: Vec<(u32, f64)>,
}

/// A board that is being counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnfinishedPoint {
    pub n: u32,
    /// The counting time so far, in seconds.
    pub elapsed: f64,
    /// The expected time of the whole board, in seconds.
    pub expected: Option<f64>,
}

impl TimeLine {
    fn new(method: Method) -> TimeLine {
        TimeLine { method, done: vec![], current: None, expected: vec![] }
    }

    /// Returns all points of the line.
    pub fn points(&self) -> impl Iterator<Item = (u32, f64)> {
        let current = self.current.iter().flat_map(|point| {
            let ends = [Some(point.elapsed), point.expected];
            ends.into_iter().flatten().map(|seconds| (point.n, seconds.max(MEASURABLE)))
        });
        self.done.iter().chain(&self.expected).copied().chain(current)
    }
}

/// Returns a line for each method that was counted, is being counted, or is chosen in the form. The
/// times of finished and expected boards are at least [`MEASURABLE`]. Rows that failed their checks have
/// no point.
pub fn time_lines(status: &CountStatus, rows: &[FinishedRow]) -> Vec<TimeLine> {
    let mut lines = BTreeMap::new();
    for row in rows.iter().filter(|row| row.outcome.is_ok()) {
        let done = &mut line(&mut lines, row.method).done;
        // The last count of a board replaces earlier ones.
        done.retain(|&(n, _)| n != row.size.get());
        done.push((row.size.get(), row.seconds.max(MEASURABLE)));
        done.sort_by_key(|&(n, _)| n);
    }
    let current = status.current_row.filter(|_| status.phase != Phase::Idle);
    if let Some(row) = current {
        let expected = row.remaining_seconds.map(|remaining| row.seconds + remaining);
        let n = row.size.get();
        line(&mut lines, row.method).current =
            Some(UnfinishedPoint { n, elapsed: row.seconds, expected });
    }
    // While a count runs, the forecast must be that of its job.
    let is_of_job = |job| status.phase == Phase::Idle || status.job == Some(job);
    if let Some(forecast) = status.forecast.as_ref().filter(|forecast| is_of_job(forecast.job)) {
        for ((method, size), &seconds) in forecast.job.rows().zip(&forecast.rows) {
            let n = size.get();
            let line = line(&mut lines, method);
            if let Some(current) = line.current.as_mut().filter(|current| current.n == n) {
                current.expected = current.expected.or(Some(seconds));
            } else if line.done.iter().all(|done| done.0 != n) {
                line.expected.push((n, seconds.max(MEASURABLE)));
            }
        }
    }
    lines.into_values().collect()
}

/// Returns the line of a method, which is added if it is missing. The lines are in the order of the
/// methods.
fn line(lines: &mut BTreeMap<u32, TimeLine>, method: Method) -> &mut TimeLine {
    lines.entry(method.number()).or_insert_with(|| TimeLine::new(method))
}

#[cfg(test)]
mod tests {
    use queens_core::{Size, known::known};

    use super::*;
    use crate::count::{CountJob, CurrentRow, Executor, Forecast, PostStatus};

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    fn row(method: Method, n: u32, seconds: f64) -> FinishedRow {
        FinishedRow {
            method,
            size: size(n),
            outcome: Ok(*known(n).unwrap()),
            checks: Default::default(),
            executor: Executor::Workers(2),
            seconds,
            time: String::new(),
            posted: PostStatus::NotPosted,
        }
    }

    fn running(n: u32, remaining: Option<f64>) -> CountStatus {
        let job = CountJob {
            method: Some(Method::Halves),
            from: size(8),
            to: size(12),
            executor: Executor::Workers(2),
        };
        CountStatus {
            phase: Phase::Running,
            job: Some(job),
            current_row: Some(CurrentRow {
                method: Method::Halves,
                size: size(n),
                started: 3,
                done: 2,
                tasks: 9,
                solutions: 7,
                seconds: 0.25,
                remaining_seconds: remaining,
            }),
            forecast: Some(Forecast {
                job,
                rows: vec![0.000_01, 0.002, 0.02, 0.2, 2.0],
                is_extrapolated: false,
                over_an_hour: None,
            }),
            ..CountStatus::default()
        }
    }

    #[test]
    fn a_running_count_has_finished_current_and_expected_boards() {
        let rows = [row(Method::Halves, 8, 0.000_2), row(Method::Halves, 9, 0.03)];
        let [line] = &time_lines(&running(10, Some(0.5)), &rows)[..] else { panic!() };
        assert_eq!(line.done, [(8, MEASURABLE), (9, 0.03)]);
        let current = UnfinishedPoint { n: 10, elapsed: 0.25, expected: Some(0.75) };
        assert_eq!(line.current, Some(current));
        assert_eq!(line.expected, [(11, 0.2), (12, 2.0)]);
        let sizes: Vec<u32> = line.points().map(|(n, _)| n).collect();
        assert_eq!(sizes, [8, 9, 11, 12, 10, 10]);
        // While the remaining time is unknown, the current board has its expected time from the forecast.
        let [line] = &time_lines(&running(10, None), &rows)[..] else { panic!() };
        assert_eq!(line.current.unwrap().expected, Some(0.02));
    }

    #[test]
    fn the_forecast_of_another_job_is_not_shown_while_counting() {
        let mut status = running(10, None);
        status.forecast.as_mut().unwrap().job.to = size(11);
        let [line] = &time_lines(&status, &[])[..] else { panic!() };
        assert_eq!((&line.expected[..], line.current.unwrap().expected), (&[][..], None));
    }

    #[test]
    fn the_form_adds_boards_to_finished_ones() {
        let mut status = running(10, None);
        (status.phase, status.job) = (Phase::Idle, None);
        let mut wrong = row(Method::Halves, 9, 1.0);
        wrong.outcome = Err("a reason".to_owned());
        let rows = [
            row(Method::Symmetry, 9, 0.5),
            wrong,
            row(Method::Halves, 11, 0.4),
            row(Method::Halves, 8, 0.1),
            row(Method::Halves, 11, 0.3),
        ];
        let [other, line] = &time_lines(&status, &rows)[..] else { panic!() };
        assert_eq!((other.method, &other.done[..]), (Method::Symmetry, &[(9, 0.5)][..]));
        assert_eq!((&line.done[..], line.current), (&[(8, 0.1), (11, 0.3)][..], None));
        assert_eq!(line.expected, [(9, MEASURABLE), (10, 0.02), (12, 2.0)]);
    }
}
