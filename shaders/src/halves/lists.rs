//! What a task is for a device: choices of columns, the records of their lists, and tiles.

use std::{ops::Range, sync::Arc, time::Duration};

use queens_core::{
    Covered, Plan, RowBits, Size, Tally,
    halves::{ColumnSets, Splits, Symmetries, Tables},
};

use crate::DeviceError;

/// The smallest one.
const SMALLEST: u32 = 4;

/// A plan whose tasks are column sets, and the tables that a device needs for it.
#[derive(Debug)]
pub struct Halves {
    plan: Arc<Plan>,
    /// The board's tables.
    pub tables: Tables,
    /// How lists are divided.
    pub splits: Splits,
}

/// A choice of columns, and the place of its task in a batch.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The place of the task.
    pub slot: usize,
    /// The columns.
    pub sets: ColumnSets,
    /// The column of the middle queen on an [odd board](Symmetries::Centred): each of the upper half's
    /// columns in turn, which the half is then without, makes a choice of its own.
    pub middle_queen: Option<u32>,
    /// Whether it is the first choice of its column set.
    pub is_first: bool,
    /// Whether its count is kept beside that of its task.
    pub is_chosen: bool,
}

/// What is listed at once of a choice of columns: the placements of each half by some of the ways to
/// divide its columns between the strips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The place of the choice in its batch.
    pub choice: usize,
    /// Those of the upper and of the lower half.
    pub divisions: [Range<u32>; 2],
}

/// One half of the board for one choice of columns, as the kernels read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Half([u32; Half::WORDS]);

/// How many placements a half has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// Those with the key of the columns.
    pub same: u32,
    /// All.
    pub all: u32,
}

/// Some placements of the longer of two lists, and placements of the shorter one, all of which are
/// compared with each other.
///
/// For the splits, which read the same record, it is placements of one list, what is added to the
/// place that a leaf's bin tells and where the places end, and the number of the half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Those of the longer one.
    pub own: (u32, u32),
    /// Those of the shorter one.
    pub others: (u32, u32),
    /// The number of the sum that the pairs belong to.
    pub sum: u32,
}

/// What a device asks of whoever waits for it.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "functions have nothing to show")]
pub struct Guide<'a> {
    /// Whether to give up.
    pub stopped: &'a dyn Fn() -> bool,
    /// The time, from any moment on.
    pub now: &'a dyn Fn() -> Duration,
}

impl Halves {
    /// The pairs of a choice of columns are told in so many sums: those above the key, and those with
    /// the same.
    pub const SUMS: usize = 2;

    /// Why no board of this size is counted; `None` if it is.
    pub fn refuses(size: Size) -> Option<String> {
        let n = size.get();
        (n < SMALLEST)
            .then(|| format!("N = {n} is too small for a GPU, which needs N = {SMALLEST} or more"))
    }

    /// Makes the tables and the splits, which takes some hundredths of a second.
    ///
    /// # Errors
    /// [`DeviceError`] if the plan's tasks are no column sets, or the board is not counted.
    pub fn new(plan: Arc<Plan>) -> Result<Halves, DeviceError> {
        let (size, method) = (plan.size(), plan.method());
        if plan.symmetries().is_none() {
            return Err(DeviceError::new(format!("tasks of {method} are not column sets")));
        }
        if let Some(refusal) = Halves::refuses(size) {
            return Err(DeviceError::new(refusal));
        }
        let Some((tables, splits)) = Tables::new(size).zip(Splits::new(size)) else {
            return Err(DeviceError::new(format!("N = {size} is too large for {method}")));
        };
        Ok(Halves { tables, splits, plan })
    }

    /// The choices of columns of some tasks.
    ///
    /// # Errors
    /// [`DeviceError`] if there is no such task.
    pub fn choices(&self, tasks: &[usize]) -> Result<Vec<Choice>, DeviceError> {
        let mut choices = Vec::new();
        for (slot, &task) in tasks.iter().enumerate() {
            let sets = self.plan.column_sets(task);
            let sets = sets.ok_or_else(|| DeviceError::new(format!("there is no task {task}")))?;
            choices.extend(sets.enumerate().flat_map(|(place, sets)| {
                self.middle_queens(&sets).into_iter().enumerate().map(move |(number, queen)| {
                    let (is_first, is_chosen) = (number == 0, place == Plan::CHOSEN);
                    Choice { slot, sets, middle_queen: queen, is_first, is_chosen }
                })
            }));
        }
        Ok(choices)
    }

