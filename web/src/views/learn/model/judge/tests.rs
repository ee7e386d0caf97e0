//! The texts of exercises, in both languages.

use queens_core::{Method, Size, Stepped};

use super::*;
use crate::words::plain;

fn exercises() -> impl Iterator<Item = ExerciseState> {
    let lessons = Method::ALL.iter();
    lessons
        .flat_map(|&lesson| (0..40).filter_map(move |seed| Exercise::new(lesson, seed)))
        .map(ExerciseState::new)
}

#[test]
fn every_exercise_has_texts() {
    for state in exercises() {
        for language in Language::ALL {
            let hints = [0, 1].map(|number| state.hint(language, number));
            let choices = (0..state.choices()).map(|number| state.choice(language, number));
            for text in [state.question(language)].into_iter().chain(hints).chain(choices) {
                assert!(!text.contains("lesson.") && !text.contains("%{"), "{text}");
                assert!(!text.is_empty());
            }
        }
    }
}

/// All levels of the first lesson asked the same.
#[test]
fn the_first_lesson_says_how_far_its_counter_is() {
    let mut questions = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let state = ExerciseState::new(Exercise::new(Method::BruteForce, seed).unwrap());
        let columns = state.exercise.board.squares().map(|square| square.to_left().1);
        let question = plain(&state.question(Language::English));
        assert_eq!(question.contains("left edge"), columns.last() == Some(0), "{question}");
        questions.insert(question);
    }
    assert!(questions.len() > 2, "{questions:?}");
}

#[test]
fn only_wrong_answers_get_a_reason() {
    for state in exercises() {
        let right = state.exercise.answer.clone();
        let wrong: Vec<Answer> = match &right {
            Answer::Squares(squares) => {
                let all = Square::all(squares.size());
                let other = all.map(|square| squares.toggled(square)).map(Answer::Squares);
                other.chain([Answer::Squares(Queens::none(squares.size()))]).collect()
            }
            Answer::Choice(number) => {
                let choices = (0..state.choices()).filter(|choice| choice != number);
                choices.map(Answer::Choice).collect()
            }
        };
        for language in Language::ALL {
            assert_eq!(state.reason(language, &right), None);
            for wrong in &wrong {
                let why = state.reason(language, wrong).expect("a reason");
                assert!(why.chars().count() > 12 && !why.contains("%{"), "{why}");
                assert!(!why.contains("lesson.") && !why.contains("why."), "{why}");
            }
        }
    }
}

/// Answers with one square too many, and with one too few.
fn nearly_right(state: &ExerciseState) -> Vec<(Square, Answer)> {
    let Answer::Squares(right) = &state.exercise.answer else { return Vec::new() };
    let toggled = |square| (square, Answer::Squares(right.toggled(square)));
    Square::all(right.size()).map(toggled).collect()
}

#[test]
fn an_answer_without_a_choice_asks_for_one() {
    let asks = [
        (Language::English, ["No square is marked.", "Choose an answer first."]),
        (Language::Japanese, ["印がありません。", "先に 1 つ選んでください。"]),
    ];
    for state in exercises() {
        let (empty, kind) = match &state.exercise.answer {
            Answer::Squares(right) => (Some(Answer::Squares(Queens::none(right.size()))), 0),
            Answer::Choice(_) => (None, 1),
        };
        for (language, asks) in asks {
            for given in [None, empty.as_ref()] {
                let verdict = plain(&state.verdict(language, given));
                assert!(verdict.starts_with(asks[kind]), "{verdict}");
                // The verdict contains neither the answer nor the words for a wrong one.
                let [right, wrong] = ["lesson.right", "lesson.wrong"].map(|key| tr!(language, key));
                assert!(!verdict.contains(&right) && !verdict.contains(&wrong), "{verdict}");
                assert!(
                    !verdict.contains(&state.explanation_if_right(language))
                        || state.explanation_if_right(language).is_empty()
                );
            }
        }
    }
}

#[test]
fn a_verdict_begins_with_right_or_wrong() {
    for state in exercises() {
        let wrong = match &state.exercise.answer {
            Answer::Squares(right) => {
                Answer::Squares(right.toggled(Square::all(right.size()).next().unwrap()))
            }
            Answer::Choice(right) => Answer::Choice((right + 1) % state.choices()),
        };
        for language in Language::ALL {
            let verdict = |answer| state.verdict(language, Some(answer));
            let right = verdict(&state.exercise.answer);
            assert!(right.starts_with(&tr!(language, "lesson.right")), "{right}");
            if !state.is_empty(&wrong) {
                let wrong = verdict(&wrong);
                assert!(wrong.starts_with(&tr!(language, "lesson.wrong")), "{wrong}");
            }
        }
    }
}

/// Methods 3 to 6 also try attacked squares, so such a square can be free to be tried.
#[test]
fn the_reason_for_an_attacked_square_is_the_queen_that_attacks_it() {
    let mut attacked = 0;
    for state in exercises().filter(ExerciseState::asks_next_queen) {
        let view = &state.snapshot().unwrap().view;
        for square in Square::all(view.size) {
            let seen = view.square(square);
            let Some(by) = seen.attacker.filter(|_| seen.state == SquareState::Free) else {
                continue;
            };
            let (method, _) = state.exercise.search.unwrap();
            if matches!(method, Stepped::BruteForce | Stepped::Permutations) {
                continue;
            }
            let reason =
                state.explain_next_queen(Language::English, state.snapshot().unwrap(), square);
            let (row, line) = (by.queen.row(), sentences::line_name(Language::English, by.line));
            assert!(reason.contains(&format!("row {row}")) && reason.contains(&line), "{reason}");
            let name = sentences::capitalised(&state.square_name(Language::English, square));
            assert!(reason.contains(&name) && !reason.contains("tried"), "{reason}");
            attacked += 1;
        }
    }
    assert!(attacked > 20, "{attacked}");
}

