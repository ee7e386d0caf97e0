//! AVX-512: vectors of 64 bytes, each with up to 8 placements.
#![allow(unsafe_code, reason = "vector instructions; see the reason at each block")]

use core::arch::x86_64::*;

use super::{
    lanes::Span,
    vector::{ByteIsa, Bytes, HotLoop},
};

/// The [token](ByteIsa) of all extensions that
/// [`InstructionSet::Avx512`](crate::InstructionSet::Avx512) names. Only [`assume`](Avx512::assume)
/// creates it.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

impl Avx512 {
    /// # Safety
    /// The processor must have all extensions named at [`Avx512`].
    pub(super) unsafe fn assume() -> Avx512 {
        Avx512(())
    }
}

impl ByteIsa for Avx512 {
    type Bytes = Vector;

    #[inline]
    fn run<K: HotLoop<Avx512>>(self, hot_loop: K) -> K::Output {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,\
                      avx512vpopcntdq,avx512vnni,gfni,popcnt,bmi1,bmi2"
        )]
        fn compiled<K: HotLoop<Avx512>>(isa: Avx512, hot_loop: K) -> K::Output {
            hot_loop.run(isa)
        }
        // SAFETY: `Avx512` is only made by `assume`, whose caller vouches for these features.
        unsafe { compiled(self, hot_loop) }
    }
}

/// 64 bytes.
#[derive(Clone, Copy)]
pub(super) struct Vector(__m512i);

/// The index of byte j of row i in a square of 8 · 8 bytes whose rows and columns are exchanged; with
/// `is_reversed`, the rows are in reverse order.
const fn transposed(is_reversed: bool) -> [u8; 64] {
    let mut indices = [0; 64];
    let mut at = 0;
    while at < 64 {
        let row = if is_reversed { 7 - at % 8 } else { at % 8 };
        indices[at] = (row * 8 + at / 8) as u8;
        at += 1;
    }
    indices
}

const TRANSPOSED: [u8; 64] = transposed(false);
const TRANSPOSED_REVERSED: [u8; 64] = transposed(true);

/// Transposes a square of 8 vectors of 8 elements of 64 bits.
#[inline(always)]
fn transpose_words(_: Avx512, rows: [__m512i; 8]) -> [__m512i; 8] {
    // SAFETY: the token proves that the processor has the instructions.
    unsafe {
        let low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        let high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        let [a, b, c, d, e, f, g, h] = rows;
        let pairs = |x, y| [_mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y)];
        let fours = |[a, b]: [__m512i; 2], [c, d]: [__m512i; 2]| {
            [
                _mm512_permutex2var_epi64(a, low, c),
                _mm512_permutex2var_epi64(b, low, d),
                _mm512_permutex2var_epi64(a, high, c),
                _mm512_permutex2var_epi64(b, high, d),
            ]
        };
        let upper = fours(pairs(a, b), pairs(c, d));
        let lower = fours(pairs(e, f), pairs(g, h));
        let mut columns = rows;
        for at in 0..4 {
            columns[at] = _mm512_shuffle_i64x2::<0x44>(upper[at], lower[at]);
            columns[at + 4] = _mm512_shuffle_i64x2::<0xee>(upper[at], lower[at]);
        }
        columns
    }
}

/// Transposes a square of 64 vectors.
#[inline(always)]
fn transpose(isa: Avx512, rows: &mut [Vector; 64]) {
    let mut groups = [[rows[0].0; 8]; 8];
    for (group, rows) in rows.as_chunks::<8>().0.iter().enumerate() {
        let words = transpose_words(isa, rows.map(|row| row.0));
        for (word, groups) in words.into_iter().zip(&mut groups) {
            // SAFETY: the token proves that the processor has the instructions; the array has 64
            // bytes.
            groups[group] = unsafe {
                let indices = _mm512_loadu_si512(TRANSPOSED.as_ptr().cast());
                _mm512_permutexvar_epi8(indices, word)
            };
        }
    }
    for (rows, group) in rows.as_chunks_mut::<8>().0.iter_mut().zip(groups) {
        *rows = transpose_words(isa, group).map(Vector);
    }
}

impl Bytes for Vector {
    type Isa = Avx512;
    type Sums = Vector;

    const LANES: usize = 64;
    const SLOTS: usize = 8;

    #[inline(always)]
    fn splat(_: Avx512, byte: u8) -> Vector {
        // SAFETY: the token proves that the processor has the instructions.
        Vector(unsafe { _mm512_set1_epi8(byte.cast_signed()) })
    }

