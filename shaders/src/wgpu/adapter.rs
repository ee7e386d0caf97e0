//! The adapters of this machine, or the browser's adapter.

use std::cmp::Reverse;

use wgpu::{
    AdapterInfo, Backend, Backends, DeviceType, DownlevelFlags, Instance, InstanceDescriptor,
    InstanceFlags,
};

use super::{
    connection::{Connection, LANES, LIMITS},
    sizes::Sizes,
};
use crate::DeviceError;

/// A device, accessed through one of its drivers.
#[derive(Debug)]
pub struct Adapter {
    adapter: wgpu::Adapter,
    info: AdapterInfo,
}

/// Returns all adapters, the best device type first. A GPU can have several adapters, one for each
/// driver.
pub async fn adapters() -> Vec<Adapter> {
    let instance = Instance::new(InstanceDescriptor {
        // Validation layers, which developers may have installed, would slow counts down.
        flags: InstanceFlags::empty(),
        ..InstanceDescriptor::new_without_display_handle()
    });
    let all = instance.enumerate_adapters(Backends::all()).await;
    let with_info = |adapter: wgpu::Adapter| Adapter { info: adapter.get_info(), adapter };
    let mut adapters: Vec<_> = all.into_iter().map(with_info).collect();
    adapters.sort_by_key(|adapter| Reverse(rank(adapter.info.device_type)));
    adapters
}

impl Adapter {
    /// Returns the name that the driver reports.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// Returns the device type, the API and the driver, such as "discrete GPU, Vulkan, NVIDIA
    /// 570.86.16".
    pub fn kind(&self) -> String {
        let kind = match self.info.device_type {
            DeviceType::DiscreteGpu => "discrete GPU",
            DeviceType::IntegratedGpu => "integrated GPU",
            DeviceType::VirtualGpu => "virtual GPU",
            DeviceType::Cpu => "software renderer (slower than the CPU)",
            DeviceType::Other => "GPU of an unknown kind",
        };
        let api = match self.info.backend {
            Backend::Vulkan => "Vulkan",
            Backend::Metal => "Metal",
            Backend::Dx12 => "Direct3D 12",
            other => other.to_str(),
        };
        let driver = format!("{} {}", self.info.driver, self.info.driver_info);
        let parts = [kind, api, driver.trim()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// Returns whether this is a software renderer instead of a GPU.
    pub fn is_software(&self) -> bool {
        self.info.device_type == DeviceType::Cpu
    }

    /// Returns the reason why the kernels cannot run on this adapter; `None` if they can.
    pub fn trouble(&self) -> Option<DeviceError> {
        let flags = self.adapter.get_downlevel_capabilities().flags;
        if !flags.contains(DownlevelFlags::COMPUTE_SHADERS) {
            return Some(DeviceError::new("its driver does not support compute shaders"));
        }
        let is_small = !LIMITS.check_limits(&self.adapter.limits());
        is_small.then(|| DeviceError::new("its limits are below those of WebGPU"))
    }

    /// Opens the adapter. `lanes` is the maximum number of invocations per launch; the default depends
    /// on the device type.
    ///
    /// # Errors
    /// [`DeviceError`] if the driver cannot open the device.
    pub async fn connect(&self, lanes: Option<u32>) -> Result<Connection, DeviceError> {
        let mut sizes = match self.info.device_type {
            DeviceType::DiscreteGpu => Sizes::LARGE,
            DeviceType::Cpu => Sizes::SOFTWARE,
            _ => Sizes::MEDIUM,
        };
        if let Some(lanes) = lanes {
            sizes.lanes = sizes.lanes.min(lanes);
            sizes.workgroups = sizes.workgroups.min((lanes / LANES).max(1));
        }
        Connection::open(&self.adapter, sizes).await
    }
}

/// Ranks device types by their expected speed.
fn rank(kind: DeviceType) -> u32 {
    match kind {
        DeviceType::DiscreteGpu => 4,
        DeviceType::IntegratedGpu => 3,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 1,
        DeviceType::Cpu => 0,
    }
}
