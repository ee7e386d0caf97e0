//! The backend that counts on CPU threads.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{
    Counter, Done, Form, Isa, Method, Plan, Size, Tally, TaskError,
    document::{Backend as Record, BackendKind},
};

use super::{
    Backend, BackendError, RunError, TaskQueue, backend::SampleResult, runner::catch_panic,
};
use crate::{host::Host, journal::PartialTasks};

/// CPU threads, each of which takes the next task when it is free.
#[derive(Clone, Copy, Debug)]
pub struct Cpu {
    /// The number of threads, at least 1.
    pub threads: usize,
    /// The form of the method: recursive or iterative.
    pub form: Form,
    /// The instruction set, for methods that have several implementations.
    pub isa: Option<Isa>,
}

impl Cpu {
    /// Creates a backend for a plan, without threads that would have no task. Only the colour join uses the
    /// instruction set.
    pub fn new(threads: usize, form: Form, isa: Isa, plan: &Plan) -> Cpu {
        let isa = plan.method().stepped().is_none().then_some(isa);
        Cpu { threads: threads.min(plan.len()), form, isa }
    }

    /// Returns the upper limit of the memory per thread in bytes, or 0 if it is negligible.
    pub const fn memory_of_a_thread(size: Size, method: Method) -> u64 {
        match (method.stepped(), size.get()) {
            (Some(_), _) | (None, ..=18) => 0,
            (None, 19..=22) => 128 << 20,
            (None, 23..) => 256 << 20,
        }
    }

    /// Returns the number of threads that fit into `memory` bytes. If `memory` is 0, it is unknown and the
    /// number is not limited.
    pub fn max_threads(size: Size, method: Method, memory: u64) -> usize {
        let per_thread = Cpu::memory_of_a_thread(size, method);
        let max_threads = if memory > 0 { memory.checked_div(per_thread) } else { None };
        usize::try_from(max_threads.unwrap_or(u64::MAX)).unwrap_or(usize::MAX)
    }
}

impl Backend for Cpu {
    fn record(&self) -> Record {
        let mut detail = match self.threads {
            1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        };
        if let Some(isa) = self.isa {
            detail += &format!(", {isa}");
        }
        Record::new(BackendKind::Cpu, Host::get().cpu.as_str(), detail)
    }

