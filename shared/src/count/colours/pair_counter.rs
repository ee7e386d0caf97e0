//! The join: counts the solutions of pairs (A, A').
//!
//! For a pair, B is counted first, for all columns, and stored in a table. Then W is counted, and
//! each number of pairs that the kernel finds is multiplied by the cell of the table right away. So
//! Σ W · B needs no table of W.

use alloc::{collections::BTreeMap, vec, vec::Vec};
use core::{mem::take, ops::Range};

use super::{
    boards::Board,
    join::{Join, Pair, Side},
    kernel::{Counters, PARTS, Products, Scratch, Walk},
    lanes::{AUDIT_LANES, Level, Rebuilder, Roots, Sets},
    pairs::EvenRows,
    plain,
    table::{Flush, Table},
    vector::{ByteIsa, Bytes},
    walk::{MAX_ROWS, NO_NUMBER, Program, Selection},
};

/// The result of the first pairs of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::count) struct PairsCount {
    /// The number of these pairs.
    pub pairs: usize,
    /// Their solutions: Σ W · B with the weights of the keys.
    pub solutions: u64,
    /// The part of the first pair whose even columns are C = A.
    pub audited: u64,
}

/// Counts pairs with the vectors of one instruction set.
pub(in crate::count) trait CountPairs {
    /// Counts the first pairs of A with some sets of odd rows, at least one of them if there are any.
    /// Pairs that share most of their work are counted together.
    fn count(&mut self, even_rows: EvenRows, odd_rows: &[u32]) -> PairsCount;

    /// Makes the lists that all pairs of A share, and returns which pairs are counted together with
    /// number `index`. With `has_walks`, it also makes the walks of these pairs, which pairs with other A may
    /// share. So a caller can time the pairs alone.
    fn prepare(
        &mut self,
        even_rows: EvenRows,
        odd_rows: &[u32],
        index: usize,
        has_walks: bool,
    ) -> Range<usize>;

    /// The allocated memory in bytes.
    fn bytes(&self) -> usize;
}

/// The lists and tables of a counter, which all pairs use one after another.
pub(super) struct PairCounter<M: ByteIsa> {
    isa: M,
    join: Option<Join>,
    white: Walks,
    black: Walks,
    sets: Sets<M::Bytes>,
    tables: Vec<Table<M::Bytes>>,
    counters: Vec<M::Bytes>,
    scratch: Scratch<M::Bytes>,
    levels: Vec<Level>,
    /// The number of parts of roots after which the counters are emptied.
    parts_per_flush: usize,
}

/// Limits that keep the memory of walks small.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The bytes of the walks that the next group may use again.
    pub(super) kept: usize,
    /// The number of placements from which a walk has only those that are counted. Most A then need a new
    /// walk, but it takes less than half the memory.
    pub(super) long: usize,
    /// The number of placements from which a walk is divided into parts.
    pub(super) longest: usize,
}

impl Limits {
    const USUAL: Limits = Limits {
        // A worker of a page has little memory.
        kept: if cfg!(target_arch = "wasm32") { 8 << 20 } else { 32 << 20 },
        long: 1 << 20,
        longest: 3 << 20,
    };
}

/// The walks of one board, by the rows of their queens.
struct Walks {
    limits: Limits,
    board: Option<Board>,
    by_rows: BTreeMap<u32, Selection>,
}

impl Walks {
    fn new(limits: Limits) -> Walks {
        Walks { limits, board: None, by_rows: BTreeMap::new() }
    }

    fn bytes(&self) -> usize {
        self.by_rows.values().map(Selection::bytes).sum()
    }

    /// Forgets the walks of other boards, and if they have become too large, those of other groups.
    fn clean_up(&mut self, board: Board, group: &[Vec<u32>]) {
        if self.board != Some(board) {
            self.by_rows.clear();
            self.board = Some(board);
        } else if self.bytes() > self.limits.kept {
            let group: Vec<u32> = group.iter().map(|rows| set_of(rows)).collect();
            self.by_rows.retain(|rows, _| group.contains(rows));
        }
    }

