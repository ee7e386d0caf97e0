//! Goes one of the paths on which the time of counts and of the page is spent, so that its
//! instructions can be counted; without a name it lists them. `cargo xtask bench --instructions`
//! does both.
//!
//! ```text
//! cargo run --release -p queens-core --features document --example paths -- symmetry
//! ```

use std::{env, error::Error, hint::black_box};

use queens_core::{
    Completions, Form, Method, Plan, Queens, Size, Stepped, Tally, Timeline, document::Document,
    halves::Isa, oracle, representative,
};

/// What a path comes to.
type Answer = Result<u64, Box<dyn Error>>;

/// The name of a path, the path, and what it has to come to.
type Path = (&'static str, fn() -> Answer, u64);

const PATHS: [Path; 8] = [
    // What every process takes; to be taken off the others.
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
    let (_, go, expected) = path.ok_or_else(|| format!("there is no path {wanted}"))?;
    let answer = go()?;
    if answer == *expected { Ok(()) } else { Err(format!("{answer}, not {expected}").into()) }
}

/// All tasks of a count, as one thread does them.
fn count(n: u32, method: Method, form: Form) -> Answer {
    let plan = Plan::new(Size::new(n)?, method);
    let mut counter = plan.counter(form, Isa::PORTABLE);
    let mut sum = Tally::default();
    for task in 0..plan.len() {
        sum = sum.checked_add(counter.count(&plan, task)?).ok_or("more than a tally holds")?;
    }
    sum.total().ok_or_else(|| "no total".into())
}

/// All solutions of an empty board, as Play finds those that contain its queens.
fn completions() -> Answer {
    let mut search = Completions::new(&Queens::none(Size::new(10)?));
    while search.run(1 << 20) {}
    Ok(search.found())
}

/// Which solutions stand for their class.
fn representatives() -> Answer {
    let mut all = Vec::new();
    oracle::solutions(Size::new(9)?, &mut |placement| all.push(*placement));
    Ok(all.iter().filter(|&placement| representative(black_box(placement)) == *placement).count()
        as u64)
}

/// A search step by step to its end, back to its middle, and to its end again, as Explore plays it.
fn timeline() -> Answer {
    let mut search = Timeline::new(Stepped::Symmetry, Size::new(8)?);
    while search.forward().is_some() {}
    search.seek(search.step() / 2, u64::MAX);
    while search.forward().is_some() {}
    Ok(search.work().tally.met())
}

/// A document read, checked and written a hundred times.
fn documents() -> Answer {
    let text = include_str!("../../tests/data/results/eight.json");
    let mut total = 0;
    for _ in 0..100 {
        let document = Document::parse(black_box(text))?;
        document.check().map_err(|found| format!("{found:?}"))?;
        total = document.header.total;
        black_box(document.canonical_json());
    }
    Ok(total)
}
