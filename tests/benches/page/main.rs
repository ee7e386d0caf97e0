//! How smoothly the page moves in headless Chromium; `cargo xtask bench --page` builds what is
//! needed and runs it.
//!
//! What else runs on the machine changes the figures, those of the processor's time least. So
//! nothing here fails over them, but over a page that shows something else than the core.

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
    // What `cargo bench` adds is no name.
    let asked: Vec<_> = arguments.filter(|name| name != "--bench").collect();
    let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|each| each == name);
    if is_asked("results") {
        measure_results()?;
    }
    if is_asked("explore") {
        measure_explore()?;
    }
    if is_asked("classes") {
        measure_classes()?;
    }
    if is_asked("count") {
        count::measure(Path::new(&command))?;
    }
    Ok(())
}

/// Five hundred results while they are loaded, sorted and compared; one that is as large as can be.
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

/// The method with everything on the board, and the simplest one with masks.
fn measure_explore() -> Result<()> {
    const N: u32 = 12;
    const TIME: Duration = Duration::from_secs(5);
    for method in [Stepped::Symmetry, Stepped::Bitmap] {
        let measure = || traced(|browser| explore::play(browser, method, N, TIME));
        // A browser that has too much to do loses parts of its trace.
        let motion = measure().or_else(|_| measure())?;
        print(&format!("Explore plays {method}, N = {N}"), &motion);
    }
    Ok(())
}

/// Classes while they come, how long the first one takes, and all of them chosen and sorted.
fn measure_classes() -> Result<()> {
    const N: u32 = 14;
    let (filling, first) = traced(|browser| classes::scroll_while_loading(browser, N))?;
    print(&format!("Classes of N = {N} come"), &filling);
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
