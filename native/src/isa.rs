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
        let sets: Vec<InstructionSet> = available().iter().map(|isa| isa.set()).collect();
        assert_eq!(sets.first(), Some(&InstructionSet::Portable));
        assert_eq!(sets.last(), Some(&best().set()));
        for set in InstructionSet::ALL {
            assert_eq!(find(set).is_some(), sets.contains(&set), "{set}");
        }
        assert_eq!(find(InstructionSet::Simd128), None);
    }

    /// What Linux knows about the processor, each feature by its name there.
    #[test]
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    fn what_is_found_is_what_the_system_lists() {
        let text = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let flags = text.lines().find_map(|line| line.strip_prefix("flags")).unwrap();
        let flags: Vec<&str> = flags.split_whitespace().collect();
        let has = |names: &str| names.split(' ').all(|name| flags.contains(&name));
        let avx2 = has("avx2 bmi1 bmi2 popcnt");
        let avx512 = "avx512f avx512bw avx512dq avx512vl avx512_vbmi2 avx512_vpopcntdq";
        assert_eq!(find(InstructionSet::Avx2).is_some(), avx2);
        assert_eq!(find(InstructionSet::Avx512).is_some(), avx2 && has(avx512));
    }
}
