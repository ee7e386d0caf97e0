//! WebAssembly's SIMD: pairs of vectors of 16 bytes, each byte with up to 8 placements.
//!
//! Browsers without SIMD reject a module that contains this code. The linker leaves it out of
//! modules that never use [`Isa::SIMD128`](crate::Isa::SIMD128).
#![allow(unsafe_code, reason = "loads and stores of vectors; see the reason at each block")]

use core::arch::wasm32::*;

use super::vector::{ByteIsa, Bytes, HotLoop};

/// The [token](ByteIsa) of WebAssembly's SIMD. Creating it is safe: a module that contains SIMD code
/// does not start without it.
#[derive(Clone, Copy)]
pub(super) struct Simd128;

impl ByteIsa for Simd128 {
    type Bytes = Pair;

    #[inline]
    fn run<K: HotLoop<Simd128>>(self, hot_loop: K) -> K::Output {
        #[target_feature(enable = "simd128")]
        fn compiled<K: HotLoop<Simd128>>(isa: Simd128, hot_loop: K) -> K::Output {
            hot_loop.run(isa)
        }
        compiled(self, hot_loop)
    }
}

/// 32 bytes. Two vectors halve the number of iterations of the loops.
#[derive(Clone, Copy)]
pub(super) struct Pair([v128; 2]);

impl Pair {
    #[inline(always)]
    fn zip(self, other: Pair, operation: impl Fn(v128, v128) -> v128) -> Pair {
        Pair([operation(self.0[0], other.0[0]), operation(self.0[1], other.0[1])])
    }
}

/// Interleaves the bytes of two vectors, and returns the two halves of the result.
#[inline(always)]
fn interleave(a: v128, b: v128) -> Pair {
    Pair([
        i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
        i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
    ])
}

impl Bytes for Pair {
    type Isa = Simd128;
    type Sums = Pair;

    const LANES: usize = 32;
    const SLOTS: usize = 8;

    #[inline(always)]
    fn splat(_: Simd128, byte: u8) -> Pair {
        Pair([u8x16_splat(byte); 2])
    }

    #[inline(always)]
    fn load(_: Simd128, from: &[u8]) -> Pair {
        let mut bytes = [0u8; 32];
        let all = from.first_chunk().unwrap_or_else(|| {
            bytes.iter_mut().zip(from).for_each(|(to, &from)| *to = from);
            &bytes
        });
        let vectors = all.as_ptr().cast::<v128>();
        // SAFETY: the array is as long as two vectors.
        Pair(unsafe { [v128_load(vectors), v128_load(vectors.add(1))] })
    }

    #[inline(always)]
    fn and(self, other: Pair) -> Pair {
        self.zip(other, |a, b| v128_and(a, b))
    }

    #[inline(always)]
    fn and_not(self, other: Pair) -> Pair {
        self.zip(other, |a, b| v128_andnot(a, b))
    }

    #[inline(always)]
    fn or(self, other: Pair) -> Pair {
        self.zip(other, |a, b| v128_or(a, b))
    }

    #[inline(always)]
    fn add(self, other: Pair) -> Pair {
        self.zip(other, |a, b| u8x16_add(a, b))
    }

    #[inline(always)]
    fn add_saturating(self, other: Pair) -> Pair {
        self.zip(other, |a, b| u8x16_add_sat(a, b))
    }

    #[inline(always)]
    fn carry(self, addend: Pair) -> Pair {
        let has_carry = self.zip(addend, |sum, addend| u8x16_lt(sum, addend));
        Pair(has_carry.0.map(|all_bits| u8x16_shr(all_bits, 7)))
    }

    #[inline(always)]
    fn count(self) -> Pair {
        Pair(self.0.map(|bytes| u8x16_popcnt(bytes)))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        !v128_any_true(v128_or(self.0[0], self.0[1]))
    }

    #[inline(always)]
    fn is_any_full(self) -> bool {
        v128_any_true(u8x16_eq(u8x16_max(self.0[0], self.0[1]), u8x16_splat(u8::MAX)))
    }

    #[inline(always)]
    fn no_sums(isa: Simd128) -> Pair {
        Pair::splat(isa, 0)
    }

    #[inline(always)]
    fn add_products(sums: Pair, bytes: Pair, counts: Pair) -> Pair {
        let products = |bytes: v128, counts: v128| {
            let low = u16x8_splat(0xff);
            let even = i32x4_dot_i16x8(v128_and(bytes, low), v128_and(counts, low));
            let odd = i32x4_dot_i16x8(u16x8_shr(bytes, 8), u16x8_shr(counts, 8));
            i32x4_add(even, odd)
        };
        sums.zip(bytes.zip(counts, products), |sum, product| i32x4_add(sum, product))
    }

    #[inline(always)]
    fn groups(sums: Pair) -> [u32; 16] {
        let mut groups = [0; 16];
        let vectors = groups.as_mut_ptr().cast::<v128>();
        // SAFETY: the array is longer than two vectors.
        unsafe {
            v128_store(vectors, sums.0[0]);
            v128_store(vectors.add(1), sums.0[1]);
        }
        groups
    }

    /// Each of the five steps moves one bit of the number of the row into the number of the column.
    #[inline(always)]
    fn transpose(isa: Simd128, rows: &mut [Pair]) {
        let Some(rows) = rows.first_chunk_mut::<32>() else { return };
        let mut next = [Pair::splat(isa, 0); 32];
        for _ in 0..5 {
            let (upper, lower) = rows.split_at(16);
            for ((pair, &a), &b) in next.as_chunks_mut::<2>().0.iter_mut().zip(upper).zip(lower) {
                *pair = [interleave(a.0[0], b.0[0]), interleave(a.0[1], b.0[1])];
            }
            *rows = next;
        }
    }
}
