//! The *choices* that make up a task, and the records that describe their lists and tiles to the
//! kernels.

use std::{ops::Range, sync::Arc, time::Duration};

use queens_core::{
    Coverage, Plan, RowBits, Size, Tally,
    halves::{ColumnSets, Splits, Symmetries, Tables},
};

use crate::DeviceError;

/// The smallest board that devices count.
const SMALLEST: u32 = 4;

/// A plan whose tasks are column sets, and the tables that a device needs for it.
#[derive(Debug)]
pub struct Halves {
    plan: Arc<Plan>,
    /// The board's tables.
    pub tables: Tables,
    /// The tree by which devices split lists.
    pub splits: Splits,
}

/// A *choice*: a column set and, on odd boards, the column of the middle row's queen. Devices count
/// a task choice by choice. On an odd board, a column set has a choice for each possible column of
/// this queen.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The index of the task in its batch.
    pub slot: usize,
    /// The column set.
    pub sets: ColumnSets,
    /// The column of the middle row's queen on an [odd board](Symmetries::Centred): one of the
    /// columns in `sets.top`. The rows above the middle have the others.
    pub middle_queen: Option<u32>,
    /// Whether this is the first choice of its column set.
    pub is_first: bool,
    /// Whether its column set is the task's [audit set](Plan::AUDIT_SET), whose count is also
    /// recorded separately.
    pub is_audit_set: bool,
}

/// A *part* of a choice: the list of each half has only the placements for a range of its
/// [column partitions](Tables::divisions). A choice whose lists fit into memory is a single part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListSlice {
    /// The index of the choice in its batch.
    pub choice: usize,
    /// The range of column partitions of the upper and of the lower half.
    pub divisions: [Range<u32>; 2],
}

/// One half of the board for one choice, as the kernels read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct HalfRecord([u32; HalfRecord::WORDS]);

/// The lengths of a half's lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// The number of placements with the same key as the columns. They come first in the list.
    pub same: u32,
    /// The number of all placements.
    pub all: u32,
}

/// A range of the longer of two lists and a range of the shorter one. A workgroup compares each
/// placement in the first range with each one in the second.
///
/// Lists of 6 and 5 placements make four tiles of at most 4 × 4: 4 × 4, 4 × 1, 2 × 4 and 2 × 1.
///
/// The split kernel reads the same record differently: `own` is a range of one list, `sum` is the
/// index of the half, and `others` has two numbers that locate the half's leaves: the offset to add
/// to their starts, and the end of the last one (see `BinLocation`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The start and the end of the range of the longer list.
    pub own: (u32, u32),
    /// The start and the end of the range of the shorter list.
    pub others: (u32, u32),
    /// The index of the sum that the pairs belong to.
    pub sum: u32,
}

/// Cancellation and clock for a caller that waits for a device.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "functions have no debug output")]
pub struct WaitContext<'a> {
    /// Returns whether to stop.
    pub is_cancelled: &'a dyn Fn() -> bool,
    /// Returns the time since an arbitrary start.
    pub clock: &'a dyn Fn() -> Duration,
}

impl Halves {
    /// Number of sums per choice: pairs with a greater key than the columns, and pairs with an
    /// equal key.
    pub const SUMS: usize = 2;

    /// Returns the reason why devices do not count a board this small; `None` if it is large enough.
    /// [`new`](Halves::new) also rejects boards that are too large.
    pub fn unsupported_reason(size: Size) -> Option<String> {
        let n = size.get();
        (n < SMALLEST)
            .then(|| format!("N = {n} is too small for a GPU, which needs N = {SMALLEST} or more"))
    }

    /// Builds the tables and the splits, which takes some hundredths of a second.
    ///
    /// # Errors
    /// [`DeviceError`] if the plan's tasks are not column sets, or the size of the board is not
    /// supported.
    pub fn new(plan: Arc<Plan>) -> Result<Halves, DeviceError> {
        let (size, method) = (plan.size(), plan.method());
        if plan.symmetries().is_none() {
            return Err(DeviceError::new(format!("tasks of {method} are not column sets")));
        }
        if let Some(reason) = Halves::unsupported_reason(size) {
            return Err(DeviceError::new(reason));
        }
        let Some((tables, splits)) = Tables::new(size).zip(Splits::new(size)) else {
            return Err(DeviceError::new(format!("N = {size} is too large for {method}")));
        };
        Ok(Halves { tables, splits, plan })
    }