    /// The columns of the middle queen in the choices of a column set; on an even board the one choice
    /// has none.
    fn middle_queens(&self, sets: &ColumnSets) -> Vec<Option<u32>> {
        match Symmetries::of(self.plan.size()) {
            Symmetries::Eight => vec![None],
            Symmetries::Centred => sets.top.columns().map(Some).collect(),
        }
    }

    /// The upper and the lower half of a choice of columns.
    pub fn halves(&self, Choice { sets, middle_queen, .. }: &Choice) -> [Half; 2] {
        let size = self.plan.size();
        let (top, closed, keys) = match *middle_queen {
            None => (sets.top, 0, [sets.key(size); 2]),
            Some(column) => {
                let middle = size.get() / 2;
                let key = match column.abs_diff(middle) {
                    0 => Half::ALL,
                    // The row of the middle column's queen that is as far from the centre as the middle
                    // row's queen; nearer ones are higher bits.
                    far => 1 << (middle - far),
                };
                (sets.top.without(column), self.tables.closed(column), [key, Half::ALL])
            }
        };
        let half = |columns: RowBits, key, lower| {
            Half([columns.bits(), closed as u32, (closed >> 32) as u32, key, lower, 0, 0])
        };
        [half(top, keys[0], 0), half(sets.bottom, keys[1], 1)]
    }

    /// The tallies of so many tasks without any choice of columns yet.
    pub fn nothing(&self, tasks: &[usize]) -> Vec<Tally> {
        let nothing = Tally { covered: Some(Covered::default()), ..Tally::default() };
        vec![nothing; tasks.len()]
    }

    /// Adds what a choice of columns comes to, by its sums, to the tallies of its batch.
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
        let Choice { slot, sets, is_first, is_chosen, .. } = choice;
        let of_set = Covered { sets: 1, weight: sets.weight };
        let tally = tallies.get_mut(*slot);
        let sum = tally.zip(solutions).and_then(|(tally, solutions)| {
            let next = Tally {
                single: solutions.checked_mul(sets.weight.into())?,
                covered: Some(if *is_first { of_set } else { Covered::default() }),
                chosen: is_chosen.then_some(solutions),
                ..Tally::default()
            };
            *tally = tally.checked_add(next)?;
            Some(())
        });
        sum.ok_or_else(|| DeviceError::new("the solutions of a task do not fit in 64 bits"))
    }

    /// What a choice of columns comes to, by its sums, without its weight; `None` if that exceeds a
    /// `u64`.
    pub fn solutions(
        &self,
        Choice { middle_queen, .. }: &Choice,
        [above, same]: [u64; Halves::SUMS],
    ) -> Option<u64> {
        let centre = self.plan.size().get() / 2;
        let times = match *middle_queen {
            None => [2, 1],
            Some(column) if column == centre => [1, 1],
            Some(_) => [4, 2],
        };
        above.checked_mul(times[0])?.checked_add(same.checked_mul(times[1])?)
    }
}

impl Half {
    /// The number of words in a record.
    pub const WORDS: usize = 7;

    /// Instead of a key: above it are all placements.
    const ALL: u32 = u32::MAX;

    const START: usize = 5;
    const END: usize = 6;

    /// The words.
    pub fn words(&self) -> &[u32; Half::WORDS] {
        &self.0
    }

    /// Gives the list of the half its place among the elements.
    pub fn put(&mut self, list: Range<u32>) {
        self.0[Half::START] = list.start;
        self.0[Half::END] = list.end;
    }

    fn start(&self) -> u32 {
        self.0[Half::START]
    }

    /// Where the placements with more than the key of the columns are, of a list of this length.
    pub(super) fn above(&self, Lengths { same, all }: Lengths) -> Range<u32> {
        self.start() + same..self.start() + all
    }
}

impl Part {
    /// All of a choice of columns, which are divided in so many ways.
    pub fn whole(choice: usize, divisions: u32) -> Part {
        Part { choice, divisions: [0..divisions, 0..divisions] }
    }