#[test]
fn reasons_agree_with_the_queens_that_attack_a_row() {
    for state in exercises() {
        let Question::Attacked { .. } = state.exercise.question else { continue };
        for (square, given) in nearly_right(&state) {
            let reason = state.reason(Language::English, &given).unwrap();
            let by = state.snapshot().unwrap().view.attacker(square);
            if square.row() != state.row().unwrap() {
                assert!(reason.contains("The question is about row"), "{reason}");
                continue;
            }
            match by {
                Some(by) => {
                    let (row, line) =
                        (by.queen.row(), sentences::line_name(Language::English, by.line));
                    assert!(reason.contains(&format!("queen in row {row}")), "{reason}");
                    assert!(reason.ends_with(&format!("{line}.")), "{reason}");
                }
                None => assert!(reason.ends_with("No queen above attacks it."), "{reason}"),
            }
        }
    }
}

#[test]
fn a_missing_square_is_named_once() {
    for state in exercises() {
        for (square, given) in nearly_right(&state) {
            let Answer::Squares(squares) = &given else { continue };
            let is_left = state.exercise.answer != given && !squares.contains(square);
            if !is_left || squares.is_empty() || state.asks_next_queen() {
                continue;
            }
            let name = state.square_name(Language::English, square);
            let reason = state.reason(Language::English, &given).unwrap();
            assert_eq!(reason.to_lowercase().matches(&name).count(), 1, "{reason}");
        }
    }
}

#[test]
fn a_hint_for_one_square_uses_the_singular() {
    for state in exercises() {
        let Answer::Squares(squares) = &state.exercise.answer else { continue };
        if state.asks_next_queen() {
            continue;
        }
        let hints = Language::ALL.map(|language| state.hint(language, 1));
        let several = ["One of them", "そのうち"];
        for (hint, several) in hints.iter().zip(several) {
            assert_eq!(hint.contains(several), squares.len() > 1, "{hint}");
        }
    }
}

#[test]
fn a_reason_names_the_queen_and_its_line() {
    let size = Size::new(4).unwrap();
    let at = |row, column| Square::from_left(size, row, column).unwrap();
    let queens = Queens::new(size, [at(0, 1)]).unwrap();
    let missing = explain_bit(Language::English, &queens, at(1, 0), Register::Left, false);
    assert!(missing.contains("row 0") && missing.contains("down to the left"), "{missing}");
    let wrong = explain_bit(Language::English, &queens, at(1, 2), Register::Left, true);
    assert!(wrong.contains("none does here"), "{wrong}");
}

/// The reason says what a wrong answer overlooks.
#[test]
fn the_reason_for_another_square_is_the_order_of_the_search() {
    let ends = [
        ("queen-stays", "so the queen of row"),
        ("row-above-first", "filled from the top"),
        ("must-go-back", "goes back first"),
        ("right-first", "further right"),
        ("tried-before", "already tried"),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for state in exercises().filter(ExerciseState::asks_next_queen) {
        let (method, _) = state.exercise.search.unwrap();
        let Answer::Squares(right) = &state.exercise.answer else { panic!() };
        let next = right.squares().next().unwrap();
        for square in Square::all(state.exercise.size()).filter(|&square| square != next) {
            let given = Answer::Squares(Queens::new(square.size(), [square]).unwrap());
            let reason = state.reason(Language::English, &given).unwrap();
            let Some((key, _)) = ends.iter().find(|(_, end)| reason.contains(end)) else {
                continue;
            };
            let (given, last) = (square.row(), state.exercise.board.len() - 1);
            let is_true = match *key {
                "queen-stays" => {
                    given < next.row() && reason.contains(&format!("row {given} stays"))
                }
                "row-above-first" => given > next.row() && next.row() > last,
                "must-go-back" => given > next.row() && next.row() <= last,
                "right-first" => given == next.row() && square.bit() > next.bit(),
                _ => given == next.row() && square.bit() < next.bit(),
            };
            assert!(is_true, "{method} {square}: {reason}");
            seen.insert(*key);
        }
    }
    assert_eq!(seen.len(), ends.len(), "{seen:?}");
}

#[test]
fn a_bit_that_was_counted_from_the_left_is_recognized() {
    let mut mirrored = 0;
    for state in exercises() {
        let Question::Branch { .. } = state.exercise.question else { continue };
        let Answer::Squares(right) = &state.exercise.answer else { panic!() };
        let given = right.squares().map(|square| Transform::LeftRight.square(square));
        let given = Answer::Squares(given.fold(Queens::none(right.size()), Queens::toggled));
        let reason = state.reason(Language::English, &given).unwrap();
        assert!(reason.contains("counted from the left"), "{reason}");
        mirrored += 1;
    }
    assert!(mirrored > 20, "{mirrored}");
}
