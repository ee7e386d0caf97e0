//! `backtracking`: tests each new queen against the queens above.
//!
//! The search leaves a row as soon as all its squares are attacked, instead of testing only when
//! the board is full. (Seeds 000, 002 and 003.)

use crate::{Event, Facts, Found, Line, Meets, Observer, RowBits, Size, View};

use super::{Prefix, Trace, squares::Squares};
use crate::search::program::{ATTACKED, FROM_THE_TOP, ProgramLine, program};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "backtracking",
    summary: "tests each new queen against those above it and backtracks at once",
    largest: 15,
    meets: Meets::Every,
    tests: &Line::ALL,
    registers: &[],
    rules: &[],
    branching: None,
    half: None,
    program: PROGRAM,
};

/// The method as a plain program.
pub const PROGRAM: &[&[ProgramLine]] = &[
    program! {
        "def search(row):" => Enter(Row);
        "    if row == N: total += 1; return" => Solution;
        "    for column in reversed(range(N)):" => Try;
        "        if attacked(row, column): continue" => Attacked(Row);
        "        board[row] = column" => Place(Row);
        "        search(row + 1)";
        "        board[row] = None" => Lift(Row);
    },
    ATTACKED,
    FROM_THE_TOP,
];

/// The recursive form: tries a queen on each square that no queen above attacks.
pub fn search<O: Observer>(size: Size, watch: &mut O) {
    Search { size, queens: [RowBits::EMPTY; 32], watch }.fill(0);
    watch.done();
}

struct Search<'a, O> {
    size: Size,
    queens: [RowBits; 32],
    watch: &'a mut O,
}

impl<O: Observer> Search<'_, O> {
    /// Places a queen on each square of `row` in turn, except attacked squares.
    fn fill(&mut self, row: u32) {
        self.watch.descend(row);
        for bit in 0..self.size.get() {
            let square = RowBits::of(bit);
            self.watch.try_square(row, square);
            if is_attacked(&self.queens, row, bit) {
                self.watch.reject(row, square);
                continue;
            }
            self.queens[row as usize] = square;
            self.watch.place(row, square);
            if row == self.size.last() {
                self.watch.solution(Found::Single);
            } else {
                self.fill(row + 1);
            }
            self.watch.back(row);
        }
    }
}

/// Whether a queen above attacks the square: tests each queen.
fn is_attacked(queens: &[RowBits; 32], row: u32, bit: u32) -> bool {
    (0..row).any(|above| {
        let queen = queens[above as usize].column();
        Line::down_by(row - above, queen, bit).is_some()
    })
}

/// Runs the recursive form below a prefix of queens.
pub(crate) fn search_below<O: Observer>(prefix: &Prefix, watch: &mut O) {
    Search { size: prefix.size(), queens: prefix.queens(), watch }.fill(prefix.rows());
}

/// The iterative form: the same search with arrays in place of the call stack, one event per step.
#[derive(Clone, Debug)]
pub struct Iterative {
    at: At,
    /// For each row: its queen and the next bit to try.
    board: Squares,
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
                    if is_attacked(&board.queens, row, bit) {
                        self.at = At::NextSquare;
                        return Event::reject(row, square);
                    }
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
                    return Event::solution(Found::Single);
                }
                At::Lift => {
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
        Iterative { at: At::Enter, board: Squares::new(size) }
    }

    fn below(prefix: &Prefix) -> Iterative {
        Iterative { at: At::Enter, board: Squares::below(prefix) }
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
