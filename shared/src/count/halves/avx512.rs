//! AVX-512: vectors of 8 lanes of 64 bits or 16 lanes of 32 bits. One instruction packs the selected
//! lanes of a vector, another one counts the bits of each lane. A long word has at most two vectors.
#![allow(unsafe_code, reason = "vector instructions; see the reason at each block")]

use core::arch::x86_64::*;

use super::vector::{Element, HotLoop, Lanes, SimdIsa, Words, or_compress_generic};

/// The token of all extensions that [`InstructionSet::Avx512`](super::InstructionSet::Avx512)
/// names. Only [`assume`](Avx512::assume) creates it.
#[derive(Clone, Copy)]
pub(in crate::count) struct Avx512(());

impl Avx512 {
    /// # Safety
    /// The processor must have all extensions named at [`Avx512`].
    pub(in crate::count) unsafe fn assume() -> Avx512 {
        Avx512(())
    }
}

impl SimdIsa for Avx512 {
    type Wide = Wide;
    type Narrow = Narrow;

    const WORD_VECTORS: usize = 2;

    const HAS_PEXT: bool = true;

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
    fn write_bit_indices(self, chosen: u64, bits: usize, base: u16, to: &mut [u16]) -> usize {
        // The indices of the lanes.
        const NUMBERS: [u16; 32] = {
            let mut numbers = [0; 32];
            let mut lane = 0;
            while lane < 32 {
                numbers[lane] = lane as u16;
                lane += 1;
            }
            numbers
        };
        debug_assert!(to.len() >= 64, "room for {} words", to.len());
        debug_assert!(bits >= 64 || chosen >> bits == 0, "{chosen:b} in {bits} bits");
        if to.len() < 64 {
            return 0;
        }
        let first = to.as_mut_ptr();
        let (low, high) = (chosen as u32, (chosen >> 32) as u32);
        let from_low = low.count_ones() as usize;
        // SAFETY: the token proves that the processor has the instructions. The slice has at least
        // 64 words. Each store writes 32 words; the second one begins at word `from_low`, at most
        // 32.
        unsafe {
            let numbers = _mm512_loadu_epi16(NUMBERS.as_ptr().cast());
            let of_low = _mm512_add_epi16(numbers, _mm512_set1_epi16(base.cast_signed()));
            let of_high = _mm512_add_epi16(of_low, _mm512_set1_epi16(32));
            _mm512_storeu_epi16(first.cast(), _mm512_maskz_compress_epi16(low, of_low));
            if bits <= 32 {
                return from_low;
            }
            let next = first.add(from_low);
            _mm512_storeu_epi16(next.cast(), _mm512_maskz_compress_epi16(high, of_high));
        }
        from_low + high.count_ones() as usize
    }

    #[inline(always)]
    fn positional_popcount<T: Element>(self, sets: impl Iterator<Item = T>) -> [[u8; 8]; 8] {
        let mut sums = [[0; 8]; 8];
        // SAFETY: the token proves that the processor has the instructions; `sums` has 64 bytes.
        unsafe {
            let (mut counts, one) = (_mm512_setzero_si512(), _mm512_set1_epi8(1));
            for set in sets {
                counts = _mm512_mask_add_epi8(counts, set.bits(), counts, one);
            }
            _mm512_storeu_si512(sums.as_mut_ptr().cast(), counts);
        }
        sums
    }

    const HAS_FAST_COMPRESS: bool = true;
    const HAS_FAST_NARROW_COMPRESS: bool = true;

    #[inline(always)]
    fn or_compress(self, sets: &[u64], with: u64, chosen: u32, to: &mut [u64]) -> usize {
        let (Some(sets), Some(to)) = (sets.first_chunk::<16>(), to.first_chunk_mut::<16>()) else {
            return or_compress_generic(self, sets, with, chosen, to);
        };
        let (low, high) = (chosen as u8, (chosen >> 8) as u8);
        let from_low = low.count_ones() as usize;
        // SAFETY: the token proves that the processor has the instructions. Both slices have at
        // least 16 words. Each store writes 8 words; the second one begins at word `from_low`, at
        // most 8.
        unsafe {
            let with = _mm512_set1_epi64(with.cast_signed());
            let of_low = _mm512_or_si512(_mm512_loadu_si512(sets.as_ptr().cast()), with);
            let of_high = _mm512_or_si512(_mm512_loadu_si512(sets.as_ptr().add(8).cast()), with);
            let first = to.as_mut_ptr();
            _mm512_storeu_si512(first.cast(), _mm512_maskz_compress_epi64(low, of_low));
            let next = first.add(from_low);
            _mm512_storeu_si512(next.cast(), _mm512_maskz_compress_epi64(high, of_high));
        }
        from_low + high.count_ones() as usize
    }

    #[inline]
    fn run<K: HotLoop<Self>>(self, hot_loop: K) -> K::Output {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,\
                      avx512vpopcntdq,avx512vnni,gfni,popcnt,bmi1,bmi2"
        )]
        fn compiled<K: HotLoop<Avx512>>(machine: Avx512, hot_loop: K) -> K::Output {
            hot_loop.run(machine)
        }
        // SAFETY: `Avx512` is only made by `assume`, whose caller vouches for these features.
        unsafe { compiled(self, hot_loop) }
    }
}

/// 8 sets of up to 64 diagonals.
#[derive(Clone, Copy)]
pub(in crate::count) struct Wide(__m512i);

