//! Lines of the source code: the listing of a form, and the line of the recursive form for each step
//! of the iterative form.

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::Location;
use std::rc::Rc;

use queens_core::{Event, Form, Observer, Rule, Size, Stepped, Tracer, View, methods};
use queens_state::search::state::Snapshot;

/// The lines of the recursive form, by the situation in which the iterative form does the same step.
#[derive(Clone, Debug, Default)]
pub struct Lines(HashMap<Situation, u32>);

/// A line of the iterative form with its situation in the search. A form that treats the first
/// rows, the last row, the corner or a rule separately has several lines for one line of the other
/// form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Situation {
    line: u32,
    /// Whether the first queen is in the corner. `None` outside of branches, and for methods without them.
    corner: Option<bool>,
    /// 0, 1, or 2 for all further rows.
    row: u32,
    last_row: bool,
    rule: Option<Rule>,
}

impl Situation {
    fn new(line: u32, event: Event, before: &View) -> Situation {
        let (row, rule) = match event {
            Event::Cut { row, rule, .. } => (row, Some(rule)),
            Event::Descend { row }
            | Event::Try { row, .. }
            | Event::Reject { row, .. }
            | Event::Place { row, .. }
            | Event::Back { row } => (row, None),
            Event::Compare { .. } | Event::Solution { .. } | Event::Done => (2, None),
        };
        Situation {
            line,
            corner: before.masks.map(|masks| masks.is_corner()),
            row: row.min(2),
            last_row: row == before.size.last(),
            rule,
        }
    }
}

/// Records the lines that report the first events of a recursive search.
struct Recorder {
    lines: Vec<u32>,
    /// The number of events after which no more lines are recorded.
    limit: usize,
}

impl Recorder {
    fn record(method: Stepped, size: Size, limit: usize) -> Vec<u32> {
        let mut recorder = Recorder { lines: Vec::new(), limit };
        method.search(size, &mut recorder);
        recorder.lines
    }
}

impl Observer for Recorder {
    #[track_caller]
    fn see(&mut self, _: Event) {
        if self.lines.len() < self.limit {
            self.lines.push(Location::caller().line());
        }
    }
}

impl Lines {
    /// The largest number of steps that are compared per board.
    const MAX_STEPS: usize = 20_000;

    /// Returns the lines of a method, which are computed once.
    pub fn of_method(method: Stepped) -> Rc<Lines> {
        thread_local! {
            static CACHE: RefCell<HashMap<Stepped, Rc<Lines>>> = RefCell::default();
        }
        CACHE.with_borrow_mut(|cache| {
            Rc::clone(cache.entry(method).or_insert_with(|| Rc::new(Lines::new(method))))
        })
    }

    /// Runs both forms on small boards and pairs their steps, which are the same in the same order.
    fn new(method: Stepped) -> Lines {
        let mut lines = HashMap::new();
        for size in Size::all().take_while(|size| size.get() <= Lines::largest(method)) {
            let mut tracer = Tracer::new(method, size);
            for line in Recorder::record(method, size, Lines::MAX_STEPS) {
                let before = tracer.view();
                let Some(step) = tracer.forward() else { break };
                lines.entry(Situation::new(step.line, step.event, &before)).or_insert(line);
            }
        }
        Lines(lines)
    }

    /// Returns the line of the method's file that did the last step; `None` at step 0.
    pub fn of_step(&self, form: Form, now: &Snapshot) -> Option<u32> {
        let (line, event) = now.line.zip(now.event)?;
        self.of(form, line, event, &now.before)
    }

    /// The largest N of the boards that are compared.
    fn largest(method: Stepped) -> u32 {
        if method.facts().counts_classes() { 8 } else { 6 }
    }

    /// Returns the line of the method's file that did a step in the given form. `line` is the line
    /// of the iterative form, `before` the view before the step.
    pub fn of(&self, form: Form, line: u32, event: Event, before: &View) -> Option<u32> {
        match form {
            Form::Iterative => Some(line),
            Form::Recursive => self.0.get(&Situation::new(line, event, before)).copied(),
        }
    }
}

/// The lines of a form with their numbers in the method's file, without blank lines at the ends.
pub fn listing(file: &str, form: Form) -> Vec<(u32, &str)> {
    let (first, text) = methods::written(file, form);
    (first..).zip(text.trim_end().lines()).skip_while(|(_, line)| line.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_small_boards_find_the_recursive_lines_that_report_them() {
        for &method in Stepped::ALL {
            let lines = Lines::new(method);
            // All steps, also on a board that is larger than the boards from which the lines were recorded.
            let largest = Lines::largest(method) + 1;
            for size in Size::all().take_while(|size| size.get() <= largest) {
                let recursive = Recorder::record(method, size, usize::MAX);
                let mut tracer = Tracer::new(method, size);
                for (number, line) in recursive.into_iter().enumerate() {
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
