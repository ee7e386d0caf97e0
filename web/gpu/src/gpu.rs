//! Tasks on the browser's GPU.

use std::time::Duration;

use queens_core::{Done, Method, Plan, Size, Tally};
use queens_gpu::{
    Descent, DeviceError, Pace, Root, Step,
    wgpu::{Queue, adapters},
};
use queens_worker::{SAMPLE, Work, Yield, milliseconds, now, shuffled};

/// A launch of about this length lets the desktop breathe.
const LAUNCH: Duration = Duration::from_millis(50);

/// The first launch, in nodes.
const FIRST_LAUNCH: usize = 1 << 15;

/// The first tasks of a sample. Few of a large board are enough, and few more than it takes.
const FIRST_SAMPLE: usize = 4;

/// The GPU, opened.
pub struct Gpu {
    queue: Queue,
    launch: Pace,
    /// The plan of the count that it is at.
    plan: Option<Plan>,
}

impl Gpu {
    /// Opens the GPU that the browser offers.
    ///
    /// # Errors
    /// [`DeviceError`] if there is none, or it cannot have the kernels.
    pub async fn open() -> Result<Gpu, DeviceError> {
        let found = adapters().await;
        let adapter =
            found.first().ok_or_else(|| DeviceError("the browser finds no GPU".into()))?;
        if let Some(trouble) = adapter.trouble() {
            return Err(DeviceError(trouble.to_owned()));
        }
        let queue = Queue::open(adapter.connect(None).await?).await?;
        let smallest = queue.smallest_launch();
        let launch = Pace::new(FIRST_LAUNCH.max(smallest), smallest..=u32::MAX as usize, LAUNCH);
        Ok(Gpu { queue, launch, plan: None })
    }

    /// Does what is asked.
    ///
    /// # Errors
    /// [`DeviceError`] if a task is not one for the kernels, or the GPU failed.
    pub async fn work(&mut self, work: Work) -> Result<Yield, DeviceError> {
        match work {
            Work::Tasks(method, size, tasks) => {
                let begun = now();
                let tallies = self.count(method, size, &tasks).await?;
                let each = milliseconds((now() - begun) / tasks.len().max(1) as f64);
                let done = |(task, result)| Done { task, result, took: each };
                Ok(Yield::Done(tasks.into_iter().zip(tallies).map(done).collect()))
            }
            Work::Sample(method, size) => {
                let seconds = self.sample(method, size).await?;
                Ok(Yield::Sampled(method, size, seconds))
            }
        }
    }

    /// The tallies of tasks, in their order.
    async fn count(
        &mut self,
        method: Method,
        size: Size,
        tasks: &[usize],
    ) -> Result<Vec<Tally>, DeviceError> {
        let Gpu { queue, launch, plan } = self;
        let fitting = plan.take_if(|plan| (plan.method(), plan.size()) == (method, size));
        let plan = plan.insert(fitting.unwrap_or_else(|| Plan::new(size, method)));
        let roots = Root::of_tasks(plan, tasks)?;
        queue.begin(&roots, tasks.len()).await?;
        let (rows, open) = roots.first().map_or((0, 0), |root| (root.rows(), root.open()));
        let levels = queue.levels(size.get(), rows);
        let mut descent = Descent::new(short(roots.len()), open, levels, queue.capacity());
        while let Some(step) = descent.step(short(launch.size())) {
            match step {
                Step::Expand { level, nodes, behind } => {
                    descent.expanded(queue.expand(level, nodes, behind).await?);
                }
                Step::Search { level, nodes } => {
                    let (begun, searched) = (now(), nodes.len());
                    queue.search(level, nodes).await?;
                    launch.learn(searched, milliseconds(now() - begun));
                }
            }
        }
        queue.tallies().await
    }

    /// How many seconds a whole count would take: more and more tasks at once, as a count has them,
    /// until that takes long enough to be told.
    async fn sample(&mut self, method: Method, size: Size) -> Result<f64, DeviceError> {
        let tasks = shuffled(&Plan::new(size, method));
        let mut rest = &tasks[..];
        // Kernels are compiled, and buffers made, with the first tasks.
        self.count(method, size, &rest[..rest.len().min(1)]).await?;
        let mut most = FIRST_SAMPLE;
        loop {
            // What is left at the end is a part of a batch, and so begins anew.
            if rest.len() < most {
                rest = &tasks;
            }
            let (batch, behind) = rest.split_at(most.min(rest.len()));
            rest = behind;
            let begun = now();
            self.count(method, size, batch).await?;
            let took = now() - begun;
            if took > SAMPLE || batch.len() == tasks.len() {
                return Ok(took / 1000.0 * tasks.len() as f64 / batch.len().max(1) as f64);
            }
            most *= if took < SAMPLE / 10.0 { 8 } else { 2 };
        }
    }
}

fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
