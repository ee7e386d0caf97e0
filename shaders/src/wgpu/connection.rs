//! A connection to an adapter: its kernels, its memory, and its driver's errors.

use std::sync::{Arc, OnceLock};
#[cfg(not(target_family = "wasm"))]
use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
    thread,
    time::{Duration, Instant},
};

use futures_channel::oneshot::Receiver;
#[cfg(not(target_family = "wasm"))]
use wgpu::PollType;
use wgpu::{
    Adapter, Buffer, BufferAsyncError, BufferDescriptor, BufferUsages, CommandBuffer,
    ComputePipeline, ComputePipelineDescriptor, Device, DeviceDescriptor, ErrorFilter,
    ErrorScopeGuard, Limits, MemoryHints, PipelineCompilationOptions, Queue, ShaderModule,
    ShaderModuleDescriptor, ShaderSource, SubmissionIndex,
};

use super::{
    join,
    numbers::{ROW_WORDS, SOURCE},
    sizes::Sizes,
};
use crate::DeviceError;

/// The maximum number of invocations in a workgroup.
pub(super) const LANES: u32 = 64;

/// One more than the maximum number of rows of a search.
const ROWS: usize = 33;

/// Timeout for the notification that a buffer can be read, after its commands have finished.
#[cfg(not(target_family = "wasm"))]
const MAP_TIMEOUT: Duration = Duration::from_secs(10);

/// The limits that the kernels need. They are slightly below those that WebGPU guarantees, so that
/// small GPUs have them, too.
pub(super) const LIMITS: Limits =
    Limits { max_storage_buffers_per_shader_stage: 5, ..Limits::downlevel_defaults() };

/// A compiled kernel.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) pipeline: ComputePipeline,
    /// The number of invocations in its workgroups.
    pub(super) lanes: u32,
}

/// An adapter's device with its only queue, and the kernels. Threads may share a
/// connection.
#[derive(Debug)]
pub struct Connection {
    pub(super) device: Device,
    pub(super) queue: Queue,
    pub(super) sizes: Sizes,
    module: ShaderModule,
    pub(super) seed: Pipeline,
    pub(super) expand: Pipeline,
    /// The search kernels, by the number of rows that their stacks have room for. Each is compiled
    /// when it is first needed.
    searches: [OnceLock<Pipeline>; ROWS],
    /// The kernel of the colour join, compiled when it is first needed.
    colours: OnceLock<Pipeline>,
    first_error: Arc<FirstError>,
}

/// The first error that no pending request has received, such as the loss of the device.
type FirstError = OnceLock<String>;

impl Connection {
    /// Opens an adapter for launches of these sizes.
    pub(super) async fn open(adapter: &Adapter, sizes: Sizes) -> Result<Connection, DeviceError> {
        let description = DeviceDescriptor {
            label: Some("queens"),
            required_limits: LIMITS,
            memory_hints: MemoryHints::MemoryUsage,
            ..DeviceDescriptor::default()
        };
        let opened = adapter.request_device(&description).await;
        let (device, queue) = opened.map_err(|error| failed("opening the device", &error))?;
        let first_error = Arc::new(FirstError::new());
        let uncaptured = Arc::clone(&first_error);
        device.on_uncaptured_error(Arc::new(move |error| {
            uncaptured.get_or_init(|| in_one_line(&error));
        }));
        let lost = Arc::clone(&first_error);
        device.set_device_lost_callback(move |_, reason| {
            let message =
                || format!("the connection to the GPU was lost: {}", in_one_line(&reason));
            lost.get_or_init(message);
        });
        let module = read_kernels(&device, SOURCE).await?;
        let lanes = sizes.lanes.clamp(1, LANES);
        Ok(Connection {
            sizes,
            seed: compile(&device, &module, "seed", lanes, &[]).await?,
            expand: compile(&device, &module, "expand", lanes, &[]).await?,
            searches: [const { OnceLock::new() }; ROWS],
            colours: OnceLock::new(),
            device,
            queue,
            module,
            first_error,
        })
    }

