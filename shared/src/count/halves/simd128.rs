//! WebAssembly's SIMD: vectors of 2 or 8 lanes, packed by permutations from a table. A long word has
//! at most two vectors of 256 bits.
//!
//! Browsers without SIMD reject a module that contains this code. The linker leaves it out of
//! modules that never use [`Isa::SIMD128`](super::Isa::SIMD128).
#![allow(unsafe_code, reason = "loads and stores of vectors; see the reason at each block")]

use core::arch::wasm32::*;

use super::vector::{HotLoop, Lanes, SimdIsa, Words, compress};

/// The token of WebAssembly's SIMD. Creating it is safe: a module that contains SIMD code does not
/// start without it.
#[derive(Clone, Copy)]
pub(in crate::count) struct Simd128;

impl SimdIsa for Simd128 {
    type Wide = Wide;
    type Narrow = Narrow;

    const WORD_VECTORS: usize = 2;

    #[inline]
    fn run<K: HotLoop<Self>>(self, hot_loop: K) -> K::Output {
        #[target_feature(enable = "simd128")]
        fn compiled<K: HotLoop<Simd128>>(machine: Simd128, hot_loop: K) -> K::Output {
            hot_loop.run(machine)
        }
        compiled(self, hot_loop)
    }
}

/// 2 sets of up to 64 diagonals.
#[derive(Clone, Copy)]
pub(in crate::count) struct Wide(v128);

/// 8 sets of up to 32 diagonals, or 256 bits of a long word, in two vectors of 128 bits. Twice the
/// length halves the number of iterations over a list.
#[derive(Clone, Copy)]
pub(in crate::count) struct Narrow(v128, v128);

/// For each subset of 4 lanes of 32 bits, the indices of the bytes of its lanes, in order.
const PACKED: [[u8; 16]; 16] = {
    let mut packed = [[0; 16]; 16];
    let mut chosen = 0;
    while chosen < 16 {
        let (mut byte, mut to) = (0, 0);
        while byte < 16 {
            if chosen >> (byte / 4) & 1 == 1 {
                packed[chosen][to] = byte as u8;
                to += 1;
            }
            byte += 1;
        }
        chosen += 1;
    }
    packed
};

/// Packs the chosen 32-bit lanes (*compress* by a shuffle from a table).
#[inline(always)]
fn packed(lanes: v128, chosen: u32) -> v128 {
    let bytes = &PACKED[chosen as usize & 15];
    // SAFETY: the array is as long as the vector.
    i8x16_swizzle(lanes, unsafe { v128_load(bytes.as_ptr().cast()) })
}

impl Lanes<u64> for Wide {
    type SimdIsa = Simd128;

    const LANES: usize = 2;

    #[inline(always)]
    fn splat(_: Simd128, value: u64) -> Wide {
        Wide(u64x2_splat(value))
    }

