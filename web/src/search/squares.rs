//! The board at a step, square by square.

use queens_core::{
    Beat, Cell, Event, Facts, Line, Masks, Register, RowBits, Rule, Square, SquareState,
    SquareView, Transform, View,
};

use super::name::Name;
use super::state::{ExploreState, Snapshot};
use crate::board::{Row, SquareStyle};

/// Returns the rows of the board, from the top.
pub fn rows(state: &ExploreState) -> Vec<Row> {
    rows_of(state.snapshot(), state.pointed())
}

/// Returns the rows of the board after a step.
fn rows_of(now: &Snapshot, pointed: Option<Name>) -> Vec<Row> {
    let view = &now.view;
    let has_register_free = view.method.registers.contains(&Register::Free);
    // The search works in no row before its first step and after its last one.
    let at_work = (!matches!(now.event, None | Some(Event::Done))).then_some(view.row);
    let fresh: Vec<RowBits> = (0..view.size.get()).map(|row| fresh(now, row)).collect();
    let tried: Vec<RowBits> = (0..view.size.get()).map(|row| tried(now, row)).collect();
    let lit: Vec<RowBits> = (0..view.size.get()).map(|row| lit(now, pointed, row)).collect();
    Row::all(view.size, at_work, |square| {
        let SquareView { state, rule, cell, to_try, .. } = view.square(square);
        // When the search enters a row, its register `free` still contains the attacked squares.
        let to_try = to_try && !(has_register_free && state == SquareState::Attacked);
        let row = square.row() as usize;
        let is_in = |squares: RowBits| squares.intersects(square.bit());
        SquareStyle {
            state,
            rule,
            cell,
            to_try,
            tried: tried.get(row).is_some_and(|&squares| is_in(squares)),
            fresh: fresh.get(row).is_some_and(|&squares| is_in(squares)),
            lit: lit.get(row).is_some_and(|&squares| is_in(squares)),
        }
    })
}

/// Returns the value of a register after a step; `None` if the method does not have it, or has not computed
/// it yet. When the search enters a row, `free` still contains the attacked and closed squares, which the board
/// does not show as free. Its value is shown from the step that removes them.
pub fn register_after(now: &Snapshot, register: Register) -> Option<RowBits> {
    let view = &now.view;
    let value = view.register(register)?;
    let enters = register == Register::Free && matches!(now.event, Some(Event::Descend { .. }));
    let mut squares = Square::of_row(view.size, view.row);
    let is_computed =
        !enters || squares.all(|square| view.square(square).state == SquareState::Free);
    is_computed.then_some(value)
}

/// What the last step found out about the board, drawn above its squares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Finding {
    /// The step found out nothing that is drawn.
    #[default]
    Nothing,
    /// Queens attack squares: each line leads from a queen to a square that it attacks.
    Attacks(Vec<(Square, Square)>),
    /// The solution was compared with one of its images.
    Image(Transform),
    /// The queens are a solution that counts.
    Solution,
    /// The search is complete.
    Over,
}

impl Finding {
    /// Returns what the last step found out.
    pub fn of(now: &Snapshot) -> Finding {
        match now.event {
            Some(Event::Solution { .. }) => Finding::Solution,
            Some(Event::Compare { transform, .. }) => Finding::Image(transform),
            Some(Event::Done) => Finding::Over,
            _ => {
                let lines = attacks(now);
                if lines.is_empty() { Finding::Nothing } else { Finding::Attacks(lines) }
            }
        }
    }

    /// The lines from queens to squares that they attack.
    pub fn attacks(&self) -> &[(Square, Square)] {
        match self {
            Finding::Attacks(lines) => lines,
            _ => &[],
        }
    }
}

