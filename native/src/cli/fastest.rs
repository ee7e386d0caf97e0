//! Benchmarks that compare the CPU with GPUs, for `--backend auto`.

use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{
    Method, Numbers, Plan, Size,
    known::{LARGEST_KNOWN, known},
};

use super::{interrupt, request::Request};
use queens::{
    count::{self, Backend, BackendError, Cpu, GPUS, GpuBackend, RunError, gpu::Gpus},
    journal::PartialTasks,
};

/// From this N on, a GPU may be worth its start-up time.
const MIN_GPU_N: u32 = 18;

/// If the CPU needs less time than this for a count, the count is not worth the start-up time of a GPU.
const SHORT_COUNT: Duration = Duration::from_secs(3);

/// The largest N used for benchmarks. Tasks of larger boards take too long for a benchmark, and the
/// relative speeds of the backends are about the same on them.
const MAX_BENCHMARK_N: u32 = 18;

/// Duration of each benchmark, after its first results.
const BENCHMARK_TIME: Duration = Duration::from_millis(700);

/// Maximum wait for the first results. A backend that needs longer is not the fastest.
const MAX_START_TIME: Duration = Duration::from_secs(5);

/// Returns the GPUs that count the request faster than the CPU with `cpu_method`, or `None`, and the reason
/// for this choice.
///
/// # Errors
/// - [`RunError::Stopped`] after an interrupt
/// - any error of the CPU's benchmark
/// - a wrong count or an internal error in a GPU's benchmark; after any other error, the GPU is not chosen
pub fn fastest(
    request: &Request,
    cpu_method: Method,
    cpu: &Cpu,
) -> Result<(Option<Gpus>, String), RunError> {
    let size = benchmark_size(request.size);
    let find = || GPUS.iter().filter_map(GpuBackend::open_hardware).collect();
    let rate = |gpus: Option<&Gpus>| match gpus {
        None => rate(cpu, &Arc::new(Plan::new(size, cpu_method))),
        Some(gpus) => match rate(gpus, &Arc::new(Plan::new(size, request.gpu_method))) {
            Err(RunError::Backend(error)) if !matches!(error, BackendError::Wrong { .. }) => {
                Ok(0.0)
            }
            rate => rate,
        },
    };
    choose(request, cpu_method, find, rate)
}

/// Makes the choice. `find` returns the GPU backends that may be faster than the CPU. `rate` measures the
/// speed of one of them, or for `None` that of the CPU, and returns 0 for a GPU that failed. The choice
/// measures only what it depends on.
///
/// A rate is the number of complete counts of the [benchmark board](benchmark_size) per second. Numbers of
/// tasks per second could not be compared, because backends may use different methods.
fn choose<G>(
    request: &Request,
    cpu_method: Method,
    find: impl FnOnce() -> Vec<G>,
    mut rate: impl FnMut(Option<&G>) -> Result<f64, RunError>,
) -> Result<(Option<G>, String), RunError> {
    let (size, method) = (request.size, request.gpu_method);
    if size.get() < MIN_GPU_N {
        return Ok((None, format!("N = {size} is too small to benefit from a GPU")));
    }
    let all_gpus = find();
    if all_gpus.is_empty() {
        let reason = "no GPU that is faster than the CPU; see `queens devices`";
        return Ok((None, reason.to_owned()));
    }
    let seconds = |method, rate: f64| {
        growth(method, benchmark_size(size), size) / rate.max(f64::MIN_POSITIVE)
    };
    let cpu_seconds = seconds(cpu_method, rate(None)?);
    if cpu_seconds < SHORT_COUNT.as_secs_f64() {
        let limit = SHORT_COUNT.as_secs();
        return Ok((None, format!("takes under {limit} s, too short to benefit from a GPU")));
    }
    let mut best = (None, cpu_seconds);
    for gpus in all_gpus {
        let gpu_seconds = seconds(method, rate(Some(&gpus))?);
        if gpu_seconds < best.1 {
            best = (Some(gpus), gpu_seconds);
        }
    }
    let reason = match best {
        (None, _) => "faster than the GPUs in a short benchmark".to_owned(),
        (Some(_), seconds) => format!(
            "{method} on the GPU is {:.1} times as fast as {cpu_method} on the CPU in a benchmark at \
             N = {}",
            cpu_seconds / seconds,
            benchmark_size(size)
        ),
    };
    Ok((best.0, reason))
}

/// Returns the board of the benchmarks.
fn benchmark_size(size: Size) -> Size {
    Size::new(MAX_BENCHMARK_N).map_or(size, |largest| largest.min(size))
}

/// Estimates the ratio of the time for the board `to` to the time for the board `from`.
///
/// The work grows as a power of the number of solutions. For a tree search the exponent is 1, because
/// the number of leaves grows about as fast as the number of solutions. For the colour join it is smaller,
/// because it counts many solutions at a time.
fn growth(method: Method, from: Size, to: Size) -> f64 {
    let power = if method == Method::Colours { 0.83 } else { 1.0 };
    let solutions = |size: Size| known(size.get().min(LARGEST_KNOWN)).map_or(1, Numbers::total);
    (solutions(to) as f64 / solutions(from) as f64).powf(power)
}

