//! How smoothly the page moves in headless Chromium; `cargo xtask bench --page` builds what is
//! needed and runs it.
//!
//! What else runs on the machine changes the figures, those of the processor's time least. So
//! nothing here fails over them, but over a page that shows something else than the core.

mod classes;
mod count;
mod explore;
mod results;

use std::env;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use queens_tests::browser::Motion;

fn main() -> Result<()> {
    println!(
        "{:<32} {:>10} {:>8} {:>13} {:>13} {:>13}",
        "", "pictures/s", "dropped", "longest task", "hardest task", "work/picture"
    );
    results::measure()?;
    explore::measure()?;
    classes::measure()?;
    let command = env::args_os().nth(1).context("the release command's path is missing")?;
    count::measure(Path::new(&command))
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
