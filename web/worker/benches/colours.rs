//! A benchmark of the colour join: with SIMD inside WebAssembly, and with the portable code
//! outside (docs/performance.md).

use queens_core::{Form, Isa, Method, Plan, Size};

/// The size of the board, and the distance between the indices of the tasks that are counted.
const SIZE: u32 = 18;
const TASK_STEP: usize = 16;

/// The number of times that each task is counted. Only the shortest time is used, which reduces the
/// influence of other programs.
const REPETITIONS: u32 = 7;

/// Returns the sum of the shortest times of all counted tasks, in milliseconds; `clock` returns
/// milliseconds.
fn measure(isa: Isa, clock: impl Fn() -> f64) -> Option<f64> {
    let plan = Plan::new(Size::new(SIZE).ok()?, Method::Colours);
    let mut counter = plan.counter(Form::Recursive, isa);
    let mut sum = 0.0;
    for task in (0..plan.len()).step_by(TASK_STEP) {
        let mut shortest = f64::INFINITY;
        for _ in 0..REPETITIONS {
            let begin = clock();
            counter.count(&plan, task).ok()?;
            shortest = shortest.min(clock() - begin);
        }
        sum += shortest;
    }
    Some(sum)
}

fn line(isa: Isa, time: Option<f64>) -> String {
    time.map_or("some task could not be counted".into(), |time| {
        format!("{isa}, N = {SIZE}: {time:.1} ms")
    })
}

#[cfg(not(target_family = "wasm"))]
fn main() {
    let begin = std::time::Instant::now();
    let time = measure(Isa::PORTABLE, || begin.elapsed().as_secs_f64() * 1000.0);
    println!("{}", line(Isa::PORTABLE, time));
}

#[cfg(target_family = "wasm")]
fn main() {}

#[cfg(target_family = "wasm")]
mod wasm {
    use wasm_bindgen::JsCast;
    use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

    use super::*;

    wasm_bindgen_test_configure!(run_in_dedicated_worker);

    #[wasm_bindgen_test]
    fn simd() {
        let scope = js_sys::global().dyn_into::<web_sys::WorkerGlobalScope>().ok();
        let performance = scope.and_then(|scope| scope.performance());
        let clock = || performance.as_ref().map_or(0.0, web_sys::Performance::now);
        console_log!("{}", line(Isa::SIMD128, measure(Isa::SIMD128, clock)));
    }
}
