//! `brute-force`: tries every way to place one queen per row and tests full boards.
//!
//! The search tests nothing before the board is full. It builds N^N boards and compares the queens
//! of each until two attack each other. (Seeds 000, 002, 003 and 004-1.)

use crate::{Event, Facts, Found, Line, Meets, Observer, RowBits, Size, View};

use super::{Prefix, Trace, squares::Squares};
use crate::search::program::{ATTACKED, FROM_THE_TOP, ProgramLine, program};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "brute-force",
    summary: "tries every column for every row and tests full boards only",
    largest: 9,
    meets: Meets::Every,
    tests: &[],
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
        "    if row == N:";
        "        if any(attacked(row, board[row]) for row in range(N)): return" => Refuse;
        "        total += 1; return" => Solution;
        "    for column in reversed(range(N)):";
        "        board[row] = column" => Place(Row);
        "        search(row + 1)";
        "        board[row] = None" => Lift(Row);
    },
    ATTACKED,
    FROM_THE_TOP,
];

/// The recursive form: tries a queen on every square of each row.
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
    /// Places a queen on each square of `row` in turn, attacked or not.
    fn fill(&mut self, row: u32) {
        self.watch.descend(row);
        for bit in 0..self.size.get() {
            let queen = RowBits::of(bit);
            self.queens[row as usize] = queen;
            self.watch.place(row, queen);
            if row == self.size.last() {
                self.full_board();
            } else {
                self.fill(row + 1);
            }
            self.watch.back(row);
        }
    }

    /// Tests the full board.
    fn full_board(&mut self) {
        match first_attacked(&self.queens, self.size) {
            Some(row) => self.watch.reject(row, self.queens[row as usize]),
            None => self.watch.solution(Found::Single),
        }
    }
}

/// The first row whose queen is attacked by a queen above it.
fn first_attacked(queens: &[RowBits; 32], size: Size) -> Option<u32> {
    let column = |row: u32| queens[row as usize].column();
    (1..size.get()).find(|&row| {
        (0..row).any(|above| Line::down_by(row - above, column(above), column(row)).is_some())
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
                    board.queens[r] = RowBits::of(board.next[r]);
                    board.next[r] += 1;
                    self.at = if row == board.size.last() { At::FullBoard } else { At::NextRow };
                    return Event::place(row, board.queens[r]);
                }
                At::NextSquare => self.leave_row(),
                At::NextRow => {
                    board.row += 1;
                    self.at = At::Enter;
                }
                At::FullBoard => {
                    self.at = At::Lift;
                    return match first_attacked(&board.queens, board.size) {
                        Some(row) => Event::reject(row, board.queens[row as usize]),
                        None => Event::solution(Found::Single),
                    };
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
