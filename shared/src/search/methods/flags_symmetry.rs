//! `flags-symmetry`: `flags`, plus a comparison of every solution with its images.
//!
//! Only the image with the smallest judgement value counts, as the representative of all members of
//! its class. The method thus counts the classes, which give the total. It searches as much as `flags`.
//! (Seed 004-4.)

use crate::{
    Comparison, Event, Facts, Found, FullComparison, Line, Meets, Observer, Register, RowBits,
    Size, Verdict, View,
};

use super::{Prefix, Trace, flags::Flags, squares::Squares};
use crate::search::program::{CHECK_COLUMNS, EACH_COLUMN, FROM_THE_TOP, ProgramLine, program};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "flags-symmetry",
    summary: "flags, plus a comparison of each solution with its symmetric images to count classes",
    largest: 15,
    meets: Meets::Representatives,
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
        "    if row == N: check(); return";
        "    for column in reversed(range(N)):" => Try;
    },
    EACH_COLUMN,
    CHECK_COLUMNS,
    FROM_THE_TOP,
];

/// The recursive form: tries a queen on each square that no queen above attacks.
pub fn search<O: Observer>(size: Size, watch: &mut O) {
    Search { size, queens: [RowBits::EMPTY; 32], flags: Flags::NONE, watch }.fill(0);
    watch.done();
}

struct Search<'a, O> {
    size: Size,
    queens: [RowBits; 32],
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
            self.queens[row as usize] = square;
            self.watch.place(row, square);
            if row == self.size.last() {
                self.full_board();
            } else {
                self.fill(row + 1);
            }
            self.watch.back(row);
            self.flags.set(row, bit, false);
        }
    }

    /// Compares the solution with its images and reports it if it is the representative.
    fn full_board(&mut self) {
        let mut comparisons = FullComparison::new(self.size);
        while let Some(transform) = comparisons.next() {
            let outcome = Comparison::new(&self.queens, self.size, transform).outcome();
            self.watch.compare(transform, outcome);
            comparisons.learn(transform, outcome);
        }
        if let Verdict::Keep(class) = comparisons.verdict() {
            self.watch.solution(Found::Class(class));
        }
    }
}

/// Runs the recursive form below a prefix of queens.
pub(crate) fn search_below<O: Observer>(prefix: &Prefix, watch: &mut O) {
    let (queens, flags) = (prefix.queens(), Flags::of(prefix));
    Search { size: prefix.size(), queens, flags, watch }.fill(prefix.rows());
}

/// The iterative form: the same search with arrays in place of the call stack, one event per step.
#[derive(Clone, Debug)]
pub struct Iterative {
    at: At,
    /// For each row: its queen and the next bit to try.
    board: Squares,
    flags: Flags,
    comparisons: FullComparison,
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
                    self.comparisons = FullComparison::new(board.size);
                    self.at = if row == board.size.last() { At::FullBoard } else { At::NextRow };
                    return Event::place(row, square);
                }
                At::NextRow => {
                    board.row += 1;
                    self.at = At::Enter;
                }
                At::FullBoard => {
                    if let Some(transform) = self.comparisons.next() {
                        let outcome =
                            Comparison::new(&board.queens, board.size, transform).outcome();
                        self.comparisons.learn(transform, outcome);
                        return Event::compare(transform, outcome);
                    }
                    self.at = At::Lift;
                    if let Verdict::Keep(class) = self.comparisons.verdict() {
                        return Event::solution(Found::Class(class));
                    }
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
        Iterative {
            at: At::Enter,
            board: Squares::new(size),
            flags: Flags::NONE,
            comparisons: FullComparison::new(size),
        }
    }

    fn below(prefix: &Prefix) -> Iterative {
        Iterative {
            board: Squares::below(prefix),
            flags: Flags::of(prefix),
            ..Iterative::new(prefix.size())
        }
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
