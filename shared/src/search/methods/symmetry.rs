//! `symmetry`: searches only for representatives.
//!
//! The first queen stays in the right-hand half. The masks close squares whose queen would be the
//! first queen of an image with a smaller judgement value: the side columns above BOUND1 and below
//! BOUND2, LASTMASK in the last row, and in the corner case column 1 above BOUND1. Other solutions
//! need a comparison only if a queen is on cell A, B or C. (Seeds 000, 001, 002 and 004-12.)

use crate::{
    Attacks, Branching, Class, Comparison, Event, Facts, Found, Line, Masks, Meets, Observer,
    Register, RowBits, Rule, Size, SymmetryOps, Verdict, View,
};

use super::{Prefix, Trace, rows::Rows};
use crate::search::program::{
    EACH_FIRST, EACH_FREE, EACH_SECOND, ENTER, ProgramLine, SIDE_CUTS, program,
};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "symmetry",
    summary: "side-cuts, plus LASTMASK for the last row; compares a solution with at most three of its images",
    largest: Size::MAX_COUNTED,
    meets: Meets::Representatives,
    tests: &Line::ALL,
    registers: &Register::ALL,
    rules: &[Rule::UpperSide, Rule::LowerSide, Rule::LastRow, Rule::Corner],
    branching: Some(Branching::Symmetry),
    half: None,
    program: PROGRAM,
};

/// The method as a plain program.
pub const PROGRAM: &[&[ProgramLine]] = &[
    ENTER,
    SIDE_CUTS,
    program! {
        "    if row == N - 1: free &= ~LASTMASK" => Cut(Rule::LastRow);
    },
    EACH_FREE,
    program! {
        "def check():  # is no image smaller?";
        "    if board[0] == 1: total += 8; return" => SolutionInCorner;
        "    A = turned(board); B = turned(A); C = turned(B)";
        "    if board[BOUND2] == 1 and A <= board:" => CompareCell(Cell::A);
        "        total += 2 if A == board else 0; return" => SolutionOf(Class::Two);
        "    if board[N - 1] == ENDBIT and B <= board:" => CompareCell(Cell::B);
        "        total += 4 if B == board else 0; return" => SolutionOf(Class::Four);
        "    if board[BOUND1] == TOPBIT and C < board: return" => CompareCell(Cell::C);
        "    total += 8" => SolutionOf(Class::Eight);
        "def turned(image):  # by 270° clockwise";
        "    return [TOPBIT >> image.index(1 << column) for column in range(N)]";
    },
    program! {
        "TOPBIT = 1 << N - 1" => Enter(First);
        "SIDEMASK = LASTMASK = ENDBIT = 0; BOUND2 = N - 1";
        "board[0] = 1  # first, a queen in the corner" => Place(Corner);
        "for BOUND1 in range(2, N - 1):" => Enter(Second), Attacked(Second);
    },
    EACH_SECOND,
    program! {
        "SIDEMASK = LASTMASK = TOPBIT | 1; ENDBIT = TOPBIT >> 1";
        "for BOUND1 in range(1, N // 2):  # then all others";
        "    BOUND2 = N - 1 - BOUND1";
    },
    EACH_FIRST,
    program! {
        "    LASTMASK |= LASTMASK << 1 | LASTMASK >> 1; ENDBIT >>= 1";
        "print(1 if N == 1 else total)" => Place(OneSquare), SolutionOf(Class::One), Lift(OneSquare), Done;
    },
];

