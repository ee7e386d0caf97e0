//! Joins placements of two strips that do not attack each other into placements of a half.
//!
//! An example for N = 6, where the outer strip is row 3, counted from the middle, and the inner strip
//! is rows 2 and 1. The *seam* between them is crossed by the diagonals column + row (s) and
//! column − row (d), numbered by the column in which they cross row 3:
//!
//! ```text
//! outer placement    row 3: column 1                     {s1, d1}
//! inner placements   row 2: column 3, row 1: column 5    {s2, s3, d4}   no common diagonal: joined
//!                    row 2: column 5, row 1: column 3    {s1, s4, d5}   s1 in common: not joined
//! ```
//!
//! The joined placement's middle diagonals are the union of those of its two parts.

use alloc::vec::Vec;

use super::{
    column_partitions::ColumnPartition,
    line::{NarrowDiagonals, exchanged, narrow_exchanged},
    placements::{BLOCK, Block, PlacementSlice},
    vector::{Element, Lanes, SimdIsa, Words, cut, first, first_lanes, rest},
};
use crate::RowBits;

/// Filter for the placements of a half. A lower half is filtered as its mirror image, an upper half.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacementFilter {
    /// The columns of the placements, one for each row.
    pub(super) columns: RowBits,
    /// Whether the placements belong to the upper half.
    pub(super) is_upper: bool,
    /// Forbidden middle diagonals.
    pub(super) forbidden: u64,
    /// Required middle diagonals.
    pub(super) required: u64,
    /// The key of the columns. On even boards, placements with a smaller row number do not count.
    pub(super) min_key: u32,
    /// The valid bits of narrow diagonals, for the outer and for the inner strip. They depend on the
    /// partition of the columns, see [`for_partition`](PlacementFilter::for_partition).
    pub(super) masks: [u32; 2],
}

impl PlacementFilter {
    /// Returns this filter with the masks of one partition of the columns. Without narrow
    /// `diagonals`, the masks stay as they are.
    #[inline(always)]
    pub(super) fn for_partition(
        mut self,
        diagonals: Option<NarrowDiagonals>,
        ColumnPartition { outer, inner, .. }: &ColumnPartition,
    ) -> PlacementFilter {
        if let Some(diagonals) = diagonals {
            self.masks = [*outer, *inner].map(|columns| diagonals.mask(columns, self.columns));
        }
        self
    }
}

/// Maximum length of a list with the matcher's scratch space behind it: 204 MiB of 64-bit elements.
/// A list that needs more is allocated nevertheless.
pub(super) const MAX_LENGTH: usize = 51 << 19;

/// Lists longer than this reserve the full capacity at once.
const LARGE: usize = 1 << 23;

/// The strips of a half, and the rule that assigns pairs of their placements to lists.
pub(super) trait StripSource {
    /// Replaces `partitions` by all partitions of the columns between the strips.
    fn divide(&self, columns: RowBits, partitions: &mut Vec<ColumnPartition>);

    /// Returns whether both strips are joined from smaller tables.
    fn are_joined(&self) -> bool;

    /// Prefetches the tables for a partition.
    fn prefetch(&self, machine: impl SimdIsa, partition: &ColumnPartition);

    /// Joins the placements of the two strips for a partition, and appends the results to `lists`
    /// (see [`enumerate_into`](super::lists::PlacementEnumerator::enumerate_into)). `pairs` is scratch
    /// space.
    fn join<M: SimdIsa, T: ListElement>(
        &mut self,
        machine: M,
        partition: &ColumnPartition,
        filter: PlacementFilter,
        pairs: &mut PairIndices,
        lists: &mut [&mut List<T>; 3],
    );
}