    /// Returns the kernel that searches boards with this many rows left.
    pub(super) async fn search(&self, rows: u32) -> Result<&Pipeline, DeviceError> {
        let Some(compiled) = self.searches.get(rows as usize) else {
            return Err(DeviceError::new(format!("no board has {rows} rows to search")));
        };
        if let Some(kernel) = compiled.get() {
            return Ok(kernel);
        }
        // No other check compares the size of the stacks with a workgroup's memory.
        let words = self.device.limits().max_compute_workgroup_storage_size / 4;
        let most = words / (ROW_WORDS * rows).max(1);
        let lanes = self.seed.lanes.min(if most > 1 { 1 << most.ilog2() } else { most });
        if lanes == 0 {
            let reason = format!("a workgroup has too little memory to search {rows} rows");
            return Err(DeviceError::new(reason));
        }
        let rows = [("ROWS", f64::from(rows))];
        let kernel = compile(&self.device, &self.module, "search", lanes, &rows).await?;
        // Another queue may have compiled the same kernel meanwhile; either one will do.
        Ok(compiled.get_or_init(|| kernel))
    }

    /// Returns the kernel of the colour join.
    pub(super) async fn colours(&self) -> Result<&Pipeline, DeviceError> {
        if let Some(kernel) = self.colours.get() {
            return Ok(kernel);
        }
        let module = read_kernels(&self.device, join::SOURCE).await?;
        let kernel = compile(&self.device, &module, "colours", self.seed.lanes, &[]).await?;
        // Another queue may have compiled it meanwhile.
        Ok(self.colours.get_or_init(|| kernel))
    }

    /// Allocates a buffer.
    pub(super) async fn buffer(
        &self,
        label: &str,
        bytes: u64,
        usage: BufferUsages,
    ) -> Result<Buffer, DriverError> {
        let limits = self.device.limits();
        if bytes > limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) {
            return Err(DriverError::Memory);
        }
        let description =
            BufferDescriptor { label: Some(label), size: bytes, usage, mapped_at_creation: false };
        attempt(&self.device, || self.device.create_buffer(&description)).await
    }

    /// Submits commands to the device.
    pub(super) fn submit(&self, commands: CommandBuffer) -> Result<SubmissionIndex, DeviceError> {
        let submission = self.queue.submit([commands]);
        self.check()?;
        Ok(submission)
    }

    /// Waits until the device has run the submitted commands and a buffer can be read, which
    /// `mapped` reports.
    #[cfg(target_family = "wasm")]
    pub(super) async fn wait(&self, _: SubmissionIndex, mapped: Mapped) -> Result<(), DeviceError> {
        let result = mapped.await;
        self.check()?;
        result.map_err(|error| unread(&error))?.map_err(|error| unread(&error))
    }

    /// Blocks the thread until the device has run the submitted commands and a buffer can be read,
    /// which `mapped` reports.
    #[cfg(not(target_family = "wasm"))]
    pub(super) async fn wait(
        &self,
        submission: SubmissionIndex,
        mut mapped: Mapped,
    ) -> Result<(), DeviceError> {
        let until = PollType::Wait { submission_index: Some(submission), timeout: None };
        // If the device is lost meanwhile, wgpu calls the callback and then panics.
        let polled = panic::catch_unwind(AssertUnwindSafe(|| self.device.poll(until)));
        self.check()?;
        match polled {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(failed("waiting for the GPU", &error)),
            Err(panic) => {
                return Err(DeviceError::new(format!(
                    "waiting for the GPU: {}",
                    panic_message(&*panic)
                )));
            }
        }
        // Another thread that polls this device may be the one that delivers the notification.
        let end = Instant::now() + MAP_TIMEOUT;
        loop {
            match mapped.try_recv().map_err(|error| unread(&error))? {
                Some(result) => return result.map_err(|error| unread(&error)),
                None if Instant::now() < end => thread::yield_now(),
                None => return Err(unread(&"timed out")),
            }
        }
    }

    /// Returns an error if the device was lost, or if it reported an error that no other call has
    /// returned.
    ///
    /// # Errors
    /// [`DeviceError`] with the first failure. The connection is unusable afterwards.
    pub fn check(&self) -> Result<(), DeviceError> {
        self.first_error.get().map_or(Ok(()), |reason| Err(DeviceError::new(reason.clone())))
    }
}

