//! Enumerates the placements of a half as bit sets of middle diagonals.

use alloc::{boxed::Box, vec::Vec};

use super::{
    centred::{Centred, HalfStrips, StripBuffer},
    column_partitions::ColumnPartition,
    columns::{Symmetries, golden_stride},
    joining::{
        List, ListElement, PairIndices, PlacementFilter, StripSource, allowed, pair, pair_all,
    },
    line::NarrowDiagonals,
    placements::{BLOCK, Compared, JoinedPlacements, PlacementSlice},
    strip::LARGEST_TABLE,
    strips::{Inner, Strips},
    vector::{HotLoop, SimdIsa},
};
use crate::{RowBits, Size};

/// The strips of both halves.
#[derive(Clone, Debug)]
pub(super) enum BothHalves {
    /// For even boards, and for odd boards on GPUs, where the middle row belongs to neither half:
    /// both halves have the same strips.
    Alike(Box<Strips>),
    /// For odd boards: the middle row belongs to the upper half.
    Centred(Box<Centred>),
}

impl BothHalves {
    /// Builds the strips, with narrow diagonals if the board allows it.
    pub(super) fn new(size: Size) -> BothHalves {
        let mut strips = BothHalves::with_tables(size, LARGEST_TABLE);
        if let Some(diagonals) = NarrowDiagonals::of(size) {
            match &mut strips {
                BothHalves::Alike(strips) => strips.encode_narrow(size, diagonals),
                BothHalves::Centred(strips) => strips.encode_narrow(size, diagonals),
            }
        }
        strips
    }

    /// Returns whether lists of narrow diagonals can be enumerated.
    pub(super) fn are_narrow(&self) -> bool {
        match self {
            BothHalves::Alike(strips) => strips.narrow.is_some(),
            BothHalves::Centred(strips) => strips.narrow.is_some(),
        }
    }

    /// Builds the strips, without narrow diagonals. Strips with more rows than
    /// `max_single_table_rows` are joined from two smaller tables when they are needed.
    pub(super) fn with_tables(size: Size, max_single_table_rows: u32) -> BothHalves {
        match Symmetries::of(size) {
            Symmetries::Eight => BothHalves::alike(size, max_single_table_rows),
            Symmetries::Centred => {
                BothHalves::Centred(Box::new(Centred::with_tables(size, max_single_table_rows)))
            }
        }
    }

    /// Builds the strips of two halves without a middle row. GPUs count odd boards with such
    /// halves, too.
    pub(super) fn alike(size: Size, max_single_table_rows: u32) -> BothHalves {
        BothHalves::Alike(Box::new(Strips::with_tables(size, max_single_table_rows)))
    }

    /// Returns the size of the tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            BothHalves::Alike(strips) => strips.bytes(),
            BothHalves::Centred(strips) => strips.bytes(),
        }
    }
}

/// Enumerates placements of halves into lists, with reusable buffers.
#[derive(Clone, Debug)]
pub(super) struct PlacementEnumerator {
    partitions: Vec<ColumnPartition>,
    outer: JoinedPlacements,
    inner: [JoinedPlacements; 3],
    buffers: [StripBuffer; 2],
    pairs: Box<PairIndices>,
}

/// The condition that stops an enumeration.
#[derive(Clone, Copy, Debug)]
pub(super) enum EnumerationLimit {
    /// Stops at the end of the partition in which this number of added placements is reached.
    Placements(usize),
    /// Stops after `many` partitions, which are spread evenly among all (see [`golden_stride`]).
    /// `first` is the position in that order at which they begin; it wraps around at the end.
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
            buffers: Default::default(),
            pairs,
        }
    }

    /// Returns the size of the buffers in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<ColumnPartition>() * self.partitions.capacity()
            + self.outer.bytes()
            + self.inner.iter().map(JoinedPlacements::bytes).sum::<usize>()
            + self.buffers.iter().map(StripBuffer::bytes).sum::<usize>()
            + size_of::<PairIndices>()
    }

    /// Appends placements of a half to `lists`, starting with partition `from`, until `amount` is
    /// reached. The result says where to continue. The lower half is enumerated as its mirror image,
    /// an upper half.
    ///
    /// With [`BothHalves::Alike`], the first list receives the placements whose smaller row number is
    /// greater than `filter.min_key`, the second one those whose smaller row number is equal; the
    /// third one stays empty. With [`BothHalves::Centred`], the lists of the upper half are those of
    /// [`Centred`] (`FARTHER`, `EQUALLY_FAR` and `CENTRE`); all placements of the lower half go to the
    /// first list.
    pub(super) fn enumerate_into<M: SimdIsa, T: ListElement>(
        &mut self,
        machine: M,
        strips: &BothHalves,
        filter: PlacementFilter,
        from: usize,
        amount: EnumerationLimit,
        lists: [&mut List<T>; 3],
    ) -> EnumerationProgress {
        let PlacementEnumerator { partitions, outer, inner, buffers, pairs } = self;
        match strips {
            BothHalves::Alike(strips) => {
                let key = StripKeys::new(filter.min_key, strips);
                let source = KeyedStrips { strips, key, outer, inner };
                source.divide(filter.columns, partitions);
                machine.run(FillLists { source, partitions, from, amount, filter, pairs, lists })
            }
            BothHalves::Centred(strips) => {
                let source = HalfStrips { strips, is_upper: filter.is_upper, buffers };
                source.divide(filter.columns, partitions);
                machine.run(FillLists { source, partitions, from, amount, filter, pairs, lists })
            }
        }
    }
}

