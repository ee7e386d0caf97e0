//! Half-board matching (*meet in the middle*): counting without visiting every solution.
#![doc = include_str!("README.md")]

// This module must come before the files that use its macro.
#[cfg(test)]
#[macro_use]
mod primitives;

mod centred;
mod column_partitions;
mod column_set_counter;
mod columns;
// Not under Miri, which is too slow for boards on which the faulty lane shows.
#[cfg(all(test, not(miri)))]
pub(super) mod faulty;
mod isa;
mod joining;
mod line;
mod lists;
mod matching;
mod packing;
mod placements;
pub(super) mod portable;
mod radix;
mod sliced;
mod splits;
mod strip;
mod strips;
mod table;
mod tables;
pub(super) mod vector;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(super) mod neon;
#[cfg(target_arch = "wasm32")]
pub(super) mod simd128;

use alloc::{boxed::Box, sync::Arc};
use core::fmt;

pub use columns::{ColumnSetTasks, ColumnSets, Symmetries};
pub(crate) use columns::{choices, golden_stride};
pub use isa::{InstructionSet, Isa};
pub use splits::{Enter, Node, Splits};
pub use tables::Tables;

use crate::{Attacks, Size};
use column_set_counter::{ColumnSetCounter, CountColumnSet, HalfContext};
use line::attacked;
use lists::BothHalves;

/// Counts the solutions of column sets, one after another, on one thread.
pub struct Counter {
    isa: Isa,
    size: Size,
    strips: Arc<BothHalves>,
    counter: Box<dyn CountColumnSet + Send + Sync>,
}

impl Counter {
    /// Creates a counter for this board. Filling its tables takes some milliseconds; clones share
    /// them. Returns `None` if the board has more than [`Size::MAX_COUNTED`] rows.
    pub fn new(size: Size, isa: Isa) -> Option<Counter> {
        if size.get() > Size::MAX_COUNTED {
            return None;
        }
        let strips = Arc::new(BothHalves::new(size));
        Some(Counter { isa, size, strips, counter: counter_for(isa) })
    }

    /// Returns the number of solutions with these columns, each multiplied by its factor (see
    /// [`Symmetries`]), but not by the weight of the set. Returns 0 if `sets` is not a column set of
    /// this board.
    pub fn count(&mut self, sets: &ColumnSets) -> u64 {
        self.count_part(sets, Attacks::NONE)
    }

    /// Counts like [`count`](Counter::count), but only the solutions in which no queen of the upper
    /// half is on an `excluded` diagonal. With random diagonals, this recounts a fraction of a large
    /// set.
    ///
    /// `excluded` identifies each diagonal by the column in which it crosses one row: for even N the
    /// row below the upper half, for odd N the middle row, which is the last row of the upper half.
    /// `left` holds the diagonals that run down to the left, `right` those that run down to the
    /// right; `down` is ignored.
    pub fn count_part(&mut self, sets: &ColumnSets, excluded: Attacks) -> u64 {
        let Counter { size, ref strips, .. } = *self;
        if !sets.is_valid_for(size) {
            return 0;
        }
        self.counter.count(HalfContext { size, strips }, sets, attacked(size, excluded))
    }

    /// Counts one part of a column set, and returns its solutions and the number of parts. A set is
    /// divided into parts if its lists exceed the memory limit; the lists of each part just fit, so
    /// the parts are of similar size.
    ///
    /// Any `part` is valid: its remainder modulo the number of parts selects the part. `begin` is called
    /// after the set-up that all parts share; it is not called if there is only one part.
    pub fn sample(
        &mut self,
        sets: &ColumnSets,
        part: usize,
        mut begin: impl FnMut(),
    ) -> (u64, usize) {
        let Counter { size, ref strips, .. } = *self;
        if !sets.is_valid_for(size) {
            return (0, 1);
        }
        self.counter.sample_part(HalfContext { size, strips }, sets, part, &mut begin)
    }

    /// Estimates the result of [`count`](Counter::count) from a sample of each half's placements.
    ///
    /// From N = 22 on the error is 10 to 20 %. The estimate takes a tenth of the time of a count at
    /// N = 22 and less than a hundredth from N = 26 on. Up to N = 12 the sample has all placements,
    /// and the result is exact.
    pub fn rough_estimate(&mut self, sets: &ColumnSets) -> f64 {
        let Counter { size, ref strips, .. } = *self;
        if !sets.is_valid_for(size) {
            return 0.0;
        }
        self.counter.rough_estimate(HalfContext { size, strips }, sets)
    }

    /// Returns the size of the tables, which all clones share, and of this counter's lists and
    /// buffers, in bytes.
    pub fn memory(&self) -> (usize, usize) {
        (self.strips.bytes(), self.counter.bytes())
    }
}

impl Clone for Counter {
    fn clone(&self) -> Counter {
        Counter { strips: Arc::clone(&self.strips), counter: counter_for(self.isa), ..*self }
    }
}

impl fmt::Debug for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counter").field("isa", &self.isa).field("size", &self.size).finish()
    }
}

/// Creates a counter that uses this instruction set.
fn counter_for(isa: Isa) -> Box<dyn CountColumnSet + Send + Sync> {
    match isa.set() {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        InstructionSet::Avx512 => {
            #[allow(unsafe_code, reason = "only the caller can know the machine")]
            // SAFETY: the caller of `Isa::assume` has guaranteed that the processor has these
            // instructions.
            let machine = unsafe { avx512::Avx512::assume() };
            Box::new(ColumnSetCounter::new(machine))
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        InstructionSet::Avx2 if isa.has_fast_pext() => {
            #[allow(unsafe_code, reason = "only the caller can know the machine")]
            // SAFETY: the caller of `Isa::assume` has guaranteed that the processor has these
            // instructions.
            let machine = unsafe { avx2::Avx2::<true>::assume() };
            Box::new(ColumnSetCounter::new(machine))
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        InstructionSet::Avx2 => {
            #[allow(unsafe_code, reason = "only the caller can know the machine")]
            // SAFETY: the caller of `Isa::assume` has guaranteed that the processor has these
            // instructions.
            let machine = unsafe { avx2::Avx2::<false>::assume() };
            Box::new(ColumnSetCounter::new(machine))
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        InstructionSet::Neon => Box::new(ColumnSetCounter::new(neon::Neon)),
        #[cfg(target_arch = "wasm32")]
        InstructionSet::Simd128 => Box::new(ColumnSetCounter::new(simd128::Simd128)),
        _ => Box::new(ColumnSetCounter::new(portable::Portable)),
    }
}
