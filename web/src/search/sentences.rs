//! The sentences that explain a step and a square.

use queens_core::{
    Attacker, Beat, Branching, Cell, Class, Column, ComparedRow, Comparison, Event, Facts, Found,
    Line, Masks, Outcome, Register, RowBits, Rule, Size, Square, SquareState, Tally, Transform,
    View,
};

use super::squares::was_tried;
use super::state::Snapshot;
use crate::words::{Language, Term, grouped, tr, transform_name};

/// Returns the sentence for a step: what happened, and why.
pub fn why(language: Language, now: &Snapshot) -> String {
    // `sentence` returns `None` only for bits that are not one square of the board. A search
    // never reports such bits.
    capitalised(&sentence(language, now).unwrap_or_default())
}

fn sentence(language: Language, now: &Snapshot) -> Option<String> {
    let Some(event) = now.event else {
        return Some(tr!(language, "why.start"));
    };
    let view = &now.view;
    let size = view.size;
    let square_of = |row, bits| Square::of_bits(size, row, bits);
    Some(match event {
        Event::Descend { row: 0 } => tr!(language, "why.descend-first"),
        Event::Descend { row } => tr!(language, "why.descend", row = row),
        Event::Try { row, square } => tried(language, view, square_of(row, square)?),
        Event::Reject { row, squares } => {
            dead_end(language, now, row).unwrap_or_else(|| rejected(language, view, row, squares))
        }
        Event::Cut { row, rule, squares } => {
            let rule = cut(language, now, row, rule, squares);
            let end = dead_end(language, now, row).map(|end| language.space().to_owned() + &end);
            rule + &end.unwrap_or_default()
        }
        Event::Place { row, square } => placed(language, now, square_of(row, square)?),
        Event::Compare { transform, outcome } => compared(language, view, transform, outcome),
        Event::Solution { found } => solution(language, view, found),
        Event::Back { row } => {
            let (_, column) = square_of(row, queen(&now.before, row))?.to_left();
            if now.before.chosen_by_a_loop(row) {
                tr!(language, "why.back-first", row = row, column = column)
            } else {
                let back = tr!(language, "why.back", row = row, column = column);
                back + language.space() + &still_to_try(language, view, row, view.free)
            }
        }
        Event::Done => done(language, &now.work.tally, size),
    })
}

/// The terms in the explanation of a square.
pub fn square_terms(now: &Snapshot, square: Square) -> impl Iterator<Item = Term> {
    let seen = now.view.square(square);
    let attack = seen.attacker.map(|_| Term::ATTACK);
    let rule = seen.rule.map(Term::of_rule);
    attack.into_iter().chain(rule).chain(seen.cell.map(|_| Term::CELLS))
}

/// Explains the state of a square, for example why it is attacked, closed or not tried yet.
pub fn explain_square(language: Language, now: &Snapshot, square: Square) -> String {
    let view = &now.view;
    let seen = view.square(square);
    let was_tried = was_tried(now, square);
    let square = name_in(view, language, square);
    // How the sentence about a rule refers to the square: "it" if a sentence about an attack comes
    // first.
    let subject = if seen.attacker.is_some() { tr!(language, "why.it") } else { square.clone() };
    let attack = seen.attacker.map(|by| (by.queen.row(), line_name(language, by.line)));
    // Several attackers are named by their rows only, so that the sentence stays short.
    let attackers: Vec<_> =
        view.attackers(seen.square).map(|by| by.queen.row().to_string()).collect();
    let (rows, are_several) = (attackers.join(language.comma()), attackers.len() > 1);
    let sentence = match (seen.state, attack) {
        (SquareState::Queen, _) => tr!(language, "why.ask-queen", square = square),
        (SquareState::Attacked | SquareState::Closed, attack) => {
            let attacked = attack.map(|(by, line)| match are_several {
                true => tr!(language, "why.ask-attacked-many", square = square, rows = rows),
                false => tr!(language, "why.ask-attacked", square = square, by = by, line = line),
            });
            let rule = seen.rule.map(|rule| {
                // In row BOUND2, the lower-side rule closes the squares between the side columns.
                let at_bound2 = view.masks.is_some_and(|masks| masks.bound2 == seen.square.row());
                let id = if at_bound2 && rule == Rule::LowerSide { "bound2" } else { rule.id() };
                capitalised(&tr!(language, format!("why.ask-{id}"), square = subject))
            });
            attacked.into_iter().chain(rule).collect::<Vec<_>>().join(language.space())
        }
        (SquareState::Free, _) => tr!(language, "why.ask-free", square = square),
        (SquareState::Past, Some(_)) if are_several => {
            tr!(language, "why.ask-past-attacked-many", square = square, rows = rows)
        }
        (SquareState::Past, Some((by, line))) => {
            tr!(language, "why.ask-past-attacked", square = square, by = by, line = line)
        }
        (SquareState::Past, None) if seen.by_loop => {
            tr!(language, "why.ask-past-loop", square = square)
        }
        (SquareState::Past, None) => match was_tried {
            Some(true) => tr!(language, "why.ask-past-tried", square = square),
            Some(false) => tr!(language, "why.ask-past-untried", square = square),
            None => tr!(language, "why.ask-past", square = square),
        },
        (SquareState::Open, _) if now.event == Some(Event::Done) => {
            tr!(language, "why.ask-done", square = square)
        }
        (SquareState::Open, _) if seen.by_loop => tr!(language, "why.ask-loop", square = square),
        (SquareState::Open, _) if seen.square.row() > view.row => {
            tr!(language, "why.ask-later", square = square)
        }
        (SquareState::Open, _) if was_tried == Some(true) => {
            tr!(language, "why.ask-tried-already", square = square)
        }
        (SquareState::Open, _) => tr!(language, "why.ask-tried", square = square),
    };
    let sentence = capitalised(&sentence);
    match seen.cell {
        Some(cell) => {
            let transform = transform_name(language, cell.transform());
            let cell = cell.letter();
            let more = if seen.state == SquareState::Queen {
                tr!(language, "why.ask-cell-queen", cell = cell, transform = transform)
            } else {
                tr!(language, "why.ask-cell", cell = cell, transform = transform)
            };
            sentence + language.space() + &more
        }
        None => sentence,
    }
}

