//! `bound1`: splits the search by the first queen's column, BOUND1.
//!
//! Each first queen is a separate branch. The left-hand corner is left out because its solutions
//! mirror those of the right-hand corner. Below the first queen the search is `bitmap-symmetry`.
//! (Seed 004-9.)

use crate::{
    Attacks, Branching, Comparison, Event, Facts, Found, FullComparison, Line, Masks, Meets,
    Observer, Register, RowBits, Size, Verdict, View,
};

use super::{Prefix, Trace, rows::Rows};
use crate::search::program::{CHECK, EACH_FIRST, EACH_FREE, ENTER, ProgramLine, program};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "bound1",
    summary: "bitmap-symmetry, split into branches by the first queen's column (BOUND1)",
    largest: 17,
    meets: Meets::Representatives,
    tests: &Line::ALL,
    registers: Register::WORDS,
    rules: &[],
    branching: Some(Branching::Bound1),
    half: None,
    program: PROGRAM,
};

/// The method as a plain program.
pub const PROGRAM: &[&[ProgramLine]] = &[
    ENTER,
    EACH_FREE,
    CHECK,
    program! {
        "for BOUND1 in range(N - 1):" => Enter(First);
    },
    EACH_FIRST,
    program! {
        "print(1 if N == 1 else total)" => Place(OneSquare), SolutionOf(Class::One), Lift(OneSquare), Done;
    },
];

/// The recursive form: one branch for each first queen in the columns 0..=N−2.
pub fn search<O: Observer>(size: Size, watch: &mut O) {
    let mut search = Search { size, queens: [RowBits::EMPTY; 32], watch };
    search.watch.descend(0);
    if size.get() == 1 {
        search.put_first(RowBits::of(0));
    }
    for masks in Masks::branches_of(Branching::Bound1, size) {
        search.put_first(RowBits::of(masks.bound1));
    }
    search.watch.done();
}

struct Search<'a, O> {
    size: Size,
    queens: [RowBits; 32],
    watch: &'a mut O,
}

impl<O: Observer> Search<'_, O> {
    /// Searches the branch of one first queen.
    fn put_first(&mut self, queen: RowBits) {
        self.queens[0] = queen;
        self.watch.place(0, queen);
        if self.size.get() == 1 {
            self.full_board();
        } else {
            self.fill(1, Attacks::NONE.below(queen));
        }
        self.watch.back(0);
    }

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
    if prefix.rows() == 0 {
        return search(prefix.size(), watch);
    }
    Search { size: prefix.size(), queens: prefix.queens(), watch }
        .fill(prefix.rows(), prefix.attacks());
}

/// The iterative form: the same search with arrays in place of the call stack, one event per step.
#[derive(Clone, Debug)]
pub struct Iterative {
    at: At,
    /// For each row: its queen, the attacks of the queens above, and the squares still to be tried.
    board: Rows,
    /// The masks of the current branch; `None` after the last branch.
    masks: Option<Masks>,
    comparisons: FullComparison,
}

/// The state of the search: what the next step does.
#[derive(Clone, Copy, Debug)]
enum At {
    Start,
    OnlyQueen,
    FirstQueen,
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
                At::Start => {
                    self.at = if board.size.get() == 1 { At::OnlyQueen } else { At::FirstQueen };
                    return Event::descend(0);
                }
                At::OnlyQueen => {
                    board.queens[0] = RowBits::of(0);
                    self.at = At::FullBoard;
                    return Event::place(0, board.queens[0]);
                }
                At::FirstQueen => {
                    if let Some(masks) = self.masks {
                        board.queens[0] = RowBits::of(masks.bound1);
                        self.at = At::NextRow;
                        return Event::place(0, board.queens[0]);
                    }
                    self.at = At::Done;
                }
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
                    if row == 0 {
                        self.masks = self.masks.and_then(Masks::next);
                        self.at = At::FirstQueen;
                    }
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
            at: At::Start,
            board: Rows::new(size),
            masks: Masks::first_of(Branching::Bound1, size),
            comparisons: FullComparison::new(size),
        }
    }

    fn below(prefix: &Prefix) -> Iterative {
        let search = Iterative::new(prefix.size());
        if prefix.rows() == 0 {
            return search;
        }
        Iterative { at: At::Enter, board: Rows::below(prefix), masks: prefix.masks(), ..search }
    }

    fn step(&mut self) -> Event {
        self.next_step()
    }

    fn skip_row(&mut self) {
        self.leave_row();
    }

    fn view(&self) -> View {
        self.board.view(&FACTS, self.masks)
    }
}
