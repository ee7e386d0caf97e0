//! An adapter opened: its kernels, its memory, and what its driver says.

use std::{
    any::Any,
    collections::BTreeMap,
    panic::{self, AssertUnwindSafe},
    sync::{Arc, Mutex, PoisonError},
};

use wgpu::{
    Adapter, Buffer, BufferDescriptor, BufferUsages, CommandBuffer, ComputePipeline,
    ComputePipelineDescriptor, Device, DeviceDescriptor, ErrorFilter, Limits, MemoryHints,
    PipelineCompilationOptions, PollType, Queue, ShaderModule, SubmissionIndex, include_wgsl,
};

use crate::count::gpu::DeviceError;

/// The largest number of lanes in a workgroup.
const LANES: u32 = 64;

/// The words that a search keeps for each row and lane: `ROW_WORDS` in the kernels.
pub(super) const ROW_WORDS: u32 = 3;

/// What the kernels need of an adapter: no more than WebGPU promises, and a little less, which small
/// GPUs have, too.
pub(super) const LIMITS: Limits =
    Limits { max_storage_buffers_per_shader_stage: 5, ..Limits::downlevel_defaults() };

/// A kernel, compiled.
pub(super) struct Kernel {
    pub(super) pipeline: ComputePipeline,
    /// The lanes of its workgroups.
    pub(super) lanes: u32,
}

/// An adapter's device with its only queue; threads may share it.
pub(super) struct Connection {
    pub(super) device: Device,
    pub(super) queue: Queue,
    module: ShaderModule,
    /// The largest number of lanes in a workgroup.
    lanes: u32,
    pub(super) seed: Kernel,
    pub(super) expand: Kernel,
    /// The search by the number of rows that its stack has room for, compiled when needed.
    searches: Mutex<BTreeMap<u32, Arc<Kernel>>>,
    trouble: Arc<Trouble>,
}

/// The first thing that went wrong outside of what was asked for at that time.
type Trouble = Mutex<Option<String>>;

impl Connection {
    /// Opens an adapter for kernels that run with at most `lanes` lanes.
    pub(super) fn open(adapter: &Adapter, lanes: u32) -> Result<Connection, DeviceError> {
        let description = DeviceDescriptor {
            label: Some("queens"),
            required_limits: LIMITS,
            memory_hints: MemoryHints::MemoryUsage,
            ..DeviceDescriptor::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&description))
            .map_err(|error| failed("opening the device", &error))?;
        let trouble = Arc::new(Trouble::default());
        let note = |trouble: &Trouble, words: String| {
            trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(words);
        };
        let heard = Arc::clone(&trouble);
        device.on_uncaptured_error(Arc::new(move |error| note(&heard, in_one_line(&error))));
        let heard = Arc::clone(&trouble);
        device.set_device_lost_callback(move |_, words| {
            note(&heard, format!("the connection to it was lost: {}", in_one_line(&words)));
        });
        let module = attempt(&device, || {
            device.create_shader_module(include_wgsl!("../../../../shaders/queens.wgsl"))
        });
        let module = module.map_err(|refusal| refusal.during("reading the kernels"))?;
        let lanes = lanes.clamp(1, LANES);
        let [seed, expand] =
            ["seed", "expand"].map(|name| compile(&device, &module, name, lanes, None));
        Ok(Connection {
            lanes,
            seed: seed?,
            expand: expand?,
            searches: Mutex::default(),
            device,
            queue,
            module,
            trouble,
        })
    }

    /// The kernel that searches boards with that many rows left.
    pub(super) fn search(&self, rows: u32) -> Result<Arc<Kernel>, DeviceError> {
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = searches.get(&rows) {
            return Ok(Arc::clone(kernel));
        }
        // Nobody else compares the stack with what a workgroup may have.
        let words = self.device.limits().max_compute_workgroup_storage_size / 4;
        let most = words / (ROW_WORDS * rows).max(1);
        let lanes = self.lanes.min(if most > 1 { 1 << most.ilog2() } else { most });
        if lanes == 0 {
            let sentence = format!("a workgroup has no room to search {rows} rows");
            return Err(DeviceError(sentence));
        }
        let kernel = Arc::new(compile(&self.device, &self.module, "search", lanes, Some(rows))?);
        searches.insert(rows, Arc::clone(&kernel));
        Ok(kernel)
    }

    /// A buffer of that many bytes.
    pub(super) fn buffer(
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
        attempt(&self.device, || self.device.create_buffer(&description))
    }

    /// Hands over commands.
    pub(super) fn submit(&self, commands: CommandBuffer) -> Result<SubmissionIndex, DeviceError> {
        let submission = self.queue.submit([commands]);
        self.check()?;
        Ok(submission)
    }

    /// Waits, asleep, until the device has done what was handed over.
    pub(super) fn wait(&self, submission: SubmissionIndex) -> Result<(), DeviceError> {
        let until = PollType::Wait { submission_index: Some(submission), timeout: None };
        // wgpu panics when the device is lost meanwhile, after it has told the callback.
        let polled = panic::catch_unwind(AssertUnwindSafe(|| self.device.poll(until)));
        self.check()?;
        match polled {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(failed("waiting for it", &error)),
            Err(panic) => Err(DeviceError(format!("waiting for it: {}", words_of(&*panic)))),
        }
    }

    /// Whether nothing went wrong so far.
    pub(super) fn check(&self) -> Result<(), DeviceError> {
        match &*self.trouble.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(words) => Err(DeviceError(words.clone())),
            None => Ok(()),
        }
    }
}