/// Returns the sentence for the end of a search: the total and, if the solutions found represent
/// others, the sum that gives the total, such as 11 × 8 + 1 × 4.
fn done(language: Language, tally: &Tally, size: Size) -> String {
    let (found, total) = (tally.met(), tally.total().unwrap_or(u64::MAX));
    let (found_text, total_text) = (grouped(found), grouped(total));
    match found {
        0 => tr!(language, "why.done-none", n = size),
        _ if found == total => tr!(language, "why.done", total = total_text),
        1 => tr!(language, "why.done-one", total = total_text, sum = sum(tally)),
        _ => tr!(language, "why.done-many", met = found_text, total = total_text, sum = sum(tally)),
    }
}

/// Returns the total as a sum over the kinds of solutions, such as 11 × 8 + 1 × 4: the number found
/// of each kind, times the number of solutions that each represents.
fn sum(tally: &Tally) -> String {
    let classes = Class::ALL.iter().rev().map(|&class| (tally.class(class), class.members()));
    let others = [(tally.mirror_pairs, 2), (tally.single, 1)];
    let kinds = classes.chain(others).filter(|&(count, _)| count > 0);
    let terms = kinds.map(|(count, members)| format!("{} × {members}", grouped(count)));
    terms.collect::<Vec<_>>().join(" + ")
}

fn tried(language: Language, view: &View, square: Square) -> String {
    let name = name_in(view, language, square);
    let obstacle = view.obstacle(square);
    match obstacle.or_else(|| view.attacker(square)) {
        Some(Attacker { queen, line }) => {
            let (by, line) = (queen.row(), line_name(language, line));
            let sentence = tr!(language, "why.try-attacked", square = name, by = by, line = line);
            if obstacle.is_none() {
                sentence + language.space() + &tr!(language, "why.try-diagonals")
            } else {
                sentence
            }
        }
        None => tr!(language, "why.try-free", square = name),
    }
}

fn rejected(language: Language, view: &View, row: u32, squares: RowBits) -> String {
    let size = view.size;
    if squares.len() == 1
        && let Some(square) = Square::of_bits(size, row, squares)
        && let Some(by) = view.obstacle(square).or_else(|| view.attacker(square))
    {
        let attack_line = by.line;
        let (by, line) = (by.queen.row(), line_name(language, attack_line));
        if queen(view, row) == squares {
            let line = match attack_line {
                Line::Down => tr!(language, "why.same-column"),
                _ => line,
            };
            return tr!(language, "why.reject-queen", row = row, by = by, line = line);
        }
        let square = name_in(view, language, square);
        return tr!(language, "why.reject-one", square = square, by = by, line = line);
    }
    let squares = squares & size.mask();
    let open = columns(language, size, size.mask() - squares);
    let count = squares.len();
    tr!(language, "why.reject-many", count = count, n = size, row = row, open = open)
}