    /// Returns the choices of some tasks.
    ///
    /// # Errors
    /// [`DeviceError`] if a task does not exist.
    pub fn choices(&self, tasks: &[usize]) -> Result<Vec<Choice>, DeviceError> {
        let mut choices = Vec::new();
        for (slot, &task) in tasks.iter().enumerate() {
            let sets = self.plan.column_sets(task);
            let sets = sets.ok_or_else(|| DeviceError::new(format!("there is no task {task}")))?;
            choices.extend(sets.enumerate().flat_map(|(index, sets)| {
                self.middle_queens(&sets).into_iter().enumerate().map(move |(number, queen)| {
                    let (is_first, is_audit_set) = (number == 0, index == Plan::AUDIT_SET);
                    Choice { slot, sets, middle_queen: queen, is_first, is_audit_set }
                })
            }));
        }
        Ok(choices)
    }

    /// Returns the middle queen's column in each choice of a column set. On an even board there is
    /// one choice, without such a queen.
    fn middle_queens(&self, sets: &ColumnSets) -> Vec<Option<u32>> {
        match Symmetries::of(self.plan.size()) {
            Symmetries::Eight => vec![None],
            Symmetries::Centred => sets.top.columns().map(Some).collect(),
        }
    }

    /// Returns the records of the upper and of the lower half of a choice.
    pub fn halves(&self, Choice { sets, middle_queen, .. }: &Choice) -> [HalfRecord; 2] {
        let size = self.plan.size();
        let (top, forbidden, keys) = match *middle_queen {
            None => (sets.top, 0, [sets.key(size); 2]),
            Some(column) => {
                let middle = size.get() / 2;
                let key = match column.abs_diff(middle) {
                    0 => HalfRecord::ALL,
                    // A placement's row number is the bit of the row with the middle column's
                    // queen, and rows nearer to the middle have higher bits. The key is the bit of
                    // the row that is as far from the centre as the middle row's queen. So in a
                    // placement above the key, the middle column's queen is nearer to the centre.
                    distance => 1 << (middle - distance),
                };
                (
                    sets.top.without(column),
                    self.tables.forbidden_diagonals(column),
                    [key, HalfRecord::ALL],
                )
            }
        };
        let half = |columns: RowBits, key, lower| {
            HalfRecord([
                columns.bits(),
                forbidden as u32,
                (forbidden >> 32) as u32,
                key,
                lower,
                0,
                0,
            ])
        };
        [half(top, keys[0], 0), half(sets.bottom, keys[1], 1)]
    }

    /// Returns an empty tally for each task.
    pub fn empty_tallies(&self, tasks: &[usize]) -> Vec<Tally> {
        let empty = Tally { covered: Some(Coverage::default()), ..Tally::default() };
        vec![empty; tasks.len()]
    }

    /// Adds the solutions of a choice, computed from its sums, to the tallies of its batch.
    ///
    /// # Errors
    /// [`DeviceError`] if the solutions exceed a `u64`.
    pub fn add(
        &self,
        choice: &Choice,
        sums: [u64; Halves::SUMS],
        tallies: &mut [Tally],
    ) -> Result<(), DeviceError> {
        let solutions = self.solutions(choice, sums);
        let Choice { slot, sets, is_first, is_audit_set, .. } = choice;
        let set_coverage = Coverage { sets: 1, weight: sets.weight.into() };
        let tally = tallies.get_mut(*slot);
        let sum = tally.zip(solutions).and_then(|(tally, solutions)| {
            let next = Tally {
                single: solutions.checked_mul(sets.weight.into())?,
                covered: Some(if *is_first { set_coverage } else { Coverage::default() }),
                chosen: is_audit_set.then_some(solutions),
                ..Tally::default()
            };
            *tally = tally.checked_add(next)?;
            Some(())
        });
        sum.ok_or_else(|| DeviceError::new("the solutions of a task do not fit in 64 bits"))
    }

