//! The page's worker that counts on a GPU by WebGPU. A module of its own, which is fetched when a
//! count is to use a GPU: all others do without the host of the kernels.

mod gpu;

use std::{cell::RefCell, rc::Rc};

use gpu::Gpu;
use queens_gpu::DeviceError;
use queens_worker::{Work, Yield};

fn main() {
    let gpu = Rc::new(RefCell::new(None));
    queens_worker::serve_by(move |work| {
        let gpu = Rc::clone(&gpu);
        async move {
            // It stays out for as long as it works: nobody asks for anything meanwhile.
            let mut taken = gpu.take();
            let said = said(&mut taken, work).await;
            gpu.replace(taken);
            // It becomes a part of a sentence.
            said.unwrap_or_else(|error| Yield::Failed(error.reason.trim_end_matches('.').into()))
        }
    });
}

/// What comes of a work on the GPU, which is opened for the first one.
async fn said(gpu: &mut Option<Gpu>, work: Work) -> Result<Yield, DeviceError> {
    let gpu = match gpu {
        Some(gpu) => gpu,
        none => none.insert(Gpu::open().await?),
    };
    gpu.work(work).await
}
