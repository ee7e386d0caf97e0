//! The levels that a learner has solved: as a text that the browser stores, as a file, and as the
//! fragment of a link.

use std::collections::BTreeMap;

use queens_core::{Exercise, Method};
use serde_json::{Map, Value, json};

/// The name of the file format.
const FORMAT: &str = "queens-progress";
const VERSION: u32 = 1;

/// The largest file that is read, in bytes. A file with all lessons has a few hundred.
pub const LARGEST_FILE: usize = 32_768;

/// The start of the fragment of a link with progress.
pub const LINK: &str = "progress=";
/// The longest progress that is read from a link, in bytes. All lessons need a few hundred.
const LONGEST_LINK: usize = 4_096;

/// The longest id of a lesson, in bytes.
const LONGEST_ID: usize = 64;
/// The number of lessons from which [`Progress::merge`] adds no more lessons that this version does
/// not know. It is far above the number of lessons of any version.
const LESSON_LIMIT: usize = 200;

/// The solved levels of a lesson, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels(u8);

impl Levels {
    /// All levels of this version.
    pub const ALL: Levels = Levels((1 << Exercise::LEVELS) - 1);

    /// Whether a level, counted from 0, is solved.
    pub fn has(self, level: u32) -> bool {
        1_u8.checked_shl(level).is_some_and(|bit| self.0 & bit != 0)
    }

    fn with(self, level: u32) -> Levels {
        Levels(self.0 | 1_u8.checked_shl(level).unwrap_or_default())
    }

    fn union(self, other: Levels) -> Levels {
        Levels(self.0 | other.0)
    }

    /// The number of solved levels of this version.
    pub fn count(self) -> u32 {
        (self.0 & Levels::ALL.0).count_ones()
    }

    /// Whether all levels are solved.
    pub fn is_done(self) -> bool {
        self.count() == Exercise::LEVELS
    }

    /// The easiest level that is not solved, from 0.
    pub fn next(self) -> Option<u32> {
        (0..Exercise::LEVELS).find(|&level| !self.has(level))
    }

    /// Returns `seed` or, if its level is above the easiest unsolved one, the corresponding seed of that
    /// level.
    pub fn fitting(self, seed: u32) -> u32 {
        match self.next() {
            Some(next) if next < Exercise::level(seed) => seed / 10 * 10 + next,
            _ => seed,
        }
    }

    /// Parses solved levels, one digit from 1 to 8 each. Returns `None` for an empty text or any other
    /// character.
    fn parse(digits: &str) -> Option<Levels> {
        let are_levels =
            !digits.is_empty() && digits.bytes().all(|digit| (b'1'..=b'8').contains(&digit));
        let levels = digits.bytes().map(|digit| u32::from(digit - b'1'));
        are_levels.then(|| levels.fold(Levels::default(), Levels::with))
    }

    fn digits(self) -> String {
        (0..u8::BITS)
            .filter(|&level| self.has(level))
            .map(|level| (level + 1).to_string())
            .collect()
    }
}

/// The solved levels of each lesson. Lessons of newer versions, which this one does not know, are
/// kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress(BTreeMap<String, Levels>);

impl Progress {
    /// Reads the text that the browser stores: ids of lessons with spaces between them. After an id, a
    /// colon and the solved levels may follow. Without them, all levels are solved, as in the texts of
    /// earlier versions.
    pub fn parse(stored: &str) -> Progress {
        let mut all = Progress::default();
        for (id, levels) in stored.split_whitespace().filter_map(entry).filter(|(id, _)| is_id(id))
        {
            all.solve(id, levels);
        }
        all
    }

    /// Writes the text that [`parse`](Progress::parse) reads.
    pub fn text(&self) -> String {
        self.entries(" ")
    }

    fn entries(&self, between: &str) -> String {
        let entries = self.0.iter().map(|(id, &levels)| match levels {
            Levels::ALL => id.clone(),
            levels => format!("{id}:{}", levels.digits()),
        });
        entries.collect::<Vec<_>>().join(between)
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
        let done = file["lessons"].as_array()?.iter();
        let done = done.map(|id| Some((id.as_str()?.to_owned(), Levels::ALL)));
        // Files of earlier versions have no levels.
        let none = Map::new();
        let levels = match &file["levels"] {
            Value::Null => &none,
            levels => levels.as_object()?,
        };
        let levels =
            levels.iter().map(|(id, levels)| Some((id.clone(), Levels::parse(levels.as_str()?)?)));
        let mut all = Progress::default();
        for entry in done.chain(levels) {
            let (id, levels) = entry?;
            is_id(&id).then(|| all.solve(id, levels))?;
        }
        Some(all)
    }

    /// Writes the file that [`from_file`](Progress::from_file) reads. Earlier versions read it, too: for
    /// them, only the lessons with all levels are done.
    pub fn to_file(&self) -> String {
        let done = self.0.iter().filter(|(_, levels)| levels.is_done()).map(|(id, _)| id);
        let others = self.0.iter().filter(|(_, levels)| **levels != Levels::ALL);
        let levels: BTreeMap<_, _> = others.map(|(id, levels)| (id, levels.digits())).collect();
        let done: Vec<_> = done.collect();
        let file = json!({
            "format": FORMAT, "version": VERSION, "lessons": done, "levels": levels,
        });
        format!("{file:#}\n")
    }

