//! Compares a solution with its images: symmetryOps.

use core::cmp::Ordering;

use crate::{Cell, Class, FirstQueen, Masks, RowBits, Size, Transform};

/// One row of a comparison: the columns (from the right) of the solution's and of the image's
/// queen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedRow {
    /// The row, from the top.
    pub row: u32,
    /// The column of the solution's own queen.
    pub own: u32,
    /// The column of the image's queen.
    pub image: u32,
}

/// A comparison of a solution with one of its images, row by row from the top, up to the row that
/// decides. The iterator yields the compared rows, and [`outcome`](Comparison::outcome) returns the
/// result. A row without a queen, in the solution or in the image, ends the comparison; if all rows
/// above are equal, the outcome is [`Outcome::Same`].
///
/// ```
/// use queens_core::{Comparison, Outcome, Placement, Transform};
/// let placement = Placement::from_right(&[1, 3, 0, 2])?;
/// let rows: Vec<_> = placement.rows().collect();
/// let mut comparison = Comparison::new(&rows, placement.size(), Transform::Turn90);
/// assert_eq!(comparison.by_ref().count(), 4);
/// assert_eq!(comparison.outcome(), Outcome::Same);
/// # Ok::<(), queens_core::PlacementError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Comparison<'a> {
    queens: &'a [RowBits],
    last: u32,
    transform: Transform,
    row: u32,
    ordering: Ordering,
}

impl<'a> Comparison<'a> {
    /// Creates a comparison of `queens`, one bit per row, with their image under `transform`.
    #[inline]
    pub fn new(queens: &'a [RowBits], size: Size, transform: Transform) -> Comparison<'a> {
        Comparison { queens, last: size.last(), transform, row: 0, ordering: Ordering::Equal }
    }

    /// The column of the solution's own queen in `row`.
    #[inline]
    fn own_column(&self, row: u32) -> Option<u32> {
        let queen = self.queens.get(row as usize)?;
        (!queen.is_empty()).then(|| queen.column())
    }

    /// The column of the image's queen in `row`.
    #[inline]
    fn image_column(&self, row: u32) -> Option<u32> {
        let last = self.last;
        // The inverse transform maps the image's row to a row or a column of the solution. The
        // queen there becomes the image's queen in `row`.
        let in_row = |row| self.own_column(row);
        let mirrored = |line: Option<u32>| last.checked_sub(line?);
        let in_column = |column: u32| {
            let queen = RowBits::of(column);
            Some(self.queens.iter().position(|&q| q == queen)? as u32)
        };
        match self.transform {
            Transform::Identity => in_row(row),
            Transform::LeftRight => mirrored(in_row(row)),
            Transform::TopBottom => in_row(last - row),
            Transform::Turn180 => mirrored(in_row(last - row)),
            Transform::Turn90 => in_column(last - row),
            Transform::Turn270 => mirrored(in_column(row)),
            Transform::MainDiagonal => mirrored(in_column(last - row)),
            Transform::AntiDiagonal => in_column(row),
        }
    }

    /// Compares all remaining rows and returns the result.
    #[inline]
    pub fn outcome(mut self) -> Outcome {
        while self.next().is_some() {}
        match self.ordering {
            Ordering::Less => Outcome::ImageSmaller,
            Ordering::Equal => Outcome::Same,
            Ordering::Greater => Outcome::ImageLarger,
        }
    }
}

impl Iterator for Comparison<'_> {
    type Item = ComparedRow;

    #[inline]
    fn next(&mut self) -> Option<ComparedRow> {
        if self.row > self.last || self.ordering != Ordering::Equal {
            return None;
        }
        let row = self.row;
        let own = self.own_column(row)?;
        let image = self.image_column(row)?;
        self.ordering = image.cmp(&own);
        self.row += 1;
        Some(ComparedRow { row, own, image })
    }
}

/// The result of comparing an image's judgement value with the solution's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The image is smaller: this solution is not the representative and is not counted.
    ImageSmaller,
    /// The image is the solution itself, or no compared row differs on an incomplete board.
    Same,
    /// The image is larger: the solution may be the representative.
    ImageLarger,
}

