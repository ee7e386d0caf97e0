//! Which line of the recursive form belongs to a step of the iterative one.

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::Location;
use std::rc::Rc;

use queens_core::{Event, Form, Observer, Rule, Size, Stepped, Tracer, View, methods};

/// The recursive form's lines by what tells them apart in the iterative form.
#[derive(Clone, Debug, Default)]
pub struct Lines(HashMap<Place, u32>);

/// A line of the iterative form, and where in the search it was at work: forms that treat the
/// first or last rows, the corner or a rule apart have several lines for one of the other form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    line: u32,
    /// `None` where there is no branch, as on a board of one square.
    corner: Option<bool>,
    /// Row 0, row 1, or one below.
    row: u32,
    last_row: bool,
    rule: Option<Rule>,
}

impl Place {
    fn new(line: u32, event: Event, before: &View) -> Place {
        let (row, rule) = match event {
            Event::Cut { row, rule, .. } => (row, Some(rule)),
            Event::Descend { row }
            | Event::Try { row, .. }
            | Event::Reject { row, .. }
            | Event::Place { row, .. }
            | Event::Back { row } => (row, None),
            Event::Compare { .. } | Event::Solution { .. } | Event::Done => (2, None),
        };
        Place {
            line,
            corner: before.masks.map(|masks| masks.is_corner()),
            row: row.min(2),
            last_row: row == before.size.last(),
            rule,
        }
    }
}

/// Keeps the lines that report the first events of a recursive search.
struct Recorder {
    lines: Vec<u32>,
}

impl Observer for Recorder {
    #[track_caller]
    fn see(&mut self, _: Event) {
        if self.lines.len() < Lines::ENOUGH {
            self.lines.push(Location::caller().line());
        }
    }
}

impl Lines {
    /// The number of steps looked at for each board.
    const ENOUGH: usize = 20_000;

    /// The lines of a method, which are found once and kept.
    pub fn of_method(method: Stepped) -> Rc<Lines> {
        thread_local! {
            static FOUND: RefCell<HashMap<Stepped, Rc<Lines>>> = RefCell::default();
        }
        FOUND.with_borrow_mut(|found| {
            Rc::clone(found.entry(method).or_insert_with(|| Rc::new(Lines::new(method))))
        })
    }

    /// Runs both forms side by side on small boards: they do the same steps.
    fn new(method: Stepped) -> Lines {
        let mut lines = HashMap::new();
        let largest = if method.facts().counts_classes() { 8 } else { 6 };
        for size in Size::all().take_while(|size| size.get() <= largest) {
            let mut recursive = Recorder { lines: Vec::new() };
            method.search(size, &mut recursive);
            let mut tracer = Tracer::new(method, size);
            for line in recursive.lines {
                let before = tracer.view();
                let Some(step) = tracer.forward() else { break };
                lines.entry(Place::new(step.line, step.event, &before)).or_insert(line);
            }
        }
        Lines(lines)
    }

    /// The line, in the method's file, that a form did a step with: `line` is the iterative
    /// form's, `before` the view before the step.
    pub fn of(&self, form: Form, line: u32, event: Event, before: &View) -> Option<u32> {
        match form {
            Form::Iterative => Some(line),
            Form::Recursive => self.0.get(&Place::new(line, event, before)).copied(),
        }
    }
}

/// The lines of a form in its method's file, with their numbers there, blank ends left out.
pub fn listing(file: &str, form: Form) -> Vec<(u32, &str)> {
    let (first, text) = methods::written(file, form);
    (first..).zip(text.trim_end().lines()).skip_while(|(_, line)| line.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_finds_the_recursive_line_that_reports_it() {
        for &method in Stepped::ALL {
            let lines = Lines::new(method);
            let largest = if method == Stepped::Symmetry { 9 } else { 6 };
            for size in Size::all().take_while(|size| size.get() <= largest) {
                let mut recursive = Recorder { lines: Vec::new() };
                method.search(size, &mut recursive);
                let mut tracer = Tracer::new(method, size);
                for (number, line) in recursive.lines.into_iter().enumerate() {
                    let before = tracer.view();
                    let step = tracer.forward().unwrap();
                    assert_eq!(
                        lines.of(Form::Recursive, step.line, step.event, &before),
                        Some(line),
                        "{method} N = {size}, step {}: {:?}",
                        number + 1,
                        step.event
                    );
                }
            }
        }
    }
}
