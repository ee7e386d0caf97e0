//! What the browser starts inside a Web Worker.

use gloo_worker::Registrable;
use queens_worker::Solver;
use wasm_bindgen::JsCast;
use web_sys::WorkerGlobalScope;

fn main() {
    let scope = js_sys::global().dyn_into::<WorkerGlobalScope>();
    if scope.is_ok_and(|scope| scope.location().search() == "?hand") {
        queens_worker::serve();
    } else {
        Solver::registrar().register();
    }
}