/// The recursive form: all branches of the first queen, one after another.
pub fn search<O: Observer>(size: Size, watch: &mut O) {
    watch.descend(0);
    if size.get() == 1 {
        watch.place(0, RowBits::of(0));
        watch.solution(Found::Class(Class::One));
        watch.back(0);
    }
    let corner_queen = RowBits::of(0);
    let below_corner = Attacks::NONE.below(corner_queen);
    if Masks::first(size).is_some() {
        watch.place(0, corner_queen);
        watch.descend(1);
        watch.reject(1, below_corner.squares());
        for masks in Masks::branches(size).filter(Masks::is_corner) {
            let second_queen = RowBits::of(masks.bound1);
            watch.place(1, second_queen);
            Search::new(masks, watch).search(2, below_corner.below(second_queen));
            watch.back(1);
        }
        watch.back(0);
    }
    for masks in Masks::branches(size).filter(|masks| !masks.is_corner()) {
        let first_queen = masks.first_queen();
        watch.place(0, first_queen);
        let mut branch = Search::new(masks, watch);
        branch.queens[0] = first_queen;
        branch.search(1, Attacks::NONE.below(first_queen));
        watch.back(0);
    }
    watch.done();
}

/// The search below the queens of one branch.
struct Search<'a, O> {
    masks: Masks,
    /// The squares of each row that no rule closes unconditionally.
    open: [RowBits; 32],
    /// The rule that closes the other squares of each row. It has no meaning in a row without such squares.
    rules: [Rule; 32],
    queens: [RowBits; 32],
    watch: &'a mut O,
}

impl<'a, O: Observer> Search<'a, O> {
    fn new(masks: Masks, watch: &'a mut O) -> Search<'a, O> {
        let closed: [_; 32] = core::array::from_fn(|row| masks.closed(row as u32));
        Search {
            masks,
            open: closed
                .map(|closed| closed.map_or(masks.mask, |(_, squares)| masks.mask - squares)),
            rules: closed.map(|closed| closed.map_or(Rule::LowerSide, |(rule, _)| rule)),
            queens: [RowBits::EMPTY; 32],
            watch,
        }
    }

    /// Searches from `row` down.
    fn search(&mut self, row: u32, attacks: Attacks) {
        let free = if row == self.masks.bound2 {
            self.enter::<true>(row, attacks)
        } else {
            self.enter::<false>(row, attacks)
        };
        self.place(row, attacks.left, attacks.down, attacks.right, free);
    }

    /// Enters a row and returns its squares that are neither attacked nor closed by a rule.
    #[inline(always)]
    fn enter<const BOUND2: bool>(&mut self, row: u32, attacks: Attacks) -> RowBits {
        let (mask, attacked) = (self.masks.mask, attacks.squares());
        let open = self.open[row as usize & 31];
        self.watch.descend(row);
        self.watch.reject(row, mask & attacked);
        self.watch.cut(row, self.rules[row as usize & 31], mask - attacked - open);
        let mut free = open - attacked;
        if BOUND2 {
            let at_bound2 = self.masks.closed_at_bound2(attacks.down);
            self.watch.cut(row, Rule::LowerSide, free & at_bound2);
            free -= at_bound2;
        }
        free
    }

    /// Places a queen on each free square of a row in turn and searches below it. (The attacks are
    /// three words, not one struct, so that they are passed in registers.)
    fn place(&mut self, row: u32, left: RowBits, down: RowBits, right: RowBits, free: RowBits) {
        self.place_in::<false>(row, Attacks { left, down, right }, free);
    }

    /// Decides the kind of the next row once for all queens of this row. One call searches two rows,
    /// which saves an eighth of the time; `SECOND` marks the lower one.
    #[inline(always)]
    fn place_in<const SECOND: bool>(&mut self, row: u32, attacks: Attacks, free: RowBits) {
        if row + 1 == self.masks.size.last() {
            self.place_each::<true, false, true>(row, attacks, free);
        } else if row + 1 == self.masks.bound2 {
            self.place_each::<false, true, true>(row, attacks, free);
        } else {
            self.place_each::<false, false, SECOND>(row, attacks, free);
        }
    }

    #[inline(always)]
    fn place_each<const LAST_BELOW: bool, const BOUND2_BELOW: bool, const SECOND: bool>(
        &mut self,
        row: u32,
        attacks: Attacks,
        mut free: RowBits,
    ) {
        while let Some(queen) = free.take_lowest() {
            self.watch.place(row, queen);
            let below = attacks.below(queen);
            let free = self.enter::<BOUND2_BELOW>(row + 1, below);
            if !free.is_empty() {
                self.queens[row as usize & 31] = queen;
                if LAST_BELOW {
                    self.place_last(row + 1, free);
                } else if SECOND {
                    self.place(row + 1, below.left, below.down, below.right, free);
                } else {
                    self.place_in::<true>(row + 1, below, free);
                }
            }
            self.watch.back(row);
        }
    }

    /// Places the last queen and compares the solution with the images required by cells A, B and C
    /// (none in the corner case, where every solution represents a class of 8).
    #[inline(always)]
    fn place_last(&mut self, row: u32, queen: RowBits) {
        self.queens[row as usize & 31] = queen;
        self.watch.place(row, queen);
        self.compare();
        self.watch.back(row);
    }

    #[inline(never)]
    fn compare(&mut self) {
        let mut ops = SymmetryOps::new(&self.queens, &self.masks);
        while let Some(cell) = ops.next() {
            let transform = cell.transform();
            let outcome = Comparison::new(&self.queens, self.masks.size, transform).outcome();
            self.watch.compare(transform, outcome);
            ops.learn(cell, outcome);
        }
        if let Verdict::Keep(class) = ops.verdict() {
            self.watch.solution(Found::Class(class));
        }
    }
}

/// Runs the recursive form below a prefix of queens.
pub(crate) fn search_below<O: Observer>(prefix: &Prefix, watch: &mut O) {
    let Some(masks) = prefix.masks() else {
        return search(prefix.size(), watch);
    };
    let mut branch = Search::new(masks, watch);
    branch.queens = prefix.queens();
    branch.search(prefix.rows(), prefix.attacks());
}

/// The iterative form: the same search with arrays in place of the call stack, one event per step.
#[derive(Clone, Debug)]
pub struct Iterative {
    at: At,
    /// For each row: its queen, the attacks of the queens above, and the squares still to be tried.
    board: Rows,
    /// The masks of the current branch; `None` after the last branch.
    masks: Option<Masks>,
    ops: SymmetryOps,
}

/// The state of the search: what the next step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Start,
    OnlyQueen,
    OnlySolution,
    FirstQueen,
    SecondQueen,
    NextRow,
    Enter,
    Attacked,
    Rules,
    NextSquare,
    FullBoard,
    Lift,
    Done,
}