/// Explains why the search must remove the queen above this row; `None` if the row is not a dead
/// end.
fn dead_end(language: Language, now: &Snapshot, row: u32) -> Option<String> {
    let above = row.checked_sub(1).filter(|_| now.beat == Some(Beat::DeadEnd))?;
    let mut squares = Square::of_row(now.view.size, row);
    Some(if squares.all(|square| now.view.obstacle(square).is_some()) {
        tr!(language, "why.dead-end", row = row, above = above)
    } else {
        tr!(language, "why.dead-end-rule", row = row, above = above)
    })
}

fn cut(language: Language, now: &Snapshot, row: u32, rule: Rule, squares: RowBits) -> String {
    let size = now.view.size;
    let closed = columns(language, size, squares);
    let bound1 = now.view.masks.map_or(0, |masks| masks.bound1);
    match rule {
        Rule::UpperSide => {
            tr!(language, "why.rule-upper-side", row = row, bound1 = bound1, squares = closed)
        }
        Rule::LowerSide => {
            let right = RowBits::of(0);
            let sides = right | RowBits::of(size.last());
            let open = sides - now.view.attacks.down;
            if open == sides || open.is_empty() {
                return tr!(language, "why.rule-lower-side-both", row = row);
            }
            let side = if open == right {
                tr!(language, "why.right-side")
            } else {
                tr!(language, "why.left-side")
            };
            if now.view.free.is_empty() {
                return tr!(language, "why.rule-lower-side-attacked", row = row, side = side);
            }
            tr!(language, "why.rule-lower-side-one", row = row, side = side, squares = closed)
        }
        Rule::LastRow => tr!(language, "why.rule-last-row", squares = closed),
        Rule::Corner => {
            tr!(language, "why.rule-corner", row = row, bound1 = bound1, squares = closed)
        }
        Rule::Half => tr!(language, "why.rule-half", row = row, squares = closed),
    }
}

fn placed(language: Language, now: &Snapshot, square: Square) -> String {
    let (row, bits) = (square.row(), square.bit());
    let square = name_in(&now.view, language, square);
    match now.view.masks {
        Some(masks) if row == 0 && masks.is_corner() && bits == RowBits::of(0) => {
            // Rule X makes the comparison unnecessary.
            return if masks.branching.cuts_sides() {
                tr!(language, "why.place-corner")
            } else {
                tr!(language, "why.place-corner-bound2")
            };
        }
        Some(Masks { bound1, bound2, .. }) if row == 0 && bits.column() == bound1 => {
            // The sentence names only the bounds that the method has.
            let key = match now.view.method.branching {
                Some(Branching::Bound1) => "why.place-first-bound1",
                Some(Branching::Bound2) => "why.place-first-bound2",
                Some(Branching::SideCuts | Branching::Symmetry) | None => "why.place-first",
            };
            return tr!(language, key, square = square, bound1 = bound1, bound2 = bound2);
        }
        Some(masks) if row == 1 && masks.is_corner() && bits.column() == masks.bound1 => {
            return tr!(language, "why.place-second", square = square, bound1 = masks.bound1);
        }
        _ => {}
    }
    // Before the step, `free` still contains the square of the new queen.
    if now.before.row == row
        && now.before.free.lowest() == bits
        && !now.before.chosen_by_a_loop(row)
    {
        let left = now.before.free - bits;
        let key = if has_free_word(now.view.method) { "why.place-lowest" } else { "why.place-any" };
        tr!(language, key, square = square)
            + language.space()
            + &still_to_try(language, &now.view, row, left)
    } else {
        tr!(language, "why.place", square = square)
    }
}

/// Returns the sentence with the number of squares of the row that the search has not tried yet, and
/// of those among them that it will skip. The permutation method skips only squares below a queen.
fn still_to_try(language: Language, view: &View, row: u32, squares: RowBits) -> String {
    let will_skip =
        |square: &Square| squares.intersects(square.bit()) && view.obstacle(*square).is_some();
    let left = squares.len();
    let skipped = Square::of_row(view.size, row).filter(will_skip).count() as u32;
    let is_all = left == skipped;
    let key = match (left, skipped, view.method.tests) {
        (0, ..) => "why.left-none",
        (1, 0, _) => "why.left-one",
        (_, 0, _) => "why.left-many",
        (1, _, [Line::Down]) => "why.left-one-column",
        (1, ..) => "why.left-one-attacked",
        (_, _, [Line::Down]) if is_all => "why.left-all-column",
        (_, _, [Line::Down]) => "why.left-many-column",
        _ if is_all => "why.left-all-attacked",
        _ => "why.left-many-attacked",
    };
    tr!(language, key, left = left, attacked = skipped)
}

