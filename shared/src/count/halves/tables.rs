//! The placements of the strips as arrays of words, for GPUs, which join the strips on their own.

use alloc::vec::Vec;
use core::iter;

use super::{
    columns::{Symmetries, binomial},
    line::Seam,
    strip::LARGEST_TABLE,
    strips::part_tables,
};
use crate::Size;

/// The tables from which the lists of halves are built, uploaded to a GPU once per board.
///
/// The upper half consists of two strips of rows. A [division](Tables::divisions) is a partition of
/// the half's columns between the strips. A placement of the half is a pair of placements, one of
/// each strip, that do not attack each other along the *seam*, the line between the strips. Whether
/// it attacks a placement of the other half depends only on the set of
/// [`diagonals`](Tables::diagonals) on which it crosses the middle of the board. A placement of the
/// lower half is the mirror image of an upper placement with the lower half's columns: in its set,
/// the two bits of each neighbouring pair are exchanged.
///
/// A strip of many rows has an upper and a lower part. A [division](Tables::part_divisions) is a
/// partition of the strip's columns between the parts, and the placements of the parts must not
/// attack each other along the line between them. If a strip has few rows, all of them are in its
/// upper part, and its lower part has a single placement, which has no queens.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The board.
    pub size: Size,
    /// The number of rows of the outer and of the inner strip, 0 to 7.
    pub rows: [u32; 2],
    /// The number of rows in the upper part of each strip, which is nearer to the board's edge.
    pub upper_rows: [u32; 2],
    /// The number of middle diagonals that placements of both halves can cross, at most 54. They
    /// are the lowest bits of a set; of these bits, the highest stand for the diagonals that most
    /// placements cross. No higher bit is ever set in both halves.
    pub diagonals: u32,
    /// All divisions of a half's columns between the strips. Bit k is set if the outer strip has
    /// the half's k-th column, counted from the lowest one and from 0.
    pub divisions: Vec<u32>,
    /// All divisions of the outer and of the inner strip's columns between their parts. Bit k is
    /// set if the upper part has the strip's k-th column.
    pub part_divisions: [Vec<u32>; 2],
    /// The contribution of a column to the rank of a set: `ranks[column][i]` if it is the set's
    /// i-th column, counted from the lowest one and from 1. The rank is the sum over all columns of
    /// the set.
    pub ranks: [[u32; 8]; 32],
    /// Indices into [`placements`](Tables::placements), for the upper and the lower part of the
    /// outer strip and then of the inner one: the start of each column set's placements, by the
    /// set's rank, and the end of the last one.
    pub starts: [Vec<u32>; 4],
    /// The placements of the four parts. A record has four words: the low and the high word of the
    /// set of diagonals on which the placement crosses the seam, then the low and the high word of
    /// the set of diagonals on which it crosses the middle.
    ///
    /// The highest [`SIDE_BITS`](Tables::SIDE_BITS) bits of the second word have a bit for each row
    /// of the part, which is set if the row's queen is in a column with a lower number than the
    /// middle. The highest bits of the fourth word are set in the same way for columns with higher
    /// numbers. The row nearest to the board's edge is the lowest bit. On [odd
    /// boards](Symmetries::Centred) both words have instead the bit of the row whose queen is in the
    /// middle column.
    ///
    /// If any strip has two parts, a second record for each placement follows behind all first
    /// records: two words with the diagonals on which it crosses the line inside its strip, and two
    /// zeros.
    pub placements: Vec<[u32; 4]>,
    /// The index at which the second records begin, or 0 if no strip has two parts.
    pub insides: u32,
}

impl Tables {
    /// The number of bits for rows in a word of a record.
    pub const SIDE_BITS: u32 = 7;

    /// Builds the tables of a board, in some milliseconds. They take 29 MB for N = 21, where a
    /// strip has five rows and one part, and at most 53 MB, for N = 23. Returns `None` if the board
    /// has more than [`Size::MAX_COUNTED`] rows.
    pub fn new(size: Size) -> Option<Tables> {
        Tables::with_parts(size, LARGEST_TABLE)
    }

