//! Tree search of the method `symmetry` on GPUs.
//!
//! A GPU searches thousands of small subtrees in parallel, so each task is divided further: each start of
//! the task becomes a node, nodes are expanded level by level, and the subtrees of the last level's nodes
//! are searched to the end. The nodes stay on the GPU. For each launch, the host only selects a level and a
//! range of its nodes, so that no buffer overflows, no launch takes long, and progress can be shown.
//! `shaders/README.md` explains the kernels.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{Plan, Tally};
use queens_gpu::{Descent, DeviceError, DeviceStep, Pace, Root, recount};

use super::{device::Device, found::Gpu, worker_pool::GpuWork};

/// Target duration of a launch. Short launches show progress, stop quickly and keep a desktop responsive.
const LAUNCH_TIME: Duration = Duration::from_millis(100);

/// Number of nodes in the first launch.
const FIRST_LAUNCH: usize = 1 << 16;

/// Counts a plan's tasks by tree search on GPUs.
pub struct TreeSearch {
    plan: Arc<Plan>,
}

/// A command queue that adapts the size of its launches to the speed of the GPU.
pub struct PacedQueue {
    device: Box<dyn Device>,
    /// Number of nodes per launch.
    launch: Pace,
}

impl TreeSearch {
    /// Creates the search of a plan, whose method must be `symmetry`.
    pub fn new(plan: Arc<Plan>) -> TreeSearch {
        TreeSearch { plan }
    }
}

impl GpuWork for TreeSearch {
    type Queue = PacedQueue;
    type Output = Tally;

    fn open(&self, gpu: &dyn Gpu) -> Result<PacedQueue, DeviceError> {
        let device = gpu.open()?;
        let smallest = device.smallest_launch();
        let launch =
            Pace::new(FIRST_LAUNCH.max(smallest), smallest..=u32::MAX as usize, LAUNCH_TIME);
        Ok(PacedQueue { device, launch })
    }

    fn work(
        &self,
        queue: &mut PacedQueue,
        tasks: &[usize],
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Tally>>, DeviceError> {
        let PacedQueue { device, launch } = queue;
        let roots = Root::of_tasks(&self.plan, tasks)?;
        device.begin(&roots, tasks.len())?;
        let (rows, open) = roots.first().map_or((0, 0), |root| (root.rows(), root.open()));
        let levels = device.levels(self.plan.size().get(), rows);
        let count = u32::try_from(roots.len()).unwrap_or(u32::MAX);
        let mut descent = Descent::new(count, open, levels, device.capacity());
        while let Some(step) = descent.step(u32::try_from(launch.size()).unwrap_or(u32::MAX)) {
            if is_stopped() {
                return Ok(None);
            }
            match step {
                DeviceStep::Expand { level, nodes, existing } => {
                    descent.expanded(device.expand(level, nodes, existing)?);
                }
                DeviceStep::Search { level, nodes } => {
                    let (clock, searched) = (Instant::now(), nodes.len());
                    device.search(level, nodes)?;
                    launch.learn(searched, clock.elapsed());
                }
            }
        }
        Ok(Some(device.tallies()?))
    }

    fn solutions(&self, tally: &Tally) -> u64 {
        recount::solutions(tally)
    }

    fn spot_check(&self, task: usize, tally: &Tally) -> Option<String> {
        recount::spot_check(&self.plan, task, tally).map(|mismatch| mismatch.to_string())
    }

    fn memory(&self, queue: &PacedQueue) -> usize {
        queue.device.memory()
    }
}
