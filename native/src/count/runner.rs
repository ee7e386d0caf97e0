//! The work queue: tasks handed out to whatever works on them, and their results collected.

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
use crate::{journal::JournalError, lock::lock};

/// Is given the finished tasks, about ten times a second, in the thread that runs the run.
pub type Sink<'a, T> = &'a mut dyn FnMut(Done<T>) -> Result<(), RunError>;

/// Is told the number of finished tasks, five to ten times a second, and says whether to go on.
pub type Watch<'a> = &'a mut dyn FnMut(usize) -> ControlFlow<()>;

/// Why a run ended before all its tasks were finished.
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
    /// A task cannot be counted, or its result cannot join the others.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// A worker panicked, which is a bug.
    #[error("internal error: {} failed: {reason}", named(.tasks))]
    BrokeDown {
        /// The task, or all tasks of the batch.
        tasks: Vec<usize>,
        /// The message of the panic.
        reason: String,
    },
    /// All workers ended, but some tasks have no result, which is a bug.
    #[error("internal error: tasks did not finish: {}", ranges(.tasks))]
    Lost {
        /// Their numbers.
        tasks: Vec<u32>,
    },
    /// A result arrived for a task that was not scheduled or already has one, which is a bug.
    #[error("internal error: task {task} was completed but never scheduled")]
    NotOrdered { task: usize },
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A sum exceeds a `u64`.
    #[error("the number of solutions does not fit in 64 bits")]
    TooMany,
}

impl RunError {
    /// What the user of the command can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            RunError::Backend(error) => error.hint(),
            RunError::Journal(error) => error.hint(),
            RunError::BrokeDown { .. } | RunError::Lost { .. } | RunError::NotOrdered { .. } => {
                Some("this is a bug; please report it".to_owned())
            }
            RunError::Stopped { .. } | RunError::Task(_) | RunError::TooMany => None,
        }
    }
}

/// Tasks by their numbers.
fn named(tasks: &[usize]) -> String {
    match *tasks {
        [task] => format!("task {task}"),
        _ => format!("one of the tasks {}", ranges(&numbers(tasks.iter().copied()))),
    }
}

/// Numbers of tasks in ascending order, of which no plan has more than a `u32` holds.
fn numbers(tasks: impl IntoIterator<Item = usize>) -> Vec<u32> {
    let mut numbers: Vec<_> =
        tasks.into_iter().filter_map(|task| u32::try_from(task).ok()).collect();
    numbers.sort_unstable();
    numbers
}

/// Runs `work`; a panic becomes an error with its message.
pub(super) fn caught<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    // The state that a panic leaves behind is not used again.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let words = panic.downcast_ref::<&str>().copied();
        let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        words.unwrap_or("panicked without a message").to_owned()
    })
}

/// Tasks to be done, and where their results go; its clones share both.
#[derive(Debug)]
pub struct Orders<T> {
    shared: Arc<Shared>,
    reports: Sender<Result<Done<T>, RunError>>,
    /// Behind the reports, whose end it tells of.
    listener: Listener,
}

/// Who listens, and is woken when somebody who works has ended.
#[derive(Clone, Debug)]
struct Listener(Thread);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.unpark();
    }
}

#[derive(Debug)]
struct Shared {
    /// The tasks that nobody has taken, the next one last.
    left: Mutex<Vec<usize>>,
    stop: AtomicBool,
}

impl<T> Clone for Orders<T> {
    fn clone(&self) -> Orders<T> {
        let Orders { shared, reports, listener } = self;
        Orders { shared: Arc::clone(shared), reports: reports.clone(), listener: listener.clone() }
    }
}

impl<T> Orders<T> {
    /// Takes the next tasks, `most` at most; none once the run was stopped.
    pub fn take(&self, most: usize) -> Vec<usize> {
        if self.stopped() {
            return Vec::new();
        }
        let mut left = lock(&self.shared.left);
        let keep = left.len().saturating_sub(most);
        let mut taken = left.split_off(keep);
        taken.reverse();
        taken
    }

    /// Gives back tasks that were taken and not done.
    pub fn give_back(&self, tasks: &[usize]) {
        let mut left = lock(&self.shared.left);
        left.extend(tasks.iter().rev());
    }

    /// How many tasks nobody has taken.
    pub fn left(&self) -> usize {
        lock(&self.shared.left).len()
    }

    /// Whether somebody stopped the run.
    pub fn stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// Reports a finished task.
    pub fn done(&self, done: Done<T>) {
        // Heard at the next tick: to be woken for each of a thousand tasks took a sixth of the time of
        // N = 16. Nobody listens once the run was stopped.
        let _ = self.reports.send(Ok(done));
    }

    /// Ends the run with an error.
    pub fn fail(&self, error: impl Into<RunError>) {
        let _ = self.reports.send(Err(error.into()));
        self.listener.0.unpark();
    }
}

const TICK: Duration = Duration::from_millis(100);

