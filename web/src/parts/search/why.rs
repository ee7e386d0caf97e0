//! One sentence for each step: what happened, and why.

use queens_core::{
    Cell, Class, Comparison, Event, Found, Line, Masks, Outcome, RowBits, Rule, Size, Transform,
    View,
};

use super::state::Snapshot;
use crate::board::square::Square;
use crate::words::{Language, grouped, tr, transform_name};

/// The sentence for the step that a snapshot shows.
pub fn why(language: Language, now: &Snapshot) -> String {
    capitalised(&said(language, now))
}

fn said(language: Language, now: &Snapshot) -> String {
    let Some(event) = now.event else {
        return tr!(language, "why.start");
    };
    let view = &now.view;
    let size = view.size;
    match event {
        Event::Descend { row: 0 } => tr!(language, "why.descend-first"),
        Event::Descend { row } => tr!(language, "why.descend", row = row),
        Event::Try { row, square } => tried(language, view, row, square),
        Event::Reject { row, squares } => rejected(language, view, row, squares),
        Event::Cut { row, rule, squares } => cut(language, now, row, rule, squares),
        Event::Place { row, square } => placed(language, now, row, square),
        Event::Compare { transform, outcome } => compared(language, view, transform, outcome),
        Event::Solution { found } => solution(language, view, found),
        Event::Back { row } => {
            let lifted = queen(&now.before, row);
            let column = from_left(size, lifted);
            match view.free.len() {
                _ if now.before.chosen_by_a_loop(row) => {
                    tr!(language, "why.back-first", row = row, column = column)
                }
                0 => tr!(language, "why.back-empty", row = row, column = column),
                left => tr!(language, "why.back", row = row, column = column, left = left),
            }
        }
        Event::Done => {
            let met = now.work.tally.met();
            match now.work.tally.total() {
                Some(total) if met > 0 => {
                    tr!(language, "why.done", met = grouped(met), total = grouped(total))
                }
                _ => tr!(language, "why.done-none", n = size),
            }
        }
    }
}

/// What there is to say of one square (row from the top, column from the right), as it is `drawn`.
pub fn ask(language: Language, now: &Snapshot, (row, bit): (u32, u32), drawn: &Square) -> String {
    let view = &now.view;
    let square = square(language, view.size, row, bit);
    let here = RowBits::of(bit);
    let attack = attacker_above(view, row, bit);
    let attack = attack.map(|(by, line)| (by, line_name(language, line)));
    let by_loop = view.chosen_by_a_loop(row);
    let said = match (drawn.state(), drawn.closed(), attack) {
        ("queen", ..) => tr!(language, "why.ask-queen", square = square),
        ("attacked" | "closed", rule, attack) => {
            let attacked = attack.map(|(by, line)| {
                tr!(language, "why.ask-attacked", square = square, by = by, line = line)
            });
            let rule = rule.map(|rule| {
                // The lower-side cut acts in row BOUND2 on what lies between the side columns.
                let at_bound2 = view.masks.is_some_and(|masks| masks.bound2 == row);
                let id = if at_bound2 && rule == Rule::LowerSide { "bound2" } else { rule.id() };
                capitalised(&tr!(language, format!("why.ask-{id}"), square = square))
            });
            attacked.into_iter().chain(rule).collect::<Vec<_>>().join(" ")
        }
        ("free", ..) => tr!(language, "why.ask-free", square = square),
        ("past", _, Some((by, line))) => {
            tr!(language, "why.ask-past-attacked", square = square, by = by, line = line)
        }
        ("past", ..) if by_loop => tr!(language, "why.ask-past-loop", square = square),
        ("past", ..) => tr!(language, "why.ask-past", square = square),
        _ if now.event == Some(Event::Done) => tr!(language, "why.ask-done", square = square),
        _ if by_loop => tr!(language, "why.ask-loop", square = square),
        _ if row > view.row => tr!(language, "why.ask-later", square = square),
        _ => tr!(language, "why.ask-tried", square = square),
    };
    let said = capitalised(&said);
    match view.masks.as_ref().and_then(|masks| cell_at(masks, row, here)) {
        Some(cell) => {
            let transform = transform_name(language, cell.transform());
            let cell = cell.letter();
            let more = tr!(language, "why.ask-cell", cell = cell, transform = transform);
            format!("{said} {more}")
        }
        None => said,
    }
}

/// The cell on a square, if one is there.
pub fn cell_at(masks: &Masks, row: u32, square: RowBits) -> Option<Cell> {
    Cell::ALL.into_iter().find(|&cell| masks.cell(cell) == Some((row, square)))
}

fn tried(language: Language, view: &View, row: u32, bits: RowBits) -> String {
    let square = square(language, view.size, row, bits.column());
    match attacker_above(view, row, bits.column()) {
        Some((by, line)) => {
            let line = line_name(language, line);
            tr!(language, "why.try-attacked", square = square, by = by, line = line)
        }
        None => tr!(language, "why.try-free", square = square),
    }
}

