//! AVX2: vectors of 32 bytes, each with up to 4 placements, so that a lookup counts them.
#![allow(unsafe_code, reason = "vector instructions; see the reason at each block")]

use core::arch::x86_64::*;

use super::vector::{ByteIsa, Bytes, HotLoop};

/// A [token](ByteIsa) that proves that the processor has AVX2, BMI1, BMI2 and POPCNT.
/// Only [`assume`](Avx2::assume) creates it.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    /// # Safety
    /// The processor must have the extensions named at [`Avx2`].
    pub(super) unsafe fn assume() -> Avx2 {
        Avx2(())
    }
}

impl ByteIsa for Avx2 {
    type Bytes = Vector;

    #[inline]
    fn run<K: HotLoop<Avx2>>(self, hot_loop: K) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn compiled<K: HotLoop<Avx2>>(isa: Avx2, hot_loop: K) -> K::Output {
            hot_loop.run(isa)
        }
        // SAFETY: `Avx2` is only made by `assume`, whose caller vouches for these features.
        unsafe { compiled(self, hot_loop) }
    }
}

/// 32 bytes.
#[derive(Clone, Copy)]
pub(super) struct Vector(__m256i);

/// For each subset of 4 lanes of 64 bits, the indices of the same lanes as pairs of 32 bits: 2, 3, 6 and 7
/// for 0b1010. The other indices are 0.
const PACKED: [[u32; 8]; 16] = {
    let mut packed = [[0; 8]; 16];
    let mut selected = 0;
    while selected < 16 {
        let (mut lane, mut to) = (0, 0);
        while lane < 4 {
            if selected >> lane & 1 == 1 {
                packed[selected][to] = 2 * lane;
                packed[selected][to + 1] = 2 * lane + 1;
                to += 2;
            }
            lane += 1;
        }
        selected += 1;
    }
    packed
};

/// Interleaves the bytes of two vectors, and returns the two halves of the result.
#[inline(always)]
fn interleave(a: Vector, b: Vector) -> [Vector; 2] {
    // SAFETY: the vectors prove that the processor has the instructions.
    unsafe {
        let (low, high) = (_mm256_unpacklo_epi8(a.0, b.0), _mm256_unpackhi_epi8(a.0, b.0));
        [_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high)]
            .map(Vector)
    }
}

impl Bytes for Vector {
    type Isa = Avx2;
    type Sums = Self;

    const LANES: usize = 32;
    const SLOTS: usize = 4;

    #[inline(always)]
    fn splat(_: Avx2, byte: u8) -> Self {
        // SAFETY: the token proves that the processor has the instructions.
        Vector(unsafe { _mm256_set1_epi8(byte.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Avx2, from: &[u8]) -> Self {
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
    fn no_sums(isa: Avx2) -> Self {
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

    #[inline(always)]
    fn select_disjoint(_: Avx2, masks: &[u64], lines: u64, to: &mut [u64]) -> usize {
        let mut length = 0;
        let (fours, others) = masks.as_chunks::<4>();
        for four in fours {
            let Some(room) = to.get_mut(length..).and_then(|room| room.first_chunk_mut::<4>())
            else {
                return length;
            };
            // SAFETY: the token proves that the processor has the instructions; the arrays are as
            // long as a vector.
            length += unsafe {
                let masks = _mm256_loadu_si256(four.as_ptr().cast());
                let common = _mm256_and_si256(masks, _mm256_set1_epi64x(lines.cast_signed()));
                let is_disjoint = _mm256_cmpeq_epi64(common, _mm256_setzero_si256());
                let selected = _mm256_movemask_pd(_mm256_castsi256_pd(is_disjoint)) as usize & 15;
                let indices = _mm256_loadu_si256(PACKED[selected].as_ptr().cast());
                let packed = _mm256_permutevar8x32_epi32(masks, indices);
                _mm256_storeu_si256(room.as_mut_ptr().cast(), packed);
                selected.count_ones() as usize
            };
        }
        for &mask in others {
            if let Some(place) = to.get_mut(length) {
                *place = mask;
            }
            length += usize::from(mask & lines == 0);
        }
        length
    }

    /// Each of the five steps moves one bit of the number of the row into the number of the column.
    #[inline(always)]
    fn transpose(isa: Avx2, rows: &mut [Self]) {
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

#[cfg(test)]
pub(super) fn find() -> Option<Avx2> {
    use std::is_x86_feature_detected;

    let is_there = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt");
    // SAFETY: the features have just been detected.
    is_there.then(|| unsafe { Avx2::assume() })
}
