//! GPUs by Vulkan, Metal or Direct3D, through wgpu.
//!
//! The kernels are `shaders/queens.wgsl`, written so that a browser would take them too: no feature
//! is asked for, and no limit beyond those that every device has.

mod buffers;
mod card;
mod connection;
mod queue;

use std::{cmp::Reverse, sync::Arc};

use queens_core::document::BackendKind;
use wgpu::{
    Adapter, AdapterInfo, Backend, Backends, DeviceType, DownlevelFlags, Instance,
    InstanceDescriptor, InstanceFlags,
};

use super::{BackendError, gpu::Found};
use card::WgpuCard;
use connection::LIMITS;

/// All adapters, the best kind first; one card may have several, through different drivers.
/// `lanes` limits how many lanes each of them searches with.
///
/// # Errors
/// [`BackendError::Unavailable`] if there is no adapter.
pub fn cards(lanes: Option<u32>) -> Result<Vec<Found>, BackendError> {
    let instance = Instance::new(InstanceDescriptor {
        // The layers that developers install to watch the driver would slow counts down.
        flags: InstanceFlags::empty(),
        ..InstanceDescriptor::new_without_display_handle()
    });
    let mut adapters = pollster::block_on(instance.enumerate_adapters(Backends::all()));
    if adapters.is_empty() {
        let reason = NO_ADAPTER.to_owned();
        return Err(BackendError::Unavailable { kind: BackendKind::Wgpu, reason });
    }
    adapters.sort_by_key(|adapter| Reverse(rank(adapter.get_info().device_type)));
    Ok(adapters.into_iter().map(|adapter| found(adapter, lanes)).collect())
}

/// Why there is no adapter, and what would help.
const NO_ADAPTER: &str = if cfg!(target_vendor = "apple") {
    "no adapter was found; Metal needs macOS 10.13 or later"
} else if cfg!(windows) {
    "no adapter was found; a current graphics driver brings Direct3D 12 or Vulkan"
} else {
    "no adapter was found; a Vulkan driver would help (on Debian, the package mesa-vulkan-drivers \
     has those of most GPUs and one in software, which is slow)"
};

fn found(adapter: Adapter, lanes: Option<u32>) -> Found {
    let info = adapter.get_info();
    let has_kernels =
        adapter.get_downlevel_capabilities().flags.contains(DownlevelFlags::COMPUTE_SHADERS);
    let trouble = match () {
        () if !has_kernels => Some("its driver has no compute shaders"),
        () if !LIMITS.check_limits(&adapter.limits()) => {
            Some("its limits are below those of WebGPU")
        }
        () => None,
    };
    Found {
        name: info.name.clone(),
        kind: describe(&info),
        // wgpu does not tell.
        memory: None,
        is_software: info.device_type == DeviceType::Cpu,
        card: match trouble {
            None => Ok(Arc::new(WgpuCard::new(adapter, lanes))),
            Some(trouble) => Err(trouble.to_owned()),
        },
    }
}

/// The kind of device and what it is reached through, such as "discrete GPU, Vulkan, NVIDIA
/// 570.86.16".
fn describe(info: &AdapterInfo) -> String {
    let kind = match info.device_type {
        DeviceType::DiscreteGpu => "discrete GPU",
        DeviceType::IntegratedGpu => "integrated GPU",
        DeviceType::VirtualGpu => "virtual GPU",
        DeviceType::Cpu => "software, slower than the processor's own threads",
        DeviceType::Other => "GPU of an unknown kind",
    };
    let api = match info.backend {
        Backend::Vulkan => "Vulkan",
        Backend::Metal => "Metal",
        Backend::Dx12 => "Direct3D 12",
        other => other.to_str(),
    };
    let driver = format!("{} {}", info.driver, info.driver_info);
    let parts = [kind, api, driver.trim()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Kinds of devices by the speed that can be expected.
fn rank(kind: DeviceType) -> u32 {
    match kind {
        DeviceType::DiscreteGpu => 4,
        DeviceType::IntegratedGpu => 3,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 1,
        DeviceType::Cpu => 0,
    }
}
