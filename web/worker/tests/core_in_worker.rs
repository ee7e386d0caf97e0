//! Tests of the core inside WebAssembly, in a worker as the page uses it. Its results must equal the
//! published values, and the SIMD code must give the same results as the portable code.
#![cfg(target_family = "wasm")]
#![expect(clippy::panic, reason = "clippy does not see that these are tests")]

#[path = "../../../shared/tests/core/vectors.rs"]
mod vectors;

use queens_core::{
    ClassCounts, Form, InstructionSet, Isa, Method, Numbers, Plan, Size, Tally, Turns,
    known::known, oracle,
};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

fn size(n: u32) -> Size {
    Size::new(n).unwrap_or_else(|error| panic!("{error}"))
}

/// The whole count, task by task as the page does it.
fn count(plan: &Plan, form: Form, isa: Isa) -> Option<Tally> {
    let mut counter = plan.counter(form, isa);
    (0..plan.len())
        .try_fold(Tally::default(), |sum, task| sum.checked_add(counter.count(plan, task).ok()?))
}

#[wasm_bindgen_test]
fn counts_classes_in_both_forms() {
    for form in [Form::Recursive, Form::Iterative] {
        for (n, count2, count4, count8) in [(5, 1, 0, 1), (8, 0, 1, 11), (12, 4, 18, 1765)] {
            let plan = Plan::new(size(n), Method::Symmetry);
            let tally = count(&plan, form, Isa::PORTABLE);
            let numbers = tally.and_then(|tally| Numbers::of_classes(tally.classes));
            let expected = ClassCounts { count2, count4, count8 };
            let classes = numbers.and_then(|numbers| numbers.classes());
            assert_eq!(classes, Some(expected), "N = {n} {form}");
        }
    }
}

#[wasm_bindgen_test]
fn simd_totals_match_the_published_values() {
    assert_eq!(Isa::SIMD128.set(), InstructionSet::Simd128);
    for n in 1..=16 {
        let plan = Plan::new(size(n), Method::Colours);
        let total = count(&plan, Form::Recursive, Isa::SIMD128).and_then(|tally| tally.total());
        let known = known(n);
        let turns = Turns::search(size(n));
        let numbers = total.map(|total| Numbers::by_burnside(size(n), total, turns));
        assert_eq!(numbers, known.map(|known| Ok(*known)), "N = {n}");
    }
}

#[wasm_bindgen_test]
fn simd_matches_portable_task_by_task() {
    assert_eq!(vectors::same_as_portable(Isa::SIMD128, 13, &vectors::LARGER), Ok(()));
}

#[wasm_bindgen_test]
fn the_oracle_finds_all_solutions() {
    let mut count = 0;
    oracle::solutions(size(8), &mut |_| count += 1);
    assert_eq!(count, 92);
}
