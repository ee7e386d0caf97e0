//! Counts tasks on the browser's GPU.

use std::{sync::Arc, time::Duration};

use queens_core::{Done, Method, Plan, Size, Tally};
use queens_gpu::{
    Descent, DeviceError, DeviceStep, Pace, Root,
    recount::{Mismatch, SpotChecker},
    wgpu::{WgpuTreeQueue, adapters},
};
use queens_worker::{WorkerReply, WorkerRequest, WrongTask, milliseconds, now, random_index};

/// The target duration of a launch. Longer launches would delay the desktop.
const LAUNCH: Duration = Duration::from_millis(50);

/// The size of the first launch, in nodes.
const FIRST_LAUNCH: usize = 1 << 15;

/// An open GPU.
pub struct Gpu {
    queue: WgpuTreeQueue,
    launch: Pace,
    /// The plan of the current count.
    plan: Option<Plan>,
    /// The verifier that recounts some of the GPU's tasks as spot checks.
    spot_checker: Option<SpotChecker>,
}

impl Gpu {
    /// Opens the GPU that the browser offers.
    pub async fn open() -> Result<Gpu, DeviceError> {
        let found = adapters().await;
        let adapter = found.first().ok_or_else(|| DeviceError::new("the browser finds no GPU"))?;
        if let Some(trouble) = adapter.trouble() {
            return Err(DeviceError::new(trouble));
        }
        let queue = WgpuTreeQueue::open(adapter.connect(None).await?).await?;
        let smallest = queue.smallest_launch();
        let launch = Pace::new(FIRST_LAUNCH.max(smallest), smallest..=u32::MAX as usize, LAUNCH);
        Ok(Gpu { queue, launch, plan: None, spot_checker: None })
    }

    /// Executes a request and returns the reply.
    pub async fn execute(&mut self, request: WorkerRequest) -> Result<WorkerReply, DeviceError> {
        let WorkerRequest { method, size, tasks } = request;
        let start = now();
        let tallies = self.count(method, size, &tasks).await?;
        let took = milliseconds(now() - start);
        let batch: Vec<_> = tasks.into_iter().zip(tallies).collect();
        if let Some(wrong) = self.spot_check(method, size, &batch, took) {
            return Ok(WorkerReply::Wrong(wrong));
        }
        let each = took / saturated(batch.len()).max(1);
        let done = |(task, result)| Done { task, result, took: each };
        Ok(WorkerReply::Done(batch.into_iter().map(done).collect()))
    }

    /// Spot-checks a batch that took the time `took`. Recounts one of its tasks if a recount is
    /// due, and returns the mismatch, if any.
    fn spot_check(
        &mut self,
        method: Method,
        size: Size,
        batch: &[(usize, Tally)],
        took: Duration,
    ) -> Option<WrongTask> {
        let fits = |spot_checker: &mut SpotChecker| {
            (spot_checker.plan().method(), spot_checker.plan().size()) == (method, size)
        };
        let spot_checker = match self.spot_checker.take_if(fits) {
            Some(spot_checker) => spot_checker,
            None => SpotChecker::new(Arc::new(Plan::new(size, method))),
        };
        let spot_checker = self.spot_checker.insert(spot_checker);
        let mismatch = spot_checker.check(batch, took, random_index, || milliseconds(now()));
        mismatch.map(|Mismatch { task, counted, expected, .. }| {
            let [counted, expected] = [counted, expected].map(|number| number.unwrap_or(u64::MAX));
            WrongTask { task, counted, expected }
        })
    }

    /// Counts tasks and returns their tallies in the same order.
    async fn count(
        &mut self,
        method: Method,
        size: Size,
        tasks: &[usize],
    ) -> Result<Vec<Tally>, DeviceError> {
        let Gpu { queue, launch, plan, .. } = self;
        let fitting = plan.take_if(|plan| (plan.method(), plan.size()) == (method, size));
        let plan = plan.insert(fitting.unwrap_or_else(|| Plan::new(size, method)));
        let roots = Root::of_tasks(plan, tasks)?;
        queue.begin(&roots, tasks.len()).await?;
        let (rows, open) = roots.first().map_or((0, 0), |root| (root.rows(), root.open()));
        let levels = queue.levels(size.get(), rows);
        let mut descent = Descent::new(saturated(roots.len()), open, levels, queue.capacity());
        while let Some(step) = descent.step(saturated(launch.size())) {
            match step {
                DeviceStep::Expand { level, nodes, existing } => {
                    descent.expanded(queue.expand(level, nodes, existing).await?);
                }
                DeviceStep::Search { level, nodes } => {
                    let (start, searched) = (now(), nodes.len());
                    queue.search(level, nodes).await?;
                    launch.learn(searched, milliseconds(now() - start));
                }
            }
        }
        queue.tallies().await
    }
}

fn saturated(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