    /// Computes the number of solutions of a choice from its sums, before multiplication by the
    /// weight of the column set. Returns `None` if it exceeds a `u64`.
    pub fn solutions(
        &self,
        Choice { middle_queen, .. }: &Choice,
        [above, same]: [u64; Halves::SUMS],
    ) -> Option<u64> {
        let centre = self.plan.size().get() / 2;
        let factors = match *middle_queen {
            None => [2, 1],
            Some(column) if column == centre => [1, 1],
            Some(_) => [4, 2],
        };
        above.checked_mul(factors[0])?.checked_add(same.checked_mul(factors[1])?)
    }
}

impl HalfRecord {
    /// The number of words in a record.
    pub const WORDS: usize = 7;

    /// A key below every row number: -1, because the kernels read keys as signed numbers.
    const ALL: u32 = u32::MAX;

    const START: usize = 5;
    const END: usize = 6;

    /// Returns the words of the record.
    pub fn words(&self) -> &[u32; HalfRecord::WORDS] {
        &self.0
    }

    /// Sets the position of the half's list among the elements.
    pub fn set_list(&mut self, list: Range<u32>) {
        self.0[HalfRecord::START] = list.start;
        self.0[HalfRecord::END] = list.end;
    }

    fn start(&self) -> u32 {
        self.0[HalfRecord::START]
    }

    /// Returns the range of the placements with a greater key than the columns, for a list of these
    /// lengths.
    pub(super) fn above(&self, Lengths { same, all }: Lengths) -> Range<u32> {
        self.start() + same..self.start() + all
    }
}

impl ListSlice {
    /// Returns a part that is a whole choice. `divisions` is the number of column partitions of each
    /// half.
    pub fn whole(choice: usize, divisions: u32) -> ListSlice {
        ListSlice { choice, divisions: [0..divisions, 0..divisions] }
    }

    /// Divides a part whose lists do not fit into memory. Halves the longer list repeatedly until
    /// both lists of each part are expected to fit into `room`, or cannot be halved further. Each
    /// pair is in exactly one of the parts.
    ///
    /// # Errors
    /// [`DeviceError`] if even a single partition of each half is too large.
    pub fn split(self, lengths: &[Lengths; 2], room: u32) -> Result<Vec<ListSlice>, DeviceError> {
        let expected = lengths.map(|lengths| u64::from(lengths.all));
        let [first, second] = self.halve(expected).ok_or_else(|| {
            let [bytes, room] = [expected[0] + expected[1], room.into()].map(|all| 8 * all);
            DeviceError::new(format!(
                "not enough GPU memory: the lists of one column set need {bytes} bytes even in the \
                 smallest parts, and {room} are available"
            ))
            .with_hint("use a GPU with more free memory, or `--backend cpu`")
        })?;
        // An eighth of the memory is kept free: half of the partitions can have more than half of
        // the placements.
        let room = u64::from(room) / 8 * 7;
        let (mut open, mut parts) = (vec![first, second], Vec::new());
        while let Some((part, expected)) = open.pop() {
            match part.halve(expected).filter(|_| expected[0] + expected[1] > room) {
                Some(halves) => open.extend(halves),
                None => parts.push(part),
            }
        }
        Ok(parts)
    }

    /// Halves the longer list, or the shorter one if the longer has a single partition. Returns both
    /// parts with the expected lengths of their lists, or `None` if neither list can be halved.
    fn halve(&self, expected: [u64; 2]) -> Option<[(ListSlice, [u64; 2]); 2]> {
        let is_divisible = |&side: &usize| self.divisions[side].len() > 1;
        let longer = usize::from(expected[1] > expected[0]);
        let side = [longer, 1 - longer].into_iter().find(is_divisible)?;
        let Range { start, end } = self.divisions[side];
        let middle = start + (end - start) / 2;
        Some([start..middle, middle..end].map(|divisions| {
            let (mut part, mut expected) = (self.clone(), expected);
            part.divisions[side] = divisions;
            expected[side] = expected[side].div_ceil(2);
            (part, expected)
        }))
    }
}

/// Assigns consecutive positions to the lists, part by part, until a part does not fit into `room`.
/// Returns the number of parts that fit.
pub fn place_lists(halves: &mut [[HalfRecord; 2]], lengths: &[[Lengths; 2]], room: u32) -> usize {
    let mut end = 0u32;
    let mut placed_parts = 0;
    for (halves, lengths) in halves.iter_mut().zip(lengths) {
        let [top, bottom] = lengths.map(|lengths| lengths.all);
        let middle = end.checked_add(top);
        let next = middle.and_then(|middle| middle.checked_add(bottom)).filter(|&end| end <= room);
        let Some((middle, next)) = middle.zip(next) else { break };
        let [upper, lower] = halves;
        upper.set_list(end..middle);
        lower.set_list(middle..next);
        (end, placed_parts) = (next, placed_parts + 1);
    }
    placed_parts
}

