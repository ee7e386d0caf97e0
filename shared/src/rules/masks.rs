//! The masks of the symmetry method and their change from one first queen to the next.

use core::fmt;

use crate::{Placement, RowBits, Size, Square, Transform, board::draw, words};

/// The division of a search by its first queens, and the rules that apply to the branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Branching {
    /// `bound1`: one branch for each first queen in the columns BOUND1 = 0..=N−2; no rule.
    Bound1,
    /// `bound2`: first the corner, with its second queen in the columns 2..=N−1; then first queens
    /// in the columns 1..=N−2; no rule.
    Bound2,
    /// `side-cuts`: the branches of `bound2` with the upper-side, lower-side and corner cuts.
    SideCuts,
    /// `symmetry`: only branches that can have representatives, and every rule. First the corner
    /// with its second queen in the columns 2..=N−2, then first queens up to the middle.
    Symmetry,
}

impl Branching {
    /// All divisions, in the order of their methods.
    pub const ALL: [Branching; 4] =
        [Branching::Bound1, Branching::Bound2, Branching::SideCuts, Branching::Symmetry];

    /// Whether a first queen in the corner is a separate case, divided by its second queen.
    ///
    /// ```
    /// # use queens_core::Branching;
    /// assert!(Branching::Bound2.has_corner() && !Branching::Bound1.has_corner());
    /// ```
    pub const fn has_corner(self) -> bool {
        match self {
            Branching::Bound1 => false,
            Branching::Bound2 | Branching::SideCuts | Branching::Symmetry => true,
        }
    }

    /// Whether the upper-side, lower-side and corner cuts apply.
    pub const fn cuts_sides(self) -> bool {
        match self {
            Branching::Bound1 | Branching::Bound2 => false,
            Branching::SideCuts | Branching::Symmetry => true,
        }
    }

    /// Whether only branches that can have representatives are searched. Only then LASTMASK and
    /// the cells are used.
    pub const fn seeks_representatives(self) -> bool {
        match self {
            Branching::Bound1 | Branching::Bound2 | Branching::SideCuts => false,
            Branching::Symmetry => true,
        }
    }
}

/// The position of the first row's queen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FirstQueen {
    /// In the right-hand corner, with the second queen in column BOUND1. A solution with a queen in
    /// a corner has eight different images. The corner cut leaves only the image with the smallest
    /// judgement value, so methods with this cut need no comparison here.
    Corner,
    /// In column BOUND1. If the corner is a separate case, this is column 1 or further left.
    Inner,
}

impl FirstQueen {
    /// All positions, in the order of the search.
    pub const ALL: [FirstQueen; 2] = [FirstQueen::Corner, FirstQueen::Inner];
}

