//! Task queue: hands out tasks to workers and collects their results on the calling thread.

use std::{
    collections::{BTreeSet, HashMap},
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, Sender, TryRecvError},
    },
    thread::{self, Thread},
    time::{Duration, Instant},
};

use queens_core::{Done, TaskError, ranges};

use super::BackendError;
use crate::lock::lock;

/// Callback that receives each finished task, on the calling thread. Results arrive in batches, about ten
/// times per second.
pub type Sink<'a, T> = &'a mut dyn FnMut(Done<T>) -> Result<(), RunError>;

/// Callback that receives the number of finished tasks, five to ten times per second. It returns
/// [`ControlFlow::Break`] to stop the run.
pub type Watch<'a> = &'a mut dyn FnMut(usize) -> ControlFlow<()>;

/// Reasons why a run ended before all its tasks were finished.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The run was interrupted.
    #[error("interrupted after {done} of {tasks} tasks")]
    Stopped {
        /// Number of finished tasks; the sink has their results.
        done: usize,
        /// Number of all tasks.
        tasks: usize,
    },
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// A task cannot be counted, or its result cannot be added to the others.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// A worker panicked, which is a bug.
    #[error("internal error: {} failed: {reason}", task_names(.tasks))]
    Panicked {
        /// The task that the worker was counting, or all tasks of its batch.
        tasks: Vec<usize>,
        /// The message of the panic.
        reason: String,
    },
    /// All workers ended, but some tasks have no result, which is a bug.
    #[error("internal error: tasks did not finish: {}", ranges(.tasks))]
    Lost {
        /// The numbers of the tasks without a result.
        tasks: Vec<u32>,
    },
    /// A result arrived for a task that was not scheduled or already has one, which is a bug.
    #[error("internal error: unexpected result of task {task}")]
    UnknownTask { task: usize },
    /// A sum exceeds a `u64`.
    #[error("the number of solutions does not fit in 64 bits")]
    Overflow,
}

impl RunError {
    /// Returns what the user of the command can do about the error.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            RunError::Backend(error) => error.hint(),
            RunError::Panicked { .. } | RunError::Lost { .. } | RunError::UnknownTask { .. } => {
                Some("this is a bug; please report it".to_owned())
            }
            RunError::Stopped { .. } | RunError::Task(_) | RunError::Overflow => None,
        }
    }
}

/// Returns the names of one or several tasks for an error message.
fn task_names(tasks: &[usize]) -> String {
    match *tasks {
        [task] => format!("task {task}"),
        _ => format!("one of the tasks {}", ranges(&sorted_numbers(tasks.iter().copied()))),
    }
}

/// Sorts task numbers in ascending order. Each number of a plan fits in a `u32`.
fn sorted_numbers(tasks: impl IntoIterator<Item = usize>) -> Vec<u32> {
    let mut numbers: Vec<_> =
        tasks.into_iter().filter_map(|task| u32::try_from(task).ok()).collect();
    numbers.sort_unstable();
    numbers
}

/// Runs `work`. If `work` panics, returns the message of the panic as an error.
pub(super) fn catch_panic<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    // `AssertUnwindSafe` is correct here, because no caller uses the state again after a panic.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let message = panic.downcast_ref::<&str>().copied();
        let message = message.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        message.unwrap_or("panicked without a message").to_owned()
    })
}

/// The tasks still to be done, and a channel for their results. Clones share both.
#[derive(Debug)]
pub struct TaskQueue<T> {
    shared: Arc<QueueState>,
    reports: Sender<Result<Done<T>, RunError>>,
    /// Wakes the collecting thread when a worker ends. Fields are dropped in the order of their
    /// declaration. `reports` is declared before this field, so the channel is already closed when the
    /// thread wakes.
    waker: CollectorWaker,
}

/// Handle of the thread that collects results. Dropping it wakes the thread.
#[derive(Clone, Debug)]
struct CollectorWaker(Thread);

impl Drop for CollectorWaker {
    fn drop(&mut self) {
        self.0.unpark();
    }
}

