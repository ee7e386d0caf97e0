//! Column sets of the largest boards with so large a key that few of their placements are left:
//! what behaves like a GPU counts them in seconds.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use queens_core::halves::{Counter, Isa};
use queens_core::{Method, Plan, Size};
use queens_gpu::halves::{Choice, Guide, Halves, Queue};

/// A column set, by the place that it has in its task.
#[derive(Clone, Copy, Debug)]
pub struct LightSet {
    n: u32,
    task: usize,
    place: usize,
}

/// Some of boards that are too large for whole tasks. The boards are even, because on odd boards a
/// key decides about one half alone. An odd board has strips of as many rows as the even one before it.
pub const LIGHT_SETS: [LightSet; 3] = [
    LightSet { n: 24, task: 2271, place: 9 },
    LightSet { n: 26, task: 10634, place: 23 },
    LightSet { n: 28, task: 17892, place: 2 },
];

impl LightSet {
    /// Room for all elements of its lists; on one board only for parts of them.
    pub fn some_room(self) -> u32 {
        if self.n == 24 { 1 << 14 } else { 1 << 22 }
    }

    /// Counts it, with no more elements of lists at a time than these, and compares that with the
    /// core's count.
    pub fn compare(self, mut queue: Queue, elements: u32) -> Result<()> {
        let LightSet { n, task, place } = self;
        let plan = Arc::new(Plan::new(Size::new(n)?, Method::Halves));
        let sets = plan.column_sets(task).and_then(|mut sets| sets.nth(place));
        let sets = sets.context("there is no such set")?;
        let counter = Counter::new(plan.size(), Isa::PORTABLE);
        let expected = counter.context("the board is too large")?.count(&sets);
        queue.limit(elements);
        let halves = Halves::new(plan)?;
        let choices =
            [Choice { slot: 0, sets, middle_queen: None, is_first: true, is_chosen: true }];
        let guide = Guide { stopped: &|| false, now: &|| Duration::ZERO };
        let sums = pollster::block_on(queue.sums(&halves, &choices, guide))?;
        let sums = sums.context("it was not stopped")?;
        let [twice, once] = *sums.first().context("a choice has sums")?;
        let counted = 2 * twice + once;
        ensure!(counted == expected, "{self:?}, {elements}: {counted} and not {expected}");
        ensure!(twice > 0, "{self:?} has nothing to count");
        Ok(())
    }
}
