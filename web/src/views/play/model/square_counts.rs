//! The number of remaining solutions that have a queen on each square, as a hint.

use queens_core::{Completions, Placement, Queens, Seek, Size, Square};

/// The number of steps after which the count gives up: about a second of a browser's time. Empty
/// boards up to N = 12 need fewer.
const LIMIT: u64 = 4_000_000;

/// The state of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountState {
    Running,
    /// All solutions are counted.
    Done,
    /// The solutions are too many, or too hard to find.
    GaveUp,
}

/// Counts, for each square, the solutions that contain the given queens and a queen on this square.
/// [`work`](SquareCounts::work) does a slice of the count at a time.
#[derive(Clone, Debug)]
pub struct SquareCounts {
    search: Completions,
    size: Size,
    /// The squares by row, from the left.
    counts: Vec<u64>,
    steps: u64,
    state: CountState,
}

impl SquareCounts {
    pub fn new(queens: &Queens) -> SquareCounts {
        let size = queens.size();
        SquareCounts {
            search: Completions::new(queens),
            size,
            counts: vec![0; (size.get() * size.get()) as usize],
            steps: 0,
            state: CountState::Running,
        }
    }

    /// Does about `steps` steps. Returns whether there is more to do.
    pub fn work(&mut self, steps: u64) -> bool {
        let end = self.steps.saturating_add(steps);
        while self.state == CountState::Running && self.steps < end {
            // A search that finds a solution does not report how many steps it took, so a whole slice
            // is charged. Small slices keep the error small.
            const SLICE: u64 = 64;
            self.steps += SLICE;
            match self.search.search(SLICE) {
                Seek::Found => self.add(),
                Seek::NoMore => self.state = CountState::Done,
                Seek::OutOfBudget if self.steps >= LIMIT => self.state = CountState::GaveUp,
                Seek::OutOfBudget => {}
            }
        }
        self.state == CountState::Running
    }

    /// Adds the solution that has just been found.
    fn add(&mut self) {
        let solution = self.search.solution();
        for square in solution.iter().flat_map(Placement::squares) {
            if let Some(count) = self.counts.get_mut(index(self.size, square)) {
                *count += 1;
            }
        }
        if self.steps >= LIMIT {
            self.state = CountState::GaveUp;
        }
    }

    pub fn state(&self) -> CountState {
        self.state
    }

    /// The number of solutions with a queen on this square, once all are counted.
    pub fn on(&self, square: Square) -> Option<u64> {
        let count = self.counts.get(index(self.size, square)).copied();
        count.filter(|_| self.state == CountState::Done)
    }
}

fn index(size: Size, square: Square) -> usize {
    let (row, column) = square.to_left();
    (row * size.get() + column) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::notation;

    fn queens(n: u32, squares: &str) -> Queens {
        notation::queens(Size::new(n).unwrap(), squares).unwrap()
    }

    #[test]
    fn counts_agree_with_a_search_for_each_square() {
        for (n, squares) in
            [(1, ""), (3, ""), (6, ""), (8, ""), (8, "0:0"), (8, "0:1,1:3"), (9, "4:4")]
        {
            let given = queens(n, squares);
            let mut counts = SquareCounts::new(&given);
            while counts.work(100) {
                assert_eq!(counts.on(Square::from_left(given.size(), 0, 0).unwrap()), None);
            }
            assert_eq!(counts.state(), CountState::Done);
            for square in Square::all(given.size()) {
                let with = if given.contains(square) { given } else { given.toggled(square) };
                let expected = Completions::new(&with).count() as u64;
                assert_eq!(counts.on(square), Some(expected), "N = {n}: {squares} {square}");
            }
        }
    }

    #[test]
    fn counting_is_bounded() {
        let mut counts = SquareCounts::new(&queens(12, ""));
        while counts.work(10_000) {}
        assert_eq!(counts.state(), CountState::Done);
        for n in [16, 32] {
            let given = queens(n, "");
            let mut counts = SquareCounts::new(&given);
            let slices = (0..).take_while(|_| counts.work(10_000)).count();
            assert!(slices as u64 <= LIMIT / 10_000, "{slices}");
            assert_eq!(counts.state(), CountState::GaveUp);
            assert_eq!(counts.on(Square::from_left(given.size(), 0, 0).unwrap()), None);
        }
    }
}
