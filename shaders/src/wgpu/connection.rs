//! An adapter opened: its kernels, its memory, and what its driver says.

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
    numbers::{ROW_WORDS, SOURCE},
    sizes::Sizes,
};
use crate::DeviceError;

/// The largest number of lanes in a workgroup.
const LANES: u32 = 64;

/// One more than the largest number of rows that a search has.
const ROWS: usize = 33;

/// How long the word that a buffer can be read may take once its commands are done.
#[cfg(not(target_family = "wasm"))]
const PATIENCE: Duration = Duration::from_secs(10);

/// What the kernels need of an adapter: no more than WebGPU promises, and a little less, which small
/// GPUs have, too.
pub(super) const LIMITS: Limits =
    Limits { max_storage_buffers_per_shader_stage: 5, ..Limits::downlevel_defaults() };

/// A kernel, compiled.
#[derive(Debug)]
pub(super) struct Kernel {
    pub(super) pipeline: ComputePipeline,
    /// The lanes of its workgroups.
    pub(super) lanes: u32,
}

/// An adapter's device with its only queue, and the kernels; threads may share it.
#[derive(Debug)]
pub struct Connection {
    pub(super) device: Device,
    pub(super) queue: Queue,
    pub(super) sizes: Sizes,
    module: ShaderModule,
    pub(super) seed: Kernel,
    pub(super) expand: Kernel,
    /// The search by the number of rows that its stack has room for, compiled when needed.
    searches: [OnceLock<Kernel>; ROWS],
    trouble: Arc<Trouble>,
}

/// The first thing that went wrong outside of what was asked for at that time.
type Trouble = OnceLock<String>;

impl Connection {
    /// Opens an adapter for launches of these sizes.
    pub(super) async fn open(adapter: &Adapter, sizes: Sizes) -> Result<Connection, DeviceError> {
        let offered = adapter.limits();
        let description = DeviceDescriptor {
            label: Some("queens"),
            // The tables and lists of half boards take buffers as large as there are.
            required_limits: Limits {
                max_buffer_size: offered.max_buffer_size,
                max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
                ..LIMITS
            },
            memory_hints: MemoryHints::MemoryUsage,
            ..DeviceDescriptor::default()
        };
        let opened = adapter.request_device(&description).await;
        let (device, queue) = opened.map_err(|error| failed("opening the device", &error))?;
        let trouble = Arc::new(Trouble::new());
        let heard = Arc::clone(&trouble);
        device.on_uncaptured_error(Arc::new(move |error| {
            heard.get_or_init(|| in_one_line(&error));
        }));
        let heard = Arc::clone(&trouble);
        device.set_device_lost_callback(move |_, words| {
            let sentence =
                || format!("the connection to the GPU was lost: {}", in_one_line(&words));
            heard.get_or_init(sentence);
        });
        let module = read_kernels(&device, "queens.wgsl", SOURCE).await?;
        let lanes = sizes.lanes.clamp(1, LANES);
        Ok(Connection {
            sizes,
            seed: compile(&device, &module, "seed", lanes, &[]).await?,
            expand: compile(&device, &module, "expand", lanes, &[]).await?,
            searches: [const { OnceLock::new() }; ROWS],
            device,
            queue,
            module,
            trouble,
        })
    }

    /// The kernel that searches boards with that many rows left.
    pub(super) async fn search(&self, rows: u32) -> Result<&Kernel, DeviceError> {
        let Some(place) = self.searches.get(rows as usize) else {
            return Err(DeviceError::new(format!("no board has {rows} rows to search")));
        };
        if let Some(kernel) = place.get() {
            return Ok(kernel);
        }
        // Nobody else compares the stack with what a workgroup may have.
        let words = self.device.limits().max_compute_workgroup_storage_size / 4;
        let most = words / (ROW_WORDS * rows).max(1);
        let lanes = self.seed.lanes.min(if most > 1 { 1 << most.ilog2() } else { most });
        if lanes == 0 {
            let sentence = format!("a workgroup has too little memory to search {rows} rows");
            return Err(DeviceError::new(sentence));
        }
        let rows = [("ROWS", f64::from(rows))];
        let kernel = compile(&self.device, &self.module, "search", lanes, &rows).await?;
        // Another queue may have been faster; one of the two is as good as the other.
        Ok(place.get_or_init(|| kernel))
    }

