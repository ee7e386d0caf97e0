//! Runs several requests at once, each in short slices (round-robin scheduling).
//!
//! A worker receives no messages while it computes. So every request is a [`Job`] that can stop
//! after a few thousand steps, and the worker handles messages between two slices. Stopping a
//! request takes effect after at most one slice. This module uses no browser APIs.

use std::collections::VecDeque;

use crate::protocol::Answer;

/// A request in progress.
pub trait Job {
    /// Does about `steps` steps. Returns whether there is more to do.
    fn work(&mut self, steps: u32) -> bool;

    /// Returns an answer about the work so far, or about the work since the previous report. The
    /// report after all work is done is the final answer.
    fn report(&mut self) -> Answer;

    /// Whether the job has something to report. The first report is delayed until then.
    fn has_report(&self) -> bool {
        true
    }
}

/// The length of a slice in milliseconds: short enough that a stop feels immediate, long enough
/// that the pauses between slices cost little.
const SLICE: f64 = 25.0;

/// The length of a job's slices before its first report, in milliseconds. They are shorter, so that
/// the first answer comes sooner.
const FIRST_SLICE: f64 = 8.0;

/// The interval between two reports of a job, in milliseconds.
const REPORT_INTERVAL: f64 = 80.0;

/// The number of steps between two readings of the clock. The steps take well under a
/// millisecond.
const STEPS: u32 = 4096;

struct JobSlot<K> {
    key: K,
    job: Box<dyn Job>,
    /// The time of the last report; `None` before the first one.
    reported: Option<f64>,
}

/// All jobs, in the order in which they get their next slice.
pub struct Jobs<K> {
    slots: VecDeque<JobSlot<K>>,
}

impl<K> Default for Jobs<K> {
    fn default() -> Self {
        Jobs { slots: VecDeque::new() }
    }
}

impl<K: Copy> Jobs<K> {
    /// Adds a job, which gets its first slice before all others.
    pub fn start(&mut self, key: K, job: Box<dyn Job>) {
        self.slots.push_front(JobSlot { key, job, reported: None });
    }

    /// Removes the jobs whose key satisfies `is_stopped`.
    pub fn stop(&mut self, is_stopped: impl Fn(&K) -> bool) {
        self.slots.retain(|slot| !is_stopped(&slot.key));
    }

    /// Whether there are no jobs.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Runs one job for a slice. `clock` returns milliseconds; `send` receives answers.
    pub fn run_slice(&mut self, clock: impl Fn() -> f64, mut send: impl FnMut(K, Answer)) {
        let Some(mut slot) = self.slots.pop_front() else {
            return;
        };
        let begin = clock();
        let length = if slot.reported.is_none() { FIRST_SLICE } else { SLICE };
        let mut more = true;
        while more && clock() - begin < length {
            more = slot.job.work(STEPS);
        }
        let now = clock();
        let is_due = match slot.reported {
            Some(reported) => now - reported >= REPORT_INTERVAL,
            None => slot.job.has_report(),
        };
        if is_due || !more {
            slot.reported = Some(now);
            send(slot.key, slot.job.report());
        }
        if more {
            self.slots.push_back(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Location;
    use std::cell::Cell;

    /// Counts down and reports the number of steps done.
    struct Countdown {
        left: u32,
        done: u64,
        /// The number of steps before the job has something to report.
        silent: u64,
    }

    impl Job for Countdown {
        fn work(&mut self, _steps: u32) -> bool {
            self.left -= 1;
            self.done += 1;
            self.left > 0
        }

        fn report(&mut self) -> Answer {
            Answer::Located(Some(Location { step: self.done, ..Location::default() }))
        }

        fn has_report(&self) -> bool {
            self.done >= self.silent
        }
    }

    fn countdown(left: u32) -> Box<dyn Job> {
        Box::new(Countdown { left, done: 0, silent: 0 })
    }

    /// Returns a clock that advances by a millisecond with each reading.
    fn clock(now: &Cell<f64>) -> impl Fn() -> f64 {
        || now.replace(now.get() + 1.0)
    }

    #[test]
    fn reports_early_and_always_at_the_end() {
        let (now, mut jobs, mut reports) = (Cell::new(0.0), Jobs::default(), vec![]);
        jobs.start('a', countdown(1000));
        while !jobs.is_empty() {
            jobs.run_slice(clock(&now), |key, answer| reports.push((key, answer, now.get())));
        }
        assert!(reports[0].2 <= FIRST_SLICE + 4.0, "{:?}", reports[0]);
        assert!(reports.len() < 1000 / 60, "{} reports", reports.len());
        let longest = REPORT_INTERVAL + SLICE + 4.0;
        assert!(reports.windows(2).all(|two| two[1].2 - two[0].2 <= longest), "{reports:?}");
        let Some(('a', Answer::Located(Some(Location { step, .. })), _)) = reports.last() else {
            panic!("{reports:?}")
        };
        assert_eq!(*step, 1000);
    }

    #[test]
    fn sends_no_empty_first_report() {
        let (now, mut jobs, mut reports) = (Cell::new(0.0), Jobs::default(), vec![]);
        jobs.start('a', Box::new(Countdown { left: 1000, done: 0, silent: 30 }));
        while reports.is_empty() {
            jobs.run_slice(clock(&now), |_, answer| reports.push(answer));
        }
        let [Answer::Located(Some(Location { step, .. }))] = reports[..] else {
            panic!("{reports:?}")
        };
        assert!((30..30 + FIRST_SLICE as u64).contains(&step), "{step}");
    }

    #[test]
    fn a_newer_job_runs_beside_an_older_one() {
        let (now, mut jobs, mut reports) = (Cell::new(0.0), Jobs::default(), vec![]);
        jobs.start('a', countdown(1_000_000));
        jobs.run_slice(clock(&now), |key, _| reports.push(key));
        jobs.run_slice(clock(&now), |key, _| reports.push(key));
        jobs.start('b', countdown(3));
        jobs.run_slice(clock(&now), |key, _| reports.push(key));
        assert_eq!(reports.last(), Some(&'b'));
        jobs.start('c', countdown(100));
        while jobs.slots.len() > 1 {
            jobs.run_slice(clock(&now), |key, _| reports.push(key));
        }
        assert!(reports.contains(&'c'));
    }

    #[test]
    fn a_stopped_job_sends_no_more_reports() {
        let (now, mut jobs) = (Cell::new(0.0), Jobs::default());
        jobs.start('a', countdown(1_000_000));
        jobs.run_slice(clock(&now), |_, _| {});
        jobs.stop(|&key| key == 'a');
        assert!(jobs.is_empty());
        jobs.run_slice(clock(&now), |_, answer| panic!("{answer:?}"));
    }
}
