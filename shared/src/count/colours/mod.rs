//! The colour join: counting by the colours of the squares.
#![doc = include_str!("README.md")]

mod boards;
mod join;
mod kernel;
mod keys;
mod lanes;
mod pair_counter;
mod plain;
mod portable;
mod table;
#[cfg(test)]
mod tests;
mod vector;
mod walk;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(target_arch = "wasm32")]
mod simd128;

use alloc::boxed::Box;
use core::{fmt, ops::Range};

pub use keys::{EvenRows, PairTasks, Pairs};
pub(crate) use keys::{choices, coverage_of_first};
pub use pair_counter::PairsCount;
pub(super) use plain::count_audited;

use super::{InstructionSet, Isa};
use pair_counter::{CountPairs, PairCounter};

/// Counts the solutions of pairs (A, A') on one thread.
pub struct Counter {
    isa: Isa,
    counter: Box<dyn CountPairs + Send + Sync>,
}

impl Counter {
    /// Creates a counter. It allocates most of its memory when it counts.
    pub fn new(isa: Isa) -> Counter {
        Counter { isa, counter: counter_for(isa) }
    }

    /// Counts the first pairs of A with some sets of odd rows, at least one of them if there are any.
    /// Pairs that share most of their work are counted together.
    pub fn count(&mut self, even_rows: EvenRows, odd_rows: &[u32]) -> PairsCount {
        self.counter.count(even_rows, odd_rows)
    }

    /// Makes the lists that all pairs of A share, and returns which pairs are counted together with
    /// number `index`. With `has_walks`, it also makes the lists of these pairs, which pairs with
    /// other A may share. So a caller can time the pairs alone.
    pub(crate) fn prepare(
        &mut self,
        even_rows: EvenRows,
        odd_rows: &[u32],
        index: usize,
        has_walks: bool,
    ) -> Range<usize> {
        self.counter.prepare(even_rows, odd_rows, index, has_walks)
    }

    /// The size of the lists and tables in bytes.
    pub fn memory(&self) -> usize {
        self.counter.bytes()
    }
}

impl Clone for Counter {
    fn clone(&self) -> Counter {
        Counter::new(self.isa)
    }
}

impl fmt::Debug for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counter").field("isa", &self.isa).finish()
    }
}

/// Creates a counter that uses this instruction set.
fn counter_for(isa: Isa) -> Box<dyn CountPairs + Send + Sync> {
    match isa.set() {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        InstructionSet::Avx512 => {
            #[allow(unsafe_code, reason = "only the caller can know the machine")]
            // SAFETY: the caller of `Isa::assume` has guaranteed that the processor has these
            // instructions.
            let machine = unsafe { avx512::Avx512::assume() };
            Box::new(PairCounter::new(machine))
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        InstructionSet::Avx2 => {
            #[allow(unsafe_code, reason = "only the caller can know the machine")]
            // SAFETY: the caller of `Isa::assume` has guaranteed that the processor has these
            // instructions.
            let machine = unsafe { avx2::Avx2::assume() };
            Box::new(PairCounter::new(machine))
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        InstructionSet::Neon => Box::new(PairCounter::new(neon::Neon)),
        #[cfg(target_arch = "wasm32")]
        InstructionSet::Simd128 => Box::new(PairCounter::new(simd128::Simd128)),
        _ => Box::new(PairCounter::new(portable::Portable)),
    }
}
