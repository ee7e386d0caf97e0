//! Tables of totals: b-files of the OEIS, CSV, Markdown, and the tables of the seeds and of `queens table`.

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::fmt;

use super::Kept;
use crate::{
    known::known,
    notation::{Ignored, NotationError, fold, grouped},
};

/// The largest N of a row. Larger numbers are something else.
const LARGEST: u64 = 99;

/// The findings in a table of totals.
#[derive(Debug, Default)]
pub struct Totals {
    line: usize,
    /// The columns of N, Total and Unique, from a header.
    header: Option<[Option<usize>; 3]>,
    rows: Vec<Row>,
    ignored: Kept<Ignored>,
}

#[derive(Debug)]
struct Row {
    line: usize,
    n: u64,
    total: Option<u128>,
    unique: Option<u128>,
    /// Whether the line can also be a list of columns.
    can_be_columns: bool,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Cell {
    /// All solutions.
    Total,
    /// One solution of each class.
    Unique,
}

/// A number that differs from the published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WrongCell {
    /// The line, from 1.
    pub line: usize,
    /// N.
    pub n: u64,
    /// The column.
    pub cell: Cell,
    /// The number in the table.
    pub found: u128,
    /// The published number.
    pub published: u64,
}

impl Totals {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The values of N for which no number is published.
    pub fn unpublished(&self) -> impl Iterator<Item = u64> + '_ {
        self.rows.iter().map(|row| row.n).filter(|&n| published(n).is_none())
    }

    /// Whether the only numbers are unique counts. Without a header, the column that has fewer wrong
    /// numbers is taken.
    pub fn has_only_unique(&self) -> bool {
        if self.header.is_some() {
            return self.rows.iter().all(|row| row.total.is_none());
        }
        self.rows.iter().all(|row| row.unique.is_none())
            && self.wrong_in(Cell::Unique).len() < self.wrong_in(Cell::Total).len()
    }

    /// The numbers that differ from the published ones, in the order of the table.
    pub fn wrong(&self) -> Vec<WrongCell> {
        let is_swapped = self.header.is_none() && self.has_only_unique();
        self.wrong_in(if is_swapped { Cell::Unique } else { Cell::Total })
    }

    /// The wrong numbers, if those of the first column count `first`.
    fn wrong_in(&self, first: Cell) -> Vec<WrongCell> {
        let wrong = |row: &Row| {
            let (line, n) = (row.line, row.n);
            let published = published(n);
            let check = move |cell, found: Option<u128>| {
                let (total, unique) = published?;
                let published = if cell == Cell::Total { total } else { unique };
                let found = found.filter(|&found| found != u128::from(published))?;
                Some(WrongCell { line, n, cell, found, published })
            };
            [check(first, row.total), check(Cell::Unique, row.unique)]
        };
        self.rows.iter().flat_map(wrong).flatten().collect()
    }

    /// Lines that are no rows.
    pub fn ignored(&self) -> &Kept<Ignored> {
        &self.ignored
    }

    /// Whether the lines are a table: rows with increasing N, rather than lists of columns.
    pub(super) fn is_table(&self) -> bool {
        self.rows.is_sorted_by(|a, b| a.n < b.n) && self.rows.iter().any(|row| !row.can_be_columns)
    }

    pub(super) fn line(&mut self, text: &str) {
        self.line += 1;
        let folded = fold(text);
        let line = folded.trim();
        let is_rule = line.chars().all(|sign| "|+-=: ".contains(sign));
        if is_rule || line.starts_with('#') {
            return;
        }
        let cells = cells(line, text.contains('\t'));
        if let Some(row) = self.row(&cells) {
            return self.rows.push(row);
        }
        let header = header(&cells).filter(|_| self.rows.is_empty());
        if header.is_some() {
            self.header = header;
        } else {
            let error = NotationError::NoRow(text.trim().to_owned());
            self.ignored.push(Ignored { line: self.line, text: text.to_owned(), error });
        }
    }

    fn row(&self, cells: &[String]) -> Option<Row> {
        let [n, total, unique] = self.header.unwrap_or([Some(0), Some(1), Some(2)]);
        let at = |column: Option<usize>| number(cells.get(column?)?);
        let n = at(n).and_then(|n| u64::try_from(n).ok()).filter(|&n| n <= LARGEST)?;
        let (total, unique) = (at(total), at(unique));
        total.or(unique)?;
        let is_column =
            |cell: &String| number(cell).is_some_and(|column| column <= cells.len() as u128);
        let can_be_columns = cells.len() > 3 && cells.iter().all(is_column);
        Some(Row { line: self.line, n, total, unique, can_be_columns })
    }
}

