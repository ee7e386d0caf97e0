//! Compares the two forms of every method with each other, with the naive solver and with Burnside's lemma.

use queens_core::{
    Class, Event, Numbers, Observer, Rule, Size, Stepped, Tally, Tracer, Turns, oracle,
    representative,
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

#[test]
fn both_forms_take_the_same_steps() {
    for &method in Stepped::ALL {
        for size in sizes(largest_compared(method)) {
            let mut recursive = Recorder::default();
            method.search(size, &mut recursive);
            let mut tracer = Tracer::new(method, size);
            let steps: Vec<Event> = std::iter::from_fn(|| tracer.forward()).collect();
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
fn classes_agree_with_burnside() {
    for size in sizes(16) {
        let mut tally = Tally::default();
        Stepped::Symmetry.search(size, &mut tally);
        let numbers = Numbers::of_classes(tally.classes).unwrap();
        let burnside = Numbers::by_burnside(size, numbers.total(), Turns::search(size));
        assert_eq!(burnside, Ok(numbers), "N = {size}");
    }
}
