//! Counting on GPUs: what CUDA and wgpu have in common.
//!
//! A GPU searches thousands of small boards at once, so the host cuts tasks up: each task's start
//! becomes a node, nodes are expanded level by level, and what comes out of the last level is
//! searched to the end. All of that happens on the device; the host only says which range of which
//! level is next, so that no buffer overflows, no launch takes long, and progress can be shown.
//! `shaders/README.md` explains the kernels.

mod device;
mod root;
mod worker;

pub use device::{Card, Device, DeviceError, Found, MAX_CHILDREN, children};
pub use root::Root;

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use queens_core::{
    Form, Method, Plan, Size, Tally,
    document::{Backend as Record, BackendKind},
};

use super::{Backend, BackendError, Orders};
use worker::{Crew, Failures};

/// Queues of commands on each card. While one is copied to or read from, the other one's kernels
/// run, and they fill the multiprocessors that the end of a launch leaves idle.
const QUEUES_PER_CARD: usize = 2;

/// How long the end waits for launches that are under way.
const LAST_LAUNCHES: Duration = Duration::from_secs(2);

/// The boards that are large enough to be divided.
const SMALLEST: u32 = 4;

/// Cards that share one queue of tasks.
pub struct Gpus {
    kind: BackendKind,
    cards: Vec<Arc<dyn Card>>,
    queues_per_card: usize,
    failures: Arc<Mutex<Failures>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Gpus {
    /// A backend of `cards`, all of one kind, at least one.
    pub fn new(kind: BackendKind, cards: Vec<Arc<dyn Card>>) -> Gpus {
        // One lane is for looking at what one lane does.
        let one_lane = cards.iter().any(|card| card.lanes() == Some(1));
        let queues_per_card = if one_lane { 1 } else { QUEUES_PER_CARD };
        Gpus { kind, cards, queues_per_card, failures: Arc::default(), threads: Mutex::default() }
    }

    /// Why a GPU does not count this board by this method; `None` if it does.
    pub fn refuses(size: Size, method: Method) -> Option<String> {
        match () {
            () if method != Method::Symmetry => Some(format!(
                "GPUs count by the method {} only; `--backend cpu` counts by {method}",
                Method::Symmetry
            )),
            () if size.get() < SMALLEST => Some(format!(
                "N = {size} is too small to be divided among the lanes of a GPU, which takes \
                 N = {SMALLEST} or more; `--backend cpu` counts it"
            )),
            () => None,
        }
    }
}

impl Backend for Gpus {
    fn record(&self) -> Record {
        let mut names: Vec<_> = self.cards.iter().map(|card| card.name()).collect();
        names.dedup();
        let mut detail: Vec<String> = match self.cards.len() {
            0 | 1 => vec![],
            cards => vec![format!("{cards} cards")],
        };
        detail.extend(self.cards.first().map(|card| card.detail()));
        if let Some(lanes) = self.cards.first().and_then(|card| card.lanes()) {
            detail.push(if lanes == 1 { "1 lane".into() } else { format!("{lanes} lanes") });
        }
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        detail.extend(failures.values().cloned());
        Record::new(self.kind, names.join(", "), detail.join(", "))
    }

    fn form(&self) -> Form {
        Form::Iterative
    }

    fn threads(&self) -> usize {
        self.cards.len() * self.queues_per_card
    }

    fn order(&self, plan: &Plan) -> Vec<usize> {
        // The lanes of a GPU go side by side only while they search alike, as neighbours do.
        (0..plan.len()).collect()
    }

    fn start(&self, plan: Arc<Plan>, orders: Orders<Tally>) -> Result<(), BackendError> {
        let crew = Crew::new(plan, orders, self.threads(), Arc::clone(&self.failures));
        for (number, card) in self.cards.iter().enumerate() {
            for _ in 0..self.queues_per_card {
                let (card, crew) = (Arc::clone(card), Arc::clone(&crew));
                let worker = move || crew.work(number, &*card);
                let thread = thread::Builder::new()
                    .name(format!("{} queue", self.kind.id()))
                    .spawn(worker)
                    .map_err(|error| BackendError::Threads {
                        threads: self.threads(),
                        reason: error.to_string(),
                    })?;
                self.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
            }
        }
        Ok(())
    }
}

impl Drop for Gpus {
    /// Waits for the threads, which end after the launch they are in once a count is over: a driver
    /// that is at work may crash where the process ends under it.
    fn drop(&mut self) {
        let threads = self.threads.get_mut().unwrap_or_else(PoisonError::into_inner);
        let end = Instant::now() + LAST_LAUNCHES;
        while threads.iter().any(|thread| !thread.is_finished()) && Instant::now() < end {
            thread::sleep(Duration::from_millis(5));
        }
    }
}