/// The bit masks and bounds of one branch. A branch fixes the first queen; in the corner case it
/// also fixes the second.
///
/// The masks and bounds of the symmetry method at N = 8 and BOUND1 = 2, with columns from the
/// right, and their squares on the board:
///
/// ```text
///   row                       MASK     1111_1111   every square of a row
///   0   . . . . . Q . .       TOPBIT   1000_0000   the left-hand column
///   1   1 . . . . . . 1       SIDEMASK 1000_0001   closed in the rows above row BOUND1 (drawn as 1)
///   2   C . . . . . . .       LASTMASK 1100_0011   closed in the last row (drawn as 3)
///   3   . . . . . . . .       ENDBIT   0010_0000   cell B in the last row
///   4   . . . . . . . .
///   5   . . . . . . . A       BOUND1   2           the first queen's column, and cell C's row
///   6   2 . . . . . . 2       BOUND2   5           N − 1 − BOUND1, cell A's row
///   7   3 3 B . . . 3 3
/// ```
///
/// A side column is also closed in the rows below row BOUND2 (drawn as 2). A queen on a square
/// drawn as 1, 2 or 3 would become the first queen of an image whose [judgement
/// value](Placement::judgement_value) is smaller.
///
/// Earlier methods use fewer masks and bounds. A mask that a method does not use is empty, and only
/// `symmetry` has the cells.
///
/// ```
/// use queens_core::{Masks, RowBits, Size};
/// let mut branches = Masks::branches(Size::new(8)?);
/// let masks = branches.find(|masks| !masks.is_corner() && masks.bound1 == 2);
/// let masks = masks.ok_or("the branch drawn above")?;
/// assert_eq!(masks.first_queen(), RowBits::of(2));
/// assert_eq!(masks.lastmask, RowBits::from_bits(0b1100_0011));
/// assert_eq!((masks.endbit, masks.bound2), (RowBits::from_bits(0b0010_0000), 5));
/// println!("{masks}"); // draws the board above
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Masks {
    /// The division of the search.
    pub branching: Branching,
    /// The loop of first queens to which the branch belongs.
    pub first: FirstQueen,
    /// The board's side.
    pub size: Size,
    /// MASK: every square of a row.
    pub mask: RowBits,
    /// TOPBIT: the left-hand column; empty for the methods `bound1` and `bound2`.
    pub topbit: RowBits,
    /// ENDBIT: the square of the last row that a half turn maps to the first queen's square; empty
    /// in the corner case and for every method but `symmetry`.
    pub endbit: RowBits,
    /// SIDEMASK: both side columns; empty in the corner case and for the methods `bound1` and
    /// `bound2`.
    pub sidemask: RowBits,
    /// LASTMASK: the squares closed in the last row; empty in the corner case and for every method
    /// but `symmetry`.
    pub lastmask: RowBits,
    /// BOUND1: the first queen's column; in the corner case the second queen's.
    pub bound1: u32,
    /// BOUND2: N − 1 − BOUND1, the last row in which a side column may be taken. In the corner
    /// case, which has no lower-side cut, it is N − 1. The methods `bound1` and `bound2` do not use
    /// it.
    pub bound2: u32,
}

/// The column that the corner case closes above BOUND1: bit 1, next to the corner.
pub const CORNER_CUT: RowBits = RowBits::of(1);

