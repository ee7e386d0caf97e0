//! Every method in both forms against each other and against the naive oracle.

use std::{collections::BTreeMap, panic::Location};

use queens_core::{
    Class, Counts, Event, Form, Method, Observer, Size, Step, Tally, Tracer, Work, half_turn,
    methods, oracle, quarter_turn, representative,
};

/// Keeps every event with the line of the source that reported it.
#[derive(Default)]
struct Recorder(Vec<Step>);

impl Observer for Recorder {
    #[track_caller]
    fn see(&mut self, event: Event) {
        self.0.push(Step { event, line: Location::caller().line() });
    }
}

fn sizes(up_to: u32) -> impl Iterator<Item = Size> {
    Size::all().take_while(move |size| size.get() <= up_to)
}

/// The largest N at which a method's whole sequence of events is compared.
fn compared(method: Method) -> u32 {
    match method.id() {
        "brute-force" => 6,
        "permutations" => 8,
        _ => 9,
    }
}

fn iterative(method: Method, size: Size) -> (Vec<Step>, Tracer) {
    let mut tracer = Tracer::new(method, size);
    let mut steps = vec![];
    while let Some(step) = tracer.forward() {
        steps.push(step);
    }
    (steps, tracer)
}

#[test]
fn both_forms_do_the_same_steps() {
    for &method in Method::ALL {
        for size in sizes(compared(method)) {
            let mut recursive = Recorder::default();
            method.search(size, &mut recursive);
            let (steps, _) = iterative(method, size);
            for (number, (recursive, iterative)) in recursive.0.iter().zip(&steps).enumerate() {
                assert_eq!(
                    recursive.event,
                    iterative.event,
                    "{method} N = {size}, step {}",
                    number + 1
                );
            }
            assert_eq!(recursive.0.len(), steps.len(), "{method} N = {size}");
            assert_eq!(steps.last().map(|step| step.event), Some(Event::Done));
        }
    }
}

/// The call that reports an event, as it stands in both forms' source.
fn call(event: Event) -> String {
    match event {
        Event::Descend { .. } => "descend(".into(),
        Event::Try { .. } => "try_square(".into(),
        Event::Reject { .. } => "reject(".into(),
        Event::Cut { rule, .. } => format!("cut(row, Rule::{rule:?}"),
        Event::Place { .. } => "place(".into(),
        Event::Compare { .. } => "compare(".into(),
        Event::Solution { .. } => "solution(".into(),
        Event::Back { .. } => "back(".into(),
        Event::Done => "done(".into(),
    }
}

#[test]
fn events_come_from_the_lines_that_are_shown() {
    for &method in Method::ALL {
        let size = Size::new(compared(method).min(7)).unwrap();
        let mut recursive = Recorder::default();
        method.search(size, &mut recursive);
        let (steps, _) = iterative(method, size);
        for (form, steps) in [(Form::Recursive, &recursive.0), (Form::Iterative, &steps)] {
            let (first, text) = methods::source(method, form);
            let lines: Vec<&str> = text.lines().collect();
            let mut marked = BTreeMap::new();
            for step in steps {
                let index = step.line.checked_sub(first).map(|line| line as usize);
                let line = index.and_then(|index| lines.get(index)).unwrap_or_else(|| {
                    panic!("{method} {form}: {:?} comes from line {}", step.event, step.line)
                });
                let call = call(step.event);
                assert!(line.contains(&call), "{method} {form}: {call} in {line:?}");
                marked.insert(call, ());
            }
            assert!(marked.len() >= 5, "{method} {form} marks only {marked:?}");
        }
    }
}

#[test]
fn counts_agree_with_the_oracle() {
    for size in sizes(8) {
        let mut all = vec![];
        oracle::solutions(size, &mut |placement| all.push(*placement));
        let mut unique: Vec<_> = all.iter().map(representative).collect();
        unique.sort();
        unique.dedup();
        for &method in Method::ALL.iter().filter(|method| method.largest() >= size.get()) {
            let mut tally = Tally::default();
            method.search(size, &mut tally);
            assert_eq!(tally.total(), Some(all.len() as u64), "{method} N = {size}");
            if method.counts_classes() {
                assert_eq!(tally.met(), unique.len() as u64, "{method} N = {size}");
                for class in Class::ALL {
                    let of_class =
                        unique.iter().filter(|placement| Class::of(placement) == class).count();
                    assert_eq!(tally.class(class), of_class as u64, "{method} N = {size}");
                }
            }
        }
    }
}

#[test]
fn solutions_of_methods_that_count_classes_are_representatives() {
    for &method in Method::ALL.iter().filter(|method| method.counts_classes()) {
        for size in sizes(8) {
            let mut tracer = Tracer::new(method, size);
            while let Some(step) = tracer.forward() {
                if let Event::Solution { .. } = step.event {
                    let placement = tracer.view().placement().expect("a solution is on the board");
                    assert_eq!(representative(&placement), placement, "{method} N = {size}");
                }
            }
        }
    }
}

#[test]
fn work_of_both_forms_agrees() {
    for &method in Method::ALL {
        for size in sizes(compared(method)) {
            let mut work = Work::default();
            method.search(size, &mut work);
            let (_, tracer) = iterative(method, size);
            assert_eq!(work, *tracer.work(), "{method} N = {size}");
        }
    }
}

#[test]
fn classes_agree_with_burnside() {
    for size in sizes(13) {
        let mut tally = Tally::default();
        Method::Symmetry.search(size, &mut tally);
        let counts = Counts::from_classes(size, &tally).unwrap();
        let burnside = Counts::from_total(size, counts.total, half_turn(size), quarter_turn(size));
        assert_eq!(burnside, Ok(counts), "N = {size}");
    }
}
