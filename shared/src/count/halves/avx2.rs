//! AVX2: vectors of 4 or 8 lanes, compressed by permutations from a table. The bit-sliced comparison
//! uses words of at most four vectors.
#![allow(unsafe_code, reason = "vector instructions; see the reason at each block")]

use core::arch::x86_64::*;

use super::vector::{Element, HotLoop, Lanes, SimdIsa, Words, compress};

/// A [token](SimdIsa) that proves that the processor has AVX2, BMI1, BMI2 and POPCNT. Only
/// [`assume`](Avx2::assume) creates it. `HAS_PEXT` says whether the processor's `PEXT` is fast.
#[derive(Clone, Copy)]
pub(in crate::count) struct Avx2<const HAS_PEXT: bool>(());

impl<const HAS_PEXT: bool> Avx2<HAS_PEXT> {
    /// # Safety
    /// The processor must have the extensions named at [`Avx2`].
    pub(in crate::count) unsafe fn assume() -> Self {
        Self(())
    }

    /// Expands each bit of a word to a byte: 0 for 0, −1 for 1.
    #[inline(always)]
    fn bytes_of_bits(self, word: u32) -> __m256i {
        // SAFETY: the token proves that the processor has the instructions.
        unsafe {
            let byte = |place: i64| 0x0101_0101_0101_0101 * place;
            let places = _mm256_setr_epi64x(byte(0), byte(1), byte(2), byte(3));
            let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
            let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(word.cast_signed()), places);
            _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit)
        }
    }
}

impl<const HAS_PEXT: bool> SimdIsa for Avx2<HAS_PEXT> {
    type Wide = Wide<HAS_PEXT>;
    type Narrow = Narrow<HAS_PEXT>;

    const WORD_VECTORS: usize = 4;
    const HAS_PEXT: bool = HAS_PEXT;
    const HAS_FAST_NARROW_COMPRESS: bool = true;

    #[inline(always)]
    fn extract_bits(self, word: u64, mask: u64) -> u32 {
        // SAFETY: the token proves that the processor has the instructions.
        unsafe { _pext_u64(word, mask) as u32 }
    }

    #[inline(always)]
    fn prefetch<T>(self, soon: &[T]) {
        for line in soon.chunks((64 / size_of::<T>().max(1)).max(1)) {
            // SAFETY: prefetching affects only the caches.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
        }
    }

    #[inline(always)]
    fn positional_popcount<T: Element>(self, sets: impl Iterator<Item = T>) -> [[u8; 8]; 8] {
        let mut sums = [[0; 8]; 8];
        // SAFETY: the token proves that the processor has the instructions; `sums` is as long as
        // two vectors.
        unsafe {
            let mut counts = [_mm256_setzero_si256(); 2];
            for set in sets {
                let bits = set.bits();
                counts[0] = _mm256_sub_epi8(counts[0], self.bytes_of_bits(bits as u32));
                if size_of::<T>() > 4 {
                    counts[1] = _mm256_sub_epi8(counts[1], self.bytes_of_bits((bits >> 32) as u32));
                }
            }
            let [low, high] = counts;
            _mm256_storeu_si256(sums.as_mut_ptr().cast(), low);
            _mm256_storeu_si256(sums.as_mut_ptr().add(4).cast(), high);
        }
        sums
    }

    #[inline]
    fn run<K: HotLoop<Self>>(self, hot_loop: K) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn compiled<const HAS_PEXT: bool, K: HotLoop<Avx2<HAS_PEXT>>>(
            machine: Avx2<HAS_PEXT>,
            hot_loop: K,
        ) -> K::Output {
            hot_loop.run(machine)
        }
        // SAFETY: `Avx2` is only made by `assume`, whose caller vouches for these features.
        unsafe { compiled(self, hot_loop) }
    }
}

/// 4 sets of up to 64 diagonals.
#[derive(Clone, Copy)]
pub(in crate::count) struct Wide<const HAS_PEXT: bool>(__m256i);

