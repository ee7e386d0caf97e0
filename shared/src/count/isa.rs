//! The instruction sets that the colour join supports.

use core::fmt;

use crate::words;

words! {
    /// A family of vector instructions. Those of one architecture are in order of speed: the command
    /// uses the last one that the processor has.
    pub enum InstructionSet {
        /// Plain Rust without explicit vector instructions. The compiler may use those of the build's
        /// target.
        Portable = "portable",
        /// WebAssembly with SIMD: 128 bits.
        Simd128 = "simd128",
        /// AArch64 with NEON: 128 bits.
        Neon = "neon",
        /// x86-64 with AVX2, BMI1, BMI2 and POPCNT: 256 bits.
        Avx2 = "avx2",
        /// x86-64 with AVX-512 F, BW, DQ, VL, VBMI, VBMI2, BITALG, VPOPCNTDQ and VNNI, GFNI, BMI1,
        /// BMI2 and POPCNT: 512 bits.
        Avx512 = "avx512",
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// An instruction set that the processor is known to have.
///
/// The core never queries the processor; the caller does, and passes the `Isa` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa {
    set: InstructionSet,
}

impl Isa {
    /// The portable code, which runs everywhere.
    pub const PORTABLE: Isa = Isa::of(InstructionSet::Portable);

    /// WebAssembly's SIMD. A browser without it rejects a module that contains SIMD code, so code
    /// that runs in such a module can rely on it.
    #[cfg(target_arch = "wasm32")]
    pub const SIMD128: Isa = Isa::of(InstructionSet::Simd128);

    /// The instruction set for callers that do not query the processor: NEON on AArch64, where
    /// every processor has it, otherwise the portable code, even if this build targets a processor
    /// with vectors. That includes WebAssembly, because a module must start in every browser.
    pub const BUILT_IN: Isa = if cfg!(all(target_arch = "aarch64", target_feature = "neon")) {
        Isa::of(InstructionSet::Neon)
    } else {
        Isa::PORTABLE
    };

    /// Returns an instruction set that the caller has detected on this machine, or `None` if this
    /// build has no code for it.
    ///
    /// # Safety
    /// The machine must have every extension that [`InstructionSet`] names at the variant. The code
    /// uses them all, and no others except those that the program was built for.
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
        Isa { set }
    }

    /// Returns the instruction set that this token stands for.
    pub const fn set(self) -> InstructionSet {
        self.set
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.set.fmt(f)
    }
}
