//! The estimate of a count's time, from samples of its boards.

use std::collections::BTreeMap;

use queens_core::{Method, Size};

use super::growth::{FITTED_BOARDS, Growth, regression};
use super::messages::{CountJob, CurrentRow, Executor, FinishedRow, Forecast};

/// One hour, in seconds. Sampling of a method ends with the first board that takes longer.
const HOUR: f64 = 3600.0;

/// The largest N at which sampling may start. Times of boards beyond the largest sample are
/// extrapolated from the growth of the smaller samples, so a job with large boards needs small
/// samples, too.
const LARGEST_START: u32 = 12;

/// The shortest time in seconds of a counted board by which others are estimated. Shorter times depend on
/// messages to the workers more than on the count.
const SHORTEST_SCALE: f64 = 0.1;

/// The least number of counted boards that show the growth of the time: the colour join grows more towards an
/// odd board than towards an even one.
const LEAST_CONTINUED: usize = 3;

/// The time of a counted board, or the expected time of one of which enough is counted.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredTime {
    pub method: Method,
    pub n: u32,
    pub executor: Executor,
    pub seconds: f64,
}

impl MeasuredTime {
    /// Returns the time of a finished row; `None` if its numbers are wrong.
    pub fn of_row(row: &FinishedRow) -> Option<MeasuredTime> {
        let &FinishedRow { method, size, executor, seconds, .. } = row;
        row.outcome.is_ok().then_some(MeasuredTime { method, n: size.get(), executor, seconds })
    }

    /// Returns the expected time of a row that is being counted, once enough of its tasks are finished.
    pub fn of_current(row: &CurrentRow, executor: Executor) -> Option<MeasuredTime> {
        let seconds = row.expected_seconds()?;
        Some(MeasuredTime { method: row.method, n: row.size.get(), executor, seconds })
    }
}

/// Whether the times of two executors can be compared: the same number of workers runs in parallel, or
/// both are the GPU.
pub fn is_comparable(one: Executor, other: Executor, cores: u32) -> bool {
    (one == Executor::WebGpu) == (other == Executor::WebGpu)
        && parallel_workers(one, cores) == parallel_workers(other, cores)
}

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
                seconds.is_none_or(|seconds| seconds > HOUR * parallel_workers(job.executor, cores))
            })?;
            self.sample(method, next.get()).is_none().then_some((method, next))
        })
    }

    /// Estimates the time of the job. Returns `None` while a board has neither a sample nor
    /// enough smaller samples or counted boards for an extrapolation. The smallest board that takes more than an hour
    /// is known only for a job with one method. `measured` has the boards that were counted; later
    /// entries for a board replace earlier ones.
    pub fn forecast(&self, cores: u32, measured: &[MeasuredTime]) -> Option<Forecast> {
        let job = self.job?;
        let mut forecast = Forecast {
            job,
            rows: vec![],
            is_extrapolated: false,
            is_measured: true,
            over_an_hour: None,
        };
        let mut times: Option<BoardTimes> = None;
        let mut longest = 0.0;
        for (method, size) in job.rows() {
            let n = size.get();
            let times = match times.take().filter(|times| times.method == method) {
                Some(same) => times.insert(same),
                None => {
                    longest = 0.0;
                    times.insert(self.board_times(job, method, cores, measured))
                }
            };
            // A board does not take less time than a smaller one, unless both were counted.
            let counted = times.measured.get(&n).copied();
            let time = counted.or_else(|| Some(times.expected(n)?.max(longest)))?;
            longest = longest.max(time);
            let is_sampled = self.sample(method, n).is_some();
            forecast.is_extrapolated |= counted.is_none() && !is_sampled;
            forecast.is_measured &=
                counted.is_some() || times.scale(n).is_some() || times.sampled(n).is_none();
            forecast.rows.push(time);
        }
        if let (Some(method), Some(times)) = (job.method, times) {
            let mut sizes = 1..=method.largest();
            let expected = |n| times.measured.get(&n).copied().or_else(|| times.expected(n));
            forecast.over_an_hour = sizes.find(|&n| expected(n).is_some_and(|time| time > HOUR));
        }
        Some(forecast)
    }

    fn board_times(
        &self,
        job: CountJob,
        method: Method,
        cores: u32,
        measured: &[MeasuredTime],
    ) -> BoardTimes {
        let samples = self.samples.iter().filter(|sample| sample.0 == method);
        let samples: BTreeMap<u32, f64> = samples.rev().map(|&(_, n, time)| (n, time)).collect();
        let is_like = |time: &&MeasuredTime| {
            time.method == method && is_comparable(time.executor, job.executor, cores)
        };
        let measured = measured.iter().filter(is_like).map(|time| (time.n, time.seconds)).collect();
        let growth = Growth::new(&samples);
        BoardTimes {
            method,
            workers: parallel_workers(job.executor, cores),
            samples,
            growth,
            measured,
        }
    }
}

