//! The lessons that a learner has done, as a text that the browser stores and as a file.

use std::collections::BTreeSet;

use queens_core::Method;
use serde_json::{Value, json};

/// The name of the file format.
const FORMAT: &str = "queens-progress";
const VERSION: u32 = 1;

/// The largest file that is read, in bytes. A file with all lessons has a few hundred.
pub const LARGEST_FILE: usize = 16_384;

/// The longest id of a lesson, in bytes.
const LONGEST_ID: usize = 64;
/// The largest number of lessons. Files beyond it are those of no version.
const MOST: usize = 200;

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
            (1..=LONGEST_ID).contains(&id.len())
                && letters.all(|byte| byte == b'-' || byte.is_ascii_alphanumeric())
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
    /// missing. Of the others, only as many are added as keep the stored text and the file short.
    pub fn merge(&mut self, other: &Progress) -> usize {
        let known: Vec<Method> = other.lessons().collect();
        let added = known.into_iter().filter(|&lesson| self.add(lesson)).count();
        let room = MOST.saturating_sub(self.0.len());
        let others: Vec<String> = other.0.difference(&self.0).take(room).cloned().collect();
        self.0.extend(others);
        added
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
        assert_eq!(here.merge(&Progress::from_file(&there.to_file()).unwrap()), 1);
        assert_eq!(lessons(&here), ["brute-force", "backtracking", "flags"]);
        // The other way round, the result is the same.
        let mut other = there.clone();
        assert_eq!(other.merge(&Progress::parse("flags brute-force")), 1);
        assert_eq!(other, here);
        assert_eq!(here.merge(&there), 0);
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
    fn merging_many_files_keeps_the_progress_short() {
        let mut all = Progress::default();
        for file in 0..10 {
            let ids = (0..100).map(|id| format!("a-lesson-{file}-{id}"));
            all.merge(&Progress(ids.collect()));
        }
        assert_eq!(all.0.len(), MOST);
        // Lessons that this version knows always have room.
        assert_eq!(all.merge(&Progress::parse("flags")), 1);
        let long = "x".repeat(LONGEST_ID);
        let file = Progress::parse(&long).to_file();
        assert!(Progress::from_file(&file).is_some());
        assert_eq!(Progress::from_file(&file.replace(&long, &format!("{long}x"))), None);
        // The file of the largest progress can be read.
        let ids = (0..MOST).map(|id| format!("{id:0>LONGEST_ID$}")).collect();
        assert!(Progress::from_file(&Progress(ids).to_file()).is_some());
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
