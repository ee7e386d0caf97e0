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
