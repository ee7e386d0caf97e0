//! A second implementation that counts the work of every method, written directly from the rules:
//! squares are numbers, each square is judged separately, and there are no words, masks or tables.

use queens_core::{Rule, Size, Stepped};

use crate::work::Facts;

/// Counts the work of a method.
pub fn naive(method: Stepped, size: Size) -> Facts {
    let (properties, n) = (MethodProperties::of(method), size.get());
    let mut search = Search { properties, n, queens: vec![], facts: Facts::default() };
    search.fill();
    search.facts
}

/// The properties in which methods differ.
#[derive(Clone, Copy)]
struct MethodProperties {
    /// Whether it tests square after square. (Brute force places a queen on each without a test.)
    tries_each_square: bool,
    /// The attacks that it tests before placing a queen.
    tested_attacks: TestedAttacks,
    /// The rows in which only the right half is searched.
    halved_rows: HalvedRows,
    /// The first queens that it tries.
    first_queens: FirstQueens,
    /// Whether it closes squares of the side columns that lead to no representative.
    cuts_sides: bool,
    /// Its treatment of a full board.
    full_board: FullBoard,
}

#[derive(Clone, Copy, PartialEq)]
enum TestedAttacks {
    Nothing,
    Columns,
    Lines,
}

#[derive(Clone, Copy, PartialEq)]
enum HalvedRows {
    Nothing,
    FirstRow,
    /// The first row and, below a queen in its middle, the second row.
    FirstRows,
}

#[derive(Clone, Copy, PartialEq)]
enum FirstQueens {
    All,
    /// All except the left-hand corner.
    NotLeft,
    /// The same as `NotLeft`, but none for N = 2.
    Corner,
    /// Only the first queens of representatives and, in the corner case, only their second queens.
    Representatives,
}

#[derive(Clone, Copy)]
enum FullBoard {
    Tested,
    Counted,
    Compared,
    /// Compared with all images, except in the corner case.
    ComparedOutsideCorner,
    /// Compared with one image for each cell that has a queen.
    ComparedByCells,
}

impl MethodProperties {
    fn of(method: Stepped) -> MethodProperties {
        let bitmap = MethodProperties {
            tries_each_square: false,
            tested_attacks: TestedAttacks::Lines,
            halved_rows: HalvedRows::Nothing,
            first_queens: FirstQueens::All,
            cuts_sides: false,
            full_board: FullBoard::Counted,
        };
        let each = MethodProperties { tries_each_square: true, ..bitmap };
        let tested = MethodProperties { full_board: FullBoard::Tested, ..each };
        let compared = FullBoard::Compared;
        let outside_corner = FullBoard::ComparedOutsideCorner;
        let by_cells = FullBoard::ComparedByCells;
        match method {
            Stepped::BruteForce => MethodProperties {
                tries_each_square: false,
                tested_attacks: TestedAttacks::Nothing,
                ..tested
            },
            Stepped::Permutations => {
                MethodProperties { tested_attacks: TestedAttacks::Columns, ..tested }
            }
            Stepped::Backtracking | Stepped::Flags => each,
            Stepped::FlagsSymmetry => MethodProperties { full_board: compared, ..each },
            Stepped::FlagsSymmetryHalf => {
                MethodProperties { halved_rows: HalvedRows::FirstRow, full_board: compared, ..each }
            }
            Stepped::Bitmap => bitmap,
            Stepped::Mirror => MethodProperties { halved_rows: HalvedRows::FirstRows, ..bitmap },
            Stepped::BitmapSymmetry => MethodProperties { full_board: compared, ..bitmap },
            Stepped::BitmapSymmetryHalf => MethodProperties {
                halved_rows: HalvedRows::FirstRow,
                full_board: compared,
                ..bitmap
            },
            Stepped::Bound1 => MethodProperties {
                first_queens: FirstQueens::NotLeft,
                full_board: compared,
                ..bitmap
            },
            Stepped::Bound2 => MethodProperties {
                first_queens: FirstQueens::Corner,
                full_board: compared,
                ..bitmap
            },
            Stepped::SideCuts => {
                let first_queens = FirstQueens::Corner;
                MethodProperties {
                    first_queens,
                    cuts_sides: true,
                    full_board: outside_corner,
                    ..bitmap
                }
            }
            Stepped::Symmetry => {
                let first_queens = FirstQueens::Representatives;
                MethodProperties { first_queens, cuts_sides: true, full_board: by_cells, ..bitmap }
            }
        }
    }
}

struct Search {
    properties: MethodProperties,
    n: u32,
    /// The columns of the queens, from the right, top row first.
    queens: Vec<u32>,
    facts: Facts,
}

