//! The processor's threads.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Instant,
};

use queens_core::{
    Done, Form, Method, Plan, Tally, TaskError,
    document::{Backend as Record, BackendKind},
    halves::Isa,
};

use super::{Backend, BackendError, Orders, RunError};
use crate::{host::Host, isa};

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

    fn form(&self) -> Form {
        self.form
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn start(&self, plan: Arc<Plan>, orders: Orders<Tally>) -> Result<(), BackendError> {
        let counter = plan.counter(self.form, self.isa.unwrap_or(Isa::PORTABLE));
        workers_on_threads(self.threads, orders, move || {
            let (plan, mut counter) = (Arc::clone(&plan), counter.clone());
            move |task| counter.count(&plan, task)
        })
    }
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
            // Whatever a panic leaves behind, this thread does not go on with it.
            match catch_unwind(AssertUnwindSafe(|| work(task))) {
                Ok(Ok(result)) => orders.done(Done { task, result, took: clock.elapsed() }),
                Ok(Err(error)) => return orders.fail(error),
                Err(panic) => {
                    let reason = words_of(&*panic);
                    return orders.fail(RunError::BrokeDown { task, reason });
                }
            }
        }
    });
    Ok(())
}

/// What a panic said.
fn words_of(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().copied();
    let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    words.unwrap_or("it panicked without a word").to_owned()
}
