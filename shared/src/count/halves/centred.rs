//! The strips of an odd board, whose middle row belongs to the upper half.

use alloc::vec::Vec;
use core::ops::Range;

use super::{
    column_partitions::{ColumnPartition, divide, subsets},
    joining::{List, ListElement, PairIndices, PlacementFilter, StripSource, pair_all},
    line::{NarrowDiagonals, Seam},
    placements::{Block, JoinedPlacements, Placement, PlacementSlice, Placements, Sides},
    strip::{CACHED_TABLE_BYTES, JoinSink, LowerPlacement, Strip},
    table::{Rows, Table},
    vector::SimdIsa,
};
use crate::{RowBits, Size};

/// The strips of both halves. The upper half is the middle row and all rows above it. It has the
/// queen of the middle column, because the lower half does not have this column. Let c be the
/// distance of that queen from the middle row, and r the distance of the middle row's queen from the
/// middle column.
///
/// The reflection at the diagonal exchanges c and r, so placements with c > r are dropped and those
/// with c < r count for them. The mirror from top to bottom gives another solution unless c = 0. So
/// a placement counts four times if c < r ([`FARTHER`]), twice if c = r > 0 ([`EQUALLY_FAR`]), and
/// once if c = r = 0 ([`CENTRE`]). The upper half has one list for each case. To find the list of a
/// pair of an inner and an outer placement, the placements of the strips are grouped by these
/// distances.
///
/// At N = 7 the upper half has rows 0 (the middle row) to 3: the inner strip rows 0 and 1, the
/// outer strip rows 2 and 3. If the inner strip has the middle column's queen, c is 0 or 1, so the
/// inner placement alone decides to which of the three lists the pair goes. Otherwise c is 2 or 3:
/// the outer strip has one group for each. The inner strip has the groups r = 2 and r = 3. Its
/// placements with r < 2 are dropped, because c is greater than r in all their pairs.
#[derive(Clone, Debug)]
pub(super) struct Centred {
    /// The outer rows of either half.
    outer: Grouped,
    /// The inner rows of the upper half, including the middle row.
    upper_inner: Grouped,
    /// The inner rows of the lower half.
    lower_inner: Grouped,
    /// Whether the tables are larger than [`CACHED_TABLE_BYTES`].
    exceeds_cache: bool,
    /// The encoding of the placements' narrow diagonals, if they have them.
    pub(super) narrow: Option<NarrowDiagonals>,
}

/// Number of lists of the upper half. For inner placements with the middle column's queen, the index
/// of the list is also the group.
const LISTS: usize = 3;

/// Maximum number of groups: the outer strip's rows at N = 27.
const MAX_GROUPS: usize = 7;

impl Centred {
    /// Builds the strips of an odd board. The placements of strips with more rows than
    /// `max_single_table_rows` are joined from two tables.
    pub(super) fn with_tables(size: Size, max_single_table_rows: u32) -> Centred {
        let half = size.get() / 2;
        let inner_rows = half / 2;
        let outer = Rows { lowest: inner_rows + 1, rows: half - inner_rows };
        let upper = Rows { lowest: 0, rows: inner_rows + 1 };
        let lower = Rows { lowest: 1, rows: inner_rows };
        let seam = Seam::row(size, outer.lowest);
        let grouped = |rows, by, groups| {
            let strip = Strip::new(size, rows, seam, max_single_table_rows);
            let grouping = Grouping { by, middle_column: half, rows };
            Grouped::new(strip, grouping, groups)
        };
        let outer_groups = (outer.rows as usize).max(1);
        let by_queen = GroupBy::MiddleQueens { from: outer.lowest };
        let mut centred = Centred {
            outer: grouped(outer, GroupBy::MiddleColumn, outer_groups),
            upper_inner: grouped(upper, by_queen, outer_groups.max(LISTS)),
            lower_inner: grouped(lower, GroupBy::Nothing, 1),
            exceeds_cache: false,
            narrow: None,
        };
        centred.exceeds_cache = centred.bytes() > CACHED_TABLE_BYTES;
        centred
    }

    /// Adds the narrow middle diagonals of all placements.
    pub(super) fn encode_narrow(&mut self, size: Size, diagonals: NarrowDiagonals) {
        for grouped in [&mut self.outer, &mut self.upper_inner, &mut self.lower_inner] {
            grouped.strip.encode_narrow(size, diagonals);
        }
        self.narrow = Some(diagonals);
    }

    /// Returns the size of the tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        [&self.outer, &self.upper_inner, &self.lower_inner].map(Grouped::bytes).iter().sum()
    }
}

