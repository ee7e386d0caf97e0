//! The rules lose no representative: every solution in a pruned branch has a smaller image.

use std::collections::BTreeSet;

use queens_core::{
    Completions, Event, Rule, Size, Square, Stepped, Tracer, Transform, View, representative,
};

/// Calls `visit` with every square that a rule closes and no queen above attacks. Calls it for no square
/// of a row if queens above this row attack each other.
fn for_each_cut_square(view: &View, mut visit: impl FnMut(Rule, Square)) {
    for square in Square::all(view.size) {
        if let Some(rule) = view.rule(square)
            && view.branch(square).conflicts().next().is_none()
        {
            visit(rule, square);
        }
    }
}

#[test]
fn solutions_in_pruned_branches_have_the_named_smaller_image() {
    for method in [Stepped::SideCuts, Stepped::Symmetry, Stepped::BitmapSymmetryHalf] {
        let mut rules = BTreeSet::new();
        let (mut solutions, mut unnamed) = (0, 0);
        for n in 4..=9 {
            let mut tracer = Tracer::new(method, Size::new(n).unwrap());
            while let Some(step) = tracer.forward() {
                // Only placements and cuts change the closed squares. To save time, only three of
                // seven steps are checked.
                if !matches!(step, Event::Place { .. } | Event::Cut { .. })
                    || tracer.steps() % 7 > 2
                {
                    continue;
                }
                let view = tracer.view();
                for_each_cut_square(&view, |rule, square| {
                    let named = view.smaller_image(square);
                    assert!(!matches!(named, Some(Transform::Identity)));
                    for solution in Completions::new(&view.branch(square)) {
                        solutions += 1;
                        rules.insert(rule);
                        match named {
                            Some(transform) => assert!(
                                transform.apply(&solution) < solution,
                                "{method} N = {n} step {} {square:?}: {transform} of {solution}",
                                tracer.steps(),
                            ),
                            None => unnamed += 1,
                        }
                        assert!(representative(&solution) < solution, "{method} {square:?}");
                    }
                });
            }
        }
        assert!(solutions > 500, "{method}: {solutions}");
        assert_eq!(unnamed, 0, "{method}");
        assert!(rules.iter().eq(method.facts().rules), "{method}: {rules:?}");
    }
}
