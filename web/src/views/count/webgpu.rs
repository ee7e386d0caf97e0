//! What the view says about WebGPU.

use yew::prelude::*;

use crate::words::{Language, numbered_method, tr};
use crate::worker::{Executor, WebGpu};

/// Renders whether a GPU can count.
pub fn note(language: Language, state: &WebGpu) -> Html {
    html! { <p class="hint" id="webgpu" role="status">{ sentence(language, state) }</p> }
}

/// Says whether a GPU can count and, if not, why not.
pub fn sentence(language: Language, webgpu: &WebGpu) -> String {
    match webgpu {
        WebGpu::Unknown => String::new(),
        WebGpu::Missing => tr!(language, "count.webgpu-absent"),
        WebGpu::Insecure => tr!(language, "count.webgpu-insecure"),
        WebGpu::NoAdapter => tr!(language, "count.webgpu-no-adapter"),
        WebGpu::Found(name) => {
            let [method, other] = Executor::METHODS.map(|method| numbered_method(language, method));
            tr!(
                language,
                "count.webgpu-found",
                name = name,
                method = method,
                other = other,
                from = Executor::SMALLEST
            )
        }
        WebGpu::Failed(why) => tr!(language, "count.webgpu-failed", why = why),
        WebGpu::Faulty => tr!(language, "count.webgpu-wrong"),
    }
}
