//! The processor's threads.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use queens_core::{
    Counter, Done, Form, Method, Plan, Size, Tally, TaskError,
    document::{Backend as Record, BackendKind},
    halves::Isa,
};

use super::{Backend, BackendError, Orders, RunError, runner::caught};
use crate::{host::Host, isa, journal::InWork};

/// Threads that take up tasks as they become free.
#[derive(Clone, Copy, Debug)]
pub struct Cpu {
    /// The number of threads, at least 1.
    pub threads: usize,
    /// The writing of the method that runs.
    pub form: Form,
    /// The instruction set, for methods that are written for several.
    pub isa: Option<Isa>,
}

impl Cpu {
    /// Threads with the processor's best instruction set, if the method knows any.
    pub fn new(threads: usize, form: Form, method: Method) -> Cpu {
        Cpu { threads, form, isa: (method == Method::Halves).then(isa::best) }
    }
}

impl Cpu {
    /// The memory in bytes that each thread takes at most; 0 where it is too little to ask about.
    ///
    /// Half-board matching makes lists of no more than this in parts.
    pub const fn memory_of_a_thread(size: Size, method: Method) -> u64 {
        match (method, size.get()) {
            (Method::Halves, 22) => 64 << 20,
            (Method::Halves, 23) => 128 << 20,
            (Method::Halves, 24..) => 256 << 20,
            _ => 0,
        }
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
        Record::new(BackendKind::Cpu, Host::ask().cpu.as_str(), detail)
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
        orders: Orders<Tally>,
        in_work: InWork,
    ) -> Result<(), BackendError> {
        let counter = plan.counter(self.form, self.isa.unwrap_or(Isa::PORTABLE));
        workers_on_threads(self.threads, orders, move || {
            let (plan, mut counter) = (Arc::clone(&plan), counter.clone());
            let in_work = in_work.clone();
            move |task| count_noting(&mut counter, &plan, task, &in_work)
        })
    }
}

/// Counts what is left of a task, and notes now and then how far it is.
fn count_noting(
    counter: &mut Counter,
    plan: &Plan,
    task: usize,
    in_work: &InWork,
) -> Result<Tally, TaskError> {
    let before = in_work.of(task);
    let took = before.map_or(Duration::ZERO, |before| before.took);
    let begun = Instant::now();
    let mut noted = begun;
    counter.go_on(plan, task, before.map(|before| before.result), |result| {
        let now = Instant::now();
        if now - noted >= in_work.every() {
            noted = now;
            in_work.note(Done { task, result, took: took + (now - begun) });
        }
    })
}

/// Does `work` for every ordered task on `threads` threads of their own; returns at once.
///
/// # Errors
/// [`BackendError::Threads`] if the system gives no threads.
pub fn on_threads<T: Send + 'static>(
    threads: usize,
    orders: Orders<T>,
    work: impl Fn(usize) -> Result<T, TaskError> + Send + Sync + 'static,
) -> Result<(), BackendError> {
    let work = Arc::new(work);
    workers_on_threads(threads, orders, move || {
        let work = Arc::clone(&work);
        move |task| work(task)
    })
}

/// The same with a worker that each thread makes itself, for work that keeps something from one
/// task to the next. A task that fails or panics ends the run.
///
/// # Errors
/// [`BackendError::Threads`] if the system gives no threads.
pub fn workers_on_threads<T: Send + 'static, W: FnMut(usize) -> Result<T, TaskError>>(
    threads: usize,
    orders: Orders<T>,
    worker: impl Fn() -> W + Send + Sync + 'static,
) -> Result<(), BackendError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| BackendError::Threads { threads, reason: error.to_string() })?;
    pool.spawn_broadcast(move |_| {
        let mut work = worker();
        while let [task] = orders.take(1)[..] {
            let clock = Instant::now();
            match caught(|| work(task)) {
                Ok(Ok(result)) => orders.done(Done { task, result, took: clock.elapsed() }),
                Ok(Err(error)) => return orders.fail(error),
                Err(reason) => {
                    return orders.fail(RunError::BrokeDown { tasks: vec![task], reason });
                }
            }
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_gone_on_with_where_it_is() {
        let plan = Plan::new(Size::new(17).unwrap(), Method::Halves);
        let mut counter = plan.counter(Form::Recursive, isa::best());
        let in_work = InWork::noted_every(Duration::ZERO);
        let whole = count_noting(&mut counter, &plan, 9, &in_work).unwrap();
        let last = in_work.of(9).unwrap();
        assert_eq!((last.result, whole.covered), (whole, plan.covered(9)));
        assert_eq!(in_work.all().len(), 1);
        // Half of it, with a total that tells whether that was taken.
        let covered = plan.covered_by_first(9, 5);
        let result = Tally { single: 1_000_000_000, covered, ..Tally::default() };
        let took = Duration::from_secs(100);
        in_work.note(Done { task: 9, result, took });
        let other = count_noting(&mut counter, &plan, 9, &in_work).unwrap();
        assert_eq!(other.covered, whole.covered);
        assert!(other.single > result.single && other.single < result.single + whole.single);
        assert!(in_work.of(9).unwrap().took > took);
        // Nothing is noted of what takes no time.
        let in_work = InWork::noted_every(Duration::from_secs(1000));
        assert_eq!(count_noting(&mut counter, &plan, 9, &in_work), Ok(whole));
        assert!(in_work.all().is_empty());
    }
}
