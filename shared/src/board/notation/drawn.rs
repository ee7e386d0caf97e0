//! Reads drawings of boards.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use super::NotationError;

const QUEENS: &str = "QqX*1";
const EMPTY: &str = "._-0+";

/// Whether a line has only signs of drawings and frames.
pub(super) fn is_drawn(line: &str) -> bool {
    let is_sign = |sign| QUEENS.contains(sign) || EMPTY.contains(sign) || "|= ".contains(sign);
    line.chars().all(is_sign)
}

/// A board of a drawing: the index of its first line, its side, and its queens as row and column.
pub(super) type Drawn = (usize, u32, Vec<(u32, u32)>);

/// Reads the boards of consecutive lines: one, or several below or side by side. They are square, so
/// the width of a board tells where the next one begins. `None` if no line has a queen.
pub(super) fn boards(lines: &[String]) -> Option<Result<Vec<Drawn>, NotationError>> {
    let has_queen = |line: &&String| line.contains(|sign| QUEENS.contains(sign));
    let first = lines.iter().find(has_queen)?;
    let mut signs = String::new();
    let mut empty = String::new();
    for sign in lines.iter().filter(has_queen).flat_map(|line| line.chars()) {
        let sign = if sign == 'q' { 'Q' } else { sign };
        let set = if QUEENS.contains(sign) { &mut signs } else { &mut empty };
        if !set.contains(sign) && !"|= ".contains(sign) {
            set.push(sign);
        }
    }
    if signs.len() > 1 {
        let all: Vec<_> = signs.chars().map(String::from).collect();
        return Some(Err(NotationError::AmbiguousSigns {
            row: first.trim().into(),
            signs: all.join(" "),
        }));
    }
    let has_bars = lines.iter().any(|line| line.contains('|'));
    // A line without a queen is a row if it has the signs that stand for empty squares elsewhere.
    let is_row = |line: &String| {
        let only_empty = || line.chars().all(|sign| "| ".contains(sign) || empty.contains(sign));
        let begins_row =
            if has_bars { line.contains('|') } else { line.contains(|s| empty.contains(s)) };
        has_queen(&line) || begins_row && only_empty()
    };
    let indices: Vec<usize> =
        (0..).zip(lines).filter(|(_, line)| is_row(line)).map(|(index, _)| index).collect();
    let block = Block {
        rows: lines.iter().filter(|line| is_row(line)).map(String::as_bytes).collect(),
        has_bars,
        space_is_empty: empty.is_empty(),
    };
    let grids = block.grids(lines).ok_or_else(|| block.uneven());
    Some(grids.map(|grids| {
        let side = grids.first().map_or(1, |grid| grid.first().map_or(1, Vec::len)).max(1);
        let mut found = Vec::new();
        for (chunk, rows) in indices.chunks(side).enumerate() {
            for grid in &grids {
                let queens = (0..).zip(grid.iter().skip(chunk * side).take(side)).flat_map(
                    |(row, cells)| {
                        (0..)
                            .zip(cells)
                            .filter(|(_, queen)| **queen)
                            .map(move |(column, _)| (row, column))
                    },
                );
                found.push((
                    rows.first().copied().unwrap_or_default(),
                    side as u32,
                    queens.collect(),
                ));
            }
        }
        found
    }))
}

struct Block<'a> {
    rows: Vec<&'a [u8]>,
    has_bars: bool,
    /// Between bars a space is an empty square, unless another sign is.
    space_is_empty: bool,
}

/// The squares of a column of boards, row by row; a queen is true.
type Grid = Vec<Vec<bool>>;