/// 8 lanes of 32 bits: 8 sets of up to 32 diagonals, or 256 bits of a word of the bit-sliced comparison.
#[derive(Clone, Copy)]
pub(in crate::count) struct Narrow<const HAS_PEXT: bool>(__m256i);

/// For each subset of 8 lanes, the indices of its lanes in order, followed by those of the other
/// lanes: for 0b1010 they are 1, 3, 0, 2, 4, 5, 6 and 7.
const PACKED: [[u8; 8]; 256] = {
    let mut packed = [[0; 8]; 256];
    let mut chosen = 0;
    while chosen < 256 {
        let (mut lane, mut to, mut end) = (0, 0, (chosen as u8).count_ones() as usize);
        while lane < 8 {
            if chosen >> lane & 1 == 1 {
                packed[chosen][to] = lane;
                to += 1;
            } else {
                packed[chosen][end] = lane;
                end += 1;
            }
            lane += 1;
        }
        chosen += 1;
    }
    packed
};

/// For each subset of 4 lanes of 64 bits, the same subset as 8 lanes of 32 bits: each bit twice.
const DOUBLED_BITS: [u8; 16] = {
    let mut doubled = [0; 16];
    let mut chosen = 0;
    while chosen < 16 {
        let mut lane = 0;
        while lane < 4 {
            doubled[chosen] |= ((chosen as u8 >> lane & 1) * 3) << (2 * lane);
            lane += 1;
        }
        chosen += 1;
    }
    doubled
};

/// Moves the chosen 32-bit lanes of a vector to its front (*compress*). The other lanes follow.
#[inline(always)]
fn packed(lanes: __m256i, chosen: u8) -> __m256i {
    // SAFETY: the vector proves that the processor has the instructions.
    unsafe {
        let places = _mm_loadl_epi64(PACKED[chosen as usize].as_ptr().cast());
        _mm256_permutevar8x32_epi32(lanes, _mm256_cvtepu8_epi32(places))
    }
}

impl<const HAS_PEXT: bool> Lanes<u64> for Wide<HAS_PEXT> {
    type SimdIsa = Avx2<HAS_PEXT>;

    const LANES: usize = 4;

