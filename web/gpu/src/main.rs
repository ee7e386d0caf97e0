//! The page's worker that counts on a GPU with WebGPU. It is a separate module, fetched only for
//! counts on a GPU, because other counts do not need the host code of the kernels.

#![warn(clippy::too_many_lines)]

mod gpu;

use std::{cell::RefCell, rc::Rc};

use gpu::Gpu;
use queens_gpu::DeviceError;
use queens_worker::{WorkerReply, WorkerRequest};

fn main() {
    let gpu = Rc::new(RefCell::new(None));
    queens_worker::serve_with(move |request| {
        let gpu = Rc::clone(&gpu);
        async move {
            // The cell is empty while the GPU works. No other request arrives before the reply.
            let mut open_gpu = gpu.take();
            let reply = execute(&mut open_gpu, request).await;
            gpu.replace(open_gpu);
            // The page puts the reason into a sentence, so a full stop at the end is removed.
            reply.unwrap_or_else(|error| {
                WorkerReply::Failed(error.reason.trim_end_matches('.').into())
            })
        }
    });
}

/// Executes a request on the GPU, which the first request opens.
async fn execute(
    gpu: &mut Option<Gpu>,
    request: WorkerRequest,
) -> Result<WorkerReply, DeviceError> {
    let gpu = match gpu {
        Some(gpu) => gpu,
        none => none.insert(Gpu::open().await?),
    };
    gpu.execute(request).await
}
