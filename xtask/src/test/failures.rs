//! Collects the failed tests from the output of `cargo test`, to repeat them in the summary. The
//! end of a long run should show why it failed.

use std::fmt;

/// Maximum number of lines of a test's output that are repeated. The complete output is further up,
/// where the test ran.
const MAX_LINES: usize = 40;
/// Maximum number of characters of a repeated line.
const MAX_CHARS: usize = 1000;

/// A failed test with its output.
pub struct Failure {
    suite: String,
    pub name: String,
    output: Vec<String>,
}

/// The failed tests of a run, read line by line.
#[derive(Default)]
pub struct Failures {
    all: Vec<Failure>,
    /// Whether the following lines belong to the last test.
    is_open: bool,
}

impl Failures {
    /// Reads an output line of a test binary or of cargo. The first line `failures:` is followed by a
    /// section for each failed test. The second line `failures:` ends the sections and is followed by the
    /// names of the failed tests.
    pub fn read(&mut self, suite: &str, line: &str) {
        let text = line.trim_end();
        if let Some(name) = name_in(text) {
            self.all.push(Failure { suite: suite.to_owned(), name, output: Vec::new() });
            self.is_open = true;
        } else if ends_sections(text) {
            self.is_open = false;
        } else if self.is_open
            && let Some(failure) = self.all.last_mut()
        {
            failure.push_line(text);
        }
    }

    /// Adds the failures of another run, which has ended.
    pub fn add(&mut self, other: Failures) {
        self.all.extend(other.all);
        self.is_open = false;
    }

    pub fn all(&self) -> &[Failure] {
        &self.all
    }

    /// Removes and returns all except the first `count`.
    pub fn split_off(&mut self, count: usize) -> Vec<Failure> {
        self.all.split_off(count)
    }
}

impl Failure {
    fn push_line(&mut self, text: &str) {
        if self.output.len() < MAX_LINES && (!text.is_empty() || !self.output.is_empty()) {
            self.output.push(text.chars().take(MAX_CHARS).collect());
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.suite, self.name)?;
        let end = self.output.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        self.output[..end].iter().try_for_each(|line| write!(f, "\n    {line}"))
    }
}

/// Returns the test's name from a line such as `---- board::tests::it_holds stdout ----`.
fn name_in(line: &str) -> Option<String> {
    let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
    let name =
        ["stdout", "output"].into_iter().find_map(|what| name.strip_suffix(what)).unwrap_or(name);
    Some(name.trim_end().to_owned())
}

fn ends_sections(line: &str) -> bool {
    line == "failures:"
        || [
            "test result: ",
            "     Running ",
            "   Doc-tests ",
            "error: test failed",
            "error: doctest failed",
        ]
        .into_iter()
        .any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_failed_tests_with_their_output() {
        let mut failures = Failures::default();
        let output = "test board::holds ... FAILED\n\nfailures:\n\n---- board::holds stdout ----\n\n\
            thread 'board::holds' panicked at src/board.rs:7:9:\n  left: 1\n\n---- a node is down ----\n\
            gone\n\n\nfailures:\n    board::holds\n\ntest result: FAILED. 0 passed; 2 failed";
        output.lines().for_each(|line| failures.read("core", line));
        let repeated: Vec<_> = failures.all().iter().map(ToString::to_string).collect();
        let first = "core: board::holds\n    \
            thread 'board::holds' panicked at src/board.rs:7:9:\n      left: 1";
        assert_eq!(repeated, [first, "core: a node is down\n    gone"]);
    }

    #[test]
    fn truncates_long_output() {
        let mut failures = Failures::default();
        failures.read("core", "---- talks stdout ----");
        (0..1000).for_each(|_| failures.read("core", "again"));
        assert_eq!(failures.all()[0].to_string().lines().count(), MAX_LINES + 1);
    }
}
