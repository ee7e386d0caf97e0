//! GPUs through Vulkan, Metal or Direct3D 12. The functions of [`queens_gpu::wgpu`] are asynchronous; this
//! module blocks the calling thread until they are done.

use std::{
    ops::Range,
    sync::{Arc, Mutex},
};

use pollster::block_on;
use queens_core::{Tally, document::BackendKind};
use queens_gpu::{
    Root, SUMS, Triples,
    wgpu::{Adapter, Connection, WgpuJoinQueue, WgpuTreeQueue, adapters},
};

use super::{
    BackendError,
    gpu::{Device, DeviceError, FoundGpu, Gpu, JoinDevice, STATIC_BUILD_HINT},
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
        gpu: match adapter.trouble() {
            None => {
                Ok(Arc::new(WgpuDevice { adapter, thread_limit, connection: Mutex::default() }))
            }
            Some(trouble) => Err(trouble.to_owned()),
        },
        hint: None,
    }
}

/// A GPU, reached through one of its drivers.
struct WgpuDevice {
    adapter: Adapter,
    thread_limit: Option<u32>,
    /// The connection that all queues of the GPU share, so that their kernels run concurrently.
    connection: Mutex<Option<Arc<Connection>>>,
}

impl WgpuDevice {
    fn connection(&self) -> Result<Arc<Connection>, DeviceError> {
        let mut connection = lock(&self.connection);
        if let Some(shared) = connection.as_ref().filter(|shared| shared.check().is_ok()) {
            return Ok(Arc::clone(shared));
        }
        let opened = Arc::new(block_on(self.adapter.connect(self.thread_limit))?);
        Ok(Arc::clone(connection.insert(opened)))
    }
}

impl Gpu for WgpuDevice {
    fn name(&self) -> String {
        self.adapter.name().to_owned()
    }

    fn detail(&self) -> String {
        self.adapter.kind()
    }

    fn thread_limit(&self) -> Option<u32> {
        self.thread_limit
    }

    fn open(&self) -> Result<Box<dyn Device>, DeviceError> {
        let queue = block_on(WgpuTreeQueue::open(self.connection()?))?;
        Ok(Box::new(Blocking(queue)))
    }

    fn open_join(&self) -> Result<Box<dyn JoinDevice>, DeviceError> {
        Ok(Box::new(Blocking(WgpuJoinQueue::new(self.connection()?))))
    }
}

/// Queue that blocks the calling thread until each command is done.
struct Blocking<Q>(Q);

impl Device for Blocking<WgpuTreeQueue> {
    fn capacity(&self) -> u32 {
        self.0.capacity()
    }

    fn memory(&self) -> usize {
        self.0.memory()
    }

    fn smallest_launch(&self) -> usize {
        self.0.smallest_launch()
    }

    fn levels(&self, n: u32, rows: u32) -> usize {
        self.0.levels(n, rows)
    }

    fn begin(&mut self, roots: &[Root], slots: usize) -> Result<(), DeviceError> {
        block_on(self.0.begin(roots, slots))
    }

    fn expand(
        &mut self,
        level: usize,
        nodes: Range<u32>,
        existing: u32,
    ) -> Result<u32, DeviceError> {
        block_on(self.0.expand(level, nodes, existing))
    }

    fn search(&mut self, level: usize, nodes: Range<u32>) -> Result<(), DeviceError> {
        block_on(self.0.search(level, nodes))
    }

    fn tallies(&mut self) -> Result<Vec<Tally>, DeviceError> {
        block_on(self.0.tallies())
    }
}

impl JoinDevice for Blocking<WgpuJoinQueue> {
    fn memory(&self) -> usize {
        self.0.memory()
    }

    fn largest_launch(&self) -> usize {
        self.0.largest_launch()
    }

    fn begin(&mut self, triples: &Triples) -> Result<(), DeviceError> {
        block_on(self.0.begin(triples))
    }

    fn count(&mut self, range: Range<u32>) -> Result<(), DeviceError> {
        block_on(self.0.count(range))
    }

    fn sums(&mut self) -> Result<Vec<[u64; SUMS]>, DeviceError> {
        block_on(self.0.sums())
    }
}
