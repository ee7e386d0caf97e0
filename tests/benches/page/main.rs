//! Measures how smoothly the page moves in headless Chromium. `cargo xtask bench --page` builds the
//! required parts and runs this benchmark.
//!
//! Other programs on the machine affect the figures, CPU times the least. So no figure makes the benchmark
//! fail; it fails if the content of the page differs from the core's results.

mod count;

use std::env;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use queens_core::Stepped;
use queens_tests::browser::{Motion, traced};
use queens_tests::motions::{classes, explore, results};

fn main() -> Result<()> {
    println!(
        "{:<32} {:>10} {:>8} {:>13} {:>13} {:>13}",
        "", "pictures/s", "dropped", "longest task", "hardest task", "work/picture"
    );
    let mut arguments = env::args_os().skip(1);
    let command = arguments.next().context("the release command's path is missing")?;
    // `cargo bench` adds `--bench`, which is not the name of a benchmark.
    let names: Vec<_> = arguments.filter(|name| name != "--bench").collect();
    let is_selected = |name: &str| names.is_empty() || names.iter().any(|each| each == name);
    if is_selected("results") {
        measure_results()?;
    }
    if is_selected("explore") {
        measure_explore()?;
    }
    if is_selected("classes") {
        measure_classes()?;
    }
    if is_selected("count") {
        count::measure(Path::new(&command))?;
    }
    Ok(())
}

/// Measures five hundred results while they are loaded, sorted and compared, and a result with the
/// largest number of tasks while it is opened.
fn measure_results() -> Result<()> {
    const COUNT: usize = 500;
    let loading = traced(|browser| results::load(browser, COUNT))?;
    print(&format!("{COUNT} results are loaded"), &loading);
    print(
        &format!("{COUNT} results are sorted"),
        &traced(|browser| results::sort(browser, COUNT))?,
    );
    print(
        &format!("{COUNT} results are compared"),
        &traced(|browser| results::compare(browser, COUNT))?,
    );
    print("the largest one is opened", &traced(results::open_largest)?);
    Ok(())
}

/// Measures the method with the most marks on the board, and the simplest method with bitmasks.
fn measure_explore() -> Result<()> {
    const N: u32 = 12;
    const TIME: Duration = Duration::from_secs(5);
    for method in [Stepped::Symmetry, Stepped::Bitmap] {
        let measure = || traced(|browser| explore::play(browser, method, N, TIME));
        // A busy browser loses parts of its trace, so a failed measurement is repeated once.
        let motion = measure().or_else(|_| measure())?;
        print(&format!("Explore plays {method}, N = {N}"), &motion);
    }
    Ok(())
}

/// Measures Classes while the classes arrive and while they are filtered and sorted, and the time until the
/// first class is shown.
fn measure_classes() -> Result<()> {
    const N: u32 = 14;
    let (folding, longest) = traced(classes::fold)?;
    print("the solutions of N = 8 fold", &folding);
    println!("{:<32} {longest:>10.1} ms", "longest frame");
    let (filling, first) = traced(|browser| classes::scroll_while_loading(browser, N))?;
    print(&format!("Classes of N = {N} arrive"), &filling);
    println!("{:<32} {first:>10.0} ms", "from the click to the first one");
    let choosing = traced(|browser| classes::filter_and_sort(browser, N))?;
    print(&format!("Classes of N = {N} chosen, sorted"), &choosing);
    Ok(())
}

/// Prints a line of the table.
fn print(what: &str, motion: &Motion) {
    let milliseconds = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    println!(
        "{what:<32} {:>10.1} {:>8} {:>13} {:>13} {:>13}",
        motion.rate(),
        motion.dropped,
        milliseconds(motion.longest),
        milliseconds(motion.hardest),
        milliseconds(motion.work_each()),
    );
}