impl Masks {
    /// The symmetry method's first branch of a board: the corner with its second queen in column 2.
    /// `None` if the board is too small (N = 1, 2, 3).
    ///
    /// ```
    /// # use queens_core::{Masks, Size};
    /// let masks = Masks::first(Size::new(8)?).ok_or("N = 8 has branches")?;
    /// assert!(masks.is_corner() && masks.bound1 == 2);
    /// assert_eq!(Masks::first(Size::new(3)?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first(size: Size) -> Option<Masks> {
        Masks::first_of(Branching::Symmetry, size)
    }

    /// The first branch of a board; `None` if the division has no branch at this size.
    pub fn first_of(branching: Branching, size: Size) -> Option<Masks> {
        if branching.has_corner() {
            Masks::corner(branching, size, 2)
        } else {
            Masks::inner(branching, size, 0)
        }
    }

    /// The corner case with its second queen in column `bound1`, if the loop includes that column.
    fn corner(branching: Branching, size: Size, bound1: u32) -> Option<Masks> {
        let n = size.get();
        let end = if branching.seeks_representatives() { n.saturating_sub(1) } else { n };
        (bound1 < end).then(|| Masks {
            branching,
            first: FirstQueen::Corner,
            size,
            mask: size.mask(),
            topbit: mask_if(branching.cuts_sides(), RowBits::of(size.last())),
            endbit: RowBits::EMPTY,
            sidemask: RowBits::EMPTY,
            lastmask: RowBits::EMPTY,
            bound1,
            bound2: size.last(),
        })
    }

    /// The first branch of the second loop, with the first queen in column `bound1`: 1, or 0 if the
    /// corner is not a separate case.
    fn inner(branching: Branching, size: Size, bound1: u32) -> Option<Masks> {
        let topbit = RowBits::of(size.last());
        let sides = topbit | RowBits::of(0);
        let masks = Masks {
            branching,
            first: FirstQueen::Inner,
            size,
            mask: size.mask(),
            topbit: mask_if(branching.cuts_sides(), topbit),
            endbit: mask_if(branching.seeks_representatives(), topbit >> 1),
            sidemask: mask_if(branching.cuts_sides(), sides),
            lastmask: mask_if(branching.seeks_representatives(), sides),
            bound1,
            bound2: size.last().checked_sub(bound1)?,
        };
        masks.is_within_loop().then_some(masks)
    }

    /// Whether the second loop of first queens includes this branch.
    fn is_within_loop(&self) -> bool {
        let end =
            if self.branching.seeks_representatives() { self.bound2 } else { self.size.last() };
        self.bound1 < end
    }

    /// The masks of the next branch. First the corner's second queen moves one column to the left
    /// at a time. Then the first queen itself moves from column 1 to the left (in `symmetry` up to
    /// the middle of the row). Meanwhile LASTMASK grows at both ends, ENDBIT moves to the right,
    /// and BOUND1 and BOUND2 approach each other.
    ///
    /// ```
    /// # use queens_core::{Masks, RowBits, Size};
    /// //  BOUND1 = 1    LASTMASK 1000_0001    ENDBIT 0100_0000    BOUND2 = 6
    /// //  BOUND1 = 2    LASTMASK 1100_0011    ENDBIT 0010_0000    BOUND2 = 5
    /// //  BOUND1 = 3    LASTMASK 1110_0111    ENDBIT 0001_0000    BOUND2 = 4
    /// let mut inner = Masks::branches(Size::new(8)?).filter(|masks| !masks.is_corner());
    /// let first = inner.next().ok_or("BOUND1 = 1")?;
    /// assert_eq!(first.lastmask, RowBits::from_bits(0b1000_0001));
    /// let second = first.next().ok_or("BOUND1 = 2")?;
    /// assert_eq!(second.lastmask, RowBits::from_bits(0b1100_0011));
    /// assert_eq!(second.next(), inner.nth(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "returns the masks of another branch; these do not change"]
    pub fn next(self) -> Option<Masks> {
        if self.first == FirstQueen::Corner {
            return Masks::corner(self.branching, self.size, self.bound1.wrapping_add(1))
                .or_else(|| Masks::inner(self.branching, self.size, 1));
        }
        let next = Masks {
            endbit: self.endbit >> 1,
            lastmask: (self.lastmask | self.lastmask >> 1 | self.lastmask << 1) & self.mask,
            // A number outside all branches does no harm: `is_within_loop` rejects it.
            bound1: self.bound1.wrapping_add(1),
            bound2: self.bound2.checked_sub(1)?,
            ..self
        };
        next.is_within_loop().then_some(next)
    }

    /// All branches of the symmetry method in the order of the search.
    ///
    /// ```
    /// # use queens_core::{Masks, Size};
    /// // Five second queens below the corner, then three first queens.
    /// let columns = Masks::branches(Size::new(8)?).map(|masks| masks.bound1);
    /// assert!(columns.eq([2, 3, 4, 5, 6, 1, 2, 3]));
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    pub fn branches(size: Size) -> impl Iterator<Item = Masks> {
        Masks::branches_of(Branching::Symmetry, size)
    }

    /// All branches of a board in the order of the search.
    ///
    /// ```
    /// # use queens_core::{Branching, Masks, Size};
    /// let branches = Masks::branches_of(Branching::Bound1, Size::new(4)?);
    /// assert!(branches.map(|masks| masks.bound1).eq([0, 1, 2]));
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    pub fn branches_of(branching: Branching, size: Size) -> impl Iterator<Item = Masks> {
        core::iter::successors(Masks::first_of(branching, size), |masks| masks.next())
    }

    /// Whether the first queen is in the corner.
    #[inline]
    pub const fn is_corner(&self) -> bool {
        matches!(self.first, FirstQueen::Corner)
    }

    /// The first queen as a bit.
    #[inline]
    pub const fn first_queen(&self) -> RowBits {
        match self.first {
            FirstQueen::Corner => RowBits::of(0),
            FirstQueen::Inner => RowBits::of(self.bound1),
        }
    }

    /// The squares of `row` that are closed whatever queens stand above, and the rule that closes
    /// them: SIDEMASK above BOUND1 and below BOUND2, LASTMASK in the last row, and in the corner
    /// case column 1 above BOUND1. `None` for other rows, for the rows of the first queens, and for the
    /// methods `bound1` and `bound2`.
    ///
    /// SIDEMASK is returned below BOUND2 for the drawing. It changes nothing in a search: after the
    /// lower-side cut both side columns already have queens.
    ///
    /// ```
    /// # use queens_core::{Masks, RowBits, Rule, Size};
    /// // 0   . . . . . Q . .
    /// // 1   1 . . . . . . 1     above BOUND1: SIDEMASK
    /// // 2   . . . . . . . .
    /// let mut branches = Masks::branches(Size::new(8)?);
    /// let masks = branches.find(|masks| masks.bound2 == 5).ok_or("BOUND1 = 2")?;
    /// assert_eq!(masks.closed(1), Some((Rule::UpperSide, RowBits::from_bits(0b1000_0001))));
    /// assert_eq!(masks.closed(2), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn closed(&self, row: u32) -> Option<(Rule, RowBits)> {
        let (rule, squares) = match self.first {
            _ if row == 0 || !self.branching.cuts_sides() => return None,
            FirstQueen::Corner if row == 1 || row >= self.bound1 => return None,
            FirstQueen::Corner => (Rule::Corner, CORNER_CUT),
            FirstQueen::Inner if row < self.bound1 => (Rule::UpperSide, self.sidemask),
            FirstQueen::Inner if row == self.size.last() && !self.lastmask.is_empty() => {
                (Rule::LastRow, self.lastmask)
            }
            FirstQueen::Inner if row > self.bound2 => (Rule::LowerSide, self.sidemask),
            FirstQueen::Inner => return None,
        };
        Some((rule, squares))
    }

    /// The rules that close squares of `row` below queens in the columns `down`, each with its
    /// squares, in the order in which a search applies them. These are the [unconditional
    /// rule](Masks::closed) of the row and, in row BOUND2, the lower-side cut.
    pub fn closing(&self, row: u32, down: RowBits) -> impl Iterator<Item = (Rule, RowBits)> {
        self.closed(row).into_iter().chain(self.lower_side(row, down))
    }

    /// The lower-side cut, if `row` is BOUND2 and it closes something below queens in the columns
    /// `down`.
    ///
    /// ```
    /// # use queens_core::{Masks, RowBits, Rule, Size};
    /// let mut branches = Masks::branches(Size::new(8)?);
    /// let masks = branches.find(|masks| masks.bound2 == 5).ok_or("BOUND1 = 2")?;
    /// let (left, inner) = (RowBits::of(7), RowBits::from_bits(0b0111_1110));
    /// assert_eq!(masks.lower_side(5, left), Some((Rule::LowerSide, inner)));
    /// assert_eq!(masks.lower_side(4, left), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lower_side(&self, row: u32, down: RowBits) -> Option<(Rule, RowBits)> {
        let squares = if row == self.bound2 { self.closed_at_bound2(down) } else { RowBits::EMPTY };
        (!squares.is_empty()).then_some((Rule::LowerSide, squares))
    }

    /// The squares that the lower-side cut closes in row BOUND2, the last row whose side squares
    /// may be taken, with queens in the columns `down`. If both side columns have queens, it closes
    /// nothing. If only one has a queen, it closes all squares but the side squares. If neither has
    /// one, it closes the whole row, because the second of the two queens would have to stand below
    /// row BOUND2, where the side squares are closed.
    ///
    /// ```
    /// # use queens_core::{Masks, RowBits, Size};
    /// let mut branches = Masks::branches(Size::new(8)?);
    /// let masks = branches.find(|masks| masks.bound2 == 5).ok_or("BOUND1 = 2")?;
    /// let [left, right] = [RowBits::of(7), RowBits::of(0)];
    /// assert_eq!(masks.closed_at_bound2(left | right), RowBits::EMPTY);
    /// assert_eq!(masks.closed_at_bound2(left), RowBits::from_bits(0b0111_1110));
    /// assert_eq!(masks.closed_at_bound2(RowBits::EMPTY), RowBits::from_bits(0b1111_1111));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn closed_at_bound2(&self, down: RowBits) -> RowBits {
        let sides_taken = down & self.sidemask;
        if sides_taken == self.sidemask {
            RowBits::EMPTY
        } else if sides_taken.is_empty() {
            self.mask
        } else {
            self.mask - self.sidemask
        }
    }

    /// The symmetry method's branch with the first queens of a solution. `None` if there is no such
    /// branch: the first queen is in the left half or the middle, or the corner's second queen is
    /// outside its loop.
    ///
    /// ```
    /// # use queens_core::{Masks, Placement};
    /// // . Q . .     the first queen stands left of the middle
    /// // . . . Q
    /// // Q . . .
    /// // . . Q .
    /// let placement = Placement::from_left(&[1, 3, 0, 2])?;
    /// assert_eq!(Masks::branch_of(&placement), None);
    /// let mirrored = Placement::from_left(&[2, 0, 3, 1])?;
    /// assert_eq!(Masks::branch_of(&mirrored).map(|masks| masks.bound1), Some(1));
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn branch_of(placement: &Placement) -> Option<Masks> {
        let mut queens = placement.rows();
        let (first, second) = (queens.next()?, queens.next());
        Masks::branches(placement.size()).find(|masks| {
            let second_fits = !masks.is_corner() || second == Some(RowBits::of(masks.bound1));
            masks.first_queen() == first && second_fits
        })
    }

    /// The first row of a solution whose queen is on a square closed by a rule, and the rule. The
    /// search of this branch prunes the solution there. `None` if the search completes the solution.
    ///
    /// ```
    /// # use queens_core::{Masks, Placement, Rule};
    /// // 0   . . . . . Q . .
    /// // 1   Q . . . . . . .     in a side column above BOUND1
    /// // 2   . . . . Q . . .
    /// // …
    /// let placement = Placement::from_left(&[5, 0, 4, 1, 7, 2, 6, 3])?;
    /// let masks = Masks::branch_of(&placement).ok_or("a first queen right of the middle")?;
    /// assert_eq!(masks.first_closed_queen(&placement), Some((1, Rule::UpperSide)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_closed_queen(&self, placement: &Placement) -> Option<(u32, Rule)> {
        let mut down = RowBits::EMPTY;
        (0..).zip(placement.rows()).find_map(|(row, queen)| {
            let mut closing = self.closing(row, down);
            down |= queen;
            closing.find_map(|(rule, closed)| closed.intersects(queen).then_some((row, rule)))
        })
    }

    /// The square of a cell: row from the top and bit. `None` in the corner case, and for every
    /// method but `symmetry`.
    ///
    /// ```
    /// # use queens_core::{Cell, Masks, RowBits, Size};
    /// // 2   C . . . . . . .
    /// // 5   . . . . . . . A
    /// // 7   . . B . . . . .
    /// let mut branches = Masks::branches(Size::new(8)?);
    /// let masks = branches.find(|masks| masks.bound2 == 5).ok_or("BOUND1 = 2")?;
    /// assert_eq!(masks.cell(Cell::A), Some((5, RowBits::of(0))));
    /// assert_eq!(masks.cell(Cell::B), Some((7, RowBits::of(5))));
    /// assert_eq!(masks.cell(Cell::C), Some((2, RowBits::of(7))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cell(&self, cell: Cell) -> Option<(u32, RowBits)> {
        if self.is_corner() || !self.branching.seeks_representatives() {
            return None;
        }
        Some(match cell {
            Cell::A => (self.bound2, RowBits::of(0)),
            Cell::B => (self.size.last(), self.endbit),
            Cell::C => (self.bound1, self.topbit),
        })
    }

    /// The cell on a square, if any.
    ///
    /// ```
    /// # use queens_core::{Cell, Masks, Size, Square};
    /// // 7   3 3 B . . . 3 3
    /// let mut branches = Masks::branches(Size::new(8)?);
    /// let masks = branches.find(|masks| masks.bound2 == 5).ok_or("BOUND1 = 2")?;
    /// assert_eq!(masks.cell_at(Square::from_left(masks.size, 7, 2)?), Some(Cell::B));
    /// assert_eq!(masks.cell_at(Square::from_left(masks.size, 7, 3)?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cell_at(&self, square: Square) -> Option<Cell> {
        let here = Some((square.row(), square.bit()));
        Cell::ALL.into_iter().find(|&cell| self.cell(cell) == here)
    }
}

