//! The strips of an odd board whose middle row belongs to the upper half.

use alloc::vec::Vec;
use core::ops::Range;

use super::{
    column_partitions::{ColumnPartition, divide, subsets},
    joining::{List, PairIndices, PlacementFilter, StripSource, pair_all},
    line::Seam,
    placements::{Block, JoinedPlacements, Placement, PlacementSlice, Placements, Sides},
    strip::{Below, NEAR, Strip, Unite},
    table::{Rows, Table},
    vector::SimdIsa,
};
use crate::{RowBits, Size};

/// The strips of both halves. The upper half is the middle row and all rows above it, and has a
/// queen in the middle column. How often one of its placements counts depends on two distances:
/// from that queen to the middle row, and from the middle row's queen to the middle column. So the
/// placements of the strips are grouped by these distances.
#[derive(Clone, Debug)]
pub(super) struct Centred {
    /// The outer rows of either half.
    outer: Grouped,
    /// The inner rows of the upper half, including the middle row.
    upper: Grouped,
    /// The inner rows of the lower half.
    lower: Grouped,
    /// Whether the tables are larger than the near caches.
    is_far: bool,
}

/// Number of groups of the inner strip's placements with the middle column's queen: one for each
/// list of the upper half, which receives all of their pairs.
const LISTS: usize = 3;

/// Maximum number of groups: the outer strip's rows at N = 27.
const MOST_GROUPS: usize = 7;

impl Centred {
    /// Builds the strips of an odd board. Those with more than `largest_table` rows are joined from
    /// two tables.
    pub(super) fn with_tables(size: Size, largest_table: u32) -> Centred {
        let half = size.get() / 2;
        let inner_rows = half / 2;
        let outer = Rows { lowest: inner_rows + 1, rows: half - inner_rows };
        let upper = Rows { lowest: 0, rows: inner_rows + 1 };
        let lower = Rows { lowest: 1, rows: inner_rows };
        let seam = Seam::row(size, outer.lowest);
        let grouped = |rows, by, groups| {
            let strip = Strip::new(size, rows, seam, largest_table);
            let group = Group { by, middle: half, rows };
            Grouped::new(strip, group, groups)
        };
        let outer_groups = (outer.rows as usize).max(1);
        let by_queen = By::MiddleQueens { from: outer.lowest };
        let mut centred = Centred {
            outer: grouped(outer, By::MiddleColumn, outer_groups),
            upper: grouped(upper, by_queen, outer_groups.max(LISTS)),
            lower: grouped(lower, By::Nothing, 1),
            is_far: false,
        };
        centred.is_far = centred.bytes() > NEAR;
        centred
    }

    /// Returns the size of the tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        [&self.outer, &self.upper, &self.lower].map(Grouped::bytes).iter().sum()
    }
}

/// The criterion by which the placements of a strip are grouped.
#[derive(Clone, Copy, Debug)]
enum By {
    /// All placements are in one group.
    Nothing,
    /// The row of the queen in the middle column, if the strip has it.
    MiddleColumn,
    /// With the middle column: the list that receives all pairs with the placement, given by the
    /// queens of the middle row and of the middle column. Without it: the distance of the middle
    /// row's queen from the centre, counted from `from`, the first row of the outer strip. Nearer
    /// ones do not count.
    MiddleQueens { from: u32 },
}

#[derive(Clone, Copy, Debug)]
struct Group {
    by: By,
    /// The middle column.
    middle: u32,
    rows: Rows,
}

impl Group {
    /// Returns the group of a placement in these columns, or `None` if no solution with it counts.
    #[inline(always)]
    fn of(self, columns: RowBits, sides: Sides, lowest: u8) -> Option<usize> {
        let Group { by, middle, rows: Rows { lowest: lowest_row, rows } } = self;
        let has_middle = columns.contains(middle);
        // The row of the middle column's queen is the one without a queen on either side.
        let [left, right] = sides.map(u32::from);
        let upwards = rows.saturating_sub(1 + (!(left | right)).trailing_zeros());
        let (row, far) = (lowest_row + upwards, u32::from(lowest).abs_diff(middle));
        match by {
            By::MiddleColumn if has_middle => Some(upwards as usize),
            By::Nothing | By::MiddleColumn => Some(0),
            By::MiddleQueens { .. } if has_middle && far == 0 => Some(CENTRE),
            By::MiddleQueens { .. } if has_middle && far == row => Some(SAME),
            By::MiddleQueens { .. } if has_middle => (far > row).then_some(FARTHER),
            By::MiddleQueens { from } => far.checked_sub(from).map(|group| group as usize),
        }
    }

