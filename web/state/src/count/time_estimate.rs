//! The estimate of a count's time, from samples of its boards.

use queens_core::{Method, Size};

use super::messages::{CountJob, Executor, Forecast};

/// One hour, in seconds. Sampling of a method ends with the first board that takes longer.
const HOUR: f64 = 3600.0;

/// The largest N at which sampling may start. Times of boards beyond the largest sample are
/// extrapolated from the growth of the smaller samples, so an order of large boards needs small
/// samples, too.
const LARGEST_START: u32 = 12;

/// The number of boards whose growth is extrapolated.
const FITTED_BOARDS: u32 = 6;

/// Samples of boards, and the order that they were taken for.
#[derive(Debug, Default)]
pub struct TimeEstimate {
    order: Option<CountJob>,
    /// By method and N: the time of one worker in seconds.
    samples: Vec<(Method, u32, f64)>,
}

impl TimeEstimate {
    /// Sets the order. Discards the samples if the order changes from workers to a GPU or back,
    /// because the times of workers say nothing about those of a GPU.
    pub fn put(&mut self, order: CountJob) {
        if self.order.is_some_and(|before| is_for_gpu(before) != is_for_gpu(order)) {
            self.samples.clear();
        }
        self.order = Some(order);
    }

    /// Whether a GPU is to be sampled.
    pub fn is_for_gpu(&self) -> bool {
        self.order.is_some_and(is_for_gpu)
    }

    /// Adds a sample: the time that one worker, or the GPU, takes for a whole board.
    pub fn add(&mut self, method: Method, size: Size, seconds: f64) {
        self.samples.push((method, size.get(), seconds));
    }

    fn sample(&self, method: Method, n: u32) -> Option<f64> {
        let found = self.samples.iter().find(|&&(sampled, m, _)| (sampled, m) == (method, n));
        found.map(|&(_, _, seconds)| seconds)
    }

    /// Returns the next board to sample, or `None` if no sample is missing. Each method of the
    /// order is sampled up to its first board that takes longer than an hour. If the order has all
    /// methods, sampling also ends at the order's last board.
    pub fn next(&self, cores: u32) -> Option<(Method, Size)> {
        let order = self.order?;
        let mut methods = Method::ALL.iter().filter(|&&method| order_has(order, method));
        methods.find_map(|&method| {
            let last = match order.method {
                Some(method) => method.largest(),
                None => order.to.get().min(method.largest()),
            };
            let mut sizes = Size::all().filter(|size| {
                size.get() >= order.from.get().min(LARGEST_START) && size.get() <= last
            });
            let next = sizes.find(|size| {
                let seconds = self.sample(method, size.get());
                seconds.is_none_or(|seconds| seconds > HOUR * parallel_workers(order, cores))
            })?;
            self.sample(method, next.get()).is_none().then_some((method, next))
        })
    }

    /// Estimates the time of the order. Returns `None` while a board has neither a sample nor
    /// enough smaller samples for an extrapolation. The smallest board that takes more than an hour
    /// is known only for an order of one method.
    pub fn forecast(&self, cores: u32) -> Option<Forecast> {
        let order = self.order?;
        let workers = parallel_workers(order, cores);
        let (mut seconds, mut guessed) = (0.0, false);
        for (method, size) in order.lines() {
            let n = size.get();
            guessed |= self.sample(method, n).is_none();
            seconds += self.time(method, n, HOUR * workers)? / workers;
        }
        let hour = order.method.and_then(|method| {
            let samples = self.samples.iter().filter(|sample| sample.0 == method);
            samples.filter(|sample| sample.2 > HOUR * workers).map(|sample| sample.1).min()
        });
        Some(Forecast { order, seconds, guessed, hour })
    }

    /// Returns the time of a board: its sample or, beyond the first board that takes too long, an
    /// extrapolation. The extrapolation uses the last few samples, because a single sample may be
    /// far off and half-board matching is faster on even boards than on odd ones.
    fn time(&self, method: Method, n: u32, too_long: f64) -> Option<f64> {
        let sample = self.sample(method, n);
        if sample.is_some() {
            return sample;
        }
        let samples = || self.samples.iter().filter(|sample| sample.0 == method && sample.1 < n);
        let last = samples().filter(|sample| sample.2 > too_long).map(|sample| sample.1).min()?;
        let line = samples().filter(|sample| sample.1 <= last && sample.1 + FITTED_BOARDS > last);
        let points: Vec<_> = line.map(|&(_, n, time)| (f64::from(n), time.ln())).collect();
        Some(regression(&points, f64::from(n))?.exp())
    }
}

