//! Finds the solutions that contain given queens.
//!
//! Deciding whether such a solution exists is the n-queens completion problem, which is hard in
//! general (Gent, Jefferson and Nightingale, "Complexity of n-Queens Completion", 2017). This
//! search is exact. It always fills the row with the fewest free squares, or a column with one free
//! square. With few given queens, this choice costs as much per queen as it saves; with many, it
//! saves far more.

#[cfg(feature = "alloc")]
use alloc::{collections::VecDeque, vec::Vec};

use crate::{Column, Placement, Queens, RowBits, Seek, Size, Square, board::Lines};

/// The rows without a queen, and the lines that the placed queens close.
#[derive(Clone, Copy, Debug)]
struct OpenRows {
    rows: RowBits,
    lines: Lines,
}

/// The choice at the most constrained row or column.
enum Choice {
    /// The row or column has no free square: no solution contains these queens.
    Blocked(Unit),
    /// The squares of a row of which one must hold a queen, and the row or column that limits them.
    Among { row: u32, squares: RowBits, unit: Unit },
}

impl OpenRows {
    /// The open rows of a board with the given queens; `None` if two queens attack each other.
    fn new(queens: &Queens) -> Option<OpenRows> {
        if queens.conflicts().next().is_some() {
            return None;
        }
        let filled: RowBits = queens.squares().map(Square::row).collect();
        Some(OpenRows { rows: queens.size().mask() - filled, lines: queens.lines() })
    }

    #[inline(always)]
    fn free(self, size: Size, row: u32) -> RowBits {
        self.lines.free(size, row)
    }

    #[inline(always)]
    fn with(self, size: Size, row: u32, column: u32) -> OpenRows {
        OpenRows { rows: self.rows - RowBits::of(row), lines: self.lines.with(size, row, column) }
    }

    /// Returns the row with the fewest free squares; of several such rows, the topmost one. If every
    /// row has at least two free squares and a column has fewer, returns that column instead. `None`
    /// if every row is filled.
    #[inline(never)]
    fn tightest(self, size: Size) -> Option<Choice> {
        let (mut once, mut twice) = (RowBits::EMPTY, RowBits::EMPTY);
        let mut best: Option<(u32, RowBits)> = None;
        for row in self.rows.columns() {
            let free = self.free(size, row);
            twice |= once & free;
            once |= free;
            if free.is_empty() {
                return Some(Choice::Blocked(Unit::Row(row)));
            }
            if best.is_none_or(|(_, fewest)| free.len() < fewest.len()) {
                best = Some((row, free));
            }
        }
        let (row, squares) = best?;
        let unit = Unit::Row(row);
        if squares.len() == 1 {
            return Some(Choice::Among { row, squares, unit });
        }
        let columns =
            |bits: RowBits| bits.columns().filter_map(move |bit| Column::from_right(size, bit));
        if let Some(column) = columns(size.mask() - self.lines.down() - once).next() {
            return Some(Choice::Blocked(Unit::Column(column)));
        }
        for column in columns(once - twice) {
            let unit = Unit::Column(column);
            let squares = column.bit();
            let mut rows = self.rows.columns();
            if let Some(row) = rows.find(|&row| self.free(size, row).intersects(squares)) {
                return Some(Choice::Among { row, squares, unit });
            }
        }
        Some(Choice::Among { row, squares, unit })
    }

    /// The row to fill next and its free squares.
    #[inline(always)]
    fn next(self, size: Size) -> Option<(u32, RowBits)> {
        match self.tightest(size)? {
            Choice::Blocked(_) => None,
            Choice::Among { row, squares, .. } => Some((row, squares)),
        }
    }
}

/// A row or a column. A solution has exactly one queen in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A row, from the top.
    Row(u32),
    /// A column.
    Column(Column),
}

/// A fact about every solution that contains given queens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// Every solution has a queen on this square.
    Forced {
        /// The square.
        square: Square,
        /// The row or column whose only free square this is.
        unit: Unit,
    },
    /// A row or column has no free square left: no solution contains these queens.
    Blocked(Unit),
}

/// An iterator over the squares forced by given queens, one after another. Each is forced by the
/// given queens and the squares before it; see [`Queens::consequences`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Consequences {
    size: Size,
    /// `None` at the end.
    open: Option<OpenRows>,
}

impl Queens {
    /// Returns the squares that the queens force without a search: while a row or column has only
    /// one free square, a queen must stand there. The iterator ends when nothing more is forced, or
    /// with the first row or column without a free square. It is empty if queens attack each other.
    pub fn consequences(&self) -> Consequences {
        Consequences { size: self.size(), open: OpenRows::new(self) }
    }
}

impl Iterator for Consequences {
    type Item = Consequence;

    fn next(&mut self) -> Option<Consequence> {
        let open = self.open.take()?;
        match open.tightest(self.size)? {
            Choice::Blocked(unit) => Some(Consequence::Blocked(unit)),
            Choice::Among { row, squares, unit } if squares.len() == 1 => {
                let square = Square::of_bits(self.size, row, squares)?;
                self.open = Some(open.with(self.size, row, squares.column()));
                Some(Consequence::Forced { square, unit })
            }
            Choice::Among { .. } => None,
        }
    }
}

/// One level of the search: a row in which it tries squares.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The open rows before a queen is placed in this row.
    open: OpenRows,
    row: u32,
    /// Squares still to be tried.
    untried: RowBits,
    /// The square being tried.
    queen: RowBits,
}

