//! The order in which the page asks exercises.

use std::iter;

use queens_core::{Answer, Exercise, Method, Square};

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
