//! `side-cuts`: closes squares of the side columns that cannot lead to a representative.
//!
//! A queen in a side column above BOUND1 or below BOUND2 would be the first queen of an image with
//! a smaller judgement value. In the corner case the same is true of column 1 above BOUND1, and the
//! solutions of the corner case need no comparison. (Seed 004-11.)

use crate::{
    Attacks, Branching, CORNER_CUT, Class, Comparison, Event, Facts, FirstQueen, Found,
    FullComparison, Line, Masks, Meets, Observer, Register, RowBits, Rule, Size, Verdict, View,
};

use super::{Prefix, Trace, rows::Rows};
use crate::search::program::{
    CHECK, EACH_FIRST, EACH_FREE, EACH_SECOND, ENTER, ProgramLine, SIDE_CUTS, program,
};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "side-cuts",
    summary: "bound2, plus SIDEMASK: skips side-column squares that no representative uses",
    largest: 18,
    meets: Meets::Representatives,
    tests: &Line::ALL,
    registers: &[
        Register::Mask,
        Register::TopBit,
        Register::SideMask,
        Register::Left,
        Register::Down,
        Register::Right,
        Register::Free,
    ],
    rules: &[Rule::UpperSide, Rule::LowerSide, Rule::Corner],
    branching: Some(Branching::SideCuts),
    half: None,
    program: PROGRAM,
};

/// The method as a plain program.
pub const PROGRAM: &[&[ProgramLine]] = &[
    ENTER,
    SIDE_CUTS,
    EACH_FREE,
    program! {
        "def check():  # is no image smaller?";
        "    if board[0] == 1: total += 8; return" => SolutionInCorner;
    },
    CHECK.split_at(1).1,
    program! {
        "TOPBIT = 1 << N - 1" => Enter(First);
        "SIDEMASK = 0; BOUND2 = N - 1";
        "board[0] = 1  # first, a queen in the corner" => Place(Corner);
        "for BOUND1 in range(2, N):" => Enter(Second), Attacked(Second);
    },
    EACH_SECOND,
    program! {
        "SIDEMASK = TOPBIT | 1";
        "for BOUND1 in range(1, N - 1):  # then all others";
        "    BOUND2 = N - 1 - BOUND1";
    },
    EACH_FIRST,
    program! {
        "print(1 if N == 1 else total)" => Place(OneSquare), SolutionOf(Class::One), Lift(OneSquare), Done;
    },
];

/// The recursive form: first the corner with each second queen, then all other first queens.
pub fn search<O: Observer>(size: Size, watch: &mut O) {
    let mut search = Search { size, queens: [RowBits::EMPTY; 32], watch };
    search.watch.descend(0);
    if size.get() == 1 {
        search.only_queen();
    }
    let branches = || Masks::branches_of(Branching::SideCuts, size);
    if branches().any(|masks| masks.is_corner()) {
        search.corner(branches().filter(Masks::is_corner));
    }
    for masks in branches().filter(|masks| !masks.is_corner()) {
        search.inner(&masks);
    }
    search.watch.done();
}

struct Search<'a, O> {
    size: Size,
    queens: [RowBits; 32],
    watch: &'a mut O,
}

