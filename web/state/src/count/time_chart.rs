//! The times of a count by N, as the lines of a chart.

use std::collections::BTreeMap;

use queens_core::Method;

use super::messages::{CountStatus, Executor, FinishedRow, Phase};
use super::time_estimate::is_comparable;

/// The shortest time in seconds that the chart shows, a power of ten so that it is at the foot.
/// Shorter times depend on the browser's clock and on starting the workers more than on the count:
/// they do not even grow with N.
pub const MEASURABLE: f64 = 0.01;

/// The times of one method on one executor.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeLine {
    pub method: Method,
    pub executor: Executor,
    /// Whether another line has the same method, so that only the executor distinguishes the two.
    pub has_others: bool,
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
    fn new(method: Method, executor: Executor) -> TimeLine {
        TimeLine {
            method,
            executor,
            has_others: false,
            done: vec![],
            current: None,
            expected: vec![],
        }
    }

    /// Raises each expected time to the time already spent on its board, and to those of smaller boards:
    /// the expected ones and the counted ones, `counted`.
    fn raise_expected(&mut self, counted: &[(u32, f64)]) {
        let counted =
            |n| counted.iter().filter(|done| done.0 < n).map(|done| done.1).fold(0.0, f64::max);
        let mut longest = 0.0;
        let mut points: Vec<_> =
            self.expected.iter_mut().map(|(n, seconds)| (*n, 0.0, Some(seconds))).collect();
        if let Some(UnfinishedPoint { n, elapsed, expected }) = &mut self.current {
            points.push((*n, *elapsed, expected.as_mut()));
        }
        points.sort_by_key(|&(n, ..)| n);
        for (n, elapsed, expected) in points {
            longest = counted(n).max(elapsed).max(longest);
            if let Some(expected) = expected {
                longest = expected.max(longest);
                *expected = longest;
            }
        }
    }

    /// Whether the line has a point, finished or expected.
    fn has_points(&self) -> bool {
        self.points().next().is_some()
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

/// Returns a line for each method and executor that counted, is counting, or is chosen in the form. The
/// times of finished and expected boards are at least [`MEASURABLE`]. Rows that failed their checks have
/// no point.
pub fn time_lines(status: &CountStatus, rows: &[FinishedRow]) -> Vec<TimeLine> {
    let mut lines = BTreeMap::new();
    for row in rows.iter().filter(|row| row.outcome.is_ok()) {
        let done = &mut line(&mut lines, row.method, row.executor).done;
        // The last count of a board replaces earlier ones.
        done.retain(|&(n, _)| n != row.size.get());
        done.push((row.size.get(), row.seconds.max(MEASURABLE)));
        done.sort_by_key(|&(n, _)| n);
    }
    let current = status.current_row.filter(|_| status.phase != Phase::Idle);
    if let (Some(row), Some(job)) = (current, status.job) {
        let (n, expected) = (row.size.get(), status.expected_of_current_row());
        line(&mut lines, row.method, job.executor).current =
            Some(UnfinishedPoint { n, elapsed: row.seconds, expected });
    }
    // While a count runs, the forecast must be that of its job.
    let is_of_job = |job| status.phase == Phase::Idle || status.job == Some(job);
    if let Some(forecast) = status.forecast.as_ref().filter(|forecast| is_of_job(forecast.job)) {
        for ((method, size), &seconds) in forecast.job.rows().zip(&forecast.rows) {
            let n = size.get();
            let line = line(&mut lines, method, forecast.job.executor);
            let is_current = line.current.is_some_and(|current| current.n == n);
            if !is_current && line.done.iter().all(|done| done.0 != n) {
                line.expected.push((n, seconds.max(MEASURABLE)));
            }
        }
    }
    let mut lines: Vec<TimeLine> = lines.into_values().filter(TimeLine::has_points).collect();
    let methods: Vec<Method> = lines.iter().map(|line| line.method).collect();
    for line in &mut lines {
        line.has_others = methods.iter().filter(|&&method| method == line.method).count() > 1;
        line.raise_expected(&comparable_times(status.cores, rows, line.method, line.executor));
    }
    lines
}

/// Returns the executor that counted a row if it distinguishes the row: another row has the same method, but
/// another executor.
pub fn distinguishing_executor(row: &FinishedRow, rows: &[FinishedRow]) -> Option<Executor> {
    let is_rival =
        |other: &FinishedRow| other.method == row.method && other.executor != row.executor;
    rows.iter().any(is_rival).then_some(row.executor)
}

/// Returns N and the time of each board that was counted by a method and by as many parallel workers as
/// `executor` has. Times of other numbers of workers, or of a GPU, say nothing about those of `executor`.
fn comparable_times(
    cores: u32,
    rows: &[FinishedRow],
    method: Method,
    executor: Executor,
) -> Vec<(u32, f64)> {
    let is_comparable = |row: &&FinishedRow| {
        row.method == method && row.outcome.is_ok() && is_comparable(row.executor, executor, cores)
    };
    let time = |row: &FinishedRow| (row.size.get(), row.seconds.max(MEASURABLE));
    rows.iter().filter(is_comparable).map(time).collect()
}

/// Returns the line of a method on an executor, which is added if it is missing. The lines are in the order of
/// the methods.
fn line(
    lines: &mut BTreeMap<(u32, Executor), TimeLine>,
    method: Method,
    executor: Executor,
) -> &mut TimeLine {
    let key = (method.number(), executor);
    lines.entry(key).or_insert_with(|| TimeLine::new(method, executor))
}

#[cfg(test)]
mod tests {
    use queens_core::{Size, known::known};

    use super::*;
    use crate::count::{CountJob, CurrentRow, Forecast};

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
        }
    }

    fn running(n: u32, remaining: Option<f64>) -> CountStatus {
        let job = CountJob {
            method: Some(Method::Colours),
            from: size(8),
            to: size(12),
            executor: Executor::Workers(2),
        };
        CountStatus {
            phase: Phase::Running,
            job: Some(job),
            current_row: Some(CurrentRow {
                method: Method::Colours,
                size: size(n),
                started: 10,
                done: 9,
                tasks: 90,
                solutions: 7,
                seconds: 0.3,
                remaining_seconds: remaining,
            }),
            forecast: Some(Forecast {
                job,
                rows: vec![0.000_01, 0.002, 0.02, 0.2, 2.0],
                is_extrapolated: false,
                is_measured: false,
                over_an_hour: None,
            }),
            ..CountStatus::default()
        }
    }

    #[test]
    fn a_running_count_has_finished_current_and_expected_boards() {
        let rows = [row(Method::Colours, 8, 0.000_2), row(Method::Colours, 9, 0.03)];
        let [line] = &time_lines(&running(10, Some(0.5)), &rows)[..] else { panic!() };
        assert_eq!(line.done, [(8, MEASURABLE), (9, 0.03)]);
        let current = UnfinishedPoint { n: 10, elapsed: 0.3, expected: Some(0.8) };
        assert_eq!(line.current, Some(current));
        // N = 11 does not take less time than N = 10.
        assert_eq!(line.expected, [(11, 0.8), (12, 2.0)]);
        let sizes: Vec<u32> = line.points().map(|(n, _)| n).collect();
        assert_eq!(sizes, [8, 9, 11, 12, 10, 10]);
        // As long as little of the current board is counted, it has its expected time from the forecast.
        let mut status = running(10, None);
        status.current_row.as_mut().unwrap().seconds = 0.01;
        assert_eq!(expected(&status, &[]).0, Some(0.02));
    }

    #[test]
    fn the_forecast_of_another_job_is_not_shown_while_counting() {
        let mut status = running(10, None);
        status.forecast.as_mut().unwrap().job.to = size(11);
        status.current_row.as_mut().unwrap().done = 1;
        let [line] = &time_lines(&status, &[])[..] else { panic!() };
        assert_eq!((&line.expected[..], line.current.unwrap().expected), (&[][..], None));
    }

    /// Returns the expected times of the current board and of others from N = 10 on.
    fn expected(status: &CountStatus, rows: &[FinishedRow]) -> (Option<f64>, Vec<(u32, f64)>) {
        let [line] = &time_lines(status, rows)[..] else { panic!() };
        let ahead = line.expected.iter().copied().filter(|&(n, _)| n >= 10);
        (line.current.and_then(|current| current.expected), ahead.collect())
    }

    #[test]
    fn a_stopped_board_is_expected_to_take_at_least_the_time_spent_on_it() {
        for phase in [Phase::Running, Phase::Pausing, Phase::Saved, Phase::Elsewhere] {
            let mut status = running(10, None);
            status.phase = phase;
            let row = status.current_row.as_mut().unwrap();
            // Three quarters of the tasks took 6 s.
            (row.seconds, row.done, row.tasks) = (6.0, 6, 8);
            assert_eq!(
                expected(&status, &[]),
                (Some(8.0), vec![(11, 8.0), (12, 8.0)]),
                "{phase:?}"
            );
            // A few tasks say nothing about the others.
            status.current_row.as_mut().unwrap().tasks = 1000;
            assert_eq!(
                expected(&status, &[]),
                (Some(6.0), vec![(11, 6.0), (12, 6.0)]),
                "{phase:?}"
            );
        }
    }

    #[test]
    fn no_board_is_expected_to_take_less_than_the_counted_one_before_it() {
        let rows = [row(Method::Colours, 8, 0.1), row(Method::Colours, 9, 0.5)];
        assert_eq!(expected(&running(10, Some(0.01)), &rows).0, Some(0.5));
        assert_eq!(expected(&running(10, Some(0.01)), &rows).1, [(11, 0.5), (12, 2.0)]);
        let mut idle = running(10, None);
        (idle.phase, idle.job) = (Phase::Idle, None);
        assert_eq!(expected(&idle, &rows).1, [(10, 0.5), (11, 0.5), (12, 2.0)]);
        // The time of one worker is no bound for that of two.
        let mut by_one = rows;
        for row in &mut by_one {
            row.executor = Executor::Workers(1);
        }
        idle.cores = 2;
        let [one, two] = &time_lines(&idle, &by_one)[..] else { panic!() };
        assert_eq!((&one.done[..], &one.expected[..]), (&[(8, 0.1), (9, 0.5)][..], &[][..]));
        let expected = [(8, MEASURABLE), (9, MEASURABLE), (10, 0.02), (11, 0.2), (12, 2.0)];
        assert_eq!((&two.done[..], &two.expected[..]), (&[][..], &expected[..]));
    }

    #[test]
    fn times_of_different_executors_are_on_different_lines() {
        let mut rows = [
            row(Method::Colours, 12, 0.4),
            row(Method::Symmetry, 12, 0.5),
            row(Method::Colours, 13, 0.3),
        ];
        let idle = CountStatus { phase: Phase::Idle, cores: 8, ..CountStatus::default() };
        let found = |rows: &[FinishedRow]| -> Vec<_> {
            let lines = time_lines(&idle, rows);
            lines.iter().map(|line| (line.method, line.has_others, line.done.len())).collect()
        };
        assert_eq!(found(&rows), [(Method::Symmetry, false, 1), (Method::Colours, false, 2)]);
        let named = |rows: &[FinishedRow]| -> Vec<_> {
            rows.iter().map(|row| distinguishing_executor(row, rows)).collect()
        };
        assert_eq!(named(&rows), [None; 3]);
        for executor in [Executor::Workers(4), Executor::WebGpu] {
            rows[2].executor = executor;
            let join = (Method::Colours, true, 1);
            assert_eq!(found(&rows), [(Method::Symmetry, false, 1), join, join]);
            assert_eq!(named(&rows), [Some(Executor::Workers(2)), None, Some(executor)]);
        }
    }

    #[test]
    fn the_form_adds_boards_to_finished_ones() {
        let mut status = running(10, None);
        (status.phase, status.job) = (Phase::Idle, None);
        let mut wrong = row(Method::Colours, 9, 1.0);
        wrong.outcome = Err("a reason".to_owned());
        let rows = [
            row(Method::Symmetry, 9, 0.5),
            wrong,
            row(Method::Colours, 11, 0.4),
            row(Method::Colours, 8, 0.1),
            row(Method::Colours, 11, 0.3),
        ];
        let [other, line] = &time_lines(&status, &rows)[..] else { panic!() };
        assert_eq!((other.method, &other.done[..]), (Method::Symmetry, &[(9, 0.5)][..]));
        assert_eq!((&line.done[..], line.current), (&[(8, 0.1), (11, 0.3)][..], None));
        assert_eq!(line.expected, [(9, 0.1), (10, 0.1), (12, 2.0)]);
    }
}