/// A search for the solutions that contain given queens. It can be run in slices of any length.
///
/// ```
/// use queens_core::{Completions, Queens, Size, Square};
/// let eight = Size::new(8)?;
/// // Every solution completes the empty board; four have a queen in the upper left corner.
/// assert_eq!(Completions::new(&Queens::none(eight)).count(), 92);
/// let corner = Square::from_left(eight, 0, 0)?;
/// assert_eq!(Completions::new(&Queens::new(eight, [corner])?).count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Completions {
    given_queens: Queens,
    levels: [Level; 32],
    /// The number of levels in use; 0 at the end.
    depth: usize,
    /// Whether the given queens are themselves a solution, which has not been returned yet.
    is_own_solution: bool,
    /// The number of solutions found so far.
    found: u64,
}

/// The result of one step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A queen was placed, or a row was abandoned.
    Moved,
    /// All rows are filled.
    Solved,
    /// Nothing is left to try.
    Done,
}

impl Completions {
    /// Creates a search for the solutions that contain `given`. It finds none if two of the queens
    /// attack each other.
    pub fn new(given: &Queens) -> Completions {
        let none = OpenRows { rows: RowBits::EMPTY, lines: Lines::default() };
        let unused = Level { open: none, row: 0, untried: RowBits::EMPTY, queen: RowBits::EMPTY };
        let mut search = Completions {
            given_queens: *given,
            levels: [unused; 32],
            depth: 0,
            is_own_solution: given.placement().is_some(),
            found: 0,
        };
        if let Some(open) = OpenRows::new(given)
            && !open.rows.is_empty()
        {
            search.enter(open);
        }
        search
    }

    /// The number of solutions found so far. Exact up to N = 28.
    pub fn found(&self) -> u64 {
        self.found
    }

    /// Runs until the next [solution](Completions::solution), for at most `steps` steps. A step
    /// places a queen or abandons a row.
    pub fn search(&mut self, steps: u64) -> Seek {
        for _ in 0..steps {
            match self.step() {
                Step::Moved => {}
                Step::Solved => return Seek::Found,
                Step::Done => return Seek::NoMore,
            }
        }
        Seek::OutOfBudget
    }

    /// Runs for at most `steps` steps without stopping at solutions, which [`found`](Self::found)
    /// counts. Returns `false` once the search has ended.
    pub fn run(&mut self, steps: u64) -> bool {
        (0..steps).all(|_| self.step() != Step::Done)
    }

    #[inline(always)]
    fn step(&mut self) -> Step {
        if self.is_own_solution {
            self.is_own_solution = false;
            self.found += 1;
            return Step::Solved;
        }
        let size = self.given_queens.size();
        let Some(level) = self.depth.checked_sub(1).and_then(|top| self.levels.get_mut(top)) else {
            return Step::Done;
        };
        let Some(queen) = level.untried.take_lowest() else {
            self.depth -= 1;
            return Step::Moved;
        };
        level.queen = queen;
        let open = level.open.with(size, level.row, queen.column());
        if open.rows.is_empty() {
            self.found += 1;
            return Step::Solved;
        }
        self.enter(open);
        Step::Moved
    }

    /// Enters the next row, if every row and column has a free square.
    #[inline(always)]
    fn enter(&mut self, open: OpenRows) {
        if let Some((row, untried)) = open.next(self.given_queens.size())
            && let Some(level) = self.levels.get_mut(self.depth)
        {
            *level = Level { open, row, untried, queen: RowBits::EMPTY };
            self.depth += 1;
        }
    }

    /// The solution that has just been [found](Seek::Found).
    pub fn solution(&self) -> Option<Placement> {
        let levels = self.levels.get(..self.depth)?;
        let size = self.given_queens.size();
        let tried = levels.iter().filter_map(|level| Square::of_bits(size, level.row, level.queen));
        tried.fold(self.given_queens, Queens::toggled).placement()
    }

    /// Divides the search into independent parts: `given` with more queens, so that each solution
    /// contains the queens of exactly one part. Returns at least `parts` parts, unless there are
    /// fewer solutions.
    #[cfg(feature = "alloc")]
    pub fn parts(given: &Queens, parts: usize) -> Vec<Queens> {
        let size = given.size();
        let mut divided = VecDeque::from_iter(OpenRows::new(given).map(|open| (*given, open)));
        let mut complete = Vec::new();
        while complete.len() + divided.len() < parts
            && let Some((queens, open)) = divided.pop_front()
        {
            match open.tightest(size) {
                None => complete.push(queens),
                Some(Choice::Blocked(_)) => {}
                Some(Choice::Among { row, squares, .. }) => {
                    divided.extend(squares.columns().filter_map(|column| {
                        let square = Square::from_right(size, row, column).ok()?;
                        Some((queens.toggled(square), open.with(size, row, column)))
                    }));
                }
            }
        }
        complete.extend(divided.into_iter().map(|(queens, _)| queens));
        complete
    }
}

/// Iterates over all solutions, which may take years.
impl Iterator for Completions {
    type Item = Placement;

    fn next(&mut self) -> Option<Placement> {
        loop {
            match self.search(u64::MAX) {
                Seek::Found => return self.solution(),
                Seek::NoMore => return None,
                Seek::OutOfBudget => {}
            }
        }
    }

    fn count(mut self) -> usize {
        let before = self.found;
        while self.run(u64::MAX) {}
        usize::try_from(self.found - before).unwrap_or(usize::MAX)
    }
}
