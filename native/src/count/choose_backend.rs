//! Automatic choice of the backend, with its reason: a pure function of the request and the measurements.
//! [`fastest`](super::fastest) finds GPUs and runs the benchmarks.

use std::{fmt, time::Duration};

use queens_core::{
    Method, Numbers, Size,
    known::{LARGEST_KNOWN, known},
};

use super::CountRequest;

/// From this N on, a GPU may be worth its start-up time.
const MIN_GPU_N: u32 = 18;

/// If the CPU needs less time than this for a count, the count is not worth the start-up time of a GPU.
const SHORT_COUNT: Duration = Duration::from_secs(3);

/// The largest N used for benchmarks. Tasks of larger boards take too long for a benchmark, and the
/// relative speeds of the backends are about the same on them.
const MAX_BENCHMARK_N: u32 = 18;

/// The measurements that the choice is based on. A field is `None` if it has not been measured yet.
///
/// A rate is the number of complete counts of the [benchmark board](Measurements::benchmark_size) per second.
/// Numbers of tasks per second could not be compared, because backends may use different methods.
#[derive(Clone, Debug)]
pub struct Measurements {
    request: CountRequest,
    cpu_method: Method,
    /// Number of backends with a GPU that may be faster than the CPU.
    pub gpu_backends: Option<usize>,
    /// Rate of the CPU.
    pub cpu_rate: Option<f64>,
    /// Rates of the GPU backends. Failed benchmarks are left out.
    pub gpu_rates: Option<Vec<Rate>>,
}

/// Speed of a GPU backend.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Index of the backend in the list of backends found.
    pub index: usize,
    /// Complete counts of the benchmark board per second.
    pub rate: f64,
}

/// The next measurement, or the decision.
#[derive(Clone, Debug, PartialEq)]
pub enum NextMeasurement {
    /// Look for GPUs.
    FindGpus,
    /// Run the benchmark on the CPU.
    BenchmarkCpu,
    /// Run the benchmark on each of the GPU backends.
    BenchmarkGpus,
    /// Count on the CPU.
    Cpu { reason: Reason },
    /// Count on GPUs.
    Gpu {
        /// Index of the backend in the list of backends found.
        index: usize,
        reason: Reason,
    },
}

/// Reasons for a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// GPUs cannot run this count.
    NotOnGpus,
    /// The count is shorter than the start-up time of a GPU.
    Small(Size),
    /// No GPU was found that may be faster than the CPU.
    NoGpu,
    /// According to the benchmark, the CPU needs only a few seconds.
    Short,
    /// In the benchmark no GPU was faster.
    NotFaster,
    /// In the benchmark a GPU was the fastest.
    Faster {
        /// The method on the GPU.
        method: Method,
        /// Speed relative to the CPU.
        speedup: f64,
        /// The method on the CPU.
        cpu_method: Method,
        /// The board of the benchmark.
        benchmark_size: Size,
    },
}

/// Formats the reason as a clause for messages.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NotOnGpus => f.write_str("GPUs cannot run this count"),
            Reason::Small(size) => write!(f, "N = {size} is too small to benefit from a GPU"),
            Reason::NoGpu => {
                f.write_str("no GPU that is faster than the CPU; see `queens devices`")
            }
            Reason::Short => {
                write!(
                    f,
                    "takes under {} s, too short to benefit from a GPU",
                    SHORT_COUNT.as_secs()
                )
            }
            Reason::NotFaster => f.write_str("faster than the GPUs in a short benchmark"),
            Reason::Faster { method, speedup, cpu_method, benchmark_size } => write!(
                f,
                "{method} on the GPU is {speedup:.1} times as fast as {cpu_method} on the CPU in a \
                 benchmark at N = {benchmark_size}"
            ),
        }
    }
}

impl Measurements {
    /// Creates a state without measurements. `cpu_method` is the method on the CPU.
    pub fn new(request: CountRequest, cpu_method: Method) -> Measurements {
        Measurements { request, cpu_method, gpu_backends: None, cpu_rate: None, gpu_rates: None }
    }

    /// Returns the board of the benchmarks.
    pub fn benchmark_size(&self) -> Size {
        Size::new(MAX_BENCHMARK_N)
            .map_or(self.request.size, |largest| largest.min(self.request.size))
    }

    /// Estimates the seconds that the requested count takes at a rate.
    fn seconds(&self, method: Method, rate: f64) -> f64 {
        growth(method, self.benchmark_size(), self.request.size) / rate.max(f64::MIN_POSITIVE)
    }

