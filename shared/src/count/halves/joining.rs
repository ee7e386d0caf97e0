//! Joins placements of two strips that do not attack each other into placements of a half.

use alloc::vec::Vec;

use super::{
    column_partitions::ColumnPartition,
    placements::{BLOCK, Block, PlacementSlice},
    vector::{Lanes, SimdIsa, cut, first, rest},
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
}

/// Maximum capacity of a list with the buffer of its splits, in words: 204 MiB. Very uneven splits
/// may exceed it.
pub(super) const ROOM: usize = 51 << 19;

/// Lists longer than this reserve the full capacity at once.
const LARGE: usize = 1 << 23;

/// The strips of a half, and the rule that selects pairs of their placements.
pub(super) trait StripSource {
    /// Finds all partitions of the columns between the strips.
    fn divide(&self, columns: RowBits, partitions: &mut Vec<ColumnPartition>);

    /// Returns whether both strips are joined from smaller tables.
    fn are_put_together(&self) -> bool;

    /// Prefetches the tables for a partition.
    fn fetch(&self, machine: impl SimdIsa, partition: &ColumnPartition);

    /// Appends the placements of a partition to `lists`.
    fn join<M: SimdIsa>(
        &mut self,
        machine: M,
        partition: &ColumnPartition,
        wanted: PlacementFilter,
        pairs: &mut PairIndices,
        lists: &mut [&mut List; 3],
    );
}

/// A list in a buffer that may be longer than the list.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    words: Vec<u64>,
    length: usize,
}

impl List {
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Shortens the list; the buffer stays.
    pub(super) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    pub(super) fn elements(&mut self) -> &mut [u64] {
        first(&mut self.words, self.length)
    }

    /// Returns the elements and the buffer behind them, which has room for at least `more`.
    pub(super) fn with_room(&mut self, more: usize) -> (&mut [u64], &mut [u64]) {
        self.room(more);
        cut(&mut self.words, self.length)
    }

    /// Returns the buffer behind the elements, with room for at least `more`.
    #[inline(always)]
    fn room(&mut self, more: usize) -> &mut [u64] {
        if self.words.len() < self.length + more {
            self.grow(self.length + more);
        }
        rest(&mut self.words, self.length)
    }

    #[cold]
    fn grow(&mut self, least: usize) {
        // Growing by a sixteenth instead of doubling saves memory: lists may be long.
        let length = (least + least / 16).min(ROOM).max(least);
        // A large list reserves its full capacity once. Memory that is freed piece by piece is
        // often too fragmented to be used again.
        let whole = if length > LARGE { length.max(ROOM) } else { length };
        self.words.reserve_exact(whole - self.words.len());
        self.words.resize(length, 0);
    }

    /// Returns the size of the buffer in bytes.
    pub(super) fn bytes(&self) -> usize {
        8 * self.words.len()
    }
}

/// Pairs of placements in two blocks, each as the first one's index times [`BLOCK`] plus the second
/// one's index.
pub(super) type PairIndices = [u16; BLOCK * BLOCK + BLOCK];

/// Joins all placements of two slices that do not attack each other, and appends them to `list`.
#[inline(always)]
pub(super) fn pair_all<M: SimdIsa>(
    machine: M,
    inner: &PlacementSlice<'_>,
    outer: &PlacementSlice<'_>,
    PlacementFilter { forbidden: closed, required: crossed, .. }: PlacementFilter,
    pairs: &mut PairIndices,
    list: &mut List,
) {
    for inner in inner.blocks() {
        let inners = (inner, open(machine, inner, closed));
        for outer in outer.blocks() {
            let outers = (outer, open(machine, outer, closed));
            pair(machine, inners, outers, crossed, pairs, list);
        }
    }
}

