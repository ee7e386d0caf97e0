//! Time limits. A run of tests is killed if it prints nothing for too long, or if it is still running when
//! the time of all steps is used up.

use std::collections::BTreeSet;
use std::process::Child;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The time that all steps together may take. CI would end a much longer run (`timeout-minutes` in
/// ci.yml) without a summary.
pub const MAX_RUN_TIME: Duration = Duration::from_secs(80 * 60);

/// The time for which a run of tests may print nothing. No test takes over two minutes, and cargo
/// prints each crate that it compiles.
pub const SILENCE: Duration = Duration::from_secs(5 * 60);

/// The limit in place of [`SILENCE`] for interpreted and emulated tests, which are slower.
pub const LONG_SILENCE: Duration = Duration::from_secs(20 * 60);

/// Returns the time left of [`MAX_RUN_TIME`], which begins with the first call.
pub fn time_left() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    MAX_RUN_TIME.saturating_sub(START.get_or_init(Instant::now).elapsed())
}

/// The tests that libtest reports as slow and that have not ended yet.
#[derive(Default)]
pub struct SlowTests(BTreeSet<String>);

impl SlowTests {
    /// Reads a line that a test binary printed.
    pub fn read(&mut self, line: &str) {
        let Some(rest) = line.trim().strip_prefix("test ") else { return };
        if let Some((name, _)) = rest.split_once(" has been running for over ") {
            self.0.insert(name.to_owned());
        } else if let Some((name, _)) = rest.split_once(" ... ") {
            self.0.remove(name.trim_end());
        }
    }

    /// Returns the names of these tests, or a substitute if there are none.
    pub fn names(&self) -> String {
        if self.0.is_empty() {
            return "an unknown test".to_owned();
        }
        self.0.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// Kills a program and, on Linux, its descendants.
pub fn kill_tree(child: &mut Child) {
    // List the descendants before the kill, because the children of a killed process get another parent.
    #[cfg(target_os = "linux")]
    for process in descendants(child.id()) {
        let _ = nix::sys::signal::kill(
            nix::unistd::Pid::from_raw(process),
            nix::sys::signal::Signal::SIGKILL,
        );
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Returns the descendants of process `root`, from /proc.
#[cfg(target_os = "linux")]
fn descendants(root: u32) -> Vec<i32> {
    let parent = |process: i32| -> Option<i32> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // PID (NAME) STATE PARENT …, where the name may contain spaces and brackets.
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let names = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = names.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let parents: Vec<(i32, i32)> = processes.filter_map(|id| Some((id, parent(id)?))).collect();
    let mut found = Vec::new();
    let mut next: Vec<i32> = root.try_into().into_iter().collect();
    while let Some(process) = next.pop() {
        let children = parents.iter().filter(|&&(_, parent)| parent == process);
        let before = found.len();
        found.extend(children.map(|&(id, _)| id));
        next.extend(&found[before..]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_slow_tests_until_they_end() {
        let mut slow = SlowTests::default();
        assert_eq!(slow.names(), "an unknown test");
        for line in [
            "test a::one ... ok",
            "test a::two has been running for over 60 seconds",
            "test b::three has been running for over 60 seconds",
            "test a::two ... ok",
        ] {
            slow.read(line);
        }
        assert_eq!(slow.names(), "b::three");
    }
}
