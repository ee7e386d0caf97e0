//! NEON: vectors of 16 bytes, each with up to 8 placements. Compiled only for targets on which every
//! processor has NEON.
#![allow(unsafe_code, reason = "vector instructions; see the reason at each block")]

use core::arch::aarch64::*;

use super::vector::{ByteIsa, Bytes, HotLoop};

/// The [token](ByteIsa) of NEON. Creating it is safe, because this file is compiled only where every
/// processor has NEON.
#[derive(Clone, Copy)]
pub(super) struct Neon;

impl ByteIsa for Neon {
    type Bytes = Vector;

    #[inline]
    fn run<K: HotLoop<Neon>>(self, hot_loop: K) -> K::Output {
        hot_loop.run(self)
    }
}

/// 16 bytes.
#[derive(Clone, Copy)]
pub(super) struct Vector(uint8x16_t);

/// The sums of four groups of four bytes.
#[derive(Clone, Copy)]
pub(super) struct Sums(uint32x4_t);

impl Bytes for Vector {
    type Isa = Neon;
    type Sums = Sums;

    const LANES: usize = 16;
    const SLOTS: usize = 8;

    #[inline(always)]
    fn splat(_: Neon, byte: u8) -> Vector {
        // SAFETY: the token proves that the processor has the instructions.
        Vector(unsafe { vdupq_n_u8(byte) })
    }

    #[inline(always)]
    fn load(_: Neon, from: &[u8]) -> Vector {
        let mut bytes = [0u8; 16];
        let all = from.first_chunk().unwrap_or_else(|| {
            bytes.iter_mut().zip(from).for_each(|(to, &from)| *to = from);
            &bytes
        });
        // SAFETY: the token proves that the processor has the instructions; the array has 16 bytes.
        Vector(unsafe { vld1q_u8(all.as_ptr()) })
    }

    #[inline(always)]
    fn and(self, other: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { vandq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn and_not(self, other: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { vbicq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { vorrq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn add(self, other: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { vaddq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn add_saturating(self, other: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { vqaddq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn carry(self, addend: Vector) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { vandq_u8(vcltq_u8(self.0, addend.0), vdupq_n_u8(1)) })
    }

    #[inline(always)]
    fn count(self) -> Vector {
        // SAFETY: the vector proves that the processor has the instructions.
        Vector(unsafe { vcntq_u8(self.0) })
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe { vmaxvq_u8(self.0) == 0 }
    }

    #[inline(always)]
    fn is_any_full(self) -> bool {
        // SAFETY: the vector proves that the processor has the instructions.
        unsafe { vmaxvq_u8(self.0) == u8::MAX }
    }

    #[inline(always)]
    fn no_sums(_: Neon) -> Sums {
        // SAFETY: the token proves that the processor has the instructions.
        Sums(unsafe { vdupq_n_u32(0) })
    }

    #[inline(always)]
    fn add_products(sums: Sums, bytes: Vector, counts: Vector) -> Sums {
        // SAFETY: the vector proves that the processor has the instructions. A product is at most 64
        // times 255, so the sum of two products fits in 16 bits.
        Sums(unsafe {
            let low = vmull_u8(vget_low_u8(bytes.0), vget_low_u8(counts.0));
            let high = vmull_high_u8(bytes.0, counts.0);
            vpadalq_u16(sums.0, vpaddq_u16(low, high))
        })
    }

    #[inline(always)]
    fn groups(sums: Sums) -> [u32; 16] {
        let mut groups = [0; 16];
        // SAFETY: the vector proves that the processor has the instructions; the array is longer
        // than a vector.
        unsafe { vst1q_u32(groups.as_mut_ptr(), sums.0) };
        groups
    }

    /// Each of the four steps moves one bit of the number of the row into the number of the column.
    #[inline(always)]
    fn transpose(isa: Neon, rows: &mut [Vector]) {
        let Some(rows) = rows.first_chunk_mut::<16>() else { return };
        let mut next = [Vector::splat(isa, 0); 16];
        for _ in 0..4 {
            let (upper, lower) = rows.split_at(8);
            for ((pair, &a), &b) in next.as_chunks_mut::<2>().0.iter_mut().zip(upper).zip(lower) {
                // SAFETY: the vectors prove that the processor has the instructions.
                *pair = unsafe { [vzip1q_u8(a.0, b.0), vzip2q_u8(a.0, b.0)] }.map(Vector);
            }
            *rows = next;
        }
    }
}
