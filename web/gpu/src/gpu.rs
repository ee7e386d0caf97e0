//! Counts tasks on the browser's GPU.

use std::{sync::Arc, time::Duration};

use queens_core::{Done, GpuSearch, Method, Plan, Size, Tally};
use queens_gpu::{
    Descent, DeviceError, DeviceStep, Pace, Root, Triples,
    recount::{Mismatch, SpotChecker, check_coverage},
    wgpu::{WgpuJoinQueue, WgpuTreeQueue, adapters},
};
use queens_worker::{WorkerReply, WorkerRequest, WrongTask, milliseconds, now, random_index};

/// The target duration of a launch. Longer launches would delay the desktop.
const LAUNCH: Duration = Duration::from_millis(50);

/// The size of the first launch, in nodes.
const FIRST_LAUNCH: usize = 1 << 15;

/// The size of the first launch of the colour join, in triples, and of its smallest one.
const FIRST_JOIN: usize = 1 << 10;
const SMALLEST_JOIN: usize = 1 << 5;

/// An open GPU.
pub struct Gpu {
    tree: WgpuTreeQueue,
    launch: Pace,
    join: WgpuJoinQueue,
    join_launch: Pace,
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
        let tree = WgpuTreeQueue::open(adapter.connect(None).await?).await?;
        let smallest = tree.smallest_launch();
        let launch = Pace::new(FIRST_LAUNCH.max(smallest), smallest..=u32::MAX as usize, LAUNCH);
        let join = WgpuJoinQueue::new(tree.connection());
        let largest = join.largest_launch();
        let limits = SMALLEST_JOIN.min(largest)..=largest;
        let join_launch = Pace::new(FIRST_JOIN.min(largest), limits, LAUNCH);
        Ok(Gpu { tree, launch, join, join_launch, plan: None, spot_checker: None })
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
        let fits = |plan: &mut Plan| (plan.method(), plan.size()) == (method, size);
        let plan = self.plan.take_if(fits).unwrap_or_else(|| Plan::new(size, method));
        let tallies = match method.gpu_search() {
            Some(GpuSearch::Tree) => self.search(&plan, tasks).await,
            Some(GpuSearch::Join) => self.count_pairs(&plan, tasks).await,
            None => Err(DeviceError::new(format!("the GPU cannot count with {method}"))),
        };
        self.plan = Some(plan);
        tallies
    }

    /// Counts tasks by the colour join.
    async fn count_pairs(
        &mut self,
        plan: &Plan,
        tasks: &[usize],
    ) -> Result<Vec<Tally>, DeviceError> {
        let Gpu { join, join_launch, .. } = self;
        let mut tallies = Vec::with_capacity(tasks.len());
        for triples in Triples::of_tasks(plan, tasks)? {
            join.begin(&triples).await?;
            let mut begin = 0;
            while begin < triples.len() {
                let end = begin.saturating_add(saturated(join_launch.size())).min(triples.len());
                let start = now();
                join.count(begin..end).await?;
                join_launch.learn((end - begin) as usize, milliseconds(now() - start));
                begin = end;
            }
            tallies.extend(triples.tallies(&join.sums().await?));
        }
        for (&task, tally) in tasks.iter().zip(&tallies) {
            check_coverage(plan, task, tally)?;
        }
        Ok(tallies)
    }

    /// Counts tasks by the symmetry method.
    async fn search(&mut self, plan: &Plan, tasks: &[usize]) -> Result<Vec<Tally>, DeviceError> {
        let Gpu { tree: queue, launch, .. } = self;
        let roots = Root::of_tasks(plan, tasks)?;
        queue.begin(&roots, tasks.len()).await?;
        let (rows, open) = roots.first().map_or((0, 0), |root| (root.rows(), root.open()));
        let levels = queue.levels(plan.size().get(), rows);
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
