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

    /// Returns the answer for the work since the previous report, or the final answer once all work
    /// is done.
    fn report(&mut self) -> Answer;

    /// Whether the job has something to report. The first report is delayed until then.
    fn has_news(&self) -> bool {
        true
    }
}

/// The length of a slice in milliseconds: short enough that a stop feels immediate, long enough
/// that the pauses between slices cost little.
const SLICE: f64 = 25.0;

/// The length of a job's first slice, in milliseconds. The first slice is shorter, so that the
/// first answer comes sooner.
const FIRST_SLICE: f64 = 8.0;

/// The interval between two reports of a job, in milliseconds.
const BETWEEN_REPORTS: f64 = 80.0;

/// The number of steps between two readings of the clock. The steps take well under a
/// millisecond.
const STEPS: u32 = 4096;

struct JobSlot<K> {
    key: K,
    job: Box<dyn Job>,
    /// The time of the last report; `None` before the first slice.
    reported: Option<f64>,
}

/// All jobs, in the order in which they get their next slice.
pub struct Jobs<K> {
    entries: VecDeque<JobSlot<K>>,
}

impl<K> Default for Jobs<K> {
    fn default() -> Self {
        Jobs { entries: VecDeque::new() }
    }
}

impl<K: Copy> Jobs<K> {
    /// Adds a job, which gets its first slice before all others.
    pub fn start(&mut self, key: K, job: Box<dyn Job>) {
        self.entries.push_front(JobSlot { key, job, reported: None });
    }

    /// Removes the jobs whose key satisfies `gone`.
    pub fn stop(&mut self, gone: impl Fn(&K) -> bool) {
        self.entries.retain(|entry| !gone(&entry.key));
    }

    /// Whether no job is left.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Runs one job for a slice. `clock` returns milliseconds; `send` receives answers.
    pub fn slice(&mut self, clock: impl Fn() -> f64, mut send: impl FnMut(K, Answer)) {
        let Some(mut entry) = self.entries.pop_front() else {
            return;
        };
        let begin = clock();
        let length = if entry.reported.is_none() { FIRST_SLICE } else { SLICE };
        let mut more = true;
        while more && clock() - begin < length {
            more = entry.job.work(STEPS);
        }
        let now = clock();
        let due = match entry.reported {
            Some(reported) => now - reported >= BETWEEN_REPORTS,
            None => entry.job.has_news(),
        };
        if due || !more {
            entry.reported = Some(now);
            send(entry.key, entry.job.report());
        }
        if more {
            self.entries.push_back(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            Answer::Located { step: Some(self.done) }
        }

        fn has_news(&self) -> bool {
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
        let (now, mut jobs, mut said) = (Cell::new(0.0), Jobs::default(), vec![]);
        jobs.start('a', countdown(1000));
        while !jobs.is_empty() {
            jobs.slice(clock(&now), |key, answer| said.push((key, answer, now.get())));
        }
        assert!(said[0].2 <= FIRST_SLICE + 4.0, "{:?}", said[0]);
        assert!(said.len() < 1000 / 60, "{} reports", said.len());
        let longest = BETWEEN_REPORTS + SLICE + 4.0;
        assert!(said.windows(2).all(|two| two[1].2 - two[0].2 <= longest), "{said:?}");
        let Some(('a', Answer::Located { step }, _)) = said.last() else { panic!("{said:?}") };
        assert_eq!(*step, Some(1000));
    }

    #[test]
    fn sends_no_empty_first_report() {
        let (now, mut jobs, mut said) = (Cell::new(0.0), Jobs::default(), vec![]);
        jobs.start('a', Box::new(Countdown { left: 1000, done: 0, silent: 30 }));
        while said.is_empty() {
            jobs.slice(clock(&now), |_, answer| said.push(answer));
        }
        let [Answer::Located { step: Some(step) }] = said[..] else { panic!("{said:?}") };
        assert!((30..30 + FIRST_SLICE as u64).contains(&step), "{step}");
    }

    #[test]
    fn a_newer_job_runs_beside_an_older_one() {
        let (now, mut jobs, mut said) = (Cell::new(0.0), Jobs::default(), vec![]);
        jobs.start('a', countdown(1_000_000));
        jobs.slice(clock(&now), |key, _| said.push(key));
        jobs.slice(clock(&now), |key, _| said.push(key));
        jobs.start('b', countdown(3));
        jobs.slice(clock(&now), |key, _| said.push(key));
        assert_eq!(said.last(), Some(&'b'));
        jobs.start('c', countdown(100));
        while jobs.entries.len() > 1 {
            jobs.slice(clock(&now), |key, _| said.push(key));
        }
        assert!(said.contains(&'c'));
    }

    #[test]
    fn a_stopped_job_sends_no_more_reports() {
        let (now, mut jobs) = (Cell::new(0.0), Jobs::default());
        jobs.start('a', countdown(1_000_000));
        jobs.slice(clock(&now), |_, _| {});
        jobs.stop(|&key| key == 'a');
        assert!(jobs.is_empty());
        jobs.slice(clock(&now), |_, answer| panic!("{answer:?}"));
    }
}
