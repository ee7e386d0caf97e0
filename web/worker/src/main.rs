//! Entry point of a Web Worker.

use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

fn main() {
    let scope = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>();
    if scope.is_ok_and(|scope| scope.name() == queens_worker::POOL_WORKER) {
        queens_worker::serve();
    } else {
        queens_worker::serve_page();
    }
}