/// Draws the board of the masks: the first queens (Q), the cells (A, B, C) and the squares that are
/// [closed](Masks::closed) unconditionally, each with the [sign](Rule::sign) of its rule.
///
/// ```
/// # use queens_core::{Masks, Size};
/// let corner = Masks::first(Size::new(5)?).and_then(Masks::next).ok_or("BOUND1 = 3")?;
/// assert_eq!(
///     corner.to_string(),
///     ". . . . Q\n\
///      . Q . . .\n\
///      . . . X .\n\
///      . . . . .\n\
///      . . . . ."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Masks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, self.size, |square| {
            let queen = match square.row() {
                0 => self.first_queen(),
                1 if self.is_corner() => RowBits::of(self.bound1),
                _ => RowBits::EMPTY,
            };
            let closed = self.closed(square.row());
            let closed = closed.filter(|(_, squares)| squares.intersects(square.bit()));
            match (self.cell_at(square), closed) {
                _ if queen.intersects(square.bit()) => "Q",
                (Some(cell), _) => cell.letter(),
                (None, Some((rule, _))) => rule.sign(),
                (None, None) => ".",
            }
        })
    }
}

/// `mask`, or the empty mask if it is not used.
fn mask_if(is_used: bool, mask: RowBits) -> RowBits {
    if is_used { mask } else { RowBits::EMPTY }
}