impl Iterative {
    #[inline(always)]
    fn next_step(&mut self) -> Event {
        loop {
            let board = &mut self.board;
            let row = board.row;
            let r = row as usize;
            match (self.at, &self.masks) {
                (At::Start, _) => {
                    self.at = if board.size.get() == 1 { At::OnlyQueen } else { At::FirstQueen };
                    return Event::descend(0);
                }
                (At::OnlyQueen, _) => {
                    board.queens[0] = RowBits::of(0);
                    self.at = At::OnlySolution;
                    return Event::place(0, board.queens[0]);
                }
                (At::OnlySolution, _) => {
                    self.at = At::Lift;
                    return Event::solution(Found::Class(Class::One));
                }
                (At::FirstQueen, Some(masks)) => {
                    board.queens[0] = masks.first_queen();
                    self.at = At::NextRow;
                    return Event::place(0, board.queens[0]);
                }
                (At::SecondQueen, Some(masks)) => {
                    board.queens[1] = RowBits::of(masks.bound1);
                    board.free[1] -= board.queens[1];
                    self.at = At::NextRow;
                    return Event::place(1, board.queens[1]);
                }
                (At::NextRow, Some(_)) => {
                    board.attacks[r + 1] = board.attacks[r].below(board.queens[r]);
                    board.row += 1;
                    self.at = At::Enter;
                }
                (At::Enter, Some(_)) => {
                    board.free[r] = board.mask;
                    self.at = At::Attacked;
                    return Event::descend(row);
                }
                (At::Attacked, Some(masks)) => {
                    let attacked = board.mask & board.attacks[r].squares();
                    board.free[r] -= attacked;
                    let second = row == 1 && masks.is_corner();
                    self.at = if second { At::SecondQueen } else { At::Rules };
                    if !attacked.is_empty() {
                        return Event::reject(row, attacked);
                    }
                }
                (At::Rules, Some(masks)) => {
                    self.at = At::NextSquare;
                    if let Some(step) = self.close_by_rule(row, *masks) {
                        return step;
                    }
                }
                (At::NextSquare, Some(_)) => {
                    if let Some(queen) = board.free[r].take_lowest() {
                        board.queens[r] = queen;
                        if row == board.size.last() {
                            self.ops = self.begin_comparisons();
                            self.at = At::FullBoard;
                        } else {
                            self.at = At::NextRow;
                        }
                        return Event::place(row, queen);
                    }
                    self.leave_row();
                }
                (At::FullBoard, Some(_)) => {
                    if let Some(cell) = self.ops.next() {
                        let transform = cell.transform();
                        let outcome =
                            Comparison::new(&board.queens, board.size, transform).outcome();
                        self.ops.learn(cell, outcome);
                        return Event::compare(transform, outcome);
                    }
                    self.at = At::Lift;
                    if let Verdict::Keep(class) = self.ops.verdict() {
                        return Event::solution(Found::Class(class));
                    }
                }
                (At::Lift, masks) => {
                    board.queens[r] = RowBits::EMPTY;
                    self.at = self.after_lift(row, *masks);
                    return Event::back(row);
                }
                (At::Done, _) | (_, None) => {
                    self.at = At::Done;
                    return Event::done();
                }
            }
        }
    }

