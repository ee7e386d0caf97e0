//! The two strips of a half, for even boards (and for odd boards on GPUs, which handle the middle
//! row separately), and an index of the inner strip's table by row numbers.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{
    column_partitions::{ColumnPartition, divide},
    line::{NarrowDiagonals, Seam},
    placements::{Block, Compared, JoinedPlacements, Placement, PlacementSlice, Placements, Sides},
    strip::{CACHED_TABLE_BYTES, JoinSink, LowerPlacement, Strip},
    table::{Rows, Table},
    vector::SimdIsa,
};
use crate::{RowBits, Size};

/// Returns the tables of the outer and of the inner strip for GPUs: for each strip, the number of
/// rows and the table of its upper part and of its lower part. If a strip has no more rows than
/// `max_single_table_rows`, its lower part has no rows. The row numbers are not bit-sliced.
pub(super) fn part_tables(size: Size, max_single_table_rows: u32) -> [[(u32, Table); 2]; 2] {
    let (strips, seam) = strips_of(size);
    strips.map(|rows| {
        let [above, below] = rows.parts(max_single_table_rows);
        let inside = (below.rows > 0).then(|| Seam::row(size, above.lowest));
        [above, below].map(|rows| (rows.rows, Table::new(size, rows, inside, seam)))
    })
}

/// Returns the rows of the outer and of the inner strip, and the seam between them.
fn strips_of(size: Size) -> ([Rows; 2], Seam) {
    let half = size.get() / 2;
    // With an outer strip, the inner one needs at least two rows. If its only queen were in the
    // middle column of an odd board, both sides would have the number 0, and the outer strip would
    // have to decide which one is smaller.
    let outer_rows = if half > 2 { half / 2 } else { 0 };
    let inner = Rows { lowest: 1, rows: half - outer_rows };
    let outer = Rows { lowest: 1 + inner.rows, rows: outer_rows };
    ([outer, inner], Seam::row(size, outer.lowest))
}

/// The two strips of the upper half. The lower half uses the same strips, mirrored.
#[derive(Clone, Debug)]
pub(super) struct Strips {
    /// The rows at the edge of the board.
    outer: Strip,
    /// The rows at the middle of the board.
    inner: Strip,
    /// The index of the inner strip's placements, if they are in a single table.
    by_rows: ByRows,
    /// Whether the tables are larger than [`CACHED_TABLE_BYTES`].
    exceeds_cache: bool,
    /// The encoding of the placements' narrow diagonals, if they have them.
    pub(super) narrow: Option<NarrowDiagonals>,
}

impl Strips {
    /// Builds the strips of a board. The placements of strips with more rows than
    /// `max_single_table_rows` are joined from two tables.
    pub(super) fn with_tables(size: Size, max_single_table_rows: u32) -> Strips {
        let (strips, seam) = strips_of(size);
        let [mut outer, mut inner] =
            strips.map(|rows| Strip::new(size, rows, seam, max_single_table_rows));
        let mut by_rows = ByRows::default();
        if outer.is_table() {
            outer.table.placements.slice_rows();
            outer.table.placements.drop_sort_keys();
            outer.table.placements.pad();
        }
        if inner.is_table() {
            by_rows = ByRows::sort(&mut inner.table, inner.rows);
            inner.table.placements.pad();
        }
        // The inner strip's placements are compared with the key before they are stored, so their
        // row numbers are not needed again.
        inner.table.placements.drop_sort_keys();
        let mut strips = Strips { outer, inner, by_rows, exceeds_cache: false, narrow: None };
        strips.exceeds_cache = strips.bytes() > CACHED_TABLE_BYTES;
        strips
    }

    /// Adds the narrow middle diagonals of all placements.
    pub(super) fn encode_narrow(&mut self, size: Size, diagonals: NarrowDiagonals) {
        self.outer.encode_narrow(size, diagonals);
        self.inner.encode_narrow(size, diagonals);
        self.narrow = Some(diagonals);
    }

    /// Returns the number of rows of the outer and of the inner strip.
    pub(super) fn rows(&self) -> [u32; 2] {
        [self.outer.rows, self.inner.rows]
    }

    /// Returns whether both strips are joined from smaller tables.
    pub(super) fn are_joined(&self) -> bool {
        !self.outer.is_table() && !self.inner.is_table()
    }