/// Joins the selected placements of two blocks that do not attack each other, and appends them to
/// `list`. Each block comes with the bits of its selected placements.
#[inline(always)]
pub(super) fn pair<M: SimdIsa>(
    machine: M,
    inner: (Block<'_>, u64),
    outer: (Block<'_>, u64),
    crossed: u64,
    pairs: &mut PairIndices,
    list: &mut List,
) {
    let [inners, outers] = [inner, outer].map(|(_, chosen)| chosen.count_ones() as usize);
    if inners == 0 || outers == 0 {
        return;
    }
    if M::HAS_FAST_COMPRESS && crossed == 0 && inners <= FEW && outer.0.length <= M::Narrow::LANES {
        return join_at_once(machine, inner, outer, list);
    }
    let (one, other) = if inners < outers { (inner, outer) } else { (outer, inner) };
    let found = apart_at_the_centre(machine, one, other, pairs);
    let add = if crossed == 0 { joined::<false> } else { joined::<true> };
    add(one.0, other.0, first(pairs, found), crossed, list);
}

/// Up to this many placements are joined at once: collecting indices of pairs first would take
/// longer.
const FEW: usize = 16;

/// Joins up to [`FEW`] placements with one vector of others.
#[inline(always)]
fn join_at_once<M: SimdIsa>(
    machine: M,
    (one, mut ones): (Block<'_>, u64),
    (other, others): (Block<'_>, u64),
    list: &mut List,
) {
    let to = list.room((FEW + 1) * M::Narrow::LANES);
    let seams = M::Narrow::load(machine, other.seam);
    let edges = M::Narrow::load(machine, other.seam_edge);
    let middles = other.middle.get(..M::Narrow::LANES).unwrap_or_default();
    let mut found = 0;
    while ones != 0 {
        let number = ones.trailing_zeros() as usize % BLOCK;
        ones &= ones - 1;
        let apart = seams.disjoint(M::Narrow::splat(machine, one.seam[number]))
            & edges.disjoint(M::Narrow::splat(machine, one.seam_edge[number]))
            & others as u32;
        found += machine.or_compress(middles, one.middle[number], apart, rest(to, found));
    }
    list.length += found;
}

/// Collects the pairs of selected placements that do not attack each other along the central
/// diagonals of the seam. Nearly all of them also pass the test of the other diagonals. Returns
/// their number.
#[inline(always)]
fn apart_at_the_centre<M: SimdIsa>(
    machine: M,
    one: (Block<'_>, u64),
    (other, others): (Block<'_>, u64),
    pairs: &mut PairIndices,
) -> usize {
    let mut found = 0;
    for place in (0..other.length).step_by(MOST_VECTORS * M::Narrow::LANES) {
        let others = Others { seams: &other.seam[place..], chosen: others >> place, place };
        let to = rest(pairs, found);
        found += match (other.length - place).div_ceil(M::Narrow::LANES) {
            1 => apart_from::<M, 1>(machine, one, others, to),
            2 => apart_from::<M, 2>(machine, one, others, to),
            3 | 4 => apart_from::<M, 4>(machine, one, others, to),
            _ => apart_from::<M, MOST_VECTORS>(machine, one, others, to),
        };
    }
    found
}

/// Number of vectors that stay in registers while the loop goes through the other strip's
/// placements.
const MOST_VECTORS: usize = 8;

/// The placements of a block from index `place` on, with the bits of the selected ones.
#[derive(Clone, Copy)]
struct Others<'a> {
    seams: &'a [u32],
    chosen: u64,
    place: usize,
}

/// [`apart_at_the_centre`] for others that fill at most `VECTORS` vectors. Bits of lanes beyond the
/// block's last placement are masked out, because those lanes are not selected.
#[inline(always)]
fn apart_from<M: SimdIsa, const VECTORS: usize>(
    machine: M,
    (one, mut ones): (Block<'_>, u64),
    others: Others<'_>,
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
        let mut apart = 0;
        for (place, vector) in vectors.iter().enumerate() {
            // The remainder never changes the shift, because a block has no vectors beyond its last
            // bit; it lets the compiler omit a check.
            apart |= u64::from(vector.disjoint(seam)) << (place * lanes % BLOCK);
        }
        let base = (number * BLOCK + others.place) as u16;
        let to = rest(pairs, found);
        found += machine.write_bit_indices(apart & others.chosen, VECTORS * lanes, base, to);
    }
    found
}

/// Joins the pairs that do not attack each other on any diagonal and, with `CROSSED`, cross all
/// `crossed` diagonals. Appends them to `list`. This function uses no vectors and is not inlined,
/// so that it has all registers for itself.
#[inline(never)]
fn joined<const CROSSED: bool>(
    one: Block<'_>,
    other: Block<'_>,
    pairs: &[u16],
    crossed: u64,
    list: &mut List,
) {
    let to = list.room(pairs.len());
    let mut found = 0;
    for &pair in pairs {
        let (a, b) = (usize::from(pair) / BLOCK % BLOCK, usize::from(pair) % BLOCK);
        let Some(place) = to.get_mut(found) else {
            debug_assert!(false, "no room for pair {found}");
            break;
        };
        *place = one.middle[a] | other.middle[b];
        let mut apart = one.seam_edge[a] & other.seam_edge[b] == 0;
        if CROSSED {
            apart &= crossed & !*place == 0;
        }
        found += usize::from(apart);
    }
    list.length += found;
}

/// Returns the placements of a block that cross no `closed` diagonal, as bits.
#[inline(always)]
pub(super) fn open<M: SimdIsa>(machine: M, block: Block<'_>, closed: u64) -> u64 {
    let there = if block.length < BLOCK { (1 << block.length) - 1 } else { u64::MAX };
    if closed == 0 {
        return there;
    }
    apart(machine, block.middle, block.length, closed) & there
}

/// Returns the words that are disjoint from `other`, as bits. Bits from `length` on are
/// meaningless.
#[inline(always)]
pub(super) fn apart<M: SimdIsa>(machine: M, words: &[u64], length: usize, other: u64) -> u64 {
    let other = M::Wide::splat(machine, other);
    let mut apart = 0;
    for place in (0..length).step_by(M::Wide::LANES) {
        let words = M::Wide::load(machine, words.get(place..).unwrap_or_default());
        apart |= u64::from(words.disjoint(other)) << place;
    }
    apart
}