impl Search {
    fn fill(&mut self) {
        let row = self.queens.len() as u32;
        for column in 0..self.n {
            let other_half = self.other_half(row, column);
            if self.properties.tries_each_square && !other_half {
                self.facts.tried += 1;
            }
            if self.attacked(row, column) {
                self.facts.attacked += 1;
            } else if other_half {
                self.cut(Rule::Half);
            } else if !self.has_branch(row, column) {
                // The loop of first queens does not reach this square, so it reports nothing.
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
        if row == 0 && !self.properties.tries_each_square {
            self.facts.tried = self.facts.placed;
        }
    }

    fn cut(&mut self, rule: Rule) {
        *self.facts.cut.entry(rule.id()).or_default() += 1;
    }

    /// Whether the method finds that a queen above attacks the square.
    fn attacked(&self, row: u32, column: u32) -> bool {
        (0..).zip(&self.queens).any(|(above, &queen)| {
            let straight = queen == column;
            let diagonal = queen.abs_diff(column) == row - above;
            match self.properties.tested_attacks {
                TestedAttacks::Nothing => false,
                TestedAttacks::Columns => straight,
                TestedAttacks::Lines => straight || diagonal,
            }
        })
    }

    /// Whether the square is in a half that is not searched, because the mirror image covers it.
    fn other_half(&self, row: u32, column: u32) -> bool {
        let left_of_middle = 2 * column + 1 > self.n;
        let below_middle = row == 1 && 2 * self.queens[0] + 1 == self.n;
        let halved = match self.properties.halved_rows {
            HalvedRows::Nothing => false,
            HalvedRows::FirstRow => row == 0,
            HalvedRows::FirstRows => row == 0 || below_middle,
        };
        halved && left_of_middle
    }

    /// Whether a method that splits the search has a branch here.
    fn has_branch(&self, row: u32, column: u32) -> bool {
        let n = self.n;
        let second_of_corner = row == 1 && self.queens[0] == 0;
        match self.properties.first_queens {
            _ if n == 1 => true,
            FirstQueens::NotLeft if row == 0 => column < n - 1,
            FirstQueens::Corner if row == 0 => n >= 3 && column < n - 1,
            FirstQueens::Representatives if row == 0 => n >= 4 && 2 * column < n - 1,
            FirstQueens::Representatives if second_of_corner => column < n - 1,
            FirstQueens::All
            | FirstQueens::NotLeft
            | FirstQueens::Corner
            | FirstQueens::Representatives => true,
        }
    }

    /// The first rule that closes a square, in the order of application.
    fn closed(&self, row: u32, column: u32) -> Option<Rule> {
        if !self.properties.cuts_sides || row == 0 {
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
        let representatives = self.properties.first_queens == FirstQueens::Representatives;
        (representatives && row == last && beside).then_some(Rule::LastRow)
    }

    fn full_board(&mut self) {
        match self.properties.full_board {
            FullBoard::Tested => {
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
            FullBoard::Counted => self.facts.solutions += 1,
            FullBoard::ComparedOutsideCorner | FullBoard::ComparedByCells
                if self.n > 1 && self.queens[0] == 0 =>
            {
                self.facts.solutions += 1;
            }
            FullBoard::Compared | FullBoard::ComparedOutsideCorner => self.compare_with_all(),
            FullBoard::ComparedByCells => self.compare_by_cells(),
        }
    }

    /// The images under the four turns, each a quarter turn clockwise from the previous one. A quarter
    /// turn moves the queen in column c, counted from the right, to row c, counted from the bottom.
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

    /// Compares with images until one is smaller or all distinct images are compared.
    fn compare_with_all(&mut self) {
        if self.n == 1 {
            self.facts.solutions += 1;
            return;
        }
        let turns = self.turns();
        let mirrored = |queens: &Vec<u32>| queens.iter().map(|&queen| self.n - 1 - queen).collect();
        let mirrors: Vec<Vec<u32>> = turns.iter().map(mirrored).collect();
        // The number of distinct turns. The first turn that equals the solution completes the
        // cycle.
        let period = (1..4).find(|&turn| turns[turn] == self.queens).unwrap_or(4);
        // A turn that completes the cycle early is also compared.
        let compared = turns[1..].iter().take(period).chain(mirrors.iter().take(period));
        for image in compared {
            self.facts.comparisons += 1;
            if *image < self.queens {
                return;
            }
        }
        self.facts.solutions += 1;
    }

    /// Compares with one image for each of the cells A, B and C that has a queen.
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