/// The criterion by which the placements of a strip are grouped.
#[derive(Clone, Copy, Debug)]
enum GroupBy {
    /// All placements are in one group.
    Nothing,
    /// The row of the middle column's queen, or group 0 if the strip does not have this column.
    MiddleColumn,
    /// For the inner strip of the upper half. With the middle column's queen, the group is the index
    /// of the list for all pairs of the placement; placements with c > r have no group. Without it,
    /// the group is r − `from`, where `from` is the lowest row of the outer strip; placements with
    /// r < `from` have no group.
    MiddleQueens { from: u32 },
}

/// The rule that assigns the placements of a strip, or of its lower part, to groups.
#[derive(Clone, Copy, Debug)]
struct Grouping {
    by: GroupBy,
    /// The middle column.
    middle_column: u32,
    rows: Rows,
}

impl Grouping {
    /// Returns the group of a placement in these columns, or `None` if no solution with the placement
    /// counts.
    #[inline(always)]
    fn group_of(
        self,
        columns: RowBits,
        side_rows: Sides,
        lowest_queen_column: u8,
    ) -> Option<usize> {
        let Grouping { by, middle_column, rows: Rows { lowest: lowest_row, rows } } = self;
        let has_middle = columns.contains(middle_column);
        // The middle column's queen is in the row that has no queen left or right of the middle.
        let [left, right] = side_rows.map(u32::from);
        let upwards = rows.saturating_sub(1 + (!(left | right)).trailing_zeros());
        // The distances c and r of `Centred`, if the strip has these queens.
        let (c, r) = (lowest_row + upwards, u32::from(lowest_queen_column).abs_diff(middle_column));
        match by {
            GroupBy::MiddleColumn if has_middle => Some(upwards as usize),
            GroupBy::Nothing | GroupBy::MiddleColumn => Some(0),
            GroupBy::MiddleQueens { .. } if has_middle && r == 0 => Some(CENTRE),
            GroupBy::MiddleQueens { .. } if has_middle && r == c => Some(EQUALLY_FAR),
            GroupBy::MiddleQueens { .. } if has_middle => (r > c).then_some(FARTHER),
            GroupBy::MiddleQueens { from } => r.checked_sub(from).map(|group| group as usize),
        }
    }

    /// Returns whether a placement of the strip's lower part can belong to a placement that counts.
    /// `columns` are the columns of the whole strip, `below` the columns of its lower part, and `self`
    /// is the rule for lower parts.
    #[inline(always)]
    fn may_count(
        self,
        columns: RowBits,
        below: RowBits,
        side_rows: Sides,
        lowest_queen_column: u8,
    ) -> bool {
        let is_above = columns.contains(self.middle_column) && !below.contains(self.middle_column);
        match self.by {
            // The middle column's queen is in the upper part, so in a row above every row of the
            // lower part.
            GroupBy::MiddleQueens { .. } if is_above => {
                u32::from(lowest_queen_column).abs_diff(self.middle_column)
                    >= self.rows.lowest + self.rows.rows
            }
            GroupBy::MiddleQueens { .. } => {
                self.group_of(below, side_rows, lowest_queen_column).is_some()
            }
            GroupBy::Nothing | GroupBy::MiddleColumn => true,
        }
    }
}

/// Indices of the upper half's lists: the middle row's queen is farther from the centre than the
/// middle column's queen, equally far, or in the centre.
pub(super) const FARTHER: usize = 0;
pub(super) const EQUALLY_FAR: usize = 1;
pub(super) const CENTRE: usize = 2;

/// A strip whose placements are in groups.
#[derive(Clone, Debug)]
struct Grouped {
    strip: Strip,
    grouping: Grouping,
    /// Number of groups of each column set.
    groups: usize,
    /// For each column set of a table, by its rank, the start of each group and the end of the last
    /// one.
    starts: Vec<u16>,
}

impl Grouped {
    fn new(mut strip: Strip, grouping: Grouping, groups: usize) -> Grouped {
        let starts =
            if strip.is_table() { sort(&mut strip.table, grouping, groups) } else { Vec::new() };
        // The placements of a table are sorted now, and joined placements are grouped before they are
        // stored, so no sort key is needed again.
        strip.table.placements.drop_sort_keys();
        Grouped { strip, grouping, groups, starts }
    }

