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
use queens_gpu::DeviceError;

use super::{
    found::FoundGpu,
    worker_pool::{Failures, GpuWorkerPool},
};
use crate::{
    count::{Backend, BackendError, SampleResult, TaskQueue},
    journal::PartialTasks,
    lock::lock,
};

/// Command queues per GPU. While data of one queue is copied, the kernels of the other queue run. These
/// kernels also fill the multiprocessors that are idle at the end of a launch.
const QUEUES_PER_GPU: usize = 2;

/// The smallest N on which a GPU can count. The tasks of the tree search have no [starts](Plan::starts) on
/// smaller boards.
const MIN_N: u32 = 4;

/// Maximum time for which dropping a backend waits for its threads to end.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// GPUs that share one task queue.
pub struct Gpus {
    kind: BackendKind,
    gpus: Vec<Arc<FoundGpu>>,
    thread_limit: Option<u32>,
    queues_per_gpu: usize,
    failures: Arc<Mutex<Failures>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Gpus {
    /// Creates a backend of at least one usable GPU, all of the same kind and opened with this limit on their
    /// threads.
    pub fn new(kind: BackendKind, gpus: Vec<FoundGpu>, thread_limit: Option<u32>) -> Gpus {
        let gpus = gpus.into_iter().map(Arc::new).collect();
        // A user who limits the GPU to one thread is debugging it. A second queue would run a second
        // thread.
        let queues_per_gpu = if thread_limit == Some(1) { 1 } else { QUEUES_PER_GPU };
        let (failures, threads) = Default::default();
        Gpus { kind, gpus, thread_limit, queues_per_gpu, failures, threads }
    }

    /// Returns the reason why GPUs cannot count this board with this method, or `None` if they can.
    pub fn unsupported_reason(size: Size, method: Method) -> Option<String> {
        if method.gpu_search().is_none() {
            let supported: Vec<_> = Method::on_gpus().map(Method::id).collect();
            let supported = supported.join(" and ");
            return Some(format!("GPUs support only {supported}, not {method}"));
        }
        (size.get() < MIN_N)
            .then(|| format!("N = {size} is too small for a GPU, which needs N = {MIN_N} or more"))
    }

    /// Starts the threads of all GPUs. `finish` makes the result of a task from its tally and the GPU memory of
    /// its queue.
    fn start_threads<T: Send + 'static>(
        &self,
        plan: Arc<Plan>,
        task_queue: TaskQueue<T>,
        finish: fn(Tally, usize) -> Result<T, DeviceError>,
    ) -> Result<(), BackendError> {
        let failures = Arc::clone(&self.failures);
        let (gpus, threads) = (self.gpus.len(), self.threads());
        let pool = GpuWorkerPool::new(plan, task_queue, gpus, threads, failures, finish);
        let pool = Arc::new(pool);
        for (number, gpu) in self.gpus.iter().enumerate() {
            for _ in 0..self.queues_per_gpu {
                let (gpu, pool) = (Arc::clone(gpu), Arc::clone(&pool));
                let thread = thread::Builder::new()
                    .name(format!("{} queue", self.kind.id()))
                    .spawn(move || pool.run(number, &gpu))
                    .map_err(|error| BackendError::Threads {
                        threads,
                        reason: error.to_string(),
                    })?;
                lock(&self.threads).push(thread);
            }
        }
        Ok(())
    }
}

impl Backend for Gpus {
    fn record(&self) -> Record {
        let mut names: Vec<_> = self.gpus.iter().map(|gpu| gpu.name.as_str()).collect();
        names.dedup();
        let mut detail: Vec<String> = match self.gpus.len() {
            0 | 1 => vec![],
            gpus => vec![format!("{gpus} devices")],
        };
        detail.extend(self.gpus.first().map(|gpu| gpu.kind.clone()));
        if let Some(thread_limit) = self.thread_limit {
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
        // The kernels place queens without recursion. The colour join has only the other form.
        let forms = method.forms();
        if forms.contains(&Form::Iterative) { Form::Iterative } else { Form::Recursive }
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
        self.start_threads(plan, task_queue, |tally, _| Ok(tally))
    }

    fn start_sample(
        &self,
        plan: Arc<Plan>,
        task_queue: TaskQueue<SampleResult>,
    ) -> Result<(), BackendError> {
        self.start_threads(plan, task_queue, |tally, memory| {
            let too_many = || DeviceError::new("the solutions of a task do not fit in 64 bits");
            let solutions = tally.total().ok_or_else(too_many)?;
            let observed = TaskSample { solutions, parts: 1.0 };
            Ok(SampleResult { observed, prepared: Duration::ZERO, memory: Some(memory) })
        })
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
