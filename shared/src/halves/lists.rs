//! The list of all placements of a half, as the diagonals on which they cross the middle.

use alloc::vec::Vec;

use super::{
    strips::{Line, Placements, Strips, subsets},
    vector::{Kernel, Lanes, Machine, first_lanes},
};
use crate::{RowBits, Size};

/// Makes lists, and keeps the room for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Lister {
    outer: Placements,
    inner: Placements,
}

impl Lister {
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
        for above in subsets(columns, strips.outer.rows()) {
            let (outer_seam, outer_middle) =
                strips.outer.placements(above, closed, &mut self.outer);
            let (inner_seam, inner_middle) =
                strips.inner.placements(columns - above, closed, &mut self.inner);
            let most = length + outer_seam.len() * inner_seam.len() + M::Wide::LANES;
            if list.len() < most {
                list.resize(most + most / 4, 0);
            }
            let join = Join {
                outer_seam,
                outer_middle,
                inner_seam,
                inner_middle,
                to: list.get_mut(length..).unwrap_or_default(),
            };
            length += machine.run(join);
        }
        length
    }
}

/// All pairs of placements of two strips that do not attack each other.
struct Join<'a> {
    outer_seam: &'a [u64],
    outer_middle: &'a [u64],
    inner_seam: &'a [u64],
    inner_middle: &'a [u64],
    to: &'a mut [u64],
}

impl Kernel for Join<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Machine>(self) -> usize {
        let mut length = 0;
        for (&seam, &middle) in self.outer_seam.iter().zip(self.outer_middle) {
            let (seam, middle) = (M::Wide::splat(seam), M::Wide::splat(middle));
            let mut left = self.inner_seam.len();
            let inner = self.inner_seam.chunks(M::Wide::LANES);
            for (inner_seam, inner_middle) in inner.zip(self.inner_middle.chunks(M::Wide::LANES)) {
                let fits = M::Wide::load(inner_seam).disjoint(seam) & first_lanes(left);
                left = left.saturating_sub(M::Wide::LANES);
                let crossed = M::Wide::load(inner_middle).or(middle);
                let to = self.to.get_mut(length..).unwrap_or_default();
                length += crossed.compress(fits, to);
            }
        }
        length
    }
}

/// The list as the lower half's, which is the upper half's in a mirror.
pub(super) fn exchange(size: Size, list: &mut [u64]) {
    let line = Line::middle(size);
    for diagonals in list {
        *diagonals = line.exchange(*diagonals);
    }
}
