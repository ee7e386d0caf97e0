//! The line that does a step. The code reports each event to its observer; the line that places the queen, tests
//! the square or applies the rule is near the report, and says more about the step.

use queens_core::{Event, Found, Outcome, Register, Size, Stepped};

use super::values::bits;

/// Returns the number of the line that does what `event` says, for an event that line `reported` reports. `lines`
/// is the listing of a form. Without such a line, this is `reported` itself.
pub fn acting_line(lines: &[(u32, &str)], reported: u32, event: Event) -> u32 {
    let Some(at) = lines.iter().position(|&(number, _)| number == reported) else {
        return reported;
    };
    let (before, after) = signs(event);
    let has_any = |text: &str, signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
    let (above, below) = lines.split_at(at + 1);
    let next = below.first().filter(|(_, text)| has_any(text, after));
    next.or_else(|| leading_to(above).find(|(_, text)| has_any(text, before)))
        .map_or(reported, |&(number, _)| number)
}

/// Returns the lines from the last one upwards, without lines that are indented more than a line already passed.
fn leading_to<'a>(lines: &'a [(u32, &'a str)]) -> impl Iterator<Item = &'a (u32, &'a str)> {
    let mut depth = usize::MAX;
    lines.iter().rev().filter(move |(_, text)| {
        let own = text.len() - text.trim_start().len();
        let leads = !text.trim().is_empty() && own <= depth;
        if leads {
            depth = own;
        }
        leads
    })
}

/// Returns what the line of an event contains: a line above the report, or the line directly below it.
fn signs(event: Event) -> (&'static [&'static str], &'static [&'static str]) {
    match event {
        Event::Descend { .. } => {
            (&["fn ", ".below(", "board.free[r] = ", "board.next[r] = ", "At::Start"], &[])
        }
        Event::Try { .. } => (&["let square = "], &[]),
        Event::Reject { .. } => {
            // A test of one square, or a set of all attacked squares.
            let signs = &[
                "attacked(",
                "taken[",
                "on_a_diagonal(",
                "let attacked = ",
                "attacked) = ",
                "let attacks = ",
                "let below_corner = ",
            ];
            (signs, &[])
        }
        Event::Cut { .. } => (
            &["free[r] -= ", "*free -= ", "let closed =", "let squares ="],
            &["free -= ", "let mut free = ", "for bit in 0..columns("],
        ),
        Event::Place { .. } => {
            (&["] = ", "take_lowest()", "_queen = ", ".set(", "get() == 1", "At::SecondQueen"], &[])
        }
        Event::Compare { .. } => (&["Comparison::new(", "let outcome ="], &[]),
        Event::Solution { .. } => (
            &[
                "Verdict::Keep(",
                "if row == self.",
                "attacked(",
                "on_a_diagonal(",
                "At::FullBoard",
                "At::OnlySolution",
                "get() == 1",
            ],
            &[],
        ),
        // Where no line lifts the queen, the loop goes on to the next square, or a call has returned.
        Event::Back { .. } => (
            &[
                "board.queens[r] = ",
                "while let Some(queen)",
                "for bit in",
                "for masks in",
                "self.fill",
                "self.full_board()",
                "self.compare()",
                ".search(",
                "get() == 1",
            ],
            &["= false", ", false)"],
        ),
        Event::Done => (&[".fill(0", "for masks in", "At::Done"], &[]),
    }
}

