//! The core gives the same answers inside WebAssembly, in a worker as the page
//! uses it, as it gives natively.
#![cfg(target_family = "wasm")]

use queens_core::{ClassCounts, Counts, Form, Method, Plan, Size, Tally, oracle};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// COUNT2, COUNT4 and COUNT8, counted task by task as the page does.
fn classes(n: u32, form: Form) -> Option<ClassCounts> {
    let size = Size::new(n).ok()?;
    let plan = Plan::new(size, Method::Symmetry);
    let sum = (0..plan.len())
        .try_fold(Tally::default(), |sum, task| sum.checked_add(plan.count(task, form)?))?;
    Counts::from_classes(size, &sum)?.classes
}

#[wasm_bindgen_test]
fn classes_are_counted_in_both_forms() {
    for form in [Form::Recursive, Form::Iterative] {
        for (n, count2, count4, count8) in [(5, 1, 0, 1), (8, 0, 1, 11), (12, 4, 18, 1765)] {
            let expected = ClassCounts { count2, count4, count8 };
            assert_eq!(classes(n, form), Some(expected), "N = {n}, {form:?}");
        }
    }
}

#[wasm_bindgen_test]
fn the_oracle_finds_all_solutions() {
    let count = Size::new(8).map(|size| {
        let mut count = 0;
        oracle::solutions(size, &mut |_| count += 1);
        count
    });
    assert_eq!(count, Ok(92));
}