    /// Returns the placements in `columns`, a set of this `rank`, from the table or joined in
    /// `buffer`. Joined placements cross no `forbidden` middle diagonal; those of a table may.
    #[inline(always)]
    fn placements_in<'a, M: SimdIsa>(
        &'a self,
        machine: M,
        columns: RowBits,
        rank: u32,
        forbidden: u64,
        buffer: &'a mut StripBuffer,
    ) -> GroupedSlice<'a> {
        if !self.strip.is_table() {
            return buffer.fill(machine, self, columns, forbidden);
        }
        let (table, starts_per_set) = (&self.strip.table, self.groups + 1);
        let starts = self
            .starts
            .get(rank as usize * starts_per_set..)
            .and_then(|starts| starts.get(..starts_per_set));
        debug_assert!(starts.is_some(), "no set of rank {rank}");
        let from = table.range(rank as usize).start;
        GroupedSlice { placements: &table.placements, from, starts: starts.unwrap_or_default() }
    }

    fn bytes(&self) -> usize {
        self.strip.bytes() + size_of::<u16>() * self.starts.capacity()
    }
}

/// Sorts the placements of a table by their groups and drops those without a group. Returns the
/// [starts](Grouped::starts) of the groups.
fn sort(table: &mut Table, grouping: Grouping, groups: usize) -> Vec<u16> {
    // All columns of the board: `middle_column` on each side of the middle column.
    let all = RowBits::from_bits(u32::MAX >> (31 - 2 * grouping.middle_column));
    let mut starts = Vec::new();
    let (mut order, mut sorted) = (Vec::new(), Placements::default());
    let mut ends = Vec::new();
    for (rank, set) in subsets(all, grouping.rows.rows).enumerate() {
        let placements = &table.placements;
        order.clear();
        order.extend(table.range(rank).filter_map(|place| {
            let Placement { sides, lowest, .. } = placements.placement(place);
            Some((grouping.group_of(set, sides, lowest)?, place))
        }));
        order.sort_unstable();
        starts.extend(
            (0..=groups).map(|group| order.partition_point(|&(other, _)| other < group) as u16),
        );
        for &(_, place) in &order {
            let Placement { seam, middle: middle_diagonals, .. } = placements.placement(place);
            sorted.push_crossed(seam, middle_diagonals);
        }
        ends.push(sorted.len());
    }
    sorted.pad();
    table.replace(sorted, &ends);
    starts
}

/// The placements of a strip in one column set, sorted by group.
#[derive(Clone, Copy)]
struct GroupedSlice<'a> {
    placements: &'a Placements,
    /// The index of the first placement.
    from: usize,
    /// The start of each group, counted from `from`, and the end of the last one.
    starts: &'a [u16],
}

impl<'a> GroupedSlice<'a> {
    /// Returns the placements of a range of groups.
    #[inline(always)]
    fn groups(self, groups: Range<usize>) -> PlacementSlice<'a> {
        let start = |group: usize| {
            self.from + self.starts.get(group).map_or(0, |&start| usize::from(start))
        };
        self.placements.part(start(groups.start)..start(groups.end))
    }

    /// Returns the placements of all groups.
    #[inline(always)]
    fn all(self) -> PlacementSlice<'a> {
        self.groups(0..self.starts.len().saturating_sub(1))
    }
}

/// A reusable buffer for the placements of a strip that is joined from two tables. They are collected
/// by group and then copied to `sorted`, one group after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct StripBuffer {
    groups: [JoinedPlacements; MAX_GROUPS],
    sorted: JoinedPlacements,
    starts: [u16; MAX_GROUPS + 1],
}

impl StripBuffer {
    /// Joins the placements of a strip in these columns and sorts them by group.
    #[inline(always)]
    fn fill<M: SimdIsa>(
        &mut self,
        machine: M,
        grouped: &Grouped,
        columns: RowBits,
        forbidden: u64,
    ) -> GroupedSlice<'_> {
        let StripBuffer { groups, sorted, starts } = self;
        groups.iter_mut().chain([&mut *sorted]).for_each(JoinedPlacements::clear);
        let upper_rows = grouped.strip.upper_rows();
        let grouping = grouped.grouping;
        let rows = Rows { rows: grouping.rows.rows - upper_rows, ..grouping.rows };
        let lower = Grouping { rows, ..grouping };
        let mut in_groups = InGroups { grouping, lower, columns, upper_rows, groups };
        grouped.strip.join_parts(machine, columns, forbidden, &mut in_groups);
        for (group, start) in groups.iter().zip(&mut starts[1..]) {
            sorted.append(group);
            *start = sorted.len() as u16;
        }
        let starts = starts.get(..=grouped.groups).unwrap_or_default();
        GroupedSlice { placements: sorted.padded(), from: 0, starts }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self)
            + self.groups.iter().chain([&self.sorted]).map(JoinedPlacements::bytes).sum::<usize>()
    }
}

/// Collects the joined placements of a strip by their groups.
struct InGroups<'a> {
    grouping: Grouping,
    /// The rule for the lower part.
    lower: Grouping,
    columns: RowBits,
    upper_rows: u32,
    groups: &'a mut [JoinedPlacements; MAX_GROUPS],
}

