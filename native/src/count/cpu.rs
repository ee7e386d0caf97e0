//! The processor's threads.

use std::{sync::Arc, time::Instant};

use queens_core::{
    Form, Method, Plan, Size, Tally,
    document::{Backend as Record, BackendKind},
};

use super::{Backend, BackendError, Done, Orders};
use crate::host::Host;

/// Threads that take up tasks as they become free.
#[derive(Clone, Copy, Debug)]
pub struct Cpu {
    /// The number of threads, at least 1.
    pub threads: usize,
    /// The writing of the method that runs.
    pub form: Form,
}

impl Backend for Cpu {
    fn record(&self) -> Record {
        let detail = match self.threads {
            1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        };
        Record::new(BackendKind::Cpu, Host::ask().cpu, detail)
    }

    fn form(&self) -> Form {
        self.form
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn refusal(&self, _: Size, _: Method) -> Option<String> {
        None
    }

    fn start(&self, plan: Arc<Plan>, orders: Orders<Tally>) -> Result<(), BackendError> {
        let form = self.form;
        // The plan has every task that is ordered.
        on_threads(self.threads, orders, move |task| plan.count(task, form).unwrap_or_default())
    }
}

/// Does `work` for every ordered task on `threads` threads of their own; returns at once.
///
/// # Errors
/// [`BackendError::Threads`] if the system gives no threads.
pub fn on_threads<T: Send + 'static>(
    threads: usize,
    orders: Orders<T>,
    work: impl Fn(usize) -> T + Send + Sync + 'static,
) -> Result<(), BackendError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| BackendError::Threads { threads, reason: error.to_string() })?;
    pool.spawn_broadcast(move |_| {
        while let [task] = orders.take(1)[..] {
            let clock = Instant::now();
            let result = work(task);
            orders.done(Done { task, result, took: clock.elapsed() });
        }
    });
    Ok(())
}