words! {
    /// A rule that closes squares which no queen attacks, numbered as in the published programs
    /// (docs/seeds.md).
    pub enum Rule {
        /// 1: above BOUND1 both side columns are closed (SIDEMASK).
        UpperSide = "upper-side",
        /// 2: every side column still free in row BOUND2 must be taken there.
        LowerSide = "lower-side",
        /// 3: LASTMASK is closed in the last row.
        LastRow = "last-row",
        /// X: with the first queen in the corner, column 1 is closed above BOUND1.
        Corner = "corner",
        /// The queens of the first rows stay in one half of the board; the other half mirrors them.
        Half = "half",
    }
}

impl Rule {
    /// The sign drawn on the squares closed by the rule: its number in the published programs
    /// (docs/seeds.md), X for the corner cut, and ½ for one half of the row.
    ///
    /// ```
    /// # use queens_core::Rule;
    /// assert_eq!(Rule::ALL.map(Rule::sign), ["1", "2", "3", "X", "½"]);
    /// ```
    pub const fn sign(self) -> &'static str {
        match self {
            Rule::UpperSide => "1",
            Rule::LowerSide => "2",
            Rule::LastRow => "3",
            Rule::Corner => "X",
            Rule::Half => "½",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::UpperSide => "upper-side cut",
            Rule::LowerSide => "lower-side cut",
            Rule::LastRow => "last-row cut",
            Rule::Corner => "corner cut",
            Rule::Half => "one half of the row",
        })
    }
}

