//! Compares the view of every square, at every step of every method, with a board that is built only
//! from the events and the rules.

use std::collections::BTreeMap;

use queens_core::{Cell, Event, Line, RowBits, Rule, Size, Square, SquareState, Stepped, Tracer};

/// The board as coordinates: rows from the top, columns from the right.
struct EventBoard {
    method: Stepped,
    n: u32,
    /// The row last entered or returned to.
    row: u32,
    queens: BTreeMap<u32, u32>,
    /// For each row, the columns that no event has named since the row was entered.
    unnamed: BTreeMap<u32, Vec<u32>>,
    is_done: bool,
}

impl EventBoard {
    fn apply(&mut self, event: Event) {
        let tests_full_boards = matches!(self.method, Stepped::BruteForce | Stepped::Permutations);
        match event {
            Event::Descend { row } => {
                self.row = row;
                self.unnamed.insert(row, (0..self.n).collect());
            }
            // These events reject queens of a full board, not squares of the current row.
            Event::Reject { .. } if tests_full_boards && self.queens.len() == self.n as usize => {}
            Event::Try { row, square: squares }
            | Event::Reject { row, squares }
            | Event::Cut { row, squares, .. } => self.mark_named(row, squares),
            Event::Place { row, square } => {
                self.mark_named(row, square);
                self.queens.insert(row, square.columns().next().unwrap());
            }
            Event::Back { row } => {
                self.row = row;
                self.queens.remove(&row);
            }
            Event::Compare { .. } | Event::Solution { .. } => {}
            Event::Done => self.is_done = true,
        }
    }

    fn mark_named(&mut self, row: u32, squares: RowBits) {
        let columns = self.unnamed.entry(row).or_default();
        columns.retain(|&column| !squares.contains(column));
    }

    /// The row of the first queen above that attacks the square, and the line.
    fn attacker(&self, (row, column): (u32, u32)) -> Option<(u32, Line)> {
        self.queens.range(..row).find_map(|(&above, &queen)| {
            let offset = i64::from(column) - i64::from(queen);
            let line = match offset {
                0 => Line::Down,
                // Columns count from the right, so larger numbers are further left.
                _ if offset == i64::from(row - above) => Line::Left,
                _ if -offset == i64::from(row - above) => Line::Right,
                _ => return None,
            };
            Some((above, line))
        })
    }

    /// Whether a loop of the method chooses the queen of a row.
    fn is_by_loop(&self, row: u32, is_corner: bool) -> bool {
        let has_loops = matches!(
            self.method,
            Stepped::Bound1 | Stepped::Bound2 | Stepped::SideCuts | Stepped::Symmetry
        );
        has_loops && (row == 0 || row == 1 && is_corner)
    }

    /// The rule that closes a square. `branch` is the branch of the search: whether it is the corner
    /// case, and the column of the first queen (in the corner case, of the second).
    fn rule(&self, (row, column): (u32, u32), branch: Option<(bool, u32)>) -> Option<Rule> {
        let (n, last) = (self.n, self.n - 1);
        let right_half = |column: u32| 2 * column < n;
        match self.method {
            Stepped::FlagsSymmetryHalf | Stepped::BitmapSymmetryHalf => {
                (row == 0 && !right_half(column)).then_some(Rule::Half)
            }
            Stepped::Mirror => {
                // With the first queen in the middle, the second row is halved, too.
                let middle = n % 2 == 1 && self.queens.get(&0) == Some(&(n / 2));
                let other = match row {
                    0 => !right_half(column),
                    1 => middle && 2 * column >= n,
                    _ => false,
                };
                (n > 1 && other).then_some(Rule::Half)
            }
            Stepped::SideCuts | Stepped::Symmetry => {
                let (is_corner, bound) = branch?;
                if is_corner {
                    let closed = 1 < row && row < bound && column == 1;
                    return closed.then_some(Rule::Corner);
                }
                let (is_side, bound2) = (column == 0 || column == last, last - bound);
                let beside = column < bound || column > bound2;
                let all_above = (0..row).all(|above| self.queens.contains_key(&above));
                let held = |side: u32| self.queens.range(..row).any(|(_, &queen)| queen == side);
                let missing = [0, last].into_iter().filter(|&side| !held(side)).count();
                let too_late = if row == bound2 {
                    all_above && (missing == 2 || missing == 1 && !is_side)
                } else {
                    row > bound2 && is_side
                };
                let in_last_row = row == last && self.method == Stepped::Symmetry;
                let closed = [
                    (Rule::UpperSide, 0 < row && row < bound && is_side),
                    (Rule::LastRow, in_last_row && beside),
                    (Rule::LowerSide, too_late && !in_last_row),
                ];
                closed.into_iter().find_map(|(rule, closes)| closes.then_some(rule))
            }
            _ => None,
        }
    }