/// Returns the value that the marked line assigns or tests. `line` is its text.
pub fn acting_value(method: Stepped, size: Size, event: Event, line: &str) -> Option<String> {
    let bits = |squares| bits(size, squares);
    let line = line.trim();
    let is_test = line.starts_with("if ");
    // The search of a full board for a queen that another one attacks.
    let finds_attack = line.starts_with("match first_");
    Some(match event {
        Event::Descend { row } if line.contains("row: u32") => format!("row = {row}"),
        Event::Descend { .. } => return None,
        Event::Place { .. } if is_test => return None,
        Event::Try { square, .. } | Event::Place { square, .. } => bits(square),
        Event::Reject { .. } if finds_attack => "Some(row)".to_owned(),
        Event::Solution { .. } if finds_attack => "None".to_owned(),
        Event::Reject { .. } | Event::Solution { found: Found::Single } if is_test => {
            "true".to_owned()
        }
        // All attacked squares of the row.
        Event::Reject { squares, .. } if method.facts().keeps(Register::Free) => bits(squares),
        Event::Cut { squares, .. } if line.contains("closed") => {
            format!("closed = {}", bits(squares))
        }
        Event::Compare { outcome, .. } => match outcome {
            Outcome::ImageSmaller => "image < board",
            Outcome::Same => "image == board",
            Outcome::ImageLarger => "image > board",
        }
        .to_owned(),
        Event::Reject { .. }
        | Event::Cut { .. }
        | Event::Solution { .. }
        | Event::Back { .. }
        | Event::Done => return None,
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::collections::BTreeSet;

    use queens_core::{Form, Size, Stepped, Tracer};

    use super::super::lines::{Lines, listing};
    use super::*;

    fn file(method: Stepped) -> String {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/src/search/methods/");
        std::fs::read_to_string(format!("{folder}{}", method.file())).unwrap()
    }

    /// Returns the marked lines of all steps on boards up to N = 6, with the names of their events.
    fn marked(method: Stepped, form: Form) -> BTreeSet<(String, String)> {
        let all = marked_with_values(method, form).into_iter();
        all.map(|(event, line, _)| (event, line)).collect()
    }

    /// Returns the same with the values of the lines.
    fn marked_with_values(
        method: Stepped,
        form: Form,
    ) -> BTreeSet<(String, String, Option<String>)> {
        let file = file(method);
        let (lines, found) = (listing(&file, form), Lines::of_method(method));
        let mut marked = BTreeSet::new();
        for size in Size::all().take_while(|size| size.get() <= 6) {
            let mut tracer = Tracer::new(method, size);
            loop {
                let before = tracer.view();
                let Some(step) = tracer.forward() else { break };
                let reported = found.of(form, step.line, step.event, &before).unwrap();
                let line = acting_line(&lines, reported, step.event);
                let text = lines.iter().find(|(number, _)| *number == line).unwrap().1.trim();
                let event = format!("{:?}", step.event);
                let name = event.split(' ').next().unwrap();
                let value = acting_value(method, size, step.event, text);
                marked.insert((name.to_owned(), text.to_owned(), value));
            }
        }
        marked
    }

    #[test]
    fn no_step_marks_the_line_that_only_reports_it() {
        for &method in Stepped::ALL {
            for form in Form::ALL {
                for (event, line) in marked(method, form) {
                    let reports = line.contains("watch.") || line.contains("Step::");
                    assert!(!reports || event == "Done", "{method} {form:?} {event}: {line}");
                }
            }
        }
    }

    #[test]
    fn steps_mark_the_test_the_place_and_the_lift() {
        let of = |method, form, event: &str| {
            let lines = marked(method, form).into_iter().filter(|(name, _)| name == event);
            lines.map(|(_, line)| line).collect::<Vec<_>>()
        };
        let (recursive, iterative) = (Form::Recursive, Form::Iterative);
        for (method, form, event, line) in [
            (Stepped::Backtracking, recursive, "Descend", "fn fill(&mut self, row: u32) {"),
            (Stepped::Backtracking, recursive, "Try", "let square = RowBits::of(bit);"),
            (
                Stepped::Backtracking,
                recursive,
                "Reject",
                "if is_attacked(&self.queens, row, bit) {",
            ),
            (Stepped::Backtracking, recursive, "Place", "self.queens[row as usize] = square;"),
            (Stepped::Backtracking, recursive, "Solution", "if row == self.size.last() {"),
            (Stepped::Backtracking, recursive, "Back", "for bit in 0..self.size.get() {"),
            (Stepped::Backtracking, iterative, "Back", "board.queens[r] = RowBits::EMPTY;"),
            (Stepped::Flags, recursive, "Back", "self.flags.set(row, bit, false);"),
            (Stepped::Bitmap, recursive, "Reject", "let attacked = self.mask & attacks.squares();"),
            (Stepped::Bitmap, recursive, "Place", "while let Some(queen) = free.take_lowest() {"),
            (Stepped::Bitmap, iterative, "Place", "board.queens[r] = queen;"),
            (Stepped::Mirror, recursive, "Cut", "free -= mirrored;"),
        ] {
            assert_eq!(of(method, form, event), [line], "{method} {form:?} {event}");
        }
        let cuts = of(Stepped::Symmetry, recursive, "Cut");
        assert_eq!(cuts, ["free -= at_bound2;", "let mut free = open - attacked;"]);
        let compares = of(Stepped::Symmetry, recursive, "Compare");
        assert_eq!(compares.len(), 1);
        assert!(compares[0].starts_with("let outcome = Comparison::new("), "{compares:?}");
    }

    #[test]
    fn the_marked_line_has_the_value_of_its_event() {
        let forms = || Stepped::ALL.iter().flat_map(|&method| Form::ALL.map(|form| (method, form)));
        for (method, form) in forms() {
            for (event, line, value) in marked_with_values(method, form) {
                let place = format!("{method} {form:?} {event}: {line}");
                let is_test = line.starts_with("if ");
                match value.as_deref() {
                    Some("true") => assert!(is_test, "{place}"),
                    Some("Some(row)") => assert_eq!(event, "Reject", "{place}"),
                    Some("None") => assert_eq!(event, "Solution", "{place}"),
                    Some(value) if value.starts_with("row = ") => {
                        assert!(line.contains("row: u32"), "{place}");
                    }
                    Some(value) if value.starts_with("image ") => {
                        assert_eq!(event, "Compare", "{place}");
                    }
                    Some(value) => {
                        let bits = value.strip_prefix("closed = ").unwrap_or(value);
                        assert!(
                            u32::from_str_radix(bits, 2).is_ok() && !is_test,
                            "{place} {value}"
                        );
                    }
                    None => assert!(!matches!(&*event, "Try" | "Compare"), "{place}"),
                }
            }
        }
        let of = |method, event: &str, value: &str| {
            let all = marked_with_values(method, Form::Recursive);
            all.iter().any(|(name, _, its)| name == event && its.as_deref() == Some(value))
        };
        assert!(of(Stepped::BruteForce, "Reject", "Some(row)"));
        assert!(of(Stepped::BruteForce, "Solution", "None"));
        assert!(of(Stepped::Backtracking, "Reject", "true"));
        assert!(of(Stepped::Bitmap, "Place", "000100"));
        assert!(of(Stepped::Symmetry, "Compare", "image == board"));
    }
}
