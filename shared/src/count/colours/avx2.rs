//! AVX2: vectors of 32 bytes, each with up to 4 placements, so that a lookup counts them.
#![allow(unsafe_code, reason = "vector instructions; see the reason at each block")]

use core::arch::x86_64::*;

use super::vector::{ByteIsa, Bytes};
use crate::count::halves::avx2::Avx2;

impl<const HAS_PEXT: bool> ByteIsa for Avx2<HAS_PEXT> {
    type Bytes = Vector<HAS_PEXT>;
}

/// 32 bytes.
#[derive(Clone, Copy)]
pub(in crate::count) struct Vector<const HAS_PEXT: bool>(__m256i);

/// Interleaves the bytes of two vectors, and returns the two halves of the result.
#[inline(always)]
fn interleave<const HAS_PEXT: bool>(
    a: Vector<HAS_PEXT>,
    b: Vector<HAS_PEXT>,
) -> [Vector<HAS_PEXT>; 2] {
    // SAFETY: the vectors prove that the processor has the instructions.
    unsafe {
        let (low, high) = (_mm256_unpacklo_epi8(a.0, b.0), _mm256_unpackhi_epi8(a.0, b.0));
        [_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high)]
            .map(Vector)
    }
}

impl<const HAS_PEXT: bool> Bytes for Vector<HAS_PEXT> {
    type Isa = Avx2<HAS_PEXT>;
    type Sums = Self;

    const LANES: usize = 32;
    const SLOTS: usize = 4;

    #[inline(always)]
    fn splat(_: Self::Isa, byte: u8) -> Self {
        // SAFETY: the token proves that the processor has the instructions.
        Vector(unsafe { _mm256_set1_epi8(byte.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Self::Isa, from: &[u8]) -> Self {
        let mut bytes = [0u8; 32];
        let all = from.first_chunk().unwrap_or_else(|| {
            bytes.iter_mut().zip(from).for_each(|(to, &from)| *to = from);
            &bytes
        });
        // SAFETY: the token proves that the processor has the instructions; the array has 32 bytes.
        Vector(unsafe { _mm256_loadu_si256(all.as_ptr().cast()) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm256_add_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn add_saturating(self, other: Self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm256_adds_epu8(self.0, other.0) })
    }

    #[inline(always)]
    fn carry(self, addend: Self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe {
            let is_right = _mm256_cmpeq_epi8(_mm256_max_epu8(self.0, addend.0), self.0);
            _mm256_andnot_si256(is_right, _mm256_set1_epi8(1))
        })
    }

    #[inline(always)]
    fn count(self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe {
            let counts = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
            _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(counts), self.0)
        })
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }

    #[inline(always)]
    fn is_any_full(self) -> bool {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi8(self.0, _mm256_set1_epi8(-1))) != 0 }
    }

    #[inline(always)]
    fn no_sums(isa: Self::Isa) -> Self {
        Self::splat(isa, 0)
    }

    #[inline(always)]
    fn add_products(sums: Self, bytes: Self, counts: Self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions. A count is at most 4
        // for each of 6 vectors, so the sum of two products fits in 15 bits.
        Vector(unsafe {
            let pairs = _mm256_maddubs_epi16(bytes.0, counts.0);
            _mm256_add_epi32(sums.0, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
        })
    }

    #[inline(always)]
    fn groups(sums: Self) -> [u32; 16] {
        let mut groups = [0; 16];
        // SAFETY: the vector proves that the processor has the instructions; the array is longer
        // than a vector.
        unsafe { _mm256_storeu_si256(groups.as_mut_ptr().cast(), sums.0) };
        groups
    }

    /// Each of the five steps moves one bit of the number of the row into the number of the column.
    #[inline(always)]
    fn transpose(isa: Self::Isa, rows: &mut [Self]) {
        let Some(rows) = rows.first_chunk_mut::<32>() else { return };
        let mut next = [Self::splat(isa, 0); 32];
        for _ in 0..5 {
            let (upper, lower) = rows.split_at(16);
            for ((pair, &a), &b) in next.as_chunks_mut::<2>().0.iter_mut().zip(upper).zip(lower) {
                *pair = interleave(a, b);
            }
            *rows = next;
        }
    }
}