/// The loop over the partitions of the columns between the strips.
struct FillLists<'a, S, T> {
    source: S,
    partitions: &'a [ColumnPartition],
    from: usize,
    amount: EnumerationLimit,
    filter: PlacementFilter,
    pairs: &'a mut PairIndices,
    lists: [&'a mut List<T>; 3],
}

impl<M: SimdIsa, S: StripSource, T: ListElement> HotLoop<M> for FillLists<'_, S, T> {
    type Output = EnumerationProgress;

    #[inline(always)]
    fn run(self, machine: M) -> EnumerationProgress {
        let FillLists { mut source, partitions, from, amount, filter, pairs, mut lists } = self;
        let all = partitions.len().max(1);
        let (placements, last, first) = match amount {
            EnumerationLimit::Placements(max_length) => (max_length, all, 0),
            EnumerationLimit::Partitions { many, first } => {
                (usize::MAX, all.min(from.saturating_add(many)), first % all)
            }
        };
        // Consecutive partitions read nearly the same parts of the tables, so these parts are still
        // cached if partitions are taken in order. Strips joined from small tables do not profit from
        // that. For them, and for samples, the order is evenly spread instead, so that the finished
        // partitions represent the remaining ones.
        let is_sample = matches!(amount, EnumerationLimit::Partitions { .. });
        let stride = if is_sample || source.are_joined() { golden_stride(all) } else { 1 };
        let length = |lists: &[&mut List<T>; 3]| lists.iter().map(|list| list.len()).sum::<usize>();
        let max_length = placements.saturating_add(length(&lists));
        let mut done = from;
        let partition_at = |place: usize| partitions.get((first + place) * stride % all);
        while let Some(partition) = partition_at(done) {
            if done >= last || length(&lists) >= max_length {
                break;
            }
            done += 1;
            if let Some(next) = partition_at(done) {
                source.prefetch(machine, next);
            }
            source.join(machine, partition, filter, pairs, &mut lists);
        }
        EnumerationProgress { done, all }
    }
}

/// Strips of a half without a middle row. The row numbers of their placements are compared with the
/// key of the columns.
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

    fn are_joined(&self) -> bool {
        self.strips.are_joined()
    }

    #[inline(always)]
    fn prefetch(&self, machine: impl SimdIsa, partition: &ColumnPartition) {
        self.strips.prefetch(machine, partition);
    }

    #[inline(always)]
    fn join<M: SimdIsa, T: ListElement>(
        &mut self,
        machine: M,
        partition: &ColumnPartition,
        filter: PlacementFilter,
        pairs: &mut PairIndices,
        [above, same, _]: &mut [&mut List<T>; 3],
    ) {
        let KeyedStrips { strips, key, outer, inner } = self;
        let filter = filter.for_partition(strips.narrow, partition);
        let outer = strips.outer(machine, partition, filter.forbidden, outer);
        let inner = strips.inner(machine, partition, filter.forbidden, key.inner, inner);
        Join { outer, inner, filter, key: *key, pairs }.run(machine, above, same);
    }
}

/// The key of the columns, divided into the bits for the outer and for the inner strip's rows.
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
    filter: PlacementFilter,
    key: StripKeys,
    pairs: &'a mut PairIndices,
}

impl Join<'_> {
    /// Appends joined placements to `larger` if their smaller row number is greater than the key of
    /// the columns, and to `equal` if it equals the key.
    #[inline(always)]
    fn run<M: SimdIsa, T: ListElement>(
        self,
        machine: M,
        larger: &mut List<T>,
        equal: &mut List<T>,
    ) {
        let Join { outer, inner: Inner { above, same }, filter, key, pairs } = self;
        pair_all(machine, &above, &outer, filter, pairs, larger);
        // The inner strip's rows are the high bits of a half's row number. So the outer strip's
        // rows decide only where the inner strip's bits equal those of the key.
        let forbidden = filter.forbidden;
        for (side, same) in same.iter().enumerate() {
            for inner in same.blocks() {
                let inners = (inner, allowed(machine, inner, forbidden));
                if inners.1 == 0 {
                    continue;
                }
                for outer in outer.blocks() {
                    let selected = allowed(machine, outer, forbidden);
                    let Compared { above, same } = outer.compare(side, key.outer_rows, key.outer);
                    pair(machine, inners, (outer, above & selected), filter, pairs, larger);
                    pair(machine, inners, (outer, same & selected), filter, pairs, equal);
                }
            }
        }
    }
}
