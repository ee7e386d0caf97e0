//! The backend that counts on one or more GPUs of the same kind.

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use queens_core::{
    Form, Method, Plan, Size, Tally, TaskSample,
    document::{Backend as Record, BackendKind},
};

use queens_gpu::{DeviceError, halves::Halves};

use super::{
    found::Gpu,
    halves::Matching,
    tree::TreeSearch,
    worker_pool::{Failures, GpuWork, GpuWorkerPool},
};
use crate::{
    count::{Backend, BackendError, SampleResult, TaskQueue},
    journal::PartialTasks,
    lock::lock,
};

/// Command queues per GPU. While data of one queue is copied, the kernels of the other queue run. These
/// kernels also fill the multiprocessors that are idle at the end of a launch.
const QUEUES_PER_GPU: usize = 2;

/// Maximum time for which dropping a backend waits for its threads to end.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// GPUs that share one task queue.
pub struct Gpus {
    kind: BackendKind,
    gpus: Vec<Arc<dyn Gpu>>,
    queues_per_gpu: usize,
    failures: Arc<Mutex<Failures>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// The half-board matching of the last plan. A count or an estimate reuses the tables that the benchmark
    /// of the same plan created, because creating the tables of a large board takes some tenths of a second.
    matching: Mutex<Option<Matching>>,
}

impl Gpus {
    /// Creates a backend of at least one GPU, all of the same kind.
    pub fn new(kind: BackendKind, gpus: Vec<Arc<dyn Gpu>>) -> Gpus {
        // A user who limits the GPU to one thread is debugging it. A second queue would run a second
        // thread.
        let is_single_threaded = gpus.iter().any(|gpu| gpu.thread_limit() == Some(1));
        let queues_per_gpu = if is_single_threaded { 1 } else { QUEUES_PER_GPU };
        let (failures, threads, matching) = (Arc::default(), Mutex::default(), Mutex::default());
        Gpus { kind, gpus, queues_per_gpu, failures, threads, matching }
    }

    /// Returns the half-board matching of a plan. Consecutive calls with the same plan return clones that
    /// share their tables.
    fn matching(&self, plan: Arc<Plan>) -> Matching {
        let mut last = lock(&self.matching);
        let same_plan = last.take_if(|last| last.is_of(&plan));
        last.insert(same_plan.unwrap_or_else(|| Matching::new(plan))).clone()
    }

    /// Returns the reason why GPUs cannot count this board with this method, or `None` if they can.
    pub fn unsupported_reason(size: Size, method: Method) -> Option<String> {
        match method {
            Method::Symmetry => TreeSearch::unsupported_reason(size),
            Method::Halves => Halves::unsupported_reason(size),
            other => {
                Some(format!("GPUs support only the methods symmetry and halves, not {other}"))
            }
        }
    }
}

impl Backend for Gpus {
    fn record(&self) -> Record {
        let mut names: Vec<_> = self.gpus.iter().map(|gpu| gpu.name()).collect();
        names.dedup();
        let mut detail: Vec<String> = match self.gpus.len() {
            0 | 1 => vec![],
            gpus => vec![format!("{gpus} devices")],
        };
        detail.extend(self.gpus.first().map(|gpu| gpu.detail()));
        if let Some(thread_limit) = self.gpus.first().and_then(|gpu| gpu.thread_limit()) {
            detail.push(if thread_limit == 1 {
                "1 GPU thread".into()
            } else {
                format!("{thread_limit} GPU threads")
            });
        }
        detail.extend(lock(&self.failures).values().cloned());
        Record::new(self.kind, names.join(", "), detail.join(", "))
    }

    fn form(&self, method: Method) -> Form {
        // Half-board matching has one form only.
        if method.stepped().is_some() { Form::Iterative } else { Form::Recursive }
    }

    fn threads(&self) -> usize {
        self.gpus.len() * self.queues_per_gpu
    }

    fn order(&self, plan: &Plan) -> Vec<usize> {
        // GPU threads run in lockstep, so they are efficient only if their subtrees are similar. Tasks
        // with neighbouring numbers have similar subtrees.
        (0..plan.len()).collect()
    }