    /// Closes the free squares of `row` that a rule of the masks forbids.
    fn close_by_rule(&mut self, row: u32, masks: Masks) -> Option<Event> {
        let down = self.board.attacks[row as usize].down;
        let (rule, closed) = masks.closing(row, down).next()?;
        let free = &mut self.board.free[row as usize];
        let closed = *free & closed;
        *free -= closed;
        (!closed.is_empty()).then(|| Event::cut(row, rule, closed))
    }

    fn begin_comparisons(&self) -> SymmetryOps {
        self.masks.map_or(SymmetryOps::NONE, |masks| SymmetryOps::new(&self.board.queens, &masks))
    }

    /// Leaves an exhausted row: the next step lifts the queen of the row above, or ends the search.
    fn leave_row(&mut self) {
        self.at = if self.board.go_up() { At::Lift } else { At::Done };
    }

    /// Selects the next state after the queen of `row` has been lifted.
    fn after_lift(&mut self, row: u32, masks: Option<Masks>) -> At {
        match masks {
            Some(masks) if row == 0 => {
                self.masks = masks.next();
                At::FirstQueen
            }
            Some(masks) if row == 1 && masks.is_corner() => {
                match masks.next().filter(Masks::is_corner) {
                    Some(next) => {
                        self.masks = Some(next);
                        At::SecondQueen
                    }
                    None => {
                        self.board.free[1] = RowBits::EMPTY;
                        At::NextSquare
                    }
                }
            }
            Some(_) => At::NextSquare,
            None => At::Done,
        }
    }
}

impl Trace for Iterative {
    fn new(size: Size) -> Iterative {
        Iterative {
            at: At::Start,
            board: Rows::new(size),
            masks: Masks::first(size),
            ops: SymmetryOps::NONE,
        }
    }

    fn below(prefix: &Prefix) -> Iterative {
        let search = Iterative::new(prefix.size());
        if prefix.rows() == 0 {
            return search;
        }
        Iterative { at: At::Enter, board: Rows::below(prefix), masks: prefix.masks(), ..search }
    }

    // Inlining lets the compiler drop the steps that a counting loop ignores.
    #[inline(always)]
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