/// The comparisons that a solution of the symmetry method needs, in order: at most one for each
/// of the cells A, B and C, and none in the corner case.
///
/// This is a state machine so that it can be stepped: [`next`](SymmetryOps::next) returns the image
/// to compare with, and [`learn`](SymmetryOps::learn) receives the outcome.
///
/// ```
/// use queens_core::{Cell, Class, Comparison, Masks, Placement, SymmetryOps, Verdict};
/// // . . . Q . .
/// // Q . . . . .
/// // . . . . Q .
/// // . Q . . . .
/// // . . . . . Q
/// // . . B . . .     a queen on cell B: compared with the image under a half turn
/// let placement = Placement::from_left(&[3, 0, 4, 1, 5, 2])?;
/// let masks = Masks::branch_of(&placement).ok_or("a first queen right of the middle")?;
/// let mut rows = [Default::default(); 32];
/// for (entry, row) in rows.iter_mut().zip(placement.rows()) {
///     *entry = row;
/// }
/// let mut comparisons = SymmetryOps::new(&rows, &masks);
/// assert_eq!(comparisons.next(), Some(Cell::B));
/// while let Some(cell) = comparisons.next() {
///     let comparison = Comparison::new(&rows, placement.size(), cell.transform());
///     comparisons.learn(cell, comparison.outcome());
/// }
/// assert_eq!(comparisons.verdict(), Verdict::Keep(Class::Four));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymmetryOps {
    /// The cells whose comparisons remain.
    cells: Cells,
    verdict: Option<Verdict>,
}

/// A set of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells(u8);

impl Cells {
    /// The cells of a branch that hold a queen.
    #[inline]
    pub fn held(queens: &[RowBits; 32], masks: &Masks) -> Cells {
        let mut held = Cells::default();
        for cell in Cell::ALL {
            if let Some((row, square)) = masks.cell(cell)
                && queens.get(row as usize) == Some(&square)
            {
                held.0 |= 1 << cell as u8;
            }
        }
        held
    }

    /// Whether a cell is in the set.
    #[inline]
    pub fn contains(self, cell: Cell) -> bool {
        self.0 & 1 << cell as u8 != 0
    }

    /// The cells in the order of their comparisons.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        Cell::ALL.into_iter().filter(move |&cell| self.contains(cell))
    }
}

/// The result of all comparisons of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// An image has a smaller judgement value, so the class is counted with another solution.
    Drop,
    /// The solution is the representative of its class.
    Keep(Class),
}

impl SymmetryOps {
    /// No comparisons.
    pub const NONE: SymmetryOps = SymmetryOps { cells: Cells(0), verdict: None };

    /// The comparisons that a full board of the symmetry method requires.
    #[inline]
    pub fn new(queens: &[RowBits; 32], masks: &Masks) -> SymmetryOps {
        if masks.first == FirstQueen::Corner {
            return SymmetryOps::NONE;
        }
        SymmetryOps { cells: Cells::held(queens, masks), verdict: None }
    }

    /// The cell of the next comparison; `None` if no comparison is left.
    #[inline]
    #[must_use = "returns what to compare; pass the outcome to `learn`"]
    pub fn next(&self) -> Option<Cell> {
        if self.verdict.is_some() {
            return None;
        }
        self.cells.iter().next()
    }

    /// Receives the outcome of the comparison that [`next`](SymmetryOps::next) returned.
    #[inline]
    pub fn learn(&mut self, cell: Cell, outcome: Outcome) {
        self.cells.0 &= !(1 << cell as u8);
        self.verdict = match (outcome, cell) {
            (Outcome::ImageSmaller, _) => Some(Verdict::Drop),
            (Outcome::ImageLarger, _) => None,
            // A solution equal to its image under one quarter turn is equal under all turns.
            (Outcome::Same, Cell::A | Cell::C) => Some(Verdict::Keep(Class::Two)),
            (Outcome::Same, Cell::B) => Some(Verdict::Keep(Class::Four)),
        };
    }

