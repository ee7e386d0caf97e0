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

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Form, Method, Size};
    use std::ops::Range;

    /// A test device whose nodes are tasks. An expansion turns a node into three nodes: the second one holds
    /// the task, and the others hold none. A search counts the tasks of its nodes on the CPU.
    struct TaskDevice {
        plan: Arc<Plan>,
        levels: Vec<Vec<Option<u32>>>,
        tallies: Vec<Tally>,
    }

    impl Device for TaskDevice {
        fn memory(&self) -> usize {
            0
        }

        fn capacity(&self) -> u32 {
            100
        }

        fn levels(&self, _: u32, _: u32) -> usize {
            2
        }

        fn begin(&mut self, roots: &[Root], slots: usize) -> Result<(), DeviceError> {
            // A task may have several roots. The first one represents the whole task.
            let mut slots_of_roots: Vec<_> = roots.iter().map(Root::slot).collect();
            slots_of_roots.dedup();
            let mut nodes: Vec<_> = slots_of_roots.into_iter().map(Some).collect();
            nodes.resize(roots.len(), None);
            self.levels = vec![nodes];
            self.tallies = vec![Tally::default(); slots];
            Ok(())
        }

        fn expand(
            &mut self,
            level: usize,
            nodes: Range<u32>,
            existing: u32,
        ) -> Result<u32, DeviceError> {
            let range = nodes.start as usize..nodes.end as usize;
            let children: Vec<_> =
                self.levels[level][range].iter().flat_map(|&node| [None, node, None]).collect();
            self.levels.resize(self.levels.len().max(level + 2), vec![]);
            let next = &mut self.levels[level + 1];
            next.truncate(existing as usize);
            next.extend(children);
            Ok(next.len() as u32)
        }

        fn search(&mut self, level: usize, nodes: Range<u32>) -> Result<(), DeviceError> {
            for &slot in
                self.levels[level][nodes.start as usize..nodes.end as usize].iter().flatten()
            {
                // The slot is the task number, because all tasks are in one batch here.
                let tally = self.plan.count(slot as usize, Form::Recursive).unwrap();
                let slot = &mut self.tallies[slot as usize];
                *slot = slot.checked_add(tally).unwrap();
            }
            Ok(())
        }

        fn tallies(&mut self) -> Result<Vec<Tally>, DeviceError> {
            Ok(self.tallies.clone())
        }
    }

    /// Returns the search of N = 10, a queue on the test device, and the numbers of all tasks.
    fn search() -> (TreeSearch, PacedQueue, Vec<usize>) {
        let plan = Arc::new(Plan::new(Size::new(10).unwrap(), Method::Symmetry));
        let device = TaskDevice { plan: Arc::clone(&plan), levels: vec![], tallies: vec![] };
        let launch = Pace::new(10, 1..=10, LAUNCH_TIME);
        let tasks = (0..plan.len()).collect();
        (TreeSearch::new(plan), PacedQueue { device: Box::new(device), launch }, tasks)
    }

    #[test]
    fn each_task_of_a_batch_gets_its_own_tally() {
        let (work, mut queue, tasks) = search();
        let tallies = work.work(&mut queue, &tasks, &|| false).unwrap().unwrap();
        assert_eq!(tallies.len(), tasks.len());
        for (task, tally) in tasks.into_iter().zip(tallies) {
            assert_eq!(tally, work.plan.count(task, Form::Recursive).unwrap(), "{task}");
        }
    }

    #[test]
    fn a_cancelled_batch_returns_no_tallies() {
        let (work, mut queue, tasks) = search();
        assert_eq!(work.work(&mut queue, &tasks, &|| true), Ok(None));
    }

    #[test]
    fn rejects_tasks_of_methods_without_masks() {
        let (_, mut queue, _) = search();
        let plan = Plan::new(Size::new(10).unwrap(), Method::Bitmap);
        let error = TreeSearch::new(Arc::new(plan)).work(&mut queue, &[0], &|| false).unwrap_err();
        assert_eq!(error.to_string(), "task 0 has a start without masks");
    }
}