fn compared(language: Language, view: &View, transform: Transform, outcome: Outcome) -> String {
    let name = transform_name(language, transform);
    let cell = view.masks.and_then(|masks| {
        let cell = Cell::ALL.into_iter().find(|cell| cell.transform() == transform)?;
        let (row, bits) = masks.cell(cell)?;
        let square = Square::of_bits(view.size, row, bits)?;
        (queen(view, row) == bits).then_some((cell, square))
    });
    let what = match cell {
        Some((cell, square)) => {
            let square = name_in(view, language, square);
            let cell = cell.letter();
            tr!(language, "why.compare-cell", square = square, cell = cell, transform = name)
        }
        None => tr!(language, "why.compare", transform = name),
    };
    let at = Comparison::new(&view.queens, view.size, transform).last();
    let sentence = match (outcome, at) {
        (Outcome::Same, _) | (_, None) => tr!(language, "why.same"),
        (_, Some(at)) => comparison_result(language, view.size, at, outcome),
    };
    what + language.space() + &sentence
}

/// Returns the result of a comparison, with the row that decides it.
pub fn comparison_result(
    language: Language,
    size: Size,
    at: ComparedRow,
    outcome: Outcome,
) -> String {
    let decides = match outcome {
        Outcome::ImageSmaller => tr!(language, "why.smaller"),
        _ => tr!(language, "why.larger"),
    };
    capitalised(&row_compared(language, size, at)) + language.space() + &decides
}

/// Returns the sentence about one row of a comparison. It begins in lower case, so that it can
/// follow other words.
pub fn row_compared(language: Language, size: Size, row: ComparedRow) -> String {
    tr!(
        language,
        "why.row-compared",
        row = row.row,
        image = column(size, row.image),
        image_bit = row.image,
        own = column(size, row.own),
        own_bit = row.own
    )
}

fn solution(language: Language, view: &View, found: Found) -> String {
    match found {
        Found::Single if view.size.get() == 1 => tr!(language, "why.single-one"),
        Found::Single => tr!(language, "why.single", n = view.size),
        Found::MirrorPair => tr!(language, "why.mirror-pair"),
        Found::Class(Class::One) => tr!(language, "why.class-1"),
        Found::Class(Class::Two) => tr!(language, "why.class-2"),
        Found::Class(Class::Four) => tr!(language, "why.class-4"),
        Found::Class(Class::Eight) if queen(view, 0) == RowBits::of(0) => {
            tr!(language, "why.class-8-corner")
        }
        Found::Class(Class::Eight) => tr!(language, "why.class-8"),
    }
}

/// Capitalizes the first letter: a sentence can begin with the name of a square.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The queen of a row; empty if the row has no queen.
fn queen(view: &View, row: u32) -> RowBits {
    view.queens.get(row as usize).copied().unwrap_or_default()
}

/// The name of a line of attack.
pub fn line_name(language: Language, line: Line) -> String {
    match line {
        Line::Down => tr!(language, "why.column"),
        Line::Left => tr!(language, "why.diagonal-left"),
        Line::Right => tr!(language, "why.diagonal-right"),
    }
}

/// The column of a bit, from the left.
fn column(size: Size, bit: u32) -> u32 {
    Column::from_right(size, bit).map_or(bit, Column::to_left)
}

/// A square in words, as in the sentences about a search.
fn name_in(view: &View, language: Language, square: Square) -> String {
    square_name(language, square, Some(view.method))
}

/// Whether the method stores the free squares of a row as the bits of a word. Otherwise it tries all
/// squares of a row, attacked or not, and sentences about it name no bits.
fn has_free_word(method: &Facts) -> bool {
    method.keeps(Register::Free)
}

/// A square in words, with its column from the left and its bit. The bit is left out if the text is about the
/// search of a method that uses none.
pub fn square_name(language: Language, square: Square, method: Option<&Facts>) -> String {
    let (row, column) = square.to_left();
    let (_, bit) = square.to_right();
    let key = if method.is_none_or(has_free_word) { "why.square" } else { "why.square-only" };
    tr!(language, key, row = row, column = column, bit = bit)
}

/// Returns the columns of a set of squares as a list for a sentence. Columns are counted from the
/// left.
fn columns(language: Language, size: Size, squares: RowBits) -> String {
    let columns = Column::all(size).filter(|column| squares.contains(column.to_right()));
    let names: Vec<String> = columns.map(|column| column.to_left().to_string()).collect();
    let key = match names.len() {
        0 => return tr!(language, "why.none"),
        1 => "why.column-one",
        _ => "why.column-many",
    };
    tr!(language, key, columns = names.join(language.comma()))
}

#[cfg(test)]
mod tests;
