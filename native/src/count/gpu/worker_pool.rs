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
        run_into,
    };
    use std::{ops::ControlFlow, thread};

    /// A test GPU that only has a number.
    struct NumberedGpu(usize);

    impl Gpu for NumberedGpu {
        fn name(&self) -> String {
            format!("paper {}", self.0)
        }

        fn detail(&self) -> String {
            String::new()
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

    type Answer = Result<Option<Vec<usize>>, DeviceError>;

    /// Test work. A queue holds the number of batches after which its GPU fails.
    struct Work {
        fails_after: Vec<usize>,
        work: fn(&[usize], &dyn Fn() -> bool) -> Answer,
    }

    impl GpuWork for Work {
        type Queue = usize;
        type Output = usize;

        fn open(&self, gpu: &dyn Gpu) -> Result<usize, DeviceError> {
            let number: usize = gpu.name().trim_start_matches("paper ").parse().unwrap();
            Ok(*self.fails_after.get(number).expect("no hands"))
        }

        fn work(
            &self,
            batches: &mut usize,
            tasks: &[usize],
            is_stopped: &dyn Fn() -> bool,
        ) -> Answer {
            *batches = batches.checked_sub(1).ok_or_else(|| DeviceError::new("it is torn"))?;
            (self.work)(tasks, is_stopped)
        }

        fn spot_check(&self, task: usize, output: &usize) -> Option<String> {
            if *output == 2 * task {
                return None;
            }
            // Long enough that the other thread finishes its first batches before this check ends.
            thread::sleep(Duration::from_millis(50));
            Some(format!("{task} became {output}"))
        }
    }

    fn double(tasks: &[usize], is_stopped: &dyn Fn() -> bool) -> Answer {
        Ok((!is_stopped()).then(|| tasks.iter().map(|task| 2 * task).collect()))
    }

    /// Runs 1000 tasks, with one thread for each of `gpus`. Returns the numbers of the tasks that were doubled
    /// and the failures. Each call of the progress callback returns `flow`.
    fn run_on(
        gpus: &[usize],
        work: Work,
        flow: ControlFlow<()>,
    ) -> (Vec<usize>, Failures, Result<(), RunError>) {
        let failures = Arc::<Mutex<Failures>>::default();
        let mut threads = vec![];
        let start = |task_queue| {
            let pool = GpuWorkerPool::new(work, task_queue, gpus.len(), Arc::clone(&failures));
            threads.extend(gpus.iter().map(|&number| {
                let pool = Arc::clone(&pool);
                thread::spawn(move || pool.run(number, &NumberedGpu(number)))
            }));
            Ok(())
        };
        let mut doubled = vec![];
        let mut sink = |Done { task, result, .. }| {
            assert_eq!(result, 2 * task);
            doubled.push(task);
            Ok(())
        };
        let outcome = run_into((0..1000).collect(), start, &mut sink, &mut |_| flow);
        for thread in threads {
            thread.join().unwrap();
        }
        doubled.sort_unstable();
        let failures = lock(&failures).clone();
        (doubled, failures, outcome)
    }

    const GO_ON: ControlFlow<()> = ControlFlow::Continue(());

    #[test]
    fn each_task_is_done_exactly_once_even_if_a_gpu_fails() {
        for fails_after in [
            &[usize::MAX][..],
            &[usize::MAX; 3],
            &[0, usize::MAX],
            &[1, usize::MAX],
            &[5, usize::MAX],
        ] {
            let gpus: Vec<usize> = (0..fails_after.len()).collect();
            let work = Work { fails_after: fails_after.to_vec(), work: double };
            let (doubled, failures, outcome) = run_on(&gpus, work, GO_ON);
            outcome.unwrap();
            assert!(doubled.into_iter().eq(0..1000), "{fails_after:?}");
            // The other GPU may have done all tasks before the first one failed.
            for (number, sentence) in failures {
                assert_eq!((number, sentence.as_str()), (0, "paper 0 failed: it is torn"));
                assert_ne!(fails_after[0], usize::MAX);
            }
        }
    }

    #[test]
    fn a_failure_or_panic_of_the_last_gpu_is_an_error_of_the_run() {
        let error = |gpus: &[usize], fails_after: &[usize], work| {
            let work = Work { fails_after: fails_after.to_vec(), work };
            run_on(gpus, work, GO_ON).2.unwrap_err().to_string()
        };
        let last = error(&[0, 1], &[1, 2], double);
        assert!(last.starts_with("paper ") && last.ends_with(" failed: it is torn"), "{last}");
        assert_eq!(
            error(&[0], &[1], |_, _| panic!("no {}", "feet")),
            "internal error: one of the tasks 0-31 failed: no feet"
        );
        assert_eq!(
            error(&[0], &[], double),
            "paper 0 failed: internal error while opening it: no hands"
        );
    }

    #[test]
    fn a_failed_spot_check_ends_the_run_before_any_result() {
        let wrong = |tasks: &[usize], _: &dyn Fn() -> bool| {
            Ok(Some(tasks.iter().map(|task| 2 * task + 1).collect()))
        };
        let work = Work { fails_after: vec![usize::MAX], work: wrong };
        let (doubled, _, outcome) = run_on(&[0, 0], work, GO_ON);
        let error = outcome.unwrap_err().to_string();
        assert!(
            error.starts_with("paper 0 COUNTS INCORRECTLY: ") && error.contains(" became "),
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
        let work = Work { fails_after: vec![usize::MAX], work: endless };
        let (_, _, outcome) = run_on(&[0], work, ControlFlow::Break(()));
        assert!(matches!(outcome, Err(RunError::Stopped { done: 0, .. })));
    }
}