    /// Reads the fragment of a link; returns `None` if it has no progress.
    pub fn from_link(fragment: &str) -> Option<Progress> {
        let text = fragment.strip_prefix(LINK).filter(|text| text.len() <= LONGEST_LINK)?;
        let mut all = Progress::default();
        for text in text.split('.') {
            let (id, levels) = entry(text)?;
            is_id(&id).then(|| all.solve(id, levels))?;
        }
        Some(all)
    }

    /// Writes the fragment that [`from_link`](Progress::from_link) reads, with the lessons that this version
    /// knows. Returns `None` if there are none.
    pub fn to_link(&self) -> Option<String> {
        let mut known = self.clone();
        known.0.retain(|id, _| id.parse::<Method>().is_ok());
        (!known.0.is_empty()).then(|| format!("{LINK}{}", known.entries(".")))
    }

    /// Returns the solved levels of a lesson.
    pub fn levels(&self, lesson: Method) -> Levels {
        self.0.get(lesson.id()).copied().unwrap_or_default()
    }

    /// Whether no level is solved.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Records that a level of a lesson is solved. Returns whether it was unsolved before.
    pub fn add(&mut self, lesson: Method, level: u32) -> bool {
        self.solve(lesson.id().to_owned(), Levels::default().with(level))
    }

    /// Adds solved levels of a lesson. Returns whether at least one of them is new.
    fn solve(&mut self, id: String, levels: Levels) -> bool {
        let all = self.0.entry(id).or_default();
        let before = std::mem::replace(all, all.union(levels));
        before != *all
    }

    /// Adds the levels of another progress. Returns the number of lessons with new levels, not counting
    /// lessons that this version does not know. It adds such lessons only up to `LESSON_LIMIT`
    /// lessons in all, so that the stored text and the file stay short.
    pub fn merge(&mut self, other: &Progress) -> usize {
        let mut added = 0;
        let is_known = |id: &str| id.parse::<Method>().is_ok();
        let (known, others): (Vec<_>, Vec<_>) = other.0.iter().partition(|(id, _)| is_known(id));
        for (id, &levels) in known {
            added += usize::from(self.solve(id.clone(), levels));
        }
        for (id, &levels) in others {
            if self.0.len() < LESSON_LIMIT || self.0.contains_key(id) {
                self.solve(id.clone(), levels);
            }
        }
        added
    }

    /// Returns the lessons with all levels solved, in the order of the course.
    pub fn done(&self) -> impl Iterator<Item = Method> {
        Method::ALL.iter().copied().filter(|&lesson| self.levels(lesson).is_done())
    }

    /// Returns the first lesson with an unsolved level, and that level, from 0.
    pub fn next(&self) -> Option<(Method, u32)> {
        Method::ALL.iter().find_map(|&lesson| Some((lesson, self.levels(lesson).next()?)))
    }
}

/// Parses the id of a lesson, and its solved levels after a colon.
fn entry(text: &str) -> Option<(String, Levels)> {
    let (id, levels) = match text.split_once(':') {
        Some((id, digits)) => (id, Levels::parse(digits)?),
        None => (text, Levels::ALL),
    };
    Some((id.to_owned(), levels))
}

