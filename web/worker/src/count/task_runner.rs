//! Counts and samples tasks in one worker.

use queens_core::{Counter, Done, Form, Method, Plan, Sample, Size, Tally, TaskError, choose};
use queens_state::count::milliseconds;
use serde::{Deserialize, Serialize};

use crate::{numbers::ISA, protocol::WrongTask};

/// A request to a pool worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkerRequest {
    /// Count these tasks of a plan.
    Tasks(Method, Size, Vec<usize>),
    /// Estimate how long a whole count would take.
    Sample(Method, Size),
}

/// A message from a pool worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WorkerReply {
    /// The worker is ready, and holds the lock with this name for as long as it lives.
    Ready(Option<String>),
    /// The results of the requested tasks.
    Done(Vec<Done<Tally>>),
    /// The number of seconds that a whole count would take in this worker.
    Sampled(Method, Size, f64),
    /// A request failed; the text gives the reason.
    Failed(String),
    /// A spot check found a wrong result.
    Wrong(WrongTask),
}

/// The shortest duration of a sample, in milliseconds, unless the plan has too few tasks.
pub const MIN_SAMPLE: f64 = 300.0;

/// The smallest number of tasks in a sample, unless the plan has fewer.
const MIN_TASKS: usize = 4;

/// Executes the requests to a worker. Holds the plan of the current count, and its counter.
#[derive(Default)]
pub struct TaskRunner(Option<(Plan, Counter)>);

impl TaskRunner {
    /// Executes a request. `clock` returns milliseconds.
    pub fn execute(&mut self, request: WorkerRequest, clock: impl Fn() -> f64) -> WorkerReply {
        let reply = match request {
            WorkerRequest::Tasks(method, size, tasks) => self.count(method, size, tasks, clock),
            WorkerRequest::Sample(method, size) => self.sample(method, size, clock),
        };
        reply.unwrap_or_else(|error| WorkerReply::Failed(error.to_string()))
    }

    fn plan_and_counter(&mut self, method: Method, size: Size) -> &mut (Plan, Counter) {
        let fits = |(plan, _): &(Plan, Counter)| (plan.method(), plan.size()) == (method, size);
        let fitting = self.0.take_if(|plan_and_counter| fits(plan_and_counter));
        self.0.insert(fitting.unwrap_or_else(|| {
            let plan = Plan::new(size, method);
            let counter = plan.counter(Form::Recursive, ISA);
            (plan, counter)
        }))
    }

    fn count(
        &mut self,
        method: Method,
        size: Size,
        tasks: Vec<usize>,
        clock: impl Fn() -> f64,
    ) -> Result<WorkerReply, TaskError> {
        let (plan, counter) = self.plan_and_counter(method, size);
        let mut start = clock();
        let done = tasks.into_iter().map(|task| {
            let result = counter.count(plan, task)?;
            let now = clock();
            let took = milliseconds(now - start);
            start = now;
            Ok(Done { task, result, took })
        });
        done.collect::<Result<_, _>>().map(WorkerReply::Done)
    }

    fn sample(
        &mut self,
        method: Method,
        size: Size,
        clock: impl Fn() -> f64,
    ) -> Result<WorkerReply, TaskError> {
        let (plan, counter) = self.plan_and_counter(method, size);
        let tasks = shuffled(plan);
        // The first task that a counter counts also fills tables and makes the browser compile code,
        // so one task is counted before the measurement.
        if let Some(&task) = tasks.last() {
            counter.sample_task(plan, task, || {})?;
        }
        let (start, mut sample) = (clock(), Sample::default());
        for task in tasks {
            let (task_start, mut prepared) = (clock(), 0.0);
            if sample.tasks() >= MIN_TASKS && task_start - start > MIN_SAMPLE {
                break;
            }
            let observed = counter.sample_task(plan, task, || prepared = clock() - task_start)?;
            sample.add(observed, milliseconds(clock() - task_start), milliseconds(prepared));
        }
        Ok(WorkerReply::Sampled(method, size, sample.estimate(plan.len()).seconds))
    }
}

/// Returns all task indices of a plan in a shuffled order, for samples.
pub fn shuffled(plan: &Plan) -> Vec<usize> {
    let mut tasks: Vec<usize> = (0..plan.len()).collect();
    // The seed is fixed, so two estimates differ only by the speed of the machine.
    let mut state = 1_u64;
    choose(&mut tasks, usize::MAX, |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    });
    tasks
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::time::Duration;

    /// Returns a clock that advances by a millisecond with each reading.
    fn clock(now: &Cell<f64>) -> impl Fn() -> f64 {
        || now.replace(now.get() + 1.0)
    }

    #[test]
    fn tasks_in_batches_add_up_to_the_total() {
        let (mut runner, now) = (TaskRunner::default(), Cell::new(0.0));
        // The method and size change in between, and the first pair comes back.
        for (method, n, total) in
            [(Method::Colours, 9, 352), (Method::Symmetry, 8, 92), (Method::Colours, 9, 352)]
        {
            let size = Size::new(n).unwrap();
            let all: Vec<usize> = (0..Plan::new(size, method).len()).collect();
            let mut sum = Tally::default();
            for batch in all.chunks(7) {
                let request = WorkerRequest::Tasks(method, size, batch.to_vec());
                let WorkerReply::Done(done) = runner.execute(request, clock(&now)) else {
                    panic!()
                };
                assert!(done.iter().map(|done| done.task).eq(batch.iter().copied()));
                for done in done {
                    assert_eq!(done.took, Duration::from_millis(1));
                    sum = sum.checked_add(done.result).unwrap();
                }
            }
            assert_eq!(sum.total(), Some(total));
        }
    }

    #[test]
    fn a_sample_estimates_the_whole_count() {
        let (mut runner, now) = (TaskRunner::default(), Cell::new(0.0));
        let size = Size::new(14).unwrap();
        let tasks = Plan::new(size, Method::Symmetry).len() as f64;
        let request = WorkerRequest::Sample(Method::Symmetry, size);
        let WorkerReply::Sampled(_, _, seconds) = runner.execute(request, clock(&now)) else {
            panic!()
        };
        assert!((seconds - tasks / 1000.0).abs() < 1e-6, "{seconds} for {tasks} tasks of 1 ms");
        assert!(now.get() < 2.0 * MIN_SAMPLE, "{} ms", now.get());
    }

    #[test]
    fn names_a_task_that_cannot_be_counted() {
        let size = Size::new(8).unwrap();
        let request = WorkerRequest::Tasks(Method::Symmetry, size, vec![99_999]);
        let WorkerReply::Failed(reason) = TaskRunner::default().execute(request, || 0.0) else {
            panic!()
        };
        assert!(reason.contains("99999"), "{reason}");
    }
}