/// Has all tasks done, and gives each to `sink` soon after it has come.
///
/// `start` sets the work going and returns at once; whoever works holds a clone of the orders,
/// and takes tasks in about the order given. When `watch` says stop, or when anything fails, this
/// returns at once, too: no further task is handed out, and those at work end unseen or with the
/// process. What was finished until then has reached the sink.
///
/// # Errors
/// [`RunError`] if the run was stopped, could not start or broke down, or what `sink` fails with.
pub fn run_into<T>(
    mut tasks: Vec<usize>,
    start: impl FnOnce(Orders<T>) -> Result<(), BackendError>,
    sink: Sink<'_, T>,
    watch: Watch<'_>,
) -> Result<(), RunError> {
    let all = tasks.len();
    let mut desk = Desk { ordered: tasks.iter().copied().collect(), all, sink };
    tasks.reverse();
    let shared = Arc::new(Shared { left: Mutex::new(tasks), stop: AtomicBool::new(false) });
    let (reports, inbox) = mpsc::channel();
    let listener = Listener(thread::current());
    start(Orders { shared: Arc::clone(&shared), reports, listener })?;
    let mut outcome = desk.listen(&inbox, watch);
    shared.stop.store(true, Ordering::Relaxed);
    // Whatever ended the run, what has come meanwhile is finished.
    for done in inbox.try_iter().flatten() {
        let accepted = desk.accept(done);
        outcome = outcome.and_then(|flow| accepted.map(|()| flow));
    }
    let left = desk.ordered;
    match outcome? {
        _ if left.is_empty() => Ok(()),
        ControlFlow::Break(()) => Err(RunError::Stopped { done: all - left.len(), tasks: all }),
        ControlFlow::Continue(()) => Err(RunError::Lost { tasks: numbers(left) }),
    }
}

/// Where results arrive.
struct Desk<'a, T> {
    /// The tasks whose results are still to come.
    ordered: BTreeSet<usize>,
    all: usize,
    sink: Sink<'a, T>,
}

impl<T> Desk<'_, T> {
    /// Accepts results until all who work have ended, or until `watch` says stop.
    fn listen(
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
                // A flood of results keeps the watch waiting for one more tick at most.
                if Instant::now() >= tick + TICK {
                    break;
                }
            }
            let now = Instant::now();
            if now < tick {
                thread::park_timeout(tick - now);
                continue;
            }
            if watch(self.all - self.ordered.len()).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            // From here on, since a watch may be slow.
            tick = Instant::now() + TICK;
        }
    }

    fn accept(&mut self, done: Done<T>) -> Result<(), RunError> {
        if !self.ordered.remove(&done.task) {
            return Err(RunError::NotOrdered { task: done.task });
        }
        (self.sink)(done)
    }
}

