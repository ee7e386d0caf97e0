//! The instruction sets that half-board matching is written for.

use core::fmt;

use crate::words;

words! {
    /// A family of vector instructions; the widest of each kind of machine comes last.
    pub enum InstructionSet {
        /// Plain Rust, compiled for whatever the program was built for.
        Portable = "portable",
        /// WebAssembly with SIMD: 128 bits.
        Simd128 = "simd128",
        /// AArch64: 128 bits.
        Neon = "neon",
        /// x86-64 with AVX2, BMI1, BMI2 and POPCNT: 256 bits.
        Avx2 = "avx2",
        /// x86-64 with AVX-512 F, BW, DQ, VL, VBMI2 and VPOPCNTDQ, BMI1, BMI2 and POPCNT: 512 bits.
        Avx512 = "avx512",
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// An instruction set that the machine is known to have.
///
/// The core never asks the machine; whoever can ask it makes the `Isa` and passes it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa {
    set: InstructionSet,
    extracts: bool,
}

impl Isa {
    /// What runs everywhere.
    pub const PORTABLE: Isa = Isa::of(InstructionSet::Portable);

    /// WebAssembly's SIMD. A browser without it refuses a module that counts with it, so whoever
    /// gets here has it.
    #[cfg(target_arch = "wasm32")]
    pub const SIMD128: Isa = Isa::of(InstructionSet::Simd128);

    /// What is taken without asking the machine: NEON on AArch64, which all of these have, otherwise
    /// the portable code, even if this build was made for a processor that has more. (A WebAssembly
    /// module is to start in every browser, so it is not given SIMD without asking for it.)
    pub const BUILT_IN: Isa = if cfg!(all(target_arch = "aarch64", target_feature = "neon")) {
        Isa::of(InstructionSet::Neon)
    } else {
        Isa::PORTABLE
    };

    /// An instruction set that the caller has found on this machine; `None` if this build has no
    /// code for it.
    ///
    /// # Safety
    /// The machine must have every extension that [`InstructionSet`] names at the variant: the code
    /// uses them all, and none besides but what the program was built for.
    #[allow(unsafe_code, reason = "only the caller can know the machine")]
    pub const unsafe fn assume(set: InstructionSet) -> Option<Isa> {
        let compiled = match set {
            InstructionSet::Portable => true,
            InstructionSet::Avx2 | InstructionSet::Avx512 => {
                cfg!(all(target_arch = "x86_64", target_feature = "sse2"))
            }
            InstructionSet::Neon => cfg!(all(target_arch = "aarch64", target_feature = "neon")),
            InstructionSet::Simd128 => cfg!(target_arch = "wasm32"),
        };
        if compiled { Some(Isa::of(set)) } else { None }
    }

    const fn of(set: InstructionSet) -> Isa {
        Isa { set, extracts: matches!(set, InstructionSet::Avx512) }
    }

    /// The same on a processor whose `PEXT`, the instruction of BMI2 that extracts bits, is fast: that
    /// of AMD's before Zen 3 takes as long as a hundred others. It is a matter of speed, with AVX2
    /// only: no other set has it but AVX-512, where it is always fast.
    #[must_use]
    pub const fn extracting(self) -> Isa {
        Isa { extracts: self.extracts || matches!(self.set, InstructionSet::Avx2), ..self }
    }

    /// Whether it extracts bits by one fast instruction.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    pub(super) const fn extracts(self) -> bool {
        self.extracts
    }

    /// Which one it is.
    pub const fn set(self) -> InstructionSet {
        self.set
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.set.fmt(f)
    }
}
