//! A second count of the work of every method, from the rules as one would say them: squares
//! are numbers, each is judged by itself, and there are no words, masks or tables.

use queens_core::{Method, Rule, Size};

use crate::Facts;

/// Counts the work of a method.
pub fn naive(method: Method, size: Size) -> Facts {
    let mut search = Search { method, n: size.get(), queens: vec![], facts: Facts::default() };
    search.fill();
    search.facts
}

struct Search {
    method: Method,
    n: u32,
    /// The columns of the queens, from the right, top row first.
    queens: Vec<u32>,
    facts: Facts,
}

impl Search {
    fn fill(&mut self) {
        let row = self.queens.len() as u32;
        for column in 0..self.n {
            let half = self.other_half(row, column);
            if self.looks_at_every_square() && !half {
                self.facts.tried += 1;
            }
            if self.attacked(row, column) {
                self.facts.attacked += 1;
            } else if half {
                self.cut(Rule::Half);
            } else if !self.has_branch(row, column) {
                // The loop of first queens does not come here: nothing is said of the square.
            } else if let Some(rule) = self.closed(row, column) {
                self.cut(rule);
            } else {
                self.facts.placed += 1;
                self.queens.push(column);
                if row + 1 == self.n {
                    self.full_board();
                } else {
                    self.fill();
                }
                self.queens.pop();
            }
        }
        if row == 0 && !self.looks_at_every_square() {
            self.facts.tried = self.facts.placed;
        }
    }

    fn cut(&mut self, rule: Rule) {
        *self.facts.cut.entry(rule.id()).or_default() += 1;
    }

    fn looks_at_every_square(&self) -> bool {
        use Method::{Backtracking, Flags, FlagsSymmetry, FlagsSymmetryHalf, Permutations};
        matches!(
            self.method,
            Permutations | Backtracking | Flags | FlagsSymmetry | FlagsSymmetryHalf
        )
    }

    /// Whether the method sees that a queen above attacks the square.
    fn attacked(&self, row: u32, column: u32) -> bool {
        (0..).zip(&self.queens).any(|(above, &queen)| {
            let straight = queen == column;
            let diagonal = queen.abs_diff(column) == row - above;
            match self.method {
                Method::BruteForce => false,
                Method::Permutations => straight,
                _ => straight || diagonal,
            }
        })
    }

    /// Whether the square is left to the mirror image.
    fn other_half(&self, row: u32, column: u32) -> bool {
        let left_of_middle = 2 * column + 1 > self.n;
        match self.method {
            Method::FlagsSymmetryHalf | Method::BitmapSymmetryHalf => row == 0 && left_of_middle,
            Method::Mirror if row == 1 => 2 * self.queens[0] + 1 == self.n && left_of_middle,
            Method::Mirror => row == 0 && left_of_middle,
            _ => false,
        }
    }

    /// Whether a method that splits the search has a branch here.
    fn has_branch(&self, row: u32, column: u32) -> bool {
        let n = self.n;
        let second_of_corner = row == 1 && self.queens[0] == 0;
        match self.method {
            Method::Bound1 | Method::Bound2 | Method::SideCuts | Method::Symmetry if n == 1 => true,
            Method::Bound1 if row == 0 => column < n - 1,
            Method::Bound2 | Method::SideCuts if row == 0 => n >= 3 && column < n - 1,
            Method::Symmetry if row == 0 => n >= 4 && 2 * column < n - 1,
            Method::Symmetry if second_of_corner => column < n - 1,
            _ => true,
        }
    }

    /// The rule that closes a square, the first in the order in which they are applied.
    fn closed(&self, row: u32, column: u32) -> Option<Rule> {
        if !matches!(self.method, Method::SideCuts | Method::Symmetry) || row == 0 {
            return None;
        }
        let (first, last) = (self.queens[0], self.n - 1);
        if first == 0 {
            let above_second = row >= 2 && row < self.queens[1];
            return (above_second && column == 1).then_some(Rule::Corner);
        }
        let opposite = last - first;
        let side = |column: u32| column == 0 || column == last;
        if row < first && side(column) {
            return Some(Rule::UpperSide);
        }
        if row == opposite {
            let sides_taken = self.queens.iter().filter(|&&queen| side(queen)).count();
            let closed = sides_taken == 0 || (sides_taken == 1 && !side(column));
            return closed.then_some(Rule::LowerSide);
        }
        let beside = column < first || column > opposite;
        (self.method == Method::Symmetry && row == last && beside).then_some(Rule::LastRow)
    }

    fn full_board(&mut self) {
        match self.method {
            Method::BruteForce | Method::Permutations => {
                let attacked = (0..).zip(&self.queens).any(|(lower, &b)| {
                    (0..lower)
                        .zip(&self.queens)
                        .any(|(upper, &a): (u32, _)| a == b || a.abs_diff(b) == lower - upper)
                });
                if attacked {
                    self.facts.attacked += 1;
                } else {
                    self.facts.solutions += 1;
                }
            }
            Method::Backtracking | Method::Flags | Method::Bitmap | Method::Mirror => {
                self.facts.solutions += 1;
            }
            Method::SideCuts | Method::Symmetry if self.n > 1 && self.queens[0] == 0 => {
                self.facts.solutions += 1;
            }
            Method::Symmetry => self.compare_by_cells(),
            _ => self.compare_with_all(),
        }
    }

    /// The four turns, each a quarter turn clockwise from the one before: what stood in a
    /// column, from the right, then stands in a row, from the bottom.
    fn turns(&self) -> [Vec<u32>; 4] {
        let turned = |queens: &[u32]| -> Vec<u32> {
            let row_of = |column| queens.iter().position(|&queen| queen == column).unwrap() as u32;
            (0..self.n).rev().map(row_of).collect()
        };
        let once = turned(&self.queens);
        let twice = turned(&once);
        let thrice = turned(&twice);
        [self.queens.clone(), once, twice, thrice]
    }

    /// With images until one is smaller or all different ones are through.
    fn compare_with_all(&mut self) {
        if self.n == 1 {
            self.facts.solutions += 1;
            return;
        }
        let turns = self.turns();
        let mirrored = |queens: &Vec<u32>| queens.iter().map(|&queen| self.n - 1 - queen).collect();
        let mirrors: Vec<Vec<u32>> = turns.iter().map(mirrored).collect();
        // The number of different turns: the first that is the solution again closes the circle.
        let period = (1..4).find(|&turn| turns[turn] == self.queens).unwrap_or(4);
        // A turn that closes the circle before its end is itself compared.
        let compared = turns[1..].iter().take(period).chain(mirrors.iter().take(period));
        for image in compared {
            self.facts.comparisons += 1;
            if *image < self.queens {
                return;
            }
        }
        self.facts.solutions += 1;
    }

    /// With one image for each of the cells A, B and C that holds a queen.
    fn compare_by_cells(&mut self) {
        let [_, turn_90, turn_180, turn_270] = self.turns();
        let (first, last) = (self.queens[0] as usize, self.n as usize - 1);
        let cells =
            [(last - first, 0, turn_270), (last, last - first, turn_180), (first, last, turn_90)];
        for (row, column, image) in cells {
            if self.n > 1 && self.queens[row] == column as u32 {
                self.facts.comparisons += 1;
                if image < self.queens {
                    return;
                }
                if image == self.queens {
                    break;
                }
            }
        }
        self.facts.solutions += 1;
    }
}