/// The times of the boards of one method, for one executor.
struct BoardTimes {
    method: Method,
    /// The number of workers that run in parallel.
    workers: f64,
    /// The sampled time of one worker by N.
    samples: BTreeMap<u32, f64>,
    /// The line through the samples.
    growth: Growth,
    /// The measured times by N.
    measured: BTreeMap<u32, f64>,
}

impl BoardTimes {
    /// Returns the expected time of a board that was not measured. It lies between the measured times of
    /// smaller and larger boards.
    fn expected(&self, n: u32) -> Option<f64> {
        let sampled = self.sampled(n).map(|time| time * self.scale(n).unwrap_or(1.0));
        let most = self.measured.range(n..).map(|(_, &time)| time).fold(f64::INFINITY, f64::min);
        let least = self.measured.range(..n).map(|(_, &time)| time).fold(0.0, f64::max);
        Some(sampled.or_else(|| self.continued(n))?.min(most).max(least))
    }

    /// Returns the factor by which boards take longer than by samples: that of the largest measured board
    /// below `n` or, without one, of the smallest above. The nearest board below is the best judge, because
    /// the share of the time that workers need for other things than counting falls with N.
    fn scale(&self, n: u32) -> Option<f64> {
        let ratio = |(&n, &time): (&u32, &f64)| {
            (time >= SHORTEST_SCALE).then_some(time / self.sampled(n)?.max(f64::MIN_POSITIVE))
        };
        let mut below = self.measured.range(..n).rev();
        below.find_map(ratio).or_else(|| self.measured.range(n..).find_map(ratio))
    }

    /// Returns the time of a board by the growth of the last measured boards. After a reload, this shows the
    /// remaining boards of a count at once; samples of all boards take seconds.
    fn continued(&self, n: u32) -> Option<f64> {
        let long = self.measured.iter().filter(|&(_, &time)| time >= SHORTEST_SCALE);
        let points: Vec<_> = long
            .rev()
            .take(FITTED_BOARDS as usize)
            .map(|(&n, time)| (f64::from(n), time.ln()))
            .collect();
        let has_growth = points.len() >= LEAST_CONTINUED;
        regression(&points, f64::from(n)).filter(|_| has_growth).map(f64::exp)
    }

    /// Returns the time of a board by samples: along the line through them or, beyond the first board
    /// that takes too long, an extrapolation. The extrapolation uses the last few samples, because a single
    /// sample may be far off and the colour join grows more towards an odd board than towards an even one.
    fn sampled(&self, n: u32) -> Option<f64> {
        if self.samples.contains_key(&n) {
            return Some(self.growth.at(n)? / self.workers);
        }
        let too_long = HOUR * self.workers;
        let smaller = || self.samples.range(..n);
        let last = *smaller().find(|sample| *sample.1 > too_long)?.0;
        let line = smaller().filter(|sample| *sample.0 <= last && sample.0 + FITTED_BOARDS > last);
        let points: Vec<_> = line.map(|(&n, time)| (f64::from(n), time.ln())).collect();
        Some(regression(&points, f64::from(n))?.exp() / self.workers)
    }
}

fn includes(job: CountJob, method: Method) -> bool {
    job.method.is_none_or(|one| one == method)
}