    /// A buffer of that many bytes.
    pub(super) async fn buffer(
        &self,
        label: &str,
        bytes: u64,
        usage: BufferUsages,
    ) -> Result<Buffer, Refusal> {
        let limits = self.device.limits();
        if bytes > limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) {
            return Err(Refusal::Memory);
        }
        let description =
            BufferDescriptor { label: Some(label), size: bytes, usage, mapped_at_creation: false };
        attempt(&self.device, || self.device.create_buffer(&description)).await
    }

    /// Hands over commands.
    pub(super) fn submit(&self, commands: CommandBuffer) -> Result<SubmissionIndex, DeviceError> {
        let submission = self.queue.submit([commands]);
        self.check()?;
        Ok(submission)
    }

    /// Waits until the device has done what was handed over and a buffer can be read, of which
    /// `mapped` brings the word.
    #[cfg(target_family = "wasm")]
    pub(super) async fn wait(&self, _: SubmissionIndex, mapped: Mapped) -> Result<(), DeviceError> {
        let word = mapped.await;
        self.check()?;
        word.map_err(|error| unread(&error))?.map_err(|error| unread(&error))
    }

    /// Waits, asleep, until the device has done what was handed over and a buffer can be read, of
    /// which `mapped` brings the word.
    #[cfg(not(target_family = "wasm"))]
    pub(super) async fn wait(
        &self,
        submission: SubmissionIndex,
        mut mapped: Mapped,
    ) -> Result<(), DeviceError> {
        let until = PollType::Wait { submission_index: Some(submission), timeout: None };
        // wgpu panics when the device is lost meanwhile, after it has told the callback.
        let polled = panic::catch_unwind(AssertUnwindSafe(|| self.device.poll(until)));
        self.check()?;
        match polled {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(failed("waiting for the GPU", &error)),
            Err(panic) => {
                return Err(DeviceError::new(format!(
                    "waiting for the GPU: {}",
                    words_of(&*panic)
                )));
            }
        }
        // Another thread that waits for this device may be the one to bring the word.
        let end = Instant::now() + PATIENCE;
        loop {
            match mapped.try_recv().map_err(|error| unread(&error))? {
                Some(word) => return word.map_err(|error| unread(&error)),
                None if Instant::now() < end => thread::yield_now(),
                None => return Err(unread(&"timed out")),
            }
        }
    }

    /// Whether nothing went wrong so far.
    ///
    /// # Errors
    /// [`DeviceError`] with the first thing that did: nothing works on such a connection any more.
    pub fn check(&self) -> Result<(), DeviceError> {
        self.trouble.get().map_or(Ok(()), |words| Err(DeviceError::new(words.clone())))
    }
}

/// The word whether a buffer can be read.
pub(super) type Mapped = Receiver<Result<(), BufferAsyncError>>;

/// Why a driver did not make something.
#[derive(Debug)]
pub(super) enum Refusal {
    /// There is not enough memory.
    Memory,
    /// Anything else, in the driver's words.
    Other(String),
}

impl Refusal {
    /// The refusal as a sentence that begins with what was done.
    pub(super) fn during(self, doing: &str) -> DeviceError {
        match self {
            Refusal::Memory => DeviceError::new(format!("{doing}: not enough GPU memory"))
                .with_hint("use a GPU with more free memory, or `--backend cpu`"),
            Refusal::Other(words) => DeviceError::new(format!("{doing}: {words}")),
        }
    }
}

/// Makes something on the device, or says why that failed.
async fn attempt<T>(device: &Device, make: impl FnOnce() -> T) -> Result<T, Refusal> {
    let filters = [ErrorFilter::Internal, ErrorFilter::Validation, ErrorFilter::OutOfMemory];
    let [internal, validation, memory] = filters.map(|filter| device.push_error_scope(filter));
    let made = make();
    // Scopes close in the reverse order, and all of them before anything else happens.
    let [memory, validation, internal] = [memory, validation, internal].map(ErrorScopeGuard::pop);
    let errors = [memory.await, validation.await, internal.await];
    match errors.into_iter().flatten().next() {
        None => Ok(made),
        Some(wgpu::Error::OutOfMemory { .. }) => Err(Refusal::Memory),
        Some(other) => Err(Refusal::Other(in_one_line(&other))),
    }
}

/// Kernels from their source.
pub(super) async fn read_kernels(
    device: &Device,
    label: &str,
    source: &str,
) -> Result<ShaderModule, DeviceError> {
    let source =
        ShaderModuleDescriptor { label: Some(label), source: ShaderSource::Wgsl(source.into()) };
    let module = attempt(device, || device.create_shader_module(source)).await;
    module.map_err(|refusal| refusal.during("reading the kernels"))
}

/// Compiles a kernel for workgroups of `lanes`, and with other numbers that it leaves open.
pub(super) async fn compile(
    device: &Device,
    module: &ShaderModule,
    name: &str,
    lanes: u32,
    others: &[(&str, f64)],
) -> Result<Kernel, DeviceError> {
    let constants = [&[("LANES", f64::from(lanes))], others].concat();
    let description = ComputePipelineDescriptor {
        label: Some(name),
        layout: None,
        module,
        entry_point: Some(name),
        compilation_options: PipelineCompilationOptions {
            constants: &constants,
            // What the kernels read there they have written before.
            zero_initialize_workgroup_memory: false,
        },
        cache: None,
    };
    attempt(device, || device.create_compute_pipeline(&description))
        .await
        .map(|pipeline| Kernel { pipeline, lanes })
        .map_err(|refusal| refusal.during(&format!("compiling the kernel `{name}`")))
}

/// A sentence that begins with what was done.
fn failed(doing: &str, error: &dyn std::fmt::Display) -> DeviceError {
    DeviceError::new(format!("{doing}: {}", in_one_line(error)))
}

/// The sentence about a buffer that cannot be read.
pub(super) fn unread(error: &dyn std::fmt::Display) -> DeviceError {
    failed("reading the results", error)
}

/// wgpu's messages have several lines, indented.
fn in_one_line(message: &dyn std::fmt::Display) -> String {
    message.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(not(target_family = "wasm"))]
fn words_of(panic: &(dyn Any + Send)) -> String {
    match panic.downcast_ref::<String>() {
        Some(words) => in_one_line(words),
        None => "the driver failed".to_owned(),
    }
}
