//! WebAssembly's SIMD: 2 or 4 lanes, and words of 128 bits. A module that can come here is refused
//! by browsers without it; one that cannot has none of this code.

use core::arch::wasm32::*;

use super::vector::{Kernel, Lanes, Machine, Words, compress};

/// A machine that runs a module with SIMD.
#[derive(Clone, Copy)]
pub(super) struct Simd128;

impl Machine for Simd128 {
    type Wide = Wide;
    type Narrow = Narrow;

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "simd128")]
        fn compiled<K: Kernel>(kernel: K) -> K::Output {
            kernel.run::<Simd128>()
        }
        compiled(kernel)
    }
}

/// 2 sets of up to 64 diagonals.
#[derive(Clone, Copy)]
pub(super) struct Wide(v128);

/// 4 sets of up to 32 diagonals, or 128 bits.
#[derive(Clone, Copy)]
pub(super) struct Narrow(v128);

impl Lanes<u64> for Wide {
    const LANES: usize = 2;

    #[inline(always)]
    fn splat(value: u64) -> Wide {
        Wide(u64x2_splat(value))
    }

    #[inline(always)]
    fn load(from: &[u64]) -> Wide {
        let [a, b] = match from.first_chunk() {
            Some(&lanes) => lanes,
            None => [from.first().copied().unwrap_or(0), 0],
        };
        Wide(u64x2(a, b))
    }

    #[inline(always)]
    fn disjoint(self, other: Wide) -> u32 {
        let none = i64x2_eq(v128_and(self.0, other.0), u64x2_splat(0));
        i64x2_bitmask(none).into()
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u64]) -> usize {
        let lanes = [u64x2_extract_lane::<0>(self.0), u64x2_extract_lane::<1>(self.0)];
        compress(lanes, chosen, to)
    }
}

impl Lanes<u32> for Narrow {
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(value: u32) -> Narrow {
        Narrow(u32x4_splat(value))
    }

    #[inline(always)]
    fn load(from: &[u32]) -> Narrow {
        let [a, b, c, d] = from.first_chunk().copied().unwrap_or_else(|| {
            let mut short = [0; 4];
            for (lane, &element) in short.iter_mut().zip(from) {
                *lane = element;
            }
            short
        });
        Narrow(u32x4(a, b, c, d))
    }

    #[inline(always)]
    fn disjoint(self, other: Narrow) -> u32 {
        let none = i32x4_eq(v128_and(self.0, other.0), u32x4_splat(0));
        i32x4_bitmask(none).into()
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u32]) -> usize {
        let lanes = [
            u32x4_extract_lane::<0>(self.0),
            u32x4_extract_lane::<1>(self.0),
            u32x4_extract_lane::<2>(self.0),
            u32x4_extract_lane::<3>(self.0),
        ];
        compress(lanes, chosen, to)
    }
}

impl Words for Narrow {
    type Counters = Wide;

    const ZERO: Narrow = Narrow(u32x4(0, 0, 0, 0));
    const NONE: Wide = Wide(u64x2(0, 0));

    #[inline(always)]
    fn or(self, other: Narrow) -> Narrow {
        Narrow(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Narrow) -> Narrow {
        Narrow(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn and(self, other: Narrow) -> Narrow {
        Narrow(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn up<const BY: i32>(self) -> Narrow {
        Narrow(u32x4_shl(self.0, BY.cast_unsigned()))
    }

    #[inline(always)]
    fn down<const BY: i32>(self) -> Narrow {
        Narrow(u32x4_shr(self.0, BY.cast_unsigned()))
    }

    #[inline(always)]
    fn count(self, counters: Wide) -> Wide {
        let words = u16x8_extadd_pairwise_u8x16(i8x16_popcnt(self.0));
        let ones = u32x4_extadd_pairwise_u16x8(words);
        let ones = i64x2_add(u64x2_extend_low_u32x4(ones), u64x2_extend_high_u32x4(ones));
        Wide(i64x2_add(counters.0, ones))
    }

    #[inline(always)]
    fn sum(counters: Wide) -> u64 {
        u64x2_extract_lane::<0>(counters.0) + u64x2_extract_lane::<1>(counters.0)
    }
}