    /// Returns whether a placement of the lowest rows, in the columns `below` of a strip with
    /// `columns`, can become a placement with a group. `self` must be the group of these lowest
    /// rows.
    #[inline(always)]
    fn may_count(self, columns: RowBits, below: RowBits, sides: Sides, lowest: u8) -> bool {
        let is_above = columns.contains(self.middle) && !below.contains(self.middle);
        match self.by {
            // The middle column's queen is in a row beyond these.
            By::MiddleQueens { .. } if is_above => {
                u32::from(lowest).abs_diff(self.middle) >= self.rows.lowest + self.rows.rows
            }
            By::MiddleQueens { .. } => self.of(below, sides, lowest).is_some(),
            By::Nothing | By::MiddleColumn => true,
        }
    }
}

/// The lists of the upper half: the middle row's queen is farther from the centre than the middle
/// column's queen, equally far, or in the centre.
pub(super) const FARTHER: usize = 0;
pub(super) const SAME: usize = 1;
pub(super) const CENTRE: usize = 2;

/// A strip whose placements are in groups.
#[derive(Clone, Debug)]
struct Grouped {
    strip: Strip,
    group: Group,
    /// Number of groups of a column set.
    groups: usize,
    /// For each column set of a table, by its rank, the start of each group and the end of the last
    /// one.
    starts: Vec<u16>,
}

impl Grouped {
    fn new(mut strip: Strip, group: Group, groups: usize) -> Grouped {
        let starts =
            if strip.is_table() { sort(&mut strip.table, group, groups) } else { Vec::new() };
        // Joined placements are grouped before they are stored, so the sort keys are not needed
        // again.
        strip.table.placements.forget_order();
        Grouped { strip, group, groups, starts }
    }

    /// Returns the placements in these columns, whose set has this rank, from the table or joined
    /// in `room`. Joined placements cross no `closed` diagonal; those of a table may.
    #[inline(always)]
    fn of<'a, M: SimdIsa>(
        &'a self,
        machine: M,
        columns: RowBits,
        rank: u32,
        closed: u64,
        room: &'a mut StripBuffer,
    ) -> Placed<'a> {
        if !self.strip.is_table() {
            return room.fill(machine, self, columns, closed);
        }
        let (table, each) = (&self.strip.table, self.groups + 1);
        let starts = self.starts.get(rank as usize * each..).and_then(|starts| starts.get(..each));
        debug_assert!(starts.is_some(), "no set of rank {rank}");
        let from = table.range(rank as usize).start;
        Placed { placements: &table.placements, from, starts: starts.unwrap_or_default() }
    }

    fn bytes(&self) -> usize {
        self.strip.bytes() + size_of::<u16>() * self.starts.capacity()
    }
}

/// Sorts the placements of a table by their groups, drops those without a group, and returns the
/// starts.
fn sort(table: &mut Table, group: Group, groups: usize) -> Vec<u16> {
    let all = RowBits::from_bits(u32::MAX >> (31 - 2 * group.middle));
    let mut starts = Vec::new();
    let (mut order, mut sorted) = (Vec::new(), Placements::default());
    let mut ends = Vec::new();
    for (rank, set) in subsets(all, group.rows.rows).enumerate() {
        let placements = &table.placements;
        order.clear();
        order.extend(table.range(rank).filter_map(|place| {
            let Placement { sides, lowest, .. } = placements.placement(place);
            Some((group.of(set, sides, lowest)?, place))
        }));
        order.sort_unstable();
        starts.extend(
            (0..=groups).map(|group| order.partition_point(|&(other, _)| other < group) as u16),
        );
        for &(_, place) in &order {
            let Placement { seam, middle, .. } = placements.placement(place);
            sorted.push_crossed(seam, middle);
        }
        ends.push(sorted.len());
    }
    sorted.close();
    table.replace(sorted, &ends);
    starts
}

/// The placements of a strip in some columns, by their groups.
#[derive(Clone, Copy)]
struct Placed<'a> {
    placements: &'a Placements,
    from: usize,
    /// The start of each group, counted from `from`, and the end of the last one.
    starts: &'a [u16],
}

impl<'a> Placed<'a> {
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

/// A reusable buffer for the placements of a strip that is joined from two tables.
#[derive(Clone, Debug, Default)]
pub(super) struct StripBuffer {
    groups: [JoinedPlacements; MOST_GROUPS],
    sorted: JoinedPlacements,
    starts: [u16; MOST_GROUPS + 1],
}

impl StripBuffer {
    #[inline(always)]
    fn fill<M: SimdIsa>(
        &mut self,
        machine: M,
        of: &Grouped,
        columns: RowBits,
        closed: u64,
    ) -> Placed<'_> {
        let StripBuffer { groups, sorted, starts } = self;
        groups.iter_mut().chain([&mut *sorted]).for_each(JoinedPlacements::clear);
        let upper_rows = of.strip.upper_rows();
        let rows = Rows { rows: of.group.rows.rows - upper_rows, ..of.group.rows };
        let lower = Group { rows, ..of.group };
        let mut in_groups = InGroups { group: of.group, lower, columns, upper_rows, groups };
        of.strip.put_together(machine, columns, closed, &mut in_groups);
        for (group, start) in groups.iter().zip(&mut starts[1..]) {
            sorted.append(group);
            *start = sorted.len() as u16;
        }
        let starts = starts.get(..=of.groups).unwrap_or_default();
        Placed { placements: sorted.with_room(), from: 0, starts }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self)
            + self.groups.iter().chain([&self.sorted]).map(JoinedPlacements::bytes).sum::<usize>()
    }
}