fn rejected(language: Language, view: &View, row: u32, squares: RowBits) -> String {
    let size = view.size;
    if squares.len() == 1
        && let Some((by, line)) = attacker_above(view, row, squares.column())
    {
        let line = line_name(language, line);
        if queen(view, row) == squares {
            return tr!(language, "why.reject-queen", row = row, by = by, line = line);
        }
        let square = square(language, size, row, squares.column());
        return tr!(language, "why.reject-one", square = square, by = by, line = line);
    }
    let squares = squares & size.mask();
    if squares == size.mask() {
        return tr!(language, "why.reject-all", row = row);
    }
    let open = columns(language, size, size.mask() - squares);
    let count = squares.len();
    tr!(language, "why.reject-many", count = count, n = size, row = row, open = open)
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
            tr!(language, "why.rule-lower-side-one", row = row, side = side, squares = closed)
        }
        Rule::LastRow => {
            tr!(language, "why.rule-last-row", bound1 = bound1, squares = closed)
        }
        Rule::Corner => {
            tr!(language, "why.rule-corner", row = row, bound1 = bound1, squares = closed)
        }
        Rule::Half => tr!(language, "why.rule-half", row = row, squares = closed),
    }
}

fn placed(language: Language, now: &Snapshot, row: u32, bits: RowBits) -> String {
    let square = square(language, now.view.size, row, bits.column());
    match now.view.masks {
        Some(masks) if row == 0 && masks.is_corner() && bits == RowBits::of(0) => {
            return tr!(language, "why.place-corner");
        }
        Some(Masks { bound1, bound2, .. }) if row == 0 && bits.column() == bound1 => {
            return tr!(
                language,
                "why.place-first",
                square = square,
                bound1 = bound1,
                bound2 = bound2
            );
        }
        Some(masks) if row == 1 && masks.is_corner() && bits.column() == masks.bound1 => {
            return tr!(language, "why.place-second", square = square, bound1 = masks.bound1);
        }
        _ => {}
    }
    // The view before shows the row's squares still to be tried, the new queen's included.
    if now.before.row == row
        && now.before.free.lowest() == bits
        && !now.before.chosen_by_a_loop(row)
    {
        let left = now.before.free.len() - 1;
        tr!(language, "why.place-lowest", square = square, left = left)
    } else {
        tr!(language, "why.place", square = square)
    }
}

fn compared(language: Language, view: &View, transform: Transform, outcome: Outcome) -> String {
    let name = transform_name(language, transform);
    let cell = view.masks.and_then(|masks| {
        let cell = Cell::ALL.into_iter().find(|cell| cell.transform() == transform)?;
        let (row, bits) = masks.cell(cell)?;
        (queen(view, row) == bits).then_some((cell, row, bits))
    });
    let what = match cell {
        Some((cell, row, bits)) => {
            let square = square(language, view.size, row, bits.column());
            let cell = cell.letter();
            tr!(language, "why.compare-cell", square = square, cell = cell, transform = name)
        }
        None => tr!(language, "why.compare", transform = name),
    };
    let decided = Comparison::new(&view.queens, view.size, transform).last();
    let said = match (outcome, decided) {
        (Outcome::Same, _) | (_, None) => tr!(language, "why.same"),
        (Outcome::ImageSmaller, Some(at)) => {
            tr!(language, "why.smaller", row = at.row, image = at.image, own = at.own)
        }
        (Outcome::ImageLarger, Some(at)) => {
            tr!(language, "why.larger", row = at.row, image = at.image, own = at.own)
        }
    };
    format!("{what} {said}")
}

fn solution(language: Language, view: &View, found: Found) -> String {
    match found {
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

/// A sentence may begin with the name of a square.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The queen of a row; empty if there is none.
fn queen(view: &View, row: u32) -> RowBits {
    view.queens.get(row as usize).copied().unwrap_or_default()
}

/// The first queen above a square that attacks it: its row and the line.
fn attacker_above(view: &View, row: u32, bit: u32) -> Option<(u32, Line)> {
    (0..row).zip(view.rows()).find_map(|(upper, &queen)| {
        let line = Line::between(upper, queen.column(), row, bit)?;
        (!queen.is_empty()).then_some((upper, line))
    })
}

fn line_name(language: Language, line: Line) -> String {
    match line {
        Line::Down => tr!(language, "why.column"),
        Line::Left | Line::Right => tr!(language, "why.diagonal"),
    }
}

/// A square in words, with its column from the left and its bit.
fn square(language: Language, size: Size, row: u32, bit: u32) -> String {
    let column = size.last().saturating_sub(bit);
    tr!(language, "why.square", row = row, column = column, bit = bit)
}

/// The column of a single square, from the left.
fn from_left(size: Size, square: RowBits) -> u32 {
    size.last().saturating_sub(square.column())
}

/// The columns of a set of squares, from the left.
fn columns(language: Language, size: Size, squares: RowBits) -> String {
    let names = (0..size.get()).filter(|column| squares.contains(size.last() - column));
    let names: Vec<String> = names.map(|column| column.to_string()).collect();
    if names.is_empty() { tr!(language, "why.none") } else { names.join(", ") }
}

#[cfg(test)]
mod tests;
