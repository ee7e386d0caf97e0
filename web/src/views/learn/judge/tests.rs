//! What is said of answers, in both languages.

use queens_core::{Method, Size};

use super::*;

fn tasks() -> impl Iterator<Item = Task> {
    let lessons = Method::ALL.iter();
    lessons
        .flat_map(|&lesson| (0..40).filter_map(move |seed| Exercise::new(lesson, seed)))
        .map(Task::new)
}

#[test]
fn every_exercise_has_its_words() {
    for task in tasks() {
        for language in Language::ALL {
            let hints = [0, 1].map(|number| task.hint(language, number));
            let choices = (0..task.choices()).map(|number| task.choice(language, number));
            for text in [task.question(language)].into_iter().chain(hints).chain(choices) {
                assert!(!text.contains("lesson.") && !text.contains("%{"), "{text}");
                assert!(!text.is_empty());
            }
        }
    }
}

#[test]
fn right_answers_need_no_reason_and_wrong_ones_get_one() {
    for task in tasks() {
        let right = task.exercise.answer.clone();
        let wrong: Vec<Answer> = match &right {
            Answer::Squares(squares) => {
                let all = Square::all(squares.size());
                let other = all.map(|square| squares.toggled(square)).map(Answer::Squares);
                other.chain([Answer::Squares(Queens::none(squares.size()))]).collect()
            }
            Answer::Choice(number) => {
                let choices = (0..task.choices()).filter(|choice| choice != number);
                choices.map(Answer::Choice).collect()
            }
        };
        for language in Language::ALL {
            assert_eq!(task.reason(language, &right), None);
            for wrong in &wrong {
                let why = task.reason(language, wrong).expect("a reason");
                assert!(why.chars().count() > 12 && !why.contains("%{"), "{why}");
                assert!(!why.contains("lesson.") && !why.contains("why."), "{why}");
            }
        }
    }
}

#[test]
fn a_reason_names_the_square_and_its_line() {
    let size = Size::new(4).unwrap();
    let at = |row, column| Square::from_left(size, row, column).unwrap();
    let queens = Queens::new(size, [at(0, 1)]).unwrap();
    let missing = about_bit(Language::English, &queens, at(1, 0), Register::Left, false);
    assert!(
        missing.contains("row 1, column 0") && missing.contains("down to the left"),
        "{missing}"
    );
    let wrong = about_bit(Language::English, &queens, at(1, 2), Register::Left, true);
    assert!(wrong.contains("none does here"), "{wrong}");
}
