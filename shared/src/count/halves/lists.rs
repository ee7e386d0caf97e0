//! The list of all placements of a half, as the diagonals on which they cross the middle.

use alloc::{boxed::Box, vec::Vec};

use super::{
    strips::{BLOCK, Block, Compared, Part, Placements, Strips, exchanged, subsets},
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

    /// Fills a list with the placements of the upper half in these columns, as many as there are
    /// rows, that cross none of the `closed` diagonals; in a mirror if they are to stand below. A
    /// `key` keeps only those with a larger one, and puts those with the same into a list of
    /// their own.
    pub(super) fn fill<M: Machine>(
        &mut self,
        machine: M,
        strips: &Strips,
        columns: RowBits,
        closed: u64,
        key: Option<u32>,
        lists: &mut Lists,
    ) {
        lists.lengths = [0; 2];
        let mut choices = subsets(columns, strips.outer.rows()).peekable();
        while let Some(above) = choices.next() {
            if let Some(&next) = choices.peek() {
                strips.outer.fetch::<M>(next);
                strips.inner.fetch::<M>(columns - next);
            }
            let outer = strips.outer.placements(above, closed, &mut self.outer);
            let inner = strips.inner.placements(columns - above, closed, &mut self.inner);
            let pairs = outer.len() * inner.len();
            let to = lists.room(if key.is_some() { [pairs; 2] } else { [pairs, 0] });
            let key = key.map(|key| StripKeys::new(key, strips));
            let join = Join { outer, inner, closed, key, pairs: &mut self.pairs, to };
            let found = machine.run(join);
            for (length, more) in lists.lengths.iter_mut().zip(found) {
                *length += more;
            }
        }
    }
}

/// The placements of a half.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// Those with a key above that of the columns, and those with the same; room for more.
    rooms: [Vec<u64>; 2],
    lengths: [usize; 2],
}

impl Lists {
    /// The placements with a key above that of the columns, and those with the same.
    pub(super) fn parts(&mut self) -> [&mut [u64]; 2] {
        let [above, same] = &mut self.rooms;
        [first(above, self.lengths[0]), first(same, self.lengths[1])]
    }

    /// Room for some more of both.
    fn room(&mut self, more: [usize; 2]) -> [&mut [u64]; 2] {
        for ((room, &length), more) in self.rooms.iter_mut().zip(&self.lengths).zip(more) {
            let most = length + more;
            if room.len() < most {
                // No more than that, not twice the room before.
                let length = most + most / 4;
                room.reserve_exact(length - room.len());
                room.resize(length, 0);
            }
        }
        let [above, same] = &mut self.rooms;
        [rest(above, self.lengths[0]), rest(same, self.lengths[1])]
    }

    /// The memory taken so far.
    pub(super) fn bytes(&self) -> usize {
        8 * self.rooms.iter().map(Vec::capacity).sum::<usize>()
    }
}

/// The parts of a key that are each strip's own.
#[derive(Clone, Copy, Debug)]
struct StripKeys {
    outer_rows: u32,
    outer: u32,
    inner_rows: u32,
    inner: u32,
}

impl StripKeys {
    fn new(key: u32, strips: &Strips) -> StripKeys {
        let (outer_rows, inner_rows) = (strips.outer.rows(), strips.inner.rows());
        StripKeys {
            outer_rows,
            outer: key & ((1 << outer_rows) - 1),
            inner_rows,
            inner: key >> outer_rows,
        }
    }
}

/// Pairs of placements, each as the first one's number times [`BLOCK`] plus the second one's.
type Pairs = [u16; BLOCK * BLOCK + BLOCK];

/// All pairs of placements of two strips that do not attack each other.
struct Join<'a> {
    outer: Part<'a>,
    inner: Part<'a>,
    /// Diagonals of the middle that none may cross.
    closed: u64,
    key: Option<StripKeys>,
    pairs: &'a mut Pairs,
    /// Where those with a larger key go, and those with the same.
    to: [&'a mut [u64]; 2],
}

