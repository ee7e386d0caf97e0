//! The formula of the method as it stands: for pairs whose numbers are too large for the tables, and
//! to test the kernel.

use alloc::{vec, vec::Vec};

use super::{
    boards::{Board, all, even_lines, odd_lines, subsets},
    pairs::EvenRows,
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

/// Returns the part of [`count`] with C = A. It lists only the boards in even columns.
pub(in crate::count) fn count_audited(even_rows: EvenRows, odd_rows: u32) -> u64 {
    let (size, rows) = (even_rows.size(), even_rows.rows());
    let (even, odd) = (even_lines(size), odd_lines(size));
    let white = pairs_by_columns(
        (Board::even_even(size), rows, rows),
        (Board::odd_odd(size), odd_rows),
        odd,
    );
    let black = pairs_by_columns(
        (Board::odd_even(size), all(odd) ^ odd_rows, all(even) ^ rows),
        (Board::even_odd(size), all(even) ^ rows),
        odd,
    );
    let rows_tie = even_rows.is_odd_tie(odd_rows);
    let odd_columns = subsets(odd, even_rows.odd_queens());
    let products = odd_columns.filter(|&set| even_rows.permits_odd(set)).map(|columns| {
        let pairs = |by_columns: &[u64], columns| by_columns.get(columns as usize).copied();
        let product = pairs(&white, columns).zip(pairs(&black, all(odd) ^ columns));
        let weight = even_rows.weight(rows_tie, rows, even_rows.is_odd_tie(columns));
        product.map_or(0, |(white, black)| white * black * u64::from(weight))
    });
    products.sum()
}

/// For each set of columns of the second board, the number of pairs without a common line of a placement
/// with these columns and a placement of the first board with given columns.
fn pairs_by_columns(
    (first, rows, columns): (Board, u32, u32),
    (second, second_rows): (Board, u32),
    length: u32,
) -> Vec<u64> {
    let mut listed = Vec::new();
    let rows: Vec<u32> = first.outwards(rows).collect();
    first.placements(&rows, &mut |other, lines| {
        if other == columns {
            listed.push(lines);
        }
    });
    let mut pairs = vec![0; 1 << length];
    let rows: Vec<u32> = second.outwards(second_rows).collect();
    second.placements(&rows, &mut |columns, lines| {
        if let Some(pairs) = pairs.get_mut(columns as usize) {
            *pairs += listed.iter().filter(|&other| other & lines == 0).count() as u64;
        }
    });
    pairs
}
