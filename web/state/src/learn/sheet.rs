//! Exercises for paper, and the order in which the page asks exercises.

use std::iter;

use queens_core::{Answer, Exercise, Method, Queens, Question, Square};

use super::judge::ExerciseState;
use super::replay::plain;
use crate::board::Row;
use crate::text::Language;

/// The number of exercises in a row that may repeat the sheet before the sheet ends.
const TRIES: usize = 40;

/// Returns the seed of the next exercise of a lesson. It has the level `level`, counted from 0, or the
/// level of `seed` if `level` is `None`. Boards are small, so several seeds can give the same exercise;
/// the first of up to nine seeds that does not repeat `exercise` is returned.
pub fn next_seed(lesson: Method, seed: u32, level: Option<u32>, exercise: &Exercise) -> u32 {
    let first = match level.filter(|&level| level != Exercise::level(seed)) {
        Some(level) => seed / 10 * 10 + level,
        None => Exercise::next_seed(seed, false),
    };
    let is_new = |&seed: &u32| Exercise::new(lesson, seed).as_ref() != Some(exercise);
    seeds(first).take(9).find(is_new).unwrap_or(first)
}

/// Returns the seed of the next exercise for a learner without homework: the first one that also shows what
/// the lesson is about, or that of [`next_seed`] if none of the next seeds does.
pub fn next_course_seed(lesson: Method, seed: u32, level: Option<u32>, exercise: &Exercise) -> u32 {
    let first = next_seed(lesson, seed, level, exercise);
    let mut ahead = seeds(first).take(TRIES);
    let is_wanted = |&seed: &u32| {
        let next = Exercise::new(lesson, seed);
        next.is_some_and(|next| next != *exercise && shows_the_idea(lesson, seed, &next))
    };
    ahead.find(is_wanted).unwrap_or(first)
}

/// Returns the first seed from `seed` on, at its level, whose exercise shows what the lesson is about.
pub fn course_seed(lesson: Method, seed: u32) -> u32 {
    let is_wanted = |&seed: &u32| {
        Exercise::new(lesson, seed).is_some_and(|exercise| shows_the_idea(lesson, seed, &exercise))
    };
    seeds(seed).take(TRIES).find(is_wanted).unwrap_or(seed)
}

/// Whether an exercise shows what its lesson is about. In the lesson on trying every board, that is the
/// carry from the last row to the row above, from the second level on: few of the boards show it, and
/// the exercise of a seed never changes.
fn shows_the_idea(lesson: Method, seed: u32, exercise: &Exercise) -> bool {
    if lesson != Method::BruteForce || Exercise::level(seed) == 0 {
        return true;
    }
    let lowest = exercise.board.squares().map(Square::row).max();
    match &exercise.answer {
        Answer::Squares(squares) => squares.squares().map(Square::row).max() < lowest,
        Answer::Choice(_) => true,
    }
}

/// The seeds of the level of `first`, starting with `first`.
fn seeds(first: u32) -> impl Iterator<Item = u32> {
    iter::successors(Some(first), |&seed| Some(Exercise::next_seed(seed, false)))
}

/// Returns the exercises of a sheet: the exercises of homework with this seed, without repetitions. They
/// are fewer than `tasks` if the lesson has few exercises.
pub fn exercises(lesson: Method, seed: u32, tasks: u32) -> Vec<Exercise> {
    let mut sheet: Vec<Exercise> = vec![];
    let mut remaining = seeds(seed).filter_map(|seed| Exercise::new(lesson, seed));
    while (sheet.len() as u32) < tasks {
        let new = remaining.by_ref().take(TRIES).find(|exercise| !sheet.contains(exercise));
        let Some(exercise) = new else { break };
        sheet.push(exercise);
    }
    sheet
}

/// Returns the board of an answer, with the squares to mark coloured or the chosen board.
pub fn answer_rows(task: &ExerciseState) -> Vec<Row> {
    let exercise = &task.exercise;
    let mut rows = match &exercise.answer {
        Answer::Squares(squares) if task.asks_next_queen() => {
            let row = squares.squares().next().map(Square::row);
            let above = exercise.board.squares().filter(|queen| Some(queen.row()) < row);
            plain(&above.fold(*squares, Queens::toggled), None)
        }
        Answer::Choice(right) => plain(&task.board(*right).unwrap_or(exercise.board), None),
        Answer::Squares(_) => plain(&exercise.board, None),
    };
    if let Answer::Squares(squares) = &exercise.answer {
        Row::mark(&mut rows, squares.squares());
    }
    rows
}

