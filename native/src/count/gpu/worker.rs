//! The threads that feed cards.

use std::{
    collections::BTreeMap,
    ops::RangeInclusive,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use queens_core::{Plan, Tally};

use super::{Card, Device, DeviceError, Root, children};
use crate::count::{BackendError, Done, Orders};

/// A launch that takes about this long shows progress, stops soon and lets a desktop breathe.
const LAUNCH: Duration = Duration::from_millis(100);

/// A batch of tasks that takes about this long loses little when it is stopped.
const BATCH: Duration = Duration::from_millis(400);

/// The first batch, before it is known how long a task takes, and the largest one.
const FIRST_BATCH: usize = 32;
const LARGEST_BATCH: usize = 4096;

/// The first launch, in nodes.
const FIRST_LAUNCH: usize = 1 << 16;

/// What became of cards that failed while others went on, by the cards' numbers. What the other
/// queues of such a card then say adds nothing.
pub(super) type Failures = BTreeMap<usize, String>;

/// All threads that work on one count.
pub(super) struct Crew {
    plan: Arc<Plan>,
    orders: Orders<Tally>,
    state: Mutex<State>,
    changed: Condvar,
    failures: Arc<Mutex<Failures>>,
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
        failures: Arc<Mutex<Failures>>,
    ) -> Arc<Crew> {
        let state = Mutex::new(State { workers, busy: 0 });
        Arc::new(Crew { plan, orders, state, changed: Condvar::new(), failures })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on `card`, the one with this number, until no task is left or the card fails. What a
    /// failed card had taken goes to the others; the last one to fail ends the count.
    pub(super) fn work(&self, number: usize, card: &dyn Card) {
        let outcome = card.open().and_then(|mut device| self.work_on(&mut *device));
        let mut state = self.state();
        state.workers -= 1;
        // The others may have ended before, because they had done everything.
        let is_over = state.workers == 0 && self.orders.left() > 0;
        drop(state);
        let Err(DeviceError(reason)) = outcome else { return };
        let error = BackendError::Failed { device: card.name(), reason };
        if is_over {
            self.orders.fail(error);
        } else {
            let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
            failures.entry(number).or_insert_with(|| error.to_string());
        }
    }

    fn work_on(&self, device: &mut dyn Device) -> Result<(), DeviceError> {
        let mut batch = Pace::new(FIRST_BATCH, 1..=LARGEST_BATCH, BATCH);
        let smallest = device.smallest_launch();
        let mut launch =
            Pace::new(FIRST_LAUNCH.max(smallest), smallest..=u32::MAX as usize, LAUNCH);
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
        let n = plan.size().get();
        let open = n.saturating_sub(rows);
        let levels = self.device.levels(n, rows);
        let roots = u32::try_from(roots.len()).unwrap_or(u32::MAX);
        if !self.descend(Level { number: 0, open, below: levels }, roots)? {
            return Ok(None);
        }
        Ok(Some(self.device.tallies()?))
    }

    /// Searches everything below the first `nodes` nodes of a level: themselves, if it is the last
    /// one, or else what they expand to. `false` if the count was stopped meanwhile.
    fn descend(&mut self, level: Level, nodes: u32) -> Result<bool, DeviceError> {
        let Some(next) = level.next() else {
            return self.search(level, nodes);
        };
        let capacity = self.device.capacity();
        let children = children(level.open);
        // The next level is filled well before it is gone through, since the end of a launch,
        // when lanes run out of nodes, weighs less the more nodes there are.
        let full = capacity - capacity / 4;
        let (mut done, mut made) = (0, 0);
        while done < nodes {
            if self.crew.orders.stopped() {
                return Ok(false);
            }
            let most = ((capacity - made.min(capacity)) / children).max(1);
            let range = done..nodes.min(done.saturating_add(most));
            done = range.end;
            made = self.device.expand(level.number, range, made)?;
            if done == nodes || made > full || capacity - made < children {
                if !self.descend(next, made)? {
                    return Ok(false);
                }
                made = 0;
            }
        }
        Ok(true)
    }

    /// Searches the first `nodes` nodes of the last level, launch by launch.
    fn search(&mut self, level: Level, nodes: u32) -> Result<bool, DeviceError> {
        let mut done = 0;
        while done < nodes {
            if self.crew.orders.stopped() {
                return Ok(false);
            }
            let most = u32::try_from(self.launch.size).unwrap_or(u32::MAX);
            let range = done..nodes.min(done.saturating_add(most));
            done = range.end;
            let (clock, searched) = (Instant::now(), range.len());
            self.device.search(level.number, range)?;
            self.launch.learn(searched, clock.elapsed());
        }
        Ok(true)
    }
}

/// A level of nodes.
#[derive(Clone, Copy)]
struct Level {
    number: usize,
    /// The queens that its nodes lack.
    open: u32,
    /// The levels below it.
    below: usize,
}

impl Level {
    /// The level that its nodes expand into; `None` for the last one.
    fn next(self) -> Option<Level> {
        let below = self.below.checked_sub(1)?;
        Some(Level { number: self.number + 1, open: self.open.saturating_sub(1), below })
    }
}

/// Learns how much to do at once so that it takes a certain time (rate control).
struct Pace {
    size: usize,
    limits: RangeInclusive<usize>,
    time: Duration,
}

impl Pace {
    fn new(first: usize, limits: RangeInclusive<usize>, time: Duration) -> Pace {
        Pace { size: first, limits, time }
    }

    /// `amount` took that long. The size at most quadruples, since the first pieces may be light.
    fn learn(&mut self, amount: usize, took: Duration) {
        // What was cut short by an end says nothing about larger sizes.
        if took < self.time && amount < self.size {
            return;
        }
        let ratio = self.time.as_secs_f64() / took.as_secs_f64().max(1e-6);
        let wanted = amount as f64 * ratio.clamp(0.0, 4.0);
        self.size = (wanted as usize).clamp(*self.limits.start(), *self.limits.end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{
        Backend, RunError,
        gpu::{Gpus, MAX_CHILDREN},
        run,
    };
    use queens_core::{Form, Method, Size, document::BackendKind};
    use std::{
        ops::{ControlFlow, Range},
        sync::atomic::{AtomicUsize, Ordering},
    };

    /// A card whose nodes are the tasks themselves. Each expansion makes three nodes of one, of
    /// which only the first is searched.
    struct Paper {
        plan: Arc<Plan>,
        /// The calls after which it fails.
        fails_after: usize,
        calls: Arc<AtomicUsize>,
        capacity: u32,
    }

    struct Sheet {
        plan: Arc<Plan>,
        fails_after: usize,
        calls: Arc<AtomicUsize>,
        capacity: u32,
        levels: Vec<Vec<Option<usize>>>,
        tallies: Vec<Tally>,
        tasks: Vec<usize>,
    }

    impl Card for Paper {
        fn name(&self) -> String {
            "paper".into()
        }

        fn detail(&self) -> String {
            "by hand".into()
        }

        fn lanes(&self) -> Option<u32> {
            None
        }

        fn open(&self) -> Result<Box<dyn Device>, DeviceError> {
            Ok(Box::new(Sheet {
                plan: Arc::clone(&self.plan),
                fails_after: self.fails_after,
                calls: Arc::clone(&self.calls),
                capacity: self.capacity,
                levels: vec![],
                tallies: vec![],
                tasks: vec![],
            }))
        }
    }

    impl Sheet {
        fn call(&self) -> Result<(), DeviceError> {
            if self.calls.fetch_add(1, Ordering::Relaxed) >= self.fails_after {
                return Err(DeviceError("the paper is torn".into()));
            }
            Ok(())
        }
    }

    impl Device for Sheet {
        fn capacity(&self) -> u32 {
            self.capacity
        }

        fn levels(&self, _: u32, _: u32) -> usize {
            2
        }

        fn begin(&mut self, roots: &[Root], slots: usize) -> Result<(), DeviceError> {
            self.call()?;
            // A root is found again by its queens.
            let task_of = |root: &Root| {
                (0..self.plan.len()).find(|&task| {
                    let starts = self.plan.starts(task);
                    starts.iter().any(|start| {
                        let slot = root.words()[13];
                        Root::new(start, slot).as_ref() == Some(root)
                    })
                })
            };
            self.tasks = roots.iter().map(|root| task_of(root).unwrap()).collect();
            self.levels = vec![(0..roots.len()).map(Some).collect()];
            self.tallies = vec![Tally::default(); slots];
            Ok(())
        }

        fn expand(
            &mut self,
            level: usize,
            nodes: Range<u32>,
            behind: u32,
        ) -> Result<u32, DeviceError> {
            self.call()?;
            let range = nodes.start as usize..nodes.end as usize;
            let children: Vec<_> =
                self.levels[level][range].iter().flat_map(|&node| [None, node, None]).collect();
            self.levels.resize(self.levels.len().max(level + 2), vec![]);
            let next = &mut self.levels[level + 1];
            next.truncate(behind as usize);
            next.extend(children);
            assert!(next.len() as u32 <= self.capacity);
            Ok(next.len() as u32)
        }

        fn search(&mut self, level: usize, nodes: Range<u32>) -> Result<(), DeviceError> {
            self.call()?;
            for node in
                self.levels[level][nodes.start as usize..nodes.end as usize].iter().flatten()
            {
                let tally = self.plan.count(self.tasks[*node], Form::Recursive).unwrap();
                self.tallies[*node] = self.tallies[*node].checked_add(tally).unwrap();
            }
            Ok(())
        }

        fn tallies(&mut self) -> Result<Vec<Tally>, DeviceError> {
            self.call()?;
            Ok(self.tallies.clone())
        }
    }

    fn plan() -> Arc<Plan> {
        Arc::new(Plan::new(Size::new(11).unwrap(), Method::Symmetry))
    }

    fn card(plan: &Arc<Plan>, fails_after: usize, capacity: u32) -> Arc<dyn Card> {
        let calls = Arc::default();
        Arc::new(Paper { plan: Arc::clone(plan), fails_after, calls, capacity })
    }

    /// The representatives that the cards count, and what the backend says of itself.
    fn counted(plan: &Arc<Plan>, cards: Vec<Arc<dyn Card>>) -> Result<(u64, String), RunError> {
        let gpus = Gpus::new(BackendKind::Cuda, cards);
        let start = |orders| gpus.start(Arc::clone(plan), orders);
        let ids = (0..plan.len()).collect();
        let done = run(ids, start, &mut |_| ControlFlow::Continue(()))?;
        let total = done.iter().map(|done| done.result.total().unwrap()).sum();
        Ok((total, gpus.record().detail))
    }

    #[test]
    fn every_task_is_counted_once_whatever_fits_the_buffers() {
        let plan = plan();
        for capacity in [MAX_CHILDREN, 100, 1000, u32::MAX] {
            let cards = vec![card(&plan, usize::MAX, capacity)];
            assert_eq!(counted(&plan, cards).unwrap(), (2680, "by hand".into()), "{capacity}");
        }
    }

    #[test]
    fn cards_go_on_when_one_of_them_fails() {
        let plan = plan();
        for fails_after in 0..30 {
            let cards = vec![card(&plan, fails_after, 999), card(&plan, usize::MAX, 999)];
            let (total, detail) = counted(&plan, cards).unwrap();
            assert_eq!(total, 2680, "after {fails_after} calls");
            assert!(detail.starts_with("2 cards, by hand"), "{detail}");
        }
    }

    #[test]
    fn the_last_card_to_fail_ends_the_count() {
        let plan = plan();
        let error = counted(&plan, vec![card(&plan, 3, 999), card(&plan, 5, 999)]).unwrap_err();
        assert_eq!(error.to_string(), "paper failed: the paper is torn");
    }

    #[test]
    fn a_pace_settles_where_the_time_is_right() {
        let mut pace = Pace::new(100, 1..=1_000_000, Duration::from_millis(100));
        for _ in 0..20 {
            let amount = pace.size;
            pace.learn(amount, Duration::from_micros(amount as u64));
        }
        assert_eq!(pace.size, 100_000);
        pace.learn(10, Duration::from_micros(10));
        assert_eq!(pace.size, 100_000, "a short rest says nothing");
        pace.learn(1, Duration::from_secs(1000));
        assert_eq!(pace.size, 1);
    }
}
