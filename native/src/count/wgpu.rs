//! GPUs through Vulkan, Metal or Direct3D 12.

use std::sync::{Arc, Mutex};

use pollster::block_on;
use queens_core::document::BackendKind;
use queens_gpu::wgpu::{Adapter, Connection, WgpuQueue, adapters};

use super::{
    BackendError,
    gpu::{FoundGpu, OpenGpu, STATIC_BUILD_HINT, queue},
};
use crate::lock::lock;

/// Lists all adapters, the best kind first. A GPU with several drivers has several adapters. `thread_limit`
/// is explained at [`GpuBackend::find`](super::GpuBackend::find).
///
/// # Errors
/// [`BackendError::Unavailable`] if there is no adapter.
pub fn list_gpus(thread_limit: Option<u32>) -> Result<Vec<FoundGpu>, BackendError> {
    let adapters = block_on(adapters());
    if adapters.is_empty() {
        return Err(BackendError::Unavailable {
            kind: BackendKind::Wgpu,
            reason: "no GPU adapter found".to_owned(),
            hint: Some(NO_ADAPTER.to_owned()),
        });
    }
    Ok(adapters.into_iter().map(|adapter| found_gpu(adapter, thread_limit)).collect())
}

/// The hint if no adapter was found.
const NO_ADAPTER: &str = if let Some(hint) = STATIC_BUILD_HINT {
    hint
} else if cfg!(target_vendor = "apple") {
    "Metal needs macOS 10.13 or later"
} else if cfg!(windows) {
    "install a current graphics driver (Direct3D 12 or Vulkan)"
} else {
    "install a Vulkan driver (on Debian: mesa-vulkan-drivers, which also includes a slow software \
     renderer)"
};

fn found_gpu(adapter: Adapter, thread_limit: Option<u32>) -> FoundGpu {
    FoundGpu {
        name: adapter.name().to_owned(),
        kind: adapter.kind(),
        // wgpu does not report the amount of memory.
        memory: None,
        is_software: adapter.is_software(),
        open: match adapter.trouble() {
            None => Ok(opener(adapter, thread_limit)),
            Some(trouble) => Err(trouble),
        },
    }
}

/// Returns the function that opens queues of an adapter. They share a connection, so that their kernels run
/// concurrently.
fn opener(adapter: Adapter, thread_limit: Option<u32>) -> Box<OpenGpu> {
    let connection: Mutex<Option<Arc<Connection>>> = Mutex::default();
    Box::new(move |plan| {
        let mut connection = lock(&connection);
        let connection = match connection.take_if(|shared| shared.check().is_ok()) {
            Some(shared) => connection.insert(shared),
            None => connection.insert(Arc::new(block_on(adapter.connect(thread_limit))?)),
        };
        queue(plan, block_on(WgpuQueue::open(Arc::clone(connection)))?)
    })
}