    /// The verdict. Call this when no comparison is left.
    #[inline]
    pub fn verdict(&self) -> Verdict {
        self.verdict.unwrap_or(Verdict::Keep(Class::Eight))
    }
}

/// The comparisons of a method that does not use the cells: with every image, turns first, until
/// the result is known. If a quarter turn maps the solution to itself, only one mirror image is
/// left to compare; if only the half turn does, two are left.
///
/// ```
/// use queens_core::{Class, FullComparison, Outcome, Size, Transform, Verdict};
/// let mut comparisons = FullComparison::new(Size::new(4)?);
/// comparisons.learn(Transform::Turn90, Outcome::Same);
/// assert_eq!(comparisons.next(), Some(Transform::LeftRight));
/// comparisons.learn(Transform::LeftRight, Outcome::ImageLarger);
/// assert_eq!((comparisons.next(), comparisons.verdict()), (None, Verdict::Keep(Class::Two)));
/// # Ok::<(), queens_core::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullComparison {
    /// The number of comparisons made so far.
    comparisons: u8,
    /// The class, as far as these comparisons determine it.
    class: Class,
    /// Whether an image was smaller.
    dropped: bool,
}

impl FullComparison {
    /// Creates the state before the first comparison.
    #[inline]
    pub fn new(size: Size) -> FullComparison {
        let class = if size.get() == 1 { Class::One } else { Class::Eight };
        FullComparison { comparisons: 0, class, dropped: false }
    }

    /// The transform of the next image to compare with; `None` if no comparison is left.
    #[inline]
    #[must_use = "returns what to compare; pass the outcome to `learn`"]
    pub fn next(&self) -> Option<Transform> {
        use Transform::{
            AntiDiagonal, LeftRight, MainDiagonal, TopBottom, Turn90, Turn180, Turn270,
        };
        let order: &[Transform] = match self.class {
            _ if self.dropped => &[],
            Class::One => &[],
            Class::Two => &[Turn90, LeftRight],
            Class::Four => &[Turn90, Turn180, LeftRight, MainDiagonal],
            Class::Eight => {
                &[Turn90, Turn180, Turn270, LeftRight, MainDiagonal, TopBottom, AntiDiagonal]
            }
        };
        order.get(usize::from(self.comparisons)).copied()
    }

    /// Receives the outcome of the comparison that [`next`](FullComparison::next) returned.
    #[inline]
    pub fn learn(&mut self, transform: Transform, outcome: Outcome) {
        self.comparisons = self.comparisons.saturating_add(1);
        match (outcome, transform) {
            (Outcome::ImageSmaller, _) => self.dropped = true,
            (Outcome::Same, Transform::Turn90) => self.class = Class::Two,
            (Outcome::Same, Transform::Turn180) => self.class = Class::Four,
            _ => {}
        }
    }

    /// The verdict. Call this when no comparison is left.
    #[inline]
    pub fn verdict(&self) -> Verdict {
        if self.dropped { Verdict::Drop } else { Verdict::Keep(self.class) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_comparisons_do_not_overflow() {
        let mut comparison = FullComparison::new(Size::new(8).unwrap());
        for _ in 0..300 {
            comparison.learn(Transform::Turn90, Outcome::ImageLarger);
        }
        assert_eq!((comparison.next(), comparison.verdict()), (None, Verdict::Keep(Class::Eight)));
    }

    #[test]
    fn an_incomplete_board_is_undecided() {
        let mut rows = [RowBits::EMPTY; 5];
        let size = Size::new(5).unwrap();
        for transform in Transform::ALL {
            assert_eq!(Comparison::new(&rows, size, transform).outcome(), Outcome::Same);
        }
        rows[0] = RowBits::of(2);
        for transform in Transform::ALL {
            let undecided = transform != Transform::Identity && transform != Transform::LeftRight;
            let rows = Comparison::new(&rows, size, transform).count();
            assert_eq!(rows, if undecided { 0 } else { 1 }, "{transform:?}");
        }
    }
}