    fn cell(&self, square: (u32, u32), branch: Option<(bool, u32)>) -> Option<Cell> {
        let (is_corner, bound) = branch.filter(|_| self.method == Stepped::Symmetry)?;
        let last = self.n - 1;
        let cells = [
            (Cell::A, (last - bound, 0)),
            (Cell::B, (last, last - bound)),
            (Cell::C, (bound, last)),
        ];
        let at = cells.into_iter().find(|&(_, at)| at == square)?;
        (!is_corner).then_some(at.0)
    }

    /// The first state that holds for a square with these properties.
    fn state(&self, square: (u32, u32), rule: Option<Rule>, to_try: bool) -> SquareState {
        let queen = self.queens.get(&square.0);
        let is_ahead = queen.is_none() && square.0 >= self.row && !self.is_done;
        let states = [
            (SquareState::Queen, queen == Some(&square.1)),
            (SquareState::Attacked, is_ahead && self.attacker(square).is_some()),
            (SquareState::Closed, rule.is_some()),
            (SquareState::Free, to_try && !self.is_done),
            (SquareState::Past, queen.is_some()),
        ];
        states.into_iter().find_map(|(state, fits)| fits.then_some(state)).unwrap_or_default()
    }
}

#[test]
fn square_views_follow_from_the_events() {
    for &method in Stepped::ALL {
        let largest = match method {
            Stepped::BruteForce => 5,
            Stepped::Permutations => 6,
            _ => 7,
        };
        let mut seen_states = BTreeMap::new();
        for n in 1..=largest {
            let size = Size::new(n).unwrap();
            let mut tracer = Tracer::new(method, size);
            let mut board = EventBoard {
                method,
                n,
                row: 0,
                queens: BTreeMap::new(),
                unnamed: BTreeMap::new(),
                is_done: false,
            };
            while let Some(step) = tracer.forward() {
                board.apply(step);
                let view = tracer.view();
                let branch = view.masks.map(|masks| (masks.is_corner(), masks.bound1));
                for square in Square::all(size) {
                    let at = square.to_right();
                    let seen = view.square(square);
                    let context = format!(
                        "{method} N = {n}, step {} {:?}: {seen:?}",
                        tracer.steps(),
                        tracer.last()
                    );
                    assert_eq!(seen.square, square);
                    let attacker = seen.attacker.map(|by| (by.queen.row(), by.line));
                    assert_eq!(attacker, board.attacker(at), "{context}");
                    assert_eq!(seen.rule, board.rule(at, branch), "{context}");
                    assert_eq!(seen.cell, board.cell(at, branch), "{context}");
                    let by_loop = board.is_by_loop(at.0, branch.is_some_and(|(corner, _)| corner));
                    assert_eq!(seen.by_loop, by_loop, "{context}");
                    let to_try = at.0 == board.row
                        && !by_loop
                        && board.unnamed.get(&at.0).is_some_and(|left| left.contains(&at.1));
                    assert_eq!(seen.to_try, to_try, "{context}");
                    assert_eq!(
                        seen.state,
                        board.state(at, board.rule(at, branch), to_try),
                        "{context}"
                    );
                    *seen_states.entry(seen.state).or_insert(0) += 1;
                }
            }
            assert!(board.is_done);
        }
        let with_rules = matches!(method, Stepped::SideCuts | Stepped::Symmetry);
        let expected = if with_rules { 6 } else { 5 };
        assert!(seen_states.len() >= expected, "{method}: {seen_states:?}");
    }
}
