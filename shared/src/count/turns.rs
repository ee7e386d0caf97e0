//! Counts the solutions that are fixed by half and quarter turns.
//!
//! The search for solutions fixed by a half turn places each queen together with its image; the search
//! for solutions fixed by a quarter turn places each queen together with its three images. There are
//! far fewer such solutions than solutions in total, so both searches take less than a second up to
//! about N = 22.

use crate::{RowBits, Size, board::Lines};

/// The lines that are closed before a search. These are the main diagonals, because a queen there would
/// attack its own image, and on an odd board also the middle column, because the only queen of this
/// column must stand in the centre.
fn initial_lines(size: Size) -> Lines {
    let (lines, middle) = (Lines::main_diagonals(size), size.last() / 2);
    if size.get() % 2 == 1 { lines.with(size, middle, middle) } else { lines }
}

/// The numbers of solutions that half and quarter turns map to themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Turns {
    /// H: solutions fixed by a half turn (OEIS A032522).
    pub half: u64,
    /// R: solutions fixed by a quarter turn, and so also by a half turn (OEIS A033148).
    pub quarter: u64,
}

impl Turns {
    /// Counts H and R with two separate searches.
    pub fn search(size: Size) -> Turns {
        Turns { half: half_turn(size), quarter: quarter_turn(size) }
    }
}

/// Counts the solutions that a half turn maps to themselves (OEIS A032522) and whose first queen is
/// in `column`, from the right. H is the sum over the columns 0..N. The columns are independent, so
/// a long count can be distributed and show progress.
pub fn half_turn_from(size: Size, column: u32) -> u64 {
    fn count(size: Size, lines: Lines, row: u32) -> u64 {
        if 2 * row >= size.last() {
            return 1;
        }
        below(size, lines, row, lines.free(size, row))
    }
    fn below(size: Size, lines: Lines, row: u32, free: RowBits) -> u64 {
        let last = size.last();
        free.columns()
            .filter_map(|column| {
                lines.beside(size, (row, column))?.beside(size, (last - row, last - column))
            })
            .map(|lines| count(size, lines, row + 1))
            .sum()
    }
    let lines = initial_lines(size);
    if size.get() == 1 {
        return u64::from(column == 0);
    }
    below(size, lines, 0, lines.free(size, 0) & RowBits::of(column))
}

/// Counts the solutions that a half turn maps to themselves: H, OEIS A032522.
///
/// ```
/// use queens_core::{Size, half_turn};
/// assert_eq!(half_turn(Size::new(8)?), 4);
/// # Ok::<(), queens_core::SizeError>(())
/// ```
pub fn half_turn(size: Size) -> u64 {
    (0..size.get()).map(|column| half_turn_from(size, column)).sum()
}

/// Counts the solutions that a quarter turn maps to themselves: R, OEIS A033148. R is 0 unless N is
/// 4k or 4k + 1.
pub fn quarter_turn(size: Size) -> u64 {
    fn count(size: Size, lines: Lines, row: u32) -> u64 {
        let last = size.last();
        // A queen and its images under turns occupy the same set of rows as of columns. So a row
        // has a queen if the column of the same number has one.
        let Some(row) = (row..=last).find(|&row| !lines.down().contains(row)) else {
            return 1;
        };
        let own_image = RowBits::of(row) | RowBits::of(last - row);
        (lines.free(size, row) - own_image)
            .columns()
            .filter_map(|column| {
                lines
                    .beside(size, (row, column))?
                    .beside(size, (last - column, row))?
                    .beside(size, (last - row, last - column))?
                    .beside(size, (column, last - row))
            })
            .map(|lines| count(size, lines, row + 1))
            .sum()
    }
    count(size, initial_lines(size), 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Stabiliser, oracle};

    #[test]
    fn counts_of_fixed_solutions_match_the_oracle() {
        for size in Size::all().take(9) {
            let (mut half, mut quarter) = (0, 0);
            oracle::solutions(size, &mut |placement| match Stabiliser::of(placement) {
                Stabiliser::Identity => {}
                Stabiliser::HalfTurn => half += 1,
                Stabiliser::QuarterTurns | Stabiliser::WholeSquare => {
                    half += 1;
                    quarter += 1;
                }
            });
            assert_eq!(Turns::search(size), Turns { half, quarter }, "N = {size}");
        }
    }
}
