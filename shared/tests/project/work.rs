//! Compares the work counters of both forms of every stepped method with `tests/data/work.json`.

use std::collections::BTreeMap;

use queens_core::{Form, Rule, Size, Stepped, Tracer, Work};
use serde_json::Value;

use crate::largest_n::largest_n;

/// The counters of one entry of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub tried: u64,
    pub placed: u64,
    pub attacked: u64,
    pub cut: BTreeMap<&'static str, u64>,
    pub comparisons: u64,
    pub solutions: u64,
}

impl From<&Work> for Facts {
    fn from(work: &Work) -> Facts {
        let cut = Rule::ALL.into_iter().map(|rule| (rule.id(), work.cut_by(rule)));
        Facts {
            tried: work.tried(),
            placed: work.placed,
            attacked: work.attacked,
            cut: cut.filter(|&(_, squares)| squares > 0).collect(),
            comparisons: work.comparisons,
            solutions: work.tally.met(),
        }
    }
}

fn file() -> Vec<(Stepped, Size, Facts)> {
    let file: Value = serde_json::from_str(include_str!("../../../tests/data/work.json")).unwrap();
    let entry = |entry: &Value| {
        let number = |field: &str| entry[field].as_u64().unwrap();
        let cut = |rule: Rule| Some((rule.id(), entry["cut"].get(rule.id())?.as_u64().unwrap()));
        let facts = Facts {
            tried: number("tried"),
            placed: number("placed"),
            attacked: number("attacked"),
            cut: Rule::ALL.into_iter().filter_map(cut).collect(),
            comparisons: number("comparisons"),
            solutions: number("solutions"),
        };
        assert_eq!(facts.cut.len(), entry["cut"].as_object().unwrap().len(), "an unknown rule");
        let method = entry["method"].as_str().unwrap().parse().unwrap();
        (method, Size::new(number("n") as u32).unwrap(), facts)
    };
    file["work"].as_array().unwrap().iter().map(entry).collect()
}

fn facts(method: Stepped, size: Size, form: Form) -> Facts {
    match form {
        Form::Recursive => {
            let mut work = Work::default();
            method.search(size, &mut work);
            Facts::from(&work)
        }
        Form::Iterative => {
            let mut tracer = Tracer::new(method, size);
            while tracer.forward().is_some() {}
            Facts::from(tracer.work())
        }
    }
}

/// The largest N at which the iterative form is compared: stepping through the largest boards of the
/// file would dominate the tests' time.
const LARGEST_STEPPED: u32 = 13;

#[test]
fn work_of_every_method_and_form_matches_the_file() {
    for (method, size, expected) in file() {
        for form in Form::ALL {
            if form == Form::Recursive || size.get() <= LARGEST_STEPPED {
                assert_eq!(facts(method, size, form), expected, "{method} N = {size}, {form}");
            }
        }
    }
}

#[test]
fn the_file_covers_every_method() {
    let file = file();
    for &method in Stepped::ALL {
        let sizes = file.iter().filter(|entry| entry.0 == method).map(|entry| entry.1.get());
        assert!(sizes.eq(1..=largest_n(method) as u32), "{method}");
    }
}

/// The numbers were published or counted by other programs.
#[test]
fn work_matches_published_numbers() {
    let file = file();
    let facts = |method, n| {
        let entry = file.iter().find(|entry| entry.0 == method && entry.1.get() == n);
        &entry.unwrap().2
    };
    assert_eq!(facts(Stepped::Bitmap, 12).placed, 856_188);
    assert_eq!(facts(Stepped::Flags, 12).tried, 10_103_868);
    assert_eq!(facts(Stepped::Symmetry, 15).placed / 100_000, 376);
    assert_eq!(facts(Stepped::Mirror, 15).placed / 100_000, 855);
    // A queen is placed on every square below every node: 7 + 7² + … + 7⁷ queens.
    assert_eq!(facts(Stepped::BruteForce, 7).placed, (7 * (7u64.pow(7) - 1)) / 6);
}
