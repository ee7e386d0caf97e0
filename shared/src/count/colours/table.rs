//! The table of the black pairs, from which the white kernel reads.

use alloc::{vec, vec::Vec};

use super::{
    vector::{ByteIsa, Bytes},
    walk::{MAX_ROWS, NO_NUMBER},
};
use crate::count::halves::vector::HotLoop;

/// The numbers B of black pairs for all sets of odd columns (rows of the table) and even columns
/// (lanes), in 16 bits. There is a part of the table for each block of white lanes.
#[derive(Debug, Default)]
pub(super) struct Table {
    cells: Vec<u16>,
    rows: usize,
    lanes: usize,
}

impl Table {
    /// Fills the table with zeros.
    pub(super) fn clear(&mut self, rows: usize, blocks: usize, lanes: usize) {
        self.cells.clear();
        self.cells.resize(rows * blocks * lanes, 0);
        (self.rows, self.lanes) = (rows, lanes);
    }

    /// The part of a block of white lanes.
    fn block(&self, block: usize) -> &[u16] {
        let length = self.rows * self.lanes;
        self.cells.get(block * length..(block + 1) * length).unwrap_or_default()
    }

    /// The memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<u16>()
    }
}

/// Adds the counters of a block of black lanes to a table, unless one of them has reached 255, and
/// sets them to zero.
///
/// The counters have a row for each set of even columns and a lane for each set of odd columns, so
/// they are transposed.
pub(super) struct Flush<'a, V> {
    pub(super) counters: &'a mut [V; MAX_ROWS],
    /// For each lane of all white blocks, its row of the counters, or [`NO_NUMBER`].
    pub(super) row_of_white: &'a [u16],
    /// For each lane of the black block, its row of the table, or [`NO_NUMBER`].
    pub(super) row_of_black: &'a [u16],
    pub(super) table: &'a mut Table,
    /// The number of rows of the counters.
    pub(super) used: usize,
}

impl<M: ByteIsa> HotLoop<M> for Flush<'_, M::Bytes> {
    /// Whether all counters are right: none has reached 255.
    type Output = bool;

    #[inline(always)]
    fn run(self, isa: M) -> bool {
        let Flush { counters, row_of_white, row_of_black, table, used } = self;
        let zero = M::Bytes::splat(isa, 0);
        let (counters, _) = counters.split_at_mut(used.min(MAX_ROWS));
        let is_right = !counters.iter().fold(false, |full, row| full | row.is_any_full());
        if is_right {
            let mut square = [zero; 64];
            let (square, _) = square.split_at_mut(M::Bytes::LANES);
            let (rows, lanes) = (table.rows, table.lanes);
            let blocks = table.cells.chunks_exact_mut((rows * lanes).max(1));
            for (block, white) in blocks.zip(row_of_white.chunks_exact(lanes)) {
                for (row, &of_white) in square.iter_mut().zip(white) {
                    *row = counters.get(usize::from(of_white)).copied().unwrap_or(zero);
                }
                M::Bytes::transpose(isa, square);
                for (bytes, &of_black) in square.iter().zip(row_of_black) {
                    if of_black != NO_NUMBER {
                        let start = usize::from(of_black) * lanes;
                        add(*bytes, block.get_mut(start..start + lanes).unwrap_or_default());
                    }
                }
            }
        }
        counters.fill(zero);
        is_right
    }
}

/// Adds the bytes of a vector to a row of a table.
#[inline(always)]
fn add<V: Bytes>(vector: V, row: &mut [u16]) {
    let mut bytes = [0u8; 64];
    vector.store(&mut bytes);
    for (cell, &byte) in row.iter_mut().zip(&bytes) {
        *cell = cell.saturating_add(byte.into());
    }
}

/// The low and the high bytes of a part of the table, multiplied by weights.
#[derive(Debug)]
pub(super) struct Weighted<V> {
    pub(super) low: Vec<V>,
    pub(super) high: Vec<V>,
    /// Whether a high byte is not 0.
    pub(super) has_high: bool,
}

impl<V: Bytes> Weighted<V> {
    pub(super) fn new(isa: V::Isa) -> Weighted<V> {
        let zero = V::splat(isa, 0);
        let planes = || vec![zero; MAX_ROWS];
        Weighted { low: planes(), high: planes(), has_high: false }
    }
}

/// Multiplies a block of the table by the weights of its cells.
pub(super) struct Weigh<'a, V> {
    pub(super) table: &'a Table,
    pub(super) block: usize,
    /// The factor of each lane: in rows without and in rows with a tie.
    pub(super) factors: &'a [[u16; 64]; 2],
    /// Whether a row is a tie.
    pub(super) is_tie: &'a [bool],
    pub(super) to: &'a mut Weighted<V>,
}

/// The largest factor of a cell.
const MAX_FACTOR: u16 = 4;

impl<M: ByteIsa> HotLoop<M> for Weigh<'_, M::Bytes> {
    /// Whether all products are right: none exceeds 16 bits.
    type Output = bool;

    #[inline(always)]
    fn run(self, isa: M) -> bool {
        let Weigh { table, block, factors, is_tie, to } = self;
        let (mut cells, mut products) = ([0u16; 64], [0u16; 64]);
        let rows = table.block(block).chunks_exact(table.lanes.max(1)).zip(is_tie);
        for (((row, &is_tie), low), high) in rows.zip(&mut to.low).zip(&mut to.high) {
            let factors = &factors[usize::from(is_tie)];
            let (mut low_bytes, mut high_bytes) = ([0u8; 64], [0u8; 64]);
            for lane in 0..row.len().min(64) {
                let product = row[lane].wrapping_mul(factors[lane]);
                cells[lane] |= row[lane];
                products[lane] |= product;
                low_bytes[lane] = product as u8;
                high_bytes[lane] = (product >> 8) as u8;
            }
            *low = M::Bytes::load(isa, &low_bytes);
            *high = M::Bytes::load(isa, &high_bytes);
        }
        to.has_high = products.iter().any(|&product| product > 0xff);
        cells.iter().all(|&cell| cell <= u16::MAX / MAX_FACTOR)
    }
}