/// A square that a rotation maps onto the first queen's square. If it holds a queen, the solution
/// must be compared with that rotated image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cell {
    /// Right-hand column, row BOUND2: compare with the image under 270° clockwise.
    A,
    /// Last row, ENDBIT: compare with the image under 180°.
    B,
    /// Left-hand column, row BOUND1: compare with the image under 90° clockwise.
    C,
}

impl Cell {
    /// The cells in the order of their comparisons.
    pub const ALL: [Cell; 3] = [Cell::A, Cell::B, Cell::C];

    /// The turn that maps the cell to the first queen's square.
    ///
    /// ```
    /// # use queens_core::{Cell, Transform};
    /// assert_eq!(Cell::B.transform(), Transform::Turn180);
    /// ```
    pub const fn transform(self) -> Transform {
        match self {
            Cell::A => Transform::Turn270,
            Cell::B => Transform::Turn180,
            Cell::C => Transform::Turn90,
        }
    }

    /// The cell's letter.
    pub const fn letter(self) -> &'static str {
        match self {
            Cell::A => "A",
            Cell::B => "B",
            Cell::C => "C",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    #[test]
    fn lists_of_variants_are_complete() {
        // With a new variant these matches do not compile, which is a reminder to add it to `ALL`, too.
        let number = |branching| match branching {
            Branching::Bound1 => 0,
            Branching::Bound2 => 1,
            Branching::SideCuts => 2,
            Branching::Symmetry => 3,
        };
        assert_eq!(Branching::ALL.map(number), [0, 1, 2, 3]);
        let number = |first| match first {
            FirstQueen::Corner => 0,
            FirstQueen::Inner => 1,
        };
        assert_eq!(FirstQueen::ALL.map(number), [0, 1]);
    }

    #[test]
    fn masks_match_the_board_in_the_doc_comment() {
        let masks = Masks::branches(size(8)).find(|masks| masks.bound2 == 5).unwrap();
        assert_eq!(masks.topbit.bits(), 0b1000_0000);
        assert_eq!(masks.sidemask.bits(), 0b1000_0001);
        assert_eq!(masks.lastmask.bits(), 0b1100_0011);
        assert_eq!(masks.endbit.bits(), 0b0010_0000);
        assert_eq!((masks.bound1, masks.bound2), (2, 5));
        assert_eq!(masks.closed(1), Some((Rule::UpperSide, masks.sidemask)));
        assert_eq!(masks.closed(5), None);
        assert_eq!(masks.closed(6), Some((Rule::LowerSide, masks.sidemask)));
        assert_eq!(masks.closed(7), Some((Rule::LastRow, masks.lastmask)));
        let drawn = [
            ". . . . . Q . .",
            "1 . . . . . . 1",
            "C . . . . . . .",
            ". . . . . . . .",
            ". . . . . . . .",
            ". . . . . . . A",
            "2 . . . . . . 2",
            "3 3 B . . . 3 3",
        ];
        assert_eq!(masks.to_string(), drawn.join("\n"));
    }

    #[test]
    fn every_cell_maps_to_the_square_of_the_first_queen() {
        for size in Size::all() {
            for masks in Masks::branches(size).filter(|m| m.first == FirstQueen::Inner) {
                for cell in Cell::ALL {
                    let (row, bit) = masks.cell(cell).unwrap();
                    let square = Square::of_bits(size, row, bit).unwrap();
                    assert_eq!(masks.cell_at(square), Some(cell));
                    assert_eq!(
                        cell.transform().square(square).to_right(),
                        (0, masks.bound1),
                        "N = {size}, BOUND1 = {}, cell {cell:?}",
                        masks.bound1
                    );
                }
            }
        }
    }

    #[test]
    fn branches_match_the_loops_of_the_original_program() {
        use FirstQueen::{Corner, Inner};
        let branches = |n| {
            let mut columns = [(Corner, 0); 40];
            let mut len = 0;
            for masks in Masks::branches(size(n)) {
                columns[len] = (masks.first, masks.bound1);
                len += 1;
            }
            (columns, len)
        };
        assert_eq!(branches(3).1, 0);
        let (columns, len) = branches(8);
        let corner = [2, 3, 4, 5, 6].map(|bound1| (Corner, bound1));
        let inner = [1, 2, 3].map(|bound1| (Inner, bound1));
        assert_eq!(columns[..5], corner);
        assert_eq!(columns[5..len], inner);
    }

    #[test]
    fn branches_of_earlier_methods_have_their_bounds() {
        use FirstQueen::{Corner, Inner};
        let columns = |branching, n| -> std::vec::Vec<_> {
            Masks::branches_of(branching, size(n)).map(|m| (m.first, m.bound1, m.bound2)).collect()
        };
        assert_eq!(columns(Branching::Bound1, 1), []);
        assert_eq!(columns(Branching::Bound1, 2), [(Inner, 0, 1)]);
        assert_eq!(columns(Branching::Bound1, 4), [(Inner, 0, 3), (Inner, 1, 2), (Inner, 2, 1)]);
        for branching in [Branching::Bound2, Branching::SideCuts] {
            assert_eq!(columns(branching, 2), []);
            assert_eq!(columns(branching, 3), [(Corner, 2, 2), (Inner, 1, 1)]);
            assert_eq!(
                columns(branching, 5),
                [
                    (Corner, 2, 4),
                    (Corner, 3, 4),
                    (Corner, 4, 4),
                    (Inner, 1, 3),
                    (Inner, 2, 2),
                    (Inner, 3, 1)
                ]
            );
        }
    }

    #[test]
    fn masks_that_a_method_does_not_use_are_empty() {
        for (branching, side_cuts) in [(Branching::Bound2, false), (Branching::SideCuts, true)] {
            for masks in Masks::branches_of(branching, size(8)) {
                assert!(masks.endbit.is_empty() && masks.lastmask.is_empty());
                assert_eq!(!masks.topbit.is_empty(), side_cuts);
                assert_eq!(!masks.sidemask.is_empty(), side_cuts && !masks.is_corner());
                assert!(Cell::ALL.iter().all(|&cell| masks.cell(cell).is_none()));
                assert!(side_cuts || (0..8).all(|row| masks.closed(row).is_none()));
            }
        }
    }
}