/// Returns the lines to draw from queens to squares that they attack: at a dead end, one to each
/// attacked square of the row; for a method that tests squares one by one, one to the rejected square.
fn attacks(now: &Snapshot) -> Vec<(Square, Square)> {
    let view = &now.view;
    let tests_squares = !view.method.registers.contains(&Register::Free);
    let (row, squares) = match (now.beat, now.event) {
        (Some(Beat::DeadEnd), Some(Event::Reject { row, .. } | Event::Cut { row, .. })) => {
            (row, view.size.mask())
        }
        (_, Some(Event::Reject { row, squares })) if tests_squares => (row, squares),
        _ => return vec![],
    };
    let squares = Square::of_row(view.size, row).filter(|square| squares.intersects(square.bit()));
    let line = |square: Square| {
        // A full board is checked along all lines; a square that is tried before the board is full, only
        // along the lines that the method tests.
        let attacker = if now.beat == Some(Beat::Conflict) {
            view.attacker(square)
        } else {
            view.obstacle(square)
        };
        Some((attacker?.queen, square))
    };
    squares.filter_map(line).collect()
}

/// Whether the search has tried an open square of the current row or of a row above, or `None` if
/// the state does not show it.
pub(super) fn was_tried(now: &Snapshot, square: Square) -> Option<bool> {
    if tried(now, square.row()).intersects(square.bit()) {
        return Some(true);
    }
    let is_searching = !matches!(
        now.event,
        None | Some(Event::Done | Event::Solution { .. } | Event::Compare { .. })
    );
    let is_known = is_searching && now.view.rule(square).is_none();
    (is_known && tries_from_the_right(now.view.method)).then_some(false)
}

/// Returns the squares of a row from which a queen was removed since the search entered the row;
/// none at a comparison, a solution or the end.
fn tried(now: &Snapshot, row: u32) -> RowBits {
    let view = &now.view;
    let lifted = match now.event {
        None | Some(Event::Done | Event::Solution { .. } | Event::Compare { .. }) => {
            return RowBits::EMPTY;
        }
        Some(Event::Back { row: at }) if at == row => queen(&now.before, row),
        Some(_) => RowBits::EMPTY,
    };
    if !tries_from_the_right(view.method) {
        return lifted;
    }
    let done = match queen(view, row) {
        at if !at.is_empty() => before(at),
        _ if row != view.row => return RowBits::EMPTY,
        _ if view.chosen_by_a_loop(row) => before(lifted) | lifted,
        // A square that is being tested has already left `free`.
        _ => match now.event {
            Some(Event::Try { square, .. }) => view.size.mask() - view.free - square,
            _ => view.size.mask() - view.free,
        },
    };
    let closed = |square: &Square| view.obstacle(*square).is_some() || view.rule(*square).is_some();
    let squares = Square::of_row(view.size, row);
    let open = squares.filter(|square| done.intersects(square.bit()) && !closed(square));
    open.map(Square::bit).collect()
}

/// Whether a method tries the squares of a row from the right, so that its state shows which
/// squares were tried. Permutations, which tests columns only, swaps queens instead.
fn tries_from_the_right(method: &Facts) -> bool {
    *method.tests != [Line::Down]
}

/// The squares to the right of a queen.
fn before(queen: RowBits) -> RowBits {
    if queen.is_empty() { queen } else { RowBits::from_bits(queen.bits() - 1) }
}

/// The queen of a row; empty if the row has no queen.
fn queen(view: &View, row: u32) -> RowBits {
    view.queens.get(row as usize).copied().unwrap_or_default()
}

/// The squares of a row that the last step was about.
fn fresh(now: &Snapshot, row: u32) -> RowBits {
    match now.event {
        Some(
            Event::Try { row: at, square: squares }
            | Event::Place { row: at, square: squares }
            | Event::Reject { row: at, squares }
            | Event::Cut { row: at, squares, .. },
        ) if at == row => squares,
        Some(Event::Back { row: at }) if at == row => queen(&now.before, row),
        Some(Event::Compare { transform, .. }) => {
            let cells = Cell::ALL.into_iter().filter(|cell| cell.transform() == transform);
            let square = cells
                .filter_map(|cell| now.view.masks?.cell(cell))
                .find_map(|(at, square)| (at == row).then_some(square));
            square.filter(|&square| queen(&now.view, row) == square).unwrap_or_default()
        }
        Some(Event::Solution { .. }) => queen(&now.view, row),
        _ => RowBits::EMPTY,
    }
}

