//! An array of SIMD vectors used as one longer vector.

use super::vector::{Lanes, Words, first_lanes, rest};

/// `N` vectors with at most 32 lanes together. All methods are written as loops: closures passed to
/// functions of `core::array` are not inlined, so they would not be compiled for the instruction
/// set.
#[derive(Clone, Copy)]
pub(super) struct VectorArray<V, const N: usize>([V; N]);

impl<V: Lanes<u32>, const N: usize> Lanes<u32> for VectorArray<V, N> {
    type SimdIsa = V::SimdIsa;

    const LANES: usize = N * V::LANES;

    #[inline(always)]
    fn splat(machine: V::SimdIsa, value: u32) -> Self {
        VectorArray([V::splat(machine, value); N])
    }

    #[inline(always)]
    fn load(machine: V::SimdIsa, from: &[u32]) -> Self {
        let mut parts = Self::splat(machine, 0);
        for (part, vector) in parts.0.iter_mut().enumerate() {
            *vector = V::load(machine, from.get(part * V::LANES..).unwrap_or_default());
        }
        parts
    }

    #[inline(always)]
    fn disjoint(self, other: Self) -> u32 {
        let mut lanes = 0;
        for part in 0..N {
            lanes |= self.0[part].disjoint(other.0[part]) << (part * V::LANES);
        }
        lanes
    }

    #[inline(always)]
    fn or(mut self, other: Self) -> Self {
        for (vector, other) in self.0.iter_mut().zip(other.0) {
            *vector = vector.or(other);
        }
        self
    }

    #[inline(always)]
    fn compress(self, chosen: u32, to: &mut [u32]) -> usize {
        let mut length = 0;
        for (part, vector) in self.0.into_iter().enumerate() {
            let chosen = chosen >> (part * V::LANES) & first_lanes(V::LANES);
            let behind = rest(to, length.min(to.len()));
            length += vector.compress(chosen, behind);
        }
        length
    }
}

impl<V: Words, const N: usize> Words for VectorArray<V, N> {
    type Counters = [V::Counters; N];

    const COUNTED: usize = V::COUNTED;

    #[inline(always)]
    fn zero(machine: V::SimdIsa) -> Self::Counters {
        [V::zero(machine); N]
    }

    #[inline(always)]
    fn xor(mut self, other: Self) -> Self {
        for (vector, other) in self.0.iter_mut().zip(other.0) {
            *vector = vector.xor(other);
        }
        self
    }

    #[inline(always)]
    fn and(mut self, other: Self) -> Self {
        for (vector, other) in self.0.iter_mut().zip(other.0) {
            *vector = vector.and(other);
        }
        self
    }

    #[inline(always)]
    fn shift_left<const BY: i32>(mut self) -> Self {
        for vector in &mut self.0 {
            *vector = vector.shift_left::<BY>();
        }
        self
    }

    #[inline(always)]
    fn shift_right<const BY: i32>(mut self) -> Self {
        for vector in &mut self.0 {
            *vector = vector.shift_right::<BY>();
        }
        self
    }

    #[inline(always)]
    fn count(self, mut counters: Self::Counters) -> Self::Counters {
        for (vector, counters) in self.0.into_iter().zip(&mut counters) {
            *counters = vector.count(*counters);
        }
        counters
    }

    #[inline(always)]
    fn sum(counters: Self::Counters) -> u64 {
        let mut sum = 0;
        for counters in counters {
            sum += V::sum(counters);
        }
        sum
    }
}