/// 16 sets of up to 32 diagonals, or 512 bits of a long word.
#[derive(Clone, Copy)]
pub(in crate::count) struct Narrow(__m512i);

impl Lanes<u64> for Wide {
    type SimdIsa = Avx512;

    const LANES: usize = 8;

    #[inline(always)]
    fn splat(_: Avx512, value: u64) -> Wide {
        // SAFETY: the token proves that the processor has the instructions.
        Wide(unsafe { _mm512_set1_epi64(value.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Avx512, from: &[u64]) -> Wide {
        let (whole, first) = (from.len() >= 8, from.as_ptr().cast());
        // SAFETY: the token proves that the processor has the instructions; no more elements are
        // loaded than the slice has.
        Wide(unsafe {
            if whole {
                _mm512_loadu_si512(first)
            } else {
                _mm512_maskz_loadu_epi64((1 << from.len()) - 1, first.cast())
            }
        })
    }

    #[inline(always)]
    fn disjoint(self, other: Wide) -> u32 {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe { _mm512_testn_epi64_mask(self.0, other.0) }.into()
    }

    #[inline(always)]
    fn or(self, other: Wide) -> Wide {
        // SAFETY: the vector proves that the processor has the instructions.
        Wide(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u64]) -> usize {
        let (room, first) = (to.len(), to.as_mut_ptr().cast());
        // SAFETY: the vector proves that the processor has the instructions; no more elements are
        // stored than the slice has.
        unsafe {
            // Packing in a register and storing the whole register is faster than the instruction
            // that packs to memory.
            let packed = _mm512_maskz_compress_epi64(chosen as u8, self.0);
            if room >= 8 {
                _mm512_storeu_si512(first, packed);
            } else {
                _mm512_mask_storeu_epi64(first.cast(), (1 << room) - 1, packed);
            }
        }
        chosen.count_ones() as usize
    }
}

impl Lanes<u32> for Narrow {
    type SimdIsa = Avx512;

    const LANES: usize = 16;

    #[inline(always)]
    fn splat(_: Avx512, value: u32) -> Narrow {
        // SAFETY: the token proves that the processor has the instructions.
        Narrow(unsafe { _mm512_set1_epi32(value.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Avx512, from: &[u32]) -> Narrow {
        let (whole, first) = (from.len() >= 16, from.as_ptr().cast());
        // SAFETY: the token proves that the processor has the instructions; no more elements are
        // loaded than the slice has.
        Narrow(unsafe {
            if whole {
                _mm512_loadu_si512(first)
            } else {
                _mm512_maskz_loadu_epi32((1 << from.len()) - 1, first.cast())
            }
        })
    }

    #[inline(always)]
    fn disjoint(self, other: Narrow) -> u32 {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe { _mm512_testn_epi32_mask(self.0, other.0) }.into()
    }

    #[inline(always)]
    fn or(self, other: Narrow) -> Narrow {
        // SAFETY: the vector proves that the processor has the instructions.
        Narrow(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u32]) -> usize {
        let (room, first) = (to.len(), to.as_mut_ptr().cast());
        // SAFETY: the vector proves that the processor has the instructions; no more elements are
        // stored than the slice has.
        unsafe {
            let packed = _mm512_maskz_compress_epi32(chosen as u16, self.0);
            if room >= 16 {
                _mm512_storeu_si512(first, packed);
            } else {
                _mm512_mask_storeu_epi32(first.cast(), (1 << room) - 1, packed);
            }
        }
        chosen.count_ones() as usize
    }
}

impl Words for Narrow {
    type Counters = Narrow;

    #[inline(always)]
    fn zero(machine: Avx512) -> Narrow {
        Narrow::splat(machine, 0)
    }

    #[inline(always)]
    fn xor(self, other: Narrow) -> Narrow {
        // SAFETY: the vector proves that the processor has the instructions.
        Narrow(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Narrow) -> Narrow {
        // SAFETY: the vector proves that the processor has the instructions.
        Narrow(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_left<const BY: i32>(self) -> Narrow {
        // SAFETY: the vector proves that the processor has the instructions.
        Narrow(unsafe { _mm512_sllv_epi32(self.0, _mm512_set1_epi32(BY)) })
    }

    #[inline(always)]
    fn shift_right<const BY: i32>(self) -> Narrow {
        // SAFETY: the vector proves that the processor has the instructions.
        Narrow(unsafe { _mm512_srlv_epi32(self.0, _mm512_set1_epi32(BY)) })
    }

    #[inline(always)]
    fn count<const N: usize>(word: [Narrow; N], mut counters: Narrow) -> Narrow {
        for Narrow(bits) in word {
            // SAFETY: the vector proves that the processor has the instructions.
            counters.0 = unsafe { _mm512_add_epi64(counters.0, _mm512_popcnt_epi64(bits)) };
        }
        counters
    }

    #[inline(always)]
    fn sum(counters: Narrow) -> u64 {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe { _mm512_reduce_add_epi64(counters.0) }.cast_unsigned()
    }
}

#[cfg(test)]
pub(in crate::count) mod found {
    use std::is_x86_feature_detected;

    use super::Avx512;

    pub(in crate::count) fn find() -> Option<Avx512> {
        let is_there = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("avx512vnni")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("avx512vpopcntdq");
        // SAFETY: the features have just been detected.
        is_there.then(|| unsafe { Avx512::assume() })
    }

    primitives!(tests: find());
}