    /// Prepares a walk over the placements with a queen in each of these rows. It has those whose
    /// columns have a number in `counted`.
    fn prepare<M: ByteIsa>(&mut self, isa: M, side: &Side, rows: &[u32], counted: &Range<u16>) {
        let set = set_of(rows);
        let is_long = side.lanes.all > self.limits.long;
        let numbers = if is_long { counted.clone() } else { 0..side.all };
        if self.by_rows.get(&set).is_some_and(|walk| !walk.is_of(&numbers)) {
            self.by_rows.remove(&set);
        }
        let walk = self.by_rows.entry(set).or_insert_with(|| {
            let number_of = |&number| if numbers.contains(&number) { number } else { NO_NUMBER };
            let number_of: Vec<u16> = side.number_of.iter().map(number_of).collect();
            // The walked board has about as many placements as the listed one.
            let share = numbers.len() as f64 / f64::from(side.all).max(1.0);
            let expected = (side.lanes.all as f64 * share) as usize;
            let program = Program::new(side.walked, rows, side.shape, &number_of, expected);
            Selection::new(program, numbers)
        });
        walk.select(isa, counted);
    }

    /// Prepares the first part of the walks of a group, which is mostly the only one.
    fn prepare_first_part<M: ByteIsa>(&mut self, isa: M, side: &Side, group: &[Vec<u32>]) {
        self.clean_up(side.walked, group);
        if let Some(counted) = side.parts(self.limits.longest).next() {
            group.iter().for_each(|rows| self.prepare(isa, side, rows, &counted));
        }
    }

    fn get(&self, rows: &[u32]) -> Option<&Selection> {
        self.by_rows.get(&set_of(rows))
    }
}

fn set_of(rows: &[u32]) -> u32 {
    rows.iter().fold(0, |set, row| set | 1 << row)
}

/// The memory for the sets of a block of white lanes.
const WHITE_SETS_BYTES: usize = 12 << 20;

/// The memory for the sets of a block of black lanes. It is larger, because counters are flushed each time
/// that it is used up.
const BLACK_SETS_BYTES: usize = if cfg!(target_arch = "wasm32") { 12 << 20 } else { 48 << 20 };

impl Walks {
    /// Prepares the walks of a group, and calls `visit` for each block of lanes with its sets. If they do
    /// not fit in memory, it is called several times with the sets of some roots or with parts of
    /// the walks.
    fn for_each_block<M: ByteIsa>(
        &mut self,
        isa: M,
        side: &Side,
        rows: &[Vec<u32>],
        (sets, bytes, levels): (&mut Sets<M::Bytes>, usize, &mut Vec<Level>),
        mut visit: impl FnMut(usize, &Sets<M::Bytes>, &[&Selection]),
    ) {
        let first_rows = rows.first().map_or(&[][..], |rows| side.first_rows(rows));
        let others = rows.iter().filter_map(|rows| rows.get(side.shape.root..));
        let other_rows = others.fold(0, |set, rows| set | set_of(rows));
        let roots = Roots::new(side.walked, first_rows, other_rows);
        self.clean_up(side.walked, rows);
        for counted in side.parts(self.limits.longest) {
            rows.iter().for_each(|rows| self.prepare(isa, side, rows, &counted));
            let walks: Vec<&Selection> = rows.iter().filter_map(|rows| self.get(rows)).collect();
            let mut is_needed = vec![false; roots.len()];
            walks.iter().for_each(|walk| walk.mark_roots(&mut is_needed));
            for block in 0..side.lanes.sets.len() / M::Bytes::LANES {
                let lanes = block * M::Bytes::LANES..(block + 1) * M::Bytes::LANES;
                let mut rebuilder = Rebuilder::new(&side.lanes, lanes, &roots, &is_needed, levels);
                while rebuilder.rebuild(isa, bytes, sets) {
                    visit(block, sets, &walks);
                }
            }
        }
    }
}

