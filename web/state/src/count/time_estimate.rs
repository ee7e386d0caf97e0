//! The estimate of a count's time, from samples of its boards.

use std::collections::BTreeMap;

use queens_core::{Method, Size};

use super::messages::{CountJob, Executor, Forecast};

/// One hour, in seconds. Sampling of a method ends with the first board that takes longer.
const HOUR: f64 = 3600.0;

/// The largest N at which sampling may start. Times of boards beyond the largest sample are
/// extrapolated from the growth of the smaller samples, so a job with large boards needs small
/// samples, too.
const LARGEST_START: u32 = 12;

/// The number of boards whose growth is extrapolated.
const FITTED_BOARDS: u32 = 6;

/// The samples of boards, and the job that they were taken for.
#[derive(Debug, Default)]
pub struct TimeEstimate {
    job: Option<CountJob>,
    /// A method, N, and the time in seconds that one worker, or the GPU, takes for the whole board.
    samples: Vec<(Method, u32, f64)>,
}

impl TimeEstimate {
    /// Sets the job. Discards the samples if the job changes from workers to a GPU or back,
    /// because the times of workers say nothing about those of a GPU.
    pub fn set_job(&mut self, job: CountJob) {
        if self.job.is_some_and(|before| is_for_gpu(before) != is_for_gpu(job)) {
            self.samples.clear();
        }
        self.job = Some(job);
    }