/// The total and the unique count of a size. The empty board has one solution.
fn published(n: u64) -> Option<(u64, u64)> {
    if n == 0 {
        return Some((1, 1));
    }
    let numbers = known(u32::try_from(n).ok()?)?;
    Some((numbers.total(), numbers.unique()))
}

/// Divides a line at bars, tabs, semicolons, commas or spaces. A comma between digits can also group
/// thousands: in cells that something else separates.
fn cells(line: &str, has_tabs: bool) -> Vec<String> {
    let line = line.trim_matches('|');
    let separator = ['|', ';'].into_iter().find(|&sign| line.contains(sign));
    let is_grouped = |word: &str| {
        let mut groups = word.trim_matches(['"', ':']).split(',');
        groups.next().is_some_and(|first| (1..=3).contains(&first.len()))
            && groups
                .all(|group| group.len() == 3 && group.bytes().all(|digit| digit.is_ascii_digit()))
    };
    if let Some(separator) = separator {
        return line.split(separator).map(|cell| cell.trim().to_owned()).collect();
    }
    if line.contains(',')
        && !has_tabs
        && !line
            .split(' ')
            .all(|word| !word.contains(',') || is_grouped(word) && line.contains(' '))
    {
        let mut cells = Vec::from([String::new()]);
        let mut is_quoted = false;
        for sign in line.chars() {
            match (sign, cells.last_mut()) {
                ('"', _) => is_quoted = !is_quoted,
                (',', _) if !is_quoted => cells.push(String::new()),
                (_, Some(cell)) => cell.push(sign),
                (_, None) => {}
            }
        }
        return cells;
    }
    // `N = 8: 92`, `Q(8) = 92` and `a(8) = 92`.
    let start = line
        .strip_prefix(['N', 'n', 'Q', 'a'])
        .map(|rest| rest.trim_start_matches([' ', '=', '(']));
    let start = start.filter(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()));
    let words = start.unwrap_or(line).split([' ', '=', '>', ')']);
    words.filter(|word| !word.is_empty() && *word != ":").map(str::to_owned).collect()
}

/// A whole number, perhaps with a colon behind it, grouped thousands, quotes or Markdown's marks.
fn number(cell: &str) -> Option<u128> {
    let digits = cell.trim_matches([' ', ':', '"', '*', '`', '.']);
    let digits: String = digits.chars().filter(|sign| !matches!(sign, ',' | '_' | '\'')).collect();
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// The columns that a header names.
fn header(cells: &[String]) -> Option<[Option<usize>; 3]> {
    let find = |names: &[&str]| {
        cells.iter().position(|cell| {
            let cell = cell.trim_matches([' ', ':', '"', '*', '`']).to_lowercase();
            names.iter().any(|name| cell == *name || name.len() > 4 && cell.contains(name))
        })
    };
    let unique = find(&["unique", "fundamental", "distinct", "classes", "a002562"]);
    let total = find(&["total", "all", "count", "q(n)", "a(n)", "a000170", "solutions"])
        .filter(|&total| Some(total) != unique);
    total.or(unique)?;
    Some([Some(find(&["n", "size", "board"]).unwrap_or(0)), total, unique])
}

/// Formats the cell as in `line 12: N = 14: Total 365590 instead of 365,596`.
impl fmt::Display for WrongCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongCell { line, n, cell, found, published } = *self;
        let cell = if cell == Cell::Total { "Total" } else { "Unique" };
        write!(f, "line {line}: N = {n}: {cell} {} instead of {}", found, grouped(published))
    }
}
