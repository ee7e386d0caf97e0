//! The times of the steps and of the slowest tests, as a table and as JSON.

use std::cmp::Reverse;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// The number of tests in the table.
const SLOWEST: usize = 20;

/// The times of the tests of a run.
///
/// Tests with the project's own harness print their times. libtest does not, so their times are derived: it
/// starts tests in the order of their names, one per thread, and prints each as it ends. A test therefore
/// starts when an earlier one ends and frees its thread. Tests that also end in the order of their names are
/// assumed to run one at a time, as under Miri.
#[derive(Default)]
pub struct TestTimes {
    /// The time at which the current suite started.
    start: Duration,
    /// The tests of the current suite in the order in which they ended, each with the time of its end.
    ended: Vec<(String, Duration)>,
    /// The durations that tests of the current suite printed.
    measured: Vec<(String, Duration)>,
    /// The durations of the tests of all finished suites.
    all: Vec<(String, Duration)>,
}

impl TestTimes {
    /// Reads a line that a test binary printed at this time.
    pub fn read(&mut self, line: &str, at: Duration) {
        let line = line.trim();
        if line.starts_with("running ") && line.ends_with(['t', 's']) {
            self.start = at;
        } else if let Some((name, time)) = parse_own_time(line) {
            self.measured.push((name, time));
        } else if let Some((name, _)) =
            line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "))
        {
            self.ended.push((name.trim_end().to_owned(), at));
        }
    }

    /// Ends a suite and stores the times of its tests under its name.
    pub fn end_suite(&mut self, suite: &str) {
        let ended = std::mem::take(&mut self.ended);
        let measured = std::mem::take(&mut self.measured);
        let times =
            if measured.is_empty() { times(self.start, ended, threads()) } else { measured };
        self.all.extend(times.into_iter().map(|(name, time)| (format!("{suite}: {name}"), time)));
    }

    /// Adds the times of another run.
    pub fn add(&mut self, other: TestTimes) {
        self.all.extend(other.all);
    }

    /// Returns the slowest tests, the slowest first.
    pub fn slowest(&self) -> Vec<(&str, Duration)> {
        let mut all: Vec<_> = self.all.iter().map(|(name, time)| (&**name, *time)).collect();
        all.sort_by_key(|&(_, time)| Reverse(time));
        all.truncate(SLOWEST);
        all
    }
}

/// Parses the line of a test with our own harness: `browser::explore::steps took 1.234 s`.
fn parse_own_time(line: &str) -> Option<(String, Duration)> {
    let (name, seconds) = line.strip_suffix(" s")?.split_once(" took ")?;
    Some((name.to_owned(), Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?))
}

/// Returns the number of tests that libtest runs at once.
fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the times of tests that `threads` threads started in the order of their names.
fn times(
    start: Duration,
    ended: Vec<(String, Duration)>,
    threads: usize,
) -> Vec<(String, Duration)> {
    let ends: Vec<_> = ended.iter().map(|&(_, end)| end).collect();
    let threads = if ended.is_sorted() { 1 } else { threads };
    let mut tests = ended;
    tests.sort();
    for (position, (_, time)) in tests.iter_mut().enumerate() {
        let begin = position.checked_sub(threads).map_or(start, |before| ends[before]);
        *time = time.saturating_sub(begin);
    }
    tests
}

/// Returns the times as JSON: seconds with one digit after the point.
pub fn to_json<'a>(
    whole: Duration,
    steps: impl Iterator<Item = (&'a str, Duration)>,
    slowest: &[(&str, Duration)],
) -> Value {
    let seconds = |time: Duration| (time.as_secs_f64() * 10.0).round() / 10.0;
    let list = |name: &str, time| json!({ "name": name, "seconds": seconds(time) });
    json!({
        "cores": threads(),
        "seconds": seconds(whole),
        "steps": steps.map(|(name, time)| list(name, time)).collect::<Vec<_>>(),
        "slowest_tests": slowest.iter().map(|&(name, time)| list(name, time)).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(times: &[(String, Duration)]) -> Vec<(&str, u64)> {
        times.iter().map(|(name, time)| (&**name, time.as_secs())).collect()
    }

    #[test]
    fn derives_test_times_from_the_end_of_earlier_tests() {
        // Two threads: a 1 to 4, b 1 to 2, then c 2 to 7, then d 4 to 5.
        let at = |name: &str, end| (name.to_owned(), Duration::from_secs(end));
        let ended = vec![at("b", 2), at("a", 4), at("d", 5), at("c", 7)];
        let times = times(Duration::from_secs(1), ended, 2);
        assert_eq!(seconds(&times), [("a", 3), ("b", 1), ("c", 5), ("d", 1)]);
        // One at a time: b 4 to 6.
        let times = super::times(Duration::from_secs(1), vec![at("a", 4), at("b", 6)], 2);
        assert_eq!(seconds(&times), [("a", 3), ("b", 2)]);
    }

    #[test]
    fn reads_times_printed_by_browser_tests() {
        let mut times = TestTimes::default();
        for (line, at) in [
            ("running 2 tests", 0),
            ("browser::a took 3.5 s", 4),
            ("test browser::a ... ok", 4),
            ("browser::b took 9.0 s", 9),
            ("test browser::b ... ok", 9),
        ] {
            times.read(line, Duration::from_secs(at));
        }
        times.end_suite("browser");
        let slowest = times.slowest();
        assert_eq!(slowest[0], ("browser: browser::b", Duration::from_secs(9)));
        assert_eq!(slowest.len(), 2);
        let json = to_json(Duration::from_secs(9), [("tests", slowest[0].1)].into_iter(), &slowest);
        assert_eq!(json["steps"][0], json!({ "name": "tests", "seconds": 9.0 }));
    }
}
