//! Enumerates the placements of a half as bit sets of middle diagonals.

use alloc::{boxed::Box, vec::Vec};

use super::{
    centred::{Centred, OfHalf, Room},
    columns::{Symmetries, golden_stride},
    divisions::Division,
    joining::{List, Pairs, Source, Wanted, open, pair, pair_all},
    placements::{BLOCK, Compared, Part, United},
    strip::LARGEST_TABLE,
    strips::{Inner, Strips},
    vector::{Kernel, Machine},
};
use crate::{RowBits, Size};

/// The strips of both halves.
#[derive(Clone, Debug)]
pub(super) enum BothHalves {
    /// Both halves have the same number of rows; the middle row of an odd board belongs to neither.
    Alike(Box<Strips>),
    /// The middle row of an odd board belongs to the upper half.
    Centred(Box<Centred>),
}

impl BothHalves {
    pub(super) fn new(size: Size) -> BothHalves {
        BothHalves::with_tables(size, LARGEST_TABLE)
    }

    /// Builds the strips. Those with more than `largest_table` rows are joined from two smaller
    /// tables when they are needed.
    pub(super) fn with_tables(size: Size, largest_table: u32) -> BothHalves {
        match Symmetries::of(size) {
            Symmetries::Eight => BothHalves::alike(size, largest_table),
            Symmetries::Centred => {
                BothHalves::Centred(Box::new(Centred::with_tables(size, largest_table)))
            }
        }
    }

    /// Builds the strips of two halves without the middle row. GPUs use them on odd boards, too.
    pub(super) fn alike(size: Size, largest_table: u32) -> BothHalves {
        BothHalves::Alike(Box::new(Strips::with_tables(size, largest_table)))
    }

    /// Returns the size of the tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            BothHalves::Alike(strips) => strips.bytes(),
            BothHalves::Centred(strips) => strips.bytes(),
        }
    }
}

/// Enumerates placements of a half into lists, with reusable buffers.
#[derive(Clone, Debug)]
pub(super) struct Lister {
    divisions: Vec<Division>,
    outer: United,
    inner: [United; 3],
    rooms: [Room; 2],
    pairs: Box<Pairs>,
}

/// When an enumeration stops.
#[derive(Clone, Copy, Debug)]
pub(super) enum Amount {
    /// Enumerates partition after partition until this many placements were added.
    Placements(usize),
    /// Enumerates `many` partitions, spread by a golden-ratio stride, starting with `first` and
    /// wrapping around.
    Divisions { many: usize, first: usize },
}

/// Progress of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    /// Finished partitions of the columns between the strips.
    pub(super) done: usize,
    /// All partitions.
    pub(super) all: usize,
}

impl Progress {
    /// Returns the partition to continue from, or `None` if all are finished.
    pub(super) fn next(self) -> Option<usize> {
        (self.done < self.all).then_some(self.done)
    }
}

impl Lister {
    pub(super) fn new() -> Lister {
        let pairs = Box::new([0; BLOCK * BLOCK + BLOCK]);
        let (outer, inner) = (United::default(), Default::default());
        Lister { divisions: Vec::new(), outer, inner, rooms: Default::default(), pairs }
    }

    /// Returns the size of the buffers in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Division>() * self.divisions.capacity()
            + self.outer.bytes()
            + self.inner.iter().map(United::bytes).sum::<usize>()
            + self.rooms.iter().map(Room::bytes).sum::<usize>()
            + size_of::<Pairs>()
    }

    /// Appends placements of a half to `lists`, starting with partition `from`, until `amount` is
    /// reached. The result says where to continue.
    ///
    /// A partition is always enumerated completely, so the lists may get slightly longer than
    /// `amount`. On even boards, `lists` receives the placements with a greater key than the
    /// columns and those with an equal key. On odd boards, each list of the upper half receives one
    /// class of the middle queens (see [`Centred`]).
    pub(super) fn fill<M: Machine>(
        &mut self,
        machine: M,
        strips: &BothHalves,
        wanted: Wanted,
        from: usize,
        amount: Amount,
        lists: [&mut List; 3],
    ) -> Progress {
        let Lister { divisions, outer, inner, rooms, pairs } = self;
        match strips {
            BothHalves::Alike(strips) => {
                let key = StripKeys::new(wanted.key, strips);
                let source = Keyed { strips, key, outer, inner };
                source.divide(wanted.columns, divisions);
                machine.run(Fill { source, divisions, from, amount, wanted, pairs, lists })
            }
            BothHalves::Centred(strips) => {
                let source = OfHalf { strips, is_upper: wanted.is_upper, rooms };
                source.divide(wanted.columns, divisions);
                machine.run(Fill { source, divisions, from, amount, wanted, pairs, lists })
            }
        }
    }
}