/// A range of the upper half's placements, a range of the lower half's, and the index of a sum. All
/// pairs of the two ranges are compared, and the disjoint ones are added to the sum.
pub type Pairing = ([Range<u32>; 2], u32);

/// Returns the pairings of a part. Its sums start at index `sum`.
pub fn pairings(halves: &[HalfRecord; 2], lengths: &[Lengths; 2], sum: u32) -> [Pairing; 3] {
    let [(top_same, top), (bottom_same, bottom)] = [0, 1].map(|side| {
        let above = halves[side].above(lengths[side]);
        (halves[side].start()..above.start, above)
    });
    let bottom_all = bottom_same.start..bottom.end;
    // The key of the rows is the smaller one of the two halves' row numbers. So it is above the
    // columns' key if both are, and equal to it if one is equal and the other is not smaller.
    [([top.clone(), bottom], sum), ([top_same, bottom_all], sum + 1), ([top, bottom_same], sum + 1)]
}

/// The tiles of a pairing, row by row.
///
/// A large board has billions of tiles, so this is a plain loop over two positions. Nested iterator
/// adapters took several times as long.
#[derive(Clone, Debug)]
pub struct Tiles {
    /// The rest of the longer list: the current row of tiles, and the rows below it.
    long: Range<u32>,
    short: Range<u32>,
    /// The start of the next tile in the shorter list.
    next: u32,
    /// The maximum number of placements of each list in a tile.
    max_lengths: [u32; 2],
    sum: u32,
}

/// Divides a pairing into tiles of at most `own` placements of one list and `others` of the other
/// one.
pub fn tiles(([first, second], sum): Pairing, own: u32, others: u32) -> Tiles {
    let max_lengths = [own, others].map(|length| length.max(1));
    // Each element of the shorter list is looked up once for each piece of the longer one. The lists
    // are assigned to these two roles by the number of look-ups, not by their lengths.
    let look_ups = |long: &Range<u32>, short: &Range<u32>| {
        long.len().div_ceil(max_lengths[0] as usize).saturating_mul(short.len())
    };
    let (long, short) = if look_ups(&first, &second) <= look_ups(&second, &first) {
        (first, second)
    } else {
        (second, first)
    };
    let next = short.start;
    Tiles { long, short, next, max_lengths, sum }
}

impl Iterator for Tiles {
    type Item = Tile;

    #[inline]
    fn next(&mut self) -> Option<Tile> {
        if self.long.is_empty() || self.short.is_empty() {
            return None;
        }
        let [own, others] = self.max_lengths;
        let own_end = self.long.end.min(self.long.start.saturating_add(own));
        let others_end = self.short.end.min(self.next.saturating_add(others));
        let tile = Tile {
            own: (self.long.start, own_end),
            others: (self.next, others_end),
            sum: self.sum,
        };
        if others_end < self.short.end {
            self.next = others_end;
        } else {
            (self.next, self.long.start) = (self.short.start, own_end);
        }
        Some(tile)
    }
}

/// Divides a range into pieces of at most `max_length`.
pub(super) fn pieces(range: Range<u32>, max_length: u32) -> impl Iterator<Item = (u32, u32)> {
    let end = range.end;
    range
        .step_by(max_length.max(1) as usize)
        .map(move |start| (start, end.min(start.saturating_add(max_length))))
}

impl Tile {
    /// The number of words in a record.
    pub const WORDS: usize = 5;