    fn start(
        &self,
        plan: Arc<Plan>,
        task_queue: TaskQueue<Tally>,
        _: PartialTasks,
    ) -> Result<(), BackendError> {
        match plan.method() {
            Method::Halves => self.start_threads(self.matching(plan), task_queue),
            _ => self.start_threads(TreeSearch::new(plan), task_queue),
        }
    }

    fn start_sample(
        &self,
        plan: Arc<Plan>,
        task_queue: TaskQueue<SampleResult>,
    ) -> Result<(), BackendError> {
        match plan.method() {
            Method::Halves => self.start_threads(Sampled(self.matching(plan)), task_queue),
            _ => self.start_threads(Sampled(TreeSearch::new(plan)), task_queue),
        }
    }
}

/// Adapter that turns the tallies of whole tasks into sample results.
struct Sampled<W>(W);

impl<W: GpuWork<Output = Tally>> GpuWork for Sampled<W> {
    type Queue = W::Queue;
    type Output = SampleResult;

    fn open(&self, gpu: &dyn Gpu) -> Result<W::Queue, DeviceError> {
        self.0.open(gpu)
    }

    fn first_batch(&self) -> usize {
        self.0.first_batch()
    }

    fn work(
        &self,
        queue: &mut W::Queue,
        tasks: &[usize],
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<SampleResult>>, DeviceError> {
        let tallies = self.0.work(queue, tasks, is_stopped)?;
        let [shared, own] = self.0.memory(queue);
        let sample = |tally: Tally| {
            let solutions = tally.total();
            let observed =
                solutions.map(|solutions| TaskSample { solutions, parts: 1.0, pieces: 1 });
            let result = observed.map(|observed| SampleResult {
                observed,
                prepared: Duration::ZERO,
                memory: Some((shared, own)),
            });
            result.ok_or_else(|| DeviceError::new("the solutions of a task do not fit in 64 bits"))
        };
        tallies.map(|tallies| tallies.into_iter().map(sample).collect()).transpose()
    }
}

impl Gpus {
    /// Starts the threads of all GPUs.
    fn start_threads<W: GpuWork>(
        &self,
        work: W,
        task_queue: TaskQueue<W::Output>,
    ) -> Result<(), BackendError> {
        let pool = GpuWorkerPool::new(work, task_queue, self.threads(), Arc::clone(&self.failures));
        for (number, gpu) in self.gpus.iter().enumerate() {
            for _ in 0..self.queues_per_gpu {
                let (gpu, pool) = (Arc::clone(gpu), Arc::clone(&pool));
                let thread = thread::Builder::new()
                    .name(format!("{} queue", self.kind.id()))
                    .spawn(move || pool.run(number, &*gpu))
                    .map_err(|error| BackendError::Threads {
                        threads: self.threads(),
                        reason: error.to_string(),
                    })?;
                lock(&self.threads).push(thread);
            }
        }
        Ok(())
    }
}

impl Drop for Gpus {
    /// Waits for the threads, which end after their current launch once a count is over. If the process
    /// exited earlier, a driver that is still busy could crash.
    fn drop(&mut self) {
        let threads = self.threads.get_mut().unwrap_or_else(PoisonError::into_inner);
        let end = Instant::now() + END_TIMEOUT;
        while threads.iter().any(|thread| !thread.is_finished()) && Instant::now() < end {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr;

    #[test]
    fn consecutive_uses_of_a_plan_share_one_setup() {
        let gpus = Gpus::new(BackendKind::Cuda, vec![]);
        let plan = |n| Arc::new(Plan::new(Size::new(n).unwrap(), Method::Halves));
        let sample = gpus.matching(plan(9));
        let count = gpus.matching(plan(9));
        assert!(ptr::eq(sample.halves().unwrap(), count.halves().unwrap()));
        for other in [plan(10), plan(9)] {
            let new = gpus.matching(other);
            assert!(!ptr::eq(count.halves().unwrap(), new.halves().unwrap()));
        }
    }
}