/// The loop over the partitions of the columns between the strips.
struct Fill<'a, S> {
    source: S,
    divisions: &'a [Division],
    from: usize,
    amount: Amount,
    wanted: Wanted,
    pairs: &'a mut Pairs,
    lists: [&'a mut List; 3],
}

impl<M: Machine, S: Source> Kernel<M> for Fill<'_, S> {
    type Output = Progress;

    #[inline(always)]
    fn run(self, machine: M) -> Progress {
        let Fill { mut source, divisions, from, amount, wanted, pairs, mut lists } = self;
        let all = divisions.len().max(1);
        let (placements, last, first) = match amount {
            Amount::Placements(most) => (most, all, 0),
            Amount::Divisions { many, first } => {
                (usize::MAX, all.min(from.saturating_add(many)), first % all)
            }
        };
        // Neighbouring partitions read nearly the same parts of the tables, so their order suits
        // the caches. Strips joined from small tables gain nothing by that. For them, and for
        // samples, partitions far apart are the best prediction of the remaining ones.
        let is_sample = matches!(amount, Amount::Divisions { .. });
        let stride = if is_sample || source.are_put_together() { golden_stride(all) } else { 1 };
        let length = |lists: &[&mut List; 3]| lists.iter().map(|list| list.len()).sum::<usize>();
        let most = placements.saturating_add(length(&lists));
        let mut done = from;
        let at = |place: usize| divisions.get((first + place) * stride % all);
        while let Some(division) = at(done) {
            if done >= last || length(&lists) >= most {
                break;
            }
            done += 1;
            if let Some(next) = at(done) {
                source.fetch(machine, next);
            }
            source.join(machine, division, wanted, pairs, &mut lists);
        }
        Progress { done, all }
    }
}

/// Strips of a half without the middle row. Their rows are compared with the key of the columns.
struct Keyed<'a> {
    strips: &'a Strips,
    key: StripKeys,
    outer: &'a mut United,
    inner: &'a mut [United; 3],
}

impl Source for Keyed<'_> {
    fn divide(&self, columns: RowBits, divisions: &mut Vec<Division>) {
        self.strips.divide(columns, divisions);
    }

    fn are_put_together(&self) -> bool {
        self.strips.are_put_together()
    }

    #[inline(always)]
    fn fetch(&self, machine: impl Machine, division: &Division) {
        self.strips.fetch(machine, division);
    }

    #[inline(always)]
    fn join<M: Machine>(
        &mut self,
        machine: M,
        division: &Division,
        wanted: Wanted,
        pairs: &mut Pairs,
        [above, same, _]: &mut [&mut List; 3],
    ) {
        let Keyed { strips, key, outer, inner } = self;
        let outer = strips.outer(machine, division, wanted.closed, outer);
        let inner = strips.inner(machine, division, wanted.closed, key.inner, inner);
        Join { outer, inner, wanted, key: *key, pairs }.run(machine, above, same);
    }
}

/// The bits of a key that each strip's rows are compared with.
#[derive(Clone, Copy, Debug)]
struct StripKeys {
    outer_rows: u32,
    outer: u32,
    inner: u32,
}

impl StripKeys {
    fn new(key: u32, strips: &Strips) -> StripKeys {
        let [outer_rows, _] = strips.rows();
        StripKeys { outer_rows, outer: key & ((1 << outer_rows) - 1), inner: key >> outer_rows }
    }
}

/// Joins the placements of two strips that do not attack each other.
struct Join<'a> {
    outer: Part<'a>,
    inner: Inner<'a>,
    wanted: Wanted,
    key: StripKeys,
    pairs: &'a mut Pairs,
}

impl Join<'_> {
    /// Appends pairs to `larger` if the key of their rows is above that of the columns, and to
    /// `equal` if the keys are equal.
    #[inline(always)]
    fn run<M: Machine>(self, machine: M, larger: &mut List, equal: &mut List) {
        let Join { outer, inner: Inner { above, same }, wanted, key, pairs } = self;
        pair_all(machine, &above, &outer, wanted, pairs, larger);
        // The inner strip's rows are the high bits of a half's row number, so the outer strip's
        // rows decide only if they equal the key's bits.
        let Wanted { closed, crossed, .. } = wanted;
        for (side, same) in same.iter().enumerate() {
            for inner in same.blocks() {
                let inners = (inner, open(machine, inner, closed));
                if inners.1 == 0 {
                    continue;
                }
                for outer in outer.blocks() {
                    let there = open(machine, outer, closed);
                    let Compared { above, same } = outer.compare(side, key.outer_rows, key.outer);
                    pair(machine, inners, (outer, above & there), crossed, pairs, larger);
                    pair(machine, inners, (outer, same & there), crossed, pairs, equal);
                }
            }
        }
    }
}
