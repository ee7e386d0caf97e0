//! Homework: a number of exercises of one level, set by a teacher in a link.

use std::fmt;

use queens_core::Exercise;

/// The exercises of a link, and how many of them are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Homework {
    tasks: u32,
    solved: u32,
}

impl Homework {
    /// The largest number of exercises.
    pub const MOST: u32 = 20;

    /// Returns homework of `tasks` exercises, none of them solved; `None` if `tasks` is 0 or above
    /// [`Homework::MOST`].
    pub fn new(tasks: u32) -> Option<Homework> {
        (1..=Homework::MOST).contains(&tasks).then_some(Homework { tasks, solved: 0 })
    }

    /// Parses `TASKS` or `TASKS:SOLVED`.
    pub fn parse(text: &str) -> Option<Homework> {
        let (tasks, solved) = text.split_once(':').unwrap_or((text, "0"));
        let homework = Homework::new(tasks.parse().ok()?)?;
        let solved = solved.parse().ok().filter(|&solved| solved <= homework.tasks)?;
        Some(Homework { solved, ..homework })
    }

    /// Returns the number of exercises.
    pub fn tasks(self) -> u32 {
        self.tasks
    }

    /// Returns the number of solved exercises.
    pub fn solved(self) -> u32 {
        self.solved
    }

    /// Returns the homework after one more exercise was solved.
    #[must_use]
    pub fn with_solved(self) -> Homework {
        Homework { solved: (self.solved + 1).min(self.tasks), ..self }
    }

    /// Whether all exercises are solved.
    pub fn is_done(self) -> bool {
        self.solved == self.tasks
    }

    /// Returns the seed of the first exercise near `seed` with this level, counted from 0. It begins a block of 100
    /// seeds of each level. Everyone who opens the link gets the same exercises.
    pub fn seed(seed: u32, level: u32) -> u32 {
        seed / 1000 * 1000 + level.min(Exercise::LEVELS - 1)
    }
}

/// The form that [`Homework::parse`] reads.
impl fmt::Display for Homework {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.tasks)?;
        if self.solved > 0 { write!(f, ":{}", self.solved) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for tasks in 1..=Homework::MOST {
            let mut homework = Homework::new(tasks).unwrap();
            for solved in 0..=tasks {
                assert_eq!((homework.solved(), homework.is_done()), (solved, solved == tasks));
                assert_eq!(Homework::parse(&homework.to_string()), Some(homework));
                homework = homework.with_solved();
            }
            assert_eq!(homework.solved(), tasks, "no more than all");
        }
        for other in ["", "0", "21", "3:4", "3:", ":1", "-1", "x", "5:2:1"] {
            assert_eq!(Homework::parse(other), None, "{other}");
        }
    }

    #[test]
    fn all_exercises_have_the_level_that_was_set() {
        for level in 0..Exercise::LEVELS {
            let mut seed = Homework::seed(12_345, level);
            for _ in 0..Homework::MOST {
                assert_eq!(Exercise::level(seed), level);
                seed = Exercise::next_seed(seed, false);
            }
        }
        let last = Homework::seed(u32::MAX, 3);
        assert_eq!(Exercise::level(last), 3);
        assert_eq!(Exercise::level(Exercise::next_seed(last, false)), 3);
    }
}
