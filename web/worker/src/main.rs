//! What the browser starts inside a Web Worker.

use gloo_worker::Registrable;
use queens_worker::Solver;

fn main() {
    Solver::registrar().register();
}
