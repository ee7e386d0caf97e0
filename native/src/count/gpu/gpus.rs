//! Cards as a backend.

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use queens_core::{
    Form, Method, Plan, Size, Tally,
    document::{Backend as Record, BackendKind},
};

use super::{Crew, Failures, TreeCard, TreeSearch};
use crate::{
    count::{Backend, BackendError, Orders},
    journal::InWork,
    lock::lock,
};

/// Queues of commands on each card. While one is copied to or read from, the other one's kernels
/// run, and they fill the multiprocessors that the end of a launch leaves idle.
const QUEUES_PER_CARD: usize = 2;

/// How long the end waits for launches that are under way.
const LAST_LAUNCHES: Duration = Duration::from_secs(2);

/// Cards that share one queue of tasks.
pub struct Gpus {
    kind: BackendKind,
    cards: Vec<Arc<dyn TreeCard>>,
    queues_per_card: usize,
    failures: Arc<Mutex<Failures>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Gpus {
    /// A backend of `cards`, all of one kind, at least one.
    pub fn new(kind: BackendKind, cards: Vec<Arc<dyn TreeCard>>) -> Gpus {
        // One lane is for looking at what one lane does.
        let one_lane = cards.iter().any(|card| card.lanes() == Some(1));
        let queues_per_card = if one_lane { 1 } else { QUEUES_PER_CARD };
        Gpus { kind, cards, queues_per_card, failures: Arc::default(), threads: Mutex::default() }
    }

    /// Why a GPU does not count this board by this method; `None` if it does.
    pub fn refuses(size: Size, method: Method) -> Option<String> {
        TreeSearch::refuses(size, method)
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
        detail.extend(lock(&self.failures).values().cloned());
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

    fn start(&self, plan: Arc<Plan>, orders: Orders<Tally>, _: InWork) -> Result<(), BackendError> {
        let work = TreeSearch::new(plan);
        let crew = Crew::new(work, orders, self.threads(), Arc::clone(&self.failures));
        for (number, card) in self.cards.iter().enumerate() {
            for _ in 0..self.queues_per_card {
                let (card, crew) = (Arc::clone(card), Arc::clone(&crew));
                let thread = thread::Builder::new()
                    .name(format!("{} queue", self.kind.id()))
                    .spawn(move || crew.run(number, &*card))
                    .map_err(|error| BackendError::Threads {
                        threads: self.threads(),
                        reason: error.to_string(),
                    })?;
                lock(&self.threads).push(thread);
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
