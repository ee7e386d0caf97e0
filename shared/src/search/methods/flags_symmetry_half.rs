//! `flags-symmetry-half`: `flags-symmetry` with the first queen in one half only.
//!
//! If the first queen is in the left-hand half, the mirror image has a smaller judgement value. No
//! representative is lost. (Seed 004-5.)

use crate::{
    Comparison, Event, Facts, Found, FullComparison, Half, Line, Meets, Observer, Register,
    RowBits, Rule, Size, Verdict, View, left_half,
};

use super::{Prefix, Trace, flags::Flags, squares::Squares};
use crate::search::program::{CHECK_COLUMNS, EACH_COLUMN, FROM_THE_TOP, ProgramLine, program};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "flags-symmetry-half",
    summary: "flags-symmetry with the first queen limited to half of the first row",
    largest: 16,
    meets: Meets::Representatives,
    tests: &Line::ALL,
    registers: Register::LINES,
    rules: &[Rule::Half],
    branching: None,
    half: Some(Half::FirstRow),
    program: PROGRAM,
};

/// The method as a plain program.
pub const PROGRAM: &[&[ProgramLine]] = &[
    program! {
        "def search(row):" => Enter(Row);
        "    if row == N: check(); return";
        "    first = N // 2 if row == 0 else 0" => Cut(Rule::Half);
        "    for column in reversed(range(first, N)):" => Try;
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
        self.watch.cut(row, Rule::Half, left_out(self.size, row));
        for bit in 0..columns(self.size, row) {
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

/// The squares of a row that are not tried: the left-hand half of the first row.
fn left_out(size: Size, row: u32) -> RowBits {
    if row == 0 { left_half(size) } else { RowBits::EMPTY }
}

/// The number of columns that are tried in a row.
fn columns(size: Size, row: u32) -> u32 {
    (size.mask() - left_out(size, row)).len()
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
    Half,
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
                    self.at = At::Half;
                    return Event::descend(row);
                }
                At::Half => {
                    let squares = left_out(board.size, row);
                    self.at = At::NextSquare;
                    if !squares.is_empty() {
                        return Event::cut(row, Rule::Half, squares);
                    }
                }
                At::NextSquare if board.next[r] < columns(board.size, row) => {
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
        let size = self.board.size;
        let halved = !matches!(self.at, At::Half);
        let end = if halved { columns(size, self.board.row) } else { size.get() };
        self.board.view(&FACTS, end)
    }
}
