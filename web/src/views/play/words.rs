//! Sentences about the queens on the board.

use queens_core::{Consequence, Queens, Size, Square, Unit};

use super::search::Count;
use crate::words::{Language, grouped, tr};
use crate::worker::{Job, JobState};

/// Returns a sentence about the solutions that contain the queens, or about their conflicts.
pub fn statement(
    language: Language,
    queens: &Queens,
    conflict_count: usize,
    count: &Job<Count>,
) -> String {
    let found = count.answer.found;
    let size = queens.size();
    match (conflict_count, count.state) {
        (1, _) => tr!(language, "play.one-conflict"),
        (2.., _) => tr!(language, "play.conflicts", pairs = grouped(conflict_count as u64)),
        (0, _) if queens.placement().is_some() => tr!(language, "play.whole"),
        (0, _) if size.get() > Size::MAX_COUNTED => {
            tr!(language, "play.too-large", n = size, largest = Size::MAX_COUNTED)
        }
        (0, JobState::Waiting | JobState::Running) => {
            tr!(language, "play.running", found = grouped(found))
        }
        (0, JobState::Stopped) => tr!(language, "play.stopped", found = grouped(found)),
        (0, JobState::Done) => match (found, queens.len()) {
            (0, 0) => tr!(language, "play.no-solution", n = size),
            (1, 0) => tr!(language, "play.all-one", n = size),
            (found, 0) => tr!(language, "play.all", n = size, found = grouped(found)),
            (0, 1) => tr!(language, "play.none-with-one"),
            (0, _) => tr!(language, "play.none"),
            (1, 1) => tr!(language, "play.one-with-one"),
            (1, _) => tr!(language, "play.one"),
            (found, 1) => tr!(language, "play.many-with-one", found = grouped(found)),
            (found, _) => tr!(language, "play.many", found = grouped(found)),
        },
    }
}

/// Returns the task on an empty board, and what the first queen attacks.
pub fn aim(language: Language, queens: &Queens) -> Option<String> {
    let size = queens.size();
    match (queens.len(), size.get()) {
        (0, 1) => Some(tr!(language, "play.aim-one")),
        (0, _) => Some(tr!(language, "play.aim", n = size)),
        (1, _) => Some(tr!(language, "play.attacks")),
        _ => None,
    }
}

/// Returns the announcement for screen readers: only the final sentence, not the number of
/// solutions so far.
pub fn spoken(
    language: Language,
    queens: &Queens,
    conflict_count: usize,
    count: &Job<Count>,
) -> String {
    let is_counted = queens.size().get() <= Size::MAX_COUNTED;
    let is_open = conflict_count == 0 && queens.placement().is_none();
    match count.state {
        JobState::Waiting | JobState::Running if is_counted && is_open => {
            tr!(language, "play.counting")
        }
        _ => statement(language, queens, conflict_count, count),
    }
}

/// Returns the reason why a queen of a list is forced, or why a row or column at its end is blocked: each follows
/// from `queens` and the queens before it in the list. It says if it does not follow from `queens` alone.
pub fn follows(language: Language, queens: &Queens, consequence: Consequence) -> String {
    let (what, unit, free) = match consequence {
        Consequence::Forced { unit, .. } => ("forced", unit, 1),
        Consequence::Blocked(unit) => ("blocked", unit, 0),
    };
    let then = if free_squares(queens, unit) == free { "" } else { "then-" };
    let what = [then, what].concat();
    match unit {
        Unit::Row(_) => tr!(language, format!("play.{what}-row")),
        Unit::Column(_) => tr!(language, format!("play.{what}-column")),
    }
}

/// The number of squares of a row or column that no queen attacks.
fn free_squares(queens: &Queens, unit: Unit) -> usize {
    let is_in = |square: &Square| match unit {
        Unit::Row(row) => square.row() == row,
        Unit::Column(column) => square.column() == column,
    };
    queens.free_squares().filter(is_in).count()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::words::plain;
    use queens_core::notation;
    use yew::Callback;

    fn queens(n: u32, squares: &str) -> Queens {
        notation::queens(Size::new(n).unwrap(), squares).unwrap()
    }

    #[test]
    fn uses_the_singular_for_one() {
        let sentence = |n: u32, state, found| {
            let count = Job::<Count> {
                answer: Count { found, ..Count::default() },
                state,
                stop: Callback::noop(),
                restart: Callback::noop(),
            };
            plain(&statement(Language::English, &queens(n, ""), 0, &count))
        };
        assert_eq!(sentence(1, JobState::Done, 1), "There is exactly one solution for N = 1.");
        assert_eq!(sentence(8, JobState::Done, 92), "There are 92 solutions for N = 8.");
        assert_eq!(sentence(8, JobState::Running, 1), "Solutions so far: 1.");
        let aim = |n: u32| aim(Language::English, &queens(n, "")).unwrap();
        assert_eq!(aim(1), "Place a queen on the only square.");
        assert!(aim(8).starts_with("Place 8 queens"));
    }

    /// The number of solutions of N = 29 is only estimated, so the sentence must not state it as a
    /// fact.
    #[test]
    fn boards_too_large_to_count_are_expected_to_exceed_64_bits() {
        let count = Job::<Count> {
            answer: Count::default(),
            state: JobState::Waiting,
            stop: Callback::noop(),
            restart: Callback::noop(),
        };
        let board = queens(Size::MAX_COUNTED + 1, "0:0");
        let sentence = |each| plain(&statement(each, &board, 0, &count));
        let [en, ja] = Language::ALL.map(sentence);
        assert!(en.contains("N = 28") && en.contains("is expected to exceed 64 bits"), "{en}");
        assert!(
            ja.contains("N = 28") && ja.contains("64 ビットで表せる範囲を超えると予想"),
            "{ja}"
        );
    }

    #[test]
    fn announces_no_count_on_boards_too_large_to_count() {
        let sentence = |n: u32| {
            let count = Job::<Count> {
                answer: Count::default(),
                state: JobState::Waiting,
                stop: Callback::noop(),
                restart: Callback::noop(),
            };
            let board = queens(n, "");
            let language = Language::English;
            (spoken(language, &board, 0, &count), statement(language, &board, 0, &count))
        };
        let (spoken, written) = sentence(Size::MAX_COUNTED + 1);
        assert_eq!(spoken, written);
        assert_eq!(sentence(Size::MAX_COUNTED).0, "Counting solutions…");
    }

    #[test]
    fn conclusions_from_earlier_conclusions_say_so() {
        let board = queens(8, "0:0,1:4");
        let (mut at_once, mut later) = (0, 0);
        for squares in Square::all(board.size()).map(|third| board.toggled(third)) {
            for consequence in squares.consequences() {
                let (unit, limit) = match consequence {
                    Consequence::Forced { unit, .. } => (unit, 1),
                    Consequence::Blocked(unit) => (unit, 0),
                };
                let [en, ja] = Language::ALL.map(|each| follows(each, &squares, consequence));
                let is_later = free_squares(&squares, unit) > limit;
                assert_eq!(en.contains("fter that"), is_later, "{en}");
                assert_eq!(ja.contains("ここまで置くと"), is_later, "{ja}");
                *if is_later { &mut later } else { &mut at_once } += 1;
            }
        }
        assert!(at_once > 0 && later > 0, "{at_once} {later}");
    }
}