    /// Parts that have every pair of this one once, and whose lists may be expected to fit into the
    /// room, which those of this one do not. The longer list is halved as long as it is too long.
    ///
    /// # Errors
    /// [`DeviceError`] if a single way to divide the columns of each half is too much.
    pub fn split(self, lengths: &[Lengths; 2], room: u32) -> Result<Vec<Part>, DeviceError> {
        let expected = lengths.map(|lengths| u64::from(lengths.all));
        let [first, second] = self.halved(expected).ok_or_else(|| {
            let [bytes, room] = [expected[0] + expected[1], room.into()].map(|all| 8 * all);
            DeviceError::new(format!(
                "not enough GPU memory: the lists of one column set need {bytes} bytes even in the \
                 smallest parts, and {room} are available"
            ))
            .with_hint("use a GPU with more free memory, or `--backend cpu`")
        })?;
        // The halves differ in length, and a little more than expected is to be found room for, too.
        let room = u64::from(room) / 8 * 7;
        let (mut open, mut parts) = (vec![first, second], Vec::new());
        while let Some((part, expected)) = open.pop() {
            match part.halved(expected).filter(|_| expected[0] + expected[1] > room) {
                Some(halves) => open.extend(halves),
                None => parts.push(part),
            }
        }
        Ok(parts)
    }

