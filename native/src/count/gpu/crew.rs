//! The threads that feed cards with tasks: consumers of one work queue, each of which may fail.
//! What the work is they do not know.

use std::{
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use queens_core::Done;
use queens_gpu::{DeviceError, Pace, recount::SpotChecks};

use super::Gpu;
use crate::{
    count::{BackendError, Orders, RunError, runner::caught},
    lock::lock,
};

/// A batch of tasks that takes about this long loses little when it is stopped.
const BATCH: Duration = Duration::from_millis(400);

/// The usual first batch, and the largest one.
pub(super) const FIRST_BATCH: usize = 32;
const LARGEST_BATCH: usize = 4096;

/// What is done with tasks on cards.
pub trait Work: Send + Sync + 'static {
    /// What a thread needs of a GPU while it works, such as a queue of commands with its buffers.
    type Queue;
    /// What comes of a task.
    type Output: Send + 'static;

    /// Opens a queue, which stays in the thread that opened it.
    fn open(&self, gpu: &dyn Gpu) -> Result<Self::Queue, DeviceError>;

    /// How many tasks are done first, before it is known how long one takes.
    fn first_batch(&self) -> usize {
        FIRST_BATCH
    }

    /// What comes of each of `tasks`, in their order; `None` if `stopped` said yes meanwhile.
    ///
    /// # Errors
    /// [`DeviceError`] if the card failed. It is left alone then, and the tasks go to others.
    fn work(
        &self,
        queue: &mut Self::Queue,
        tasks: &[usize],
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Self::Output>>, DeviceError>;

    /// The bytes of a card's memory that all its queues share, and those that this one takes, as far
    /// as that is known.
    fn memory(&self, _queue: &Self::Queue) -> [usize; 2] {
        [0; 2]
    }

    /// Number of solutions of a task. Spot checks prefer tasks with many solutions, where a GPU that
    /// loses solutions is most likely to show.
    fn solutions(&self, _output: &Self::Output) -> u64 {
        0
    }

    /// Recounts a task on the CPU. Returns a description of the mismatch, or `None` if the counts
    /// agree or the task is too large to recount.
    fn doubt(&self, _task: usize, _output: &Self::Output) -> Option<String> {
        None
    }
}

/// What became of cards that failed while others went on, by the cards' numbers. What the other
/// queues of such a card then say adds nothing.
pub type Failures = BTreeMap<usize, String>;

/// All threads that do one work.
pub struct Crew<W: Work> {
    work: W,
    orders: Orders<W::Output>,
    state: Mutex<State>,
    changed: Condvar,
    failures: Arc<Mutex<Failures>>,
    /// By the GPUs' numbers.
    checks: Mutex<BTreeMap<usize, Arc<Mutex<Checks>>>>,
}

/// The spot checks of a GPU, and what was wrong.
#[derive(Default)]
struct Checks {
    spot: SpotChecks,
    mismatch: Option<String>,
}

struct State {
    /// Threads that have not ended.
    workers: usize,
    /// Threads that hold a batch, which they may yet have to give back.
    busy: usize,
}

impl<W: Work> Crew<W> {
    /// A crew of `workers` threads, each of which is to call [`run`](Crew::run) once.
    pub fn new(
        work: W,
        orders: Orders<W::Output>,
        workers: usize,
        failures: Arc<Mutex<Failures>>,
    ) -> Arc<Crew<W>> {
        let state = Mutex::new(State { workers, busy: 0 });
        let (changed, checks) = (Condvar::new(), Mutex::default());
        Arc::new(Crew { work, orders, state, changed, failures, checks })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Works on `gpu`, the one with this number, until no task is left or the GPU fails. What a
    /// failed GPU had taken goes to the others; the last one to fail ends the run.
    pub fn run(&self, number: usize, gpu: &dyn Gpu) {
        let opened = caught(|| self.work.open(gpu)).unwrap_or_else(|reason| {
            Err(DeviceError::new(format!("internal error while opening it: {reason}"))
                .with_hint("this is a bug; please report it"))
        });
        let outcome = opened.and_then(|mut queue| self.run_on(&mut queue, number, gpu));
        let mut state = self.state();
        state.workers -= 1;
        // The others may have ended before, because they had done everything.
        let is_over = state.workers == 0 && self.orders.left() > 0;
        drop(state);
        let Err(DeviceError { reason, hint }) = outcome else { return };
        let error = BackendError::Failed { device: gpu.name(), reason, hint };
        if is_over {
            self.orders.fail(error);
        } else {
            lock(&self.failures).entry(number).or_insert_with(|| error.to_string());
        }
    }

    fn run_on(
        &self,
        queue: &mut W::Queue,
        number: usize,
        gpu: &dyn Gpu,
    ) -> Result<(), DeviceError> {
        let mut batch = Pace::new(self.work.first_batch(), 1..=LARGEST_BATCH, BATCH);
        while let Some(tasks) = self.take(batch.size()) {
            let clock = Instant::now();
            let outcome = caught(|| self.work.work(queue, &tasks, &|| self.orders.stopped()));
            let took = clock.elapsed();
            let end = match outcome {
                Ok(Ok(Some(outputs))) => {
                    let done: Vec<_> = tasks.iter().copied().zip(outputs).collect();
                    match self.check(number, &done, took) {
                        None => {
                            self.report(done, took);
                            None
                        }
                        Some(reason) => {
                            // What it did before is as doubtful.
                            self.orders.fail(BackendError::Wrong { device: gpu.name(), reason });
                            Some(Ok(()))
                        }
                    }
                }
                Ok(Ok(None)) => Some(Ok(())),
                Ok(Err(error)) => {
                    self.orders.give_back(&tasks);
                    Some(Err(error))
                }
                Err(reason) => {
                    self.orders.fail(RunError::BrokeDown { tasks: tasks.clone(), reason });
                    Some(Ok(()))
                }
            };
            // Only now, or others might think that nothing is left.
            self.state().busy -= 1;
            self.changed.notify_all();
            if let Some(end) = end {
                return end;
            }
            batch.learn(tasks.len(), took);
        }
        Ok(())
    }

    /// Returns what is wrong with a GPU, if one of the tasks of this batch is recounted or an earlier
    /// one was wrong.
    ///
    /// Meanwhile the GPU's other threads wait with their batches, so that none is reported before
    /// the first check has passed. The later ones cost them a small part of the time.
    fn check(&self, number: usize, batch: &[(usize, W::Output)], took: Duration) -> Option<String> {
        let checks = Arc::clone(lock(&self.checks).entry(number).or_default());
        let mut checks = lock(&checks);
        if checks.mismatch.is_none() {
            let clock = Instant::now();
            // A task that cannot be recounted is no evidence against the GPU.
            let recount = |task, output: &W::Output| {
                caught(|| self.work.doubt(task, output)).unwrap_or_default()
            };
            checks.mismatch = checks.spot.check(
                batch,
                took,
                |output| self.work.solutions(output),
                recount,
                |below| fastrand::usize(..below),
                || clock.elapsed(),
            );
        }
        checks.mismatch.clone()
    }

    /// The next batch. While there is none, others may still give theirs back.
    fn take(&self, most: usize) -> Option<Vec<usize>> {
        let mut state = self.state();
        loop {
            // An even share of what is left, so that no thread idles while another one works
            // through the last large batch.
            let share = self.orders.left().div_ceil(2 * state.workers.max(1)).max(1);
            let tasks = self.orders.take(most.min(share));
            if !tasks.is_empty() {
                state.busy += 1;
                return Some(tasks);
            }
            if state.busy == 0 || self.orders.stopped() {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn report(&self, batch: Vec<(usize, W::Output)>, took: Duration) {
        let share = took / u32::try_from(batch.len()).unwrap_or(u32::MAX).max(1);
        for (task, result) in batch {
            self.orders.done(Done { task, result, took: share });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{run, run_into};
    use std::{ops::ControlFlow, thread};

    /// A GPU with nothing but its number.
    struct Paper(usize);

    impl Gpu for Paper {
        fn name(&self) -> String {
            format!("paper {}", self.0)
        }

        fn detail(&self) -> String {
            "by hand".into()
        }

        fn lanes(&self) -> Option<u32> {
            None
        }
    }

    /// A work that is done at once: twice the number of the task. Each GPU, by its name, fails after
    /// a number of batches.
    struct Double(BTreeMap<String, usize>);

    impl Work for Double {
        type Queue = usize;
        type Output = usize;

        fn open(&self, gpu: &dyn Gpu) -> Result<usize, DeviceError> {
            Ok(self.0[&gpu.name()])
        }

        fn work(
            &self,
            batches: &mut usize,
            tasks: &[usize],
            stopped: &dyn Fn() -> bool,
        ) -> Result<Option<Vec<usize>>, DeviceError> {
            if stopped() {
                return Ok(None);
            }
            *batches = batches.checked_sub(1).ok_or_else(|| DeviceError::new("it is torn"))?;
            Ok(Some(tasks.iter().map(|task| 2 * task).collect()))
        }
    }

    /// What comes of 1000 tasks on GPUs that fail after so many batches, and of the GPUs.
    fn doubled(fails_after: &[usize]) -> Result<(Vec<usize>, Failures), RunError> {
        let failures = Arc::<Mutex<Failures>>::default();
        let start = |orders: Orders<usize>| {
            let names = (0..).map(|number| Paper(number).name());
            let work = Double(names.zip(fails_after.iter().copied()).collect());
            let crew = Crew::new(work, orders, fails_after.len(), Arc::clone(&failures));
            for number in 0..fails_after.len() {
                let crew = Arc::clone(&crew);
                thread::spawn(move || crew.run(number, &Paper(number)));
            }
            Ok(())
        };
        let done = run((0..1000).collect(), start, &mut |_| ControlFlow::Continue(()))?;
        let failures = lock(&failures).clone();
        Ok((done.into_iter().map(|done| done.result).collect(), failures))
    }

    #[test]
    fn every_task_is_done_once() {
        let expected: Vec<usize> = (0..1000).map(|task| 2 * task).collect();
        for cards in 1..=3 {
            let (results, failures) = doubled(&vec![usize::MAX; cards]).unwrap();
            assert!(results == expected && failures.is_empty(), "{cards} cards: {failures:?}");
        }
    }

    #[test]
    fn cards_go_on_when_one_of_them_fails() {
        let expected: Vec<usize> = (0..1000).map(|task| 2 * task).collect();
        for fails_after in 0..10 {
            let (results, failures) = doubled(&[fails_after, usize::MAX]).unwrap();
            assert_eq!(results, expected, "after {fails_after} batches");
            // The other one may have done everything before.
            for (number, sentence) in failures {
                assert_eq!((number, sentence.as_str()), (0, "paper 0 failed: it is torn"));
            }
        }
    }

    #[test]
    fn the_last_card_to_fail_ends_the_run() {
        let error = doubled(&[1, 2]).unwrap_err();
        let said = error.to_string();
        assert!(
            ["paper 0 failed: it is torn", "paper 1 failed: it is torn"].contains(&said.as_str())
        );
    }

    /// A work with a defect: it breaks down as soon as it has a task, or a card.
    struct Broken {
        when_opened: bool,
    }

    impl Work for Broken {
        type Queue = ();
        type Output = ();

        fn open(&self, _: &dyn Gpu) -> Result<(), DeviceError> {
            assert!(!self.when_opened, "no hands");
            Ok(())
        }

        fn work(
            &self,
            (): &mut (),
            _: &[usize],
            _: &dyn Fn() -> bool,
        ) -> Result<Option<Vec<()>>, DeviceError> {
            panic!("no {}", "feet");
        }
    }

    #[test]
    fn a_panic_ends_the_run_as_an_error_that_names_the_tasks_or_the_card() {
        let said = |when_opened| {
            let start = |orders| {
                let crew = Crew::new(Broken { when_opened }, orders, 1, Arc::default());
                thread::spawn(move || crew.run(0, &Paper(0)));
                Ok(())
            };
            run((3..9).collect(), start, &mut |_| ControlFlow::Continue(())).unwrap_err()
        };
        assert_eq!(said(false).to_string(), "internal error: one of the tasks 3-5 failed: no feet");
        assert_eq!(
            said(true).to_string(),
            "paper 0 failed: internal error while opening it: no hands"
        );
    }

    /// A work whose card does every task wrong.
    struct Worn;

    impl Work for Worn {
        type Queue = ();
        type Output = usize;

        fn open(&self, _: &dyn Gpu) -> Result<(), DeviceError> {
            Ok(())
        }

        fn work(
            &self,
            (): &mut (),
            tasks: &[usize],
            _: &dyn Fn() -> bool,
        ) -> Result<Option<Vec<usize>>, DeviceError> {
            Ok(Some(tasks.iter().map(|task| task + 1).collect()))
        }

        fn doubt(&self, task: usize, output: &usize) -> Option<String> {
            // Time enough for the other queue's first batches.
            thread::sleep(Duration::from_millis(50));
            (task != *output).then(|| format!("{task} became {output}"))
        }
    }

    #[test]
    fn a_card_that_is_wrong_ends_the_run_before_anything_is_reported() {
        let start = |orders| {
            let crew = Crew::new(Worn, orders, 2, Arc::default());
            for _ in 0..2 {
                let crew = Arc::clone(&crew);
                thread::spawn(move || crew.run(0, &Paper(0)));
            }
            Ok(())
        };
        let mut reported = 0;
        let mut sink = |_| {
            reported += 1;
            Ok(())
        };
        let mut go_on = |_| ControlFlow::Continue(());
        let ended = run_into((0..1000).collect(), start, &mut sink, &mut go_on);
        let error = ended.unwrap_err().to_string();
        assert!(
            error.starts_with("paper 0 COUNTS WRONG: ") && error.contains(" became "),
            "{error}"
        );
        assert_eq!(reported, 0);
    }

    /// A work that ends only when it is stopped.
    struct Endless;

    impl Work for Endless {
        type Queue = ();
        type Output = ();

        fn open(&self, _: &dyn Gpu) -> Result<(), DeviceError> {
            Ok(())
        }

        fn work(
            &self,
            (): &mut (),
            _: &[usize],
            stopped: &dyn Fn() -> bool,
        ) -> Result<Option<Vec<()>>, DeviceError> {
            while !stopped() {
                thread::yield_now();
            }
            Ok(None)
        }
    }

    #[test]
    fn a_stop_ends_what_is_under_way() {
        let mut worker = None;
        let start = |orders: Orders<()>| {
            let crew = Crew::new(Endless, orders, 1, Arc::default());
            worker = Some(thread::spawn(move || crew.run(0, &Paper(0))));
            Ok(())
        };
        let stopped = run((0..1000).collect(), start, &mut |_| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(RunError::Stopped { done: 0, .. })));
        worker.unwrap().join().unwrap();
    }
}