impl JoinSink for InGroups<'_> {
    #[inline(always)]
    fn may_count(&self, below: RowBits, Placement { sides, lowest, .. }: Placement) -> bool {
        self.lower.may_count(self.columns, below, sides, lowest)
    }

    #[inline(always)]
    fn add<M: SimdIsa>(
        &mut self,
        machine: M,
        upper: Block<'_>,
        selected: u64,
        LowerPlacement { columns: lower_columns, placement: lower }: LowerPlacement,
    ) {
        let InGroups { grouping, columns, upper_rows, ref mut groups, .. } = *self;
        // If the upper part has the middle column's queen, the group depends on that queen's row, so
        // the placements of each row are added separately. Otherwise all joined placements of the
        // block are in the same group.
        let is_above = columns.contains(grouping.middle_column)
            && !lower_columns.contains(grouping.middle_column);
        let all = (1 << upper_rows) - 1;
        for row in 0..if is_above { upper_rows } else { 1 } {
            let (not_in_this_row, queens_aside) = if is_above {
                (upper.on_side(0, row) | upper.on_side(1, row), all ^ 1 << row)
            } else {
                (0, all)
            };
            // `group_of` needs only the row without a queen left or right of the middle, so the
            // upper part's other rows are marked as if they had a queen on both sides.
            let sides = lower.sides.map(|side| side | queens_aside);
            let group = grouping.group_of(columns, sides, lower.lowest);
            if let Some(group) = group.and_then(|group| groups.get_mut(group)) {
                group.join(machine, upper, selected & !not_in_this_row, lower);
            }
        }
    }
}

/// The strips of the upper or of the lower half.
pub(super) struct HalfStrips<'a> {
    pub(super) strips: &'a Centred,
    pub(super) is_upper: bool,
    /// Buffers for the outer and for the inner strip.
    pub(super) buffers: &'a mut [StripBuffer; 2],
}

impl<'a> HalfStrips<'a> {
    #[inline(always)]
    fn inner(&self) -> &'a Grouped {
        if self.is_upper { &self.strips.upper_inner } else { &self.strips.lower_inner }
    }
}

impl StripSource for HalfStrips<'_> {
    fn divide(&self, columns: RowBits, partitions: &mut Vec<ColumnPartition>) {
        divide(self.strips.outer.strip.rows, columns, partitions);
    }

    fn are_joined(&self) -> bool {
        !self.strips.outer.strip.is_table() && !self.inner().strip.is_table()
    }

    #[inline(always)]
    fn prefetch(&self, machine: impl SimdIsa, partition: &ColumnPartition) {
        let [outer, inner] = partition.ranks.map(|rank| rank as usize);
        self.strips.outer.strip.prefetch(machine, outer, self.strips.exceeds_cache);
        self.inner().strip.prefetch(machine, inner, self.strips.exceeds_cache);
    }

    #[inline(always)]
    fn join<M: SimdIsa, T: ListElement>(
        &mut self,
        machine: M,
        partition: &ColumnPartition,
        filter: PlacementFilter,
        pairs: &mut PairIndices,
        [farther, equally_far, centre]: &mut [&mut List<T>; LISTS],
    ) {
        let filter = filter.for_partition(self.strips.narrow, partition);
        let (groups, inner) = (self.strips.outer.groups, self.inner());
        let has_middle = partition.inner.contains(inner.grouping.middle_column);
        let [outer_buffer, inner_buffer] = self.buffers.each_mut();
        let [outer_rank, inner_rank] = partition.ranks;
        let outer = self.strips.outer.placements_in(
            machine,
            partition.outer,
            outer_rank,
            filter.forbidden,
            outer_buffer,
        );
        let inner = inner.placements_in(
            machine,
            partition.inner,
            inner_rank,
            filter.forbidden,
            inner_buffer,
        );
        let mut join =
            |inner: &PlacementSlice<'_>, outer: &PlacementSlice<'_>, list: &mut List<T>| {
                pair_all(machine, inner, outer, filter, pairs, list);
            };
        if !self.is_upper {
            join(&inner.all(), &outer.all(), farther);
        } else if has_middle {
            for (list, to) in [(FARTHER, farther), (EQUALLY_FAR, equally_far), (CENTRE, centre)] {
                join(&inner.groups(list..list + 1), &outer.all(), to);
            }
        } else {
            // Group i of the outer strip has the middle column's queen in row i of the strip. Group
            // i of the inner strip has the middle row's queen equally far from the centre.
            for group in 0..groups {
                let inner = inner.groups(group..group + 1);
                join(&inner, &outer.groups(0..group), farther);
                join(&inner, &outer.groups(group..group + 1), equally_far);
            }
        }
    }
}