    fn form(&self, _: Method) -> Form {
        self.form
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn start(
        &self,
        plan: Arc<Plan>,
        task_queue: TaskQueue<Tally>,
        partials: PartialTasks,
    ) -> Result<(), BackendError> {
        let counter = plan.counter(self.form, self.isa.unwrap_or(Isa::PORTABLE));
        on_threads(self.threads, task_queue, counter, move |counter, task| {
            count_with_partials(counter, &plan, task, &partials)
        })
    }

    fn start_sample(
        &self,
        plan: Arc<Plan>,
        task_queue: TaskQueue<SampleResult>,
    ) -> Result<(), BackendError> {
        let counter = plan.counter(self.form, self.isa.unwrap_or(Isa::PORTABLE));
        on_threads(self.threads, task_queue, counter, move |counter, task| {
            let (clock, mut prepared) = (Instant::now(), Duration::ZERO);
            let observed = counter.sample_task(&plan, task, || prepared = clock.elapsed())?;
            Ok(SampleResult { observed, prepared, memory: Some(counter.memory()) })
        })
    }
}

/// Counts a task, resumes it from its partial result, and records new partial results. Methods that place
/// queens have none.
fn count_with_partials(
    counter: &mut Counter,
    plan: &Plan,
    task: usize,
    partials: &PartialTasks,
) -> Result<Tally, TaskError> {
    let partial = partials.get(task);
    let earlier_time = partial.map_or(Duration::ZERO, |partial| partial.took);
    let (clock, mut last_recorded) = (Instant::now(), Instant::now());
    counter.count_resumable(plan, task, partial.map(|partial| partial.result), |result| {
        if last_recorded.elapsed() >= partials.interval() {
            last_recorded = Instant::now();
            partials.record(Done { task, result, took: earlier_time + clock.elapsed() });
        }
    })
}

/// Calls `work` for each task in `task_queue` on `threads` new threads. Returns at once. Each thread has its
/// own clone of `state`, whose buffers it can reuse for the next task. A task that fails or panics ends the
/// run.
pub fn on_threads<T: Send + 'static, S: Clone + Send + Sync + 'static>(
    threads: usize,
    task_queue: TaskQueue<T>,
    state: S,
    work: impl Fn(&mut S, usize) -> Result<T, TaskError> + Send + Sync + 'static,
) -> Result<(), BackendError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| BackendError::Threads { threads, reason: error.to_string() })?;
    pool.spawn_broadcast(move |_| {
        let mut state = state.clone();
        while let [task] = task_queue.take(1)[..] {
            let clock = Instant::now();
            match catch_panic(|| work(&mut state, task)) {
                Ok(Ok(result)) => task_queue.report(Done { task, result, took: clock.elapsed() }),
                Ok(Err(error)) => return task_queue.fail(error),
                Err(reason) => {
                    return task_queue.fail(RunError::Panicked { tasks: vec![task], reason });
                }
            }
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::run;
    use std::ops::ControlFlow;
    use std::sync::{Condvar, Mutex};

    #[test]
    fn each_thread_takes_a_task() {
        // Each task waits until all three have begun. A single thread would wait in vain.
        let (begun, all) = (Mutex::new(0), Condvar::new());
        let work = move |_: &mut (), _| {
            let mut count = begun.lock().unwrap();
            *count += 1;
            all.notify_all();
            let limit = Duration::from_secs(30);
            let (_count, wait) = all.wait_timeout_while(count, limit, |count| *count < 3).unwrap();
            Ok(!wait.timed_out())
        };
        let start = |task_queue| on_threads(3, task_queue, (), work);
        let results = run(vec![0, 1, 2], start, &mut |_| ControlFlow::Continue(())).unwrap();
        assert!(results.iter().all(|done| done.result));
    }

    #[test]
    fn resumes_a_task_from_its_partial_progress() {
        let (plan, task) = (Plan::new(Size::new(17).unwrap(), Method::Colours), 60);
        let plan = Arc::new(plan);
        let cpu = Cpu::new(1, Form::Recursive, Isa::PORTABLE, &plan);
        let count = |partials: &PartialTasks| {
            let start = |task_queue| cpu.start(Arc::clone(&plan), task_queue, partials.clone());
            run(vec![task], start, &mut |_| ControlFlow::Continue(())).unwrap()[0].result
        };
        let partials = PartialTasks::with_interval(Duration::ZERO);
        let whole = count(&partials);
        let last = partials.get(task).unwrap();
        let sets = whole.covered.unwrap().sets as usize;
        assert_eq!(whole.covered, plan.expected_coverage(task));
        assert!(
            (1..=sets)
                .any(|sets| last.result.covered == plan.expected_coverage_of_first(task, sets))
        );
        assert_eq!(partials.snapshot().len(), 1);
        // A partial result with a recognizable total, which shows in the result if it was used.
        let covered = plan.expected_coverage_of_first(task, sets.div_ceil(2));
        let result = Tally { single: 1_000_000_000, covered, ..Tally::default() };
        let took = Duration::from_secs(100);
        partials.record(Done { task, result, took });
        let other = count(&partials);
        assert_eq!(other.covered, whole.covered);
        let rest = other.single.checked_sub(result.single).unwrap();
        assert!(rest > 0 && rest < whole.single, "{rest} of {}", whole.single);
        assert!(partials.get(task).unwrap().took >= took);
        // With an interval longer than the task, no partial result is recorded.
        let partials = PartialTasks::with_interval(Duration::from_secs(1000));
        assert_eq!(count(&partials), whole);
        assert!(partials.snapshot().is_empty());
    }
}
