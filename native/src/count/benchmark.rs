//! Benchmarks that find the fastest backend of this machine.

use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{Method, Plan};

use super::{
    Backend, BackendError, CountRequest, Cpu, RunError,
    choose_backend::{Measurements, NextMeasurement, Rate, Reason},
    devices::{GPUS, GpuBackend},
    run,
};
use crate::journal::PartialTasks;

/// Duration of each benchmark, after its first results.
const BENCHMARK_TIME: Duration = Duration::from_millis(700);

/// Maximum wait for the first results. A backend that needs longer is not the fastest.
const MAX_START_TIME: Duration = Duration::from_secs(5);

/// The chosen backend and method.
pub struct Chosen {
    /// The method to count with.
    pub method: Method,
    /// The backend to count on.
    pub backend: Box<dyn Backend>,
    /// The reason for the choice.
    pub reason: Reason,
}

/// Returns the backend that counts the requested board fastest, according to benchmarks: `cpu` with the
/// method `cpu_method`, or GPUs.
///
/// # Errors
/// - [`RunError::Stopped`] after `interrupted` returned true
/// - any error of the CPU's benchmark
/// - a wrong count or an internal error in a GPU's benchmark; after any other error, the GPU is not chosen
pub fn fastest(
    request: CountRequest,
    cpu_method: Method,
    cpu: Cpu,
    interrupted: &dyn Fn() -> bool,
) -> Result<Chosen, RunError> {
    let mut measurements = Measurements::new(request, cpu_method);
    let mut gpus = Vec::new();
    let benchmark_size = measurements.benchmark_size();
    let plan = |method| Arc::new(Plan::new(benchmark_size, method));
    loop {
        let (chosen, reason) = match measurements.next() {
            NextMeasurement::FindGpus => {
                gpus = GPUS.iter().filter_map(GpuBackend::open_hardware).collect();
                measurements.gpu_backends = Some(gpus.len());
                continue;
            }
            NextMeasurement::BenchmarkCpu => {
                measurements.cpu_rate = Some(rate(&cpu, &plan(cpu_method), interrupted)?);
                continue;
            }
            NextMeasurement::BenchmarkGpus => {
                let plan = plan(request.method_on_gpus());
                let mut rates = Vec::new();
                for (index, gpus) in gpus.iter().enumerate() {
                    match rate(gpus, &plan, interrupted) {
                        Ok(rate) => rates.push(Rate { index, rate }),
                        Err(error @ RunError::Backend(BackendError::Wrong { .. })) => {
                            return Err(error);
                        }
                        Err(RunError::Backend(_)) => {}
                        Err(other) => return Err(other),
                    }
                }
                measurements.gpu_rates = Some(rates);
                continue;
            }
            NextMeasurement::Cpu { reason } => (None, reason),
            NextMeasurement::Gpu { index, reason } => (Some(index), reason),
        };
        let gpus = chosen.and_then(|index| gpus.into_iter().nth(index));
        return Ok(match gpus {
            Some(gpus) => {
                Chosen { method: request.method_on_gpus(), backend: Box::new(gpus), reason }
            }
            None => Chosen { method: cpu_method, backend: Box::new(cpu), reason },
        });
    }
}

/// Measures the fraction of the plan that a backend counts per second, on random tasks of the plan. The
/// time before the first results is excluded, because it is the start-up time of a GPU.
fn rate(
    backend: &dyn Backend,
    plan: &Arc<Plan>,
    interrupted: &dyn Fn() -> bool,
) -> Result<f64, RunError> {
    let mut ids: Vec<usize> = (0..plan.len()).collect();
    fastrand::Rng::with_seed(0).shuffle(&mut ids);
    let (mut clock, mut first) = (Instant::now(), 0);
    let mut watch = |done| {
        if first == 0 && done > 0 {
            (clock, first) = (Instant::now(), done);
        }
        let limit = if first > 0 { BENCHMARK_TIME } else { MAX_START_TIME };
        if interrupted() || clock.elapsed() >= limit {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let share = |tasks: usize| tasks as f64 / plan.len() as f64;
    let start = |task_queue| backend.start(Arc::clone(plan), task_queue, PartialTasks::default());
    match run(ids, start, &mut watch) {
        // The backend finished the whole plan, perhaps before the first call of `watch`. Then the clock is of
        // no use, and the rate is computed from the times of the tasks.
        Ok(all) => {
            let busy: Duration = all.iter().map(|done| done.took).sum();
            Ok(share(backend.threads() * all.len()) / busy.as_secs_f64().max(1e-9))
        }
        Err(RunError::Stopped { done, .. }) if !interrupted() => {
            Ok(share(done - first) / clock.elapsed().as_secs_f64().max(1e-9))
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Form, Size};

    #[test]
    fn auto_keeps_the_method_chosen_for_the_cpu() {
        let request =
            CountRequest { size: Size::new(16).unwrap(), method: None, form: None, isa: None };
        for method in [Method::Symmetry, Method::Colours] {
            let cpu = Cpu::new(1, Form::Recursive, method);
            let chosen = fastest(request, method, cpu, &|| false).unwrap();
            assert_eq!((chosen.method, chosen.reason), (method, Reason::Small(request.size)));
        }
    }
}
