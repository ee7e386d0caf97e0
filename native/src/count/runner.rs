//! The work queue: tasks handed out to whatever works on them, and their results collected.

use std::{
    collections::HashMap,
    ops::ControlFlow,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

use super::BackendError;

/// A finished task.
#[derive(Clone, Debug)]
pub struct Done<T> {
    /// Its number in the plan.
    pub task: usize,
    /// What came of it.
    pub result: T,
    /// How long it took; on a GPU, which works on many tasks at once, its share of their time.
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
    /// Whatever worked on the tasks cannot go on.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// Tasks were taken up and not finished once each: a defect.
    #[error("{done} results came back for {tasks} tasks, though nobody stopped the run")]
    Lost {
        /// Results.
        done: usize,
        /// Tasks that there are.
        tasks: usize,
    },
    /// A sum that does not fit.
    #[error("there are more solutions than a 64-bit number can hold")]
    TooMany,
}

/// Tasks to be done, and where their results go; its clones share both.
#[derive(Debug)]
pub struct Orders<T> {
    shared: Arc<Shared>,
    reports: Sender<Result<Done<T>, BackendError>>,
}

#[derive(Debug)]
struct Shared {
    /// The tasks that nobody has taken, the next one last.
    left: Mutex<Vec<usize>>,
    stop: AtomicBool,
}

impl<T> Clone for Orders<T> {
    fn clone(&self) -> Orders<T> {
        Orders { shared: Arc::clone(&self.shared), reports: self.reports.clone() }
    }
}

impl<T> Orders<T> {
    /// Takes the next tasks, `most` at most; none once the run was stopped.
    pub fn take(&self, most: usize) -> Vec<usize> {
        if self.stopped() {
            return Vec::new();
        }
        let mut left = self.shared.left.lock().unwrap_or_else(PoisonError::into_inner);
        let keep = left.len().saturating_sub(most);
        let mut taken = left.split_off(keep);
        taken.reverse();
        taken
    }

    /// Gives back tasks that were taken and not done.
    pub fn give_back(&self, tasks: &[usize]) {
        let mut left = self.shared.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.extend(tasks.iter().rev());
    }

    /// How many tasks nobody has taken.
    pub fn left(&self) -> usize {
        self.shared.left.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether somebody stopped the run.
    pub fn stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// Reports a finished task.
    pub fn done(&self, done: Done<T>) {
        // Nobody listens once the run was stopped.
        let _ = self.reports.send(Ok(done));
    }

    /// Ends the run with an error.
    pub fn fail(&self, error: BackendError) {
        let _ = self.reports.send(Err(error));
    }
}

const TICK: Duration = Duration::from_millis(100);

/// Has all tasks done and returns the results in the order of `tasks`.
///
/// `start` sets the work going and returns at once; whoever works holds a clone of the orders,
/// and takes tasks in about the order given. When `watch` says stop, this returns at once too: no
/// further task is handed out, and those at work end unseen or with the process.
///
/// # Errors
/// [`RunError`] if the run was stopped, could not start or broke down.
pub fn run<T>(
    mut tasks: Vec<usize>,
    start: impl FnOnce(Orders<T>) -> Result<(), BackendError>,
    watch: Watch<'_>,
) -> Result<Vec<Done<T>>, RunError> {
    let count = tasks.len();
    let mut results: Vec<Done<T>> = Vec::with_capacity(count);
    let order = tasks.clone();
    tasks.reverse();
    let shared = Arc::new(Shared { left: Mutex::new(tasks), stop: AtomicBool::new(false) });
    let (reports, inbox) = mpsc::channel();
    start(Orders { shared: Arc::clone(&shared), reports })?;
    let mut tick = Instant::now() + TICK;
    loop {
        match inbox.recv_timeout(tick.saturating_duration_since(Instant::now())) {
            Ok(Ok(done)) => results.push(done),
            Ok(Err(error)) => {
                shared.stop.store(true, Ordering::Relaxed);
                return Err(error.into());
            }
            Err(RecvTimeoutError::Timeout) => {
                tick = Instant::now() + TICK;
                if watch(results.len()).is_break() {
                    shared.stop.store(true, Ordering::Relaxed);
                    return Err(RunError::Stopped { done: results.len(), tasks: count });
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let position: HashMap<usize, usize> = order.iter().copied().zip(0..).collect();
    results.sort_by_key(|done| position.get(&done.task).copied());
    if results.iter().map(|done| done.task).ne(order) {
        return Err(RunError::Lost { done: results.len(), tasks: count });
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::on_threads;
    use std::thread;

    fn go_on(_: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn every_task_once_in_order() {
        let tasks: Vec<usize> = (0..1000).rev().collect();
        for threads in [1, 3] {
            let start = |orders| on_threads(threads, orders, |task| task * 2);
            let done = run(tasks.clone(), start, &mut go_on).unwrap();
            assert!(done.iter().map(|done| done.task).eq(tasks.iter().copied()));
            assert!(done.iter().all(|done| done.result == done.task * 2));
        }
    }

    #[test]
    fn stopping_does_not_wait_for_tasks_at_work() {
        let clock = Instant::now();
        let slow = |_| thread::sleep(Duration::from_secs(30));
        let start = |orders| on_threads(2, orders, slow);
        let error = run(vec![0, 1, 2], start, &mut |_| ControlFlow::Break(())).unwrap_err();
        assert!(matches!(error, RunError::Stopped { done: 0, tasks: 3 }));
        assert!(clock.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn tasks_that_are_given_back_come_again() {
        let start = |orders: Orders<()>| {
            let first = orders.take(2);
            orders.give_back(&first);
            assert_eq!(orders.left(), 3);
            thread::spawn(move || {
                for task in orders.take(3) {
                    orders.done(Done { task, result: (), took: Duration::ZERO });
                }
            });
            Ok(())
        };
        let done = run(vec![5, 3, 4], start, &mut go_on).unwrap();
        assert!(done.iter().map(|done| done.task).eq([5, 3, 4]));
    }

    #[test]
    fn a_lost_task_and_a_failure_are_errors() {
        let lose_one = |orders: Orders<()>| {
            orders.take(1);
            for task in orders.take(1) {
                orders.done(Done { task, result: (), took: Duration::ZERO });
            }
            Ok(())
        };
        let error = run(vec![0, 1], lose_one, &mut go_on).unwrap_err();
        assert!(matches!(error, RunError::Lost { done: 1, tasks: 2 }), "{error}");
        let failed = BackendError::Failed { device: "GPU".into(), reason: "it burns".into() };
        let fail = |orders: Orders<()>| {
            orders.fail(failed.clone());
            Ok(())
        };
        let error = run(vec![0], fail, &mut go_on).unwrap_err();
        assert_eq!(error.to_string(), "GPU failed: it burns");
    }
}