    #[inline(always)]
    fn load(_: Avx512, from: &[u8]) -> Vector {
        let existing = if from.len() >= 64 { u64::MAX } else { (1 << from.len()) - 1 };
        // SAFETY: the token proves that the processor has the instructions; no more bytes are loaded
        // than the slice has.
        Vector(unsafe { _mm512_maskz_loadu_epi8(existing, from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn and(self, other: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn and_not(self, other: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }

    #[inline(always)]
    fn or(self, other: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn add(self, other: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm512_add_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn add_saturating(self, other: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm512_adds_epu8(self.0, other.0) })
    }

    #[inline(always)]
    fn carry(self, addend: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm512_maskz_set1_epi8(_mm512_cmplt_epu8_mask(self.0, addend.0), 1) })
    }

    #[inline(always)]
    fn count(self) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm512_popcnt_epi8(self.0) })
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn is_any_full(self) -> bool {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, _mm512_set1_epi8(-1)) != 0 }
    }

    #[inline(always)]
    fn no_sums(isa: Avx512) -> Vector {
        Vector::splat(isa, 0)
    }

    #[inline(always)]
    fn add_products(sums: Vector, bytes: Vector, counts: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { _mm512_dpbusd_epi32(sums.0, bytes.0, counts.0) })
    }

    #[inline(always)]
    fn groups(sums: Vector) -> [u32; 16] {
        let mut groups = [0; 16];
        // SAFETY: the vector proves that the processor has the instructions; the array has 64 bytes.
        unsafe { _mm512_storeu_si512(groups.as_mut_ptr().cast(), sums.0) };
        groups
    }

    #[inline(always)]
    fn transpose(isa: Avx512, rows: &mut [Vector]) {
        if let Some(rows) = rows.first_chunk_mut() {
            transpose(isa, rows);
        }
    }

    #[inline(always)]
    fn select(_: Avx512, leaves: &[u32], least: u32, amount: u32, to: &mut [u32]) -> usize {
        let mut length = 0;
        for leaves in leaves.chunks(16) {
            let existing = u16::MAX >> (16 - leaves.len());
            let room = to.get_mut(length..).unwrap_or_default();
            // SAFETY: the token proves that the processor has the instructions. No more elements are
            // loaded than the list has, and no more are stored than there is room for.
            length += unsafe {
                let loaded = _mm512_maskz_loadu_epi32(existing, leaves.as_ptr().cast());
                let numbers = _mm512_and_si512(loaded, _mm512_set1_epi32(0xfff));
                let numbers = _mm512_sub_epi32(numbers, _mm512_set1_epi32(least.cast_signed()));
                let amount = _mm512_set1_epi32(amount.cast_signed());
                let selected = _mm512_mask_cmplt_epu32_mask(existing, numbers, amount);
                let packed = _mm512_maskz_compress_epi32(selected, loaded);
                let fitting = if room.len() >= 16 { u16::MAX } else { (1 << room.len()) - 1 };
                _mm512_mask_storeu_epi32(room.as_mut_ptr().cast(), fitting, packed);
                selected.count_ones() as usize
            };
        }
        length
    }

    #[inline(always)]
    fn select_disjoint(_: Avx512, masks: &[u64], lines: u64, to: &mut [u64]) -> usize {
        let mut length = 0;
        for masks in masks.chunks(8) {
            let existing = u8::MAX >> (8 - masks.len());
            let room = to.get_mut(length..).unwrap_or_default();
            // SAFETY: the token proves that the processor has the instructions. No more elements are
            // loaded than the list has, and no more are stored than there is room for.
            length += unsafe {
                let loaded = _mm512_maskz_loadu_epi64(existing, masks.as_ptr().cast());
                let lines = _mm512_set1_epi64(lines.cast_signed());
                let selected = _mm512_mask_testn_epi64_mask(existing, loaded, lines);
                let packed = _mm512_maskz_compress_epi64(selected, loaded);
                let fitting = if room.len() >= 8 { u8::MAX } else { (1 << room.len()) - 1 };
                _mm512_mask_storeu_epi64(room.as_mut_ptr().cast(), fitting, packed);
                selected.count_ones() as usize
            };
        }
        length
    }

    /// Transposes the sets of lines: first the 8 sets of each lane bit by bit, then the lanes.
    #[inline(always)]
    fn planes(
        isa: Avx512,
        masks: &[u64],
        lanes: &[Span],
        first: usize,
        planes: &mut [Vector; 64],
    ) -> Vector {
        let mut existing = [0u8; 64];
        *planes = [Vector::splat(isa, 0); 64];
        for ((span, existing), plane) in lanes.iter().zip(&mut existing).zip(&mut *planes) {
            let list = span.of(masks).get(first..).unwrap_or_default();
            if list.is_empty() {
                continue;
            }
            *existing = if list.len() >= 8 { u8::MAX } else { (1 << list.len()) - 1 };
            // SAFETY: the token proves that the processor has the instructions. No more elements are
            // loaded than the list has, and the array has 64 bytes.
            plane.0 = unsafe {
                let lines = _mm512_maskz_loadu_epi64(*existing, list.as_ptr().cast());
                // The matrix product takes the rows of its second factor in reverse order.
                let indices = _mm512_loadu_si512(TRANSPOSED_REVERSED.as_ptr().cast());
                let bytes = _mm512_permutexvar_epi8(indices, lines);
                let unit = _mm512_set1_epi64(0x8040_2010_0804_0201_u64.cast_signed());
                _mm512_gf2p8affine_epi64_epi8::<0>(unit, bytes)
            };
        }
        transpose(isa, planes);
        Vector::load(isa, &existing)
    }
}

#[cfg(test)]
pub(super) fn find() -> Option<Avx512> {
    use std::is_x86_feature_detected;

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
