//! What is true of one square at a step of a search.

use crate::{Cell, Line, RowBits, Rule, Square, View, words};

/// What is true of one square at a step of a search: what the board, its words and its labels
/// show of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareView {
    /// The square.
    pub square: Square,
    /// What decides about it.
    pub state: SquareState,
    /// The first queen above, from the top, that attacks it: also where the search is past it.
    pub attacker: Option<Attacker>,
    /// The rule that closes it, whether or not a queen stands there or attacks it, too.
    pub rule: Option<Rule>,
    /// The cell that it is: a queen here calls for a comparison.
    pub cell: Option<Cell>,
    /// Whether the queen of its row is chosen by a loop over first queens, not from a word of
    /// free squares.
    pub by_loop: bool,
    /// Whether it is in the word of squares still to be tried in the row at work.
    pub to_try: bool,
}

words! {
    /// What decides about a square, the first of these that holds.
    #[derive(Default)]
    pub enum SquareState {
        /// A queen stands there.
        Queen = "queen",
        /// A queen above attacks it, and the search has its row still before it.
        Attacked = "attacked",
        /// A rule closes it.
        Closed = "closed",
        /// It is still to be tried, in the row at work.
        Free = "free",
        /// Its row has its queen, on another square.
        Past = "past",
        /// Nothing is decided.
        #[default]
        Open = "open",
    }
}

/// A queen that attacks a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attacker {
    /// Where she stands.
    pub queen: Square,
    /// The line from her down to the square.
    pub line: Line,
}

impl View {
    /// What is true of a square.
    pub fn square(&self, square: Square) -> SquareView {
        let row = square.row();
        let queen = self.rows().get(row as usize).copied().unwrap_or_default();
        let is_in = |squares: RowBits| squares.intersects(square.bit());
        let attacker = self.attacker(square);
        let rule = self.rule(square);
        let by_loop = self.chosen_by_a_loop(row);
        let to_try = row == self.row && !by_loop && is_in(self.free - queen);
        let state = if is_in(queen) {
            SquareState::Queen
        } else if attacker.is_some() && row >= self.row && queen.is_empty() {
            SquareState::Attacked
        } else if rule.is_some() {
            SquareState::Closed
        } else if to_try {
            SquareState::Free
        } else if !queen.is_empty() {
            SquareState::Past
        } else {
            SquareState::Open
        };
        let cell = self.masks.and_then(|masks| masks.cell_at(square));
        SquareView { square, state, attacker, rule, cell, by_loop, to_try }
    }

    /// The first queen above a square, from the top, that attacks it.
    pub fn attacker(&self, square: Square) -> Option<Attacker> {
        self.attackers(square).next()
    }

    /// The first queen above a square, from the top, because of which the method places no queen
    /// there: it attacks the square along a line that the method [tests](crate::Facts::tests) before
    /// the board is full.
    pub fn obstacle(&self, square: Square) -> Option<Attacker> {
        self.attackers(square).find(|by| self.method.tests.contains(&by.line))
    }

    /// The queens above a square that attack it, from the top.
    pub fn attackers(&self, square: Square) -> impl Iterator<Item = Attacker> {
        self.queens_above(square.row()).filter_map(move |queen| {
            let line = Line::between(queen, square)?;
            Some(Attacker { queen, line })
        })
    }
}
