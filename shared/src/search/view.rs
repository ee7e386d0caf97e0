//! The visible state of a search at one step.

use crate::{
    Attacks, Comparison, Facts, Masks, Outcome, Placement, Queens, Register, RowBits, Rule, Size,
    Square, Transform,
};

/// The visible state of a search between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The method that searches.
    pub method: &'static Facts,
    /// The board's side.
    pub size: Size,
    /// The current row, from the top: the row last entered or returned to.
    pub row: u32,
    /// The queen of each row, or the empty set in rows without one; rows from N on are empty.
    pub queens: [RowBits; 32],
    /// The attacks of the queens above on the current row.
    pub attacks: Attacks,
    /// The squares of the current row that are still to be tried. Meaningless in rows whose queen a
    /// loop over first queens chooses.
    pub free: RowBits,
    /// The masks of the branch, for methods that have them.
    pub masks: Option<Masks>,
}

impl View {
    /// The queens as bits, one entry for each of the N rows.
    pub fn rows(&self) -> &[RowBits] {
        self.queens.get(..self.size.rows()).unwrap_or(&self.queens)
    }

    /// The solution on the board, if N queens stand on it and none attacks another.
    pub fn placement(&self) -> Option<Placement> {
        Placement::from_rows(self.rows()).ok()
    }

    /// The rule that governs `row` in this branch, with its squares as the seeds draw them. The
    /// overlay on the board shows them (see [`Masks::closed`]).
    pub fn governed(&self, row: u32) -> Option<(Rule, RowBits)> {
        let Some(half) = self.method.half else {
            return self.masks?.closed(row);
        };
        let squares = half.closing(self.size, row, self.down(row));
        (!squares.is_empty()).then_some((Rule::Half, squares))
    }

    /// The columns of the queens above a row.
    fn down(&self, row: u32) -> RowBits {
        let above = self.queens.get(..row as usize).unwrap_or(&self.queens);
        above.iter().copied().collect()
    }

    /// Whether a loop over first queens chooses the queen of `row`, so that it is not taken from the
    /// row's free squares. This holds for row 0 of the methods that divide the search by first
    /// queens, and in the corner case also for row 1.
    pub fn chosen_by_a_loop(&self, row: u32) -> bool {
        let in_corner = self.masks.is_some_and(|masks| masks.is_corner());
        self.method.branching.is_some() && (row == 0 || row == 1 && in_corner)
    }

    /// The rules that close squares of `row`, each with its squares, including squares that a queen
    /// attacks. The first is the rule that governs the row (see [`View::governed`]). In row BOUND2
    /// the lower-side cut follows: it is known once every row above has its queen, and it does not
    /// change while the search works further down.
    pub fn rules(&self, row: u32) -> impl Iterator<Item = (Rule, RowBits)> {
        let is_filled_above = self.queens.iter().take(row as usize).all(|queen| !queen.is_empty());
        let masks = self.masks.filter(|_| is_filled_above);
        let lower_side = masks.and_then(|masks| masks.lower_side(row, self.down(row)));
        self.governed(row).into_iter().chain(lower_side)
    }

    /// The rule that closes a square, even if a queen attacks the square (see [`View::rules`]).
    pub fn rule(&self, square: Square) -> Option<Rule> {
        let closes = |squares: RowBits| squares.intersects(square.bit());
        self.rules(square.row()).find_map(|(rule, squares)| closes(squares).then_some(rule))
    }

    /// The queens above the row of `square`, plus a queen on `square`: the branch that a rule
    /// prunes when it closes the square.
    pub fn branch(&self, square: Square) -> Queens {
        self.queens_above(square.row())
            .fold(Queens::none(self.size), Queens::toggled)
            .toggled(square)
    }

    /// The queens on the board.
    pub fn placed(&self) -> Queens {
        self.queens_above(self.size.get()).fold(Queens::none(self.size), Queens::toggled)
    }

    /// The squares of the queens above a row, from the top.
    pub(super) fn queens_above(&self, row: u32) -> impl Iterator<Item = Square> {
        let above = (0..row).zip(self.rows());
        above.filter_map(|(row, &queen)| Square::of_bits(self.size, row, queen))
    }

    /// The transform under which every solution of the [branch](View::branch) of this square has a
    /// smaller image, so that the representative is in another branch. `None` if the queens do not
    /// determine a transform yet.
    ///
    /// The queens of the branch determine the transform, except for a square in row BOUND2. There,
    /// the queen that a side column would get later, below row BOUND2, determines it.
    pub fn smaller_image(&self, square: Square) -> Option<Transform> {
        let row = square.row();
        let mut queens = self.queens;
        for queen in queens.iter_mut().skip(row as usize) {
            *queen = RowBits::EMPTY;
        }
        *queens.get_mut(row as usize)? = square.bit();
        let smaller = |queens: &[RowBits; 32]| {
            self.method.images().iter().copied().find(|&transform| {
                let comparison = Comparison::new(queens, self.size, transform);
                comparison.outcome() == Outcome::ImageSmaller
            })
        };
        smaller(&queens).or_else(|| {
            let masks = self.masks.filter(|masks| row == masks.bound2)?;
            let down: RowBits = queens.iter().copied().collect();
            let late = (masks.sidemask - down).lowest();
            *queens.get_mut(row as usize + 1)? = late;
            smaller(&queens).filter(|_| !late.is_empty())
        })
    }

    /// Whether the current row takes its queens from its free squares. It does not if a loop
    /// chooses them, or before the search enters its first row.
    fn takes_from_free(&self) -> bool {
        let entered = self.row > 0
            || !self.free.is_empty()
            || self.rows().first().is_some_and(|queen| !queen.is_empty());
        entered && !self.chosen_by_a_loop(self.row)
    }

    /// The value of a register; `None` if the method does not have it, or not at this step.
    pub fn register(&self, register: Register) -> Option<RowBits> {
        let word = match register {
            Register::Mask => Some(self.size.mask()),
            Register::Left => Some(self.attacks.left & self.size.mask()),
            Register::Down => Some(self.attacks.down),
            Register::Right => Some(self.attacks.right),
            Register::Free => Some(self.free).filter(|_| self.takes_from_free()),
            Register::TopBit | Register::EndBit | Register::SideMask | Register::LastMask => {
                self.masks.as_ref().and_then(|masks| register.in_branch(masks))
            }
        };
        word.filter(|_| self.method.keeps(register))
    }
}
