//! Tasks on threads, each taken up as a thread becomes free.

use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use rayon::prelude::*;

/// A finished task.
#[derive(Clone, Debug)]
pub struct Done<T> {
    /// Its number in the plan.
    pub task: usize,
    /// What came of it.
    pub result: T,
    /// How long it took.
    pub took: Duration,
}

/// Is told the number of finished tasks, about ten times a second, and says whether to go on.
pub type Watch<'a> = &'a mut dyn FnMut(usize) -> ControlFlow<()>;

/// Why not all tasks were done.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Somebody stopped the run.
    #[error("interrupted: {done} of {tasks} tasks were done")]
    Stopped {
        /// Tasks that were finished; their results are lost.
        done: usize,
        /// Tasks that there are.
        tasks: usize,
    },
    /// The operating system gave no threads.
    #[error("cannot start {threads} threads")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        source: rayon::ThreadPoolBuildError,
    },
    /// The plan is shorter than its own length: a defect.
    #[error("the plan has no task {0}")]
    NoSuchTask(usize),
    /// A sum that does not fit.
    #[error("there are more solutions than a 64-bit number can hold")]
    TooMany,
}

const TICK: Duration = Duration::from_millis(100);

/// Does `work` for every task, in about the order given, on `threads` threads, and returns the
/// results in that order.
///
/// When `watch` says stop, this returns at once: no further task is started, and those at work
/// end with the process or unseen.
///
/// # Errors
/// [`RunError`] if the run was stopped or could not start.
pub fn run<T: Send + 'static>(
    threads: usize,
    tasks: Vec<usize>,
    work: impl Fn(usize) -> T + Send + Sync + 'static,
    watch: Watch<'_>,
) -> Result<Vec<Done<T>>, RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| RunError::Threads { threads, source })?;
    let count = tasks.len();
    let stop = Arc::new(AtomicBool::new(false));
    let (finished, inbox) = mpsc::channel();
    let stopped = Arc::clone(&stop);
    pool.spawn(move || {
        let every = tasks.into_par_iter().enumerate();
        // Single tasks, so that no thread idles while another one holds a range of them.
        every.with_max_len(1).for_each_with(finished, |finished, (position, task)| {
            if !stopped.load(Ordering::Relaxed) {
                let clock = Instant::now();
                let result = work(task);
                let took = clock.elapsed();
                // Nobody listens once the run was stopped.
                let _ = finished.send((position, Done { task, result, took }));
            }
        });
    });
    let mut results: Vec<Option<Done<T>>> = Vec::new();
    results.resize_with(count, || None);
    let mut done = 0;
    let mut tick = Instant::now() + TICK;
    loop {
        match inbox.recv_timeout(tick.saturating_duration_since(Instant::now())) {
            Ok((position, result)) => {
                done += 1;
                if let Some(place) = results.get_mut(position) {
                    *place = Some(result);
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                tick = Instant::now() + TICK;
                if watch(done).is_break() {
                    stop.store(true, Ordering::Relaxed);
                    return Err(RunError::Stopped { done, tasks: count });
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let results: Vec<_> = results.into_iter().flatten().collect();
    if results.len() < count {
        return Err(RunError::Stopped { done, tasks: count });
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_once_in_order() {
        let tasks: Vec<usize> = (0..1000).rev().collect();
        for threads in [1, 3] {
            let mut go_on = |_| ControlFlow::Continue(());
            let done = run(threads, tasks.clone(), |task| task * 2, &mut go_on).unwrap();
            assert!(done.iter().map(|done| done.task).eq(tasks.iter().copied()));
            assert!(done.iter().all(|done| done.result == done.task * 2));
        }
    }

    #[test]
    fn stopping_does_not_wait_for_tasks_at_work() {
        let clock = Instant::now();
        let slow = |_| std::thread::sleep(Duration::from_secs(30));
        let error = run(2, vec![0, 1, 2], slow, &mut |_| ControlFlow::Break(())).unwrap_err();
        assert!(matches!(error, RunError::Stopped { done: 0, tasks: 3 }));
        assert!(clock.elapsed() < Duration::from_secs(5));
    }
}
