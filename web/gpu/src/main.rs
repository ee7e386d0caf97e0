//! The page's worker that counts on a GPU with WebGPU. It is a separate module, fetched only for
//! counts on a GPU, because the others do not need the host code of the kernels.

mod gpu;

use std::{cell::RefCell, rc::Rc};

use gpu::Gpu;
use queens_gpu::DeviceError;
use queens_worker::{WorkerReply, WorkerRequest};

fn main() {
    let gpu = Rc::new(RefCell::new(None));
    queens_worker::serve_by(move |work| {
        let gpu = Rc::clone(&gpu);
        async move {
            // The GPU is taken out while it works; no other request arrives before the reply.
            let mut taken = gpu.take();
            let said = said(&mut taken, work).await;
            gpu.replace(taken);
            // The reason becomes part of a sentence, so a full stop at its end is removed.
            said.unwrap_or_else(|error| {
                WorkerReply::Failed(error.reason.trim_end_matches('.').into())
            })
        }
    });
}

/// Does a piece of work on the GPU, which is opened for the first one.
async fn said(gpu: &mut Option<Gpu>, work: WorkerRequest) -> Result<WorkerReply, DeviceError> {
    let gpu = match gpu {
        Some(gpu) => gpu,
        none => none.insert(Gpu::open().await?),
    };
    gpu.work(work).await
}
