//! Detection of the processor's instruction sets.
#![allow(
    unsafe_code,
    reason = "this module alone detects the instruction sets that the core assumes"
)]

use queens_core::{
    Method,
    halves::{InstructionSet, Isa},
};

/// Returns the instruction sets of this processor that the methods without a search can use, the
/// fastest last.
pub fn available() -> Vec<Isa> {
    InstructionSet::ALL.into_iter().filter_map(find).collect()
}

/// Returns the fastest instruction set of this processor.
pub fn best() -> Isa {
    available().last().copied().unwrap_or(Isa::PORTABLE)
}

/// Returns the fastest instruction set of this processor for which a method has code. The colour join has no
/// code for NEON.
pub fn best_for(method: Method) -> Isa {
    match best() {
        isa if method == Method::Colours && isa.set() == InstructionSet::Neon => Isa::PORTABLE,
        isa => isa,
    }
}

/// Returns an instruction set if both the processor and this program support it.
pub fn find(set: InstructionSet) -> Option<Isa> {
    // SAFETY: `is_detected` has found that this processor has the instruction set.
    let isa = is_detected(set).then(|| unsafe { Isa::assume(set) }).flatten()?;
    Some(if has_fast_pext() { isa.extracting() } else { isa })
}

/// The first AMD processor family with a fast `PEXT`: Zen 3. Earlier families execute it slowly in
/// microcode.
#[cfg(target_arch = "x86_64")]
const ZEN_3: u32 = 0x19;

/// Returns whether `PEXT`, the instruction that extracts bits, is fast. It is slow on older processors of
/// AMD, and on those of Hygon, which have the same design.
#[cfg(target_arch = "x86_64")]
fn has_fast_pext() -> bool {
    use std::arch::x86_64::__cpuid;

    let vendor = __cpuid(0);
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let is_amd_design = matches!(name.as_flattened(), b"AuthenticAMD" | b"HygonGenuine");
    !is_amd_design || family(__cpuid(1).eax) >= ZEN_3
}

#[cfg(not(target_arch = "x86_64"))]
fn has_fast_pext() -> bool {
    false
}

/// Returns the processor family in a CPUID signature. The extended family is added if the base family has
/// its largest value.
#[cfg(target_arch = "x86_64")]
fn family(signature: u32) -> u32 {
    let [base, extended] = [signature >> 8 & 0xf, signature >> 20 & 0xff];
    if base == 0xf { base + extended } else { base }
}

#[cfg(target_arch = "x86_64")]
fn is_detected(set: InstructionSet) -> bool {
    match set {
        InstructionSet::Portable => true,
        InstructionSet::Avx2 => {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
        }
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
        InstructionSet::Neon | InstructionSet::Simd128 => false,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn is_detected(set: InstructionSet) -> bool {
    set == InstructionSet::Portable || set == Isa::BUILT_IN.set()
}

#[cfg(test)]
mod tests {
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

    /// Compares the detection with `/proc/cpuinfo`, where Linux lists the features of the processor.
    #[test]
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    fn detected_instruction_sets_match_proc_cpuinfo() {
        let text = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let flags = text.lines().find_map(|line| line.strip_prefix("flags")).unwrap();
        let flags: Vec<&str> = flags.split_whitespace().collect();
        let has = |names: &str| names.split(' ').all(|name| flags.contains(&name));
        let avx2 = has("avx2 bmi1 bmi2 popcnt");
        let avx512 = "avx512f avx512bw avx512dq avx512vl avx512vbmi avx512_vbmi2 avx512_bitalg \
                      avx512_vpopcntdq avx512_vnni gfni";
        assert_eq!(find(InstructionSet::Avx2).is_some(), avx2);
        assert_eq!(find(InstructionSet::Avx512).is_some(), avx2 && has(avx512));

        let value = |name: &str| {
            let line = text.lines().find(|line| line.split(':').next().unwrap().trim() == name);
            line.and_then(|line| line.split(':').nth(1)).unwrap().trim()
        };
        let is_amd_design = ["AuthenticAMD", "HygonGenuine"].contains(&value("vendor_id"));
        let family: u32 = value("cpu family").parse().unwrap();
        assert_eq!(has_fast_pext(), !is_amd_design || family >= ZEN_3);
    }

    /// Tests signatures from the manuals of AMD and Intel.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn reads_the_cpu_family_from_the_signature() {
        assert_eq!(family(0x0083_0f10), 0x17, "Zen 2");
        assert_eq!(family(0x00a2_0f10), 0x19, "Zen 3");
        assert_eq!(family(0x00b4_0f40), 0x1a, "Zen 5");
        assert_eq!(family(0x0009_06ea), 6, "Coffee Lake");
    }
}
