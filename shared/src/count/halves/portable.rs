//! Portable implementation of the vectors in plain Rust: single 64-bit elements, and arrays of
//! eight 32-bit elements, which the compiler may put into vectors of the target.

use super::vector::{HotLoop, Lanes, SimdIsa, Words, compress};

/// The token of the portable code, which needs no instruction set.
#[derive(Clone, Copy)]
pub(in crate::count) struct Portable;

impl SimdIsa for Portable {
    type Wide = u64;
    type Narrow = [u32; 8];

    const WORD_VECTORS: usize = 1;

    fn run<K: HotLoop<Self>>(self, hot_loop: K) -> K::Output {
        hot_loop.run(self)
    }
}

impl Lanes<u64> for u64 {
    type SimdIsa = Portable;

    const LANES: usize = 1;

    #[inline(always)]
    fn splat(_: Portable, value: u64) -> u64 {
        value
    }

    #[inline(always)]
    fn load(_: Portable, from: &[u64]) -> u64 {
        from.first().copied().unwrap_or(0)
    }

    #[inline(always)]
    fn disjoint(self, other: u64) -> u32 {
        u32::from(self & other == 0)
    }

    #[inline(always)]
    fn or(self, other: u64) -> u64 {
        self | other
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u64]) -> usize {
        if let Some(place) = to.first_mut() {
            *place = self;
        }
        (chosen & 1) as usize
    }
}

impl Lanes<u32> for [u32; 8] {
    type SimdIsa = Portable;

    const LANES: usize = 8;

    #[inline(always)]
    fn splat(_: Portable, value: u32) -> Self {
        [value; 8]
    }

    #[inline(always)]
    fn load(_: Portable, from: &[u32]) -> Self {
        if let Some(&all) = from.first_chunk() {
            return all;
        }
        let mut lanes = [0; 8];
        for (lane, &value) in lanes.iter_mut().zip(from) {
            *lane = value;
        }
        lanes
    }

    #[inline(always)]
    fn disjoint(self, other: Self) -> u32 {
        let mut bits = 0;
        for lane in 0..8 {
            bits |= u32::from(self[lane] & other[lane] == 0) << lane;
        }
        bits
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        lanewise(self, other, |a, b| a | b)
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u32]) -> usize {
        compress(self, chosen, to)
    }
}

impl Words for [u32; 8] {
    type Counters = u64;

    #[inline(always)]
    fn zero(_: Portable) -> u64 {
        0
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        lanewise(self, other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        lanewise(self, other, |a, b| a & b)
    }

    #[inline(always)]
    fn shift_left<const BY: i32>(self) -> Self {
        self.map(|lane| lane << BY)
    }

    #[inline(always)]
    fn shift_right<const BY: i32>(self) -> Self {
        self.map(|lane| lane >> BY)
    }

    #[inline(always)]
    fn count<const N: usize>(word: [Self; N], counters: u64) -> u64 {
        counters + word.as_flattened().iter().map(|lane| u64::from(lane.count_ones())).sum::<u64>()
    }

    #[inline(always)]
    fn sum(counters: u64) -> u64 {
        counters
    }
}

#[inline(always)]
fn lanewise(a: [u32; 8], b: [u32; 8], operation: impl Fn(u32, u32) -> u32) -> [u32; 8] {
    let mut result = a;
    for lane in 0..8 {
        result[lane] = operation(a[lane], b[lane]);
    }
    result
}

#[cfg(test)]
primitives!(Portable);
