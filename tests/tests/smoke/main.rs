//! The page in a real browser with the real server: its main paths, in less than a minute. The tests of
//! `browser` visit its other states. `queens_tests::browser` explains how to write a test.

mod count;
mod explore;
mod offline;
mod results;
mod views;

use std::process::ExitCode;
use std::time::Duration;

/// The longest duration of a test.
const LIMIT: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    // The longest tests begin first.
    let tests =
        [views::tests(), count::tests(), offline::tests(), explore::tests(), results::tests()];
    let tests = tests.into_iter().flatten().collect();
    queens_tests::browser::main("browser smoke tests", LIMIT, tests)
}
