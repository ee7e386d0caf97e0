//! GPU worker pool: threads that take tasks from one queue. If a GPU fails, the run continues on the other
//! GPUs.

use std::{
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use queens_core::{Done, GpuSearch, Plan, Tally};
use queens_gpu::{DeviceError, Mismatch, Pace, SpotChecker};

use super::found::{FoundGpu, GpuQueue};
use crate::{
    count::{BackendError, RunError, TaskQueue, runner::catch_panic},
    lock::lock,
};

/// Target duration of a batch. It is short because the work of the running batch is lost when the user
/// stops the count.
const BATCH_TIME: Duration = Duration::from_millis(400);

/// Maximum size of a batch, in tasks.
const LARGEST_BATCH: usize = 4096;

/// Errors that did not end a run, because other threads finished it: the first error of each GPU, by device
/// number.
pub type Failures = BTreeMap<usize, String>;

/// The worker threads that count tasks of a plan. `T` is the result of a task.
pub struct GpuWorkerPool<T> {
    plan: Arc<Plan>,
    task_queue: TaskQueue<T>,
    /// Makes a result from a task's tally and the GPU memory of its queue.
    finish: fn(Tally, usize) -> Result<T, DeviceError>,
    state: Mutex<PoolState>,
    changed: Condvar,
    failures: Arc<Mutex<Failures>>,
    /// Spot checks by device number.
    checkers: Vec<Mutex<SpotChecker>>,
}

struct PoolState {
    /// Threads that have not ended.
    workers: usize,
    /// Threads that hold a batch, which they may still put back.
    busy: usize,
}

impl<T> GpuWorkerPool<T> {
    /// Creates a pool for `workers` threads on `gpus` GPUs. Each thread must call [`run`](GpuWorkerPool::run)
    /// once.
    pub fn new(
        plan: Arc<Plan>,
        task_queue: TaskQueue<T>,
        gpus: usize,
        workers: usize,
        failures: Arc<Mutex<Failures>>,
        finish: fn(Tally, usize) -> Result<T, DeviceError>,
    ) -> GpuWorkerPool<T> {
        let checker = || Mutex::new(SpotChecker::new(Arc::clone(&plan)));
        let checkers = (0..gpus).map(|_| checker()).collect();
        let state = Mutex::new(PoolState { workers, busy: 0 });
        let changed = Condvar::new();
        GpuWorkerPool { plan, task_queue, finish, state, changed, failures, checkers }
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        lock(&self.state)
    }

    /// Works on `gpu`, the device with this number, until no task is left or the GPU fails. Other GPUs take
    /// over the unfinished tasks of a failed GPU. If the last GPU fails, the run ends with its error.
    pub fn run(&self, device_number: usize, gpu: &FoundGpu) {
        let open = || match &gpu.open {
            Ok(open) => open(Arc::clone(&self.plan)),
            Err(error) => Err(error.clone()),
        };
        let opened = catch_panic(open).unwrap_or_else(|reason| {
            Err(DeviceError::new(format!("internal error while opening it: {reason}"))
                .with_hint("this is a bug; please report it"))
        });
        let outcome =
            opened.and_then(|mut queue| self.run_on(&mut *queue, device_number, &gpu.name));
        let mut state = self.state();
        state.workers -= 1;
        // The last thread ends the run with its error, unless no tasks are left.
        let leaves_tasks = state.workers == 0 && self.task_queue.waiting() > 0;
        drop(state);
        let Err(DeviceError { reason, hint, .. }) = outcome else { return };
        let error = BackendError::Failed { device: gpu.name.clone(), reason, hint };
        if leaves_tasks {
            self.task_queue.fail(error);
        } else {
            lock(&self.failures).entry(device_number).or_insert_with(|| error.to_string());
        }
    }

    fn run_on(
        &self,
        queue: &mut dyn GpuQueue,
        number: usize,
        name: &str,
    ) -> Result<(), DeviceError> {
        // A task of the colour join takes a second on a fast GPU, if the board is large.
        let first = if self.plan.method().gpu_search() == Some(GpuSearch::Join) { 1 } else { 32 };
        let mut batch = Pace::new(first, 1..=LARGEST_BATCH, BATCH_TIME);
        while let Some(tasks) = self.take(batch.size()) {
            let outcome = self.count(queue, &tasks, number, name);
            if outcome.is_err() {
                self.task_queue.put_back(&tasks);
            }
            // Decrement `busy` only after the batch was put back. Otherwise an idle thread could see an
            // empty queue and no busy thread, and end.
            self.state().busy -= 1;
            self.changed.notify_all();
            match outcome? {
                Some(took) => batch.learn(tasks.len(), took),
                None => break,
            }
        }
        Ok(())
    }

    /// Counts and reports a batch. Returns the time that it took, or `None` if the run has ended.
    ///
    /// # Errors
    /// [`DeviceError`] if the GPU failed.
    fn count(
        &self,
        queue: &mut dyn GpuQueue,
        tasks: &[usize],
        number: usize,
        name: &str,
    ) -> Result<Option<Duration>, DeviceError> {
        let clock = Instant::now();
        let counted = catch_panic(|| queue.count(tasks, &|| self.task_queue.is_stopped()));
        let took = clock.elapsed();
        let tallies = match counted {
            Ok(tallies) => tallies?,
            Err(reason) => {
                self.task_queue.fail(RunError::Panicked { tasks: tasks.to_vec(), reason });
                None
            }
        };
        let Some(tallies) = tallies else { return Ok(None) };
        let batch: Vec<_> = tasks.iter().copied().zip(tallies).collect();
        if let Some(mismatch) = self.check(number, &batch, took) {
            // The GPU's earlier results are unreliable, too.
            let (device, reason) = (name.to_owned(), mismatch.to_string());
            self.task_queue.fail(BackendError::Wrong { device, reason });
            return Ok(None);
        }
        // Each task gets an equal share of the time.
        let share = took / u32::try_from(batch.len()).unwrap_or(u32::MAX).max(1);
        let finish = |(task, tally)| {
            let result = (self.finish)(tally, queue.memory())?;
            Ok(Done { task, result, took: share })
        };
        let batch: Vec<_> = batch.into_iter().map(finish).collect::<Result<_, DeviceError>>()?;
        batch.into_iter().for_each(|done| self.task_queue.report(done));
        Ok(Some(took))
    }

    /// Recounts a task of this batch, if a spot check is due. Returns the mismatch of this or an earlier
    /// check.
    ///
    /// The lock makes the GPU's other threads wait with their batches, so that no batch is reported
    /// before the first check has passed. Later checks take only a small share of the time.
    fn check(&self, number: usize, batch: &[(usize, Tally)], took: Duration) -> Option<Mismatch> {
        let mut checker = lock(self.checkers.get(number)?);
        let clock = Instant::now();
        let random = |below| fastrand::usize(..below);
        // A recount that panics is no evidence against the GPU.
        catch_panic(|| checker.check(batch, took, random, || clock.elapsed())).unwrap_or_default()
    }

    /// Takes the next batch. If the queue is empty, waits until another thread puts its batch back. Returns
    /// `None` if no other thread holds a batch, or if the run has ended.
    fn take(&self, limit: usize) -> Option<Vec<usize>> {
        let mut state = self.state();
        loop {
            // Batches shrink towards the end: a thread takes at most half of an equal share of the
            // remaining tasks, so that no thread is idle while another one finishes a large last batch.
            let share = self.task_queue.waiting().div_ceil(2 * state.workers.max(1)).max(1);
            let tasks = self.task_queue.take(limit.min(share));
            if !tasks.is_empty() {
                state.busy += 1;
                return Some(tasks);
            }
            if state.busy == 0 || self.task_queue.is_stopped() {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::run_into;
    use queens_core::{Method, Size};
    use std::{ops::ControlFlow, thread};

    type Answer = Result<Option<Vec<usize>>, DeviceError>;

    /// A test GPU fails after a number of batches. The result of a task is a number of solutions.
    #[derive(Clone, Copy)]
    struct TestQueue {
        batches: usize,
        work: fn(&[usize], &dyn Fn() -> bool) -> Answer,
    }

    impl GpuQueue for TestQueue {
        fn count(
            &mut self,
            tasks: &[usize],
            is_stopped: &dyn Fn() -> bool,
        ) -> Result<Option<Vec<Tally>>, DeviceError> {
            let left = self.batches.checked_sub(1);
            self.batches = left.ok_or_else(|| DeviceError::new("it is torn"))?;
            let tally = |single| Tally { single: single as u64, ..Tally::default() };
            let numbers = (self.work)(tasks, is_stopped)?;
            Ok(numbers.map(|numbers| numbers.into_iter().map(tally).collect()))
        }

        fn memory(&self) -> usize {
            0
        }
    }

    fn double(tasks: &[usize], is_stopped: &dyn Fn() -> bool) -> Answer {
        Ok((!is_stopped()).then(|| tasks.iter().map(|task| 2 * task).collect()))
    }

    /// Runs 1000 tasks on a board of `n`, with `threads` threads for each GPU. A GPU fails after the given
    /// number of batches, or panics when it is opened. Returns the numbers of the tasks that were doubled
    /// and the failures. Each call of the progress callback returns `flow`.
    fn run_on(
        n: u32,
        gpus: &[Option<usize>],
        threads: usize,
        work: fn(&[usize], &dyn Fn() -> bool) -> Answer,
        flow: ControlFlow<()>,
    ) -> (Vec<usize>, Failures, Result<(), RunError>) {
        let failures = Arc::<Mutex<Failures>>::default();
        let mut running = vec![];
        let start = |task_queue| {
            let plan = Arc::new(Plan::new(Size::new(n).unwrap(), Method::Symmetry));
            let failures = Arc::clone(&failures);
            let workers = threads * gpus.len();
            let finish = |tally: Tally, _| Ok(tally.single as usize);
            let pool = GpuWorkerPool::new(plan, task_queue, gpus.len(), workers, failures, finish);
            let pool = Arc::new(pool);
            for (number, &batches) in gpus.iter().enumerate() {
                for _ in 0..threads {
                    let pool = Arc::clone(&pool);
                    let open = move |_| -> Result<Box<dyn GpuQueue>, DeviceError> {
                        let batches = batches.expect("no hands");
                        Ok(Box::new(TestQueue { batches, work }))
                    };
                    let gpu = FoundGpu {
                        name: format!("paper {number}"),
                        kind: String::new(),
                        memory: None,
                        is_software: false,
                        open: Ok(Box::new(open)),
                    };
                    running.push(thread::spawn(move || pool.run(number, &gpu)));
                }
            }
            Ok(())
        };
        let mut doubled = vec![];
        let mut sink = |Done { task, result, .. }| {
            assert_eq!(result, 2 * task);
            doubled.push(task);
            Ok(())
        };
        let outcome = run_into((0..1000).collect(), start, &mut sink, &mut |_| flow);
        for thread in running {
            thread.join().unwrap();
        }
        doubled.sort_unstable();
        let failures = lock(&failures).clone();
        (doubled, failures, outcome)
    }

    const GO_ON: ControlFlow<()> = ControlFlow::Continue(());

    /// A board whose tasks are too large to recount.
    const LARGE: u32 = 27;

    #[test]
    fn each_task_is_done_exactly_once_even_if_a_gpu_fails() {
        let never = usize::MAX;
        for fails_after in [&[never][..], &[never; 3], &[0, never], &[1, never], &[5, never]] {
            let gpus: Vec<_> = fails_after.iter().copied().map(Some).collect();
            let (doubled, failures, outcome) = run_on(LARGE, &gpus, 1, double, GO_ON);
            outcome.unwrap();
            assert!(doubled.into_iter().eq(0..1000), "{fails_after:?}");
            // The other GPU may have done all tasks before the first one failed.
            for (number, sentence) in failures {
                assert_eq!((number, sentence.as_str()), (0, "paper 0 failed: it is torn"));
                assert_ne!(fails_after[0], never);
            }
        }
    }

    #[test]
    fn a_failure_or_panic_of_the_last_gpu_is_an_error_of_the_run() {
        let error =
            |gpus: &[_], work| run_on(LARGE, gpus, 1, work, GO_ON).2.unwrap_err().to_string();
        let last = error(&[Some(1), Some(2)], double);
        assert!(last.starts_with("paper ") && last.ends_with(" failed: it is torn"), "{last}");
        assert_eq!(
            error(&[Some(1)], |_, _| panic!("no {}", "feet")),
            "internal error: one of the tasks 0-31 failed: no feet"
        );
        assert_eq!(
            error(&[None], double),
            "paper 0 failed: internal error while opening it: no hands"
        );
    }

    #[test]
    fn a_failed_spot_check_ends_the_run_before_any_result() {
        // A recount takes so long that the other thread finishes its first batches before it ends.
        let (doubled, _, outcome) = run_on(18, &[Some(usize::MAX)], 2, double, GO_ON);
        let error = outcome.unwrap_err().to_string();
        assert!(
            error.starts_with("paper 0 COUNTS INCORRECTLY: task ") && error.contains(" on the CPU"),
            "{error}"
        );
        assert!(doubled.is_empty());
    }

    #[test]
    fn stopping_cancels_the_running_batch() {
        let endless = |_: &[usize], is_stopped: &dyn Fn() -> bool| {
            while !is_stopped() {
                thread::yield_now();
            }
            Ok(None)
        };
        let stop = ControlFlow::Break(());
        let (_, _, outcome) = run_on(LARGE, &[Some(usize::MAX)], 1, endless, stop);
        assert!(matches!(outcome, Err(RunError::Stopped { done: 0, .. })));
    }
}
