//! Estimates of the colour join against the known totals.

use std::time::Duration;

use queens_core::known::known;
use queens_core::{Form, Method, Plan, Sample, Size, choose};

/// Number of estimates of each board.
const SEEDS: u64 = 20;

/// Number of tasks in an estimate. The command samples all tasks of these boards, and about a hundred at N = 24.
const TASKS: usize = 64;

/// Returns the differences between estimates and the known total, in standard errors.
fn deviations(n: u32) -> Vec<f64> {
    let plan = Plan::new(Size::new(n).unwrap(), Method::Colours);
    let mut counter = plan.counter(Form::Recursive, queens::isa::best());
    let total = known(n).unwrap().total() as f64;
    let deviation = |seed| {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut tasks: Vec<usize> = (0..plan.len()).collect();
        let mut sample = Sample::default();
        for &mut task in choose(&mut tasks, TASKS, |below| random.usize(..below)) {
            let observed = counter.sample_task(&plan, task, || {}).unwrap();
            sample.add(observed, Duration::ZERO, Duration::ZERO);
        }
        let estimate = sample.estimate(plan.len());
        (estimate.total - total) / estimate.variance.sqrt()
    };
    (0..SEEDS).map(deviation).collect()
}

/// The true value is expected within two standard errors in 19 of 20 estimates; chance takes one more.
#[test]
fn totals_are_within_two_standard_errors_in_nineteen_of_twenty_estimates() {
    for n in 18..=22 {
        let deviations = deviations(n);
        let within = deviations.iter().filter(|deviation| deviation.abs() <= 2.0).count();
        assert!(within >= 18, "N = {n}: {deviations:.2?}");
    }
}
