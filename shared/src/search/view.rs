//! What can be seen of a search at one step.

use crate::{
    Attacks, Comparison, Masks, Method, Outcome, Placement, Queens, RowBits, Rule, Size, Square,
    Transform,
    methods::{bitmap_symmetry_half, mirror},
};

/// The state of a search between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The method that searches.
    pub method: Method,
    /// The board's side.
    pub size: Size,
    /// The row at work, from the top: the one entered last, or gone back to.
    pub row: u32,
    /// The queen of each row, empty where none stands; rows from N on are empty.
    pub queens: [RowBits; 32],
    /// The attacks as the row at work sees them.
    pub attacks: Attacks,
    /// The squares of the row at work that are still to be tried; the loops of first
    /// queens are no words, and nothing is to be read here in their rows.
    pub free: RowBits,
    /// The masks of the branch, for methods that have them.
    pub masks: Option<Masks>,
}

impl View {
    /// The queens' bits, one entry for each of the N rows.
    pub fn rows(&self) -> &[RowBits] {
        self.queens.get(..self.size.rows()).unwrap_or(&self.queens)
    }

    /// The solution on the board, if N queens stand on it and none attacks another.
    pub fn placement(&self) -> Option<Placement> {
        Placement::from_rows(self.rows()).ok()
    }

    /// The squares of `row` that a rule governs in this branch, as the seeds draw them: what the
    /// overlay on the board shows (see [`Masks::governed`]).
    pub fn governed(&self, row: u32) -> Option<(Rule, RowBits)> {
        let half = match self.method {
            Method::FlagsSymmetryHalf | Method::BitmapSymmetryHalf if row == 0 => {
                bitmap_symmetry_half::left_half(self.size)
            }
            Method::Mirror if row <= 1 => mirror::left_half(self.size, row, self.queens[0]),
            _ => return self.masks?.governed(row),
        };
        Some((Rule::Half, half)).filter(|(_, squares)| !squares.is_empty())
    }

    /// The rules that close squares of `row`, each with its squares, whether or not a queen attacks
    /// those, too: the one that governs the row (see [`View::governed`]), then, in row BOUND2, the
    /// lower-side cut. That one is known as soon as every row above has its queen, and stays as it
    /// is while the search works further down.
    pub fn rules(&self, row: u32) -> impl Iterator<Item = (Rule, RowBits)> {
        let lower_side = self.masks.filter(|masks| row == masks.bound2).and_then(|masks| {
            let above = self.queens.get(..row as usize)?;
            let known = above.iter().all(|queen| !queen.is_empty());
            let down = above.iter().fold(RowBits::EMPTY, |down, &queen| down | queen);
            known.then(|| (Rule::LowerSide, masks.closed_at_bound2(down) & masks.mask))
        });
        self.governed(row).into_iter().chain(lower_side)
    }

    /// The rule that closes a square, whether or not a queen attacks it, too (see
    /// [`View::rules`]).
    pub fn rule(&self, (row, column): Square) -> Option<Rule> {
        self.rules(row).find_map(|(rule, squares)| squares.contains(column).then_some(rule))
    }

    /// The queens above a row and one more on a square of it: the branch that a rule cuts off
    /// when it closes the square.
    pub fn branch(&self, (row, column): Square) -> Queens {
        let above = (0..row).zip(self.rows()).filter(|(_, queen)| !queen.is_empty());
        let above = above.map(|(row, queen)| (row, queen.column()));
        above.fold(Queens::none(self.size), Queens::toggled).toggled((row, column))
    }

    /// The transform that makes every solution of a branch which a rule cuts off smaller: whoever
    /// stands for its class is found elsewhere. `None` where the queens do not show one yet.
    ///
    /// The branch's own queens decide it, but for a square in row BOUND2: there it is the queen
    /// that a side column is still to get, too late.
    pub fn smaller_image(&self, (row, column): Square) -> Option<Transform> {
        let mut queens = self.queens;
        for queen in queens.iter_mut().skip(row as usize) {
            *queen = RowBits::EMPTY;
        }
        *queens.get_mut(row as usize)? = RowBits::of(column);
        // This search knows no other image.
        let known = match self.method {
            Method::Mirror => &[Transform::LeftRight][..],
            _ => &Transform::ALL,
        };
        let smaller = |queens: &[RowBits; 32]| {
            known.iter().copied().find(|&transform| {
                let comparison = Comparison::new(queens, self.size, transform);
                comparison.outcome() == Outcome::ImageSmaller
            })
        };
        smaller(&queens).or_else(|| {
            let masks = self.masks.filter(|masks| row == masks.bound2)?;
            let down = queens.iter().fold(RowBits::EMPTY, |down, &queen| down | queen);
            let late = (masks.sidemask - down).lowest();
            *queens.get_mut(row as usize + 1)? = late;
            smaller(&queens).filter(|_| !late.is_empty())
        })
    }

    /// A register's word, or `None` if the method does not have it (at this step).
    pub fn register(&self, register: Register) -> Option<RowBits> {
        let kept = |word| self.method.keeps(register).then_some(word);
        let mask = self.size.mask();
        // A mask that the method does not use in this branch is empty.
        let used = |word: fn(&Masks) -> RowBits| {
            self.masks.as_ref().map(word).filter(|word| !word.is_empty())
        };
        match register {
            Register::Mask => kept(mask),
            Register::TopBit => used(|masks| masks.topbit),
            Register::EndBit => used(|masks| masks.endbit),
            Register::SideMask => used(|masks| masks.sidemask),
            Register::LastMask => used(|masks| masks.lastmask),
            Register::Left => kept(self.attacks.left & mask),
            Register::Down => kept(self.attacks.down),
            Register::Right => kept(self.attacks.right),
            Register::Free => kept(self.free),
        }
    }
}

/// A word of a search that has one bit for each column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Register {
    /// Every square of a row.
    Mask,
    /// The left-hand column.
    TopBit,
    /// Cell B's square in the last row.
    EndBit,
    /// Both side columns.
    SideMask,
    /// The squares closed in the last row.
    LastMask,
    /// Diagonals that run down to the left.
    Left,
    /// Columns taken.
    Down,
    /// Diagonals that run down to the right.
    Right,
    /// Squares of the row at work that are still to be tried: the seeds' bitmap.
    Free,
}

impl Register {
    /// All registers, constants first.
    pub const ALL: [Register; 9] = [
        Register::Mask,
        Register::TopBit,
        Register::EndBit,
        Register::SideMask,
        Register::LastMask,
        Register::Left,
        Register::Down,
        Register::Right,
        Register::Free,
    ];

    /// The register's name in the seeds and on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Register::Mask => "MASK",
            Register::TopBit => "TOPBIT",
            Register::EndBit => "ENDBIT",
            Register::SideMask => "SIDEMASK",
            Register::LastMask => "LASTMASK",
            Register::Left => "left",
            Register::Down => "down",
            Register::Right => "right",
            Register::Free => "free",
        }
    }
}
