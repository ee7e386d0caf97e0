//! The levels that a learner has solved, as a text that the browser stores.

use std::collections::BTreeMap;

use queens_core::{Exercise, Method};

/// The longest id of a lesson, in bytes.
const LONGEST_ID: usize = 64;
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
        let entries = self.0.iter().map(|(id, &levels)| match levels {
            Levels::ALL => id.clone(),
            levels => format!("{id}:{}", levels.digits()),
        });
        entries.collect::<Vec<_>>().join(" ")
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

    /// Marks a lesson as done or, without any solved level, as not done.
    pub fn mark(&mut self, lesson: Method, is_done: bool) {
        self.0.remove(lesson.id());
        if is_done {
            self.solve(lesson.id().to_owned(), Levels::ALL);
        }
    }

    /// Adds the levels of another progress.
    pub fn merge(&mut self, other: &Progress) {
        for (id, &levels) in &other.0 {
            self.solve(id.clone(), levels);
        }
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
    fn merging_loses_nothing() {
        let mut here = Progress::parse("flags brute-force:1 bitmap:24");
        let there = Progress::parse("backtracking flags:2 brute-force:234 of-a-newer-version:8");
        here.merge(&there);
        assert_eq!(done(&here), ["brute-force", "backtracking", "flags"]);
        assert_eq!(here.levels(Method::Bitmap), Levels::parse("24").unwrap());
        assert!(here.text().contains("of-a-newer-version:8"));
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
    fn a_lesson_can_be_marked_as_done_and_as_not_done() {
        let mut all = Progress::parse("bitmap:24 flags");
        all.mark(Method::Bitmap, true);
        all.mark(Method::Flags, false);
        assert_eq!((all.text(), done(&all)), ("bitmap".to_owned(), vec!["bitmap"]));
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
    fn progress_round_trips_through_its_text() {
        for text in ["", "flags", "bitmap:24 flags", "brute-force:1 of-a-newer-version:8"] {
            assert_eq!(Progress::parse(text).text(), text);
        }
        // What is not an id with levels is left out.
        assert_eq!(Progress::parse("flags x:y é bitmap:9x").text(), "flags");
    }
}
