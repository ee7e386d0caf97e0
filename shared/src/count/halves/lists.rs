//! The list of all placements of a half, as the diagonals on which they cross the middle.

use alloc::{boxed::Box, vec::Vec};

use super::{
    columns::golden_stride,
    strips::{BLOCK, Block, Compared, Division, Part, Placements, Strips},
    vector::{Kernel, Lanes, Machine, cut, first, rest},
};
use crate::RowBits;

/// Makes lists, and keeps the room for it.
#[derive(Clone, Debug)]
pub(super) struct Lister {
    divisions: Vec<Division>,
    outer: Placements,
    inner: Placements,
    pairs: Box<Pairs>,
}

/// Which placements of the upper half are listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Their columns, as many as there are rows.
    pub(super) columns: RowBits,
    /// Diagonals of the middle that none may cross.
    pub(super) closed: u64,
    /// Diagonals of the middle that all must cross.
    pub(super) crossed: u64,
    /// The columns' key, if only those count whose rows have no smaller one.
    pub(super) key: Option<u32>,
}

/// The most words of a list with its room: 204 MiB. Where splits are uneven they take some more.
pub(super) const ROOM: usize = 51 << 19;

/// Lists of more words than this have all of that.
const LARGE: usize = 1 << 23;

/// Tables of no more bytes than this are near enough without being fetched ahead.
const NEAR: usize = 2 << 20;

/// How far lists have been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    /// The divisions of the columns between the strips that are done.
    pub(super) done: usize,
    /// How many there are.
    pub(super) all: usize,
}

impl Progress {
    /// The division to go on from, unless all are done.
    pub(super) fn next(self) -> Option<usize> {
        (self.done < self.all).then_some(self.done)
    }
}

impl Lister {
    pub(super) fn new() -> Lister {
        let pairs = Box::new([0; BLOCK * BLOCK + BLOCK]);
        let (outer, inner) = (Placements::default(), Placements::default());
        Lister { divisions: Vec::new(), outer, inner, pairs }
    }

    /// The memory taken so far.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Division>() * self.divisions.capacity()
            + self.outer.bytes()
            + self.inner.bytes()
            + size_of::<Pairs>()
    }

    /// Lists placements of the upper half, from a division of the columns between the strips on,
    /// until there are `most`: then some more, and the others are to follow. Those with a key above
    /// that of the columns go behind what is in the first list, those with the same behind the
    /// second.
    pub(super) fn fill<M: Machine>(
        &mut self,
        machine: M,
        strips: &Strips,
        wanted: Wanted,
        from: usize,
        most: usize,
        [above, same]: [&mut List; 2],
    ) -> Progress {
        let Wanted { columns, closed, crossed, key } = wanted;
        let Lister { divisions, outer, inner, pairs } = self;
        strips.divide(columns, divisions);
        let all = divisions.len().max(1);
        // Neighbours read nearly the same of the tables. Where there are none to speak of, those far
        // apart tell best what is to come.
        let stride = if strips.are_put_together() { golden_stride(all) } else { 1 };
        let is_far = strips.bytes() > NEAR;
        let key = key.map(|key| StripKeys::new(key, strips));
        let before = above.len() + same.len();
        let mut done = from;
        while let Some(division) = divisions.get(done * stride % all) {
            if done >= all || above.len() + same.len() >= before + most {
                break;
            }
            done += 1;
            if let Some(next) = divisions.get(done * stride % all).filter(|_| is_far) {
                strips.fetch::<M>(next);
            }
            let outer = strips.outer(division, closed, outer);
            let inner = strips.inner(division, closed, inner);
            machine.run(Join { outer, inner, closed, crossed, key, pairs, larger: above, same });
        }
        Progress { done, all }
    }
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
        let [outer_rows, inner_rows] = strips.rows();
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
    /// Diagonals of the middle that all must cross.
    crossed: u64,
    key: Option<StripKeys>,
    pairs: &'a mut Pairs,
    /// What has a key above that of the columns.
    larger: &'a mut List,
    /// What has the same.
    same: &'a mut List,
}

impl Kernel for Join<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Join { outer, inner, closed, crossed, key, pairs, larger, same } = self;
        let add = if crossed == 0 { joined::<false> } else { joined::<true> };
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
                add(one, other, first(pairs, found), crossed, larger);
                let Some(key) = key.filter(|_| left | right != 0) else { continue };
                let Compared { above, same: equal } = outer.compare(key.outer_rows, key.outer);
                for (list, sides) in [(&mut *larger, above), (&mut *same, equal)] {
                    let mut found = 0;
                    for (inners, outers) in [(left, sides[0]), (right, sides[1])] {
                        let outers = (outer, outers & outer_open);
                        found = apart_at_the_centre::<M>((inner, inners), outers, found, pairs);
                    }
                    if found > 0 {
                        add(inner, outer, first(pairs, found), crossed, list);
                    }
                }
            }
        }
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
