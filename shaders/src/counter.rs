//! Counts tasks on a GPU.

use std::{sync::Arc, time::Duration};

use queens_core::{GpuSearch, Plan, Tally};

use crate::{Device, DeviceError, JoinQueue, Launches, Pace, Root, TreeQueue};

/// A counter of a plan's tasks, which adapts the size of its launches to the speed of its device.
pub struct Counter<D: Device> {
    plan: Arc<Plan>,
    search: Search<D>,
    /// The number of nodes or triples per launch.
    pace: Pace,
}

/// The search of the plan's method.
enum Search<D: Device> {
    Tree(TreeQueue<D>),
    Join(JoinQueue<D>),
}

impl<D: Device> Counter<D> {
    /// Creates a counter whose launches shall take `time` each. Short launches show progress, stop quickly and
    /// keep a desktop responsive.
    ///
    /// # Errors
    /// [`DeviceError`] if GPUs do not have the plan's method.
    pub fn new(plan: Arc<Plan>, device: D, time: Duration) -> Result<Counter<D>, DeviceError> {
        let method = plan.method();
        let missing = || DeviceError::new(format!("GPUs cannot count with {method}"));
        let search = method.gpu_search().ok_or_else(missing)?;
        // On small GPUs, triples of N = 28 take some milliseconds each.
        let first: usize = match search {
            GpuSearch::Tree => 1 << 16,
            GpuSearch::Join => 1 << 10,
        };
        let sizes = device.launch_sizes(search);
        let pace = Pace::new(first.clamp(*sizes.start(), *sizes.end()), sizes, time);
        let search = match search {
            GpuSearch::Tree => Search::Tree(TreeQueue::new(device)),
            GpuSearch::Join => Search::Join(JoinQueue::new(device)),
        };
        Ok(Counter { plan, search, pace })
    }

    /// Returns the GPU memory of the last batch in bytes.
    pub fn memory(&self) -> usize {
        match &self.search {
            Search::Tree(queue) => queue.memory(),
            Search::Join(queue) => queue.memory(),
        }
    }

    /// Counts tasks and returns their tallies in the same order, or `None` if `is_stopped` returned true
    /// before a launch.
    ///
    /// # Errors
    /// [`DeviceError`] if the device failed, or has not counted everything.
    pub async fn count(
        &mut self,
        tasks: &[usize],
        now: &dyn Fn() -> Duration,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Tally>>, DeviceError> {
        let Counter { plan, search, pace } = self;
        let launches = Launches { pace, now, is_stopped };
        match search {
            Search::Tree(queue) => {
                let roots = Root::of_tasks(plan, tasks)?;
                let rows = roots.first().map_or(0, Root::rows);
                let levels = queue.device().levels(plan.size().get(), rows);
                queue.count(&roots, tasks.len(), levels, launches).await
            }
            Search::Join(queue) => queue.count(plan, tasks, launches).await,
        }
    }
}
