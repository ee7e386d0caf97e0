//! `permutations`: one flag per column; the diagonals are tested when the board is full.
//!
//! No two queens share a column, which leaves N! boards instead of N^N. (Seed 004-2.)

use crate::{Event, Facts, Found, Line, Meets, Observer, Register, RowBits, Size, View};

use super::{Prefix, Trace, squares::Squares};
use crate::search::program::{FROM_THE_TOP, ProgramLine, program};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "permutations",
    summary: "keeps one queen per column with an array of flags; tests the diagonals of full boards only",
    largest: 11,
    meets: Meets::Every,
    tests: &[Line::Down],
    registers: &[Register::Down],
    rules: &[],
    branching: None,
    half: None,
    program: PROGRAM,
};

/// The method as a plain program.
pub const PROGRAM: &[&[ProgramLine]] = &[
    program! {
        "def search(row):" => Enter(Row);
        "    if row == N:";
        "        if any(on_diagonal(row, board[row]) for row in range(N)): return" => Refuse;
        "        total += 1; return" => Solution;
        "    for column in reversed(range(N)):" => Try;
        "        if down[column]: continue" => Attacked(Row);
        "        board[row] = column" => Place(Row);
        "        down[column] = True";
        "        search(row + 1)";
        "        down[column] = False";
        "        board[row] = None" => Lift(Row);
        "def on_diagonal(row, column):";
        "    for above in range(row):";
        "        if abs(column - board[above]) == row - above: return True";
    },
    FROM_THE_TOP,
];

/// The recursive form: tries a queen in each column that is not taken.
pub fn search<O: Observer>(size: Size, watch: &mut O) {
    Search { size, queens: [RowBits::EMPTY; 32], taken: [false; 32], watch }.fill(0);
    watch.done();
}

struct Search<'a, O> {
    size: Size,
    queens: [RowBits; 32],
    /// One flag per column: whether it has a queen.
    taken: [bool; 32],
    watch: &'a mut O,
}

impl<O: Observer> Search<'_, O> {
    /// Places a queen in each column of `row` in turn, except columns that are taken.
    fn fill(&mut self, row: u32) {
        self.watch.descend(row);
        for bit in 0..self.size.get() {
            let square = RowBits::of(bit);
            self.watch.try_square(row, square);
            if self.taken[bit as usize] {
                self.watch.reject(row, square);
                continue;
            }
            self.taken[bit as usize] = true;
            self.queens[row as usize] = square;
            self.watch.place(row, square);
            if row == self.size.last() {
                self.full_board();
            } else {
                self.fill(row + 1);
            }
            self.watch.back(row);
            self.taken[bit as usize] = false;
        }
    }

    /// Tests the diagonals of a full board.
    fn full_board(&mut self) {
        match first_on_a_diagonal(&self.queens, self.size) {
            Some(row) => self.watch.reject(row, self.queens[row as usize]),
            None => self.watch.solution(Found::Single),
        }
    }
}

/// The first row whose queen shares a diagonal with a queen above: their distance in columns equals
/// that in rows.
fn first_on_a_diagonal(queens: &[RowBits; 32], size: Size) -> Option<u32> {
    let column = |row: u32| queens[row as usize].column();
    (1..size.get())
        .find(|&row| (0..row).any(|above| column(above).abs_diff(column(row)) == row - above))
}

/// Runs the recursive form below a prefix of queens.
pub(crate) fn search_below<O: Observer>(prefix: &Prefix, watch: &mut O) {
    Search { size: prefix.size(), queens: prefix.queens(), taken: taken(prefix), watch }
        .fill(prefix.rows());
}

/// The columns of the queens of a prefix.
fn taken(prefix: &Prefix) -> [bool; 32] {
    let mut taken = [false; 32];
    for &column in prefix.columns_from_right() {
        taken[usize::from(column)] = true;
    }
    taken
}

/// The iterative form: the same search with arrays in place of the call stack, one event per step.
#[derive(Clone, Debug)]
pub struct Iterative {
    at: At,
    /// For each row: its queen and the next bit to try.
    board: Squares,
    /// One flag per column: whether it has a queen.
    taken: [bool; 32],
}

/// The state of the search: what the next step does.
#[derive(Clone, Copy, Debug)]
enum At {
    Enter,
    NextSquare,
    Test,
    NextRow,
    FullBoard,
    Lift,
    Done,
}

impl Iterative {
    fn next_step(&mut self) -> Event {
        loop {
            let board = &mut self.board;
            let row = board.row;
            let r = row as usize;
            match self.at {
                At::Enter => {
                    board.next[r] = 0;
                    self.at = At::NextSquare;
                    return Event::descend(row);
                }
                At::NextSquare if board.next[r] < board.size.get() => {
                    let square = RowBits::of(board.next[r]);
                    board.next[r] += 1;
                    self.at = At::Test;
                    return Event::try_square(row, square);
                }
                At::NextSquare => self.leave_row(),
                At::Test => {
                    let bit = board.next[r] - 1;
                    let square = RowBits::of(bit);
                    if self.taken[bit as usize] {
                        self.at = At::NextSquare;
                        return Event::reject(row, square);
                    }
                    self.taken[bit as usize] = true;
                    board.queens[r] = square;
                    self.at = if row == board.size.last() { At::FullBoard } else { At::NextRow };
                    return Event::place(row, square);
                }
                At::NextRow => {
                    board.row += 1;
                    self.at = At::Enter;
                }
                At::FullBoard => {
                    self.at = At::Lift;
                    return match first_on_a_diagonal(&board.queens, board.size) {
                        Some(row) => Event::reject(row, board.queens[row as usize]),
                        None => Event::solution(Found::Single),
                    };
                }
                At::Lift => {
                    self.taken[board.queens[r].column() as usize] = false;
                    board.queens[r] = RowBits::EMPTY;
                    self.at = At::NextSquare;
                    return Event::back(row);
                }
                At::Done => return Event::done(),
            }
        }
    }

    /// Leaves an exhausted row: the next step lifts the queen of the row above, or ends the search.
    fn leave_row(&mut self) {
        self.at = if self.board.go_up() { At::Lift } else { At::Done };
    }
}

impl Trace for Iterative {
    fn new(size: Size) -> Iterative {
        Iterative { at: At::Enter, board: Squares::new(size), taken: [false; 32] }
    }

    fn below(prefix: &Prefix) -> Iterative {
        Iterative { at: At::Enter, board: Squares::below(prefix), taken: taken(prefix) }
    }

    fn step(&mut self) -> Event {
        self.next_step()
    }

    fn skip_row(&mut self) {
        self.leave_row();
    }

    fn view(&self) -> View {
        self.board.view(&FACTS, self.board.size.get())
    }
}
