//! The times of a count by N, as the lines of a chart.

use std::collections::BTreeMap;

use queens_core::Method;
use queens_worker::{CountJob, CountStatus, Executor, FinishedRow, Phase};

use super::forecast::{Forecast, is_comparable};

/// The shortest expected time in seconds that the chart shows. Shorter times depend on the browser's clock and on
/// starting the workers more than on the count, so they cannot be foreseen.
const FORESEEABLE: f64 = 0.01;

/// The times of one method on one executor.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeLine {
    pub method: Method,
    pub executor: Executor,
    /// Whether another line has the same method, so that only the executor distinguishes the two.
    pub has_others: bool,
    /// N and the time in seconds of each finished board, in ascending order of N.
    pub done: Vec<(u32, f64)>,
    /// N and the expected time of each further board, in ascending order of N.
    pub expected: Vec<(u32, f64)>,
}

impl TimeLine {
    fn new(method: Method, executor: Executor) -> TimeLine {
        TimeLine { method, executor, has_others: false, done: vec![], expected: vec![] }
    }

    /// Raises each expected time to those of smaller boards: the expected ones and the counted ones, `counted`.
    fn raise_expected(&mut self, counted: &[(u32, f64)]) {
        let counted =
            |n| counted.iter().filter(|done| done.0 < n).map(|done| done.1).fold(0.0, f64::max);
        let mut longest = 0.0;
        for (n, expected) in &mut self.expected {
            longest = expected.max(counted(*n)).max(longest);
            *expected = longest;
        }
    }
}

