//! Half-board matching on GPUs.

use std::{
    sync::{Arc, Mutex, OnceLock},
    time::Instant,
};

use pollster::block_on;
use queens_core::{Plan, Tally};
use queens_gpu::{
    DeviceError,
    halves::{Halves, HalvesQueue, WaitContext},
    recount::Recount,
};

use super::{
    found::Gpu,
    worker_pool::{FIRST_BATCH, GpuWork},
};
use crate::{isa, lock::lock};

/// From this N on, a task takes a GPU seconds or more, so the first batch has only one task.
const LONG_TASKS_FROM: u32 = 25;

/// Counts tasks and returns their tallies in the same order. Blocks until all tasks are counted, or until
/// `is_stopped` returns true; then returns `None`.
///
/// # Errors
/// [`DeviceError`] if memory is too short for the lists of a task, or the GPU failed.
pub fn count_halves(
    queue: &mut HalvesQueue,
    halves: &Halves,
    tasks: &[usize],
    is_stopped: &dyn Fn() -> bool,
) -> Result<Option<Vec<Tally>>, DeviceError> {
    let clock = Instant::now();
    let context = WaitContext { is_cancelled: is_stopped, clock: &|| clock.elapsed() };
    block_on(queue.count(halves, tasks, context))
}

/// Counts a plan's tasks by half-board matching. Clones share the tables and splits.
#[derive(Clone)]
pub struct Matching {
    plan: Arc<Plan>,
    recount: Arc<Mutex<Recount>>,
    /// Tables and splits, created by the first queue that is opened.
    halves: Arc<OnceLock<Result<Halves, DeviceError>>>,
}

impl Matching {
    /// Creates the matching of a plan, whose method must be `halves`. The tables are created later.
    pub fn new(plan: Arc<Plan>) -> Matching {
        let recount = Mutex::new(Recount::new(Arc::clone(&plan), isa::best()));
        Matching { plan, recount: Arc::new(recount), halves: Arc::default() }
    }

    /// Returns whether this is the matching of `plan`.
    pub fn is_of(&self, plan: &Plan) -> bool {
        self.plan.identity() == plan.identity()
    }

    /// Returns the tables and splits that GPUs need for the board, and creates them at the first call.
    pub fn halves(&self) -> Result<&Halves, DeviceError> {
        let halves = self.halves.get_or_init(|| Halves::new(Arc::clone(&self.plan)));
        halves.as_ref().map_err(Clone::clone)
    }
}

impl GpuWork for Matching {
    type Queue = HalvesQueue;
    type Output = Tally;

    fn open(&self, gpu: &dyn Gpu) -> Result<HalvesQueue, DeviceError> {
        self.halves()?;
        let unsupported =
            || Err(DeviceError::new("its driver does not support half-board matching"));
        Ok(HalvesQueue::new(gpu.halves().unwrap_or_else(unsupported)?))
    }

    fn first_batch(&self) -> usize {
        if self.plan.size().get() < LONG_TASKS_FROM { FIRST_BATCH } else { 1 }
    }

    fn work(
        &self,
        queue: &mut HalvesQueue,
        tasks: &[usize],
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Tally>>, DeviceError> {
        count_halves(queue, self.halves()?, tasks, is_stopped)
    }

    fn memory(&self, queue: &HalvesQueue) -> [usize; 2] {
        queue.memory()
    }

    fn solutions(&self, tally: &Tally) -> u64 {
        Recount::solutions(tally)
    }

    fn spot_check(&self, task: usize, tally: &Tally) -> Option<String> {
        lock(&self.recount).spot_check(task, tally).map(|mismatch| mismatch.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Method, Size};

    #[test]
    fn the_first_batch_of_a_large_board_has_one_task() {
        for (n, first) in [(24, FIRST_BATCH), (25, 1), (28, 1)] {
            let plan = Arc::new(Plan::new(Size::new(n).unwrap(), Method::Halves));
            assert_eq!(Matching::new(plan).first_batch(), first, "N = {n}");
        }
    }
}
