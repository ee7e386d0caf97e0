//! Joins placements of two strips that do not attack each other into placements of a half.

use alloc::vec::Vec;

use super::{
    column_partitions::ColumnPartition,
    line::{NarrowDiagonals, exchanged, narrow_exchanged},
    placements::{BLOCK, Block, PlacementSlice},
    vector::{Element, Lanes, SimdIsa, Words, cut, first, first_lanes, rest},
};
use crate::RowBits;

/// Filter for the placements of a half, seen as placements of the upper half.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacementFilter {
    /// The columns of the placements, one for each row.
    pub(super) columns: RowBits,
    /// Whether they belong to the upper half.
    pub(super) is_upper: bool,
    /// Forbidden middle diagonals.
    pub(super) forbidden: u64,
    /// Required middle diagonals.
    pub(super) required: u64,
    /// The key of the columns. On even boards, placements whose rows have a smaller key do not
    /// count.
    pub(super) min_key: u32,
    /// The valid bits of the outer and of the inner strip's narrow diagonals. The two strips must
    /// be those of one partition of the columns, unless all bits are valid.
    pub(super) masks: [u32; 2],
}

impl PlacementFilter {
    /// Returns this filter with the masks of one partition of the columns.
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

/// Maximum length of a list and the matcher's buffer behind it: 204 MiB of 64-bit elements. Very uneven
/// splits may exceed it.
pub(super) const MAX_LENGTH: usize = 51 << 19;

/// Lists longer than this reserve the full capacity at once.
const LARGE: usize = 1 << 23;

/// The strips of a half, and the rule that selects pairs of their placements.
pub(super) trait StripSource {
    /// Finds all partitions of the columns between the strips.
    fn divide(&self, columns: RowBits, partitions: &mut Vec<ColumnPartition>);

    /// Returns whether both strips are joined from smaller tables.
    fn are_joined(&self) -> bool;

    /// Prefetches the tables for a partition.
    fn prefetch(&self, machine: impl SimdIsa, partition: &ColumnPartition);

    /// Joins the placements of the two strips for a partition and appends them to `lists`. `pairs`
    /// is scratch space.
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

/// A list of bit sets at the front of a buffer. The rest of the buffer serves the matcher as
/// scratch space.
#[derive(Clone, Debug, Default)]
pub(super) struct List<T = u64> {
    words: Vec<T>,
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
        first(&mut self.words, self.length)
    }

    /// Returns the elements and the rest of the buffer, which has at least `more` elements.
    pub(super) fn with_spare(&mut self, more: usize) -> (&mut [T], &mut [T]) {
        self.spare(more);
        cut(&mut self.words, self.length)
    }

    /// Returns the rest of the buffer behind the elements, at least `more` elements.
    #[inline(always)]
    fn spare(&mut self, more: usize) -> &mut [T] {
        if self.words.len() < self.length + more {
            self.grow(self.length + more);
        }
        rest(&mut self.words, self.length)
    }

    #[cold]
    fn grow(&mut self, min_length: usize) {
        // Growing by a sixteenth instead of doubling saves memory: lists may be long.
        let length = (min_length + min_length / 16).min(MAX_LENGTH).max(min_length);
        // A large list reserves its full capacity once. If it were reallocated in steps, the freed
        // blocks would often be too fragmented to be used again.
        let capacity = if length > LARGE { length.max(MAX_LENGTH) } else { length };
        self.words.reserve_exact(capacity - self.words.len());
        self.words.resize(length, T::default());
    }

    /// Returns the size of the buffer in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<T>() * self.words.len()
    }
}

/// Buffer for pairs of placements of two blocks: the index in the first block times [`BLOCK`] plus
/// the index in the second one.
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
        let [inners, outers] = [inner, outer].map(|(_, chosen)| chosen.count_ones() as usize);
        if M::HAS_FAST_COMPRESS
            && required == 0
            && inners <= MAX_DIRECT
            && outer.0.length <= M::Narrow::LANES
        {
            return join_without_indices(machine, inner, outer, list);
        }
        let (one, other) = if inners < outers { (inner, outer) } else { (outer, inner) };
        let found = disjoint_at_the_centre(machine, one, other, pairs);
        let add = if required == 0 { join_pairs::<false> } else { join_pairs::<true> };
        add(one.0, other.0, first(pairs, found), required, list);
    }

    fn exchanged(self) -> u64 {
        exchanged(self)
    }
}

/// Narrow elements require no diagonals, because their lists are never enumerated in parts.
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
        let [inners, outers] = [inner, outer].map(|((_, chosen), _)| chosen.count_ones());
        let (one, other) = if inners < outers { (inner, outer) } else { (outer, inner) };
        let found = disjoint_at_the_centre(machine, one.0, other.0, pairs);
        join_narrow_pairs(one, other, first(pairs, found), list);
    }

    fn exchanged(self) -> u32 {
        narrow_exchanged(self)
    }
}

/// A block, the bits of its selected placements, and the valid bits of its narrow diagonals.
type NarrowBlock<'a> = ((Block<'a>, u64), u32);

