//! The order in which the page asks exercises.

use std::iter;

use queens_core::{Answer, Exercise, Method, Square};

use crate::address::Homework;

/// The number of seeds that are tried for an exercise that shows what its lesson is about.
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

/// Returns the seeds of the different exercises from which homework is drawn, in order: those in the block of
/// `seed` and at its level, at most [`Homework::MOST`]. The easy levels of some lessons have only a few.
pub fn homework_seeds(lesson: Method, seed: u32) -> Vec<u32> {
    let (mut exercises, mut found) = (vec![], vec![]);
    for seed in seeds(Homework::seed(seed, Exercise::level(seed))).take(100) {
        let exercise = Exercise::new(lesson, seed);
        if found.len() < Homework::MOST as usize && !exercises.contains(&exercise) {
            exercises.push(exercise);
            found.push(seed);
        }
    }
    found
}

/// Returns the seed of the next exercise of homework. After the last different one, exercises repeat.
pub fn next_homework_seed(lesson: Method, seed: u32, exercise: &Exercise) -> u32 {
    let next = homework_seeds(lesson, seed).into_iter().find(|&next| next > seed);
    next.unwrap_or_else(|| next_seed(lesson, seed, None, exercise))
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

#[cfg(test)]
mod tests {
    use queens_core::Queens;

    use super::*;

    /// Homework of five exercises asked the first one twice.
    #[test]
    fn no_exercise_of_homework_repeats() {
        for &lesson in Method::ALL {
            for level in 0..Exercise::LEVELS {
                let seeds = homework_seeds(lesson, 4_320 + level);
                assert!(seeds.len() > 1, "{lesson}");
                let mut exercises: Vec<Exercise> = vec![];
                let mut seed = seeds[0];
                for _ in &seeds {
                    let exercise = Exercise::new(lesson, seed).unwrap();
                    assert!(!exercises.contains(&exercise), "{lesson} {seed}");
                    assert_eq!(Exercise::level(seed), level);
                    seed = next_homework_seed(lesson, seed, &exercise);
                    exercises.push(exercise);
                }
                assert_ne!(Exercise::new(lesson, seed), exercises.pop(), "{lesson} {seed}");
            }
        }
        // There are no more on such small boards.
        assert_eq!(homework_seeds(Method::Backtracking, 0).len(), 4);
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
}
