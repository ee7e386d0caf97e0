//! Packing 64-bit elements into 32 bits.

use super::vector::{HotLoop, SimdIsa};

/// A plan that moves up to 32 bits of a word into its low half: bits that are already there stay,
/// and the others fill the gaps. It replaces `PEXT`: the order of the bits does not matter here.
/// For the bits 0, 33 and 34, bit 0 stays, and one move shifts the other two down by 32.
#[derive(Clone, Copy)]
pub(super) struct PackPlan {
    /// The bits that stay.
    stay: u64,
    /// Masks of bits, and how far to shift them down.
    moves: [(u64, u32); 32],
    /// The number of `moves` in use.
    move_count: usize,
}

impl PackPlan {
    pub(super) fn new(bits: u64) -> PackPlan {
        let low = u64::from(u32::MAX);
        let (stay, mut high, mut gaps) = (bits & low, bits & !low, !bits & low);
        let mut plan = PackPlan { stay, moves: [(0, 0); 32], move_count: 0 };
        while high != 0 && gaps != 0 {
            // Moves as many neighbouring bits at once as the gap has space for.
            let (from, to) = (high.trailing_zeros(), gaps.trailing_zeros());
            let run = (high >> from).trailing_ones().min((gaps >> to).trailing_ones());
            let mask = ((1 << run) - 1) << from;
            debug_assert!(plan.move_count < 32, "more moves than bits");
            plan.moves[plan.move_count & 31] = (mask, from - to);
            plan.move_count += 1;
            high &= !mask;
            gaps &= !(mask >> (from - to));
        }
        debug_assert_eq!(high, 0, "more than 32 bits to pack");
        plan
    }

    /// Packs a few elements. Each move is applied to all of them before the next one: compilers
    /// vectorize this order best.
    #[inline(always)]
    pub(super) fn pack<const N: usize>(&self, elements: &[u64; N]) -> [u32; N] {
        let mut packed = elements.map(|element| element & self.stay);
        for &(mask, by) in self.moves.get(..self.move_count).unwrap_or_default() {
            for (packed, element) in packed.iter_mut().zip(elements) {
                *packed |= (element & mask) >> by;
            }
        }
        packed.map(|element| element as u32)
    }
}

/// Number of elements packed at a time.
pub(super) const PACK_WIDTH: usize = 32;

/// Packs the bits of at most 32 shared diagonals of each element.
pub(super) struct Pack<'a, 'b> {
    pub shared: u64,
    pub from: &'a [u64],
    pub to: &'b mut [u32],
}

impl<'b, M: SimdIsa> HotLoop<M> for Pack<'_, 'b> {
    type Output = &'b mut [u32];

    #[inline(always)]
    fn run(self, machine: M) -> &'b mut [u32] {
        if M::HAS_PEXT {
            for (&from, to) in self.from.iter().zip(&mut *self.to) {
                *to = machine.extract_bits(from, self.shared);
            }
            return self.to;
        }
        let plan = PackPlan::new(self.shared);
        let (whole, rest) = self.from.as_chunks::<PACK_WIDTH>();
        let (whole_to, rest_to) = self.to.as_chunks_mut::<PACK_WIDTH>();
        for (from, to) in whole.iter().zip(whole_to) {
            *to = plan.pack(from);
        }
        for (&from, to) in rest.iter().zip(rest_to) {
            [*to] = plan.pack(&[from]);
        }
        self.to
    }
}