impl<M: ByteIsa> PairCounter<M> {
    pub(super) fn new(isa: M) -> PairCounter<M> {
        PairCounter::with_limits(isa, Limits::USUAL)
    }

    /// Creates a counter with other limits, for tests.
    pub(super) fn with_limits(isa: M, limits: Limits) -> PairCounter<M> {
        PairCounter {
            isa,
            join: None,
            white: Walks::new(limits),
            black: Walks::new(limits),
            sets: Sets::new(),
            tables: Vec::new(),
            counters: vec![M::Bytes::splat(isa, 0); MAX_ROWS],
            scratch: Scratch::new(isa),
            levels: Vec::new(),
            parts_per_flush: usize::MAX,
        }
    }

    /// Takes the lists of A, or makes them.
    fn take_join(&mut self, even_rows: EvenRows) -> Join {
        let join = self.join.take().filter(|join| join.even_rows == even_rows);
        join.unwrap_or_else(|| {
            self.parts_per_flush = usize::MAX;
            Join::new(even_rows, M::Bytes::LANES)
        })
    }

    /// Fills the tables of a group with B.
    fn count_black(&mut self, join: &Join, group: &mut [Pair]) {
        let PairCounter {
            isa,
            black,
            sets,
            tables,
            counters,
            scratch,
            levels,
            parts_per_flush,
            ..
        } = self;
        let (isa, lanes) = (*isa, M::Bytes::LANES);
        tables.resize_with(group.len(), Table::new);
        for table in tables.iter_mut() {
            table.clear(isa, join.is_tie.len(), join.white.lanes.sets.len() / lanes);
        }
        let Some(counters) = counters.first_chunk_mut() else { return };
        let side = &join.black;
        let rows = take_rows(group, 1);
        black.for_each_block(
            isa,
            side,
            &rows,
            (sets, BLACK_SETS_BYTES, levels),
            |block, sets, walks| {
                let row_of_black = side.lanes.sets.get(block * lanes..(block + 1) * lanes);
                let row_of_black = row_of_black.unwrap_or_default();
                for ((selection, table), pair) in walks.iter().zip(&mut *tables).zip(&mut *group) {
                    let Range { mut start, end } = all_parts(sets);
                    while start < end {
                        let parts = start..start.saturating_add(*parts_per_flush).min(end);
                        let (next, length) = (parts.end, parts.len());
                        isa.run(Walk { sets, selection, parts, scratch, sink: Counters(counters) });
                        let growth = isa.run(Flush {
                            counters: counters.get_mut(..side.all.into()).unwrap_or_default(),
                            row_of_white: &join.white.lanes.sets,
                            row_of_black,
                            factors: &join.factors[usize::from(pair.is_tie)],
                            is_tie: &join.is_tie,
                            table,
                        });
                        if let Some(growth) = growth {
                            if length >= *parts_per_flush {
                                *parts_per_flush = length.saturating_mul(growth);
                            }
                            start = next;
                        } else if length == 1 {
                            pair.is_exact = false;
                            start = next;
                        } else {
                            let half = length.div_ceil(2);
                            *parts_per_flush =
                                if half > PARTS { half / PARTS * PARTS } else { half };
                        }
                    }
                }
            },
        );
    }

