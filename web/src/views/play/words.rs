//! Sentences about the queens on the board.

use queens_core::{Queens, Size, Square, Unit};

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

/// Returns the instructions for a board.
pub fn aim(language: Language, size: Size) -> String {
    match size.get() {
        1 => tr!(language, "play.aim-one"),
        _ => tr!(language, "play.aim", n = size),
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

/// Returns the reason why a queen of a list is forced: each follows from `queens` and the queens before it in the
/// list. It says if it does not follow from `queens` alone.
pub fn follows(language: Language, queens: &Queens, unit: Unit) -> String {
    let key = match (unit, free_squares(queens, unit)) {
        (Unit::Row(_), 1) => "play.forced-row",
        (Unit::Column(_), 1) => "play.forced-column",
        (Unit::Row(_), _) => "play.then-forced-row",
        (Unit::Column(_), _) => "play.then-forced-column",
    };
    tr!(language, key)
}

/// Returns the sentence about a row or column without a free square, at the end of such a list.
pub fn blocked(language: Language, queens: &Queens, unit: Unit) -> String {
    let key = match (unit, free_squares(queens, unit)) {
        (Unit::Row(_), 0) => "play.blocked-row",
        (Unit::Column(_), 0) => "play.blocked-column",
        (Unit::Row(_), _) => "play.then-blocked-row",
        (Unit::Column(_), _) => "play.then-blocked-column",
    };
    tr!(language, key)
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
    use queens_core::{Consequence, notation};
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
        let aim = |n: u32| aim(Language::English, Size::new(n).unwrap());
        assert!(aim(1).starts_with("Place a queen on the only square."));
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
                let (unit, en, ja) = match consequence {
                    Consequence::Forced { unit, .. } => {
                        let said = |language| follows(language, &squares, unit);
                        (unit, said(Language::English), said(Language::Japanese))
                    }
                    Consequence::Blocked(unit) => {
                        let said = |language| blocked(language, &squares, unit);
                        (unit, said(Language::English), said(Language::Japanese))
                    }
                };
                let limit = usize::from(matches!(consequence, Consequence::Forced { .. }));
                let is_later = free_squares(&squares, unit) > limit;
                assert_eq!(en.contains("fter that"), is_later, "{en}");
                assert_eq!(ja.contains("ここまで置くと"), is_later, "{ja}");
                *if is_later { &mut later } else { &mut at_once } += 1;
            }
        }
        assert!(at_once > 0 && later > 0, "{at_once} {later}");
    }
}