/// Joins the selected placements of two blocks that do not attack each other, one placement of the
/// first block and a few vectors of the second one at a time.
#[inline(always)]
fn join_in_one_step<M: SimdIsa>(
    machine: M,
    one: NarrowBlock<'_>,
    other: NarrowBlock<'_>,
    list: &mut List<u32>,
) {
    let lanes = M::Narrow::LANES;
    let length = other.0.0.length;
    for place in (0..length).step_by(MAX_JOINED_VECTORS * lanes) {
        match (length - place).div_ceil(lanes) {
            1 => join_with_vectors::<M, 1>(machine, one, other, place, list),
            _ => join_with_vectors::<M, MAX_JOINED_VECTORS>(machine, one, other, place, list),
        }
    }
}

/// Number of vectors of each property of the outer strip's placements that stay in registers.
const MAX_JOINED_VECTORS: usize = 2;

/// [`join_in_one_step`] for the placements of the second block from index `place` on, as many as
/// fit into `VECTORS` vectors.
#[inline(always)]
fn join_with_vectors<M: SimdIsa, const VECTORS: usize>(
    machine: M,
    ((one, mut ones), one_mask): NarrowBlock<'_>,
    ((other, others), other_mask): NarrowBlock<'_>,
    place: usize,
    list: &mut List<u32>,
) {
    let lanes = M::Narrow::LANES;
    let zero = M::Narrow::splat(machine, 0);
    let mut seams = [zero; VECTORS];
    let mut edges = [zero; VECTORS];
    let mut middles = [zero; VECTORS];
    let mut chosen = [0; VECTORS];
    let mask = M::Narrow::splat(machine, other_mask);
    for vector in 0..VECTORS {
        let place = place + vector * lanes;
        chosen[vector] = (others >> (place % BLOCK)) as u32 & first_lanes(lanes);
        seams[vector] = M::Narrow::load(machine, other.seam.get(place..).unwrap_or_default());
        edges[vector] = M::Narrow::load(machine, other.seam_edge.get(place..).unwrap_or_default());
        let narrow = other.narrow().get(place..).unwrap_or_default();
        middles[vector] = M::Narrow::load(machine, narrow).and(mask);
    }
    let narrow = one.narrow();
    let to = list.spare(ones.count_ones() as usize * VECTORS * lanes + lanes);
    let mut found = 0;
    while ones != 0 {
        let number = ones.trailing_zeros() as usize % BLOCK;
        ones &= ones - 1;
        let seam = M::Narrow::splat(machine, one.seam[number]);
        let edge = M::Narrow::splat(machine, one.seam_edge[number]);
        let middle = M::Narrow::splat(machine, narrow[number] & one_mask);
        for vector in 0..VECTORS {
            let disjoint =
                seams[vector].disjoint(seam) & edges[vector].disjoint(edge) & chosen[vector];
            let Some(to) = to.get_mut(found..found + lanes) else {
                debug_assert!(false, "the buffer is too short for placement {found}");
                break;
            };
            found += middles[vector].or(middle).compress(disjoint, to);
        }
    }
    list.length += found;
}

/// Maximum number of placements that are joined directly, because collecting indices of pairs first
/// would take longer.
const MAX_DIRECT: usize = 16;

