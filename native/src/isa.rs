//! The instruction sets that this processor has.
#![allow(unsafe_code, reason = "only here is the machine asked what the core relies on")]

use queens_core::halves::{InstructionSet, Isa};

/// All that half-board matching can use here, the fastest last.
pub fn available() -> Vec<Isa> {
    InstructionSet::ALL.into_iter().filter_map(find).collect()
}

/// The fastest that half-board matching can use here.
pub fn best() -> Isa {
    available().last().copied().unwrap_or(Isa::PORTABLE)
}

/// This instruction set, if the processor has it and the program knows how to use it.
pub fn find(set: InstructionSet) -> Option<Isa> {
    // SAFETY: the processor has just said that it has the set.
    is_there(set).then(|| unsafe { Isa::assume(set) }).flatten()
}

#[cfg(target_arch = "x86_64")]
fn is_there(set: InstructionSet) -> bool {
    match set {
        InstructionSet::Portable => true,
        InstructionSet::Avx2 => {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
        }
        InstructionSet::Avx512 => {
            is_there(InstructionSet::Avx2)
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("avx512vpopcntdq")
        }
        InstructionSet::Neon | InstructionSet::Simd128 => false,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn is_there(set: InstructionSet) -> bool {
    set == InstructionSet::Portable || set == Isa::BUILT_IN.set()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_one() {
        assert!(available().contains(&Isa::PORTABLE));
        assert!(available().contains(&best()));
        assert!(available().iter().all(|isa| find(isa.set()) == Some(*isa)));
    }
}
