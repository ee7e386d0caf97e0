//! `bitmap`: a row is one word, and three more words give the attacked squares.
//!
//! Free squares are taken from the right, lowest bit first. Attacked squares are never tried. (Seeds
//! 000, 002, 003 and 004-6.)

use crate::{Attacks, Event, Facts, Found, Line, Meets, Observer, Register, RowBits, Size, View};

use super::{Prefix, Trace, rows::Rows};
use crate::search::program::{EACH_FREE, ProgramLine, WITHOUT_ATTACKS, program};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "bitmap",
    summary: "three bitmaps instead of flag arrays; takes the free squares lowest bit first",
    largest: 17,
    meets: Meets::Every,
    tests: &Line::ALL,
    registers: Register::WORDS,
    rules: &[],
    branching: None,
    half: None,
    program: PROGRAM,
};

/// The method as a plain program.
pub const PROGRAM: &[&[ProgramLine]] = &[
    program! {
        "def search(row, left, down, right):" => Enter(Row);
        "    if row == N: total += 1; return" => Solution;
        "    free = MASK & ~(left | down | right)" => Attacked(Row);
    },
    EACH_FREE,
    WITHOUT_ATTACKS,
];

/// The recursive form: tries a queen on each free square of each row.
pub fn search<O: Observer>(size: Size, watch: &mut O) {
    Search { mask: size.mask(), last: size.last(), watch }.fill(0, Attacks::NONE);
    watch.done();
}

struct Search<'a, O> {
    mask: RowBits,
    last: u32,
    watch: &'a mut O,
}

impl<O: Observer> Search<'_, O> {
    /// Places a queen on each free square of `row` in turn.
    fn fill(&mut self, row: u32, attacks: Attacks) {
        self.watch.descend(row);
        let attacked = self.mask & attacks.squares();
        self.watch.reject(row, attacked);
        let mut free = self.mask - attacked;
        while let Some(queen) = free.take_lowest() {
            self.watch.place(row, queen);
            if row == self.last {
                self.watch.solution(Found::Single);
            } else {
                self.fill(row + 1, attacks.below(queen));
            }
            self.watch.back(row);
        }
    }
}

/// Runs the recursive form below a prefix of queens.
pub(crate) fn search_below<O: Observer>(prefix: &Prefix, watch: &mut O) {
    let size = prefix.size();
    Search { mask: size.mask(), last: size.last(), watch }.fill(prefix.rows(), prefix.attacks());
}

/// The iterative form: the same search with arrays in place of the call stack, one event per step.
#[derive(Clone, Debug)]
pub struct Iterative {
    at: At,
    /// For each row: its queen, the attacks of the queens above, and the squares still to be tried.
    board: Rows,
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
        Iterative { at: At::Enter, board: Rows::new(size) }
    }

    fn below(prefix: &Prefix) -> Iterative {
        Iterative { at: At::Enter, board: Rows::below(prefix) }
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
