//! The formula of the method as it stands: for pairs whose numbers are too large for the tables, and
//! to test the kernel.

use alloc::vec::Vec;

use super::{
    boards::{Board, all, even_lines, odd_lines, subsets},
    keys::EvenRows,
};

/// Placements of a board with given rows: for each set of columns, their sets of lines.
struct Placements(Vec<(u32, u64)>);

impl Placements {
    fn new(board: Board, rows: u32) -> Placements {
        let rows: Vec<u32> = board.outwards(rows).collect();
        let mut all = Vec::new();
        board.placements(&rows, &mut |columns, lines| all.push((columns, lines)));
        all.sort_unstable();
        Placements(all)
    }

    fn with_columns(&self, columns: u32) -> &[(u32, u64)] {
        let [start, end] = [columns, columns + 1]
            .map(|columns| self.0.partition_point(|&(other, _)| other < columns));
        self.0.get(start..end).unwrap_or_default()
    }
}

/// The number of pairs of placements without a common line.
fn disjoint(a: &[(u32, u64)], b: &[(u32, u64)]) -> u64 {
    let pairs = a.iter().map(|(_, a)| b.iter().filter(|(_, b)| a & b == 0).count());
    pairs.sum::<usize>() as u64
}

/// The four boards with the rows of a pair (A, A').
pub(super) struct Boards {
    white: [Placements; 2],
    black: [Placements; 2],
    even: u32,
    odd: u32,
}

impl Boards {
    pub(super) fn new(even_rows: EvenRows, odd_rows: u32) -> Boards {
        let size = even_rows.size();
        let (even, odd, rows) = (even_lines(size), odd_lines(size), even_rows.rows());
        Boards {
            white: [
                Placements::new(Board::even_even(size), rows),
                Placements::new(Board::odd_odd(size), odd_rows),
            ],
            black: [
                Placements::new(Board::even_odd(size), all(even) ^ rows),
                Placements::new(Board::odd_even(size), all(odd) ^ odd_rows),
            ],
            even,
            odd,
        }
    }

    /// The numbers of white pairs W and of black pairs B for these columns.
    pub(super) fn pairs(&self, columns: u32, odd_columns: u32) -> [u64; 2] {
        let Boards { white, black, even, odd } = self;
        let [first, second] = [white[0].with_columns(columns), white[1].with_columns(odd_columns)];
        let [third, fourth] = [
            black[0].with_columns(all(*odd) ^ odd_columns),
            black[1].with_columns(all(*even) ^ columns),
        ];
        [disjoint(first, second), disjoint(third, fourth)]
    }

    /// The sum of W · B over all C' with the weights of the keys, for one C.
    fn products(&self, even_rows: EvenRows, odd_rows: u32, columns: u32) -> u64 {
        let rows_tie = even_rows.is_odd_tie(odd_rows);
        let odd_columns = subsets(odd_lines(even_rows.size()), even_rows.odd_queens());
        let permitted = odd_columns.filter(|&set| even_rows.permits_odd(set));
        let products = permitted.map(|odd_columns| {
            let [white, black] = self.pairs(columns, odd_columns);
            let is_tie = even_rows.is_odd_tie(odd_columns);
            white * black * u64::from(even_rows.weight(rows_tie, columns, is_tie))
        });
        products.sum()
    }
}

/// Returns the sum of W · B with the weights of the keys, and its part with C = A.
pub(super) fn count(even_rows: EvenRows, odd_rows: u32) -> (u64, u64) {
    let boards = Boards::new(even_rows, odd_rows);
    let (mut sum, mut audited) = (0, 0);
    for columns in subsets(even_lines(even_rows.size()), even_rows.queens()) {
        if even_rows.permits_even_columns(columns) {
            let products = boards.products(even_rows, odd_rows, columns);
            sum += products;
            if columns == even_rows.rows() {
                audited = products;
            }
        }
    }
    (sum, audited)
}

/// Returns the part of [`count`] with C = A.
pub(in crate::count) fn count_audited(even_rows: EvenRows, odd_rows: u32) -> u64 {
    Boards::new(even_rows, odd_rows).products(even_rows, odd_rows, even_rows.rows())
}