impl Block<'_> {
    /// The boards side by side, each with those below it. They are separated by columns of spaces; the
    /// widest board that fits is tried first.
    fn grids(&self, lines: &[String]) -> Option<Vec<Grid>> {
        let width = lines.iter().map(String::len).max()?;
        let is_blank = |&column: &usize| {
            lines.iter().all(|line| line.as_bytes().get(column).is_none_or(|&sign| sign == b' '))
        };
        let inked: Vec<usize> = (0..width).filter(|column| !is_blank(column)).collect();
        let gaps: Vec<usize> = inked.windows(2).map(|pair| pair[1] - pair[0] - 1).collect();
        let frame_ends = lines.iter().any(|line| line.trim().contains(' ') && line.contains("+-"));
        let mut widths: Vec<usize> = gaps.iter().copied().filter(|&gap| gap > 0).collect();
        widths.sort_unstable();
        widths.dedup();
        if !frame_ends {
            widths.push(usize::MAX);
        }
        let boards = |least: usize| {
            let mut ranges: Vec<Range<usize>> = Vec::new();
            for (position, &column) in inked.iter().enumerate() {
                let gap = position.checked_sub(1).and_then(|index| gaps.get(index)).copied();
                match ranges.last_mut() {
                    Some(range) if gap.is_none_or(|gap| gap < least) => range.end = column + 1,
                    _ => ranges.push(column..column + 1),
                }
            }
            self.all_of(ranges.into_iter().map(|range| self.grid(range, &inked)))
        };
        widths
            .into_iter()
            .rev()
            .find_map(boards)
            .or_else(|| self.all_of([self.ragged()].into_iter()))
    }

    /// The grids, if they are of one side that divides the number of rows.
    fn all_of(&self, grids: impl Iterator<Item = Option<Grid>>) -> Option<Vec<Grid>> {
        let grids = grids.collect::<Option<Vec<Grid>>>()?;
        let side = grids.first()?.first()?.len();
        let is_right = |row: &Vec<bool>| row.len() == side;
        let fits = side > 0 && self.rows.len().is_multiple_of(side);
        (fits && grids.iter().flatten().all(is_right)).then_some(grids)
    }

    fn grid(&self, range: Range<usize>, inked: &[usize]) -> Option<Grid> {
        let slices = self
            .rows
            .iter()
            .map(|row| row.get(range.start..range.end.min(row.len())).unwrap_or(&[]));
        if self.has_bars {
            return self.between_bars(&slices.collect::<Vec<_>>());
        }
        let columns: Vec<usize> =
            inked.iter().copied().filter(|column| range.contains(column)).collect();
        let mut steps = columns.windows(2).map(|pair| pair[1] - pair[0]);
        let step = steps.next();
        if steps.any(|other| Some(other) != step) {
            return None;
        }
        let cell = |row: &[u8], column: usize| {
            row.get(column).filter(|&&sign| sign != b' ').map(|&sign| is_queen(sign))
        };
        self.rows
            .iter()
            .map(|row| columns.iter().map(|&column| cell(row, column)).collect())
            .collect()
    }

    fn between_bars(&self, rows: &[&[u8]]) -> Option<Grid> {
        let split: Vec<Vec<&[u8]>> = rows
            .iter()
            .map(|row| row.split(|&sign| sign == b'|').map(<[u8]>::trim_ascii).collect())
            .collect();
        let is_closed = split.iter().all(|cells| {
            cells.len() > 2
                && cells.first().is_some_and(|cell| cell.is_empty())
                && cells.last().is_some_and(|cell| cell.is_empty())
        });
        let height = rows.len();
        (0..)
            .zip(&split)
            .map(|(index, cells): (usize, _)| {
                let cells = if is_closed { cells.get(1..cells.len() - 1)? } else { cells };
                if let [_] = cells {
                    // A frame around the board only.
                    let row =
                        rows.get(index)?.split(|&sign| sign == b'|').nth(usize::from(is_closed))?;
                    let step = row.len().div_ceil(height.max(1)).max(1);
                    let start = usize::from(row.len() == 2 * height + 1);
                    let signs = row.iter().skip(start).step_by(step);
                    let written = row.iter().filter(|&&sign| sign != b' ');
                    return Some(if self.space_is_empty {
                        signs.map(|&sign| is_queen(sign)).collect()
                    } else {
                        written.map(|&sign| is_queen(sign)).collect()
                    });
                }
                let cell = |cell: &&[u8]| match **cell {
                    [] => Some(false),
                    [sign] => Some(is_queen(sign)),
                    _ => None,
                };
                cells.iter().map(cell).collect()
            })
            .collect()
    }

    /// The signs of each row, wherever they stand: rows of different indentation.
    fn ragged(&self) -> Option<Grid> {
        if self.has_bars {
            return None;
        }
        let signs =
            |row: &&[u8]| row.iter().filter(|&&s| s != b' ').map(|&s| is_queen(s)).collect();
        Some(self.rows.iter().map(signs).collect())
    }

    /// Names the first row that differs from most.
    fn uneven(&self) -> NotationError {
        let squares = |row: &&[u8]| match self.has_bars {
            true => row.iter().filter(|&&sign| sign == b'|').count().saturating_sub(1),
            false => row.iter().filter(|&&sign| sign != b' ').count(),
        };
        let counts: Vec<usize> = self.rows.iter().map(squares).collect();
        let times = |count: &usize| counts.iter().filter(|other| *other == count).count();
        let usual = counts.iter().copied().max_by_key(times).unwrap_or_default();
        match counts.iter().position(|&count| count != usual) {
            Some(row) => NotationError::UnevenRow { row, squares: counts[row], usual },
            None => NotationError::NotSquare { rows: counts.len(), squares: usual },
        }
    }
}

fn is_queen(sign: u8) -> bool {
    QUEENS.contains(char::from(sign))
}
