//! Runs one of the code paths in which counts and the page spend their time, so that its instructions
//! can be counted. Without an argument, lists the names of the paths. `cargo xtask bench
//! --instructions` does both.
//!
//! ```text
//! cargo run --release -p queens-core --features document --example paths -- symmetry
//! ```

use std::{env, error::Error, hint::black_box};

use queens_core::{
    Completions, Form, Method, Plan, Queens, Size, Stepped, Tally, Timeline, document::Document,
    halves::Isa, oracle, representative,
};

/// The result of a path.
type Answer = Result<u64, Box<dyn Error>>;

/// The name of a path, the function that runs it, and the expected result.
type Path = (&'static str, fn() -> Answer, u64);

const PATHS: [Path; 8] = [
    // The start of the process, whose instructions are subtracted from those of the other paths.
    ("start", || Ok(0), 0),
    ("symmetry", || count(11, Method::Symmetry, Form::Recursive), 2680),
    ("symmetry-iterative", || count(11, Method::Symmetry, Form::Iterative), 2680),
    ("halves-portable", || count(14, Method::Halves, Form::Recursive), 365_596),
    ("completions", completions, 724),
    ("representatives", representatives, 46),
    ("timeline", timeline, 12),
    ("documents", documents, 92),
];

fn main() -> Result<(), Box<dyn Error>> {
    let Some(wanted) = env::args().nth(1) else {
        PATHS.iter().for_each(|(name, ..)| println!("{name}"));
        return Ok(());
    };
    let path = PATHS.iter().find(|(name, ..)| *name == wanted);
    let (_, run, expected) = path.ok_or_else(|| format!("there is no path {wanted}"))?;
    let answer = run()?;
    if answer == *expected { Ok(()) } else { Err(format!("{answer}, not {expected}").into()) }
}

/// Counts all tasks on one thread.
fn count(n: u32, method: Method, form: Form) -> Answer {
    let plan = Plan::new(Size::new(n)?, method);
    let mut counter = plan.counter(form, Isa::PORTABLE);
    let mut sum = Tally::default();
    for task in 0..plan.len() {
        sum = sum.checked_add(counter.count(&plan, task)?).ok_or("the tally overflows")?;
    }
    sum.total().ok_or_else(|| "no total".into())
}

/// Finds all solutions of an empty board. The page's view Play finds the solutions that contain given
/// queens in the same way.
fn completions() -> Answer {
    let mut search = Completions::new(&Queens::none(Size::new(10)?));
    while search.run(1 << 20) {}
    Ok(search.found())
}

/// Counts the representatives among all solutions.
fn representatives() -> Answer {
    let mut all = Vec::new();
    oracle::solutions(Size::new(9)?, &mut |placement| all.push(*placement));
    Ok(all.iter().filter(|&placement| representative(black_box(placement)) == *placement).count()
        as u64)
}

/// Steps through a search to its end, back to its middle, and to its end again, as the page's view
/// Explore plays it.
fn timeline() -> Answer {
    let mut search = Timeline::new(Stepped::Symmetry, Size::new(8)?);
    while search.forward().is_some() {}
    search.seek(search.step() / 2, u64::MAX);
    while search.forward().is_some() {}
    Ok(search.work().tally.met())
}

/// Reads, checks and writes a document a hundred times.
fn documents() -> Answer {
    let text = include_str!("../../tests/data/results/eight.json");
    let mut total = 0;
    for _ in 0..100 {
        let document = Document::parse(black_box(text))?;
        document.check().map_err(|contradictions| format!("{contradictions:?}"))?;
        total = document.header.total;
        black_box(document.canonical_json());
    }
    Ok(total)
}