/// State that all clones of a queue share.
#[derive(Debug)]
struct QueueState {
    /// Tasks that no worker has taken. The next task to hand out is the last element.
    waiting: Mutex<Vec<usize>>,
    /// Set when the run has ended, so that workers stop.
    stop: AtomicBool,
}

impl<T> Clone for TaskQueue<T> {
    fn clone(&self) -> TaskQueue<T> {
        let TaskQueue { shared, reports, waker } = self;
        TaskQueue { shared: Arc::clone(shared), reports: reports.clone(), waker: waker.clone() }
    }
}

impl<T> TaskQueue<T> {
    /// Takes up to `limit` tasks. Returns no tasks after the run has ended.
    pub fn take(&self, limit: usize) -> Vec<usize> {
        if self.is_stopped() {
            return Vec::new();
        }
        let mut waiting = lock(&self.shared.waiting);
        let remaining = waiting.len().saturating_sub(limit);
        let mut taken = waiting.split_off(remaining);
        taken.reverse();
        taken
    }

    /// Puts back tasks that were taken but not done.
    pub fn put_back(&self, tasks: &[usize]) {
        let mut waiting = lock(&self.shared.waiting);
        waiting.extend(tasks.iter().rev());
    }

    /// Returns the number of tasks that no worker has taken.
    pub fn waiting(&self) -> usize {
        lock(&self.shared.waiting).len()
    }

    /// Returns whether the run has ended.
    pub fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// Reports a finished task.
    pub fn report(&self, done: Done<T>) {
        // The collecting thread polls instead of being woken for each result: with a thousand tasks,
        // waking it took a sixth of the time of N = 16. A send error means that the run has already
        // ended.
        let _ = self.reports.send(Ok(done));
    }

    /// Ends the run with an error.
    pub fn fail(&self, error: impl Into<RunError>) {
        let _ = self.reports.send(Err(error.into()));
        self.waker.0.unpark();
    }
}

/// Interval at which the collecting thread polls for results and calls `watch`.
const TICK: Duration = Duration::from_millis(100);

/// Runs all tasks and passes each result to `sink`.
///
/// `start` must start the workers and return immediately. Each worker holds a clone of the queue and
/// takes tasks roughly in the given order.
///
/// If `watch` stops the run, or anything fails, this function returns at once: no further task is handed
/// out, and results of running tasks are discarded. Results that arrived before have reached the sink.
///
/// # Errors
/// [`RunError`] if the run was stopped, could not start or failed, or the error of `sink`.
pub fn run_into<T>(
    mut tasks: Vec<usize>,
    start: impl FnOnce(TaskQueue<T>) -> Result<(), BackendError>,
    sink: Sink<'_, T>,
    watch: Watch<'_>,
) -> Result<(), RunError> {
    let task_count = tasks.len();
    let mut collector =
        ResultCollector { missing: tasks.iter().copied().collect(), task_count, sink };
    tasks.reverse();
    let shared = Arc::new(QueueState { waiting: Mutex::new(tasks), stop: AtomicBool::new(false) });
    let (reports, inbox) = mpsc::channel();
    let waker = CollectorWaker(thread::current());
    start(TaskQueue { shared: Arc::clone(&shared), reports, waker })?;
    let mut outcome = collector.collect(&inbox, watch);
    shared.stop.store(true, Ordering::Relaxed);
    // Accept results that have arrived in the meantime, even if the run was stopped or failed.
    for done in inbox.try_iter().flatten() {
        let accepted = collector.accept(done);
        outcome = outcome.and_then(|flow| accepted.map(|()| flow));
    }
    let missing = collector.missing;
    match outcome? {
        _ if missing.is_empty() => Ok(()),
        ControlFlow::Break(()) => {
            Err(RunError::Stopped { done: task_count - missing.len(), tasks: task_count })
        }
        ControlFlow::Continue(()) => Err(RunError::Lost { tasks: sorted_numbers(missing) }),
    }
}

/// Collector of the results.
struct ResultCollector<'a, T> {
    /// Tasks whose results are missing.
    missing: BTreeSet<usize>,
    /// Number of all tasks.
    task_count: usize,
    sink: Sink<'a, T>,
}

