//! Lists of solutions.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::ToString,
    vec::Vec,
};
use core::fmt;

use super::Kept;
use crate::{
    Placement, PlacementError, Queens, Size,
    known::known,
    notation::{Found, Ignored, Notation, NotationError, Reader},
    representative,
};

/// Maximum number of further pairs of attacking queens that a message names.
const MAX_ATTACKS: usize = 4;

/// The findings in a list of solutions.
#[derive(Debug, Default)]
pub struct Boards {
    reader: Reader,
    count: u64,
    sizes: BTreeMap<Size, SolutionsOfSize>,
    faults: Kept<BoardFault>,
    ignored: Kept<Ignored>,
    /// Whether a list of columns counted from 0, and whether one counted from 1.
    counted_from: [bool; 2],
}

/// The different solutions of one board size in a list.
#[derive(Debug, Default)]
pub struct SolutionsOfSize {
    solutions: BTreeSet<Placement>,
    representatives: BTreeSet<Placement>,
}

impl SolutionsOfSize {
    /// The number of different solutions.
    pub fn solutions(&self) -> u64 {
        self.solutions.len() as u64
    }

    /// The number of classes to which they belong.
    pub fn classes(&self) -> u64 {
        self.representatives.len() as u64
    }
}

/// A board of a list that is not a solution, or not a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoardFault {
    /// The number of the board, from 1; `None` for a line that cannot be read.
    pub number: Option<u64>,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Its columns, if it has one queen in each row.
    pub columns: Option<Vec<u32>>,
    /// What is wrong; `None` if the solution was given before.
    pub error: Option<NotationError>,
    /// The rows of further queens that attack each other.
    pub attacks: Vec<(u32, u32)>,
}

impl Boards {
    /// The number of boards, valid or not.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The different solutions, by board size.
    pub fn sizes(&self) -> &BTreeMap<Size, SolutionsOfSize> {
        &self.sizes
    }

    /// The published number of solutions of a size, and whether the list has all of them.
    pub fn published(&self, size: Size) -> Option<(u64, bool)> {
        let total = known(size.get())?.total();
        let found = self.sizes.get(&size).map_or(0, SolutionsOfSize::solutions);
        Some((total, found == total))
    }

    /// The wrong boards, those given twice, and damaged lines.
    pub fn faults(&self) -> &Kept<BoardFault> {
        &self.faults
    }

    /// The number of the left-hand column in lists of columns, unless there are none or they differ.
    pub fn first_column(&self) -> Option<u32> {
        match self.counted_from {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        }
    }

    /// Lines that belong to no board.
    pub fn ignored(&self) -> &Kept<Ignored> {
        &self.ignored
    }

    pub(super) fn has_solution(&self) -> bool {
        self.sizes.keys().any(|size| size.get() > 1)
    }

    pub(super) fn line(&mut self, line: &str) {
        for found in self.reader.line(line) {
            self.add(found);
        }
    }

    pub(super) fn finish(&mut self) {
        for found in core::mem::take(&mut self.reader).finish() {
            self.add(found);
        }
    }

    fn add(&mut self, found: Found) {
        let board = match found {
            Found::Board(board) => board,
            Found::Ignored(line) => return self.ignored.push(line),
            Found::Wrong { line, error } => {
                let (number, columns, error, attacks) = (None, None, Some(error), Vec::new());
                return self.faults.push(BoardFault { number, line, columns, error, attacks });
            }
        };
        self.count += 1;
        if let Notation::Columns { first } = board.notation {
            self.counted_from[usize::from(first == 1)] = true;
        }
        let (columns, error, attacks) = match board.placement() {
            Ok(placement) => {
                let size = self.sizes.entry(placement.size()).or_default();
                if size.solutions.insert(placement) {
                    size.representatives.insert(representative(&placement));
                    return;
                }
                (Some(placement.columns_from_left().collect()), None, Vec::new())
            }
            Err(error) => {
                let queens =
                    Size::new(board.rows() as u32).ok().and_then(|size| board.queens(size).ok());
                let attacks = match (&queens, &error) {
                    (Some(queens), NotationError::Placement(PlacementError::Attacked(first))) => {
                        let pairs = queens.conflicts();
                        let rows = pairs.map(|pair| (pair.first.row(), pair.second.row()));
                        rows.filter(|&rows| rows != (first.upper, first.lower)).collect()
                    }
                    _ => Vec::new(),
                };
                (queens.as_ref().and_then(single_columns), Some(error), attacks)
            }
        };
        let (number, line) = (Some(self.count), board.line);
        self.faults.push(BoardFault { number, line, columns, error, attacks });
    }
}

/// The columns of the queens, counted from the left, if each row has one.
fn single_columns(queens: &Queens) -> Option<Vec<u32>> {
    let last = queens.size().last();
    queens.rows().iter().map(|row| last.checked_sub(row.single()?)).collect()
}

/// Formats the fault as in `board 37 (line 325): the queens in rows 2 and 3 attack each other: …`.
impl fmt::Display for BoardFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            Some(number) => write!(f, "board {number} (line {}", self.line)?,
            None => write!(f, "line {}", self.line)?,
        }
        if let Some(columns) = &self.columns {
            let columns: Vec<_> = columns.iter().map(ToString::to_string).collect();
            write!(f, ", columns {}", columns.join(" "))?;
        }
        if self.number.is_some() {
            f.write_str(")")?;
        }
        match &self.error {
            Some(error) => write!(f, ": {error}")?,
            None => f.write_str(" was given before")?,
        }
        for (index, (upper, lower)) in self.attacks.iter().take(MAX_ATTACKS).enumerate() {
            let also = if index == 0 { "; so do those in" } else { ", in" };
            write!(f, "{also} rows {upper} and {lower}")?;
        }
        match self.attacks.len().saturating_sub(MAX_ATTACKS) {
            0 => Ok(()),
            1 => f.write_str(", and 1 more pair"),
            more => write!(f, ", and {more} more pairs"),
        }
    }
}