    /// Builds the tables of a board whose strips are in two parts if they have more rows than
    /// `largest_part`, which is clamped to 1 to 5. Returns `None` if the board has more than
    /// [`Size::MAX_COUNTED`] rows.
    pub fn with_parts(size: Size, largest_part: u32) -> Option<Tables> {
        if size.get() > Size::MAX_COUNTED {
            return None;
        }
        let largest_part = largest_part.clamp(1, LARGEST_TABLE);
        let strips = part_tables(size, largest_part);
        let rows = strips.each_ref().map(|parts| parts.each_ref().map(|(rows, _)| *rows));
        let tables = strips.as_flattened();
        let mut starts = [const { Vec::new() }; 4];
        let (mut placements, mut insides) = (Vec::new(), Vec::new());
        for (part_starts, (rows, table)) in starts.iter_mut().zip(tables) {
            let before = placements.len() as u32;
            part_starts.extend(table.starts().iter().map(|start| before + start));
            placements.extend(table.placements().map(|(seam, middle, [left, right])| {
                let neither = !(left | right) & ((1u16 << rows) - 1) as u8;
                let [left, right] = match Symmetries::of(size) {
                    Symmetries::Centred => [neither; 2],
                    Symmetries::Eight => [left, right],
                };
                let high = |diagonals: u64, side: u8| {
                    (diagonals >> 32) as u32 | u32::from(side) << (32 - Tables::SIDE_BITS)
                };
                [seam as u32, high(seam, left), middle as u32, high(middle, right)]
            }));
            let inside = table.inside().iter().copied().chain(iter::repeat(0));
            let records = inside.map(|inside| [inside as u32, (inside >> 32) as u32, 0, 0]);
            insides.extend(records.take(placements.len() - insides.len()));
        }
        let is_divided = rows.iter().any(|[_, lower]| *lower > 0);
        let insides_at = if is_divided { placements.len() as u32 } else { 0 };
        if is_divided {
            placements.extend(insides);
        }
        let divisions = |[first, second]: [u32; 2]| {
            let all = 0..1u32 << (first + second);
            all.filter(|places| places.count_ones() == first).collect()
        };
        let strip_rows = rows.map(|[upper, lower]| upper + lower);
        Some(Tables {
            size,
            rows: strip_rows,
            upper_rows: rows.map(|[upper, _]| upper),
            diagonals: Seam::middle(size).shared(),
            divisions: divisions(strip_rows),
            part_divisions: rows.map(divisions),
            ranks: core::array::from_fn(|column| {
                core::array::from_fn(|number| binomial(column as u32, number as u32) as u32)
            }),
            starts,
            placements,
            insides: insides_at,
        })
    }