/// Returns the value at `x` of the straight line that fits the points best (least squares).
fn regression(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let mean =
        |value: fn(&(f64, f64)) -> f64| points.iter().map(value).sum::<f64>() / points.len() as f64;
    let (middle, height) = (mean(|point| point.0), mean(|point| point.1));
    let width: f64 = points.iter().map(|point| (point.0 - middle).powi(2)).sum();
    let slope = points.iter().map(|point| (point.0 - middle) * (point.1 - height)).sum::<f64>();
    (width > 0.0).then(|| height + slope / width * (x - middle))
}

fn order_has(order: CountJob, method: Method) -> bool {
    order.method.is_none_or(|one| one == method)
}

/// Returns the number of workers that run in parallel.
fn parallel_workers(order: CountJob, cores: u32) -> f64 {
    f64::from(order.place.hands().min(cores).max(1))
}

fn is_for_gpu(order: CountJob) -> bool {
    order.place == Executor::WebGpu
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(method: Option<Method>, from: u32, to: u32) -> CountJob {
        let size = |n| Size::new(n).unwrap();
        CountJob { method, from: size(from), to: size(to), place: Executor::Workers(4) }
    }

    fn seconds(n: u32) -> f64 {
        8_f64.powi(n as i32 - 12)
    }

    /// Adds samples until the estimate needs no more, and returns their N. A board takes 8^(N − 12)
    /// seconds.
    fn add_samples(estimate: &mut TimeEstimate, order: CountJob) -> Vec<u32> {
        estimate.put(order);
        let mut sampled = vec![];
        while let Some((method, size)) = estimate.next(2) {
            estimate.add(method, size, seconds(size.get()));
            sampled.push(size.get());
        }
        sampled
    }

    #[test]
    fn samples_boards_up_to_one_hour() {
        let mut estimate = TimeEstimate::default();
        // An hour of two workers is two hours of one: 8^4 seconds are less, 8^5 are more.
        assert_eq!(
            add_samples(&mut estimate, order(Some(Method::Halves), 14, 14)),
            [12, 13, 14, 15, 16, 17]
        );
        let forecast = estimate.forecast(2).unwrap();
        assert_eq!((forecast.seconds, forecast.guessed, forecast.hour), (32.0, false, Some(17)));
        assert_eq!(add_samples(&mut estimate, order(Some(Method::Halves), 12, 13)), [0; 0]);
        assert_eq!(estimate.forecast(2).unwrap().seconds, (1.0 + 8.0) / 2.0);
    }

    #[test]
    fn samples_a_gpu_separately() {
        let mut estimate = TimeEstimate::default();
        let by_workers = order(Some(Executor::METHOD), 13, 13);
        assert_eq!(add_samples(&mut estimate, by_workers)[..2], [12, 13]);
        let by_gpu = CountJob { place: Executor::WebGpu, ..by_workers };
        estimate.put(by_gpu);
        assert_eq!((estimate.is_for_gpu(), estimate.forecast(2)), (true, None));
        // The limit is one hour of the GPU, although two cores would have two.
        assert_eq!(add_samples(&mut estimate, by_gpu), [12, 13, 14, 15, 16]);
        assert_eq!(estimate.forecast(2).unwrap().seconds, 8.0);
    }

    #[test]
    fn extrapolates_counts_of_days_by_growth() {
        let mut estimate = TimeEstimate::default();
        for n in [18, 19, 22] {
            add_samples(&mut estimate, order(Some(Method::Halves), n, n));
            let forecast = estimate.forecast(2).unwrap();
            assert!((forecast.seconds * 2.0 / seconds(n) - 1.0).abs() < 1e-9, "{forecast:?}");
            assert_eq!((forecast.guessed, forecast.hour), (true, Some(17)));
        }
    }

    #[test]
    fn one_outlier_does_not_distort_the_estimate() {
        let mut estimate = TimeEstimate::default();
        estimate.put(order(Some(Method::Halves), 20, 20));
        while let Some((method, size)) = estimate.next(2) {
            let bias = if size.get() == 17 { 5.0 } else { 1.0 };
            estimate.add(method, size, bias * seconds(size.get()));
        }
        let off = estimate.forecast(2).unwrap().seconds * 2.0 / seconds(20);
        assert!((1.0..5.0).contains(&off), "{off} times too long");
    }

    #[test]
    fn samples_each_method_up_to_its_largest_board() {
        let mut estimate = TimeEstimate::default();
        estimate.put(order(None, 12, 12));
        assert_eq!(estimate.forecast(2), None);
        let sampled = add_samples(&mut estimate, order(None, 12, 12));
        let reach = Method::ALL.iter().filter(|method| method.largest() >= 12).count();
        let sampled = sampled.into_iter().filter(|&n| n == 12).count();
        assert!(reach < Method::ALL.len() && sampled == reach, "{sampled} of {reach}");
        assert_eq!(estimate.forecast(2).unwrap().hour, None);
    }
}
