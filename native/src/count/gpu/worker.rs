//! The threads that feed cards.

use std::{
    ops::Range,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use queens_core::{Plan, Tally};

use super::{Card, Device, DeviceError, MAX_CHILDREN, Root};
use crate::count::{BackendError, Done, Orders};

/// A launch that takes about this long shows progress, stops soon and lets a desktop breathe.
const LAUNCH: Duration = Duration::from_millis(100);

/// A batch of tasks that takes about this long loses little when it is stopped.
const BATCH: Duration = Duration::from_millis(400);

/// The first batch, before it is known how long a task takes, and the largest one.
const FIRST_BATCH: usize = 32;
const LARGEST_BATCH: usize = 4096;

/// The first launch, in nodes.
const FIRST_LAUNCH: u32 = 1 << 16;

/// All threads that work on one count.
pub(super) struct Crew {
    plan: Arc<Plan>,
    orders: Orders<Tally>,
    state: Mutex<State>,
    changed: Condvar,
    failures: Arc<Mutex<Vec<String>>>,
}

struct State {
    /// Threads that have not ended.
    workers: usize,
    /// Threads that hold a batch, which they may yet have to give back.
    busy: usize,
}

impl Crew {
    pub(super) fn new(
        plan: Arc<Plan>,
        orders: Orders<Tally>,
        workers: usize,
        failures: Arc<Mutex<Vec<String>>>,
    ) -> Arc<Crew> {
        let state = Mutex::new(State { workers, busy: 0 });
        Arc::new(Crew { plan, orders, state, changed: Condvar::new(), failures })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on `card` until no task is left or the card fails. What a failed card had taken goes
    /// to the others; the last one to fail ends the count.
    pub(super) fn work(&self, card: &dyn Card) {
        let outcome = card.open().and_then(|mut device| self.work_on(&mut *device));
        let mut state = self.state();
        state.workers -= 1;
        let nobody_left = state.workers == 0;
        drop(state);
        let Err(DeviceError(reason)) = outcome else { return };
        let error = BackendError::Failed { device: card.name(), reason };
        if nobody_left {
            self.orders.fail(error);
        } else {
            self.failures.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
        }
    }

    fn work_on(&self, device: &mut dyn Device) -> Result<(), DeviceError> {
        let mut batch = Pace::new(FIRST_BATCH, LARGEST_BATCH, BATCH);
        let mut launch = Pace::new(FIRST_LAUNCH as usize, u32::MAX as usize, LAUNCH);
        while let Some(tasks) = self.take(batch.size) {
            let clock = Instant::now();
            let counted = Batch { crew: self, device, launch: &mut launch }.count(&tasks);
            let took = clock.elapsed();
            match &counted {
                Ok(Some(tallies)) => self.report(&tasks, tallies, took),
                Ok(None) => {}
                Err(_) => self.orders.give_back(&tasks),
            }
            // Only now, or others might think that nothing is left.
            self.state().busy -= 1;
            self.changed.notify_all();
            if counted?.is_none() {
                return Ok(());
            }
            batch.learn(tasks.len(), took);
        }
        Ok(())
    }

    /// The next batch. While there is none, others may still give theirs back.
    fn take(&self, most: usize) -> Option<Vec<usize>> {
        let mut state = self.state();
        loop {
            // An even share of what is left, so that no thread idles while another one works
            // through the last large batch.
            let share = self.orders.left().div_ceil(2 * state.workers.max(1)).max(1);
            let tasks = self.orders.take(most.min(share));
            if !tasks.is_empty() {
                state.busy += 1;
                return Some(tasks);
            }
            if state.busy == 0 || self.orders.stopped() {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn report(&self, tasks: &[usize], tallies: &[Tally], took: Duration) {
        let share = took / u32::try_from(tasks.len()).unwrap_or(u32::MAX).max(1);
        for (&task, &result) in tasks.iter().zip(tallies) {
            self.orders.done(Done { task, result, took: share });
        }
    }
}

/// One batch on one device.
struct Batch<'a> {
    crew: &'a Crew,
    device: &'a mut dyn Device,
    launch: &'a mut Pace,
}

impl Batch<'_> {
    /// The tallies of `tasks`, or nothing if the count was stopped meanwhile.
    fn count(&mut self, tasks: &[usize]) -> Result<Option<Vec<Tally>>, DeviceError> {
        let plan = &self.crew.plan;
        let mut roots = Vec::with_capacity(tasks.len());
        let mut rows = 0;
        for (slot, &task) in (0..).zip(tasks) {
            let starts = plan.starts(task);
            rows = starts.first().map_or(rows, |start| start.columns_from_right().len() as u32);
            roots.extend(starts.iter().filter_map(|start| Root::new(start, slot)));
        }
        self.device.begin(&roots, tasks.len())?;
        let levels = levels(plan.size().get(), rows);
        let roots = 0..u32::try_from(roots.len()).unwrap_or(u32::MAX);
        if !self.descend(0, levels, roots)? {
            return Ok(None);
        }
        Ok(Some(self.device.tallies()?))
    }

    /// Expands the nodes of a level and searches what comes out of the last one, range by range.
    /// `false` if the count was stopped meanwhile.
    fn descend(
        &mut self,
        level: usize,
        levels: usize,
        nodes: Range<u32>,
    ) -> Result<bool, DeviceError> {
        let mut next = nodes.start;
        while next < nodes.end {
            if self.crew.orders.stopped() {
                return Ok(false);
            }
            let most = match level < levels {
                true => (self.device.capacity() / MAX_CHILDREN).max(1),
                false => u32::try_from(self.launch.size).unwrap_or(u32::MAX),
            };
            let range = next..nodes.end.min(next.saturating_add(most));
            next = range.end;
            if level < levels {
                let children = self.device.expand(level, range)?;
                if !self.descend(level + 1, levels, 0..children)? {
                    return Ok(false);
                }
            } else {
                let (clock, searched) = (Instant::now(), range.len());
                self.device.search(level, range)?;
                self.launch.learn(searched, clock.elapsed());
            }
        }
        Ok(true)
    }
}

/// How many levels of expansion make leaves that are small enough to balance thousands of lanes,
/// and large enough to be worth fetching.
fn levels(n: u32, rows: u32) -> usize {
    // Two thirds of the board is left to the search.
    (n / 3).saturating_sub(rows) as usize
}

/// Learns how much to do at once so that it takes a certain time.
struct Pace {
    size: usize,
    most: usize,
    time: Duration,
}

impl Pace {
    fn new(first: usize, most: usize, time: Duration) -> Pace {
        Pace { size: first, most, time }
    }

    /// `amount` took that long. The size at most quadruples, since the first pieces may be light.
    fn learn(&mut self, amount: usize, took: Duration) {
        // What was cut short by an end says nothing about larger sizes.
        if took < self.time && amount < self.size {
            return;
        }
        let ratio = self.time.as_secs_f64() / took.as_secs_f64().max(1e-6);
        let wanted = amount as f64 * ratio.clamp(0.0, 4.0);
        self.size = (wanted as usize).clamp(1, self.most);
    }
}
