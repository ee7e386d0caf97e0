//! NVIDIA GPUs, by the CUDA driver.
//!
//! Nothing of CUDA is needed to build this, and nothing but the card's driver to run it: cudarc
//! loads the driver while the program runs, and the kernels are embedded as PTX, which the driver
//! translates for its card.

mod card;
mod context;
mod driver;
mod kernels;
mod loaded;
mod memory;
mod pairs;
mod queue;
mod tables;

use std::sync::Arc;

use queens_core::document::BackendKind;

use super::{
    BackendError,
    gpu::{FoundGpu, GpuCard},
};
use card::{CudaCard, Properties};
use driver::{Driver, DriverError};

/// The cards that the driver lists, in its order.
///
/// # Errors
/// [`BackendError::Unavailable`] if there is no driver, or it lists none.
pub fn cards(lanes: Option<u32>) -> Result<Vec<FoundGpu>, BackendError> {
    let unavailable = |reason| BackendError::Unavailable { kind: BackendKind::Cuda, reason };
    let driver = Driver::get().map_err(unavailable)?;
    let count = card::count(driver).map_err(|error| unavailable(error.to_string()))?;
    if count == 0 {
        return Err(unavailable(driver.no_device().to_string()));
    }
    Ok((0..count).map(|number| found(driver, number, lanes)).collect())
}

fn found(driver: &'static Driver, number: usize, lanes: Option<u32>) -> FoundGpu {
    match Properties::ask(driver, number) {
        Ok(properties) => FoundGpu {
            name: properties.name.clone(),
            kind: properties.kind(),
            memory: Some(properties.memory),
            is_software: false,
            card: match properties.trouble() {
                Some(trouble) => Err(trouble),
                None => Ok(Arc::new(CudaCard::new(driver, properties, lanes)) as Arc<dyn GpuCard>),
            },
        },
        Err(error) => unknown(&error),
    }
}

/// A card about which the driver says nothing.
fn unknown(error: &DriverError) -> FoundGpu {
    FoundGpu {
        name: "a card without a name".to_owned(),
        kind: "CUDA".to_owned(),
        memory: None,
        is_software: false,
        card: Err(error.to_string()),
    }
}
