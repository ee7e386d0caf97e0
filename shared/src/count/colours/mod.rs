//! The colour join: counting by the colours of the squares.
#![doc = include_str!("README.md")]

mod boards;
mod join;
mod kernel;
mod lanes;
mod pair_counter;
mod pairs;
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

pub(super) use pair_counter::CountPairs;
pub use pairs::{EvenRows, PairTasks, Pairs};
pub(crate) use pairs::{choices, coverage_of_first};
pub(super) use plain::count_audited;

use super::{InstructionSet, Isa};
use pair_counter::PairCounter;

/// Creates a counter for one thread that uses this instruction set. It allocates most of its memory when it
/// counts.
pub(super) fn counter(isa: Isa) -> Box<dyn CountPairs + Send + Sync> {
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
        InstructionSet::Portable => Box::new(PairCounter::new(portable::Portable)),
        // An `Isa` is always one of this build, so the sets of other architectures do not occur.
        #[allow(unreachable_patterns, reason = "the sets of this build have their own arms")]
        InstructionSet::Simd128
        | InstructionSet::Neon
        | InstructionSet::Avx2
        | InstructionSet::Avx512 => Box::new(PairCounter::new(portable::Portable)),
    }
}