/// Collects the joined placements of a strip by their groups.
struct InGroups<'a> {
    group: Group,
    /// The group of the lower part's rows.
    lower: Group,
    columns: RowBits,
    upper_rows: u32,
    groups: &'a mut [JoinedPlacements; MOST_GROUPS],
}

impl Unite for InGroups<'_> {
    #[inline(always)]
    fn may_count(&self, below: RowBits, Placement { sides, lowest, .. }: Placement) -> bool {
        self.lower.may_count(self.columns, below, sides, lowest)
    }

    #[inline(always)]
    fn unite<M: SimdIsa>(
        &mut self,
        machine: M,
        above: Block<'_>,
        chosen: u64,
        Below { columns: below_columns, placement: below }: Below,
    ) {
        let InGroups { group, columns, upper_rows, ref mut groups, .. } = *self;
        // The placements of a block differ only in the row of the middle column's queen, if the
        // upper part has it. So each of its rows is handled at once.
        let is_above = columns.contains(group.middle) && !below_columns.contains(group.middle);
        let all = (1 << upper_rows) - 1;
        for row in 0..if is_above { upper_rows } else { 1 } {
            let (aside, upper) = if is_above {
                (above.on_side(0, row) | above.on_side(1, row), all ^ 1 << row)
            } else {
                (0, all)
            };
            let sides = below.sides.map(|side| side | upper);
            let group = group.of(columns, sides, below.lowest);
            if let Some(group) = group.and_then(|group| groups.get_mut(group)) {
                group.unite(machine, above, chosen & !aside, below);
            }
        }
    }
}

/// The strips of one of the halves.
pub(super) struct HalfStrips<'a> {
    pub(super) strips: &'a Centred,
    pub(super) is_upper: bool,
    /// Buffers for the outer and for the inner strip.
    pub(super) rooms: &'a mut [StripBuffer; 2],
}

impl<'a> HalfStrips<'a> {
    #[inline(always)]
    fn inner(&self) -> &'a Grouped {
        if self.is_upper { &self.strips.upper } else { &self.strips.lower }
    }
}

impl StripSource for HalfStrips<'_> {
    fn divide(&self, columns: RowBits, partitions: &mut Vec<ColumnPartition>) {
        divide(self.strips.outer.strip.rows, columns, partitions);
    }

    fn are_put_together(&self) -> bool {
        !self.strips.outer.strip.is_table() && !self.inner().strip.is_table()
    }

    #[inline(always)]
    fn fetch(&self, machine: impl SimdIsa, partition: &ColumnPartition) {
        let [outer, inner] = partition.ranks.map(|rank| rank as usize);
        self.strips.outer.strip.fetch(machine, outer, self.strips.is_far);
        self.inner().strip.fetch(machine, inner, self.strips.is_far);
    }

    #[inline(always)]
    fn join<M: SimdIsa>(
        &mut self,
        machine: M,
        partition: &ColumnPartition,
        wanted: PlacementFilter,
        pairs: &mut PairIndices,
        [farther, same, centre]: &mut [&mut List; LISTS],
    ) {
        let (groups, inner) = (self.strips.outer.groups, self.inner());
        let has_middle = partition.inner.contains(inner.group.middle);
        let [outer_room, inner_room] = self.rooms.each_mut();
        let [outer_rank, inner_rank] = partition.ranks;
        let outer = self.strips.outer.of(
            machine,
            partition.outer,
            outer_rank,
            wanted.forbidden,
            outer_room,
        );
        let inner = inner.of(machine, partition.inner, inner_rank, wanted.forbidden, inner_room);
        let mut join = |inner: &PlacementSlice<'_>, outer: &PlacementSlice<'_>, list: &mut List| {
            pair_all(machine, inner, outer, wanted, pairs, list);
        };
        if !self.is_upper {
            join(&inner.all(), &outer.all(), farther);
        } else if has_middle {
            for (list, to) in [(FARTHER, farther), (SAME, same), (CENTRE, centre)] {
                join(&inner.groups(list..list + 1), &outer.all(), to);
            }
        } else {
            // A group of the outer strip is a row of the middle column's queen. The inner strip's
            // group of the same index has the middle row's queen at the same distance from the
            // centre.
            for group in 0..groups {
                let inner = inner.groups(group..group + 1);
                join(&inner, &outer.groups(0..group), farther);
                join(&inner, &outer.groups(group..group + 1), same);
            }
        }
    }
}