    #[inline(always)]
    fn load(_: Simd128, from: &[u64]) -> Wide {
        let short = [from.first().copied().unwrap_or(0), 0];
        let lanes: &[u64; 2] = from.first_chunk().unwrap_or(&short);
        // SAFETY: the array is as long as the vector.
        Wide(unsafe { v128_load(lanes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn disjoint(self, other: Wide) -> u32 {
        let none = i64x2_eq(v128_and(self.0, other.0), u64x2_splat(0));
        i64x2_bitmask(none).into()
    }

    #[inline(always)]
    fn or(self, other: Wide) -> Wide {
        Wide(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u64]) -> usize {
        if let Some(places) = to.first_chunk_mut::<2>() {
            // A 64-bit lane is packed as two 32-bit lanes.
            let lanes = packed(self.0, ((chosen & 1) * 3) | ((chosen & 2) * 6));
            // SAFETY: the array is as long as the vector.
            unsafe { v128_store(places.as_mut_ptr().cast(), lanes) };
        } else {
            let lanes = [u64x2_extract_lane::<0>(self.0), u64x2_extract_lane::<1>(self.0)];
            compress(lanes, chosen, to);
        }
        chosen.count_ones() as usize
    }
}

impl Lanes<u32> for Narrow {
    type SimdIsa = Simd128;

    const LANES: usize = 8;

    #[inline(always)]
    fn splat(_: Simd128, value: u32) -> Narrow {
        Narrow(u32x4_splat(value), u32x4_splat(value))
    }

    #[inline(always)]
    fn load(_: Simd128, from: &[u32]) -> Narrow {
        let mut short = [0; 8];
        let lanes: &[u32; 8] = from.first_chunk().unwrap_or_else(|| {
            for (lane, &element) in short.iter_mut().zip(from) {
                *lane = element;
            }
            &short
        });
        // SAFETY: the array is as long as the two vectors.
        unsafe { Narrow(v128_load(lanes.as_ptr().cast()), v128_load(lanes.as_ptr().add(4).cast())) }
    }

    #[inline(always)]
    fn disjoint(self, other: Narrow) -> u32 {
        let zero = u32x4_splat(0);
        let none = i16x8_narrow_i32x4(
            i32x4_eq(v128_and(self.0, other.0), zero),
            i32x4_eq(v128_and(self.1, other.1), zero),
        );
        i16x8_bitmask(none).into()
    }

    #[inline(always)]
    fn or(self, other: Narrow) -> Narrow {
        Narrow(v128_or(self.0, other.0), v128_or(self.1, other.1))
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u32]) -> usize {
        if to.len() < 8 {
            let mut lanes = [0; 8];
            // SAFETY: the array is as long as the two vectors.
            unsafe {
                v128_store(lanes.as_mut_ptr().cast(), self.0);
                v128_store(lanes.as_mut_ptr().add(4).cast(), self.1);
            }
            return compress(lanes, chosen, to);
        }
        let first = (chosen & 15).count_ones() as usize;
        for (place, lanes, chosen) in [(0, self.0, chosen), (first, self.1, chosen >> 4)] {
            if let Some(places) = to.get_mut(place..).and_then(|to| to.first_chunk_mut::<4>()) {
                // SAFETY: the array is as long as the vector.
                unsafe { v128_store(places.as_mut_ptr().cast(), packed(lanes, chosen)) };
            }
        }
        chosen.count_ones() as usize
    }
}

impl Words for Narrow {
    /// Eight counters of 16 bits.
    type Counters = Wide;

    /// A word adds at most 64 to each counter.
    const MAX_COUNTED_WORDS: usize = 1 << 9;

    #[inline(always)]
    fn zero(machine: Simd128) -> Wide {
        Wide::splat(machine, 0)
    }

    #[inline(always)]
    fn xor(self, other: Narrow) -> Narrow {
        Narrow(v128_xor(self.0, other.0), v128_xor(self.1, other.1))
    }

    #[inline(always)]
    fn and(self, other: Narrow) -> Narrow {
        Narrow(v128_and(self.0, other.0), v128_and(self.1, other.1))
    }

    #[inline(always)]
    fn shift_left<const BY: i32>(self) -> Narrow {
        let by = BY.cast_unsigned();
        Narrow(u32x4_shl(self.0, by), u32x4_shl(self.1, by))
    }

    #[inline(always)]
    fn shift_right<const BY: i32>(self) -> Narrow {
        let by = BY.cast_unsigned();
        Narrow(u32x4_shr(self.0, by), u32x4_shr(self.1, by))
    }

    #[inline(always)]
    fn count<const N: usize>(word: [Narrow; N], counters: Wide) -> Wide {
        let mut ones = u64x2_splat(0);
        for Narrow(low, high) in word {
            ones = i8x16_add(ones, i8x16_add(i8x16_popcnt(low), i8x16_popcnt(high)));
        }
        Wide(i16x8_add(counters.0, u16x8_extadd_pairwise_u8x16(ones)))
    }

    #[inline(always)]
    fn sum(counters: Wide) -> u64 {
        let sums = u32x4_extadd_pairwise_u16x8(counters.0);
        let sums = i64x2_add(u64x2_extend_low_u32x4(sums), u64x2_extend_high_u32x4(sums));
        u64x2_extract_lane::<0>(sums) + u64x2_extract_lane::<1>(sums)
    }
}

#[cfg(test)]
primitives!(Simd128);
