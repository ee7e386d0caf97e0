//! How long orders take, from samples of their boards.

use queens_core::{Method, Size};

use crate::protocol::{Forecast, Order};

/// What is looked for: the board that takes longer than this, in seconds.
const HOUR: f64 = 3600.0;

/// Sampling begins here, even for larger boards: what is larger than the largest sample is told
/// from how times have grown until there.
const FIRST: u32 = 12;

/// Samples of boards, and the order that they are for.
#[derive(Debug, Default)]
pub struct Scales {
    order: Option<Order>,
    /// By method and N: the time of one worker in seconds.
    samples: Vec<(Method, u32, f64)>,
}

impl Scales {
    /// Another order.
    pub fn put(&mut self, order: Order) {
        self.order = Some(order);
    }

    /// A sample: the time that one worker takes for the whole.
    pub fn add(&mut self, method: Method, size: Size, seconds: f64) {
        self.samples.push((method, size.get(), seconds));
    }

    fn sample(&self, method: Method, n: u32) -> Option<f64> {
        let found = self.samples.iter().find(|&&(of, m, _)| (of, m) == (method, n));
        found.map(|&(_, _, seconds)| seconds)
    }

    /// What is to be sampled next, if anything: all boards of the order that take less than an
    /// hour, and, of a single method, all until one takes longer.
    pub fn next(&self, cores: u32) -> Option<(Method, Size)> {
        let order = self.order?;
        let mut methods = Method::ALL.iter().filter(|&&method| order_has(order, method));
        methods.find_map(|&method| {
            let last = match order.method {
                Some(method) => method.largest(),
                None => order.to.get().min(method.largest()),
            };
            let mut sizes = Size::all()
                .filter(|size| size.get() >= order.from.get().min(FIRST) && size.get() <= last);
            let next = sizes.find(|size| {
                let seconds = self.sample(method, size.get());
                seconds.is_none_or(|seconds| seconds > HOUR * hands(order, cores))
            })?;
            self.sample(method, next.get()).is_none().then_some((method, next))
        })
    }

    /// How long the order takes, once everything that can be sampled has been, but for the board
    /// that takes an hour.
    pub fn forecast(&self, cores: u32) -> Option<Forecast> {
        let order = self.order?;
        let hands = hands(order, cores);
        let (mut seconds, mut guessed) = (0.0, false);
        for (method, size) in order.lines() {
            let n = size.get();
            seconds += match self.sample(method, n) {
                Some(seconds) => seconds,
                None => {
                    guessed = true;
                    self.beyond(method, n, HOUR * hands)?
                }
            } / hands;
        }
        let hour = order.method.and_then(|method| {
            let samples = self.samples.iter().filter(|sample| sample.0 == method);
            samples.filter(|sample| sample.2 > HOUR * hands).map(|sample| sample.1).min()
        });
        Some(Forecast { order, seconds, guessed, hour })
    }

    /// The time of a board beyond the first one that takes too long, as times have grown until
    /// there.
    fn beyond(&self, method: Method, n: u32, too_long: f64) -> Option<f64> {
        let samples = self.samples.iter().filter(|sample| sample.0 == method && sample.1 < n);
        let &(_, last, seconds) =
            samples.filter(|sample| sample.2 > too_long).min_by_key(|s| s.1)?;
        let growth = seconds / self.sample(method, last - 1)?;
        Some(seconds * growth.powi((n - last) as i32))
    }
}

fn order_has(order: Order, method: Method) -> bool {
    order.method.is_none_or(|one| one == method)
}

/// How many workers get on at once.
fn hands(order: Order, cores: u32) -> f64 {
    f64::from(order.workers.min(cores).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(method: Option<Method>, from: u32, to: u32) -> Order {
        let size = |n| Size::new(n).unwrap();
        Order { method, from: size(from), to: size(to), workers: 4 }
    }

    /// Samples until nothing is wanted; N takes 8^(N − 12) seconds.
    fn weigh(scales: &mut Scales, order: Order) -> Vec<u32> {
        scales.put(order);
        let mut asked = vec![];
        while let Some((method, size)) = scales.next(2) {
            scales.add(method, size, 8_f64.powi(size.get() as i32 - 12));
            asked.push(size.get());
        }
        asked
    }

    #[test]
    fn boards_are_sampled_until_one_takes_an_hour() {
        let mut scales = Scales::default();
        // Two hours of one worker are one of two: 8^4 seconds are less, 8^5 are more.
        assert_eq!(
            weigh(&mut scales, order(Some(Method::Halves), 14, 14)),
            [12, 13, 14, 15, 16, 17]
        );
        let forecast = scales.forecast(2).unwrap();
        assert_eq!((forecast.seconds, forecast.guessed, forecast.hour), (32.0, false, Some(17)));
        assert_eq!(weigh(&mut scales, order(Some(Method::Halves), 12, 13)), [0; 0]);
        assert_eq!(scales.forecast(2).unwrap().seconds, 4.5);
    }

    #[test]
    fn what_takes_days_is_told_by_growth() {
        let mut scales = Scales::default();
        weigh(&mut scales, order(Some(Method::Halves), 19, 19));
        let Forecast { seconds, guessed, hour, .. } = scales.forecast(2).unwrap();
        assert!(guessed && (seconds - 8_f64.powi(7) / 2.0).abs() < 1.0, "{seconds}");
        assert_eq!(hour, Some(17));
    }

    #[test]
    fn of_all_methods_each_is_sampled_as_far_as_it_goes() {
        let mut scales = Scales::default();
        scales.put(order(None, 12, 12));
        assert_eq!(scales.forecast(2), None);
        let asked = weigh(&mut scales, order(None, 12, 12));
        let reach = Method::ALL.iter().filter(|method| method.largest() >= 12).count();
        assert!(reach < Method::ALL.len() && asked == vec![12; reach], "{asked:?}");
        assert_eq!(scales.forecast(2).unwrap().hour, None);
    }
}
