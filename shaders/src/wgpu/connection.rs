//! A connection to an adapter: its kernels, its memory, and its driver's errors.

#[cfg(not(target_family = "wasm"))]
use std::panic::{self, AssertUnwindSafe};
use std::{
    collections::BTreeMap,
    fmt::Display,
    ops::Deref,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

#[cfg(not(target_family = "wasm"))]
use wgpu::PollType;
use wgpu::{
    Adapter, Buffer, BufferDescriptor, BufferUsages, CommandEncoder, ComputePipeline,
    ComputePipelineDescriptor, Device, DeviceDescriptor, ErrorFilter, ErrorScopeGuard, Limits,
    MemoryHints, PipelineCompilationOptions, Queue, ShaderModule, ShaderModuleDescriptor,
    ShaderSource, SubmissionIndex,
};

use super::{
    commands::bytes,
    numbers::{COLOURS, QUEENS, ROW_WORDS},
    sizes::Sizes,
};
use crate::DeviceError;

/// The maximum number of invocations in a workgroup.
pub(super) const LANES: u32 = 64;

/// The limits that the kernels need. They are slightly below those that WebGPU guarantees, so that
/// small GPUs have them, too.
pub(super) const LIMITS: Limits =
    Limits { max_storage_buffers_per_shader_stage: 5, ..Limits::downlevel_defaults() };

/// A compiled kernel.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    pub(super) pipeline: ComputePipeline,
    /// The number of invocations in its workgroups.
    pub(super) lanes: u32,
}

/// A buffer whose memory is freed with this value. In a browser, wgpu leaves that to the garbage collector,
/// which does not know how large the buffers are.
#[derive(Debug)]
pub struct OwnedBuffer(Buffer);

impl Deref for OwnedBuffer {
    type Target = Buffer;

    fn deref(&self) -> &Buffer {
        &self.0
    }
}

impl Drop for OwnedBuffer {
    fn drop(&mut self) {
        self.0.destroy();
    }
}

