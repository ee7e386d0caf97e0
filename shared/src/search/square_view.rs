//! The state of one square at a step.

use crate::{Cell, Line, RowBits, Rule, Square, View, words};

/// The state of one square at a step of a search, as the board shows it and the text describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareView {
    /// The square.
    pub square: Square,
    /// The state of the square.
    pub state: SquareState,
    /// The topmost queen above that attacks the square. It is given even if the square's row already
    /// has a queen.
    pub attacker: Option<Attacker>,
    /// The rule that closes the square, even if the square has a queen or is attacked.
    pub rule: Option<Rule>,
    /// The cell A, B or C on this square, if any: a queen there requires a comparison.
    pub cell: Option<Cell>,
    /// Whether an outer loop places this row's queen. Otherwise it is taken from the row's free
    /// squares.
    pub by_loop: bool,
    /// Whether the square is still to be tried in the current row.
    pub to_try: bool,
}

words! {
    /// The state of a square: the first of these conditions that holds.
    #[derive(Default)]
    pub enum SquareState {
        /// A queen stands there.
        Queen = "queen",
        /// A queen above attacks it, and its row is still to be filled.
        Attacked = "attacked",
        /// A rule closes it.
        Closed = "closed",
        /// It is still to be tried in the current row.
        Free = "free",
        /// Its row has a queen on another square.
        Past = "past",
        /// None of the other conditions holds.
        #[default]
        Open = "open",
    }
}

/// A queen that attacks a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attacker {
    /// The queen's square.
    pub queen: Square,
    /// The line from the queen down to the square.
    pub line: Line,
}

impl View {
    /// The state of a square.
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

    /// The topmost queen above a square that attacks it.
    pub fn attacker(&self, square: Square) -> Option<Attacker> {
        self.attackers(square).next()
    }

    /// The topmost queen that prevents the method from placing a queen on the square: it attacks the
    /// square along a line that the method [tests](crate::Facts::tests) before the board is full.
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