/// Has all tasks done and returns the results in the order of `tasks`.
///
/// # Errors
/// As for [`run_into`]; what was finished until then is lost.
pub fn run<T>(
    tasks: Vec<usize>,
    start: impl FnOnce(Orders<T>) -> Result<(), BackendError>,
    watch: Watch<'_>,
) -> Result<Vec<Done<T>>, RunError> {
    let places: HashMap<usize, usize> = tasks.iter().copied().zip(0..).collect();
    let mut results = Vec::with_capacity(tasks.len());
    let mut sink = |done| {
        results.push(done);
        Ok(())
    };
    run_into(tasks, start, &mut sink, watch)?;
    results.sort_unstable_by_key(|done: &Done<T>| places.get(&done.task).copied());
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::on_threads;
    use std::cell::Cell;

    fn go_on(_: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn every_task_once_in_order() {
        let tasks: Vec<usize> = (0..1000).rev().collect();
        for threads in [1, 3] {
            let start = |orders| on_threads(threads, orders, |task| Ok(task * 2));
            let done = run(tasks.clone(), start, &mut go_on).unwrap();
            assert!(done.iter().map(|done| done.task).eq(tasks.iter().copied()));
            assert!(done.iter().all(|done| done.result == done.task * 2));
        }
    }

    #[test]
    fn the_end_is_heard_at_once() {
        let clock = Instant::now();
        for _ in 0..100 {
            let start = |orders| on_threads(2, orders, |_| Ok(()));
            run(vec![0, 1, 2], start, &mut go_on).unwrap();
            let fail =
                |orders| on_threads(1, orders, |task| Err::<(), _>(TaskError::Overflow { task }));
            run(vec![0], fail, &mut go_on).unwrap_err();
        }
        assert!(clock.elapsed() < 100 * TICK);
    }

    #[test]
    fn a_failure_is_heard_at_once_though_others_are_at_work() {
        let (clock, mut at_work) = (Instant::now(), vec![]);
        for _ in 0..20 {
            let start = |orders: Orders<()>| {
                // None of them is given up, which would wake the listener, too.
                let orders = Arc::new(orders);
                at_work.push(Arc::clone(&orders));
                thread::spawn(move || {
                    // Until the other one listens, for the most part.
                    thread::sleep(Duration::from_millis(2));
                    orders.fail(TaskError::Overflow { task: 0 });
                });
                Ok(())
            };
            let error = run(vec![0], start, &mut go_on).unwrap_err();
            assert!(matches!(error, RunError::Task(_)));
        }
        assert!(clock.elapsed() < 10 * TICK);
    }

    #[test]
    fn a_slow_watch_does_not_keep_results_waiting() {
        let work = |_| {
            thread::sleep(2 * TICK);
            Ok(())
        };
        let mut looks = 0;
        let mut slow = |_| {
            thread::sleep(3 * TICK);
            looks += 1;
            if looks < 20 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let done = run(vec![0, 1], |orders| on_threads(1, orders, work), &mut slow).unwrap();
        assert_eq!(done.len(), 2);
        assert!(looks < 20);
    }

    #[test]
    fn a_flood_of_results_does_not_keep_the_watch_waiting() {
        let start = |orders: Orders<()>| {
            thread::spawn(move || {
                while let [task] = orders.take(1)[..] {
                    orders.done(Done { task, result: (), took: Duration::ZERO });
                }
            });
            Ok(())
        };
        // Results come faster than they are taken.
        let (taken, at_first_report) = (Cell::new(0), Cell::new(None));
        let mut slow = |_| {
            thread::sleep(Duration::from_millis(1));
            taken.set(taken.get() + 1);
            Ok(())
        };
        let mut watch = |_| {
            at_first_report.set(at_first_report.get().or(Some(taken.get())));
            ControlFlow::Continue(())
        };
        run_into((0..500).collect(), start, &mut slow, &mut watch).unwrap();
        assert_eq!(taken.get(), 500);
        assert!(at_first_report.get().is_some_and(|taken| taken < 500), "{at_first_report:?}");
    }

    #[test]
    fn stopping_does_not_wait_for_tasks_at_work() {
        let clock = Instant::now();
        let slow = |_| {
            thread::sleep(Duration::from_secs(300));
            Ok(())
        };
        let start = |orders| on_threads(2, orders, slow);
        let error = run(vec![0, 1, 2], start, &mut |_| ControlFlow::Break(())).unwrap_err();
        assert!(matches!(error, RunError::Stopped { done: 0, tasks: 3 }));
        assert!(clock.elapsed() < Duration::from_secs(60));
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
    fn what_was_finished_before_a_run_ends_reaches_the_sink() {
        let failed = || TaskError::Overflow { task: 7 };
        let start = |fails: bool| {
            move |orders: Orders<()>| {
                for task in orders.take(3) {
                    orders.done(Done { task, result: (), took: Duration::ZERO });
                }
                if fails {
                    orders.fail(failed());
                }
                for task in orders.take(2) {
                    orders.done(Done { task, result: (), took: Duration::ZERO });
                }
                // Holds the orders, as one does who is at work.
                thread::spawn(move || thread::sleep(Duration::from_secs(2 * orders.left() as u64)));
                Ok(())
            }
        };
        for fails in [false, true] {
            let mut got = vec![];
            let mut sink = |done: Done<()>| {
                got.push(done.task);
                Ok(())
            };
            let mut stop = |_| ControlFlow::Break(());
            let error = run_into((2..9).collect(), start(fails), &mut sink, &mut stop);
            match error.unwrap_err() {
                RunError::Task(error) if fails => assert_eq!(error, failed()),
                RunError::Stopped { done: 5, tasks: 7 } if !fails => {}
                other => panic!("{other}"),
            }
            assert_eq!(got, [2, 3, 4, 5, 6]);
        }
    }

    #[test]
    fn a_panic_and_a_task_that_cannot_be_counted_are_named() {
        let run_on_threads = |work: fn(usize) -> Result<(), TaskError>| {
            let start = |orders| on_threads(2, orders, work);
            run((0..50).collect(), start, &mut go_on).unwrap_err()
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
    fn a_lost_task_and_a_failure_are_errors() {
        let lose_one = |orders: Orders<()>| {
            orders.take(1);
            for task in orders.take(1) {
                orders.done(Done { task, result: (), took: Duration::ZERO });
            }
            Ok(())
        };
        let error = run(vec![0, 1], lose_one, &mut go_on).unwrap_err();
        assert!(error.to_string() == "internal error: tasks did not finish: 0", "{error}");
        let twice = |orders: Orders<()>| {
            for task in [0, 1, 0] {
                orders.done(Done { task, result: (), took: Duration::ZERO });
            }
            Ok(())
        };
        let error = run(vec![0, 1], twice, &mut go_on).unwrap_err();
        assert!(matches!(error, RunError::NotOrdered { task: 0 }), "{error}");
        let failed =
            BackendError::Failed { device: "GPU".into(), reason: "it burns".into(), hint: None };
        let fail = |orders: Orders<()>| {
            orders.fail(failed.clone());
            Ok(())
        };
        let error = run(vec![0], fail, &mut go_on).unwrap_err();
        assert_eq!(error.to_string(), "GPU failed: it burns");
    }
}
