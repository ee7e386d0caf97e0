//! One adapter as a card.

use std::sync::{Arc, Mutex, PoisonError};

use wgpu::{Adapter, DeviceType};

use super::{buffers::Sizes, connection::Connection, describe, queue::WgpuQueue};
use crate::count::gpu::{Card, Device, DeviceError};

/// A card reached through one of its drivers.
pub(super) struct WgpuCard {
    adapter: Adapter,
    lanes: Option<u32>,
    /// All queues of a card share its one connection, so that their kernels run side by side.
    connection: Mutex<Option<Arc<Connection>>>,
}

impl WgpuCard {
    pub(super) fn new(adapter: Adapter, lanes: Option<u32>) -> WgpuCard {
        WgpuCard { adapter, lanes, connection: Mutex::default() }
    }

    fn connection(&self) -> Result<Arc<Connection>, DeviceError> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shared) = connection.as_ref().filter(|shared| shared.check().is_ok()) {
            return Ok(Arc::clone(shared));
        }
        let opened = Arc::new(Connection::open(&self.adapter, self.lanes.unwrap_or(u32::MAX))?);
        Ok(Arc::clone(connection.insert(opened)))
    }
}

impl Card for WgpuCard {
    fn name(&self) -> String {
        self.adapter.get_info().name
    }

    fn detail(&self) -> String {
        describe(&self.adapter.get_info())
    }

    fn lanes(&self) -> Option<u32> {
        self.lanes
    }

    fn open(&self) -> Result<Box<dyn Device>, DeviceError> {
        let mut sizes = match self.adapter.get_info().device_type {
            DeviceType::DiscreteGpu => Sizes::LARGE,
            DeviceType::Cpu => Sizes::SOFTWARE,
            _ => Sizes::MEDIUM,
        };
        sizes.lanes = sizes.lanes.min(self.lanes.unwrap_or(u32::MAX));
        Ok(Box::new(WgpuQueue::new(self.connection()?, sizes)?))
    }
}
