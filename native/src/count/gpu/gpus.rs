//! The backend that counts on one or more GPUs of the same kind.

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use queens_core::{
    Form, GpuSearch, Method, Plan, Size, Tally, TaskSample,
    document::{Backend as Record, BackendKind},
};

use queens_gpu::DeviceError;

use super::{
    found::Gpu,
    join::Join,
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

/// The smallest N on which a GPU can count. The tasks of the tree search have no [starts](Plan::starts) on
/// smaller boards.
const MIN_N: u32 = 4;

/// Maximum time for which dropping a backend waits for its threads to end.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// GPUs that share one task queue.
pub struct Gpus {
    kind: BackendKind,
    gpus: Vec<Arc<dyn Gpu>>,
    queues_per_gpu: usize,
    failures: Arc<Mutex<Failures>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Gpus {
    /// Creates a backend of at least one GPU, all of the same kind.
    pub fn new(kind: BackendKind, gpus: Vec<Arc<dyn Gpu>>) -> Gpus {
        // A user who limits the GPU to one thread is debugging it. A second queue would run a second
        // thread.
        let is_single_threaded = gpus.iter().any(|gpu| gpu.thread_limit() == Some(1));
        let queues_per_gpu = if is_single_threaded { 1 } else { QUEUES_PER_GPU };
        Gpus { kind, gpus, queues_per_gpu, failures: Arc::default(), threads: Mutex::default() }
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

    /// Returns the search for the tasks of a plan.
    fn search(&self, plan: &Plan) -> Result<GpuSearch, BackendError> {
        plan.method().gpu_search().ok_or_else(|| BackendError::Unavailable {
            kind: self.kind,
            reason: format!("GPUs cannot count with {}", plan.method()),
            hint: None,
        })
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
        match self.search(&plan)? {
            GpuSearch::Tree => self.start_threads(TreeSearch::new(plan), task_queue),
            GpuSearch::Join => self.start_threads(Join::new(plan), task_queue),
        }
    }

    fn start_sample(
        &self,
        plan: Arc<Plan>,
        task_queue: TaskQueue<SampleResult>,
    ) -> Result<(), BackendError> {
        match self.search(&plan)? {
            GpuSearch::Tree => self.start_threads(Sampled(TreeSearch::new(plan)), task_queue),
            GpuSearch::Join => self.start_threads(Sampled(Join::new(plan)), task_queue),
        }
    }
}

/// Adapter that turns the tallies of whole tasks into sample results.
struct Sampled<W>(W);

impl<W: GpuWork<Output = Tally>> GpuWork for Sampled<W> {
    type Queue = W::Queue;
    type Output = SampleResult;

    const FIRST_BATCH: usize = W::FIRST_BATCH;

    fn open(&self, gpu: &dyn Gpu) -> Result<W::Queue, DeviceError> {
        self.0.open(gpu)
    }

    fn work(
        &self,
        queue: &mut W::Queue,
        tasks: &[usize],
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<SampleResult>>, DeviceError> {
        let tallies = self.0.work(queue, tasks, is_stopped)?;
        let memory = Some(self.0.memory(queue));
        let sample = |tally: Tally| {
            let solutions = tally.total();
            let observed = solutions.map(|solutions| TaskSample { solutions, parts: 1.0 });
            let result = observed.map(|observed| SampleResult {
                observed,
                prepared: Duration::ZERO,
                memory,
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
