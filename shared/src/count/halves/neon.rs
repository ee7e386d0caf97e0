//! NEON: 2 or 4 lanes, and words of 128 bits. Only built where NEON may be relied on.
#![allow(unsafe_code, reason = "loads and stores of vectors; see the reason at each block")]

use core::arch::aarch64::*;

use super::vector::{Kernel, Lanes, Machine, Words, compress};

/// A machine for which NEON need not be asked for.
#[derive(Clone, Copy)]
pub(super) struct Neon;

impl Machine for Neon {
    type Wide = Wide;
    type Narrow = Narrow;

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run::<Neon>()
    }
}

/// 2 sets of up to 64 diagonals.
#[derive(Clone, Copy)]
pub(super) struct Wide(uint64x2_t);

/// 4 sets of up to 32 diagonals, or 128 bits.
#[derive(Clone, Copy)]
pub(super) struct Narrow(uint32x4_t);

// SAFETY, of all blocks below: this file is only compiled where every machine has NEON, and what
// is loaded and stored is an array of a vector's size.

impl Lanes<u64> for Wide {
    const LANES: usize = 2;

    #[inline(always)]
    fn splat(value: u64) -> Wide {
        // SAFETY: see above.
        Wide(unsafe { vdupq_n_u64(value) })
    }

    #[inline(always)]
    fn load(from: &[u64]) -> Wide {
        let short = [from.first().copied().unwrap_or(0), 0];
        let lanes: &[u64; 2] = from.first_chunk().unwrap_or(&short);
        // SAFETY: see above.
        Wide(unsafe { vld1q_u64(lanes.as_ptr()) })
    }

    #[inline(always)]
    fn disjoint(self, other: Wide) -> u32 {
        // SAFETY: see above.
        unsafe {
            let none = vceqzq_u64(vandq_u64(self.0, other.0));
            vgetq_lane_u64::<0>(none) as u32 & 1 | vgetq_lane_u64::<1>(none) as u32 & 2
        }
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u64]) -> usize {
        let mut lanes = [0; 2];
        // SAFETY: see above.
        unsafe { vst1q_u64(lanes.as_mut_ptr(), self.0) };
        compress(lanes, chosen, to)
    }
}

impl Lanes<u32> for Narrow {
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(value: u32) -> Narrow {
        // SAFETY: see above.
        Narrow(unsafe { vdupq_n_u32(value) })
    }

    #[inline(always)]
    fn load(from: &[u32]) -> Narrow {
        let mut short = [0; 4];
        let lanes = from.first_chunk().unwrap_or_else(|| {
            for (lane, &element) in short.iter_mut().zip(from) {
                *lane = element;
            }
            &short
        });
        // SAFETY: see above.
        Narrow(unsafe { vld1q_u32(lanes.as_ptr()) })
    }

    #[inline(always)]
    fn disjoint(self, other: Narrow) -> u32 {
        const BITS: [u32; 4] = [1, 2, 4, 8];
        // SAFETY: see above.
        unsafe {
            let none = vceqzq_u32(vandq_u32(self.0, other.0));
            vaddvq_u32(vandq_u32(none, vld1q_u32(BITS.as_ptr())))
        }
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u32]) -> usize {
        let mut lanes = [0; 4];
        // SAFETY: see above.
        unsafe { vst1q_u32(lanes.as_mut_ptr(), self.0) };
        compress(lanes, chosen, to)
    }
}

impl Words for Narrow {
    type Counters = Wide;

    // SAFETY: a vector is its bits.
    const ZERO: Narrow = Narrow(unsafe { core::mem::transmute::<[u32; 4], uint32x4_t>([0; 4]) });
    // SAFETY: a vector is its bits.
    const NONE: Wide = Wide(unsafe { core::mem::transmute::<[u64; 2], uint64x2_t>([0; 2]) });

    #[inline(always)]
    fn or(self, other: Narrow) -> Narrow {
        // SAFETY: see above.
        Narrow(unsafe { vorrq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Narrow) -> Narrow {
        // SAFETY: see above.
        Narrow(unsafe { veorq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Narrow) -> Narrow {
        // SAFETY: see above.
        Narrow(unsafe { vandq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn up<const BY: i32>(self) -> Narrow {
        // SAFETY: see above.
        Narrow(unsafe { vshlq_n_u32::<BY>(self.0) })
    }

    #[inline(always)]
    fn down<const BY: i32>(self) -> Narrow {
        // SAFETY: see above.
        Narrow(unsafe { vshrq_n_u32::<BY>(self.0) })
    }

    #[inline(always)]
    fn count(self, counters: Wide) -> Wide {
        // SAFETY: see above.
        Wide(unsafe {
            let bytes = vcntq_u8(vreinterpretq_u8_u32(self.0));
            vpadalq_u32(counters.0, vpaddlq_u16(vpaddlq_u8(bytes)))
        })
    }

    #[inline(always)]
    fn sum(counters: Wide) -> u64 {
        // SAFETY: see above.
        unsafe { vaddvq_u64(counters.0) }
    }
}