    /// Returns the words of the record.
    pub fn words(&self) -> [u32; Tile::WORDS] {
        let Tile { own, others, sum } = *self;
        [own.0, own.1, others.0, others.1, sum]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::Method;
    use std::collections::BTreeSet;

    fn halves(n: u32) -> Halves {
        Halves::new(Arc::new(Plan::new(Size::new(n).unwrap(), Method::Halves))).unwrap()
    }

    #[test]
    fn rejects_plans_without_column_sets_and_small_boards() {
        let error_text = |n, method| {
            let plan = Plan::new(Size::new(n).unwrap(), method);
            Halves::new(Arc::new(plan)).map(drop).unwrap_err().to_string()
        };
        assert_eq!(error_text(8, Method::Symmetry), "tasks of symmetry are not column sets");
        assert!(error_text(3, Method::Halves).starts_with("N = 3 is too small"));
        let halves = halves(6);
        assert_eq!(halves.choices(&[77]).unwrap_err().to_string(), "there is no task 77");
    }

    #[test]
    fn lists_are_laid_out_consecutively_until_the_room_is_full() {
        let halves = halves(8);
        let choices = halves.choices(&[0, 1, 2, 3]).unwrap();
        let mut records: Vec<_> = choices.iter().map(|choice| halves.halves(choice)).collect();
        let lengths =
            vec![[Lengths { same: 1, all: 4 }, Lengths { same: 0, all: 5 }]; records.len()];
        assert_eq!(place_lists(&mut records, &lengths, 26), 2);
        assert_eq!(records[1].map(|half| half.start()), [9, 13]);
        assert_eq!(place_lists(&mut records, &lengths, 8), 0);
    }

    #[test]
    fn slices_contain_each_pair_of_partitions_once() {
        let of = |all| Lengths { same: 0, all };
        for (top, bottom, room) in [(100, 40, 139), (100, 40, 30), (7, 900, 60), (0, 64, 40)] {
            let whole = ListSlice::whole(5, 20);
            let parts = whole.clone().split(&[of(top), of(bottom)], room).unwrap();
            let mut pairs = BTreeSet::new();
            for part in parts {
                let [tops, bottoms] = &part.divisions;
                assert_eq!(part.choice, 5);
                let expected = top * tops.len() as u32 / 20 + bottom * bottoms.len() as u32 / 20;
                assert!(expected < room, "{part:?} of {top} and {bottom}");
                let all = tops.clone().flat_map(|top| bottoms.clone().map(move |b| (top, b)));
                for pair in all {
                    assert!(pairs.insert(pair), "{pair:?} twice");
                }
            }
            assert_eq!(pairs.len(), 400);
        }
        // Only the shorter list can be halved.
        let parts =
            ListSlice { choice: 0, divisions: [3..4, 0..2] }.split(&[of(9), of(5)], 13).unwrap();
        assert!(parts.iter().all(|part| part.divisions[0] == (3..4)) && parts.len() == 2);
        let smallest = ListSlice { choice: 0, divisions: [3..4, 0..1] };
        let error = smallest.split(&[of(9), of(5)], 13).unwrap_err();
        assert!(error.reason.contains("need 112 bytes"), "{error}");
        assert!(error.reason.ends_with("and 104 are available"), "{error}");
        assert!(error.hint.is_some_and(|hint| hint.contains("--backend cpu")));
    }

    #[test]
    fn tiles_compare_each_counted_pair_once() {
        let halves = halves(8);
        let choice = halves.choices(&[0]).unwrap()[0];
        for (top_same, top, bottom_same, bottom) in
            [(0, 0, 0, 0), (2, 9, 1, 4), (0, 5, 3, 11), (4, 4, 2, 2), (0, 7, 0, 1)]
        {
            let lengths =
                [Lengths { same: top_same, all: top }, Lengths { same: bottom_same, all: bottom }];
            let mut records = [halves.halves(&choice)];
            place_lists(&mut records, &[lengths], 100);
            let mut compared = BTreeSet::new();
            let all = pairings(&records[0], &lengths, 6);
            for Tile { own, others, sum } in
                all.into_iter().flat_map(|pairing| tiles(pairing, 3, 2))
            {
                assert!(own.1 - own.0 <= 3 && others.1 - others.0 <= 2);
                for long in own.0..own.1 {
                    for short in others.0..others.1 {
                        let pair = (long.min(short), long.max(short));
                        assert!(compared.insert((pair, sum)), "{pair:?} twice");
                    }
                }
            }
            let expected: BTreeSet<_> = (0..top)
                .flat_map(|upper| (top..top + bottom).map(move |lower| (upper, lower)))
                .map(|(upper, lower)| {
                    let same = upper < top_same || lower < top + bottom_same;
                    ((upper, lower), 6 + u32::from(same))
                })
                .collect();
            assert_eq!(compared, expected);
        }
    }
}