/// An element of the lists of halves: the middle diagonals of a placement, or its [narrow
/// ones](super::line::NarrowDiagonals).
pub(super) trait ListElement: Element {
    /// Joins each pair of selected placements of two blocks, one of the inner and one of the outer
    /// strip, that do not attack each other, and appends the results to `list`. Each block comes
    /// with the bits of its selected placements, at least one.
    fn join<M: SimdIsa>(
        machine: M,
        inner: (Block<'_>, u64),
        outer: (Block<'_>, u64),
        filter: PlacementFilter,
        pairs: &mut PairIndices,
        list: &mut List<Self>,
    );

    /// Returns the element with the two directions of diagonals exchanged.
    fn exchanged(self) -> Self;
}

/// A list of bit sets at the front of a buffer. The rest of the buffer receives further elements, and
/// serves the matcher as scratch space.
#[derive(Clone, Debug, Default)]
pub(super) struct List<T = u64> {
    buffer: Vec<T>,
    length: usize,
}

impl<T: Element> List<T> {
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Shortens the list, but not the buffer.
    pub(super) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    pub(super) fn elements(&mut self) -> &mut [T] {
        first(&mut self.buffer, self.length)
    }

    /// Returns the elements and the rest of the buffer, which has at least `more` elements.
    pub(super) fn with_spare(&mut self, more: usize) -> (&mut [T], &mut [T]) {
        self.spare(more);
        cut(&mut self.buffer, self.length)
    }

    /// Returns the rest of the buffer behind the elements, at least `more` elements.
    #[inline(always)]
    fn spare(&mut self, more: usize) -> &mut [T] {
        if self.buffer.len() < self.length + more {
            self.grow(self.length + more);
        }
        rest(&mut self.buffer, self.length)
    }

    #[cold]
    fn grow(&mut self, min_length: usize) {
        // Lists may be long, so they grow by a sixteenth: doubling would waste memory.
        let length = (min_length + min_length / 16).min(MAX_LENGTH).max(min_length);
        // A large list reserves its full capacity once. If it were reallocated in steps, the freed
        // blocks would often be too fragmented to be used again.
        let capacity = if length > LARGE { length.max(MAX_LENGTH) } else { length };
        self.buffer.reserve_exact(capacity - self.buffer.len());
        self.buffer.resize(length, T::default());
    }

    /// Returns the size of the buffer in bytes, without reserved capacity.
    pub(super) fn bytes(&self) -> usize {
        size_of::<T>() * self.buffer.len()
    }
}

/// Buffer for pairs of placements of two blocks: the index in the first block times [`BLOCK`] plus
/// the index in the second one. The last [`BLOCK`] elements are for superfluous writes of
/// [`SimdIsa::write_bit_indices`].
pub(super) type PairIndices = [u16; BLOCK * BLOCK + BLOCK];

/// Joins each pair of placements of two slices that do not attack each other, and appends the
/// results to `list`.
#[inline(always)]
pub(super) fn pair_all<M: SimdIsa, T: ListElement>(
    machine: M,
    inner: &PlacementSlice<'_>,
    outer: &PlacementSlice<'_>,
    filter: PlacementFilter,
    pairs: &mut PairIndices,
    list: &mut List<T>,
) {
    for inner in inner.blocks() {
        let inners = (inner, allowed(machine, inner, filter.forbidden));
        for outer in outer.blocks() {
            let outers = (outer, allowed(machine, outer, filter.forbidden));
            pair(machine, inners, outers, filter, pairs, list);
        }
    }
}

/// Joins each pair of selected placements of two blocks that do not attack each other, and appends
/// the results to `list`. Each block comes with the bits of its selected placements.
#[inline(always)]
pub(super) fn pair<M: SimdIsa, T: ListElement>(
    machine: M,
    inner: (Block<'_>, u64),
    outer: (Block<'_>, u64),
    filter: PlacementFilter,
    pairs: &mut PairIndices,
    list: &mut List<T>,
) {
    if inner.1 != 0 && outer.1 != 0 {
        T::join(machine, inner, outer, filter, pairs, list);
    }
}

impl ListElement for u64 {
    #[inline(always)]
    fn join<M: SimdIsa>(
        machine: M,
        inner: (Block<'_>, u64),
        outer: (Block<'_>, u64),
        PlacementFilter { required, .. }: PlacementFilter,
        pairs: &mut PairIndices,
        list: &mut List,
    ) {
        let [inners, outers] = [inner, outer].map(|(_, selected)| selected.count_ones() as usize);
        if M::HAS_FAST_COMPRESS
            && required == 0
            && inners <= MAX_DIRECT
            && outer.0.length <= M::Narrow::LANES
        {
            return join_without_indices(machine, inner, outer, list);
        }
        let (few, many) = if inners < outers { (inner, outer) } else { (outer, inner) };
        let length = disjoint_at_the_centre(machine, few, many, pairs);
        let join = if required == 0 { join_pairs::<false> } else { join_pairs::<true> };
        join(few.0, many.0, first(pairs, length), required, list);
    }

    fn exchanged(self) -> u64 {
        exchanged(self)
    }
}

/// Ignores the filter's `required` diagonals: there are none, because narrow lists are never
/// enumerated in parts.
impl ListElement for u32 {
    #[inline(always)]
    fn join<M: SimdIsa>(
        machine: M,
        inner: (Block<'_>, u64),
        outer: (Block<'_>, u64),
        PlacementFilter { required, masks: [outer_mask, inner_mask], .. }: PlacementFilter,
        pairs: &mut PairIndices,
        list: &mut List<u32>,
    ) {
        debug_assert_eq!(required, 0, "narrow lists are never enumerated in parts");
        let (inner, outer) = ((inner, inner_mask), (outer, outer_mask));
        if M::HAS_FAST_NARROW_COMPRESS {
            return join_in_one_step(machine, inner, outer, list);
        }
        let [inners, outers] = [inner, outer].map(|((_, selected), _)| selected.count_ones());
        let (few, many) = if inners < outers { (inner, outer) } else { (outer, inner) };
        let length = disjoint_at_the_centre(machine, few.0, many.0, pairs);
        join_narrow_pairs(few, many, first(pairs, length), list);
    }

    fn exchanged(self) -> u32 {
        narrow_exchanged(self)
    }
}

/// A block, the bits of its selected placements, and the valid bits of its narrow diagonals.
type NarrowBlock<'a> = ((Block<'a>, u64), u32);

/// Joins the selected placements of two blocks that do not attack each other: tests, joins and packs
/// one inner placement with a few vectors of outer ones at a time.
#[inline(always)]
fn join_in_one_step<M: SimdIsa>(
    machine: M,
    inner: NarrowBlock<'_>,
    outer: NarrowBlock<'_>,
    list: &mut List<u32>,
) {
    let lanes = M::Narrow::LANES;
    let length = outer.0.0.length;
    for start in (0..length).step_by(MAX_JOINED_VECTORS * lanes) {
        match (length - start).div_ceil(lanes) {
            1 => join_with_vectors::<M, 1>(machine, inner, outer, start, list),
            _ => join_with_vectors::<M, MAX_JOINED_VECTORS>(machine, inner, outer, start, list),
        }
    }
}

/// Maximum number of vectors for each property of the outer placements (the two parts of the seam's
/// diagonals, and the middle diagonals). They stay in registers.
const MAX_JOINED_VECTORS: usize = 2;

/// [`join_in_one_step`] for the outer placements from index `start` on, as many as fit into `VECTORS`
/// vectors.
#[inline(always)]
fn join_with_vectors<M: SimdIsa, const VECTORS: usize>(
    machine: M,
    ((inner, mut inners), inner_mask): NarrowBlock<'_>,
    ((outer, outers), outer_mask): NarrowBlock<'_>,
    start: usize,
    list: &mut List<u32>,
) {
    let lanes = M::Narrow::LANES;
    let zero = M::Narrow::splat(machine, 0);
    let mut seams = [zero; VECTORS];
    let mut edges = [zero; VECTORS];
    let mut middles = [zero; VECTORS];
    let mut selected = [0; VECTORS];
    let mask = M::Narrow::splat(machine, outer_mask);
    for vector in 0..VECTORS {
        let start = start + vector * lanes;
        selected[vector] = (outers >> (start % BLOCK)) as u32 & first_lanes(lanes);
        seams[vector] = M::Narrow::load(machine, outer.seam.get(start..).unwrap_or_default());
        edges[vector] = M::Narrow::load(machine, outer.seam_edge.get(start..).unwrap_or_default());
        let narrow = outer.narrow().get(start..).unwrap_or_default();
        middles[vector] = M::Narrow::load(machine, narrow).and(mask);
    }
    let narrow = inner.narrow();
    let to = list.spare(inners.count_ones() as usize * VECTORS * lanes + lanes);
    let mut length = 0;
    while inners != 0 {
        let index = inners.trailing_zeros() as usize % BLOCK;
        inners &= inners - 1;
        let seam = M::Narrow::splat(machine, inner.seam[index]);
        let edge = M::Narrow::splat(machine, inner.seam_edge[index]);
        let middle = M::Narrow::splat(machine, narrow[index] & inner_mask);
        for vector in 0..VECTORS {
            let disjoint =
                seams[vector].disjoint(seam) & edges[vector].disjoint(edge) & selected[vector];
            let Some(to) = to.get_mut(length..length + lanes) else {
                debug_assert!(false, "the buffer is too short for placement {length}");
                break;
            };
            length += middles[vector].or(middle).compress(disjoint, to);
        }
    }
    list.length += length;
}

/// Maximum number of inner placements that are joined directly. For so few, collecting the indices of
/// pairs first would take longer.
const MAX_DIRECT: usize = 16;

/// Joins up to [`MAX_DIRECT`] inner placements with one vector of outer ones, without collecting the
/// indices of pairs.
#[inline(always)]
fn join_without_indices<M: SimdIsa>(
    machine: M,
    (inner, mut inners): (Block<'_>, u64),
    (outer, outers): (Block<'_>, u64),
    list: &mut List,
) {
    let to = list.spare((MAX_DIRECT + 1) * M::Narrow::LANES);
    let seams = M::Narrow::load(machine, outer.seam);
    let edges = M::Narrow::load(machine, outer.seam_edge);
    let middles = outer.middle.get(..M::Narrow::LANES).unwrap_or_default();
    let mut length = 0;
    while inners != 0 {
        let index = inners.trailing_zeros() as usize % BLOCK;
        inners &= inners - 1;
        let disjoint = seams.disjoint(M::Narrow::splat(machine, inner.seam[index]))
            & edges.disjoint(M::Narrow::splat(machine, inner.seam_edge[index]))
            & outers as u32;
        length += machine.or_compress(middles, inner.middle[index], disjoint, rest(to, length));
    }
    list.length += length;
}

/// Writes the indices of pairs of selected placements that do not attack each other along the 32
/// central diagonals of the seam, and returns the number of pairs. Few of them attack each other
/// along the other diagonals.
#[inline(always)]
fn disjoint_at_the_centre<M: SimdIsa>(
    machine: M,
    few: (Block<'_>, u64),
    (many, selected): (Block<'_>, u64),
    pairs: &mut PairIndices,
) -> usize {
    let mut length = 0;
    for start in (0..many.length).step_by(MAX_VECTORS * M::Narrow::LANES) {
        let many_from =
            PlacementsFrom { seams: &many.seam[start..], selected: selected >> start, start };
        let to = rest(pairs, length);
        length += match (many.length - start).div_ceil(M::Narrow::LANES) {
            1 => disjoint_with_vectors::<M, 1>(machine, few, many_from, to),
            2 => disjoint_with_vectors::<M, 2>(machine, few, many_from, to),
            3 | 4 => disjoint_with_vectors::<M, 4>(machine, few, many_from, to),
            _ => disjoint_with_vectors::<M, MAX_VECTORS>(machine, few, many_from, to),
        };
    }
    length
}

/// Maximum number of vectors that stay in registers while the loop goes through the other block's
/// placements.
const MAX_VECTORS: usize = 8;

/// The placements of a block from index `start` on, with the bits of the selected ones.
#[derive(Clone, Copy)]
struct PlacementsFrom<'a> {
    seams: &'a [u32],
    selected: u64,
    start: usize,
}

/// [`disjoint_at_the_centre`] for placements of the second block that fill at most `VECTORS` vectors.
/// `many.selected` has no bits for lanes beyond the block's last placement.
#[inline(always)]
fn disjoint_with_vectors<M: SimdIsa, const VECTORS: usize>(
    machine: M,
    (few, mut selected): (Block<'_>, u64),
    many: PlacementsFrom<'_>,
    pairs: &mut [u16],
) -> usize {
    let lanes = M::Narrow::LANES;
    let mut vectors = [M::Narrow::splat(machine, 0); VECTORS];
    for (vector, seams) in vectors.iter_mut().zip(many.seams.chunks(lanes)) {
        *vector = M::Narrow::load(machine, seams);
    }
    let mut length = 0;
    while selected != 0 {
        let index = selected.trailing_zeros() as usize;
        selected &= selected - 1;
        let seam = M::Narrow::splat(machine, few.seam[index % BLOCK]);
        let mut disjoint = 0;
        for (number, vector) in vectors.iter().enumerate() {
            // `% BLOCK` never changes the shift, because the vectors have at most `BLOCK` lanes
            // together. It lets the compiler omit an overflow check.
            disjoint |= u64::from(vector.disjoint(seam)) << (number * lanes % BLOCK);
        }
        let base = (index * BLOCK + many.start) as u16;
        let to = rest(pairs, length);
        length += machine.write_bit_indices(disjoint & many.selected, VECTORS * lanes, base, to);
    }
    length
}

/// Joins the pairs that do not attack each other along the edge diagonals of the seam either and,
/// with `HAS_REQUIRED`, cross all `required` diagonals. Appends the results to `list`. The function is
/// not inlined, so that it can use all registers.
#[inline(never)]
fn join_pairs<const HAS_REQUIRED: bool>(
    few: Block<'_>,
    many: Block<'_>,
    pairs: &[u16],
    required: u64,
    list: &mut List,
) {
    let to = list.spare(pairs.len());
    let mut length = 0;
    for &pair in pairs {
        let (a, b) = (usize::from(pair) / BLOCK % BLOCK, usize::from(pair) % BLOCK);
        let Some(element) = to.get_mut(length) else {
            debug_assert!(false, "the buffer is too short for pair {length}");
            break;
        };
        // Without a branch: each pair is written, and the next one overwrites it if its placements
        // attack each other or it lacks a required diagonal.
        *element = few.middle[a] | many.middle[b];
        let mut joins = few.seam_edge[a] & many.seam_edge[b] == 0;
        if HAS_REQUIRED {
            joins &= required & !*element == 0;
        }
        length += usize::from(joins);
    }
    list.length += length;
}

/// [`join_pairs`] for narrow diagonals, without required ones.
#[inline(never)]
fn join_narrow_pairs(
    ((few, _), few_mask): NarrowBlock<'_>,
    ((many, _), many_mask): NarrowBlock<'_>,
    pairs: &[u16],
    list: &mut List<u32>,
) {
    let [few_middles, many_middles] = [few.narrow(), many.narrow()];
    let to = list.spare(pairs.len());
    let mut length = 0;
    for &pair in pairs {
        let (a, b) = (usize::from(pair) / BLOCK % BLOCK, usize::from(pair) % BLOCK);
        let Some(element) = to.get_mut(length) else {
            debug_assert!(false, "the buffer is too short for pair {length}");
            break;
        };
        *element = few_middles[a] & few_mask | many_middles[b] & many_mask;
        length += usize::from(few.seam_edge[a] & many.seam_edge[b] == 0);
    }
    list.length += length;
}

/// Returns the placements of a block that cross no `forbidden` middle diagonal: bit i stands for
/// placement i.
#[inline(always)]
pub(super) fn allowed<M: SimdIsa>(machine: M, block: Block<'_>, forbidden: u64) -> u64 {
    let all = if block.length < BLOCK { (1 << block.length) - 1 } else { u64::MAX };
    if forbidden == 0 {
        return all;
    }
    disjoint(machine, block.middle, block.length, forbidden) & all
}

/// Compares the first `length` sets, at most 64, with `other`. Returns a word in which bit i is set if
/// set i is disjoint from `other`. Bits from `length` on are meaningless.
#[inline(always)]
pub(super) fn disjoint<M: SimdIsa>(machine: M, sets: &[u64], length: usize, other: u64) -> u64 {
    let other = M::Wide::splat(machine, other);
    let mut disjoint = 0;
    for start in (0..length).step_by(M::Wide::LANES) {
        let sets = M::Wide::load(machine, sets.get(start..).unwrap_or_default());
        disjoint |= u64::from(sets.disjoint(other)) << start;
    }
    disjoint
}