/// The notification that a buffer can be read, or that mapping it failed.
pub(super) type Mapped = Receiver<Result<(), BufferAsyncError>>;

/// The reason why a driver did not create an object.
#[derive(Debug)]
pub(super) enum DriverError {
    /// There is not enough memory.
    Memory,
    /// Anything else, with the driver's message.
    Other(String),
}

impl DriverError {
    /// Converts this into an error that begins with the failed operation.
    pub(super) fn during(self, doing: &str) -> DeviceError {
        match self {
            DriverError::Memory => DeviceError::new(format!("{doing}: not enough GPU memory"))
                .with_hint("use a GPU with more free memory, or `--backend cpu`"),
            DriverError::Other(message) => DeviceError::new(format!("{doing}: {message}")),
        }
    }
}

/// Creates an object on the device, and collects errors of all kinds.
async fn attempt<T>(device: &Device, make: impl FnOnce() -> T) -> Result<T, DriverError> {
    let filters = [ErrorFilter::Internal, ErrorFilter::Validation, ErrorFilter::OutOfMemory];
    let [internal, validation, memory] = filters.map(|filter| device.push_error_scope(filter));
    let object = make();
    // Scopes must be closed in reverse order, and all of them before anything is awaited.
    let [memory, validation, internal] = [memory, validation, internal].map(ErrorScopeGuard::pop);
    let errors = [memory.await, validation.await, internal.await];
    match errors.into_iter().flatten().next() {
        None => Ok(object),
        Some(wgpu::Error::OutOfMemory { .. }) => Err(DriverError::Memory),
        Some(other) => Err(DriverError::Other(in_one_line(&other))),
    }
}

/// Creates the shader module of a source.
async fn read_kernels(device: &Device, source: &'static str) -> Result<ShaderModule, DeviceError> {
    let source = ShaderModuleDescriptor { label: None, source: ShaderSource::Wgsl(source.into()) };
    let module = attempt(device, || device.create_shader_module(source)).await;
    module.map_err(|error| error.during("reading the kernels"))
}

/// Compiles a kernel for workgroups of `lanes` invocations, with values for its other constants.
async fn compile(
    device: &Device,
    module: &ShaderModule,
    name: &str,
    lanes: u32,
    others: &[(&str, f64)],
) -> Result<Pipeline, DeviceError> {
    let constants = [&[("LANES", f64::from(lanes))], others].concat();
    let description = ComputePipelineDescriptor {
        label: Some(name),
        layout: None,
        module,
        entry_point: Some(name),
        compilation_options: PipelineCompilationOptions {
            constants: &constants,
            // The kernels write workgroup memory before they read it.
            zero_initialize_workgroup_memory: false,
        },
        cache: None,
    };
    attempt(device, || device.create_compute_pipeline(&description))
        .await
        .map(|pipeline| Pipeline { pipeline, lanes })
        .map_err(|error| error.during(&format!("compiling the kernel `{name}`")))
}

/// Creates an error that begins with the failed operation.
fn failed(doing: &str, error: &dyn std::fmt::Display) -> DeviceError {
    DeviceError::new(format!("{doing}: {}", in_one_line(error)))
}

/// Creates the error for a buffer that cannot be read.
pub(super) fn unread(error: &dyn std::fmt::Display) -> DeviceError {
    failed("reading the results", error)
}

/// Joins the lines of a message: wgpu's messages have several, with indentation.
fn in_one_line(message: &dyn std::fmt::Display) -> String {
    message.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(not(target_family = "wasm"))]
fn panic_message(panic: &(dyn Any + Send)) -> String {
    match panic.downcast_ref::<String>() {
        Some(message) => in_one_line(message),
        None => "the driver failed".to_owned(),
    }
}