    /// Finds all partitions of `columns` between the strips. There is one column for each row.
    pub(super) fn divide(&self, columns: RowBits, partitions: &mut Vec<ColumnPartition>) {
        divide(self.outer.rows, columns, partitions);
    }

    /// Returns the outer strip's placements, from its table or joined in `buffer`. Joined
    /// placements cross no `forbidden` middle diagonal; those of a table may.
    #[inline(always)]
    pub(super) fn outer<'a, M: SimdIsa>(
        &'a self,
        machine: M,
        partition: &ColumnPartition,
        forbidden: u64,
        buffer: &'a mut JoinedPlacements,
    ) -> PlacementSlice<'a> {
        if self.outer.is_table() {
            return self.outer.table.part(partition.ranks[0] as usize);
        }
        buffer.clear();
        self.outer.join_parts(machine, partition.outer, forbidden, &mut AllPlacements { buffer });
        buffer.slice_rows();
        buffer.all()
    }

    /// Returns the inner strip's placements whose smaller row number is at least `key`, from its
    /// table or joined in `buffers`. Joined placements cross no `forbidden` middle diagonal; those
    /// of a table may.
    #[inline(always)]
    pub(super) fn inner<'a, M: SimdIsa>(
        &'a self,
        machine: M,
        partition: &ColumnPartition,
        forbidden: u64,
        key: u32,
        buffers: &'a mut [JoinedPlacements; 3],
    ) -> Inner<'a> {
        if self.inner.is_table() {
            return self.inner_of_table(partition.ranks[1] as usize, key);
        }
        buffers.iter_mut().for_each(JoinedPlacements::clear);
        let upper_rows = self.inner.upper_rows();
        let mut by_key = ByKey { key, upper_rows, buffers };
        self.inner.join_parts(machine, partition.inner, forbidden, &mut by_key);
        let [above, left, right] = buffers;
        Inner { above: above.all(), same: [left.all(), right.all()] }
    }

    #[inline(always)]
    fn inner_of_table(&self, rank: usize, key: u32) -> Inner<'_> {
        let table = &self.inner.table;
        let (all, groups) = (table.range(rank), self.by_rows.starts_of(rank));
        let start = |group: usize| {
            groups.get(group).map_or(all.end, |&start| all.start + usize::from(start))
        };
        let part = |range| table.placements.part(range);
        // Each number has two groups, one for each side (see `ByRows`).
        let first = 2 * key as usize;
        let [left, right, above] = [first, first + 1, first + 2].map(start);
        Inner { above: part(above..all.end), same: [part(left..right), part(right..above)] }
    }

    /// Prefetches the placements of the strips that have a single table.
    #[inline(always)]
    pub(super) fn prefetch(&self, machine: impl SimdIsa, partition: &ColumnPartition) {
        let Strips { outer, inner, by_rows, exceeds_cache, .. } = self;
        let [outer_rank, inner_rank] = partition.ranks.map(|rank| rank as usize);
        outer.prefetch(machine, outer_rank, *exceeds_cache);
        inner.prefetch(machine, inner_rank, *exceeds_cache);
        if *exceeds_cache {
            machine.prefetch(by_rows.starts_of(inner_rank));
        }
    }

    /// Returns the size of the tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.outer.bytes() + self.inner.bytes() + self.by_rows.starts.capacity()
    }
}

/// Collects all joined placements of a strip.
struct AllPlacements<'a> {
    buffer: &'a mut JoinedPlacements,
}

impl JoinSink for AllPlacements<'_> {
    fn may_count(&self, _: RowBits, _: Placement) -> bool {
        true
    }

    #[inline(always)]
    fn add<M: SimdIsa>(
        &mut self,
        machine: M,
        upper: Block<'_>,
        selected: u64,
        lower: LowerPlacement,
    ) {
        self.buffer.join(machine, upper, selected, lower.placement);
    }
}

/// Collects the joined placements in three buffers, by their smaller row number: above the key, equal to
/// the key on the left side, and equal to the key on the right side only.
struct ByKey<'a> {
    /// The inner strip's bits of the key of the columns.
    key: u32,
    upper_rows: u32,
    buffers: &'a mut [JoinedPlacements; 3],
}

