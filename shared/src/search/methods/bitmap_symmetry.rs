//! `bitmap-symmetry`: `bitmap`, plus a comparison of every solution with its images.
//!
//! Only the image with the smallest judgement value counts, as the representative of all members of
//! its class. (Seed 004-7.)

use crate::{
    Attacks, Comparison, Event, Facts, Found, FullComparison, Line, Meets, Observer, Register,
    RowBits, Size, Verdict, View,
};

use super::{Prefix, Trace, rows::Rows};
use crate::search::program::{CHECK, EACH_FREE, ENTER, ProgramLine, WITHOUT_ATTACKS};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "bitmap-symmetry",
    summary: "bitmap, plus a comparison of each solution with its symmetric images to count classes",
    largest: 17,
    meets: Meets::Representatives,
    tests: &Line::ALL,
    registers: Register::WORDS,
    rules: &[],
    branching: None,
    half: None,
    program: PROGRAM,
};

/// The method as a plain program.
pub const PROGRAM: &[&[ProgramLine]] = &[ENTER, EACH_FREE, CHECK, WITHOUT_ATTACKS];

/// The recursive form: tries a queen on each free square of each row.
pub fn search<O: Observer>(size: Size, watch: &mut O) {
    Search { size, queens: [RowBits::EMPTY; 32], watch }.fill(0, Attacks::NONE);
    watch.done();
}

struct Search<'a, O> {
    size: Size,
    queens: [RowBits; 32],
    watch: &'a mut O,
}

impl<O: Observer> Search<'_, O> {
    /// Places a queen on each free square of `row` in turn.
    fn fill(&mut self, row: u32, attacks: Attacks) {
        self.watch.descend(row);
        let attacked = self.size.mask() & attacks.squares();
        self.watch.reject(row, attacked);
        let mut free = self.size.mask() - attacked;
        while let Some(queen) = free.take_lowest() {
            self.queens[row as usize] = queen;
            self.watch.place(row, queen);
            if row == self.size.last() {
                self.full_board();
            } else {
                self.fill(row + 1, attacks.below(queen));
            }
            self.watch.back(row);
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
    Search { size: prefix.size(), queens: prefix.queens(), watch }
        .fill(prefix.rows(), prefix.attacks());
}

/// The iterative form: the same search with arrays in place of the call stack, one event per step.
#[derive(Clone, Debug)]
pub struct Iterative {
    at: At,
    /// For each row: its queen, the attacks of the queens above, and the squares still to be tried.
    board: Rows,
    comparisons: FullComparison,
}

/// The state of the search: what the next step does.
#[derive(Clone, Copy, Debug)]
enum At {
    Enter,
    Attacked,
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
                    board.free[r] = board.mask;
                    self.at = At::Attacked;
                    return Event::descend(row);
                }
                At::Attacked => {
                    let attacked = board.mask & board.attacks[r].squares();
                    board.free[r] -= attacked;
                    self.at = At::NextSquare;
                    if !attacked.is_empty() {
                        return Event::reject(row, attacked);
                    }
                }
                At::NextSquare => {
                    if let Some(queen) = board.free[r].take_lowest() {
                        board.queens[r] = queen;
                        self.comparisons = FullComparison::new(board.size);
                        let last = row == board.size.last();
                        self.at = if last { At::FullBoard } else { At::NextRow };
                        return Event::place(row, queen);
                    }
                    self.leave_row();
                }
                At::NextRow => {
                    board.attacks[r + 1] = board.attacks[r].below(board.queens[r]);
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
        let comparisons = FullComparison::new(size);
        Iterative { at: At::Enter, board: Rows::new(size), comparisons }
    }

    fn below(prefix: &Prefix) -> Iterative {
        Iterative { board: Rows::below(prefix), ..Iterative::new(prefix.size()) }
    }

    fn step(&mut self) -> Event {
        self.next_step()
    }

    fn skip_row(&mut self) {
        self.leave_row();
    }

    fn view(&self) -> View {
        self.board.view(&FACTS, None)
    }
}