impl Kernel for Join<'_> {
    type Output = [usize; 2];

    #[inline(always)]
    fn run<M: Machine>(self) -> [usize; 2] {
        let Join { outer, inner, closed, key, pairs, to } = self;
        let mut lists = to.map(|room| (room, 0));
        for inner in inner.blocks() {
            let inner_open = open::<M>(inner, closed);
            let (above, left, right) = match key {
                None => (inner_open, 0, 0),
                Some(key) => {
                    // The smaller of the two numbers of both strips' rows is that with the smaller
                    // number of the inner ones, which are the higher bits.
                    let Compared { above, same } = inner.compare(key.inner_rows, key.inner);
                    let left = same[0] & (above[1] | same[1]);
                    let right = same[1] & above[0];
                    (inner_open & above[0] & above[1], inner_open & left, inner_open & right)
                }
            };
            if above | left | right == 0 {
                continue;
            }
            for outer in outer.blocks() {
                let outer_open = open::<M>(outer, closed);
                let (one, ones, other, others) = if above.count_ones() < outer_open.count_ones() {
                    (inner, above, outer, outer_open)
                } else {
                    (outer, outer_open, inner, above)
                };
                let found = apart_at_the_centre::<M>((one, ones), (other, others), 0, pairs);
                let (room, length) = &mut lists[0];
                *length += joined(one, other, first(pairs, found), rest(room, *length));
                let Some(key) = key.filter(|_| left | right != 0) else { continue };
                let Compared { above, same } = outer.compare(key.outer_rows, key.outer);
                for ((room, length), sides) in lists.iter_mut().zip([above, same]) {
                    let mut found = 0;
                    for (inners, outers) in [(left, sides[0]), (right, sides[1])] {
                        let outers = (outer, outers & outer_open);
                        found = apart_at_the_centre::<M>((inner, inners), outers, found, pairs);
                    }
                    if found > 0 {
                        *length += joined(inner, outer, first(pairs, found), rest(room, *length));
                    }
                }
            }
        }
        lists.map(|(_, length)| length)
    }
}

/// Collects the pairs of some placements of two strips that do not attack each other along the
/// central diagonals of the seam, which are nearly all that remain in the end. They follow those
/// `found` before; returns how many there are then.
#[inline(always)]
fn apart_at_the_centre<M: Machine>(
    (one, mut ones): (Block<'_>, u64),
    (other, others): (Block<'_>, u64),
    mut found: usize,
    pairs: &mut Pairs,
) -> usize {
    if others == 0 {
        return found;
    }
    while ones != 0 {
        let number = ones.trailing_zeros() as usize;
        ones &= ones - 1;
        let seam = M::Narrow::splat(one.seam[number % BLOCK]);
        let mut apart = 0;
        for place in (0..other.length).step_by(M::Narrow::LANES) {
            let lanes = M::Narrow::load(&other.seam[place..]).disjoint(seam);
            apart |= u64::from(lanes) << place;
        }
        let to = rest(pairs, found);
        found += M::number(apart & others, (number * BLOCK) as u16, to);
    }
    found
}

/// Puts together those pairs that do not attack each other at all, and returns their number. There
/// are no vectors in it, and it has the registers for itself.
#[inline(never)]
fn joined(one: Block<'_>, other: Block<'_>, pairs: &[u16], to: &mut [u64]) -> usize {
    let mut length = 0;
    for &pair in pairs {
        let (a, b) = (usize::from(pair) / BLOCK % BLOCK, usize::from(pair) % BLOCK);
        let Some(place) = to.get_mut(length) else {
            debug_assert!(false, "no room for pair {length}");
            break;
        };
        *place = one.middle[a] | other.middle[b];
        let apart = one.seam_edge[a] & other.seam_edge[b] == 0;
        length += usize::from(apart);
    }
    length
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