/// Returns an answer in words.
pub fn answer_text(language: Language, task: &ExerciseState) -> String {
    let mut text = match &task.exercise.answer {
        Answer::Squares(squares) => {
            let names: Vec<_> =
                squares.squares().map(|square| task.square_name(language, square)).collect();
            names.join(language.comma())
        }
        Answer::Choice(right) => task.choice(language, *right),
    };
    // The other explanations repeat what the board shows.
    if matches!(task.exercise.question, Question::Class | Question::Compare(_)) {
        text = text + language.colon() + &task.explanation_if_right(language);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(lesson: Method, seed: u32, tasks: u32) -> Vec<ExerciseState> {
        exercises(lesson, seed, tasks).into_iter().map(ExerciseState::new).collect()
    }

    #[test]
    fn a_sheet_is_the_same_for_its_seed_and_repeats_nothing() {
        for &lesson in Method::ALL {
            for level in 0..Exercise::LEVELS {
                let sheet = exercises(lesson, 4_320 + level, 8);
                assert_eq!(sheet, exercises(lesson, 4_320 + level, 8));
                // The easiest levels of some lessons have few exercises.
                assert!((3..=8).contains(&sheet.len()), "{lesson} level {level}: {}", sheet.len());
                assert!(level < 3 || sheet.len() == 8, "{lesson}: {}", sheet.len());
                assert!((1..sheet.len()).all(|number| !sheet[..number].contains(&sheet[number])));
                assert_eq!(sheet.first(), Exercise::new(lesson, 4_320 + level).as_ref());
            }
        }
    }

    #[test]
    fn trying_every_board_asks_for_a_carry_from_the_second_level_on() {
        let lesson = Method::BruteForce;
        let is_carry = |seed| {
            let exercise = Exercise::new(lesson, seed).unwrap();
            let Answer::Squares(right) = exercise.answer else { panic!() };
            let row = |queens: &Queens| queens.squares().map(Square::row).max();
            row(&right) < row(&exercise.board)
        };
        for seed in (0..200).step_by(10) {
            assert_eq!(course_seed(lesson, seed), seed);
            for level in 1..Exercise::LEVELS {
                let first = course_seed(lesson, seed + level);
                assert!(is_carry(first) && Exercise::level(first) == level);
                let exercise = Exercise::new(lesson, first).unwrap();
                let next = next_course_seed(lesson, first, None, &exercise);
                assert!(is_carry(next) && Exercise::level(next) == level);
                assert_ne!(Exercise::new(lesson, next).unwrap(), exercise);
                assert_eq!(course_seed(Method::Backtracking, seed + level), seed + level);
            }
        }
    }

    /// The answers on paper are those that the page accepts.
    #[test]
    fn answers_agree_with_the_core() {
        for &lesson in Method::ALL {
            for task in states(lesson, 71, 6) {
                let rows = answer_rows(&task);
                let size = task.exercise.size();
                let all =
                    rows.iter().flat_map(|row| Square::of_row(size, row.row).zip(&row.squares));
                let marked = all.clone().filter(|(_, drawn)| drawn.fresh).map(|(square, _)| square);
                let queens = all.filter(|(_, drawn)| drawn.is_queen()).map(|(square, _)| square);
                let given = match &task.exercise.answer {
                    Answer::Squares(_) => Answer::Squares(Queens::new(size, marked).unwrap()),
                    // The drawn board is that of a choice, or the board that the question is about.
                    Answer::Choice(right) => {
                        let queens = Queens::new(size, queens).unwrap();
                        let boards =
                            (0..task.choices()).find(|&choice| task.board(choice) == Some(queens));
                        Answer::Choice(boards.unwrap_or(*right))
                    }
                };
                assert_eq!(given, task.exercise.answer, "{lesson}");
                for language in Language::ALL {
                    assert_eq!(task.reason(language, &given), None);
                    let text = answer_text(language, &task);
                    assert!(!text.is_empty() && !text.contains("%{") && !text.contains("lesson."));
                    if let Answer::Squares(squares) = &task.exercise.answer {
                        let named = squares
                            .squares()
                            .all(|square| text.contains(&task.square_name(language, square)));
                        assert!(named, "{text}");
                    }
                }
            }
        }
    }
}