/// Returns the squares of a row for which the name stands. A register applies to the current row, a mask to
/// the rows that it restricts, and BOUND1 and BOUND2 to one row each.
fn lit(now: &Snapshot, pointed: Option<Name>, row: u32) -> RowBits {
    let view = &now.view;
    let bound = |of: fn(&Masks) -> u32| view.masks.is_some_and(|masks| row == of(&masks));
    let (is_here, squares) = match pointed {
        None => (false, None),
        Some(Name::Bound1) => (bound(|masks| masks.bound1), Some(view.size.mask())),
        Some(Name::Bound2) => (bound(|masks| masks.bound2), Some(view.size.mask())),
        Some(Name::Cell(cell)) => {
            let place = view.masks.and_then(|masks| masks.cell(cell));
            (place.is_some_and(|(of, _)| of == row), place.map(|(_, square)| square))
        }
        Some(Name::Register(register)) => {
            let is_here = match register {
                Register::LastMask | Register::EndBit => row == view.size.last(),
                Register::SideMask => {
                    let closes = |rule| matches!(rule, Rule::UpperSide | Rule::LowerSide);
                    view.governed(row).is_some_and(|(rule, _)| closes(rule))
                }
                Register::TopBit => bound(|masks| masks.bound1),
                Register::Mask
                | Register::Left
                | Register::Down
                | Register::Right
                | Register::Free => row == view.row,
            };
            (is_here, register_after(now, register))
        }
    };
    squares.filter(|_| is_here).map_or(RowBits::EMPTY, |squares| squares & view.size.mask())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use queens_core::{Size, Stepped, Timeline};

    use super::*;
    use crate::search::state::{Action, Jump};

    fn at(step: u64) -> ExploreState {
        let mut state = ExploreState::new(Stepped::Symmetry, Size::new(8).unwrap());
        state.apply(Action::MoveTo(step));
        state.work(&mut || true);
        state
    }

    /// The board as a drawing: Q queen, * attacked, the sign of a rule, + to be tried.
    fn drawing(state: &ExploreState) -> Vec<String> {
        let sign = |square: &SquareStyle| match square {
            SquareStyle { state: SquareState::Queen, .. } => "Q",
            SquareStyle { rule: Some(rule), .. } => rule.sign(),
            SquareStyle { state: SquareState::Attacked, .. } => "*",
            SquareStyle { to_try: true, .. } => "+",
            _ => ".",
        };
        rows(state).iter().map(|row| row.squares.iter().map(sign).collect()).collect()
    }

    #[test]
    fn draws_the_first_steps() {
        assert_eq!(drawing(&at(0))[0], "........");
        // Descend, corner, descend, attacked, second queen, descend, attacked.
        let state = at(7);
        assert_eq!(drawing(&state)[..4], [".......Q", ".....Q..", "++++****", "...***.*"]);
        assert!(rows(&state)[2].at_work);
    }

    #[test]
    fn attacked_squares_are_not_marked_to_try() {
        // The search enters row 2: `free` still contains the attacked squares.
        let state = at(6);
        assert!(matches!(state.snapshot().event, Some(Event::Descend { row: 2 })));
        let row = &rows(&state)[2].squares;
        let count = |is: fn(&SquareStyle) -> bool| row.iter().filter(|square| is(square)).count();
        assert_eq!((count(|square| square.to_try), count(SquareStyle::is_attacked)), (4, 4));
    }

    #[test]
    fn a_solution_highlights_exactly_its_queens() {
        let mut state = at(0);
        state.apply(Action::Next(Jump::Solution));
        state.work(&mut || true);
        for row in rows(&state) {
            assert_eq!(row.squares.iter().filter(|square| square.is_queen()).count(), 1);
            assert!(row.squares.iter().all(|square| square.is_queen() == square.fresh));
            assert!(row.squares.iter().all(|square| !square.is_attacked()));
        }
    }

    #[test]
    fn shows_the_square_of_a_removed_queen() {
        let mut state = at(0);
        while !matches!(state.snapshot().event, Some(Event::Back { .. })) {
            state.apply(Action::MoveBy(1));
            state.work(&mut || true);
        }
        let fresh: Vec<_> = rows(&state)
            .iter()
            .flat_map(|row| row.squares.clone())
            .filter(|square| square.fresh)
            .collect();
        assert_eq!(fresh.len(), 1);
        assert!(!fresh[0].is_queen());
    }

    /// The snapshots of a whole search.
    fn snapshots(method: Stepped, n: u32) -> impl Iterator<Item = Snapshot> {
        let mut timeline = Timeline::new(method, Size::new(n).unwrap());
        std::iter::from_fn(move || {
            let before = timeline.view();
            let step = timeline.forward()?;
            Some(Snapshot {
                step: timeline.step(),
                moves: timeline.tracer().beats(),
                view: timeline.view(),
                before,
                event: Some(step),
                beat: timeline.tracer().beat(),
                work: *timeline.work(),
            })
        })
    }

    #[test]
    fn crosses_out_squares_that_lost_their_queen() {
        for &method in Stepped::ALL {
            let n = if method.facts().largest < 10 { 4 } else { 6 };
            let mut lost = vec![RowBits::EMPTY; n as usize];
            let mut crossed = 0;
            for now in snapshots(method, n) {
                match now.event.unwrap() {
                    Event::Descend { row } => lost[row as usize] = RowBits::EMPTY,
                    Event::Back { row } => lost[row as usize] |= queen(&now.before, row),
                    Event::Done | Event::Solution { .. } | Event::Compare { .. } => continue,
                    _ => {}
                }
                for (row, &lost) in (0..=now.view.row).zip(&lost) {
                    let tried = tried(&now, row);
                    crossed += tried.len();
                    if tries_from_the_right(method.facts()) {
                        assert_eq!(tried, lost, "{method} step {} row {row}", now.step);
                    }
                }
            }
            assert!(crossed > 0, "{method}");
        }
    }

    /// What is drawn on a square.
    type Drawn = (bool, bool, Option<Rule>, Option<Cell>, [bool; 3]);

    /// What is drawn of a step: the current row, the squares, and what lies above them.
    fn drawn(now: &Snapshot) -> (Option<u32>, Vec<Drawn>, String) {
        let rows = rows_of(now, None);
        let at_work = rows.iter().find(|row| row.at_work).map(|row| row.row);
        let squares = rows.iter().flat_map(|row| &row.squares).map(|square| {
            let signs = [square.fresh, square.is_free(), square.tried];
            (square.is_queen(), square.is_attacked(), square.closed(), square.cell, signs)
        });
        (at_work, squares.collect(), format!("{:?}", Finding::of(now)))
    }

    #[test]
    fn no_two_steps_of_a_search_look_alike() {
        for (&method, n) in Stepped::ALL.iter().flat_map(|method| [(method, 4), (method, 5)]) {
            let start = *ExploreState::new(method, Size::new(n).unwrap()).snapshot();
            let mut seen = HashMap::new();
            for now in [start].into_iter().chain(snapshots(method, n)) {
                let earlier = seen.insert(drawn(&now), (now.step, now.event));
                let step = (now.step, now.event);
                assert_eq!(earlier, None, "{method} N = {n}: looks like step {step:?}");
            }
        }
    }

    #[test]
    fn a_dead_end_has_a_line_to_each_square_of_its_row() {
        let all: Vec<Snapshot> = snapshots(Stepped::Backtracking, 8).take(100).collect();
        let dead_ends: Vec<_> = all.iter().filter(|now| now.beat == Some(Beat::DeadEnd)).collect();
        assert_eq!(dead_ends[0].step, 52);
        for now in dead_ends {
            let found = Finding::of(now);
            let lines = found.attacks();
            assert_eq!(lines.len(), 8);
            for &(queen, square) in lines {
                assert!(queen.row() < square.row() && square.row() == now.view.row);
                assert!(now.view.placed().contains(queen));
            }
        }
    }

    #[test]
    fn a_square_tested_alone_has_a_line_to_a_queen_that_attacks_it() {
        for &method in Stepped::ALL {
            let n = if method.facts().largest < 10 { 4 } else { 5 };
            let tests_squares = !method.facts().registers.contains(&Register::Free);
            let mut rejected = 0;
            for now in snapshots(method, n) {
                let Some(Event::Reject { squares, .. }) = now.event else { continue };
                rejected += 1;
                let found = Finding::of(&now);
                match found.attacks() {
                    [(queen, square)] => {
                        assert_eq!(square.bit(), squares, "{method} step {}", now.step);
                        assert!(Line::between(*queen, *square).is_some());
                    }
                    lines => {
                        let is_dead_end = now.beat == Some(Beat::DeadEnd);
                        assert_eq!(!lines.is_empty(), is_dead_end, "{method} step {}", now.step);
                    }
                }
                assert!(!tests_squares || !found.attacks().is_empty(), "{method} {}", now.step);
            }
            assert!(rejected > 0, "{method}");
        }
    }

    /// Returns the squares that a name lights, as (row, column from the left).
    fn lit_by(state: &mut ExploreState, name: Name) -> Vec<(u32, u32)> {
        state.apply(Action::Point(Some(name)));
        let rows = rows(state);
        let squares = rows.iter().flat_map(|row| {
            row.squares.iter().zip(0..).map(|(square, column)| (square.lit, (row.row, column)))
        });
        squares.filter_map(|(lit, place)| lit.then_some(place)).collect()
    }

    /// After every step, `free` is blank, or its ones are the squares that the board shows as free or as
    /// closed by a rule that the step has not applied yet.
    #[test]
    fn the_register_free_agrees_with_the_board() {
        let methods = Stepped::ALL.iter().filter(|method| method.facts().keeps(Register::Free));
        for &method in methods {
            let (mut blank, mut shown) = (0, 0);
            for now in snapshots(method, 6) {
                let enters = matches!(now.event, Some(Event::Descend { .. }));
                let Some(free) = register_after(&now, Register::Free) else {
                    blank += usize::from(enters);
                    continue;
                };
                shown += 1;
                let row = rows_of(&now, None).swap_remove(now.view.row as usize);
                for (square, drawn) in Square::of_row(now.view.size, row.row).zip(&row.squares) {
                    let is_one = free.intersects(square.bit());
                    assert!(!is_one || !drawn.is_attacked(), "{method} step {}", now.step);
                    assert!(!enters || is_one && drawn.is_free(), "{method} step {}", now.step);
                }
            }
            assert!(blank > 0 && shown > blank, "{method}: {blank} {shown}");
        }
    }

    /// A register lights squares of the current row, a mask those of the rows to which it applies, and a bound a
    /// whole row.
    #[test]
    fn names_light_their_squares() {
        for (method, step) in
            [(Stepped::Symmetry, 7), (Stepped::Symmetry, 1650), (Stepped::Bitmap, 77)]
        {
            let mut state = ExploreState::new(method, Size::new(8).unwrap());
            state.apply(Action::MoveTo(step));
            state.work(&mut || true);
            assert!(rows(&state).iter().all(|row| row.squares.iter().all(|square| !square.lit)));
            let view = state.snapshot().view;
            let (size, masks) = (view.size, view.masks);
            for name in Name::all() {
                let is_lit = |square: &Square| {
                    let (row, bit) = (square.row(), square.bit());
                    let register = match name {
                        Name::Register(register) => register,
                        Name::Bound1 => return masks.is_some_and(|masks| row == masks.bound1),
                        Name::Bound2 => return masks.is_some_and(|masks| row == masks.bound2),
                        Name::Cell(cell) => {
                            return masks.and_then(|masks| masks.cell(cell)) == Some((row, bit));
                        }
                    };
                    let applies = match register {
                        Register::EndBit | Register::LastMask => row == size.last(),
                        Register::TopBit => masks.is_some_and(|masks| row == masks.bound1),
                        Register::SideMask => masks.is_some_and(|masks| {
                            let above = 0 < row && row < masks.bound1;
                            above || masks.bound2 < row && row < size.last()
                        }),
                        _ => row == view.row,
                    };
                    applies && view.register(register).is_some_and(|bits| bit.intersects(bits))
                };
                let expected: Vec<_> =
                    Square::all(size).filter(is_lit).map(Square::to_left).collect();
                assert_eq!(lit_by(&mut state, name), expected, "{method} step {step}: {name:?}");
            }
        }
    }
}