impl JoinSink for ByKey<'_> {
    /// Compares the bits of the lower part's rows, which are the high bits of a row number.
    #[inline(always)]
    fn may_count(&self, _: RowBits, lower: Placement) -> bool {
        u32::from(smaller(lower.sides).0) >= self.key >> self.upper_rows
    }

    #[inline(always)]
    fn add<M: SimdIsa>(
        &mut self,
        machine: M,
        upper: Block<'_>,
        selected: u64,
        lower: LowerPlacement,
    ) {
        let ByKey { key, upper_rows, ref mut buffers } = *self;
        let upper_bits = (1 << upper_rows) - 1;
        let mut sides = [Compared::default(); 2];
        for (side, compared) in sides.iter_mut().enumerate() {
            // The upper part's rows decide only if the lower part's rows equal the key's bits.
            *compared = match u32::from(lower.placement.sides[side]).cmp(&(key & !upper_bits)) {
                Ordering::Less => Compared { above: 0, same: 0 },
                Ordering::Equal => upper.compare(side, upper_rows, key & upper_bits),
                Ordering::Greater => Compared { above: u64::MAX, same: 0 },
            };
        }
        let [left, right] = sides;
        let [larger, same_left, same_right] = buffers;
        larger.join(machine, upper, selected & left.above & right.above, lower.placement);
        let is_left = left.same & (right.above | right.same);
        same_left.join(machine, upper, selected & is_left, lower.placement);
        same_right.join(machine, upper, selected & right.same & left.above, lower.placement);
    }
}

/// The inner strip's placements whose smaller row number is not below the key. Here the key is the
/// inner strip's bits of the key of the columns.
#[derive(Clone, Debug)]
pub(super) struct Inner<'a> {
    /// The placements whose smaller row number is above the key.
    pub(super) above: PlacementSlice<'a>,
    /// The placements whose smaller row number equals the key: first those whose left side has this
    /// number, then those of which only the right side has it.
    pub(super) same: [PlacementSlice<'a>; 2],
}

/// Returns the smaller row number of a placement, and its side.
fn smaller([left, right]: Sides) -> (u8, usize) {
    if left <= right { (left, 0) } else { (right, 1) }
}

/// Index of the inner strip's table by row numbers. The placements of each column set are sorted
/// into groups: by the smaller of the two sides' row numbers, then by the side that has it.
///
/// With two rows the numbers are 0 or 1, so there are four groups: 0 left, 0 right, 1 left and
/// 1 right. If they have 2, 0, 3 and 1 placements, their starts are 0, 2, 2 and 5.
#[derive(Clone, Debug, Default)]
struct ByRows {
    /// Number of groups of a column set.
    groups: usize,
    /// For each column set, by its rank, the start of each group.
    starts: Vec<u8>,
}

impl ByRows {
    /// Sorts the placements of a table of strips with `rows` rows, and returns the index.
    fn sort(table: &mut Table, rows: u32) -> ByRows {
        // The smaller number never has the highest bit: the other one would have it, too, but no
        // queen is on both sides.
        let groups = (1 << rows).max(2);
        let sets = table.starts().len().saturating_sub(1);
        let mut by_rows = ByRows { groups, starts: Vec::with_capacity(groups * sets) };
        let (mut order, mut sorted) = (Vec::new(), Placements::default());
        for rank in 0..sets {
            let range = table.range(rank);
            let placements = &mut table.placements;
            order.clear();
            order.extend(
                range.clone().map(|place| (group(placements.placement(place).sides), place)),
            );
            order.sort_unstable();
            debug_assert!(order.len() <= usize::from(u8::MAX), "{} placements", order.len());
            by_rows.starts.extend(
                (0..groups).map(|group| order.partition_point(|&(other, _)| other < group) as u8),
            );
            sorted.clear();
            for &(_, place) in &order {
                sorted.push_crossed(placements.seam(place), placements.middle[place]);
            }
            placements.seam[range.clone()].copy_from_slice(&sorted.seam);
            placements.seam_edge[range.clone()].copy_from_slice(&sorted.seam_edge);
            placements.middle[range].copy_from_slice(&sorted.middle);
        }
        by_rows
    }

    /// Returns the start of each group of the column set with this rank.
    fn starts_of(&self, rank: usize) -> &[u8] {
        self.starts
            .get(rank * self.groups..)
            .and_then(|starts| starts.get(..self.groups))
            .unwrap_or_default()
    }
}

