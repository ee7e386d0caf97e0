//! The list of all placements of a half, as the diagonals on which they cross the middle.

use alloc::{boxed::Box, vec::Vec};

use super::{
    strips::{BLOCK, Block, Part, Placements, Strips, exchanged, subsets},
    vector::{Kernel, Lanes, Machine, first, rest},
};
use crate::RowBits;

/// Makes lists, and keeps the room for it.
#[derive(Clone, Debug)]
pub(super) struct Lister {
    outer: Placements,
    inner: Placements,
    pairs: Box<Pairs>,
}

impl Lister {
    pub(super) fn new() -> Lister {
        let pairs = Box::new([0; BLOCK * BLOCK + BLOCK]);
        Lister { outer: Placements::default(), inner: Placements::default(), pairs }
    }

    /// The memory taken so far.
    pub(super) fn bytes(&self) -> usize {
        self.outer.bytes() + self.inner.bytes() + size_of::<Pairs>()
    }

    /// Fills `list` with the placements of the upper half in these columns, as many as there are
    /// rows, that cross none of the `closed` diagonals; in a mirror if they are to stand below.
    pub(super) fn fill<M: Machine>(
        &mut self,
        machine: M,
        strips: &Strips,
        columns: RowBits,
        closed: u64,
        list: &mut Vec<u64>,
    ) -> usize {
        let mut length = 0;
        let mut choices = subsets(columns, strips.outer.rows()).peekable();
        while let Some(above) = choices.next() {
            if let Some(&next) = choices.peek() {
                strips.outer.fetch::<M>(next);
                strips.inner.fetch::<M>(columns - next);
            }
            let outer = strips.outer.placements(above, closed, &mut self.outer);
            let inner = strips.inner.placements(columns - above, closed, &mut self.inner);
            let most = length + outer.len() * inner.len();
            if list.len() < most {
                list.resize(most + most / 4, 0);
            }
            let to = rest(list, length);
            length += machine.run(Join { outer, inner, closed, pairs: &mut self.pairs, to });
        }
        length
    }
}

/// Pairs of placements, each as the outer one's number times [`BLOCK`] plus the inner one's.
type Pairs = [u16; BLOCK * BLOCK + BLOCK];

/// All pairs of placements of two strips that do not attack each other.
struct Join<'a> {
    outer: Part<'a>,
    inner: Part<'a>,
    /// Diagonals of the middle that none may cross.
    closed: u64,
    pairs: &'a mut Pairs,
    to: &'a mut [u64],
}

impl Kernel for Join<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Machine>(self) -> usize {
        let mut length = 0;
        for inner in self.inner.blocks() {
            for outer in self.outer.blocks() {
                let found = apart_at_the_centre::<M>(outer, inner, self.closed, self.pairs);
                for &mut pair in first(self.pairs, found) {
                    let (one, other) =
                        (usize::from(pair) / BLOCK % BLOCK, usize::from(pair) % BLOCK);
                    let Some(place) = self.to.get_mut(length) else {
                        debug_assert!(false, "no room for pair {length}");
                        break;
                    };
                    *place = outer.middle[one] | inner.middle[other];
                    let apart = outer.seam_edge[one] & inner.seam_edge[other] == 0;
                    length += usize::from(apart);
                }
            }
        }
        length
    }
}

/// Collects the pairs that do not attack each other along the central diagonals of the seam,
/// which are nearly all that remain in the end, and returns their number.
#[inline(always)]
fn apart_at_the_centre<M: Machine>(
    outer: Block<'_>,
    inner: Block<'_>,
    closed: u64,
    pairs: &mut Pairs,
) -> usize {
    let inner_open = open::<M>(inner, closed);
    let mut outer_open = open::<M>(outer, closed);
    let mut found = 0;
    while outer_open != 0 {
        let number = outer_open.trailing_zeros() as usize;
        outer_open &= outer_open - 1;
        let seam = M::Narrow::splat(outer.seam[number % BLOCK]);
        let mut apart = 0;
        for place in (0..inner.length).step_by(M::Narrow::LANES) {
            let lanes = M::Narrow::load(&inner.seam[place..]).disjoint(seam);
            apart |= u64::from(lanes) << place;
        }
        let to = rest(pairs, found);
        found += M::number(apart & inner_open, (number * BLOCK) as u16, to);
    }
    found
}

/// Which placements of a block cross none of the `closed` diagonals, as bits.
#[inline(always)]
fn open<M: Machine>(block: Block<'_>, closed: u64) -> u64 {
    let there = if block.length < BLOCK { (1 << block.length) - 1 } else { u64::MAX };
    if closed == 0 {
        return there;
    }
    let closed = M::Wide::splat(closed);
    let mut open = 0;
    for place in (0..block.length).step_by(M::Wide::LANES) {
        open |= u64::from(M::Wide::load(&block.middle[place..]).disjoint(closed)) << place;
    }
    open & there
}

/// The list as the lower half's, which is the upper half's in a mirror.
pub(super) fn exchange(list: &mut [u64]) {
    for diagonals in list {
        *diagonals = exchanged(*diagonals);
    }
}
