//! The progress of a count over all of its rows.

use queens_worker::{CountStatus, FinishedRow};

use super::forecast::{expected_of_current_row, row_times};

/// The progress of a job over all of its rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobProgress {
    /// The number of the current row, counted from 1.
    pub row: u32,
    /// The number of all rows.
    pub rows: u32,
    /// The share of the job that is done, from 0 to 1: of its expected time or, without a forecast, of its rows.
    pub share: f64,
    /// The expected remaining time in seconds; `None` without a forecast.
    pub remaining: Option<f64>,
}

impl JobProgress {
    /// Returns the progress of a job; `None` if no row is being counted. `finished` has the finished rows, including
    /// those of earlier counts.
    pub fn new(status: &CountStatus, finished: &[FinishedRow]) -> Option<JobProgress> {
        let (job, current) = (status.job?, status.current_row?);
        let all: Vec<_> = job.rows().collect();
        let index = all.iter().position(|row| *row == (current.method, current.size))?;
        let is_before = |row: &&FinishedRow| {
            all.iter().take(index).any(|before| *before == (row.method, row.size))
        };
        let passed = finished.iter().filter(is_before).map(|row| row.seconds).sum::<f64>();
        let passed = passed + current.seconds;
        let remaining = expected_of_current_row(status, finished).and_then(|expected| {
            let times = row_times(job, status, finished)?;
            let further = times.iter().skip(index + 1).sum::<f64>();
            Some((expected - current.seconds).max(0.0) + further)
        });
        let by_rows = || {
            let share = f64::from(current.done) / f64::from(current.tasks.max(1));
            (index as f64 + share) / all.len() as f64
        };
        let share = remaining.filter(|&remaining| passed + remaining > 0.0);
        Some(JobProgress {
            row: u32::try_from(index + 1).unwrap_or(u32::MAX),
            rows: u32::try_from(all.len()).unwrap_or(u32::MAX),
            share: share.map_or_else(by_rows, |remaining| passed / (passed + remaining)),
            remaining,
        })
    }
}

#[cfg(test)]
mod tests {
    use queens_core::{Method, Size};
    use queens_worker::{CountJob, CurrentRow, Executor, Phase};

    use super::super::samples::row;
    use super::*;

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    fn status(from: u32, to: u32, current: u32) -> CountStatus {
        let job = CountJob {
            method: Some(Method::Colours),
            from: size(from),
            to: size(to),
            executor: Executor::Workers(2),
        };
        CountStatus {
            phase: Phase::Running,
            job: Some(job),
            current_row: Some(CurrentRow {
                method: Method::Colours,
                size: size(current),
                started: 60,
                done: 50,
                tasks: 100,
                solutions: 0,
                seconds: 2.0,
                remaining_seconds: Some(2.0),
            }),
            ..CountStatus::default()
        }
    }

    #[test]
    fn the_progress_of_a_job_includes_its_further_boards() {
        let mut status = status(10, 13, 12);
        // The row of N = 6 belongs to an earlier count.
        let rows = [
            row(Method::Colours, 6, 0.05),
            row(Method::Colours, 10, 1.0),
            row(Method::Colours, 11, 1.0),
        ];
        // N = 12 takes 4 s, of which 2 are left, and N = 13 twice as long as N = 12, by N = 10.
        let by_time = JobProgress::new(&status, &rows).unwrap();
        assert_eq!((by_time.row, by_time.rows, by_time.remaining), (3, 4, Some(10.0)));
        assert!((by_time.share - 4.0 / 14.0).abs() < 1e-9, "{by_time:?}");
        // Without a forecast, the share is that of the rows.
        status.current_row.as_mut().unwrap().seconds = 0.01;
        status.current_row.as_mut().unwrap().remaining_seconds = None;
        let by_rows = JobProgress::new(
            &status,
            &[row(Method::Colours, 10, 0.01), row(Method::Colours, 11, 0.01)],
        )
        .unwrap();
        assert_eq!((by_rows.remaining, by_rows.share), (None, 0.625));
    }

    #[test]
    fn a_job_has_progress_while_a_row_is_counted() {
        // Of a single board, 2 of 4 s are over.
        let one = JobProgress::new(&status(12, 12, 12), &[]).unwrap();
        assert_eq!((one.rows, one.share, one.remaining), (1, 0.5, Some(2.0)));
        let mut idle = status(8, 16, 12);
        idle.current_row = None;
        assert_eq!(JobProgress::new(&idle, &[]), None);
    }
}
