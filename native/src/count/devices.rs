//! The GPU backends and their devices.

use queens_core::document::BackendKind;

use super::{
    BackendError, cuda,
    gpu::{FoundGpu, Gpus},
    wgpu,
};

/// A GPU backend.
#[derive(Debug)]
pub struct GpuBackend {
    /// The backend's name in documents and on the command line.
    pub kind: BackendKind,
    /// The devices that the backend uses, for the command's help.
    pub about: &'static str,
    /// Whether a count uses all devices at once. wgpu lists the same GPU once per driver, so it uses only
    /// the first usable device, which is the best one.
    pub uses_all_devices: bool,
    /// The function behind [`find`](GpuBackend::find).
    list: fn(Option<u32>) -> Result<Vec<FoundGpu>, BackendError>,
}

/// All GPU backends, in the order in which they are listed and tried.
pub const GPUS: &[GpuBackend] = &[
    GpuBackend {
        kind: BackendKind::Cuda,
        about: "All NVIDIA GPUs, through CUDA",
        uses_all_devices: true,
        list: cuda::list_gpus,
    },
    GpuBackend {
        kind: BackendKind::Wgpu,
        about: "One GPU, through Vulkan, Metal or Direct3D 12",
        uses_all_devices: false,
        list: wgpu::list_gpus,
    },
];

/// Compares only the kinds, because each kind has one backend.
impl PartialEq for GpuBackend {
    fn eq(&self, other: &GpuBackend) -> bool {
        self.kind == other.kind
    }
}

impl GpuBackend {
    /// Lists the GPUs in the order of their indices (`--device`). `thread_limit` is the maximum number of
    /// GPU threads on each GPU.
    pub fn find(&self, thread_limit: Option<u32>) -> Result<Vec<FoundGpu>, BackendError> {
        (self.list)(thread_limit)
    }

    /// Opens the GPU with index `device`. Without an index, opens the usable GPUs: all of them or only
    /// the best one (see [`uses_all_devices`](GpuBackend::uses_all_devices)).
    pub fn open(
        &self,
        device: Option<usize>,
        thread_limit: Option<u32>,
    ) -> Result<Gpus, BackendError> {
        let found = self.find(thread_limit)?;
        let Some(number) = device else { return self.open_usable(found, thread_limit) };
        let last = found.len().saturating_sub(1);
        let Some(gpu) = found.into_iter().nth(number) else {
            let devices = match last {
                0 => "the only device is 0".to_owned(),
                _ => format!("devices are numbered 0 to {last}"),
            };
            return Err(BackendError::NoDevice { kind: self.kind, device: number, devices });
        };
        self.open_usable(vec![gpu], thread_limit)
    }

    /// Opens the usable GPUs that may be faster than the CPU. Returns `None` if no GPU qualifies.
    pub fn open_hardware(&self) -> Option<Gpus> {
        let mut found = self.find(None).ok()?;
        // A software renderer is slower than the CPU threads that it runs on.
        found.retain(|found| !found.is_software);
        self.open_usable(found, None).ok()
    }

    fn open_usable(
        &self,
        found: Vec<FoundGpu>,
        thread_limit: Option<u32>,
    ) -> Result<Gpus, BackendError> {
        let mut gpus = Vec::new();
        let mut reasons = Vec::new();
        // If no device is usable, report the first hint: the best device comes first.
        let mut first_hint = None;
        for gpu in found {
            match &gpu.open {
                Ok(_) => gpus.push(gpu),
                Err(error) => {
                    reasons.push(format!("{}: {error}", gpu.name));
                    first_hint = first_hint.or_else(|| error.hint.clone());
                }
            }
        }
        if gpus.is_empty() {
            let reason = reasons.join("; ");
            return Err(BackendError::Unavailable { kind: self.kind, reason, hint: first_hint });
        }
        if !self.uses_all_devices {
            gpus.truncate(1);
        }
        Ok(Gpus::new(self.kind, gpus, thread_limit))
    }
}