impl<O: Observer> Search<'_, O> {
    /// Searches the board of one square.
    fn only_queen(&mut self) {
        self.queens[0] = RowBits::of(0);
        self.watch.place(0, self.queens[0]);
        self.full_board();
        self.watch.back(0);
    }

    /// Searches below the corner queen, with the second queen in the columns BOUND1 = 2..=N−1.
    fn corner(&mut self, branches: impl Iterator<Item = Masks>) {
        self.queens[0] = RowBits::of(0);
        let attacks = Attacks::NONE.below(self.queens[0]);
        self.watch.place(0, self.queens[0]);
        self.watch.descend(1);
        self.watch.reject(1, attacks.squares());
        for masks in branches {
            self.queens[1] = RowBits::of(masks.bound1);
            self.watch.place(1, self.queens[1]);
            self.fill_corner(&masks, 2, attacks.below(self.queens[1]));
            self.watch.back(1);
        }
        self.watch.back(0);
    }

    /// Fills the rows of the corner case, in which every solution represents a class of 8.
    fn fill_corner(&mut self, masks: &Masks, row: u32, attacks: Attacks) {
        self.watch.descend(row);
        let attacked = masks.mask & attacks.squares();
        self.watch.reject(row, attacked);
        let mut free = masks.mask - attacked;
        if row < masks.bound1 {
            self.watch.cut(row, Rule::Corner, free & CORNER_CUT);
            free -= CORNER_CUT;
        }
        while let Some(queen) = free.take_lowest() {
            self.watch.place(row, queen);
            if row == self.size.last() {
                self.watch.solution(Found::Class(Class::Eight));
            } else {
                self.fill_corner(masks, row + 1, attacks.below(queen));
            }
            self.watch.back(row);
        }
    }

    /// Searches below a first queen in column BOUND1, one of 1..=N−2.
    fn inner(&mut self, masks: &Masks) {
        self.queens[0] = masks.first_queen();
        self.watch.place(0, self.queens[0]);
        self.fill_inner(masks, 1, Attacks::NONE.below(self.queens[0]));
        self.watch.back(0);
    }

    /// Fills the rows of the other branches, with the side columns closed above BOUND1 and below BOUND2.
    fn fill_inner(&mut self, masks: &Masks, row: u32, attacks: Attacks) {
        self.watch.descend(row);
        let attacked = masks.mask & attacks.squares();
        self.watch.reject(row, attacked);
        let mut free = masks.mask - attacked;
        if row < masks.bound1 {
            self.watch.cut(row, Rule::UpperSide, free & masks.sidemask);
            free -= masks.sidemask;
        }
        if row == masks.bound2 {
            let too_late = masks.closed_at_bound2(attacks.down);
            self.watch.cut(row, Rule::LowerSide, free & too_late);
            free -= too_late;
        }
        while let Some(queen) = free.take_lowest() {
            self.queens[row as usize] = queen;
            self.watch.place(row, queen);
            if row == self.size.last() {
                self.full_board();
            } else {
                self.fill_inner(masks, row + 1, attacks.below(queen));
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
    let Some(masks) = prefix.masks() else {
        return search(prefix.size(), watch);
    };
    let mut search = Search { size: prefix.size(), queens: prefix.queens(), watch };
    match masks.first {
        FirstQueen::Corner => search.fill_corner(&masks, prefix.rows(), prefix.attacks()),
        FirstQueen::Inner => search.fill_inner(&masks, prefix.rows(), prefix.attacks()),
    }
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
    SecondQueen,
    Upper,
    Lower,
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
                        board.queens[0] = masks.first_queen();
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
                    self.at = if self.is_second(row) { At::SecondQueen } else { At::Upper };
                    if !attacked.is_empty() {
                        return Event::reject(row, attacked);
                    }
                }
                At::Upper => {
                    self.at = At::Lower;
                    if let Some(step) = self.close_above_bound1(row) {
                        return step;
                    }
                }
                At::Lower => {
                    self.at = At::NextSquare;
                    if let Some(step) = self.close_at_bound2(row) {
                        return step;
                    }
                }
                At::SecondQueen => {
                    if let Some(masks) = self.masks {
                        board.queens[1] = RowBits::of(masks.bound1);
                        board.free[1] -= board.queens[1];
                    }
                    self.at = At::NextRow;
                    return Event::place(1, board.queens[1]);
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
                At::FullBoard if self.masks.is_some_and(|masks| masks.is_corner()) => {
                    self.at = At::Lift;
                    return Event::solution(Found::Class(Class::Eight));
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
                    self.after_lift(row);
                    return Event::back(row);
                }
                At::Done => return Event::done(),
            }
        }
    }

    /// Applies the corner cut or the upper-side cut.
    fn close_above_bound1(&mut self, row: u32) -> Option<Event> {
        let masks = self.masks.filter(|masks| row < masks.bound1)?;
        if masks.is_corner() {
            let closed = self.close(row, CORNER_CUT)?;
            return Some(Event::cut(row, Rule::Corner, closed));
        }
        let closed = self.close(row, masks.sidemask)?;
        Some(Event::cut(row, Rule::UpperSide, closed))
    }

    /// Applies the lower-side cut.
    fn close_at_bound2(&mut self, row: u32) -> Option<Event> {
        let masks = self.masks.filter(|masks| !masks.is_corner() && row == masks.bound2)?;
        let closed =
            self.close(row, masks.closed_at_bound2(self.board.attacks[row as usize].down))?;
        Some(Event::cut(row, Rule::LowerSide, closed))
    }

    /// Closes squares of a row and returns those that were free; `None` if none was.
    fn close(&mut self, row: u32, squares: RowBits) -> Option<RowBits> {
        let free = &mut self.board.free[row as usize];
        let closed = *free & squares;
        *free -= squares;
        (!closed.is_empty()).then_some(closed)
    }

    /// Whether `row` holds the second queen of the corner case.
    fn is_second(&self, row: u32) -> bool {
        row == 1 && self.masks.is_some_and(|masks| masks.is_corner())
    }

    /// Selects the next state after the queen of `row` has been lifted.
    fn after_lift(&mut self, row: u32) {
        let next = self.masks.and_then(Masks::next);
        self.at = At::NextSquare;
        if row == 0 {
            self.masks = next;
            self.at = At::FirstQueen;
        } else if self.is_second(row) && next.is_some_and(|masks| masks.is_corner()) {
            self.masks = next;
            self.at = At::SecondQueen;
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
            masks: Masks::first_of(Branching::SideCuts, size),
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