    /// Whether a GPU is to be sampled.
    pub fn is_for_gpu(&self) -> bool {
        self.job.is_some_and(is_for_gpu)
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
    /// job is sampled up to its first board that takes longer than an hour. If the job has all
    /// methods, sampling also ends at the job's last board.
    pub fn next(&self, cores: u32) -> Option<(Method, Size)> {
        let job = self.job?;
        let mut methods = Method::ALL.iter().filter(|&&method| includes(job, method));
        methods.find_map(|&method| {
            let last = match job.method {
                Some(method) => method.largest(),
                None => job.to.get().min(method.largest()),
            };
            let mut sizes = Size::all().filter(|size| {
                size.get() >= job.from.get().min(LARGEST_START) && size.get() <= last
            });
            let next = sizes.find(|size| {
                let seconds = self.sample(method, size.get());
                seconds.is_none_or(|seconds| seconds > HOUR * parallel_workers(job, cores))
            })?;
            self.sample(method, next.get()).is_none().then_some((method, next))
        })
    }

    /// Estimates the time of the job. Returns `None` while a board has neither a sample nor
    /// enough smaller samples for an extrapolation. The smallest board that takes more than an hour
    /// is known only for a job with one method.
    pub fn forecast(&self, cores: u32) -> Option<Forecast> {
        let job = self.job?;
        let workers = parallel_workers(job, cores);
        let (mut rows, mut is_extrapolated) = (vec![], false);
        // A sample of a small board takes less than the clock can measure. A larger board does not take less
        // time than a smaller one.
        let mut longest: BTreeMap<u32, f64> = BTreeMap::new();
        for (method, size) in job.rows() {
            let n = size.get();
            is_extrapolated |= self.sample(method, n).is_none();
            let time = self.time(method, n, HOUR * workers)? / workers;
            let longest = longest.entry(method.number()).or_default();
            *longest = longest.max(time);
            rows.push(*longest);
        }
        let over_an_hour = job.method.and_then(|method| {
            let samples = self.samples.iter().filter(|sample| sample.0 == method);
            samples.filter(|sample| sample.2 > HOUR * workers).map(|sample| sample.1).min()
        });
        Some(Forecast { job, rows, is_extrapolated, over_an_hour })
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
    let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
    let width: f64 = points.iter().map(|point| (point.0 - mean_x).powi(2)).sum();
    let slope = points.iter().map(|point| (point.0 - mean_x) * (point.1 - mean_y)).sum::<f64>();
    (width > 0.0).then(|| mean_y + slope / width * (x - mean_x))
}

fn includes(job: CountJob, method: Method) -> bool {
    job.method.is_none_or(|one| one == method)
}

/// Returns the number of workers that run in parallel.
fn parallel_workers(job: CountJob, cores: u32) -> f64 {
    f64::from(job.executor.worker_count().min(cores).max(1))
}

fn is_for_gpu(job: CountJob) -> bool {
    job.executor == Executor::WebGpu
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(method: Option<Method>, from: u32, to: u32) -> CountJob {
        let size = |n| Size::new(n).unwrap();
        CountJob { method, from: size(from), to: size(to), executor: Executor::Workers(4) }
    }

    fn seconds(n: u32) -> f64 {
        8_f64.powi(n as i32 - 12)
    }

    /// Adds samples until the estimate needs no more, and returns their N. A board takes 8^(N − 12)
    /// seconds.
    fn add_samples(estimate: &mut TimeEstimate, job: CountJob) -> Vec<u32> {
        estimate.set_job(job);
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
            add_samples(&mut estimate, job(Some(Method::Halves), 14, 14)),
            [12, 13, 14, 15, 16, 17]
        );
        let forecast = estimate.forecast(2).unwrap();
        assert_eq!(
            (forecast.seconds(), forecast.is_extrapolated, forecast.over_an_hour),
            (32.0, false, Some(17))
        );
        assert_eq!(add_samples(&mut estimate, job(Some(Method::Halves), 12, 13)), [0; 0]);
        assert_eq!(estimate.forecast(2).unwrap().rows, [0.5, 4.0]);
    }

    #[test]
    fn samples_a_gpu_separately() {
        let mut estimate = TimeEstimate::default();
        let by_workers = job(Some(Executor::METHOD), 13, 13);
        assert_eq!(add_samples(&mut estimate, by_workers)[..2], [12, 13]);
        let by_gpu = CountJob { executor: Executor::WebGpu, ..by_workers };
        estimate.set_job(by_gpu);
        assert_eq!((estimate.is_for_gpu(), estimate.forecast(2)), (true, None));
        // The limit is one hour of the GPU, although two cores would have two.
        assert_eq!(add_samples(&mut estimate, by_gpu), [12, 13, 14, 15, 16]);
        assert_eq!(estimate.forecast(2).unwrap().seconds(), 8.0);
    }

    #[test]
    fn extrapolates_counts_of_days_by_growth() {
        let mut estimate = TimeEstimate::default();
        for n in [18, 19, 22] {
            add_samples(&mut estimate, job(Some(Method::Halves), n, n));
            let forecast = estimate.forecast(2).unwrap();
            assert!((forecast.seconds() * 2.0 / seconds(n) - 1.0).abs() < 1e-9, "{forecast:?}");
            assert_eq!((forecast.is_extrapolated, forecast.over_an_hour), (true, Some(17)));
        }
    }

    #[test]
    fn one_outlier_does_not_distort_the_estimate() {
        let mut estimate = TimeEstimate::default();
        estimate.set_job(job(Some(Method::Halves), 20, 20));
        while let Some((method, size)) = estimate.next(2) {
            let bias = if size.get() == 17 { 5.0 } else { 1.0 };
            estimate.add(method, size, bias * seconds(size.get()));
        }
        let off = estimate.forecast(2).unwrap().seconds() * 2.0 / seconds(20);
        assert!((1.0..5.0).contains(&off), "{off} times too long");
    }

    #[test]
    fn no_board_is_expected_to_take_less_than_a_smaller_one() {
        let mut estimate = TimeEstimate::default();
        let job = job(Some(Method::Halves), 10, 13);
        add_samples(&mut estimate, job);
        let sample = estimate.samples.iter_mut().find(|sample| sample.1 == 10).unwrap();
        sample.2 = 2.0;
        assert_eq!(estimate.forecast(2).unwrap().rows, [1.0, 1.0, 1.0, 4.0]);
    }

    #[test]
    fn samples_each_method_up_to_its_largest_board() {
        let mut estimate = TimeEstimate::default();
        estimate.set_job(job(None, 12, 12));
        assert_eq!(estimate.forecast(2), None);
        let sampled = add_samples(&mut estimate, job(None, 12, 12));
        let reached = Method::ALL.iter().filter(|method| method.largest() >= 12).count();
        let sampled = sampled.into_iter().filter(|&n| n == 12).count();
        assert!(reached < Method::ALL.len() && sampled == reached, "{sampled} of {reached}");
        assert_eq!(estimate.forecast(2).unwrap().over_an_hour, None);
    }
}