    /// Returns the decision, or the cheapest measurement that may lead to one.
    pub fn next(&self) -> NextMeasurement {
        let Measurements { request, cpu_method, .. } = *self;
        let cpu = |reason| NextMeasurement::Cpu { reason };
        let method = request.method_on_gpus();
        if request.reason_against_gpus(method).is_some() {
            return cpu(Reason::NotOnGpus);
        }
        if request.size.get() < MIN_GPU_N {
            return cpu(Reason::Small(request.size));
        }
        let Some(gpus) = self.gpu_backends else { return NextMeasurement::FindGpus };
        if gpus == 0 {
            return cpu(Reason::NoGpu);
        }
        let Some(rate) = self.cpu_rate else { return NextMeasurement::BenchmarkCpu };
        let seconds = self.seconds(cpu_method, rate);
        if seconds < SHORT_COUNT.as_secs_f64() {
            return cpu(Reason::Short);
        }
        let Some(rates) = &self.gpu_rates else { return NextMeasurement::BenchmarkGpus };
        let gpus = rates.iter().map(|rate| (rate, self.seconds(method, rate.rate)));
        match gpus.reduce(|best, other| if other.1 < best.1 { other } else { best }) {
            Some((&Rate { index, .. }, best)) if best < seconds => {
                let (speedup, benchmark_size) = (seconds / best, self.benchmark_size());
                NextMeasurement::Gpu {
                    index,
                    reason: Reason::Faster { method, speedup, cpu_method, benchmark_size },
                }
            }
            _ => cpu(Reason::NotFaster),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Form, InstructionSet};

    fn request(n: u32) -> CountRequest {
        CountRequest { size: Size::new(n).unwrap(), method: None, form: None, isa: None }
    }

    /// Each row: request, number of GPU backends, rate of the CPU, rates of the GPUs, expected next step.
    #[test]
    fn measures_until_the_choice_is_decided() {
        let cpu = |reason| NextMeasurement::Cpu { reason };
        let not_on_gpus = cpu(Reason::NotOnGpus);
        let small = cpu(Reason::Small(Size::new(17).unwrap()));
        let (no_gpu, short, no_gain) =
            (cpu(Reason::NoGpu), cpu(Reason::Short), cpu(Reason::NotFaster));
        let bitmap = CountRequest { method: Some(Method::Bitmap), ..request(20) };
        let symmetry = CountRequest { method: Some(Method::Symmetry), ..request(20) };
        let recursive = CountRequest {
            method: Some(Method::Symmetry),
            form: Some(Form::Recursive),
            ..request(20)
        };
        let avx2 = CountRequest { isa: Some(InstructionSet::Avx2), ..request(20) };
        let rate = |index, rate| Rate { index, rate };
        type Row = (CountRequest, Option<usize>, Option<f64>, Option<Vec<Rate>>, NextMeasurement);
        let table: Vec<Row> = vec![
            (bitmap, None, None, None, not_on_gpus.clone()),
            (recursive, None, None, None, not_on_gpus.clone()),
            (avx2, None, None, None, not_on_gpus),
            (request(17), None, None, None, small),
            (request(18), None, None, None, NextMeasurement::FindGpus),
            (symmetry, None, None, None, NextMeasurement::FindGpus),
            (request(18), Some(0), None, None, no_gpu),
            (request(18), Some(2), None, None, NextMeasurement::BenchmarkCpu),
            (request(18), Some(2), Some(0.4), None, short.clone()),
            (request(18), Some(2), Some(0.3), None, NextMeasurement::BenchmarkGpus),
            // N = 19 takes about six times as long as the benchmark's board.
            (request(19), Some(2), Some(0.4), None, NextMeasurement::BenchmarkGpus),
            (request(19), Some(2), Some(4.0), None, short),
            (request(19), Some(2), Some(0.4), Some(vec![rate(0, 0.3)]), no_gain.clone()),
            (request(19), Some(2), Some(0.4), Some(vec![]), no_gain.clone()),
            (request(19), Some(1), Some(0.4), Some(vec![rate(0, 0.4)]), no_gain.clone()),
            // The GPU is twice as fast on the benchmark's board, but slower on a much larger one.
            (request(24), Some(1), Some(0.4), Some(vec![rate(0, 0.8)]), no_gain),
        ];
        for (request, gpu_backends, cpu_rate, gpu_rates, next) in table {
            let measurements = Measurements {
                request,
                cpu_method: request.method_on_cpu(),
                gpu_backends,
                cpu_rate,
                gpu_rates,
            };
            assert_eq!(measurements.next(), next, "{measurements:?}");
        }
        let choice = |n, cpu_method, rates| {
            let measurements = Measurements {
                gpu_backends: Some(3),
                cpu_rate: Some(0.2),
                gpu_rates: Some(rates),
                ..Measurements::new(request(n), cpu_method)
            };
            measurements.next()
        };
        let rates = vec![rate(0, 0.4), rate(2, 1.0)];
        let NextMeasurement::Gpu { index, reason } = choice(18, Method::Colours, rates.clone())
        else {
            panic!("a GPU is faster");
        };
        let expected = "symmetry on the GPU is 5.0 times as fast as colours on the CPU in a benchmark at \
                        N = 18";
        assert_eq!((index, reason.to_string()), (2, expected.to_owned()));
        // If memory is too short for `colours`, the CPU uses `symmetry` and is slower than the GPU.
        assert_eq!(choice(24, Method::Colours, rates.clone()), cpu(Reason::NotFaster));
        let next = choice(24, Method::Symmetry, rates);
        assert!(matches!(next, NextMeasurement::Gpu { index: 2, .. }), "{next:?}");
    }

    #[test]
    fn predicted_growth_matches_the_measurements() {
        let growth_between =
            |method, from, to| growth(method, Size::new(from).unwrap(), Size::new(to).unwrap());
        // Measured at N = 18 and 20: one thread with `colours` took 0.25 s and 6.2 s. At N = 18 and 22,
        // the tree search placed 9.3e9 and 4.3e13 queens.
        for (method, from, to, measured) in
            [(Method::Colours, 18, 20, 25.0), (Method::Symmetry, 18, 22, 4600.0)]
        {
            let ratio = growth_between(method, from, to) / measured;
            assert!((0.7..1.4).contains(&ratio), "{method} {from} {to}: {ratio}");
        }
    }
}
