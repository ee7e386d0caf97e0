//! Enumerates the placements of a half as bit sets of middle diagonals.

use alloc::{boxed::Box, vec::Vec};

use super::{
    centred::{Centred, HalfStrips, StripBuffer},
    column_partitions::ColumnPartition,
    columns::{Symmetries, golden_stride},
    joining::{List, PairIndices, PlacementFilter, StripSource, open, pair, pair_all},
    placements::{BLOCK, Compared, JoinedPlacements, PlacementSlice},
    strip::LARGEST_TABLE,
    strips::{Inner, Strips},
    vector::{HotLoop, SimdIsa},
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
pub(super) struct PlacementEnumerator {
    partitions: Vec<ColumnPartition>,
    outer: JoinedPlacements,
    inner: [JoinedPlacements; 3],
    rooms: [StripBuffer; 2],
    pairs: Box<PairIndices>,
}

/// When an enumeration stops.
#[derive(Clone, Copy, Debug)]
pub(super) enum EnumerationLimit {
    /// Enumerates partition after partition until this many placements were added.
    Placements(usize),
    /// Enumerates `many` partitions, spread by a golden-ratio stride, starting with `first` and
    /// wrapping around.
    Partitions { many: usize, first: usize },
}

/// Progress of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EnumerationProgress {
    /// Finished partitions of the columns between the strips.
    pub(super) done: usize,
    /// All partitions.
    pub(super) all: usize,
}

impl EnumerationProgress {
    /// Returns the partition to continue from, or `None` if all are finished.
    pub(super) fn next(self) -> Option<usize> {
        (self.done < self.all).then_some(self.done)
    }
}

impl PlacementEnumerator {
    pub(super) fn new() -> PlacementEnumerator {
        let pairs = Box::new([0; BLOCK * BLOCK + BLOCK]);
        let (outer, inner) = (JoinedPlacements::default(), Default::default());
        PlacementEnumerator {
            partitions: Vec::new(),
            outer,
            inner,
            rooms: Default::default(),
            pairs,
        }
    }

    /// Returns the size of the buffers in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<ColumnPartition>() * self.partitions.capacity()
            + self.outer.bytes()
            + self.inner.iter().map(JoinedPlacements::bytes).sum::<usize>()
            + self.rooms.iter().map(StripBuffer::bytes).sum::<usize>()
            + size_of::<PairIndices>()
    }

    /// Appends placements of a half to `lists`, starting with partition `from`, until `amount` is
    /// reached. The result says where to continue.
    ///
    /// A partition is always enumerated completely, so the lists may get slightly longer than
    /// `amount`. On even boards, `lists` receives the placements with a greater key than the
    /// columns and those with an equal key. On odd boards, each list of the upper half receives one
    /// class of the middle queens (see [`Centred`]).
    pub(super) fn enumerate_into<M: SimdIsa>(
        &mut self,
        machine: M,
        strips: &BothHalves,
        wanted: PlacementFilter,
        from: usize,
        amount: EnumerationLimit,
        lists: [&mut List; 3],
    ) -> EnumerationProgress {
        let PlacementEnumerator { partitions, outer, inner, rooms, pairs } = self;
        match strips {
            BothHalves::Alike(strips) => {
                let key = StripKeys::new(wanted.min_key, strips);
                let source = KeyedStrips { strips, key, outer, inner };
                source.divide(wanted.columns, partitions);
                machine.run(FillLists { source, partitions, from, amount, wanted, pairs, lists })
            }
            BothHalves::Centred(strips) => {
                let source = HalfStrips { strips, is_upper: wanted.is_upper, rooms };
                source.divide(wanted.columns, partitions);
                machine.run(FillLists { source, partitions, from, amount, wanted, pairs, lists })
            }
        }
    }
}

/// The loop over the partitions of the columns between the strips.
struct FillLists<'a, S> {
    source: S,
    partitions: &'a [ColumnPartition],
    from: usize,
    amount: EnumerationLimit,
    wanted: PlacementFilter,
    pairs: &'a mut PairIndices,
    lists: [&'a mut List; 3],
}

impl<M: SimdIsa, S: StripSource> HotLoop<M> for FillLists<'_, S> {
    type Output = EnumerationProgress;

    #[inline(always)]
    fn run(self, machine: M) -> EnumerationProgress {
        let FillLists { mut source, partitions, from, amount, wanted, pairs, mut lists } = self;
        let all = partitions.len().max(1);
        let (placements, last, first) = match amount {
            EnumerationLimit::Placements(most) => (most, all, 0),
            EnumerationLimit::Partitions { many, first } => {
                (usize::MAX, all.min(from.saturating_add(many)), first % all)
            }
        };
        // Neighbouring partitions read nearly the same parts of the tables, so their order suits
        // the caches. Strips joined from small tables gain nothing by that. For them, and for
        // samples, partitions far apart are the best prediction of the remaining ones.
        let is_sample = matches!(amount, EnumerationLimit::Partitions { .. });
        let stride = if is_sample || source.are_put_together() { golden_stride(all) } else { 1 };
        let length = |lists: &[&mut List; 3]| lists.iter().map(|list| list.len()).sum::<usize>();
        let most = placements.saturating_add(length(&lists));
        let mut done = from;
        let at = |place: usize| partitions.get((first + place) * stride % all);
        while let Some(partition) = at(done) {
            if done >= last || length(&lists) >= most {
                break;
            }
            done += 1;
            if let Some(next) = at(done) {
                source.fetch(machine, next);
            }
            source.join(machine, partition, wanted, pairs, &mut lists);
        }
        EnumerationProgress { done, all }
    }
}

/// Strips of a half without the middle row. Their rows are compared with the key of the columns.
struct KeyedStrips<'a> {
    strips: &'a Strips,
    key: StripKeys,
    outer: &'a mut JoinedPlacements,
    inner: &'a mut [JoinedPlacements; 3],
}

impl StripSource for KeyedStrips<'_> {
    fn divide(&self, columns: RowBits, partitions: &mut Vec<ColumnPartition>) {
        self.strips.divide(columns, partitions);
    }

    fn are_put_together(&self) -> bool {
        self.strips.are_put_together()
    }

    #[inline(always)]
    fn fetch(&self, machine: impl SimdIsa, partition: &ColumnPartition) {
        self.strips.fetch(machine, partition);
    }

    #[inline(always)]
    fn join<M: SimdIsa>(
        &mut self,
        machine: M,
        partition: &ColumnPartition,
        wanted: PlacementFilter,
        pairs: &mut PairIndices,
        [above, same, _]: &mut [&mut List; 3],
    ) {
        let KeyedStrips { strips, key, outer, inner } = self;
        let outer = strips.outer(machine, partition, wanted.forbidden, outer);
        let inner = strips.inner(machine, partition, wanted.forbidden, key.inner, inner);
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
    outer: PlacementSlice<'a>,
    inner: Inner<'a>,
    wanted: PlacementFilter,
    key: StripKeys,
    pairs: &'a mut PairIndices,
}

impl Join<'_> {
    /// Appends pairs to `larger` if the key of their rows is above that of the columns, and to
    /// `equal` if the keys are equal.
    #[inline(always)]
    fn run<M: SimdIsa>(self, machine: M, larger: &mut List, equal: &mut List) {
        let Join { outer, inner: Inner { above, same }, wanted, key, pairs } = self;
        pair_all(machine, &above, &outer, wanted, pairs, larger);
        // The inner strip's rows are the high bits of a half's row number, so the outer strip's
        // rows decide only if they equal the key's bits.
        let PlacementFilter { forbidden: closed, required: crossed, .. } = wanted;
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
