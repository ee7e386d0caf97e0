//! Column sets of large boards. The key of each set is so large that few placements remain, so that even
//! an emulated GPU counts the set in seconds.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use queens_core::halves::{Counter, Isa};
use queens_core::{Method, Plan, Size};
use queens_gpu::halves::{Choice, Halves, HalvesQueue, WaitContext};

/// A column set, by its position in its task.
#[derive(Clone, Copy, Debug)]
pub struct LightSet {
    n: u32,
    task: usize,
    index: usize,
}

/// Sets of boards whose whole tasks are too large for a test. The boards are even, because on odd boards a
/// key restricts only one half. Odd boards need no sets of their own: their strips have as many rows as
/// the strips of the next smaller board.
pub const LIGHT_SETS: [LightSet; 3] = [
    LightSet { n: 24, task: 2271, index: 9 },
    LightSet { n: 26, task: 10634, index: 23 },
    LightSet { n: 28, task: 17892, index: 2 },
];

impl LightSet {
    /// The buffer size in list elements with which to count the set. On N = 24 it is smaller than
    /// the lists, so the set is counted in parts.
    pub fn buffer_size(self) -> u32 {
        if self.n == 24 { 1 << 14 } else { 1 << 22 }
    }

    /// Counts the set with at most `elements` list elements at a time, and compares the result with
    /// the core's.
    pub fn compare(self, mut queue: HalvesQueue, elements: u32) -> Result<()> {
        let LightSet { n, task, index } = self;
        let plan = Arc::new(Plan::new(Size::new(n)?, Method::Halves));
        let sets = plan.column_sets(task).and_then(|mut sets| sets.nth(index));
        let sets = sets.context("the task has no such set")?;
        let counter = Counter::new(plan.size(), Isa::PORTABLE);
        let expected = counter.context("the board is too large")?.count(&sets);
        queue.limit(elements);
        let halves = Halves::new(plan)?;
        let tasks =
            [Choice { slot: 0, sets, middle_queen: None, is_first: true, is_audit_set: true }];
        let context = WaitContext { is_cancelled: &|| false, clock: &|| Duration::ZERO };
        let sums = pollster::block_on(queue.sums(&halves, &tasks, context))?;
        let sums = sums.context("the count was cancelled")?;
        let [twice, once] = *sums.first().context("the set has no sums")?;
        let counted = 2 * twice + once;
        ensure!(
            counted == expected,
            "{self:?}, {elements}: counted {counted}, expected {expected}"
        );
        ensure!(twice > 0, "{self:?} has no solutions");
        Ok(())
    }
}