/// Joins up to [`MAX_DIRECT`] placements with one vector of others, without collecting indices of pairs.
#[inline(always)]
fn join_without_indices<M: SimdIsa>(
    machine: M,
    (one, mut ones): (Block<'_>, u64),
    (other, others): (Block<'_>, u64),
    list: &mut List,
) {
    let to = list.spare((MAX_DIRECT + 1) * M::Narrow::LANES);
    let seams = M::Narrow::load(machine, other.seam);
    let edges = M::Narrow::load(machine, other.seam_edge);
    let middles = other.middle.get(..M::Narrow::LANES).unwrap_or_default();
    let mut found = 0;
    while ones != 0 {
        let number = ones.trailing_zeros() as usize % BLOCK;
        ones &= ones - 1;
        let disjoint = seams.disjoint(M::Narrow::splat(machine, one.seam[number]))
            & edges.disjoint(M::Narrow::splat(machine, one.seam_edge[number]))
            & others as u32;
        found += machine.or_compress(middles, one.middle[number], disjoint, rest(to, found));
    }
    list.length += found;
}

/// Writes the indices of pairs of selected placements that do not attack each other along the
/// central diagonals of the seam, and returns their number. Nearly all of these pairs do not attack
/// each other along the other diagonals either.
#[inline(always)]
fn disjoint_at_the_centre<M: SimdIsa>(
    machine: M,
    one: (Block<'_>, u64),
    (other, others): (Block<'_>, u64),
    pairs: &mut PairIndices,
) -> usize {
    let mut found = 0;
    for place in (0..other.length).step_by(MAX_VECTORS * M::Narrow::LANES) {
        let others =
            OtherPlacements { seams: &other.seam[place..], chosen: others >> place, place };
        let to = rest(pairs, found);
        found += match (other.length - place).div_ceil(M::Narrow::LANES) {
            1 => disjoint_with_vectors::<M, 1>(machine, one, others, to),
            2 => disjoint_with_vectors::<M, 2>(machine, one, others, to),
            3 | 4 => disjoint_with_vectors::<M, 4>(machine, one, others, to),
            _ => disjoint_with_vectors::<M, MAX_VECTORS>(machine, one, others, to),
        };
    }
    found
}

/// Number of vectors that stay in registers while the loop goes through the other strip's
/// placements.
const MAX_VECTORS: usize = 8;

/// The placements of a block from index `place` on, with the bits of the selected ones.
#[derive(Clone, Copy)]
struct OtherPlacements<'a> {
    seams: &'a [u32],
    chosen: u64,
    place: usize,
}

/// [`disjoint_at_the_centre`] for others that fill at most `VECTORS` vectors. Lanes beyond the
/// block's last placement are never selected, so `others.chosen` masks them out.
#[inline(always)]
fn disjoint_with_vectors<M: SimdIsa, const VECTORS: usize>(
    machine: M,
    (one, mut ones): (Block<'_>, u64),
    others: OtherPlacements<'_>,
    pairs: &mut [u16],
) -> usize {
    let lanes = M::Narrow::LANES;
    let mut vectors = [M::Narrow::splat(machine, 0); VECTORS];
    for (vector, seams) in vectors.iter_mut().zip(others.seams.chunks(lanes)) {
        *vector = M::Narrow::load(machine, seams);
    }
    let mut found = 0;
    while ones != 0 {
        let number = ones.trailing_zeros() as usize;
        ones &= ones - 1;
        let seam = M::Narrow::splat(machine, one.seam[number % BLOCK]);
        let mut disjoint = 0;
        for (place, vector) in vectors.iter().enumerate() {
            // `% BLOCK` never changes the shift, because the vectors have at most `BLOCK` lanes
            // together. It lets the compiler omit an overflow check.
            disjoint |= u64::from(vector.disjoint(seam)) << (place * lanes % BLOCK);
        }
        let base = (number * BLOCK + others.place) as u16;
        let to = rest(pairs, found);
        found += machine.write_bit_indices(disjoint & others.chosen, VECTORS * lanes, base, to);
    }
    found
}

/// Joins the pairs that do not attack each other along the edge diagonals of the seam either and,
/// with `HAS_REQUIRED`, cross all `required` diagonals. Appends them to `list`. It is not inlined,
/// so that it can use all registers.
#[inline(never)]
fn join_pairs<const HAS_REQUIRED: bool>(
    one: Block<'_>,
    other: Block<'_>,
    pairs: &[u16],
    required: u64,
    list: &mut List,
) {
    let to = list.spare(pairs.len());
    let mut found = 0;
    for &pair in pairs {
        let (a, b) = (usize::from(pair) / BLOCK % BLOCK, usize::from(pair) % BLOCK);
        let Some(place) = to.get_mut(found) else {
            debug_assert!(false, "the buffer is too short for pair {found}");
            break;
        };
        *place = one.middle[a] | other.middle[b];
        let mut disjoint = one.seam_edge[a] & other.seam_edge[b] == 0;
        if HAS_REQUIRED {
            disjoint &= required & !*place == 0;
        }
        found += usize::from(disjoint);
    }
    list.length += found;
}

/// [`join_pairs`] for narrow diagonals, without required ones.
#[inline(never)]
fn join_narrow_pairs(
    ((one, _), one_mask): NarrowBlock<'_>,
    ((other, _), other_mask): NarrowBlock<'_>,
    pairs: &[u16],
    list: &mut List<u32>,
) {
    let [ones, others] = [one.narrow(), other.narrow()];
    let to = list.spare(pairs.len());
    let mut found = 0;
    for &pair in pairs {
        let (a, b) = (usize::from(pair) / BLOCK % BLOCK, usize::from(pair) % BLOCK);
        let Some(place) = to.get_mut(found) else {
            debug_assert!(false, "the buffer is too short for pair {found}");
            break;
        };
        *place = ones[a] & one_mask | others[b] & other_mask;
        found += usize::from(one.seam_edge[a] & other.seam_edge[b] == 0);
    }
    list.length += found;
}

/// Returns the placements of a block that cross no `forbidden` middle diagonal, as bits.
#[inline(always)]
pub(super) fn allowed<M: SimdIsa>(machine: M, block: Block<'_>, forbidden: u64) -> u64 {
    let there = if block.length < BLOCK { (1 << block.length) - 1 } else { u64::MAX };
    if forbidden == 0 {
        return there;
    }
    disjoint(machine, block.middle, block.length, forbidden) & there
}

/// Returns the indices of the words that are disjoint from `other`, as bits. Bits from `length` on
/// are meaningless.
#[inline(always)]
pub(super) fn disjoint<M: SimdIsa>(machine: M, words: &[u64], length: usize, other: u64) -> u64 {
    let other = M::Wide::splat(machine, other);
    let mut disjoint = 0;
    for place in (0..length).step_by(M::Wide::LANES) {
        let words = M::Wide::load(machine, words.get(place..).unwrap_or_default());
        disjoint |= u64::from(words.disjoint(other)) << place;
    }
    disjoint
}
