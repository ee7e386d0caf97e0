//! The page in a real browser, through the real server; one file for each
//! view. `queens_tests::browser` tells how such a test is written.

mod everywhere;
mod explore;

use std::process::ExitCode;

fn main() -> ExitCode {
    let tests = [everywhere::tests(), explore::tests()];
    queens_tests::browser::main(tests.into_iter().flatten().collect())
}