/// Returns a line for each method and executor that counted, is counting, or is chosen in the form. Rows that
/// failed their checks have no point, nor do those whose time is 0, for which a logarithmic axis has no place.
/// `job` is the job that is being counted or, without one, that of the form.
pub fn time_lines(status: &CountStatus, rows: &[FinishedRow], job: CountJob) -> Vec<TimeLine> {
    let mut lines = BTreeMap::new();
    for row in rows.iter().filter(|row| row.outcome.is_ok()) {
        let done = &mut line(&mut lines, row.method, row.executor).done;
        // The last count of a board replaces earlier ones.
        done.retain(|&(n, _)| n != row.size.get());
        done.push((row.size.get(), row.seconds));
        done.sort_by_key(|&(n, _)| n);
    }
    let current = status.current_row.filter(|_| status.phase != Phase::Idle);
    for (method, size) in job.rows() {
        let n = size.get();
        let line = line(&mut lines, method, job.executor);
        let elapsed = current.filter(|row| (row.method, row.size) == (method, size));
        let elapsed = elapsed.map_or(0.0, |row| row.seconds);
        let expected = Forecast::new(method, job.executor, status, rows).seconds(n);
        if let Some(seconds) = expected.filter(|_| line.done.iter().all(|done| done.0 != n)) {
            line.expected.push((n, seconds.max(elapsed)));
        }
    }
    let mut lines: Vec<TimeLine> = lines.into_values().collect();
    for line in &mut lines {
        line.raise_expected(&comparable_times(status.cores, rows, line.method, line.executor));
        line.done.retain(|&(_, seconds)| seconds > 0.0);
        line.expected.retain(|&(_, seconds)| seconds >= FORESEEABLE);
    }
    lines.retain(|line| !(line.done.is_empty() && line.expected.is_empty()));
    let methods: Vec<Method> = lines.iter().map(|line| line.method).collect();
    for line in &mut lines {
        line.has_others = methods.iter().filter(|&&method| method == line.method).count() > 1;
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
    let time = |row: &FinishedRow| (row.size.get(), row.seconds);
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
    use queens_core::Size;
    use queens_worker::CurrentRow;

    use super::super::samples::row;
    use super::*;

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    fn job() -> CountJob {
        CountJob {
            method: Some(Method::Colours),
            from: size(8),
            to: size(12),
            executor: Executor::Workers(2),
        }
    }

    fn running(n: u32, remaining: Option<f64>) -> CountStatus {
        CountStatus {
            phase: Phase::Running,
            job: Some(job()),
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
            cores: 2,
            ..CountStatus::default()
        }
    }

    #[test]
    fn a_running_count_has_finished_and_expected_boards() {
        let rows = [row(Method::Colours, 8, 0.000_2), row(Method::Colours, 9, 0.03)];
        let [line] = &time_lines(&running(10, Some(0.5)), &rows, job())[..] else { panic!() };
        assert_eq!(line.done, [(8, 0.000_2), (9, 0.03)]);
        assert_eq!(line.expected, [(10, 0.8), (11, 3.2), (12, 12.8)]);
        // As long as little of the current board is counted, nothing is expected of any board.
        let mut status = running(10, None);
        status.current_row.as_mut().unwrap().seconds = 0.01;
        let [line] = &time_lines(&status, &rows, job())[..] else { panic!() };
        assert_eq!(line.expected, []);
    }

    #[test]
    fn every_counted_board_with_a_time_has_a_point() {
        let times = [0.0, 0.008_6, 0.006, 0.006_6, 0.4];
        let rows: Vec<_> =
            (8..).zip(times).map(|(n, time)| row(Method::Colours, n, time)).collect();
        let idle = CountStatus { phase: Phase::Idle, cores: 2, ..CountStatus::default() };
        let [line] = &time_lines(&idle, &rows, job())[..] else { panic!() };
        assert_eq!(line.done, [(9, 0.008_6), (10, 0.006), (11, 0.006_6), (12, 0.4)]);
        assert_eq!(line.expected, []);
    }

    #[test]
    fn no_board_is_expected_to_take_less_than_the_counted_one_before_it() {
        let rows = [row(Method::Colours, 8, 0.1), row(Method::Colours, 9, 5.0)];
        let [line] = &time_lines(&running(10, Some(0.01)), &rows, job())[..] else { panic!() };
        assert_eq!(line.expected, [(10, 5.0), (11, 5.0), (12, 5.0)]);
        // The time of one worker is no bound for that of two.
        let by_one = rows.map(|row| FinishedRow { executor: Executor::Workers(1), ..row });
        let idle = CountStatus { phase: Phase::Idle, cores: 2, ..CountStatus::default() };
        let [one] = &time_lines(&idle, &by_one, job())[..] else { panic!() };
        assert_eq!((one.executor, &one.expected[..]), (Executor::Workers(1), &[][..]));
    }

    #[test]
    fn times_of_different_executors_are_on_different_lines() {
        let mut rows = [
            row(Method::Colours, 12, 0.04),
            row(Method::Symmetry, 12, 0.5),
            row(Method::Colours, 13, 0.03),
        ];
        let idle = CountStatus { phase: Phase::Idle, cores: 8, ..CountStatus::default() };
        let found = |rows: &[FinishedRow]| -> Vec<_> {
            let lines = time_lines(&idle, rows, job());
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
        let idle = CountStatus { phase: Phase::Idle, cores: 2, ..CountStatus::default() };
        let mut wrong = row(Method::Colours, 9, 1.0);
        wrong.outcome = Err("a reason".to_owned());
        let rows = [
            row(Method::Symmetry, 9, 0.5),
            wrong,
            row(Method::Colours, 11, 0.4),
            row(Method::Colours, 8, 0.1),
            row(Method::Colours, 11, 0.3),
        ];
        let [other, line] = &time_lines(&idle, &rows, job())[..] else { panic!() };
        assert_eq!((other.method, &other.done[..]), (Method::Symmetry, &[(9, 0.5)][..]));
        assert_eq!(line.done, [(8, 0.1), (11, 0.3)]);
        let expected: Vec<u32> = line.expected.iter().map(|&(n, _)| n).collect();
        assert_eq!(expected, [9, 10, 12]);
    }
}