/// Returns the group of a placement of the inner strip.
fn group(sides: Sides) -> usize {
    let (number, side) = smaller(sides);
    2 * usize::from(number) + side
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::halves::{
        column_partitions::subsets,
        columns::{binomial, rank},
        portable::Portable,
    };
    use std::{collections::BTreeSet, format};

    /// Returns small boards, each with two versions of its strips: with one table for each strip, and
    /// with strips of more than one row joined from two tables.
    fn all_strips() -> impl Iterator<Item = (Size, Strips)> {
        let sizes = (1..=if cfg!(miri) { 6 } else { 11 }).map(|n| Size::new(n).unwrap());
        sizes.flat_map(|size| [5, 1].map(|rows| (size, Strips::with_tables(size, rows))))
    }

    /// Returns each column set of a half with all its partitions.
    fn divided_halves(size: Size, strips: &Strips) -> Vec<(RowBits, Vec<ColumnPartition>)> {
        let halves = subsets(size.mask(), size.get() / 2);
        let with_partitions = |columns| {
            let mut partitions = Vec::new();
            strips.divide(columns, &mut partitions);
            (columns, partitions)
        };
        halves.map(with_partitions).collect()
    }

    #[test]
    fn lists_each_column_partition_once() {
        for (size, strips) in all_strips() {
            let [outer_rows, inner_rows] = strips.rows();
            for (columns, partitions) in divided_halves(size, &strips) {
                let outers: BTreeSet<_> =
                    partitions.iter().map(|partition| partition.outer.bits()).collect();
                assert_eq!(outers.len(), partitions.len(), "N = {size}, {columns:?}");
                assert_eq!(outers.len() as u64, binomial(outer_rows + inner_rows, outer_rows));
                for ColumnPartition { outer, inner, ranks, members } in partitions {
                    assert_eq!((outer | inner, columns - outer), (columns, inner), "N = {size}");
                    assert_eq!(ranks.map(|rank| rank as usize), [outer, inner].map(rank));
                    assert_eq!([outer, inner].map(RowBits::len), members);
                    assert_eq!(members, strips.rows());
                }
            }
        }
    }

    /// Returns the diagonals on which each placement crosses the seam and the middle.
    fn crossed(part: &PlacementSlice<'_>) -> BTreeSet<(u64, u64)> {
        let diagonals = |block: Block<'_>, place: usize| {
            let seam = u64::from(block.seam[place]) | u64::from(block.seam_edge[place]) << 32;
            (seam, block.middle[place])
        };
        part.blocks()
            .flat_map(|block| (0..block.length).map(move |place| diagonals(block, place)))
            .collect()
    }

    #[test]
    fn inner_strip_is_grouped_by_comparison_with_the_key() {
        for (size, strips) in all_strips() {
            let [_, [(rows, whole), _]] = part_tables(size, u32::MAX);
            let all: Vec<_> = whole.placements().collect();
            let forbidden = Seam::middle(size).crossed_by(0, size.get() / 2);
            let mut buffers = <[JoinedPlacements; 3]>::default();
            let halves = divided_halves(size, &strips);
            for partition in halves.into_iter().flat_map(|(_, partitions)| partitions).step_by(7) {
                let in_set = &all[whole.range(partition.ranks[1] as usize)];
                for key in 0..=1 << rows {
                    let Inner { above, same: [left, right] } =
                        strips.inner(Portable, &partition, forbidden, key, &mut buffers);
                    // Only joined strips leave out placements that cross a forbidden diagonal.
                    let expected = |is_in_group: &dyn Fn(u32, u32) -> bool| {
                        let is_expected = |&&(_, middle, [left, right]): &&(u64, u64, Sides)| {
                            let is_allowed = strips.inner.is_table() || middle & forbidden == 0;
                            is_allowed && is_in_group(left.into(), right.into())
                        };
                        let expected = in_set.iter().filter(is_expected);
                        expected.map(|&(seam, middle, _)| (seam, middle)).collect::<BTreeSet<_>>()
                    };
                    let of = format!("N = {size}, {partition:?}, {key:?}");
                    let is_above = |left: u32, right: u32| left.min(right) > key;
                    assert_eq!(crossed(&above), expected(&is_above), "above, {of}");
                    let is_left = |left: u32, right: u32| key == left && left <= right;
                    assert_eq!(crossed(&left), expected(&is_left), "left, {of}");
                    let is_right = |left: u32, right: u32| key == right && right < left;
                    assert_eq!(crossed(&right), expected(&is_right), "right, {of}");
                }
            }
        }
    }
}
