//! GPU worker pool: threads that take tasks from one queue. If a GPU fails, the run continues on the other
//! GPUs. The pool is generic over the kind of work.

use std::{
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use queens_core::Done;
use queens_gpu::{DeviceError, Pace, recount::SpotChecks};

use super::found::Gpu;
use crate::{
    count::{BackendError, RunError, TaskQueue, runner::catch_panic},
    lock::lock,
};

/// Target duration of a batch. It is short because the work of the running batch is lost when the user
/// stops the count.
const BATCH_TIME: Duration = Duration::from_millis(400);

/// Maximum size of a batch, in tasks.
const LARGEST_BATCH: usize = 4096;

/// A kind of work that GPUs do on tasks.
pub trait GpuWork: Send + Sync + 'static {
    /// State of a worker thread on a GPU, for example a command queue with its buffers.
    type Queue;
    /// Result of a task.
    type Output: Send + 'static;

    /// Size of the first batch, in tasks. It runs before the duration of a task is known.
    const FIRST_BATCH: usize = 32;

    /// Opens a queue, which stays on the thread that opened it.
    fn open(&self, gpu: &dyn Gpu) -> Result<Self::Queue, DeviceError>;

    /// Runs the tasks and returns their results in the same order, or `None` if `is_stopped` returned true.
    ///
    /// # Errors
    /// [`DeviceError`] if the GPU failed. The calling thread then takes no more tasks, and other threads take
    /// over `tasks`.
    fn work(
        &self,
        queue: &mut Self::Queue,
        tasks: &[usize],
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Self::Output>>, DeviceError>;

    /// Returns the number of solutions of a task. The first spot check of a GPU recounts the task with the
    /// most solutions in the batch, because a GPU that loses solutions most likely lost some there.
    fn solutions(&self, _output: &Self::Output) -> u64 {
        0
    }

    /// Recounts a task on the CPU. Returns a description of the mismatch, or `None` if the counts
    /// agree or the task is too large to recount.
    fn spot_check(&self, _task: usize, _output: &Self::Output) -> Option<String> {
        None
    }

    /// Returns the GPU memory of a queue in bytes.
    fn memory(&self, _queue: &Self::Queue) -> usize {
        0
    }
}

/// Errors that did not end a run, because other threads finished it: the first error of each GPU, by device
/// number.
pub type Failures = BTreeMap<usize, String>;

/// The worker threads for one kind of work.
pub struct GpuWorkerPool<W: GpuWork> {
    work: W,
    task_queue: TaskQueue<W::Output>,
    state: Mutex<PoolState>,
    changed: Condvar,
    failures: Arc<Mutex<Failures>>,
    /// Spot checks by device number.
    checks: Mutex<BTreeMap<usize, Arc<Mutex<Checks>>>>,
}

/// The spot checks of a GPU, and the mismatch that they found.
#[derive(Default)]
struct Checks {
    spot: SpotChecks,
    mismatch: Option<String>,
}

struct PoolState {
    /// Threads that have not ended.
    workers: usize,
    /// Threads that hold a batch, which they may still put back.
    busy: usize,
}

impl<W: GpuWork> GpuWorkerPool<W> {
    /// Creates a pool for `workers` threads. Each of them must call [`run`](GpuWorkerPool::run) once.
    pub fn new(
        work: W,
        task_queue: TaskQueue<W::Output>,
        workers: usize,
        failures: Arc<Mutex<Failures>>,
    ) -> Arc<GpuWorkerPool<W>> {
        let state = Mutex::new(PoolState { workers, busy: 0 });
        let (changed, checks) = (Condvar::new(), Mutex::default());
        Arc::new(GpuWorkerPool { work, task_queue, state, changed, failures, checks })
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        lock(&self.state)
    }

    /// Works on `gpu`, the device with this number, until no task is left or the GPU fails. Other GPUs take
    /// over the unfinished tasks of a failed GPU. If the last GPU fails, the run ends with its error.
    pub fn run(&self, device_number: usize, gpu: &dyn Gpu) {
        let opened = catch_panic(|| self.work.open(gpu)).unwrap_or_else(|reason| {
            Err(DeviceError::new(format!("internal error while opening it: {reason}"))
                .with_hint("this is a bug; please report it"))
        });
        let outcome = opened.and_then(|mut queue| self.run_on(&mut queue, device_number, gpu));
        let mut state = self.state();
        state.workers -= 1;
        // The last thread ends the run with its error, unless no tasks are left.
        let leaves_tasks = state.workers == 0 && self.task_queue.waiting() > 0;
        drop(state);
        let Err(DeviceError { reason, hint }) = outcome else { return };
        let error = BackendError::Failed { device: gpu.name(), reason, hint };
        if leaves_tasks {
            self.task_queue.fail(error);
        } else {
            lock(&self.failures).entry(device_number).or_insert_with(|| error.to_string());
        }
    }

    fn run_on(
        &self,
        queue: &mut W::Queue,
        number: usize,
        gpu: &dyn Gpu,
    ) -> Result<(), DeviceError> {
        let mut batch = Pace::new(W::FIRST_BATCH, 1..=LARGEST_BATCH, BATCH_TIME);
        while let Some(tasks) = self.take(batch.size()) {
            let clock = Instant::now();
            let outcome =
                catch_panic(|| self.work.work(queue, &tasks, &|| self.task_queue.is_stopped()));
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
                            // The GPU's earlier results are unreliable, too.
                            self.task_queue
                                .fail(BackendError::Wrong { device: gpu.name(), reason });
                            Some(Ok(()))
                        }
                    }
                }
                Ok(Ok(None)) => Some(Ok(())),
                Ok(Err(error)) => {
                    self.task_queue.put_back(&tasks);
                    Some(Err(error))
                }
                Err(reason) => {
                    self.task_queue.fail(RunError::Panicked { tasks: tasks.clone(), reason });
                    Some(Ok(()))
                }
            };
            // Decrement `busy` only after the batch was put back. Otherwise an idle thread could see an
            // empty queue and no busy thread, and end.
            self.state().busy -= 1;
            self.changed.notify_all();
            if let Some(end) = end {
                return end;
            }
            batch.learn(tasks.len(), took);
        }
        Ok(())
    }

    /// Recounts a task of this batch, if a spot check is due. Returns the mismatch of this or an earlier
    /// check.
    ///
    /// The lock makes the GPU's other threads wait with their batches, so that no batch is reported
    /// before the first check has passed. Later checks take only a small share of the time.
    fn check(&self, number: usize, batch: &[(usize, W::Output)], took: Duration) -> Option<String> {
        let checks = Arc::clone(lock(&self.checks).entry(number).or_default());
        let mut checks = lock(&checks);
        if checks.mismatch.is_none() {
            let clock = Instant::now();
            // A recount that panics is no evidence against the GPU.
            let recount = |task, output: &W::Output| {
                catch_panic(|| self.work.spot_check(task, output)).unwrap_or_default()
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

    /// Reports the results of a batch, with an equal share of its time for each task.
    fn report(&self, batch: Vec<(usize, W::Output)>, took: Duration) {
        let share = took / u32::try_from(batch.len()).unwrap_or(u32::MAX).max(1);
        for (task, result) in batch {
            self.task_queue.report(Done { task, result, took: share });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{
        gpu::{Device, JoinDevice},
        run, run_into,
    };
    use std::{ops::ControlFlow, thread};

    /// A test GPU that only has a number.
    struct NumberedGpu(usize);

    impl Gpu for NumberedGpu {
        fn name(&self) -> String {
            format!("paper {}", self.0)
        }

        fn detail(&self) -> String {
            "by hand".into()
        }

        fn thread_limit(&self) -> Option<u32> {
            None
        }

        fn open(&self) -> Result<Box<dyn Device>, DeviceError> {
            Err(DeviceError::new("it has no queue"))
        }

        fn open_join(&self) -> Result<Box<dyn JoinDevice>, DeviceError> {
            Err(DeviceError::new("it has no queue"))
        }
    }

    /// Test work that doubles the task number. The map contains, for each GPU's name, the number of batches
    /// after which the GPU fails.
    struct Double(BTreeMap<String, usize>);

    impl GpuWork for Double {
        type Queue = usize;
        type Output = usize;

        fn open(&self, gpu: &dyn Gpu) -> Result<usize, DeviceError> {
            Ok(self.0[&gpu.name()])
        }

        fn work(
            &self,
            batches: &mut usize,
            tasks: &[usize],
            is_stopped: &dyn Fn() -> bool,
        ) -> Result<Option<Vec<usize>>, DeviceError> {
            if is_stopped() {
                return Ok(None);
            }
            *batches = batches.checked_sub(1).ok_or_else(|| DeviceError::new("it is torn"))?;
            Ok(Some(tasks.iter().map(|task| 2 * task).collect()))
        }
    }

    /// Doubles 1000 tasks on test GPUs. Each GPU fails after the number of batches in `fails_after`. Returns
    /// the results and the failures.
    fn double_tasks(fails_after: &[usize]) -> Result<(Vec<usize>, Failures), RunError> {
        let failures = Arc::<Mutex<Failures>>::default();
        let start = |task_queue: TaskQueue<usize>| {
            let names = (0..).map(|number| NumberedGpu(number).name());
            let work = Double(names.zip(fails_after.iter().copied()).collect());
            let pool =
                GpuWorkerPool::new(work, task_queue, fails_after.len(), Arc::clone(&failures));
            for number in 0..fails_after.len() {
                let pool = Arc::clone(&pool);
                thread::spawn(move || pool.run(number, &NumberedGpu(number)));
            }
            Ok(())
        };
        let done = run((0..1000).collect(), start, &mut |_| ControlFlow::Continue(()))?;
        let failures = lock(&failures).clone();
        Ok((done.into_iter().map(|done| done.result).collect(), failures))
    }

    #[test]
    fn each_task_is_done_exactly_once() {
        let expected: Vec<usize> = (0..1000).map(|task| 2 * task).collect();
        for gpus in 1..=3 {
            let (results, failures) = double_tasks(&vec![usize::MAX; gpus]).unwrap();
            assert!(results == expected && failures.is_empty(), "{gpus} GPUs: {failures:?}");
        }
    }

    #[test]
    fn other_gpus_continue_when_one_fails() {
        let expected: Vec<usize> = (0..1000).map(|task| 2 * task).collect();
        for fails_after in 0..10 {
            let (results, failures) = double_tasks(&[fails_after, usize::MAX]).unwrap();
            assert_eq!(results, expected, "after {fails_after} batches");
            // The other GPU may have done all tasks before the first one failed.
            for (number, sentence) in failures {
                assert_eq!((number, sentence.as_str()), (0, "paper 0 failed: it is torn"));
            }
        }
    }

    #[test]
    fn the_run_fails_when_the_last_gpu_fails() {
        let error = double_tasks(&[1, 2]).unwrap_err();
        let message = error.to_string();
        assert!(
            ["paper 0 failed: it is torn", "paper 1 failed: it is torn"]
                .contains(&message.as_str())
        );
    }

    /// Test work that panics, either when a queue is opened or in the first batch.
    struct Broken {
        when_opened: bool,
    }

    impl GpuWork for Broken {
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
    fn a_panic_in_a_gpu_thread_is_an_error_of_the_run() {
        let error = |when_opened| {
            let start = |task_queue| {
                let pool =
                    GpuWorkerPool::new(Broken { when_opened }, task_queue, 1, Arc::default());
                thread::spawn(move || pool.run(0, &NumberedGpu(0)));
                Ok(())
            };
            run((3..9).collect(), start, &mut |_| ControlFlow::Continue(())).unwrap_err()
        };
        assert_eq!(
            error(false).to_string(),
            "internal error: one of the tasks 3-5 failed: no feet"
        );
        assert_eq!(
            error(true).to_string(),
            "paper 0 failed: internal error while opening it: no hands"
        );
    }

    /// Test work whose results are all wrong.
    struct WrongResults;

    impl GpuWork for WrongResults {
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

        fn spot_check(&self, task: usize, output: &usize) -> Option<String> {
            // Long enough that the other thread finishes its first batches before this check ends.
            thread::sleep(Duration::from_millis(50));
            (task != *output).then(|| format!("{task} became {output}"))
        }
    }

    #[test]
    fn a_failed_spot_check_ends_the_run_before_any_result() {
        let start = |task_queue| {
            let pool = GpuWorkerPool::new(WrongResults, task_queue, 2, Arc::default());
            for _ in 0..2 {
                let pool = Arc::clone(&pool);
                thread::spawn(move || pool.run(0, &NumberedGpu(0)));
            }
            Ok(())
        };
        let mut reported = 0;
        let mut sink = |_| {
            reported += 1;
            Ok(())
        };
        let mut never_stop = |_| ControlFlow::Continue(());
        let ended = run_into((0..1000).collect(), start, &mut sink, &mut never_stop);
        let error = ended.unwrap_err().to_string();
        assert!(
            error.starts_with("paper 0 COUNTS INCORRECTLY: ") && error.contains(" became "),
            "{error}"
        );
        assert_eq!(reported, 0);
    }

    /// Test work that ends only when it is stopped.
    struct Endless;

    impl GpuWork for Endless {
        type Queue = ();
        type Output = ();

        fn open(&self, _: &dyn Gpu) -> Result<(), DeviceError> {
            Ok(())
        }

        fn work(
            &self,
            (): &mut (),
            _: &[usize],
            is_stopped: &dyn Fn() -> bool,
        ) -> Result<Option<Vec<()>>, DeviceError> {
            while !is_stopped() {
                thread::yield_now();
            }
            Ok(None)
        }
    }

    #[test]
    fn stopping_cancels_the_running_batch() {
        let mut worker = None;
        let start = |task_queue: TaskQueue<()>| {
            let pool = GpuWorkerPool::new(Endless, task_queue, 1, Arc::default());
            worker = Some(thread::spawn(move || pool.run(0, &NumberedGpu(0))));
            Ok(())
        };
        let outcome = run((0..1000).collect(), start, &mut |_| ControlFlow::Break(()));
        assert!(matches!(outcome, Err(RunError::Stopped { done: 0, .. })));
        worker.unwrap().join().unwrap();
    }
}
