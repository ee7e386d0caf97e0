//! Vectors of bytes in plain Rust. The compiler may use the vector instructions of the build's
//! target.

use core::marker::PhantomData;

use super::vector::{ByteIsa, Bytes, HotLoop};

/// The token of the portable code, which needs no instruction set.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl ByteIsa for Portable {
    type Bytes = Array<Portable>;

    fn run<K: HotLoop<Self>>(self, hot_loop: K) -> K::Output {
        hot_loop.run(self)
    }
}

/// 32 bytes, each with up to 8 placements. Saturating sums above `MOST` become 255; tests use a small
/// limit.
#[derive(Clone, Copy)]
pub(super) struct Array<M, const MOST: u8 = 254>([u8; 32], PhantomData<M>);

impl<M: Copy, const MOST: u8> Array<M, MOST> {
    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(u8, u8) -> u8) -> Self {
        let mut bytes = self.0;
        for (byte, other) in bytes.iter_mut().zip(other.0) {
            *byte = operation(*byte, other);
        }
        Array(bytes, PhantomData)
    }
}

impl<M: ByteIsa, const MOST: u8> Bytes for Array<M, MOST> {
    type Isa = M;
    type Sums = [u32; 8];

    const LANES: usize = 32;
    const SLOTS: usize = 8;

    #[inline(always)]
    fn splat(_: M, byte: u8) -> Self {
        Array([byte; 32], PhantomData)
    }

    #[inline(always)]
    fn load(_: M, from: &[u8]) -> Self {
        let mut bytes = [0; 32];
        match from.first_chunk() {
            Some(all) => bytes = *all,
            None => bytes.iter_mut().zip(from).for_each(|(to, &from)| *to = from),
        }
        Array(bytes, PhantomData)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, u8::wrapping_add)
    }

    #[inline(always)]
    fn add_saturating(self, other: Self) -> Self {
        self.zip(other, |a, b| match a.saturating_add(b) {
            sum if sum > MOST => u8::MAX,
            sum => sum,
        })
    }

    #[inline(always)]
    fn carry(self, addend: Self) -> Self {
        self.zip(addend, |sum, addend| u8::from(sum < addend))
    }

    #[inline(always)]
    fn count(self) -> Self {
        Array(self.0.map(|byte| byte.count_ones() as u8), PhantomData)
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0.iter().fold(0, |sum, byte| sum | byte) == 0
    }

    #[inline(always)]
    fn is_any_full(self) -> bool {
        self.0.iter().fold(false, |full, &byte| full | (byte == u8::MAX))
    }

    #[inline(always)]
    fn no_sums(_: M) -> [u32; 8] {
        [0; 8]
    }

    #[inline(always)]
    fn add_products(mut sums: [u32; 8], bytes: Self, counts: Self) -> [u32; 8] {
        let groups = bytes.0.as_chunks::<4>().0.iter().zip(counts.0.as_chunks::<4>().0);
        for (sum, (bytes, counts)) in sums.iter_mut().zip(groups) {
            let products = bytes.iter().zip(counts);
            *sum += products.map(|(&byte, &count)| u32::from(byte) * u32::from(count)).sum::<u32>();
        }
        sums
    }

    #[inline(always)]
    fn groups(sums: [u32; 8]) -> [u32; 16] {
        let mut groups = [0; 16];
        groups.iter_mut().zip(sums).for_each(|(group, sum)| *group = sum);
        groups
    }

    #[inline(always)]
    fn transpose(_: M, rows: &mut [Self]) {
        let Some(rows) = rows.first_chunk_mut::<32>() else { return };
        for row in 0..32 {
            for column in 0..row {
                let upper = rows[row].0[column];
                rows[row].0[column] = rows[column].0[row];
                rows[column].0[row] = upper;
            }
        }
    }
}
