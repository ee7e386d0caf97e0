//! The table of the black pairs, from which the white kernel reads.

use alloc::vec::Vec;

use super::vector::{ByteIsa, Bytes, HotLoop};

/// The numbers B of black pairs for all sets of odd columns (rows of the table) and even columns
/// (lanes), multiplied by the weights of their keys. There is a part of the table for each block of
/// white lanes.
///
/// A number has 16 bits. Their halves are in separate vectors, because the kernel multiplies bytes,
/// and most high bytes are 0.
#[derive(Debug)]
pub(super) struct Table<V> {
    low: Vec<V>,
    high: Vec<V>,
    rows: usize,
    /// Whether a high byte is not 0.
    has_high: bool,
    /// Whether all numbers are less than 0xff00. Greater ones may be too small.
    is_exact: bool,
}

impl<V: Bytes> Table<V> {
    pub(super) const fn new() -> Table<V> {
        Table { low: Vec::new(), high: Vec::new(), rows: 0, has_high: false, is_exact: true }
    }

    /// Fills the table with zeros.
    pub(super) fn clear(&mut self, isa: V::Isa, rows: usize, blocks: usize) {
        let zero = V::splat(isa, 0);
        if self.low.capacity() / 2 > rows * blocks {
            *self = Table::new();
        }
        self.low.clear();
        self.low.resize(rows * blocks, zero);
        if self.has_high || self.high.len() != rows * blocks {
            self.high.clear();
            self.high.resize(rows * blocks, zero);
        }
        (self.rows, self.has_high, self.is_exact) = (rows, false, true);
    }

    /// The low and the high bytes of a block of white lanes. There are no high ones if they are all 0.
    pub(super) fn block(&self, block: usize) -> (&[V], Option<&[V]>) {
        let rows = block * self.rows..(block + 1) * self.rows;
        let low = self.low.get(rows.clone()).unwrap_or_default();
        (low, self.has_high.then(|| self.high.get(rows).unwrap_or_default()))
    }

    /// Whether no number was too large for the table.
    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// The memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        (self.low.capacity() + self.high.capacity()) * size_of::<V>()
    }
}

/// The factors of the lanes of a block of white lanes, for rows that are a tie and for rows that are not.
pub(super) type Factors = [[u8; 64]; 2];

/// The largest factor.
const MAX_FACTOR: u8 = 4;

/// Adds the counters of a block of black lanes to a table, unless one of them has reached 255, and
/// sets them to zero.
///
/// The counters have a row for each set of even columns and a lane for each set of odd columns, so
/// they are transposed.
pub(super) struct Flush<'a, V> {
    pub(super) counters: &'a mut [V],
    /// For each lane of all white blocks, its row of the counters, or [`NO_NUMBER`](super::walk::NO_NUMBER).
    pub(super) row_of_white: &'a [u16],
    /// For each lane of the black block, its row of the table, or [`NO_NUMBER`](super::walk::NO_NUMBER).
    pub(super) row_of_black: &'a [u16],
    /// For each block of white lanes.
    pub(super) factors: &'a [Factors],
    /// For each row of the table, whether it is a tie.
    pub(super) is_tie: &'a [bool],
    pub(super) table: &'a mut Table<V>,
}

impl<M: ByteIsa> HotLoop<M> for Flush<'_, M::Bytes> {
    /// The factor by which more leaves can be counted before the next flush: 1, 2 or 4. `None` if a counter
    /// has reached 255, so that the counters are wrong.
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self, isa: M) -> Option<usize> {
        let Flush { counters, row_of_white, row_of_black, factors, is_tie, table } = self;
        let zero = M::Bytes::splat(isa, 0);
        let is_right = !counters.iter().fold(false, |full, row| full | row.is_any_full());
        let bits = counters.iter().fold(zero, |bits, row| bits.or(*row));
        let is_less_than = |power: u8| bits.and_not(M::Bytes::splat(isa, power - 1)).is_zero();
        if is_right {
            let mut square = [zero; 64];
            let (square, _) = square.split_at_mut(M::Bytes::LANES);
            let rows = table.rows.max(1);
            let blocks = table.low.chunks_exact_mut(rows).zip(table.high.chunks_exact_mut(rows));
            let white = row_of_white.chunks_exact(M::Bytes::LANES).zip(factors);
            for ((low, high), (white, factors)) in blocks.zip(white) {
                for (row, &of_white) in square.iter_mut().zip(white) {
                    *row = counters.get(usize::from(of_white)).copied().unwrap_or(zero);
                }
                M::Bytes::transpose(isa, square);
                let mut masks = [[zero; MAX_FACTOR as usize]; 2];
                for (masks, factors) in masks.iter_mut().zip(factors) {
                    for (least, mask) in (1..).zip(masks) {
                        let lanes = factors.map(|factor| if factor >= least { u8::MAX } else { 0 });
                        *mask = M::Bytes::load(isa, &lanes);
                    }
                }
                let used =
                    masks.map(|masks| masks.iter().take_while(|mask| !mask.is_zero()).count());
                for (&counts, &of_black) in square.iter().zip(row_of_black) {
                    let row = usize::from(of_black);
                    if let (Some(low), Some(high), Some(&is_tie)) =
                        (low.get_mut(row), high.get_mut(row), is_tie.get(row))
                    {
                        let tie = usize::from(is_tie);
                        for &mask in masks[tie].iter().take(used[tie]) {
                            let counts = counts.and(mask);
                            *low = low.add(counts);
                            let carry = low.carry(counts);
                            if !carry.is_zero() {
                                *high = high.add_saturating(carry);
                                table.has_high = true;
                                table.is_exact &= !high.is_any_full();
                            }
                        }
                    }
                }
            }
        }
        counters.fill(zero);
        is_right.then(|| {
            if is_less_than(32) {
                4
            } else if is_less_than(64) {
                2
            } else {
                1
            }
        })
    }
}
