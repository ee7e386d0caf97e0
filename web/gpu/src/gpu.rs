//! Counts tasks on the browser's GPU.

use std::{sync::Arc, time::Duration};

use queens_core::{Done, Plan};
use queens_gpu::{
    Counter, DeviceError, Mismatch, SpotChecker,
    wgpu::{Connection, WgpuQueue, adapters},
};
use queens_worker::{WorkerReply, WorkerRequest, WrongTask, milliseconds, now, random_index};

/// The target duration of a launch. Longer launches would delay the desktop.
const LAUNCH: Duration = Duration::from_millis(50);

/// An open GPU.
pub struct Gpu {
    connection: Arc<Connection>,
    /// The current count.
    count: Option<Count>,
}

/// A count of a plan, with the verifier that recounts some of the GPU's tasks as spot checks.
struct Count {
    plan: Arc<Plan>,
    counter: Counter<WgpuQueue>,
    spot_checker: SpotChecker,
}

impl Gpu {
    /// Opens the GPU that the browser offers.
    pub async fn open() -> Result<Gpu, DeviceError> {
        let found = adapters().await;
        let adapter = found.first().ok_or_else(|| DeviceError::new("the browser finds no GPU"))?;
        if let Some(trouble) = adapter.trouble() {
            return Err(trouble);
        }
        Ok(Gpu { connection: adapter.connect(None).await?.into(), count: None })
    }

    /// Executes a request and returns the reply.
    pub async fn execute(&mut self, request: WorkerRequest) -> Result<WorkerReply, DeviceError> {
        let WorkerRequest { method, size, tasks } = request;
        let fits = |count: &mut Count| (count.plan.method(), count.plan.size()) == (method, size);
        let count = match self.count.take_if(fits) {
            Some(count) => count,
            None => {
                let plan = Arc::new(Plan::new(size, method));
                let queue = WgpuQueue::open(Arc::clone(&self.connection)).await?;
                let counter = Counter::new(Arc::clone(&plan), queue, LAUNCH)?;
                Count { counter, spot_checker: SpotChecker::new(Arc::clone(&plan)), plan }
            }
        };
        let Count { counter, spot_checker, .. } = self.count.insert(count);
        let clock = || milliseconds(now());
        let start = clock();
        let tallies = counter.count(&tasks, &clock, &|| false).await?;
        let took = clock().saturating_sub(start);
        let batch: Vec<_> = tasks.into_iter().zip(tallies.unwrap_or_default()).collect();
        if let Some(mismatch) = spot_checker.check(&batch, took, random_index, clock) {
            let Mismatch { task, counted, expected, .. } = mismatch;
            let [counted, expected] = [counted, expected].map(|number| number.unwrap_or(u64::MAX));
            return Ok(WorkerReply::Wrong(WrongTask { task, counted, expected }));
        }
        let each = took / u32::try_from(batch.len()).unwrap_or(u32::MAX).max(1);
        let done = |(task, result)| Done { task, result, took: each };
        Ok(WorkerReply::Done(batch.into_iter().map(done).collect()))
    }
}
