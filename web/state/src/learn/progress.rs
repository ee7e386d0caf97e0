//! The lessons that a learner has done, as a text that the browser stores and as a file.

use std::collections::BTreeSet;

use queens_core::Method;
use serde_json::{Value, json};

/// The name of the file format.
const FORMAT: &str = "queens-progress";
const VERSION: u32 = 1;

/// The largest file that is read, in bytes. A file with all lessons has a few hundred.
pub const LARGEST_FILE: usize = 16_384;

/// The lessons that a learner has done. Lessons of newer versions, which this one does not know, are
/// kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress(BTreeSet<String>);

impl Progress {
    /// Reads the text that the browser stores: ids with spaces between them.
    pub fn parse(stored: &str) -> Progress {
        Progress(stored.split_whitespace().map(str::to_owned).collect())
    }

    /// Writes the text that [`parse`](Progress::parse) reads.
    pub fn text(&self) -> String {
        self.0.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Reads a file; returns `None` if it is not a file with progress.
    pub fn from_file(text: &str) -> Option<Progress> {
        if text.len() > LARGEST_FILE {
            return None;
        }
        let file: Value = serde_json::from_str(text).ok()?;
        if file["format"] != FORMAT || file["version"] != VERSION {
            return None;
        }
        let lessons = file["lessons"].as_array()?.iter().map(Value::as_str);
        let ids = lessons.collect::<Option<Vec<&str>>>()?;
        let is_id = |id: &&str| {
            let mut letters = id.bytes();
            !id.is_empty() && letters.all(|byte| byte == b'-' || byte.is_ascii_alphanumeric())
        };
        ids.iter().all(is_id).then(|| Progress(ids.into_iter().map(str::to_owned).collect()))
    }

    /// Writes the file that [`from_file`](Progress::from_file) reads.
    pub fn to_file(&self) -> String {
        let file = json!({ "format": FORMAT, "version": VERSION, "lessons": self.0 });
        format!("{file:#}\n")
    }

    /// Adds a lesson. Returns whether it was missing.
    pub fn add(&mut self, lesson: Method) -> bool {
        self.0.insert(lesson.id().to_owned())
    }

    /// Adds the lessons of another progress. Returns how many lessons that this version knows were
    /// missing.
    pub fn merge(&mut self, other: Progress) -> usize {
        let before = self.lessons().count();
        self.0.extend(other.0);
        self.lessons().count() - before
    }

    /// Returns the lessons that this version knows, in the order of the course.
    pub fn lessons(&self) -> impl Iterator<Item = Method> {
        Method::ALL.iter().copied().filter(|lesson| self.0.contains(lesson.id()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lessons(progress: &Progress) -> Vec<&'static str> {
        progress.lessons().map(Method::id).collect()
    }

    #[test]
    fn merging_two_browsers_loses_nothing() {
        let mut here = Progress::parse("flags brute-force");
        let there = Progress::parse("backtracking flags of-a-newer-version");
        assert_eq!(here.merge(Progress::from_file(&there.to_file()).unwrap()), 1);
        assert_eq!(lessons(&here), ["brute-force", "backtracking", "flags"]);
        // The other way round, the result is the same.
        let mut other = there.clone();
        assert_eq!(other.merge(Progress::parse("flags brute-force")), 1);
        assert_eq!(other, here);
        assert_eq!(here.merge(there), 0);
        assert!(here.text().contains("of-a-newer-version"), "{}", here.text());
        assert!(here.to_file().contains("of-a-newer-version"));
    }

    #[test]
    fn progress_round_trips_through_text_and_file() {
        let mut all = Progress::default();
        assert_eq!(Progress::parse(&all.text()), all);
        assert!(Method::ALL.iter().all(|&lesson| all.add(lesson)));
        assert!(!all.add(Method::Flags));
        assert_eq!(Progress::parse(&all.text()), all);
        let file = all.to_file();
        assert_eq!(Progress::from_file(&file), Some(all));
        assert!(file.len() < LARGEST_FILE / 8, "{}", file.len());
    }

    #[test]
    fn other_files_are_not_read() {
        let file = Progress::parse("flags").to_file();
        assert!(Progress::from_file(&file).is_some());
        for end in 0..file.trim_end().len() {
            assert_eq!(Progress::from_file(&file[..end]), None, "{end}");
        }
        for (from, to) in [
            ("queens-progress", "queens-result"),
            (": 1", ": 2"),
            ("\"flags\"", "7"),
            ("\"flags\"", "\"two words\""),
            ("\"flags\"", "\"\""),
            ("lessons", "done"),
        ] {
            let other = file.replacen(from, to, 1);
            assert_ne!(other, file);
            assert_eq!(Progress::from_file(&other), None, "{other}");
        }
        let long = file.replacen("flags", &"x".repeat(LARGEST_FILE), 1);
        assert_eq!(Progress::from_file(&long), None);
    }
}
