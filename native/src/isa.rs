//! Detection of the processor's instruction sets.
#![allow(
    unsafe_code,
    reason = "this module alone detects the instruction sets that the core assumes"
)]

use queens_core::{InstructionSet, Isa};

/// Returns the instruction sets of this processor that the colour join can use, the fastest last.
pub fn available() -> Vec<Isa> {
    InstructionSet::ALL.into_iter().filter_map(find).collect()
}

/// Returns the fastest instruction set of this processor.
pub fn best() -> Isa {
    available().last().copied().unwrap_or(Isa::PORTABLE)
}

/// Returns an instruction set if both the processor and this program support it.
pub fn find(set: InstructionSet) -> Option<Isa> {
    // SAFETY: `is_detected` has found that this processor has the instruction set.
    is_detected(set).then(|| unsafe { Isa::assume(set) }).flatten()
}

fn is_detected(set: InstructionSet) -> bool {
    match set {
        InstructionSet::Portable => true,
        InstructionSet::Neon | InstructionSet::Simd128 => set == Isa::BUILT_IN.set(),
        #[cfg(not(target_arch = "x86_64"))]
        InstructionSet::Avx2 | InstructionSet::Avx512 => false,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
        }
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => {
            is_detected(InstructionSet::Avx2)
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("avx512bitalg")
                && is_x86_feature_detected!("avx512vnni")
                && is_x86_feature_detected!("gfni")
                && is_x86_feature_detected!("avx512vpopcntdq")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    #[test]
    fn portable_is_first_and_the_best_is_last() {
        let sets: Vec<InstructionSet> = available().iter().map(|isa| isa.set()).collect();
        assert_eq!(sets.first(), Some(&InstructionSet::Portable));
        assert_eq!(sets.last(), Some(&best().set()));
        for set in InstructionSet::ALL {
            assert_eq!(find(set).is_some(), sets.contains(&set), "{set}");
        }
        assert_eq!(find(InstructionSet::Simd128), None);
    }

    /// The kernels would run instructions that the processor may lack.
    #[test]
    fn detection_asks_for_every_extension_that_the_kernels_use() {
        for set in [InstructionSet::Avx2, InstructionSet::Avx512] {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
            let kernels = format!("shared/src/count/colours/{set}.rs");
            let source = fs::read_to_string(root.join(kernels)).unwrap();
            let (_, extensions) = source.split_once("enable = \"").unwrap();
            let (extensions, _) = extensions.split_once('"').unwrap();
            for extension in extensions.split(|letter: char| !letter.is_ascii_alphanumeric()) {
                let question = format!("is_x86_feature_detected!(\"{extension}\")");
                let is_asked = extension.is_empty() || include_str!("isa.rs").contains(&question);
                assert!(is_asked, "{set}: {extension}");
            }
        }
    }
}
