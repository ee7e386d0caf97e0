//! GPUs that a backend has found, and the queues that count on them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use pollster::block_on;
use queens_core::{Plan, Tally};
use queens_gpu::{Counter, Device, DeviceError};

/// Target duration of a launch.
const LAUNCH_TIME: Duration = Duration::from_millis(100);

/// A command queue of a GPU with its own buffers, for the tasks of a plan. It stays on the thread that opened
/// it.
pub trait GpuQueue {
    /// Counts tasks and returns their tallies in the same order, or `None` if `is_stopped` returned true.
    ///
    /// # Errors
    /// [`DeviceError`] if the GPU failed. Then the queue is not used any more.
    fn count(
        &mut self,
        tasks: &[usize],
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Tally>>, DeviceError>;

    /// Returns the GPU memory of the queue in bytes.
    fn memory(&self) -> usize;
}

impl<D: Device> GpuQueue for Counter<D> {
    fn count(
        &mut self,
        tasks: &[usize],
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Tally>>, DeviceError> {
        let clock = Instant::now();
        block_on(Counter::count(self, tasks, &|| clock.elapsed(), is_stopped))
    }

    fn memory(&self) -> usize {
        Counter::memory(self)
    }
}

/// Opens a command queue of a GPU for the tasks of a plan.
pub type OpenGpu = dyn Fn(Arc<Plan>) -> Result<Box<dyn GpuQueue>, DeviceError> + Send + Sync;

/// Makes a queue of a device.
pub fn queue(
    plan: Arc<Plan>,
    device: impl Device + 'static,
) -> Result<Box<dyn GpuQueue>, DeviceError> {
    Ok(Box::new(Counter::new(plan, device, LAUNCH_TIME)?))
}

/// A GPU of this machine, usable or not.
pub struct FoundGpu {
    /// Name reported by the driver.
    pub name: String,
    /// Kind of device and interface, such as "discrete GPU, Vulkan".
    pub kind: String,
    /// Memory in bytes, if the driver reports it.
    pub memory: Option<u64>,
    /// Whether the GPU is a software renderer, which is slower than threads on the CPU.
    pub is_software: bool,
    /// Opens a queue, or the reason why the GPU cannot be used.
    pub open: Result<Box<OpenGpu>, DeviceError>,
}
