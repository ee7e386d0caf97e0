//! The note about WebGPU: whether a GPU can count and, if not, why not.

use queens_core::Method;
use yew::prelude::*;

use crate::words::{Language, numbered_method, tr};
use crate::worker::{Executor, WebGpu};

pub fn note(language: Language, state: &WebGpu) -> Html {
    html! { <p class="hint" id="webgpu" role="status">{ sentence(language, state) }</p> }
}

/// Returns the text of the note; empty while the state is unknown.
pub fn sentence(language: Language, webgpu: &WebGpu) -> String {
    match webgpu {
        WebGpu::Unknown => String::new(),
        WebGpu::Missing => tr!(language, "count.webgpu-absent"),
        WebGpu::Insecure => tr!(language, "count.webgpu-insecure"),
        WebGpu::NoAdapter => tr!(language, "count.webgpu-no-adapter"),
        WebGpu::Found(name) => {
            let methods = Method::on_gpus().map(|method| numbered_method(language, method));
            let methods: Vec<_> = methods.collect();
            tr!(
                language,
                "count.webgpu-found",
                name = name,
                methods = methods.join(language.comma()),
                from = Executor::SMALLEST
            )
        }
        WebGpu::Failed(why) => tr!(language, "count.webgpu-failed", why = why),
        WebGpu::Faulty => tr!(language, "count.webgpu-wrong"),
    }
}
