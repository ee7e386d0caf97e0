//! Puzzles: some queens of a solution, which no other solution contains.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::split_mix::SplitMix64;
use crate::{Completions, Queens, Size};

crate::words! {
    /// How hard a puzzle is.
    #[derive(Default)]
    pub enum Level {
        /// The queens leave at most N squares free.
        #[default]
        Easy = "easy",
        /// They leave at most 2 N squares free.
        Medium = "medium",
        /// There are as few queens as possible: without any of them, there is another solution.
        Hard = "hard",
    }
}

/// A puzzle: the same seed is the same puzzle for ever.
///
/// ```
/// use queens_core::{Completions, Puzzle, Size};
/// let puzzle: Puzzle = "hard:42".parse().map_err(|()| "a level and a seed")?;
/// let queens = puzzle.queens(Size::new(8)?).ok_or("N = 6 to 10 have puzzles")?;
/// assert!(queens.len() < 8);
/// assert_eq!(Completions::new(&queens).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// How hard the puzzle is.
    pub level: Level,
    /// What determines its queens.
    pub seed: u32,
}

impl Puzzle {
    /// The smallest and the largest board that has puzzles.
    pub const SIZES: [u32; 2] = [6, 10];

    /// Returns the queens of the puzzle; `None` on boards that have no puzzles.
    pub fn queens(self, size: Size) -> Option<Queens> {
        let [smallest, largest] = Puzzle::SIZES;
        if !(smallest..=largest).contains(&size.get()) {
            return None;
        }
        let mut random = SplitMix64::new(self.seed.into());
        let solutions: Vec<_> = Completions::new(&Queens::none(size)).collect();
        let solution = random.pick(&solutions)?;
        let mut squares: Vec<_> = solution.squares().collect();
        random.shuffle(&mut squares);
        // Take away as many queens as the level allows.
        Some(squares.into_iter().fold(Queens::from(&solution), |queens, square| {
            let fewer = queens.toggled(square);
            if self.allows(&fewer) { fewer } else { queens }
        }))
    }

    /// Whether exactly one solution contains these queens, and they leave no more squares free than the level
    /// says.
    fn allows(self, queens: &Queens) -> bool {
        let limit = match self.level {
            Level::Easy => queens.size().rows(),
            Level::Medium => 2 * queens.size().rows(),
            Level::Hard => usize::MAX,
        };
        queens.free_squares().count() <= limit && Completions::new(queens).nth(1).is_none()
    }
}

/// The form that [`FromStr`] reads: `LEVEL:SEED`.
impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.level.id(), self.seed)
    }
}

impl FromStr for Puzzle {
    type Err = ();

    fn from_str(text: &str) -> Result<Puzzle, ()> {
        let (level, seed) = text.split_once(':').ok_or(())?;
        Ok(Puzzle { level: level.parse().map_err(drop)?, seed: seed.parse().map_err(drop)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn each_puzzle_has_one_solution_and_the_free_squares_of_its_level() {
        for n in Puzzle::SIZES[0]..=Puzzle::SIZES[1] {
            let size = Size::new(n).unwrap();
            let mut free = [0; 3];
            for seed in 0..20 {
                for (level, free) in Level::ALL.into_iter().zip(&mut free) {
                    let puzzle = Puzzle { level, seed };
                    let queens = puzzle.queens(size).unwrap();
                    assert_eq!(Completions::new(&queens).count(), 1, "{puzzle} N = {n}");
                    assert!(queens.len() < n, "{puzzle} N = {n}: nothing is left to place");
                    assert!(puzzle.allows(&queens), "{puzzle} N = {n}");
                    let can_take = |square| puzzle.allows(&queens.toggled(square));
                    assert!(!queens.squares().any(can_take), "{puzzle} N = {n}");
                    *free += queens.free_squares().count();
                }
            }
            assert!(free.is_sorted() && free[0] < free[2], "N = {n}: {free:?}");
        }
    }

    /// Links keep their puzzles.
    #[test]
    fn a_seed_stays_the_same_puzzle() {
        let puzzle: Puzzle = "medium:420".parse().unwrap();
        let queens = puzzle.queens(Size::new(8).unwrap()).unwrap();
        let squares: Vec<_> = queens.squares().map(|square| square.to_string()).collect();
        assert_eq!(squares.join(","), "1:4,3:5,5:6");
        assert_eq!(puzzle.to_string(), "medium:420");
        for wrong in ["", "easy", "easy:", "simple:1", "easy:-1", "easy:4294967296"] {
            assert_eq!(wrong.parse::<Puzzle>(), Err(()), "{wrong}");
        }
        assert_eq!(puzzle.queens(Size::new(5).unwrap()), None);
        assert_eq!(puzzle.queens(Size::new(11).unwrap()), None);
    }
}
