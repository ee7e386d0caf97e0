//! The join: counts the solutions of pairs (A, A').
//!
//! For a pair, B is counted first, for all columns, and stored in a table. Then W is counted, and
//! each number of pairs that the kernel finds is multiplied by the cell of the table right away. So
//! Σ W · B needs no table of W.

use alloc::{collections::BTreeMap, vec, vec::Vec};
use core::ops::Range;

use super::{
    join::{Join, Pair, Side},
    kernel::{Counters, PARTS, Products, Scratch, Walk},
    keys::EvenRows,
    lanes::{AUDIT_LANES, Level, Rebuilder, Sets, roots},
    plain,
    table::{Flush, Table},
    vector::{ByteIsa, Bytes},
    walk::{MAX_ROWS, Program, Selection},
};
use crate::Size;

/// The result of the first pairs of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairsCount {
    /// The number of these pairs.
    pub pairs: usize,
    /// Their solutions: Σ W · B with the weights of the keys.
    pub solutions: u64,
    /// The part of the first pair whose even columns are C = A.
    pub audited: u64,
}

/// Counts pairs with the vectors of one instruction set.
pub(super) trait CountPairs {
    /// Counts the first pairs of A with some sets of odd rows, at least one of them if there are any.
    fn count(&mut self, even_rows: EvenRows, odd_rows: &[u32]) -> PairsCount;

    /// Makes the lists that all pairs of A share, and returns which pairs are counted together with
    /// number `index`. With `has_walks`, it also makes the walks of these pairs.
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
    white: Colour<M::Bytes>,
    black: Colour<M::Bytes>,
    tables: Vec<Table<M::Bytes>>,
    counters: Vec<M::Bytes>,
    scratch: Scratch<M::Bytes>,
    levels: Vec<Level>,
    /// The number of parts of roots after which the counters are emptied.
    parts_per_flush: usize,
}

/// The walks and sets of one colour.
struct Colour<V> {
    walks: Walks,
    sets: Sets<V>,
}

/// The walks of one board, by the rows of their queens.
#[derive(Default)]
struct Walks {
    size: Option<Size>,
    by_rows: BTreeMap<u32, Selection>,
    bytes: usize,
}

impl Walks {
    /// The memory for walks that the next group may use again.
    const BYTES: usize = 32 << 20;

    /// Forgets the walks of other boards, and all if they have become too large.
    fn clean_up(&mut self, size: Size) {
        if self.size != Some(size) || self.bytes > Self::BYTES {
            *self = Walks { size: Some(size), ..Walks::default() };
        }
    }

    /// Prepares a walk over the placements with a queen in each of these rows.
    fn prepare<M: ByteIsa>(&mut self, isa: M, side: &Side, rows: &[u32]) {
        let walk = self.by_rows.entry(set_of(rows)).or_insert_with(|| {
            let program = Program::new(side.walked, rows, side.shape, &side.number_of);
            let walk = Selection::new(program, side.all);
            self.bytes += walk.bytes();
            walk
        });
        self.bytes -= walk.bytes();
        walk.select(isa, &side.counted);
        self.bytes += walk.bytes();
    }

    fn get(&self, rows: &[u32]) -> Option<&Selection> {
        self.by_rows.get(&set_of(rows))
    }
}

fn set_of(rows: &[u32]) -> u32 {
    rows.iter().fold(0, |set, row| set | 1 << row)
}

/// The memory for the sets of a block.
const SETS_BYTES: usize = 24 << 20;

impl<V: Bytes> Colour<V> {
    fn new() -> Colour<V> {
        Colour { walks: Walks::default(), sets: Sets::new() }
    }

