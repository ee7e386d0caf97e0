//! Placements of two strips that do not attack each other, joined into placements of a half.

use alloc::vec::Vec;

use super::{
    divisions::Division,
    placements::{BLOCK, Block, Part},
    vector::{Lanes, Machine, cut, first, rest},
};
use crate::RowBits;

/// Which placements of a half are listed, all as they would be above the middle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Their columns, as many as there are rows.
    pub(super) columns: RowBits,
    /// Whether they are the upper half's.
    pub(super) is_upper: bool,
    /// Diagonals of the middle that none may cross.
    pub(super) closed: u64,
    /// Diagonals of the middle that all must cross.
    pub(super) crossed: u64,
    /// The columns' key: on even boards only those count whose rows have no smaller one.
    pub(super) key: u32,
}

/// The most words of a list with its room: 204 MiB. Where splits are uneven they take some more.
pub(super) const ROOM: usize = 51 << 19;

/// Lists of more words than this have all of that.
const LARGE: usize = 1 << 23;

/// The strips of a half, and which pairs of their placements count.
pub(super) trait Source {
    /// All ways to divide the columns between the strips.
    fn divide(&self, columns: RowBits, divisions: &mut Vec<Division>);

    /// Whether both strips are put together from smaller tables.
    fn are_put_together(&self) -> bool;

    /// Prepares for a division.
    fn fetch(&self, machine: impl Machine, division: &Division);

    /// Lists what comes of a division.
    fn join<M: Machine>(
        &mut self,
        machine: M,
        division: &Division,
        wanted: Wanted,
        pairs: &mut Pairs,
        lists: &mut [&mut List; 3],
    );
}

/// A list with room for more.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    words: Vec<u64>,
    length: usize,
}

impl List {
    /// The number of elements.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Keeps the first ones only.
    pub(super) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// The elements.
    pub(super) fn elements(&mut self) -> &mut [u64] {
        first(&mut self.words, self.length)
    }

    /// The elements, and room for so many more behind them.
    pub(super) fn with_room(&mut self, more: usize) -> (&mut [u64], &mut [u64]) {
        self.room(more);
        cut(&mut self.words, self.length)
    }

    /// Room for some more elements behind the first ones.
    #[inline(always)]
    fn room(&mut self, more: usize) -> &mut [u64] {
        if self.words.len() < self.length + more {
            self.grow(self.length + more);
        }
        rest(&mut self.words, self.length)
    }

    #[cold]
    fn grow(&mut self, least: usize) {
        // Not twice the room before, which may be much.
        let length = (least + least / 16).min(ROOM).max(least);
        // What is large is taken once: what has been given back in pieces is often of no use.
        let whole = if length > LARGE { length.max(ROOM) } else { length };
        self.words.reserve_exact(whole - self.words.len());
        self.words.resize(length, 0);
    }

    /// The memory taken so far.
    pub(super) fn bytes(&self) -> usize {
        8 * self.words.len()
    }
}

/// Pairs of placements, each as the first one's number times [`BLOCK`] plus the second one's.
pub(super) type Pairs = [u16; BLOCK * BLOCK + BLOCK];

/// Lists the pairs of two parts' placements that do not attack each other.
#[inline(always)]
pub(super) fn pair_all<M: Machine>(
    machine: M,
    inner: &Part<'_>,
    outer: &Part<'_>,
    Wanted { closed, crossed, .. }: Wanted,
    pairs: &mut Pairs,
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

/// Lists the pairs of some placements of two blocks that do not attack each other.
#[inline(always)]
pub(super) fn pair<M: Machine>(
    machine: M,
    inner: (Block<'_>, u64),
    outer: (Block<'_>, u64),
    crossed: u64,
    pairs: &mut Pairs,
    list: &mut List,
) {
    let [inners, outers] = [inner, outer].map(|(_, chosen)| chosen.count_ones() as usize);
    if inners == 0 || outers == 0 {
        return;
    }
    if M::UNITES && crossed == 0 && inners <= FEW && outer.0.length <= M::Narrow::LANES {
        return join_at_once(machine, inner, outer, list);
    }
    let (one, other) = if inners < outers { (inner, outer) } else { (outer, inner) };
    let found = apart_at_the_centre(machine, one, other, pairs);
    let add = if crossed == 0 { joined::<false> } else { joined::<true> };
    add(one.0, other.0, first(pairs, found), crossed, list);
}

/// So few placements are not worth numbering pairs.
const FEW: usize = 16;

/// Lists the pairs of a [`FEW`] placements and of one vector of others.
#[inline(always)]
fn join_at_once<M: Machine>(
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
        found += machine.unite(middles, one.middle[number], apart, rest(to, found));
    }
    list.length += found;
}

/// Collects the pairs of some placements of two strips that do not attack each other along the
/// central diagonals of the seam, which are nearly all that remain in the end. Returns their number.
#[inline(always)]
fn apart_at_the_centre<M: Machine>(
    machine: M,
    one: (Block<'_>, u64),
    (other, others): (Block<'_>, u64),
    pairs: &mut Pairs,
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

/// So many vectors of seams stay in registers while the other strip's placements are gone through.
const MOST_VECTORS: usize = 8;

/// Placements of a block from a place on, of which some are chosen.
#[derive(Clone, Copy)]
struct Others<'a> {
    seams: &'a [u32],
    chosen: u64,
    place: usize,
}

/// The same for others whose seams are so many vectors at most. What is said of lanes beyond the block's
/// last placement is dropped, since they are not chosen.
#[inline(always)]
fn apart_from<M: Machine, const VECTORS: usize>(
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
            // No block has vectors beyond the last bit; the remainder is for the compiler.
            apart |= u64::from(vector.disjoint(seam)) << (place * lanes % BLOCK);
        }
        let base = (number * BLOCK + others.place) as u16;
        let to = rest(pairs, found);
        found += machine.number(apart & others.chosen, VECTORS * lanes, base, to);
    }
    found
}

/// Puts together those pairs that do not attack each other at all and, with `CROSSED`, cross
/// some diagonals, behind what a list has. There are no vectors in it, and it has the registers for
/// itself.
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

/// Which placements of a block cross none of the `closed` diagonals, as bits.
#[inline(always)]
pub(super) fn open<M: Machine>(machine: M, block: Block<'_>, closed: u64) -> u64 {
    let there = if block.length < BLOCK { (1 << block.length) - 1 } else { u64::MAX };
    if closed == 0 {
        return there;
    }
    apart(machine, block.middle, block.length, closed) & there
}

/// Which of a block's words have nothing in common with another one, as bits. What is said of places
/// beyond the length is of no account.
#[inline(always)]
pub(super) fn apart<M: Machine>(machine: M, words: &[u64], length: usize, other: u64) -> u64 {
    let other = M::Wide::splat(machine, other);
    let mut apart = 0;
    for place in (0..length).step_by(M::Wide::LANES) {
        let words = M::Wide::load(machine, words.get(place..).unwrap_or_default());
        apart |= u64::from(words.disjoint(other)) << place;
    }
    apart
}
