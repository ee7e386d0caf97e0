//! Colour join on GPUs.
//!
//! A GPU counts the triples (A, C, A') of a batch of tasks. Launches are ranges of triples, so that no launch
//! takes long, and the sums of a task are added up on the GPU. `shaders/README.md` explains the kernels.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{Plan, Tally};
use queens_gpu::{DeviceError, Pace, Triples, recount};

use super::{device::JoinDevice, found::Gpu, worker_pool::GpuWork};

/// Target duration of a launch; see the tree search.
const LAUNCH_TIME: Duration = Duration::from_millis(100);

/// Number of triples in the first launch. On small GPUs, triples of N = 28 take some milliseconds each.
const FIRST_LAUNCH: usize = 1 << 10;

/// Smallest number of triples in a launch. With fewer blocks, large GPUs are idle.
const SMALLEST_LAUNCH: usize = 1 << 7;

/// Counts a plan's tasks by the colour join on GPUs.
pub struct Join {
    plan: Arc<Plan>,
}

/// A command queue that adapts the size of its launches to the speed of the GPU.
pub struct PacedJoinQueue {
    device: Box<dyn JoinDevice>,
    /// Number of triples per launch.
    launch: Pace,
}

impl PacedJoinQueue {
    fn new(device: Box<dyn JoinDevice>) -> PacedJoinQueue {
        let largest = device.largest_launch();
        let limits = SMALLEST_LAUNCH.min(largest)..=largest;
        PacedJoinQueue { device, launch: Pace::new(FIRST_LAUNCH.min(largest), limits, LAUNCH_TIME) }
    }
}

impl Join {
    /// Creates the join of a plan, whose method must be `colours`.
    pub fn new(plan: Arc<Plan>) -> Join {
        Join { plan }
    }
}

impl GpuWork for Join {
    type Queue = PacedJoinQueue;
    type Output = Tally;

    // A task of a large board takes a second on a fast GPU.
    const FIRST_BATCH: usize = 1;

    fn open(&self, gpu: &dyn Gpu) -> Result<PacedJoinQueue, DeviceError> {
        Ok(PacedJoinQueue::new(gpu.open_join()?))
    }

    fn work(
        &self,
        queue: &mut PacedJoinQueue,
        tasks: &[usize],
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Tally>>, DeviceError> {
        let PacedJoinQueue { device, launch } = queue;
        let mut tallies = Vec::with_capacity(tasks.len());
        for triples in Triples::of_tasks(&self.plan, tasks)? {
            device.begin(&triples)?;
            let mut begin = 0;
            while begin < triples.len() {
                if is_stopped() {
                    return Ok(None);
                }
                let size = u32::try_from(launch.size()).unwrap_or(u32::MAX);
                let end = begin.saturating_add(size).min(triples.len());
                let clock = Instant::now();
                device.count(begin..end)?;
                launch.learn((end - begin) as usize, clock.elapsed());
                begin = end;
            }
            tallies.extend(triples.tallies(&device.sums()?));
        }
        for (&task, tally) in tasks.iter().zip(&tallies) {
            recount::check_coverage(&self.plan, task, tally)?;
        }
        Ok(Some(tallies))
    }

    fn solutions(&self, tally: &Tally) -> u64 {
        recount::solutions(tally)
    }

    fn spot_check(&self, task: usize, tally: &Tally) -> Option<String> {
        recount::spot_check(&self.plan, task, tally).map(|mismatch| mismatch.to_string())
    }

    fn memory(&self, queue: &PacedJoinQueue) -> usize {
        queue.device.memory()
    }
}