    /// Prepares the walks of a group, and calls `visit` for each block of lanes with its sets. If
    /// they do not fit in memory, it is called several times with the sets of some roots.
    fn for_each_block<M: ByteIsa<Bytes = V>>(
        &mut self,
        isa: M,
        size: Size,
        side: &Side,
        rows: &[&[u32]],
        levels: &mut Vec<Level>,
        mut visit: impl FnMut(usize, &Sets<V>, &[&Selection]),
    ) {
        let first_rows = rows.first().map_or(&[][..], |rows| side.first_rows(rows));
        let roots = roots(side.walked, first_rows);
        let mut is_needed = vec![false; roots.len()];
        let mut other_rows = 0;
        self.walks.clean_up(size);
        for rows in rows {
            self.walks.prepare(isa, side, rows);
            let others = rows.get(side.shape.root..).unwrap_or_default();
            other_rows |= set_of(others);
        }
        let walks: Vec<&Selection> = rows.iter().filter_map(|rows| self.walks.get(rows)).collect();
        walks.iter().for_each(|walk| walk.mark_roots(&mut is_needed));
        for block in 0..side.lanes.sets.len() / V::LANES {
            let lanes = block * V::LANES..(block + 1) * V::LANES;
            let (walked, lists) = (side.walked, &side.lanes);
            let mut rebuilder = Rebuilder::new(
                lists, lanes, walked, first_rows, other_rows, &roots, &is_needed, levels,
            );
            while rebuilder.rebuild(isa, SETS_BYTES, &mut self.sets) {
                visit(block, &self.sets, &walks);
            }
        }
    }
}

impl<M: ByteIsa> PairCounter<M> {
    pub(super) fn new(isa: M) -> PairCounter<M> {
        PairCounter {
            isa,
            join: None,
            white: Colour::new(),
            black: Colour::new(),
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
        let PairCounter { isa, black, tables, counters, scratch, levels, parts_per_flush, .. } =
            self;
        let (isa, lanes) = (*isa, M::Bytes::LANES);
        tables.resize_with(group.len(), Table::new);
        for table in tables.iter_mut() {
            table.clear(isa, join.is_tie.len(), join.white.lanes.sets.len() / lanes);
        }
        let Some(counters) = counters.first_chunk_mut() else { return };
        let side = &join.black;
        let rows: Vec<Vec<u32>> = group.iter().map(|pair| pair.rows[1].clone()).collect();
        let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
        let size = join.even_rows.size();
        black.for_each_block(isa, size, side, &rows, levels, |block, sets, walks| {
            let row_of_black = side.lanes.sets.get(block * lanes..(block + 1) * lanes);
            let row_of_black = row_of_black.unwrap_or_default();
            for ((selection, table), pair) in walks.iter().zip(&mut *tables).zip(&mut *group) {
                let Range { mut start, end } = all_parts(sets);
                while start < end {
                    let parts = start..start.saturating_add(*parts_per_flush).min(end);
                    let (next, length) = (parts.end, parts.len());
                    isa.run(Walk { sets, selection, parts, scratch, sink: Counters(counters) });
                    let is_right = isa.run(Flush {
                        counters: counters.get_mut(..side.all.into()).unwrap_or_default(),
                        row_of_white: &join.white.lanes.sets,
                        row_of_black,
                        factors: &join.factors[usize::from(pair.is_tie)],
                        is_tie: &join.is_tie,
                        table,
                    });
                    if is_right || length == 1 {
                        pair.is_exact &= is_right;
                        start = next;
                    } else {
                        let half = length.div_ceil(2);
                        *parts_per_flush = if half > PARTS { half / PARTS * PARTS } else { half };
                    }
                }
            }
        });
    }

    /// Counts W, multiplied by the tables of a group.
    fn count_white(&mut self, join: &Join, group: &mut [Pair]) {
        let PairCounter { isa, white, tables, scratch, levels, .. } = self;
        let (isa, side) = (*isa, &join.white);
        let rows: Vec<Vec<u32>> = group.iter().map(|pair| pair.rows[0].clone()).collect();
        let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
        let last_block = (side.lanes.sets.len() / M::Bytes::LANES).wrapping_sub(1);
        let size = join.even_rows.size();
        white.for_each_block(isa, size, side, &rows, levels, |block, sets, walks| {
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
        });
    }
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
            let group = join.group(rest);
            range = range.end..range.end + group.len();
            if has_walks && range.contains(&index) {
                for Pair { rows: [white, black], .. } in &group {
                    self.white.walks.prepare(self.isa, &join.white, white);
                    self.black.walks.prepare(self.isa, &join.black, black);
                }
            }
        }
        self.join = Some(join);
        range
    }

    fn bytes(&self) -> usize {
        let colours = [&self.white, &self.black]
            .into_iter()
            .map(|colour| colour.sets.bytes() + colour.walks.bytes);
        let sides = self.join.iter().flat_map(|join| [&join.white, &join.black]);
        colours.sum::<usize>()
            + sides.map(|side| side.lanes.len() * size_of::<u64>()).sum::<usize>()
            + self.tables.iter().map(Table::bytes).sum::<usize>()
    }
}