impl<T> ResultCollector<'_, T> {
    /// Collects results until all workers have ended or `watch` stops the run.
    fn collect(
        &mut self,
        inbox: &Receiver<Result<Done<T>, RunError>>,
        watch: Watch<'_>,
    ) -> Result<ControlFlow<()>, RunError> {
        let mut tick = Instant::now() + TICK;
        loop {
            loop {
                match inbox.try_recv() {
                    Ok(report) => self.accept(report?)?,
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return Ok(ControlFlow::Continue(())),
                }
            }
            let now = Instant::now();
            if now < tick {
                thread::park_timeout(tick - now);
                continue;
            }
            if watch(self.task_count - self.missing.len()).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            // The interval begins after the call, because `watch` may be slow.
            tick = Instant::now() + TICK;
        }
    }

    fn accept(&mut self, done: Done<T>) -> Result<(), RunError> {
        if !self.missing.remove(&done.task) {
            return Err(RunError::UnknownTask { task: done.task });
        }
        (self.sink)(done)
    }
}

/// Runs all tasks and returns the results in the order of `tasks`.
///
/// # Errors
/// As for [`run_into`]; the results that had arrived are lost.
pub fn run<T>(
    tasks: Vec<usize>,
    start: impl FnOnce(TaskQueue<T>) -> Result<(), BackendError>,
    watch: Watch<'_>,
) -> Result<Vec<Done<T>>, RunError> {
    let positions: HashMap<usize, usize> = tasks.iter().copied().zip(0..).collect();
    let mut results = Vec::with_capacity(tasks.len());
    let mut sink = |done| {
        results.push(done);
        Ok(())
    };
    run_into(tasks, start, &mut sink, watch)?;
    results.sort_unstable_by_key(|done: &Done<T>| positions.get(&done.task).copied());
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::on_threads;

    fn never_stop(_: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn returns_each_task_once_in_order() {
        let tasks: Vec<usize> = (0..1000).rev().collect();
        for threads in [1, 3] {
            let start = |task_queue| on_threads(threads, task_queue, (), |(), task| Ok(task * 2));
            let done = run(tasks.clone(), start, &mut never_stop).unwrap();
            assert!(done.iter().map(|done| done.task).eq(tasks.iter().copied()));
            assert!(done.iter().all(|done| done.result == done.task * 2));
        }
    }

    #[test]
    fn returns_as_soon_as_the_run_ends() {
        let clock = Instant::now();
        for _ in 0..100 {
            let start = |task_queue| on_threads(2, task_queue, (), |(), _| Ok(()));
            run(vec![0, 1, 2], start, &mut never_stop).unwrap();
            let fail = |task_queue| {
                on_threads(1, task_queue, (), |(), task| Err::<(), _>(TaskError::Overflow { task }))
            };
            run(vec![0], fail, &mut never_stop).unwrap_err();
        }
        assert!(clock.elapsed() < 100 * TICK);
    }

    #[test]
    fn a_failure_ends_the_run_while_other_tasks_are_running() {
        let (clock, mut queues) = (Instant::now(), vec![]);
        for _ in 0..20 {
            let start = |task_queue: TaskQueue<()>| {
                // Keep all clones of the queue: dropping one would wake the collecting thread, too.
                let task_queue = Arc::new(task_queue);
                queues.push(Arc::clone(&task_queue));
                thread::spawn(move || {
                    // Usually long enough for the collecting thread to start waiting.
                    thread::sleep(Duration::from_millis(2));
                    task_queue.fail(TaskError::Overflow { task: 0 });
                });
                Ok(())
            };
            let error = run(vec![0], start, &mut never_stop).unwrap_err();
            assert!(matches!(error, RunError::Task(_)));
        }
        assert!(clock.elapsed() < 10 * TICK);
    }

    #[test]
    fn stopping_does_not_wait_for_running_tasks() {
        let clock = Instant::now();
        let slow = |_: &mut (), _| {
            thread::sleep(Duration::from_secs(300));
            Ok(())
        };
        let start = |task_queue| on_threads(2, task_queue, (), slow);
        let error = run(vec![0, 1, 2], start, &mut |_| ControlFlow::Break(())).unwrap_err();
        assert!(matches!(error, RunError::Stopped { done: 0, tasks: 3 }));
        assert!(clock.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn tasks_that_are_put_back_are_handed_out_again() {
        let start = |task_queue: TaskQueue<()>| {
            let first = task_queue.take(2);
            task_queue.put_back(&first);
            assert_eq!(task_queue.waiting(), 3);
            thread::spawn(move || {
                for task in task_queue.take(3) {
                    task_queue.report(Done { task, result: (), took: Duration::ZERO });
                }
            });
            Ok(())
        };
        let done = run(vec![5, 3, 4], start, &mut never_stop).unwrap();
        assert!(done.iter().map(|done| done.task).eq([5, 3, 4]));
    }

    #[test]
    fn finished_tasks_reach_the_sink_when_a_run_stops_or_fails() {
        let failed = || TaskError::Overflow { task: 7 };
        let start = |fails: bool| {
            move |task_queue: TaskQueue<()>| {
                for task in task_queue.take(3) {
                    task_queue.report(Done { task, result: (), took: Duration::ZERO });
                }
                if fails {
                    task_queue.fail(failed());
                }
                for task in task_queue.take(2) {
                    task_queue.report(Done { task, result: (), took: Duration::ZERO });
                }
                // This thread holds the queue, like a worker that is still busy.
                thread::spawn(move || {
                    thread::sleep(Duration::from_secs(2 * task_queue.waiting() as u64));
                });
                Ok(())
            }
        };
        for fails in [false, true] {
            let mut received = vec![];
            let mut sink = |done: Done<()>| {
                received.push(done.task);
                Ok(())
            };
            let mut stop = |_| ControlFlow::Break(());
            let error = run_into((2..9).collect(), start(fails), &mut sink, &mut stop);
            match error.unwrap_err() {
                RunError::Task(error) if fails => assert_eq!(error, failed()),
                RunError::Stopped { done: 5, tasks: 7 } if !fails => {}
                other => panic!("{other}"),
            }
            assert_eq!(received, [2, 3, 4, 5, 6]);
        }
    }

    #[test]
    fn errors_name_the_task_that_panicked_or_failed() {
        let run_on_threads = |work: fn(usize) -> Result<(), TaskError>| {
            let start = |task_queue| on_threads(2, task_queue, (), move |(), task| work(task));
            run((0..50).collect(), start, &mut never_stop).unwrap_err()
        };
        let error = run_on_threads(|task| {
            assert!(task != 17, "seventeen is too much");
            Ok(())
        });
        assert_eq!(error.to_string(), "internal error: task 17 failed: seventeen is too much");
        let error = run_on_threads(|task| match task {
            33 => Err(TaskError::Overflow { task }),
            _ => Ok(()),
        });
        assert_eq!(
            error.to_string(),
            "with task 33 the number of solutions does not fit in 64 bits"
        );
    }

    #[test]
    fn the_run_fails_if_a_task_is_lost_or_reported_twice_or_a_worker_fails() {
        let lose_one = |task_queue: TaskQueue<()>| {
            task_queue.take(1);
            for task in task_queue.take(1) {
                task_queue.report(Done { task, result: (), took: Duration::ZERO });
            }
            Ok(())
        };
        let error = run(vec![0, 1], lose_one, &mut never_stop).unwrap_err();
        assert!(error.to_string() == "internal error: tasks did not finish: 0", "{error}");
        let twice = |task_queue: TaskQueue<()>| {
            for task in [0, 1, 0] {
                task_queue.report(Done { task, result: (), took: Duration::ZERO });
            }
            Ok(())
        };
        let error = run(vec![0, 1], twice, &mut never_stop).unwrap_err();
        assert!(matches!(error, RunError::UnknownTask { task: 0 }), "{error}");
        let failed =
            BackendError::Failed { device: "GPU".into(), reason: "it burns".into(), hint: None };
        let fail = |task_queue: TaskQueue<()>| {
            task_queue.fail(failed.clone());
            Ok(())
        };
        let error = run(vec![0], fail, &mut never_stop).unwrap_err();
        assert_eq!(error.to_string(), "GPU failed: it burns");
    }
}