    /// Counts W, multiplied by the tables of a group.
    fn count_white(&mut self, join: &Join, group: &mut [Pair]) {
        let PairCounter { isa, white, sets, tables, scratch, levels, .. } = self;
        let (isa, side) = (*isa, &join.white);
        let rows = take_rows(group, 0);
        let last_block = (side.lanes.sets.len() / M::Bytes::LANES).wrapping_sub(1);
        white.for_each_block(
            isa,
            side,
            &rows,
            (sets, WHITE_SETS_BYTES, levels),
            |block, sets, walks| {
                for ((selection, table), pair) in walks.iter().zip(&*tables).zip(&mut *group) {
                    pair.is_exact &= table.is_exact();
                    let totals = totals(isa, sets, selection, table.block(block), scratch);
                    let unit = u64::from(join.even_rows.unit(pair.is_tie));
                    pair.solutions += unit * totals.iter().sum::<u64>();
                    if block == last_block {
                        let audited = totals.get(M::Bytes::LANES / AUDIT_LANES - 1);
                        pair.audited += unit * audited.copied().unwrap_or(0);
                    }
                }
            },
        );
    }
}

/// Takes the rows of each pair of a group for a colour: 0 for white, 1 for black.
fn take_rows(group: &mut [Pair], colour: usize) -> Vec<Vec<u32>> {
    group.iter_mut().filter_map(|pair| pair.rows.get_mut(colour).map(take)).collect()
}

/// The numbers of the parts of all roots.
fn all_parts<V: Bytes>(sets: &Sets<V>) -> Range<usize> {
    let Range { start, end } = sets.roots();
    start * PARTS..end * PARTS
}

/// Runs all roots of a walk, and returns the sums of the groups of four lanes.
fn totals<M: ByteIsa>(
    isa: M,
    sets: &Sets<M::Bytes>,
    selection: &Selection,
    (low, high): (&[M::Bytes], Option<&[M::Bytes]>),
    scratch: &mut Scratch<M::Bytes>,
) -> [u64; 16] {
    let parts = all_parts(sets);
    match high {
        Some(high) => {
            let sink = Products::<_, true>::new(isa, low, high);
            isa.run(Walk { sets, selection, parts, scratch, sink }).totals()
        }
        None => {
            let sink = Products::<_, false>::new(isa, low, &[]);
            isa.run(Walk { sets, selection, parts, scratch, sink }).totals()
        }
    }
}

impl<M: ByteIsa> CountPairs for PairCounter<M> {
    fn count(&mut self, even_rows: EvenRows, odd_rows: &[u32]) -> PairsCount {
        let join = self.take_join(even_rows);
        let mut group = join.group(odd_rows);
        self.count_black(&join, &mut group);
        self.count_white(&join, &mut group);
        for (pair, &odd_rows) in group.iter_mut().zip(odd_rows) {
            if !pair.is_exact {
                (pair.solutions, pair.audited) = plain::count(even_rows, odd_rows);
            }
        }
        self.join = Some(join);
        PairsCount {
            pairs: group.len(),
            solutions: group.iter().map(|pair| pair.solutions).sum(),
            audited: group.first().map_or(0, |pair| pair.audited),
        }
    }

    fn prepare(
        &mut self,
        even_rows: EvenRows,
        odd_rows: &[u32],
        index: usize,
        has_walks: bool,
    ) -> Range<usize> {
        let join = self.take_join(even_rows);
        let mut range = 0..0;
        while range.end <= index
            && let Some(rest) = odd_rows.get(range.end..)
            && !rest.is_empty()
        {
            let mut group = join.group(rest);
            range = range.end..range.end + group.len();
            if has_walks && range.contains(&index) {
                let [of_white, of_black] = [0, 1].map(|colour| take_rows(&mut group, colour));
                self.white.prepare_first_part(self.isa, &join.white, &of_white);
                self.black.prepare_first_part(self.isa, &join.black, &of_black);
            }
        }
        self.join = Some(join);
        range
    }

    fn bytes(&self) -> usize {
        let sides = self.join.iter().flat_map(|join| [&join.white, &join.black]);
        self.sets.bytes()
            + self.white.bytes()
            + self.black.bytes()
            + sides.map(|side| side.lanes.len() * size_of::<u64>()).sum::<usize>()
            + self.tables.iter().map(Table::bytes).sum::<usize>()
    }
}