/// Why a driver did not make something.
pub(super) enum Refusal {
    /// There is not enough memory.
    Memory,
    /// Anything else, in the driver's words.
    Other(String),
}

impl Refusal {
    /// The refusal as a sentence that begins with what was done.
    pub(super) fn during(self, doing: &str) -> DeviceError {
        DeviceError(match self {
            Refusal::Memory => format!("{doing}: there is not enough memory on it"),
            Refusal::Other(words) => format!("{doing}: {words}"),
        })
    }
}

/// Makes something on the device, or says why that failed.
fn attempt<T>(device: &Device, make: impl FnOnce() -> T) -> Result<T, Refusal> {
    let filters = [ErrorFilter::Internal, ErrorFilter::Validation, ErrorFilter::OutOfMemory];
    let scopes = filters.map(|filter| device.push_error_scope(filter));
    let made = make();
    let mut refusal = None;
    // Scopes close in the reverse order.
    for scope in scopes.into_iter().rev() {
        if let Some(error) = pollster::block_on(scope.pop()) {
            refusal.get_or_insert(match error {
                wgpu::Error::OutOfMemory { .. } => Refusal::Memory,
                other => Refusal::Other(in_one_line(&other)),
            });
        }
    }
    refusal.map_or(Ok(made), Err)
}

fn compile(
    device: &Device,
    module: &ShaderModule,
    name: &str,
    lanes: u32,
    rows: Option<u32>,
) -> Result<Kernel, DeviceError> {
    let mut constants = vec![("LANES", f64::from(lanes))];
    constants.extend(rows.map(|rows| ("ROWS", f64::from(rows))));
    let description = ComputePipelineDescriptor {
        label: Some(name),
        layout: None,
        module,
        entry_point: Some(name),
        compilation_options: PipelineCompilationOptions {
            constants: &constants,
            // What a search reads from its stack it has written before.
            zero_initialize_workgroup_memory: false,
        },
        cache: None,
    };
    attempt(device, || device.create_compute_pipeline(&description))
        .map(|pipeline| Kernel { pipeline, lanes })
        .map_err(|refusal| refusal.during(&format!("compiling the kernel `{name}`")))
}

/// A sentence that begins with what was done.
pub(super) fn failed(doing: &str, error: &dyn std::fmt::Display) -> DeviceError {
    DeviceError(format!("{doing}: {}", in_one_line(error)))
}

/// wgpu's messages have several lines, indented.
fn in_one_line(message: &dyn std::fmt::Display) -> String {
    message.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    match panic.downcast_ref::<String>() {
        Some(words) => in_one_line(words),
        None => "the driver failed".to_owned(),
    }
}
