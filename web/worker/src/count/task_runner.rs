//! Counts tasks in one worker.

use crate::clock::milliseconds;
use queens_core::{Counter, Done, Form, Isa, Method, Plan, Size, Tally, TaskError};
use serde::{Deserialize, Serialize};

use crate::protocol::WrongTask;

/// The instruction set of counts in this build.
pub const ISA: Isa = {
    #[cfg(target_arch = "wasm32")]
    let isa = Isa::SIMD128;
    #[cfg(not(target_arch = "wasm32"))]
    let isa = Isa::BUILT_IN;
    isa
};

/// A request to a pool worker: count these tasks of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerRequest {
    pub method: Method,
    pub size: Size,
    pub tasks: Vec<usize>,
}

/// A message from a pool worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WorkerReply {
    /// The worker is ready, and holds the lock with this name for as long as it lives.
    Ready(Option<String>),
    /// The results of the requested tasks.
    Done(Vec<Done<Tally>>),
    /// A request failed; the text gives the reason.
    Failed(String),
    /// A spot check found a wrong result.
    Wrong(WrongTask),
}

/// Executes the requests to a worker. Holds the plan of the current count, and its counter.
#[derive(Default)]
pub struct TaskRunner(Option<(Plan, Counter)>);

impl TaskRunner {
    /// Executes a request. `clock` returns milliseconds.
    pub fn execute(&mut self, request: WorkerRequest, clock: impl Fn() -> f64) -> WorkerReply {
        let reply = self.count(request, clock);
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
        WorkerRequest { method, size, tasks }: WorkerRequest,
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
                let request = WorkerRequest { method, size, tasks: batch.to_vec() };
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
    fn names_a_task_that_cannot_be_counted() {
        let size = Size::new(8).unwrap();
        let request = WorkerRequest { method: Method::Symmetry, size, tasks: vec![99_999] };
        let WorkerReply::Failed(reason) = TaskRunner::default().execute(request, || 0.0) else {
            panic!()
        };
        assert!(reason.contains("99999"), "{reason}");
    }
}
