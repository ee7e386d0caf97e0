//! Compares the exercises of fixed seeds with a file. Links contain only the method and the seed of an
//! exercise, so the same seed must draw the same exercise forever.

use std::fmt::Display;

use queens_core::{Answer, Exercise, Method, Queens, Question, Square};

const FILE: &str = include_str!("../../../tests/data/exercises.txt");

/// Seeds of all levels.
const SEEDS: [u32; 10] = [0, 1, 2, 3, 10, 21, 32, 43, 1004, u32::MAX];

#[test]
fn the_same_seeds_draw_the_same_exercises() {
    let mut lines = FILE.lines().filter(|line| !line.starts_with('#'));
    for &method in Method::ALL {
        for seed in SEEDS {
            let exercise = Exercise::new(method, seed).map(|exercise| in_words(&exercise));
            let level = Exercise::level(seed);
            let drawn = format!("{method} {seed}: level {level}, {}", exercise.unwrap_or_default());
            assert_eq!(lines.next(), Some(drawn.as_str()));
        }
    }
    assert_eq!(lines.next(), None);
}

fn in_words(exercise: &Exercise) -> String {
    let question = match &exercise.question {
        Question::NextQueen => "next queen".to_owned(),
        Question::Attacked { row } => format!("attacked squares of row {row}"),
        Question::Word { row, register } => format!("{} in row {row}", register.name()),
        Question::Closed { rule, row: None } => format!("closed by {rule:?}"),
        Question::Closed { rule, row: Some(row) } => format!("closed by {rule:?} in row {row}"),
        Question::Branch { bound1, corner: false } => format!("branch {bound1}"),
        Question::Branch { bound1, corner: true } => format!("branch {bound1} of the corner"),
        Question::Bound2 { bound1 } => format!("ends of row BOUND2 for BOUND1 = {bound1}"),
        Question::Cells => "cells".to_owned(),
        Question::Class => "class".to_owned(),
        Question::Smallest(images) => {
            let images = images.iter().map(|image| joined(image.columns_from_left(), " "));
            format!("smallest of {}", joined(images, " / "))
        }
        Question::Compare(transform) => format!("compare with {transform:?}"),
        Question::OtherColour => "squares for the other colour".to_owned(),
    };
    let answer = match &exercise.answer {
        Answer::Squares(answer) => squares(answer),
        Answer::Choice(number) => format!("choice {number}"),
    };
    let (size, board) = (exercise.size(), squares(&exercise.board));
    format!("N = {size}; {question}; board {board}; answer {answer}")
}

/// The squares as row:column, counted from the top and from the left.
fn squares(queens: &Queens) -> String {
    let mut squares: Vec<_> = queens.squares().map(Square::to_left).collect();
    squares.sort_unstable();
    joined(squares.iter().map(|(row, column)| format!("{row}:{column}")), " ")
}

fn joined<T: Display>(items: impl Iterator<Item = T>, separator: &str) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(separator)
}