/// Returns the number of workers that run in parallel.
fn parallel_workers(executor: Executor, cores: u32) -> f64 {
    f64::from(executor.worker_count().min(cores).max(1))
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

    /// Rounds a time to nanoseconds.
    fn rounded(seconds: f64) -> f64 {
        (seconds * 1e9).round() / 1e9
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
            add_samples(&mut estimate, job(Some(Method::Colours), 14, 14)),
            [12, 13, 14, 15, 16, 17]
        );
        let forecast = estimate.forecast(2, &[]).unwrap();
        assert_eq!(
            (rounded(forecast.seconds()), forecast.is_extrapolated, forecast.over_an_hour),
            (32.0, false, Some(17))
        );
        assert_eq!(add_samples(&mut estimate, job(Some(Method::Colours), 12, 13)), [0; 0]);
        assert_rows(&estimate, &[], &[0.5, 4.0]);
    }

    #[test]
    fn samples_a_gpu_separately() {
        let mut estimate = TimeEstimate::default();
        let by_workers = job(Some(Executor::METHOD), 13, 13);
        assert_eq!(add_samples(&mut estimate, by_workers)[..2], [12, 13]);
        let by_gpu = CountJob { executor: Executor::WebGpu, ..by_workers };
        estimate.set_job(by_gpu);
        assert_eq!((estimate.is_for_gpu(), estimate.forecast(2, &[])), (true, None));
        // The limit is one hour of the GPU, although two cores would have two.
        assert_eq!(add_samples(&mut estimate, by_gpu), [12, 13, 14, 15, 16]);
        assert_rows(&estimate, &[], &[8.0]);
    }

    #[test]
    fn extrapolates_counts_of_days_by_growth() {
        let mut estimate = TimeEstimate::default();
        for n in [18, 19, 22] {
            add_samples(&mut estimate, job(Some(Method::Colours), n, n));
            let forecast = estimate.forecast(2, &[]).unwrap();
            assert!((forecast.seconds() * 2.0 / seconds(n) - 1.0).abs() < 1e-9, "{forecast:?}");
            assert_eq!((forecast.is_extrapolated, forecast.over_an_hour), (true, Some(17)));
        }
    }

    #[test]
    fn one_outlier_does_not_distort_the_estimate() {
        let mut estimate = TimeEstimate::default();
        estimate.set_job(job(Some(Method::Colours), 20, 20));
        while let Some((method, size)) = estimate.next(2) {
            let bias = if size.get() == 17 { 5.0 } else { 1.0 };
            estimate.add(method, size, bias * seconds(size.get()));
        }
        let off = estimate.forecast(2, &[]).unwrap().seconds() * 2.0 / seconds(20);
        assert!((1.0..5.0).contains(&off), "{off} times too long");
    }

    #[test]
    fn no_board_is_expected_to_take_less_than_a_smaller_one() {
        let mut estimate = TimeEstimate::default();
        let job = job(Some(Method::Colours), 10, 13);
        add_samples(&mut estimate, job);
        let sample = estimate.samples.iter_mut().find(|sample| sample.1 == 10).unwrap();
        sample.2 = 2.0;
        let rows = estimate.forecast(2, &[]).unwrap().rows;
        assert!(rows.is_sorted_by(|smaller, larger| smaller < larger), "{rows:?}");
        assert_eq!((rounded(rows[2]), rounded(rows[3])), (0.5, 4.0));
    }

    fn measured(n: u32, seconds: f64) -> MeasuredTime {
        MeasuredTime { method: Method::Colours, n, executor: Executor::Workers(4), seconds }
    }

    fn assert_rows(estimate: &TimeEstimate, times: &[MeasuredTime], rows: &[f64]) {
        let forecast = estimate.forecast(2, times).unwrap().rows;
        let is_near = |(found, expected): (&f64, &f64)| (found / expected - 1.0).abs() < 1e-9;
        assert!(forecast.iter().zip(rows).all(is_near), "{forecast:?} {rows:?}");
        assert_eq!(forecast.len(), rows.len());
    }

    #[test]
    fn counted_boards_correct_the_estimates_of_others() {
        let mut estimate = TimeEstimate::default();
        add_samples(&mut estimate, job(Some(Method::Colours), 12, 15));
        assert_rows(&estimate, &[], &[0.5, 4.0, 32.0, 256.0]);
        assert!(!estimate.forecast(2, &[]).unwrap().is_measured);
        // N = 13 took half of what was expected, and so do larger boards. The last count of a board is the
        // valid one.
        let times = [measured(13, 9.0), measured(13, 2.0)];
        assert_rows(&estimate, &times, &[0.25, 2.0, 16.0, 128.0]);
        let forecast = estimate.forecast(2, &times).unwrap();
        assert!(forecast.is_measured);
        // 8^5 seconds of one worker were over an hour of two, and half of that is, too.
        assert_eq!(forecast.over_an_hour, Some(17));
        // Larger boards follow the nearest smaller one.
        assert_rows(&estimate, &[measured(12, 1.0), measured(14, 16.0)], &[1.0, 8.0, 16.0, 128.0]);
        // Times of a few milliseconds say nothing about larger boards.
        assert_rows(&estimate, &[measured(12, 0.02)], &[0.02, 4.0, 32.0, 256.0]);
        // Nor do those of another method, of a GPU, or of another number of workers; more than there are
        // cores run at the same time.
        let other = MeasuredTime { method: Method::Symmetry, ..measured(13, 2.0) };
        let gpu = MeasuredTime { executor: Executor::WebGpu, ..measured(13, 2.0) };
        let one = MeasuredTime { executor: Executor::Workers(1), ..measured(13, 2.0) };
        assert_rows(&estimate, &[other, gpu, one], &[0.5, 4.0, 32.0, 256.0]);
        let two = MeasuredTime { executor: Executor::Workers(2), ..measured(13, 2.0) };
        assert_rows(&estimate, &[two], &[0.25, 2.0, 16.0, 128.0]);
    }

    #[test]
    fn counted_boards_are_continued_until_there_are_samples() {
        let mut estimate = TimeEstimate::default();
        estimate.set_job(job(Some(Method::Colours), 12, 15));
        let times = [measured(10, 0.001), measured(11, 0.25), measured(12, 1.0), measured(13, 4.0)];
        assert_rows(&estimate, &times, &[1.0, 4.0, 16.0, 64.0]);
        assert!(estimate.forecast(2, &times).unwrap().is_measured);
        // Two boards may take the same time.
        assert_eq!(estimate.forecast(2, &times[..3]), None);
    }

    #[test]
    fn no_estimate_contradicts_a_counted_board() {
        let mut estimate = TimeEstimate::default();
        add_samples(&mut estimate, job(Some(Method::Colours), 12, 15));
        // N = 14 would take 64 s at the pace of N = 13, but less than N = 15.
        let times = [measured(13, 8.0), measured(15, 40.0)];
        assert_rows(&estimate, &times, &[1.0, 8.0, 40.0, 40.0]);
        // A counted board below the job is a lower bound, too.
        assert_rows(&estimate, &[measured(11, 0.6)], &[0.6, 4.0, 32.0, 256.0]);
        // Two counted boards keep their times, even if the smaller one took longer.
        let times = [measured(12, 5.0), measured(13, 4.5)];
        assert_rows(&estimate, &times, &[5.0, 4.5, 36.0, 288.0]);
    }

    #[test]
    fn samples_each_method_up_to_its_largest_board() {
        let mut estimate = TimeEstimate::default();
        estimate.set_job(job(None, 12, 12));
        assert_eq!(estimate.forecast(2, &[]), None);
        let sampled = add_samples(&mut estimate, job(None, 12, 12));
        let reached = Method::ALL.iter().filter(|method| method.largest() >= 12).count();
        let sampled = sampled.into_iter().filter(|&n| n == 12).count();
        assert!(reached < Method::ALL.len() && sampled == reached, "{sampled} of {reached}");
        assert_eq!(estimate.forecast(2, &[]).unwrap().over_an_hour, None);
    }
}
