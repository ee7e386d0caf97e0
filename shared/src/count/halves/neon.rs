//! NEON: vectors of 2 or 4 lanes. A long word has at most four vectors of 128 bits. Compiled only for
//! targets on which every processor has NEON.
#![allow(unsafe_code, reason = "vector instructions; see the reason at each block")]

use core::arch::aarch64::*;

use super::vector::{HotLoop, Lanes, SimdIsa, Words, compress};

/// The token of NEON. Creating it is safe, because this file is compiled only where every processor
/// has NEON.
#[derive(Clone, Copy)]
pub(in crate::count) struct Neon;

impl SimdIsa for Neon {
    type Wide = Wide;
    type Narrow = Narrow;

    const WORD_VECTORS: usize = 4;

    #[inline]
    fn run<K: HotLoop<Self>>(self, hot_loop: K) -> K::Output {
        hot_loop.run(self)
    }
}

/// 2 sets of up to 64 diagonals.
#[derive(Clone, Copy)]
pub(in crate::count) struct Wide(uint64x2_t);

/// 4 sets of up to 32 diagonals, or 128 bits of a long word.
#[derive(Clone, Copy)]
pub(in crate::count) struct Narrow(uint32x4_t);

impl Lanes<u64> for Wide {
    type SimdIsa = Neon;

    const LANES: usize = 2;

    #[inline(always)]
    fn splat(_: Neon, value: u64) -> Wide {
        // SAFETY: the token proves that the processor has the instructions.
        Wide(unsafe { vdupq_n_u64(value) })
    }

    #[inline(always)]
    fn load(_: Neon, from: &[u64]) -> Wide {
        let short = [from.first().copied().unwrap_or(0), 0];
        let lanes: &[u64; 2] = from.first_chunk().unwrap_or(&short);
        // SAFETY: the token proves that the processor has the instructions; the array is as long as
        // the vector.
        Wide(unsafe { vld1q_u64(lanes.as_ptr()) })
    }

    #[inline(always)]
    fn disjoint(self, other: Wide) -> u32 {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe {
            let none = vceqzq_u64(vandq_u64(self.0, other.0));
            vgetq_lane_u64::<0>(none) as u32 & 1 | vgetq_lane_u64::<1>(none) as u32 & 2
        }
    }

    #[inline(always)]
    fn or(self, other: Wide) -> Wide {
        // SAFETY: the vector proves that the processor has the instructions.
        Wide(unsafe { vorrq_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u64]) -> usize {
        let mut lanes = [0; 2];
        // SAFETY: the vector proves that the processor has the instructions; the array is as long as
        // the vector.
        unsafe { vst1q_u64(lanes.as_mut_ptr(), self.0) };
        compress(lanes, chosen, to)
    }
}

impl Lanes<u32> for Narrow {
    type SimdIsa = Neon;

    const LANES: usize = 4;

    #[inline(always)]
    fn splat(_: Neon, value: u32) -> Narrow {
        // SAFETY: the token proves that the processor has the instructions.
        Narrow(unsafe { vdupq_n_u32(value) })
    }

    #[inline(always)]
    fn load(_: Neon, from: &[u32]) -> Narrow {
        let mut short = [0; 4];
        let lanes = from.first_chunk().unwrap_or_else(|| {
            for (lane, &element) in short.iter_mut().zip(from) {
                *lane = element;
            }
            &short
        });
        // SAFETY: the token proves that the processor has the instructions; the array is as long as
        // the vector.
        Narrow(unsafe { vld1q_u32(lanes.as_ptr()) })
    }

    #[inline(always)]
    fn disjoint(self, other: Narrow) -> u32 {
        const BITS: [u32; 4] = [1, 2, 4, 8];
        // SAFETY: the vector proves that the processor has the instructions; the array is as long as
        // the vector.
        unsafe {
            let none = vceqzq_u32(vandq_u32(self.0, other.0));
            vaddvq_u32(vandq_u32(none, vld1q_u32(BITS.as_ptr())))
        }
    }

    #[inline(always)]
    fn or(self, other: Narrow) -> Narrow {
        // SAFETY: the vector proves that the processor has the instructions.
        Narrow(unsafe { vorrq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u32]) -> usize {
        let mut lanes = [0; 4];
        // SAFETY: the vector proves that the processor has the instructions; the array is as long as
        // the vector.
        unsafe { vst1q_u32(lanes.as_mut_ptr(), self.0) };
        compress(lanes, chosen, to)
    }
}

impl Words for Narrow {
    type Counters = Wide;

    #[inline(always)]
    fn zero(machine: Neon) -> Wide {
        Wide::splat(machine, 0)
    }

    #[inline(always)]
    fn xor(self, other: Narrow) -> Narrow {
        // SAFETY: the vector proves that the processor has the instructions.
        Narrow(unsafe { veorq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Narrow) -> Narrow {
        // SAFETY: the vector proves that the processor has the instructions.
        Narrow(unsafe { vandq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_left<const BY: i32>(self) -> Narrow {
        // SAFETY: the vector proves that the processor has the instructions.
        Narrow(unsafe { vshlq_n_u32::<BY>(self.0) })
    }

    #[inline(always)]
    fn shift_right<const BY: i32>(self) -> Narrow {
        // SAFETY: the vector proves that the processor has the instructions.
        Narrow(unsafe { vshrq_n_u32::<BY>(self.0) })
    }

    #[inline(always)]
    fn count<const N: usize>(word: [Narrow; N], counters: Wide) -> Wide {
        const { assert!(N <= 4, "8·N must fit in a byte of a counter") };
        // SAFETY: the vector proves that the processor has the instructions.
        Wide(unsafe {
            let mut bytes = vdupq_n_u8(0);
            for Narrow(bits) in word {
                bytes = vaddq_u8(bytes, vcntq_u8(vreinterpretq_u8_u32(bits)));
            }
            vpadalq_u32(counters.0, vpaddlq_u16(vpaddlq_u8(bytes)))
        })
    }

    #[inline(always)]
    fn sum(counters: Wide) -> u64 {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe { vaddvq_u64(counters.0) }
    }
}

#[cfg(test)]
primitives!(Neon);