    /// This one with the longer list halved, and how long the lists may then be expected to be.
    fn halved(&self, expected: [u64; 2]) -> Option<[(Part, [u64; 2]); 2]> {
        let can = |&side: &usize| self.divisions[side].len() > 1;
        let longer = usize::from(expected[1] > expected[0]);
        let side = [longer, 1 - longer].into_iter().find(can)?;
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

/// Gives the lists of the first parts their places, as many as there is room for, and returns the
/// number of these parts.
pub fn put_lists(halves: &mut [[Half; 2]], lengths: &[[Lengths; 2]], room: u32) -> usize {
    let mut end = 0u32;
    let mut fitting = 0;
    for (halves, lengths) in halves.iter_mut().zip(lengths) {
        let [top, bottom] = lengths.map(|lengths| lengths.all);
        let middle = end.checked_add(top);
        let next = middle.and_then(|middle| middle.checked_add(bottom)).filter(|&end| end <= room);
        let Some((middle, next)) = middle.zip(next) else { break };
        let [upper, lower] = halves;
        upper.put(end..middle);
        lower.put(middle..next);
        (end, fitting) = (next, fitting + 1);
    }
    fitting
}

/// Placements of both halves, all of which are to be compared with each other, and the number of the
/// sum that their pairs belong to.
pub type Pairing = ([Range<u32>; 2], u32);

/// What is to be compared of a part. Its sums are the first ones from `sum` on.
pub fn pairings(halves: &[Half; 2], lengths: &[Lengths; 2], sum: u32) -> [Pairing; 3] {
    let [(top_same, top), (bottom_same, bottom)] = [0, 1].map(|side| {
        let above = halves[side].above(lengths[side]);
        (halves[side].start()..above.start, above)
    });
    let bottom_all = bottom_same.start..bottom.end;
    // The rows' key is the smaller one of the two halves' own. So it is above the columns' key if
    // both are, and the same if one half has the same and the other no smaller one.
    [([top.clone(), bottom], sum), ([top_same, bottom_all], sum + 1), ([top, bottom_same], sum + 1)]
}

/// All tiles of a pairing: of at most `own` placements of one list and `others` of the other one.
pub fn tiles(
    ([one, other], sum): Pairing,
    own: u32,
    others: u32,
) -> impl Iterator<Item = Tile> + use<> {
    // The whole of a list is looked up in each of the other one's tiles.
    let looked_up = |long: &Range<u32>, short: &Range<u32>| {
        long.len().div_ceil(own.max(1) as usize).saturating_mul(short.len())
    };
    let (long, short) = if looked_up(&one, &other) <= looked_up(&other, &one) {
        (one, other)
    } else {
        (other, one)
    };
    pieces(long, own).flat_map(move |own| {
        pieces(short.clone(), others).map(move |others| Tile { own, others, sum })
    })
}

/// A range in pieces of at most `most`.
pub(super) fn pieces(range: Range<u32>, most: u32) -> impl Iterator<Item = (u32, u32)> {
    let end = range.end;
    range
        .step_by(most.max(1) as usize)
        .map(move |start| (start, end.min(start.saturating_add(most))))
}

impl Tile {
    /// The number of words in a record.
    pub const WORDS: usize = 5;

    /// The words.
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
    fn what_is_not_counted_is_refused() {
        let said = |n, method| {
            let plan = Plan::new(Size::new(n).unwrap(), method);
            Halves::new(Arc::new(plan)).map(drop).unwrap_err().to_string()
        };
        assert_eq!(said(8, Method::Symmetry), "tasks of symmetry are not column sets");
        assert!(said(3, Method::Halves).starts_with("N = 3 is too small"));
        let halves = halves(6);
        assert_eq!(halves.choices(&[77]).unwrap_err().to_string(), "there is no task 77");
    }

    #[test]
    fn lists_lie_behind_each_other_as_far_as_there_is_room() {
        let halves = halves(8);
        let choices = halves.choices(&[0, 1, 2, 3]).unwrap();
        let mut records: Vec<_> = choices.iter().map(|choice| halves.halves(choice)).collect();
        let lengths =
            vec![[Lengths { same: 1, all: 4 }, Lengths { same: 0, all: 5 }]; records.len()];
        assert_eq!(put_lists(&mut records, &lengths, 26), 2);
        assert_eq!(records[1].map(|half| half.start()), [9, 13]);
        assert_eq!(put_lists(&mut records, &lengths, 8), 0);
    }

    #[test]
    fn parts_have_every_pair_of_divisions_once() {
        let of = |all| Lengths { same: 0, all };
        for (top, bottom, room) in [(100, 40, 139), (100, 40, 30), (7, 900, 60), (0, 64, 40)] {
            let whole = Part::whole(5, 20);
            let parts = whole.clone().split(&[of(top), of(bottom)], room).unwrap();
            let mut pairs = BTreeSet::new();
            for part in parts {
                let [tops, bottoms] = &part.divisions;
                assert_eq!(part.choice, 5);
                let expected = top * tops.len() as u32 / 20 + bottom * bottoms.len() as u32 / 20;
                assert!(expected < room, "{part:?} of {top} and {bottom}");
                for pair in tops.clone().flat_map(|top| bottoms.clone().map(move |it| (top, it))) {
                    assert!(pairs.insert(pair), "{pair:?} twice");
                }
            }
            assert_eq!(pairs.len(), 400);
        }
        // Only the shorter one can be halved.
        let parts = Part { choice: 0, divisions: [3..4, 0..2] }.split(&[of(9), of(5)], 13).unwrap();
        assert!(parts.iter().all(|part| part.divisions[0] == (3..4)) && parts.len() == 2);
        let smallest = Part { choice: 0, divisions: [3..4, 0..1] };
        let error = smallest.split(&[of(9), of(5)], 13).unwrap_err();
        assert!(error.reason.contains("need 112 bytes"), "{error}");
        assert!(error.reason.ends_with("and 104 are available"), "{error}");
        assert!(error.hint.is_some_and(|hint| hint.contains("--backend cpu")));
    }

    #[test]
    fn tiles_compare_every_pair_that_counts_once() {
        let halves = halves(8);
        let choice = halves.choices(&[0]).unwrap()[0];
        for (top_same, top, bottom_same, bottom) in
            [(0, 0, 0, 0), (2, 9, 1, 4), (0, 5, 3, 11), (4, 4, 2, 2), (0, 7, 0, 1)]
        {
            let lengths =
                [Lengths { same: top_same, all: top }, Lengths { same: bottom_same, all: bottom }];
            let mut records = [halves.halves(&choice)];
            put_lists(&mut records, &[lengths], 100);
            let mut compared = BTreeSet::new();
            let all = pairings(&records[0], &lengths, 6);
            for Tile { own, others, sum } in all.into_iter().flat_map(|it| tiles(it, 3, 2)) {
                assert!(own.1 - own.0 <= 3 && others.1 - others.0 <= 2);
                for one in own.0..own.1 {
                    for other in others.0..others.1 {
                        let pair = (one.min(other), one.max(other));
                        assert!(compared.insert((pair, sum)), "{pair:?} twice");
                    }
                }
            }
            let expected: BTreeSet<_> = (0..top)
                .flat_map(|one| (top..top + bottom).map(move |other| (one, other)))
                .map(|(one, other)| {
                    let same = one < top_same || other < top + bottom_same;
                    ((one, other), 6 + u32::from(same))
                })
                .collect();
            assert_eq!(compared, expected);
        }
    }
}