    /// Returns the diagonals that no placement of either half may cross: those of the middle row's
    /// queen in this column.
    pub fn forbidden_diagonals(&self, middle_queen: u32) -> u64 {
        Seam::middle(self.size).crossed_by(0, middle_queen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Method, Plan, RowBits,
        count::halves::{columns::ColumnSets, line::exchanged},
        recount,
    };
    use core::cmp::Ordering;

    /// A placement of a strip: seam, middle, row numbers.
    type StripPlacement = (u64, u64, [u32; 2]);

    /// Joins the placements of a strip in these columns as a GPU does.
    fn strip_placements(tables: &Tables, strip: usize, columns: RowBits) -> Vec<StripPlacement> {
        let words = |low: u32, high: u32| u64::from(high << 7 >> 7) << 32 | u64::from(low);
        let mut all = Vec::new();
        for &division in &tables.part_divisions[strip] {
            let [upper, lower] = divided(columns, division);
            let of = |part: usize, columns: RowBits| {
                let starts = &tables.starts[2 * strip + part];
                let rank = rank(tables, columns);
                starts[rank] as usize..starts[rank + 1] as usize
            };
            for above in of(0, upper) {
                for below in of(1, lower) {
                    let inside = |placement: usize| {
                        let at = tables.insides as usize;
                        let [low, high, ..] = tables.placements[at + placement];
                        if at > 0 { words(low, high) } else { 0 }
                    };
                    if inside(above) & inside(below) != 0 {
                        continue;
                    }
                    let [above, below] = [above, below].map(|at| tables.placements[at]);
                    let side = |word: usize| {
                        let number = |word: u32| word >> (32 - Tables::SIDE_BITS);
                        number(below[word]) << tables.upper_rows[strip] | number(above[word])
                    };
                    let seam = words(above[0] | below[0], above[1] | below[1]);
                    let middle = words(above[2] | below[2], above[3] | below[3]);
                    all.push((seam, middle, [side(1), side(3)]));
                }
            }
        }
        all
    }

    /// Returns the columns that a division gives to the first and to the second strip or part.
    fn divided(columns: RowBits, division: u32) -> [RowBits; 2] {
        let chosen = (0..).zip(columns.columns()).filter(|(place, _)| division >> place & 1 == 1);
        let chosen: RowBits = chosen.map(|(_, column)| column).collect();
        [chosen, columns - chosen]
    }

    fn rank(tables: &Tables, columns: RowBits) -> usize {
        let ranks = (1..).zip(columns.columns());
        ranks.map(|(number, column)| tables.ranks[column as usize][number] as usize).sum()
    }

    /// Lists the placements of the upper half in these columns as a GPU does: their diagonals,
    /// and the smaller row number. Leaves out those that cross a `forbidden` diagonal.
    fn half_placements(tables: &Tables, columns: RowBits, forbidden: u64) -> Vec<(u64, u32)> {
        let mut placements = Vec::new();
        for &division in &tables.divisions {
            let [outer, inner] = divided(columns, division);
            let inners = strip_placements(tables, 1, inner);
            for (seam, middle, sides) in strip_placements(tables, 0, outer) {
                for &(other_seam, other_middle, others) in &inners {
                    let side = |of: usize| others[of] << tables.rows[0] | sides[of];
                    let middle = middle | other_middle;
                    if seam & other_seam == 0 && middle & forbidden == 0 {
                        placements.push((middle, side(0).min(side(1))));
                    }
                }
            }
        }
        placements
    }

    #[test]
    fn disjoint_pairs_of_undivided_strips_are_the_solutions() {
        check_solutions(|size| Tables::new(size).unwrap());
    }

    #[test]
    fn disjoint_pairs_of_divided_strips_are_the_solutions() {
        for largest_part in [1, 2] {
            check_solutions(|size| Tables::with_parts(size, largest_part).unwrap());
        }
        let tables = Tables::with_parts(Size::new(9).unwrap(), 1).unwrap();
        assert_eq!((tables.rows, tables.upper_rows), ([2, 2], [1, 1]));
        assert_eq!(2 * tables.insides as usize, tables.placements.len());
    }

    #[test]
    fn placements_encode_the_row_of_the_queen_in_the_middle_column() {
        for (n, largest_part) in [(5, 5), (7, 1), (9, 2)] {
            let size = Size::new(n).unwrap();
            let tables = Tables::with_parts(size, largest_part).unwrap();
            let shift = 32 - Tables::SIDE_BITS;
            let parts = part_tables(size, largest_part);
            let parts = parts.as_flattened().iter().flat_map(|(rows, table)| {
                table.placements().map(|(_, _, [left, right])| {
                    let queens_aside = u32::from(left | right);
                    ((1 << *rows) - 1) & !queens_aside
                })
            });
            let rows: Vec<u32> = parts.collect();
            for (place, (placement, row)) in tables.placements.iter().zip(rows).enumerate() {
                assert!(row.count_ones() <= 1, "N = {n}, {place}");
                assert_eq!([1, 3].map(|word| placement[word] >> shift), [row; 2], "N = {n}");
            }
        }
    }

    /// Compares the counts of all tasks of small boards with a recount by backtracking.
    fn check_solutions(tables: impl Fn(Size) -> Tables) {
        for n in 4..=if cfg!(miri) { 6 } else { 9 } {
            let size = Size::new(n).unwrap();
            let tables = tables(size);
            let plan = Plan::new(size, Method::Halves);
            for task in 0..plan.len() {
                let sets = plan.column_sets(task).unwrap();
                let sum: u64 =
                    sets.map(|sets| solutions(&tables, &sets) * u64::from(sets.weight)).sum();
                assert_eq!(sum, recount(&plan, task).unwrap(), "N = {n}, task {task}");
            }
        }
    }

    /// Returns the number of solutions with these columns, each multiplied by its factor, as a GPU
    /// counts them.
    fn solutions(tables: &Tables, sets: &ColumnSets) -> u64 {
        let size = tables.size;
        if Symmetries::of(size) == Symmetries::Eight {
            let key = sets.key(size);
            let factor = |rows: u32, others| match rows.min(others).cmp(&key) {
                Ordering::Greater => 2,
                Ordering::Equal => 1,
                Ordering::Less => 0,
            };
            return pairs([sets.top, sets.bottom], tables, 0, factor);
        }
        let half = size.get() / 2;
        let with_middle_queen = sets.top.columns().map(|column| {
            let distance = column.abs_diff(half);
            let factor = |rows: u32, _| match rows.cmp(&(1 << (half - distance))) {
                _ if distance == 0 => 1,
                Ordering::Greater => 4,
                Ordering::Equal => 2,
                Ordering::Less => 0,
            };
            let columns = [sets.top.without(column), sets.bottom];
            pairs(columns, tables, tables.forbidden_diagonals(column), factor)
        });
        with_middle_queen.sum()
    }

    /// Returns the sum of the factors of all pairs of placements in these columns. `factor` returns
    /// the factor of a pair from the row numbers of both halves.
    fn pairs(
        [top, bottom]: [RowBits; 2],
        tables: &Tables,
        forbidden: u64,
        factor: impl Fn(u32, u32) -> u64,
    ) -> u64 {
        let shared = (1 << tables.diagonals) - 1;
        let bottom = half_placements(tables, bottom, forbidden);
        let mut sum = 0;
        for (top, rows) in half_placements(tables, top, forbidden) {
            for &(other, others) in &bottom {
                let mirrored = exchanged(other);
                assert_eq!(top & mirrored & !shared, 0, "a bit that only one half can have");
                if top & mirrored == 0 {
                    sum += factor(rows, others);
                }
            }
        }
        sum
    }
}
