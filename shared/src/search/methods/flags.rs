//! `flags`: one flag per column and per diagonal.
//!
//! It tries and rejects the same squares as `backtracking`, but tests each with three flags instead
//! of a comparison with every queen above. (Seeds 000, 002, 003 and 004-3.)

use crate::{Event, Facts, Found, Line, Meets, Observer, Register, RowBits, Size, View};

use super::{Prefix, Trace, squares::Squares};
use crate::search::program::{EACH_COLUMN, FROM_THE_TOP, ProgramLine, program};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "flags",
    summary: "backtracking with flag arrays for columns and both diagonals",
    largest: 15,
    meets: Meets::Every,
    tests: &Line::ALL,
    registers: Register::LINES,
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
    },
    EACH_COLUMN,
    FROM_THE_TOP,
];

/// The recursive form: tries a queen on each square that no queen above attacks.
pub fn search<O: Observer>(size: Size, watch: &mut O) {
    Search { size, flags: Flags::NONE, watch }.fill(0);
    watch.done();
}

struct Search<'a, O> {
    size: Size,
    flags: Flags,
    watch: &'a mut O,
}

impl<O: Observer> Search<'_, O> {
    /// Places a queen on each square of `row` in turn, except attacked squares.
    fn fill(&mut self, row: u32) {
        self.watch.descend(row);
        for bit in 0..self.size.get() {
            let square = RowBits::of(bit);
            self.watch.try_square(row, square);
            if self.flags.attacked(row, bit) {
                self.watch.reject(row, square);
                continue;
            }
            self.flags.set(row, bit, true);
            self.watch.place(row, square);
            if row == self.size.last() {
                self.watch.solution(Found::Single);
            } else {
                self.fill(row + 1);
            }
            self.watch.back(row);
            self.flags.set(row, bit, false);
        }
    }
}

/// One flag per line of attack: whether it has a queen.
#[derive(Clone, Debug)]
pub(super) struct Flags {
    columns: [bool; 32],
    /// Diagonals that run down to the left: bit − row is constant.
    left: [bool; 63],
    /// Diagonals that run down to the right: bit + row is constant.
    right: [bool; 63],
}

impl Flags {
    /// An empty board.
    pub(super) const NONE: Flags =
        Flags { columns: [false; 32], left: [false; 63], right: [false; 63] };

    /// Whether one of the square's three lines is taken.
    pub(super) fn attacked(&self, row: u32, bit: u32) -> bool {
        self.columns[bit as usize]
            || self.left[(31 + bit - row) as usize]
            || self.right[(bit + row) as usize]
    }

    /// Sets or clears the flags of the three lines through a square.
    pub(super) fn set(&mut self, row: u32, bit: u32, taken: bool) {
        self.columns[bit as usize] = taken;
        self.left[(31 + bit - row) as usize] = taken;
        self.right[(bit + row) as usize] = taken;
    }

    /// The flags of a prefix of queens.
    pub(super) fn of(prefix: &Prefix) -> Flags {
        let mut flags = Flags::NONE;
        for (row, &column) in (0..).zip(prefix.columns_from_right()) {
            flags.set(row, column.into(), true);
        }
        flags
    }
}

/// Runs the recursive form below a prefix of queens.
pub(crate) fn search_below<O: Observer>(prefix: &Prefix, watch: &mut O) {
    Search { size: prefix.size(), flags: Flags::of(prefix), watch }.fill(prefix.rows());
}

/// The iterative form: the same search with arrays in place of the call stack, one event per step.
#[derive(Clone, Debug)]
pub struct Iterative {
    at: At,
    /// For each row: its queen and the next bit to try.
    board: Squares,
    flags: Flags,
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
                    if self.flags.attacked(row, bit) {
                        self.at = At::NextSquare;
                        return Event::reject(row, square);
                    }
                    self.flags.set(row, bit, true);
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
                    self.flags.set(row, board.queens[r].column(), false);
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
        Iterative { at: At::Enter, board: Squares::new(size), flags: Flags::NONE }
    }

    fn below(prefix: &Prefix) -> Iterative {
        Iterative { at: At::Enter, board: Squares::below(prefix), flags: Flags::of(prefix) }
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
