//! Compares the two forms of every method with each other, with the naive solver and with known counts.
//! Also tests the views.

use queens_core::{
    Attacks, Class, Event, Numbers, Observer, RowBits, Rule, Size, Stepped, Tally, Tracer, Turns,
    Work, oracle, representative,
};

/// Records every event.
#[derive(Default)]
struct Recorder(Vec<Event>);

impl Observer for Recorder {
    fn see(&mut self, event: Event) {
        self.0.push(event);
    }
}

fn sizes(up_to: u32) -> impl Iterator<Item = Size> {
    Size::all().take_while(move |size| size.get() <= up_to)
}

/// The largest N at which a method's whole sequence of events is compared.
fn largest_compared(method: Stepped) -> u32 {
    match method.id() {
        "brute-force" => 6,
        "permutations" => 8,
        _ => 9,
    }
}

fn iterative(method: Stepped, size: Size) -> (Vec<Event>, Tracer) {
    let mut tracer = Tracer::new(method, size);
    let mut steps = vec![];
    while let Some(step) = tracer.forward() {
        steps.push(step);
    }
    (steps, tracer)
}

#[test]
fn both_forms_take_the_same_steps() {
    for &method in Stepped::ALL {
        for size in sizes(largest_compared(method)) {
            let mut recursive = Recorder::default();
            method.search(size, &mut recursive);
            let (steps, _) = iterative(method, size);
            for (number, (recursive, iterative)) in recursive.0.iter().zip(&steps).enumerate() {
                assert_eq!(recursive, iterative, "{method} N = {size}, step {}", number + 1);
            }
            assert_eq!(recursive.0.len(), steps.len(), "{method} N = {size}");
            assert_eq!(steps.last(), Some(&Event::Done));
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
        for &method in Stepped::ALL.iter().filter(|method| method.facts().largest >= size.get()) {
            let mut tally = Tally::default();
            method.search(size, &mut tally);
            assert_eq!(tally.total(), Some(all.len() as u64), "{method} N = {size}");
            if method.facts().counts_classes() {
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

/// Numbers of solutions and of classes, N = 1..10: OEIS A000170 and A002562.
const KNOWN: [(u64, u64); 10] =
    [(1, 1), (0, 0), (0, 0), (2, 1), (10, 2), (4, 1), (40, 6), (92, 12), (352, 46), (724, 92)];

#[test]
fn counts_agree_with_known_values() {
    for &method in Stepped::ALL {
        let up_to = match method {
            Stepped::BruteForce => 7,
            Stepped::Permutations => 9,
            _ => 10,
        };
        for (size, (total, unique)) in sizes(up_to).zip(KNOWN) {
            let mut recursive = Tally::default();
            method.search(size, &mut recursive);
            let mut tracer = Tracer::new(method, size);
            while tracer.forward().is_some() {}
            assert_eq!(tracer.work().tally, recursive, "{method} N = {size}");
            assert_eq!(recursive.total(), Some(total), "{method} N = {size}");
            if method.facts().counts_classes() {
                let burnside = Numbers::by_burnside(size, total, Turns::search(size)).unwrap();
                assert_eq!(Numbers::of_classes(recursive.classes), Some(burnside));
                assert_eq!(burnside.unique(), unique, "{method} N = {size}");
            }
        }
    }
}

/// The board as reconstructed from the events alone.
struct EventBoard {
    row: u32,
    queens: [RowBits; 32],
    free: [RowBits; 32],
}

impl EventBoard {
    fn apply(&mut self, event: Event, mask: RowBits) {
        match event {
            Event::Descend { row } => {
                self.row = row;
                self.free[row as usize] = mask;
            }
            Event::Try { row, square: squares }
            | Event::Reject { row, squares }
            | Event::Cut { row, squares, .. } => self.free[row as usize] -= squares,
            Event::Place { row, square } => {
                self.free[row as usize] -= square;
                self.queens[row as usize] = square;
            }
            Event::Back { row } => {
                self.row = row;
                self.queens[row as usize] = RowBits::EMPTY;
            }
            Event::Compare { .. } | Event::Solution { .. } | Event::Done => {}
        }
    }
}

#[test]
fn views_follow_from_the_events() {
    for &method in Stepped::ALL {
        for size in sizes(largest_compared(method).min(7)) {
            let empty = [RowBits::EMPTY; 32];
            let mut board = EventBoard { row: 0, queens: empty, free: empty };
            let mut tracer = Tracer::new(method, size);
            while let Some(step) = tracer.forward() {
                let queens = board.queens;
                let full = |row: u32| !queens[row as usize].is_empty();
                board.apply(step, size.mask());
                let view = tracer.view();
                let context = format!("{method} N = {size}, step {}: {step:?}", tracer.steps());
                assert_eq!((view.row, view.queens), (board.row, board.queens), "{context}");
                // Methods that test full boards reject a square that has a queen; this closes nothing.
                let is_test = matches!(step, Event::Reject { row, .. } if full(row));
                if !is_test && !view.chosen_by_a_loop(view.row) {
                    assert_eq!(view.free, board.free[view.row as usize], "{context}");
                }
                let above = view.queens[..view.row as usize].iter();
                let attacks = above.fold(Attacks::NONE, |attacks, &queen| attacks.below(queen));
                assert_eq!(view.attacks, attacks, "{context}");
            }
        }
    }
}

/// The overlay marks every square that a cut closes, except for the lower-side cut. This cut acts
/// in row BOUND2 because of the squares that the overlay marks below.
#[test]
fn cuts_are_within_the_squares_marked_by_the_overlay() {
    for &method in Stepped::ALL {
        for size in sizes(largest_compared(method)) {
            let mut tracer = Tracer::new(method, size);
            while let Some(step) = tracer.forward() {
                if let Event::Cut { row, rule, squares } = step
                    && rule != Rule::LowerSide
                {
                    let (governed_by, marked) = tracer.view().governed(row).unwrap();
                    assert_eq!(governed_by, rule, "{method} N = {size}, {step:?}");
                    assert!((squares - marked).is_empty(), "{method} N = {size}, {step:?}");
                }
            }
        }
    }
}

#[test]
fn class_counting_methods_find_only_representatives() {
    for &method in Stepped::ALL.iter().filter(|method| method.facts().counts_classes()) {
        for size in sizes(8) {
            let mut tracer = Tracer::new(method, size);
            while let Some(step) = tracer.forward() {
                if let Event::Solution { .. } = step {
                    let placement = tracer.view().placement().expect("a solution is on the board");
                    assert_eq!(representative(&placement), placement, "{method} N = {size}");
                }
            }
        }
    }
}

#[test]
fn both_forms_do_the_same_work() {
    for &method in Stepped::ALL {
        for size in sizes(largest_compared(method)) {
            let mut work = Work::default();
            method.search(size, &mut work);
            let (_, tracer) = iterative(method, size);
            assert_eq!(work, *tracer.work(), "{method} N = {size}");
        }
    }
}

#[test]
fn classes_agree_with_burnside() {
    for size in sizes(16) {
        let mut tally = Tally::default();
        Stepped::Symmetry.search(size, &mut tally);
        let numbers = Numbers::of_classes(tally.classes).unwrap();
        let burnside = Numbers::by_burnside(size, numbers.total(), Turns::search(size));
        assert_eq!(burnside, Ok(numbers), "N = {size}");
    }
}