    #[inline(always)]
    fn splat(_: Self::SimdIsa, value: u64) -> Self {
        // SAFETY: the token proves that the processor has the instructions.
        Self(unsafe { _mm256_set1_epi64x(value.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Self::SimdIsa, from: &[u64]) -> Self {
        let mut short = [0; 4];
        let lanes = from.first_chunk().unwrap_or_else(|| {
            for (lane, &element) in short.iter_mut().zip(from) {
                *lane = element;
            }
            &short
        });
        // SAFETY: the token proves that the processor has the instructions; the array is as long as
        // the vector.
        Self(unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn disjoint(self, other: Self) -> u32 {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe {
            let common = _mm256_and_si256(self.0, other.0);
            let none = _mm256_cmpeq_epi64(common, _mm256_setzero_si256());
            _mm256_movemask_pd(_mm256_castsi256_pd(none)).cast_unsigned()
        }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u64]) -> usize {
        let lanes = packed(self.0, DOUBLED_BITS[chosen as usize & 15]);
        if let Some(places) = to.first_chunk_mut::<4>() {
            // SAFETY: the vector proves that the processor has the instructions; the array is as long as
            // the vector.
            unsafe { _mm256_storeu_si256(places.as_mut_ptr().cast(), lanes) };
        } else {
            let mut all = [0; 4];
            // SAFETY: the vector proves that the processor has the instructions; the array is as long as
            // the vector.
            unsafe { _mm256_storeu_si256(all.as_mut_ptr().cast(), self.0) };
            compress(all, chosen, to);
        }
        chosen.count_ones() as usize
    }

    const HAS_FAST_PARTITION: bool = true;

    #[inline(always)]
    fn partition(self, front: u32, to_front: &mut [u64], to_end: &mut [u64]) -> usize {
        let lanes = packed(self.0, DOUBLED_BITS[front as usize & 15]);
        if let Some(places) = to_front.first_chunk_mut::<4>() {
            // SAFETY: the vector proves that the processor has the instructions; the array is as long as
            // the vector.
            unsafe { _mm256_storeu_si256(places.as_mut_ptr().cast(), lanes) };
        } else {
            self.compress(front, to_front);
        }
        if let Some(places) = to_end.last_chunk_mut::<4>() {
            // SAFETY: the vector proves that the processor has the instructions; the array is as long as
            // the vector.
            unsafe { _mm256_storeu_si256(places.as_mut_ptr().cast(), lanes) };
        } else {
            let mut all = [0; 4];
            // SAFETY: the vector proves that the processor has the instructions; the array is as long as
            // the vector.
            unsafe { _mm256_storeu_si256(all.as_mut_ptr().cast(), lanes) };
            for (place, lane) in to_end.iter_mut().rev().zip(all.into_iter().rev()) {
                *place = lane;
            }
        }
        front.count_ones() as usize
    }
}

impl<const HAS_PEXT: bool> Lanes<u32> for Narrow<HAS_PEXT> {
    type SimdIsa = Avx2<HAS_PEXT>;

    const LANES: usize = 8;

    #[inline(always)]
    fn splat(_: Self::SimdIsa, value: u32) -> Self {
        // SAFETY: the token proves that the processor has the instructions.
        Self(unsafe { _mm256_set1_epi32(value.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Self::SimdIsa, from: &[u32]) -> Self {
        let mut short = [0; 8];
        let lanes = from.first_chunk().unwrap_or_else(|| {
            for (lane, &element) in short.iter_mut().zip(from) {
                *lane = element;
            }
            &short
        });
        // SAFETY: the token proves that the processor has the instructions; the array is as long as
        // the vector.
        Self(unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn disjoint(self, other: Self) -> u32 {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe {
            let common = _mm256_and_si256(self.0, other.0);
            let none = _mm256_cmpeq_epi32(common, _mm256_setzero_si256());
            _mm256_movemask_ps(_mm256_castsi256_ps(none)).cast_unsigned()
        }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u32]) -> usize {
        let lanes = packed(self.0, chosen as u8);
        if let Some(places) = to.first_chunk_mut::<8>() {
            // SAFETY: the vector proves that the processor has the instructions; the array is as long as
            // the vector.
            unsafe { _mm256_storeu_si256(places.as_mut_ptr().cast(), lanes) };
        } else {
            let mut all = [0; 8];
            // SAFETY: the vector proves that the processor has the instructions; the array is as long as
            // the vector.
            unsafe { _mm256_storeu_si256(all.as_mut_ptr().cast(), self.0) };
            compress(all, chosen, to);
        }
        chosen.count_ones() as usize
    }

    const HAS_FAST_PARTITION: bool = true;

    #[inline(always)]
    fn partition(self, front: u32, to_front: &mut [u32], to_end: &mut [u32]) -> usize {
        let lanes = packed(self.0, front as u8);
        if let Some(places) = to_front.first_chunk_mut::<8>() {
            // SAFETY: the vector proves that the processor has the instructions; the array is as long as
            // the vector.
            unsafe { _mm256_storeu_si256(places.as_mut_ptr().cast(), lanes) };
        } else {
            self.compress(front, to_front);
        }
        if let Some(places) = to_end.last_chunk_mut::<8>() {
            // SAFETY: the vector proves that the processor has the instructions; the array is as long as
            // the vector.
            unsafe { _mm256_storeu_si256(places.as_mut_ptr().cast(), lanes) };
        } else {
            let mut all = [0; 8];
            // SAFETY: the vector proves that the processor has the instructions; the array is as long as
            // the vector.
            unsafe { _mm256_storeu_si256(all.as_mut_ptr().cast(), lanes) };
            for (place, lane) in to_end.iter_mut().rev().zip(all.into_iter().rev()) {
                *place = lane;
            }
        }
        front.count_ones() as usize
    }
}

impl<const HAS_PEXT: bool> Words for Narrow<HAS_PEXT> {
    type Counters = Self;

    #[inline(always)]
    fn zero(machine: Self::SimdIsa) -> Self {
        Self::splat(machine, 0)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_left<const BY: i32>(self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Self(unsafe { _mm256_slli_epi32::<BY>(self.0) })
    }

    #[inline(always)]
    fn shift_right<const BY: i32>(self) -> Self {
        // SAFETY: the vector proves that the processor has the instructions.
        Self(unsafe { _mm256_srli_epi32::<BY>(self.0) })
    }

    #[inline(always)]
    fn count<const N: usize>(word: [Self; N], counters: Self) -> Self {
        const { assert!(N <= 4, "8·N must fit in a byte of a counter") };
        // SAFETY: the vector proves that the processor has the instructions.
        Self(unsafe {
            // Muła's population count: a table with the number of set bits of each 4-bit value,
            // repeated in both 128-bit halves.
            let ones = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let half = _mm256_set1_epi8(15);
            let mut bytes = _mm256_setzero_si256();
            for Self(bits) in word {
                let low = _mm256_and_si256(bits, half);
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bits), half);
                let low = _mm256_shuffle_epi8(ones, low);
                let high = _mm256_shuffle_epi8(ones, high);
                bytes = _mm256_add_epi8(bytes, _mm256_add_epi8(low, high));
            }
            // The sum of absolute differences from 0 adds up eight bytes at a time.
            _mm256_add_epi64(counters.0, _mm256_sad_epu8(bytes, _mm256_setzero_si256()))
        })
    }

    #[inline(always)]
    fn sum(counters: Self) -> u64 {
        // SAFETY: both types have 256 bits, and any bits are four valid `u64`.
        let lanes = unsafe { core::mem::transmute::<__m256i, [u64; 4]>(counters.0) };
        lanes.iter().sum()
    }

    /// Transposes the bytes of four vectors at a time. In each 128-bit half, a shuffle moves byte i of
    /// the four lanes to lane i. Then the lanes of the four vectors are transposed as a square of four
    /// by four.
    #[inline(always)]
    fn transpose_bytes(_: Self::SimdIsa, rows: &mut [Self; 32]) {
        for row in 0..8 {
            let [a, b, c, d] = [0, 8, 16, 24].map(|start| rows[start + row].0);
            // SAFETY: the vector proves that the processor has the instructions.
            let gathered = unsafe {
                // In each half of a vector: the lowest bytes of the four lanes, then the next ones.
                let places = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                    0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
                ));
                let (a, b) = (_mm256_shuffle_epi8(a, places), _mm256_shuffle_epi8(b, places));
                let (c, d) = (_mm256_shuffle_epi8(c, places), _mm256_shuffle_epi8(d, places));
                let (low_ab, high_ab) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
                let (low_cd, high_cd) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
                [
                    _mm256_unpacklo_epi64(low_ab, low_cd),
                    _mm256_unpackhi_epi64(low_ab, low_cd),
                    _mm256_unpacklo_epi64(high_ab, high_cd),
                    _mm256_unpackhi_epi64(high_ab, high_cd),
                ]
            };
            for (byte, vector) in gathered.into_iter().enumerate() {
                rows[8 * byte + row] = Self(vector);
            }
        }
    }
}

#[cfg(test)]
pub(in crate::count) mod found {
    use std::is_x86_feature_detected;

    use super::Avx2;

    pub(in crate::count) fn find<const HAS_PEXT: bool>() -> Option<Avx2<HAS_PEXT>> {
        let is_there = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        // SAFETY: the features have just been detected.
        is_there.then(|| unsafe { Avx2::assume() })
    }

    primitives!(tests: find::<false>());
    primitives!(tests_extracting: find::<true>());
}