/// An adapter's device with its only queue, and the kernels. Threads may share a
/// connection.
#[derive(Debug)]
pub struct Connection {
    pub(super) device: Device,
    pub(super) queue: Queue,
    pub(super) sizes: Sizes,
    queens: ShaderModule,
    colours: ShaderModule,
    /// The kernels, by their names and the number of rows that their stacks have room for. Each is compiled
    /// when it is first needed.
    kernels: Mutex<BTreeMap<(&'static str, u32), Kernel>>,
    /// The first error that no pending request has received, such as the loss of the device.
    first_error: Arc<OnceLock<String>>,
}

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
        let first_error = Arc::new(OnceLock::new());
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
        Ok(Connection {
            sizes,
            queens: read_kernels(&device, QUEENS).await?,
            colours: read_kernels(&device, COLOURS).await?,
            kernels: Mutex::default(),
            device,
            queue,
            first_error,
        })
    }

    /// Returns the kernel with this name. `rows` is the number of rows left for `search`, and 0 for all others.
    pub(super) async fn kernel(
        &self,
        name: &'static str,
        rows: u32,
    ) -> Result<Kernel, DeviceError> {
        let kernels = || self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = kernels().get(&(name, rows)) {
            return Ok(kernel.clone());
        }
        // No other check compares the size of the stacks with a workgroup's memory.
        let words = self.device.limits().max_compute_workgroup_storage_size / 4;
        let most = words / (ROW_WORDS * rows).max(1);
        let lanes = self.sizes.lanes.clamp(1, LANES);
        let lanes = lanes.min(if most > 1 { 1 << most.ilog2() } else { most });
        if lanes == 0 {
            let reason = format!("a workgroup has too little memory to search {rows} rows");
            return Err(DeviceError::new(reason));
        }
        let constants = [("LANES", f64::from(lanes)), ("ROWS", f64::from(rows))];
        let description = ComputePipelineDescriptor {
            label: Some(name),
            layout: None,
            module: if name == "colours" { &self.colours } else { &self.queens },
            entry_point: Some(name),
            compilation_options: PipelineCompilationOptions {
                constants: if rows > 0 { &constants } else { &constants[..1] },
                // The kernels write workgroup memory before they read it.
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        };
        let doing = format!("compiling the kernel `{name}`");
        let compile = || self.device.create_compute_pipeline(&description);
        let kernel = Kernel { pipeline: attempt(&self.device, &doing, compile).await?, lanes };
        // Another queue may have compiled the same kernel meanwhile; either one will do.
        kernels().insert((name, rows), kernel.clone());
        Ok(kernel)
    }

    /// Allocates a buffer of this many words.
    pub(super) async fn buffer(
        &self,
        words: usize,
        usage: BufferUsages,
    ) -> Result<OwnedBuffer, DeviceError> {
        let (limits, size) = (self.device.limits(), bytes(words));
        let doing = "allocating memory";
        if size > limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) {
            return Err(out_of_memory(doing));
        }
        let usage = usage.union(BufferUsages::COPY_DST);
        let description = BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let buffer = attempt(&self.device, doing, || self.device.create_buffer(&description));
        buffer.await.map(OwnedBuffer)
    }

    /// Submits commands to the device.
    pub(super) fn submit(&self, commands: CommandEncoder) -> Result<SubmissionIndex, DeviceError> {
        let submission = self.queue.submit([commands.finish()]);
        self.check()?;
        Ok(submission)
    }

    /// Outside of a browser, a device makes progress only while a thread waits for it.
    #[cfg(target_family = "wasm")]
    pub(super) fn wait(&self, _: SubmissionIndex) -> Result<(), DeviceError> {
        Ok(())
    }

    /// Blocks the thread until the device has run the submitted commands.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn wait(&self, submission: SubmissionIndex) -> Result<(), DeviceError> {
        let doing = "waiting for the GPU";
        let until = PollType::Wait { submission_index: Some(submission), timeout: None };
        // If the device is lost meanwhile, wgpu calls the callback and then panics.
        let polled = panic::catch_unwind(AssertUnwindSafe(|| self.device.poll(until)));
        self.check()?;
        let polled = polled.map_err(|_| failed(doing, &"the driver failed"))?;
        polled.map(drop).map_err(|error| failed(doing, &error))
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

/// Creates an object on the device, and collects errors of all kinds.
async fn attempt<T>(
    device: &Device,
    doing: &str,
    make: impl FnOnce() -> T,
) -> Result<T, DeviceError> {
    let filters = [ErrorFilter::Internal, ErrorFilter::Validation, ErrorFilter::OutOfMemory];
    let [internal, validation, memory] = filters.map(|filter| device.push_error_scope(filter));
    let object = make();
    // Scopes must be closed in reverse order, and all of them before anything is awaited.
    let [memory, validation, internal] = [memory, validation, internal].map(ErrorScopeGuard::pop);
    let errors = [memory.await, validation.await, internal.await];
    match errors.into_iter().flatten().next() {
        None => Ok(object),
        Some(wgpu::Error::OutOfMemory { .. }) => Err(out_of_memory(doing)),
        Some(other) => Err(failed(doing, &other)),
    }
}

/// Creates the shader module of a source.
async fn read_kernels(device: &Device, source: &'static str) -> Result<ShaderModule, DeviceError> {
    let source = ShaderModuleDescriptor { label: None, source: ShaderSource::Wgsl(source.into()) };
    attempt(device, "reading the kernels", || device.create_shader_module(source)).await
}

/// Creates an error that begins with the failed operation.
pub(super) fn failed(doing: &str, error: &dyn Display) -> DeviceError {
    DeviceError::new(format!("{doing}: {}", in_one_line(error)))
}

fn out_of_memory(doing: &str) -> DeviceError {
    let error = failed(doing, &"not enough GPU memory")
        .with_hint("use a GPU with more free memory, or `--backend cpu`");
    DeviceError { is_out_of_memory: true, ..error }
}

/// Joins the lines of a message: wgpu's messages have several, with indentation.
fn in_one_line(message: &dyn Display) -> String {
    message.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