fn is_id(id: &str) -> bool {
    let mut letters = id.bytes();
    (1..=LONGEST_ID).contains(&id.len())
        && letters.all(|byte| byte == b'-' || byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(progress: &Progress) -> Vec<&'static str> {
        progress.done().map(Method::id).collect()
    }

    #[test]
    fn merging_two_browsers_loses_nothing() {
        let mut here = Progress::parse("flags brute-force:1 bitmap:24");
        let there = Progress::parse("backtracking flags:2 brute-force:234 of-a-newer-version:8");
        assert_eq!(here.merge(&Progress::from_file(&there.to_file()).unwrap()), 2);
        assert_eq!(done(&here), ["brute-force", "backtracking", "flags"]);
        assert_eq!(here.levels(Method::Bitmap), Levels::parse("24").unwrap());
        // The other way round, the result is the same.
        let mut other = there.clone();
        let first = Progress::parse("flags brute-force:1 bitmap:24");
        assert_eq!(other.merge(&first), 3);
        assert_eq!(other, here);
        assert_eq!(here.merge(&there), 0);
        assert!(here.text().contains("of-a-newer-version"), "{}", here.text());
        assert!(here.to_file().contains("of-a-newer-version"));
        // A link merges like a file, without the lessons of newer versions.
        let mut linked = first;
        assert_eq!(linked.merge(&Progress::from_link(&there.to_link().unwrap()).unwrap()), 2);
        assert_eq!(done(&linked), done(&here));
    }

    #[test]
    fn a_lesson_is_done_with_all_four_levels() {
        let mut all = Progress::default();
        assert_eq!(all.next(), Some((Method::BruteForce, 0)));
        for level in 0..Exercise::LEVELS {
            assert!(done(&all).is_empty() && all.levels(Method::BruteForce).count() == level);
            assert!(all.add(Method::BruteForce, level));
            assert!(!all.add(Method::BruteForce, level));
        }
        assert_eq!(done(&all), ["brute-force"]);
        assert_eq!(all.next(), Some((Method::Permutations, 0)));
        all.add(Method::Permutations, 1);
        assert_eq!(all.next(), Some((Method::Permutations, 0)));
        all.add(Method::Permutations, 0);
        assert_eq!(all.next(), Some((Method::Permutations, 2)));
    }

    #[test]
    fn a_newcomer_begins_at_level_1_whatever_the_seed() {
        let none = Levels::default();
        for seed in [0, 3, 7_413, 7_419, u32::MAX] {
            assert_eq!(Exercise::level(none.fitting(seed)), 0, "{seed}");
            assert_eq!(none.fitting(seed) / 10, seed / 10);
            assert_eq!(Levels::ALL.fitting(seed), seed);
        }
        let some = Levels::parse("1").unwrap();
        assert_eq!([70, 71, 72, 73].map(|seed| some.fitting(seed)), [70, 71, 71, 71]);
    }

    #[test]
    fn progress_round_trips_through_text_file_and_link() {
        let mut all = Progress::default();
        assert_eq!(Progress::parse(&all.text()), all);
        assert_eq!(all.to_link(), None);
        for (number, &lesson) in (0..).zip(Method::ALL) {
            assert!(all.add(lesson, number % 4));
            assert!(all.add(lesson, (number + 1) % 4));
        }
        assert_eq!(Progress::parse(&all.text()), all);
        let (file, link) = (all.to_file(), all.to_link().unwrap());
        assert_eq!(Progress::from_file(&file).as_ref(), Some(&all));
        assert_eq!(Progress::from_link(&link), Some(all));
        assert!(file.len() < LARGEST_FILE / 8, "{}", file.len());
        assert!(link.len() < 400, "{link}");
        assert!(link.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.:=".contains(&byte)));
    }

    /// Earlier versions had only whole lessons.
    #[test]
    fn files_without_levels_are_read() {
        let old = r#"{"format": "queens-progress", "version": 1, "lessons": ["flags"]}"#;
        assert_eq!(Progress::from_file(old), Some(Progress::parse("flags")));
    }

    #[test]
    fn merging_many_files_keeps_the_progress_short() {
        let mut all = Progress::default();
        for file in 0..10 {
            let ids = (0..100).map(|id| (format!("a-lesson-{file}-{id}"), Levels(1)));
            all.merge(&Progress(ids.collect()));
        }
        assert_eq!(all.0.len(), LESSON_LIMIT);
        // Lessons that this version knows always have room.
        assert_eq!(all.merge(&Progress::parse("flags")), 1);
        let long = "x".repeat(LONGEST_ID);
        let file = Progress::parse(&long).to_file();
        assert!(Progress::from_file(&file).is_some());
        assert_eq!(Progress::from_file(&file.replace(&long, &format!("{long}x"))), None);
        // The file of the largest progress can be read.
        let ids =
            (0..LESSON_LIMIT).map(|id| (format!("{id:0>LONGEST_ID$}"), Levels(u8::MAX))).collect();
        assert!(Progress::from_file(&Progress(ids).to_file()).is_some());
    }

    #[test]
    fn other_files_are_not_read() {
        let file = Progress::parse("flags bitmap:12").to_file();
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
            ("\"12\"", "12"),
            ("\"12\"", "\"x\""),
            ("\"12\"", "\"09\""),
            ("\"12\"", "\"\""),
            ("\"bitmap\"", "\"two words\""),
        ] {
            let other = file.replacen(from, to, 1);
            assert_ne!(other, file);
            assert_eq!(Progress::from_file(&other), None, "{other}");
        }
        let long = file.replacen("flags", &"x".repeat(LARGEST_FILE), 1);
        assert_eq!(Progress::from_file(&long), None);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_rejected(text in "[a-z0-9:. -]{0,80}|\\PC{0,40}") {
            let stored = Progress::parse(&text);
            proptest::prop_assert_eq!(&Progress::parse(&stored.text()), &stored);
            if let Some(linked) = Progress::from_link(&format!("{LINK}{text}")) {
                let mut all = Progress::default();
                all.merge(&linked);
                proptest::prop_assert_eq!(Progress::from_file(&all.to_file()), Some(all));
            }
            let _ = Progress::from_file(&text);
        }
    }

    #[test]
    fn other_fragments_have_no_progress() {
        assert!(Progress::from_link("progress=flags:12.bitmap").is_some());
        let long = format!("progress={}flags", "flags.".repeat(LONGEST_LINK / 6));
        for other in [
            "",
            "progress=",
            "bound2",
            "progress=flags:",
            "progress=flags:x",
            "progress=two words",
            "progress=flags..bitmap",
            "progress=%66lags",
            &long,
        ] {
            assert_eq!(Progress::from_link(other), None, "{other}");
        }
    }
}