/// Measures the fraction of the plan that a backend counts per second, on random tasks of the plan. The
/// time before the first results is excluded, because it is the start-up time of a GPU.
fn rate(backend: &dyn Backend, plan: &Arc<Plan>) -> Result<f64, RunError> {
    let mut ids: Vec<usize> = (0..plan.len()).collect();
    fastrand::Rng::with_seed(0).shuffle(&mut ids);
    let (mut clock, mut first) = (Instant::now(), 0);
    let mut watch = |done| {
        if first == 0 && done > 0 {
            (clock, first) = (Instant::now(), done);
        }
        let limit = if first > 0 { BENCHMARK_TIME } else { MAX_START_TIME };
        if interrupt::is_set() || clock.elapsed() >= limit {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let share = |tasks: usize| tasks as f64 / plan.len() as f64;
    let start = |task_queue| backend.start(Arc::clone(plan), task_queue, PartialTasks::default());
    match count::run(ids, start, &mut watch) {
        // The backend finished the whole plan, perhaps before the first call of `watch`. Then the clock is of
        // no use, and the rate is computed from the times of the tasks.
        Ok(all) => {
            let busy: Duration = all.iter().map(|done| done.took).sum();
            Ok(share(backend.threads() * all.len()) / busy.as_secs_f64().max(1e-9))
        }
        Err(RunError::Stopped { done, .. }) if !interrupt::is_set() => {
            Ok(share(done - first) / clock.elapsed().as_secs_f64().max(1e-9))
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::request::tests::request;
    use Method::{Colours, Symmetry};

    /// Chooses among GPUs with these rates. Panics if the choice measures a rate that is not given, or looks
    /// for GPUs if they are `None`.
    fn choice(
        n: u32,
        cpu_method: Method,
        gpus: Option<&[Option<f64>]>,
        cpu_rate: Option<f64>,
    ) -> (Option<f64>, String) {
        let find = || gpus.unwrap().to_vec();
        let rate = |gpus: Option<&Option<f64>>| Ok(gpus.copied().unwrap_or(cpu_rate).unwrap());
        let chosen = choose(&request(&n.to_string()), cpu_method, find, rate).unwrap();
        (chosen.0.flatten(), chosen.1)
    }

    #[test]
    fn measures_until_the_choice_is_decided() {
        let not_measured = &[None, None][..];
        let (short, slower) = ("takes under 3 s, ", "faster than the GPUs in a short benchmark");
        for (n, gpus, cpu_rate, reason) in [
            (17, None, None, "N = 17 is too small to benefit from a GPU"),
            (18, Some(&[][..]), None, "no GPU that is faster than the CPU"),
            (18, Some(not_measured), Some(0.4), short),
            // N = 19 takes about six times as long as the benchmark's board.
            (19, Some(not_measured), Some(4.0), short),
            (19, Some(&[Some(0.3)][..]), Some(0.4), slower),
            (19, Some(&[Some(0.4)][..]), Some(0.4), slower),
            // The GPU failed.
            (19, Some(&[Some(0.0)][..]), Some(0.4), slower),
            // The GPU is twice as fast on the benchmark's board, but slower on a much larger one.
            (24, Some(&[Some(0.8)][..]), Some(0.4), slower),
        ] {
            let (chosen, found) = choice(n, Colours, gpus, cpu_rate);
            assert!(chosen.is_none() && found.starts_with(reason), "{n} {gpus:?} {found}");
        }
        let gpus = Some(&[Some(0.4), Some(0.0), Some(1.0)][..]);
        let expected = "symmetry on the GPU is 5.0 times as fast as colours on the CPU in a benchmark at \
                        N = 18";
        assert_eq!(choice(18, Colours, gpus, Some(0.2)), (Some(1.0), expected.to_owned()));
        // If memory is too short for `colours`, the CPU uses `symmetry` and is slower than the GPU.
        assert_eq!(choice(24, Colours, gpus, Some(0.2)).0, None);
        assert_eq!(choice(24, Symmetry, gpus, Some(0.2)).0, Some(1.0));
    }

    #[test]
    fn predicted_growth_matches_the_measurements() {
        let growth_between =
            |method, from, to| growth(method, Size::new(from).unwrap(), Size::new(to).unwrap());
        // Measured at N = 18 and 20: one thread with `colours` took 0.25 s and 6.2 s. At N = 18 and 22,
        // the tree search placed 9.3e9 and 4.3e13 queens.
        for (method, from, to, measured) in [(Colours, 18, 20, 25.0), (Symmetry, 18, 22, 4600.0)] {
            let ratio = growth_between(method, from, to) / measured;
            assert!((0.7..1.4).contains(&ratio), "{method} {from} {to}: {ratio}");
        }
    }
}
