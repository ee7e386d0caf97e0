//! Method 14, `symmetry`: search only for representatives.
//!
//! The first queen stays in the right-hand half, and the masks close every square whose queen
//! would make an image with a smaller judgement value: the side columns above BOUND1 and below
//! BOUND2, LASTMASK in the last row, column 1 in the corner case. What is left needs a
//! comparison only where a queen stands on cell A, B or C. (Seeds 000, 001, 002 and 004-12.)

use crate::{
    Attacks, CORNER_CUT, Class, Comparison, FirstQueen, Found, Masks, Observer, RowBits, Rule,
    Size, Step, SymmetryOps, Verdict, View,
};

use super::{Method, Prefix, Trace};

// [recursive]
/// The recursive form: all branches of the first queen, one after the other.
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
            Search::new(masks, watch).corner(2, below_corner.below(second_queen));
            watch.back(1);
        }
        watch.back(0);
    }
    for masks in Masks::branches(size).filter(|masks| !masks.is_corner()) {
        let first_queen = masks.first_queen();
        watch.place(0, first_queen);
        let mut search = Search::new(masks, watch);
        search.queens[0] = first_queen;
        search.inner(1, Attacks::NONE.below(first_queen));
        watch.back(0);
    }
    watch.done();
}

/// The search below the queens of one branch.
struct Search<'a, O> {
    masks: Masks,
    last: u32,
    queens: [RowBits; 32],
    watch: &'a mut O,
}

impl<'a, O: Observer> Search<'a, O> {
    fn new(masks: Masks, watch: &'a mut O) -> Search<'a, O> {
        Search { masks, last: masks.size.last(), queens: [RowBits::EMPTY; 32], watch }
    }

    /// The first queen is in the corner: every solution is a class of 8.
    fn corner(&mut self, row: u32, attacks: Attacks) {
        self.watch.descend(row);
        let attacked = self.masks.mask & attacks.squares();
        self.watch.reject(row, attacked);
        let mut free = self.masks.mask - attacked;
        if row < self.masks.bound1 {
            self.watch.cut(row, Rule::Corner, free & CORNER_CUT);
            free -= CORNER_CUT;
        }
        while let Some(queen) = free.take_lowest() {
            self.watch.place(row, queen);
            if row == self.last {
                self.watch.solution(Found::Class(Class::Eight));
            } else {
                self.corner(row + 1, attacks.below(queen));
            }
            self.watch.back(row);
        }
    }

    /// The first queen is between the corner and the middle.
    fn inner(&mut self, row: u32, attacks: Attacks) {
        let Masks { mask, sidemask, lastmask, bound1, bound2, .. } = self.masks;
        self.watch.descend(row);
        let attacked = mask & attacks.squares();
        self.watch.reject(row, attacked);
        let mut free = mask - attacked;
        if row < bound1 {
            self.watch.cut(row, Rule::UpperSide, free & sidemask);
            free -= sidemask;
        } else if row == bound2 {
            let sides_taken = attacks.down & sidemask;
            // Without a queen in either side column one of them would come too late.
            let too_late = if sides_taken.is_empty() { mask } else { mask - sidemask };
            if sides_taken != sidemask {
                self.watch.cut(row, Rule::LowerSide, free & too_late);
                free -= too_late;
            }
        } else if row == self.last {
            self.watch.cut(row, Rule::LastRow, free & lastmask);
            free -= lastmask;
        }
        while let Some(queen) = free.take_lowest() {
            self.queens[row as usize] = queen;
            self.watch.place(row, queen);
            if row == self.last {
                self.full_board();
            } else {
                self.inner(row + 1, attacks.below(queen));
            }
            self.watch.back(row);
        }
    }

    /// Compares the solution with the images that cells A, B and C call for.
    fn full_board(&mut self) {
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
// [end]

/// The recursive form below a prefix of queens.
pub(crate) fn search_below<O: Observer>(prefix: &Prefix, watch: &mut O) {
    let Some(masks) = prefix.masks else {
        return search(prefix.size, watch);
    };
    let mut search = Search::new(masks, watch);
    search.queens = prefix.queens();
    match masks.first {
        FirstQueen::Corner => search.corner(prefix.rows, prefix.attacks()),
        FirstQueen::Inner => search.inner(prefix.rows, prefix.attacks()),
    }
}

// [iterative]
/// The iterative form: the same search with its rows in arrays, one event a step.
#[derive(Clone, Debug)]
pub struct Iterative {
    size: Size,
    at: At,
    /// The branch; `None` when no first queen is left.
    masks: Option<Masks>,
    /// The row at work.
    row: u32,
    /// The row at which this search began.
    top: u32,
    queens: [RowBits; 32],
    attacks: [Attacks; 32],
    free: [RowBits; 32],
    ops: SymmetryOps,
}

/// Where the search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Start,
    OnlyQueen,
    OnlySolution,
    FirstQueen,
    SecondRow,
    SecondAttacked,
    SecondQueen,
    Enter,
    Attacked,
    Rules,
    NextSquare,
    FullBoard,
    Lift,
    Done,
}

impl Iterative {
    fn next_step(&mut self) -> Step {
        loop {
            let row = self.row;
            let r = row as usize;
            match (self.at, self.masks) {
                (At::Start, _) => {
                    self.at = if self.size.get() == 1 { At::OnlyQueen } else { At::FirstQueen };
                    return Step::descend(0);
                }
                (At::OnlyQueen, _) => {
                    self.queens[0] = RowBits::of(0);
                    self.at = At::OnlySolution;
                    return Step::place(0, self.queens[0]);
                }
                (At::OnlySolution, _) => {
                    self.at = At::Lift;
                    return Step::solution(Found::Class(Class::One));
                }
                (At::FirstQueen, Some(masks)) => {
                    self.queens[0] = masks.first_queen();
                    self.row = 1;
                    self.attacks[1] = Attacks::NONE.below(self.queens[0]);
                    self.at = if masks.is_corner() { At::SecondRow } else { At::Enter };
                    return Step::place(0, self.queens[0]);
                }
                (At::SecondRow, _) => {
                    self.at = At::SecondAttacked;
                    return Step::descend(1);
                }
                (At::SecondAttacked, _) => {
                    self.at = At::SecondQueen;
                    return Step::reject(1, self.attacks[1].squares());
                }
                (At::SecondQueen, Some(masks)) => {
                    self.queens[1] = RowBits::of(masks.bound1);
                    self.row = 2;
                    self.attacks[2] = self.attacks[1].below(self.queens[1]);
                    self.at = At::Enter;
                    return Step::place(1, self.queens[1]);
                }
                (At::Enter, Some(_)) => {
                    self.free[r] = RowBits::EMPTY;
                    self.at = At::Attacked;
                    return Step::descend(row);
                }
                (At::Attacked, Some(masks)) => {
                    let attacked = masks.mask & self.attacks[r].squares();
                    self.free[r] = masks.mask - attacked;
                    self.at = At::Rules;
                    if !attacked.is_empty() {
                        return Step::reject(row, attacked);
                    }
                }
                (At::Rules, Some(masks)) => {
                    self.at = At::NextSquare;
                    if let Some(step) = self.close_by_rule(row, &masks) {
                        return step;
                    }
                }
                (At::NextSquare, Some(_)) => {
                    if let Some(queen) = self.free[r].take_lowest() {
                        self.queens[r] = queen;
                        if row == self.size.last() {
                            self.ops = self.begin_comparisons();
                            self.at = At::FullBoard;
                        } else {
                            self.row += 1;
                            self.attacks[r + 1] = self.attacks[r].below(queen);
                            self.at = At::Enter;
                        }
                        return Step::place(row, queen);
                    }
                    self.leave_row();
                }
                (At::FullBoard, Some(_)) => {
                    if let Some(cell) = self.ops.next() {
                        let transform = cell.transform();
                        let outcome = Comparison::new(&self.queens, self.size, transform).outcome();
                        self.ops.learn(cell, outcome);
                        return Step::compare(transform, outcome);
                    }
                    self.at = At::Lift;
                    if let Verdict::Keep(class) = self.ops.verdict() {
                        return Step::solution(Found::Class(class));
                    }
                }
                (At::Lift, masks) => {
                    self.queens[r] = RowBits::EMPTY;
                    self.at = self.after_lift(row, masks);
                    return Step::back(row);
                }
                (At::Done, _) | (_, None) => {
                    self.at = At::Done;
                    return Step::done();
                }
            }
        }
    }

    /// Closes the squares of `row` that a rule of the masks forbids.
    fn close_by_rule(&mut self, row: u32, masks: &Masks) -> Option<Step> {
        let free = &mut self.free[row as usize];
        let before = *free;
        if masks.is_corner() {
            if row < masks.bound1 {
                *free -= CORNER_CUT;
                let closed = before - *free;
                return (!closed.is_empty()).then(|| Step::cut(row, Rule::Corner, closed));
            }
        } else if row < masks.bound1 {
            *free -= masks.sidemask;
            let closed = before - *free;
            return (!closed.is_empty()).then(|| Step::cut(row, Rule::UpperSide, closed));
        } else if row == masks.bound2 {
            let sides_taken = self.attacks[row as usize].down & masks.sidemask;
            if sides_taken.is_empty() {
                *free = RowBits::EMPTY;
            } else if sides_taken != masks.sidemask {
                *free &= masks.sidemask;
            }
            let closed = before - *free;
            return (!closed.is_empty()).then(|| Step::cut(row, Rule::LowerSide, closed));
        } else if row == self.size.last() {
            *free -= masks.lastmask;
            let closed = before - *free;
            return (!closed.is_empty()).then(|| Step::cut(row, Rule::LastRow, closed));
        }
        None
    }

    fn begin_comparisons(&self) -> SymmetryOps {
        self.masks.map_or(SymmetryOps::NONE, |masks| SymmetryOps::new(&self.queens, &masks))
    }

    /// The row is exhausted: the queen above it is lifted next.
    fn leave_row(&mut self) {
        if self.row == self.top {
            self.at = At::Done;
        } else {
            self.row -= 1;
            self.at = At::Lift;
        }
    }

    /// Where the search goes on once the queen of `row` is lifted.
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
                        self.row = 0;
                        At::Lift
                    }
                }
            }
            Some(_) => At::NextSquare,
            None => At::Done,
        }
    }
}
// [end]

impl Trace for Iterative {
    fn new(size: Size) -> Iterative {
        Iterative {
            size,
            at: At::Start,
            masks: Masks::first(size),
            row: 0,
            top: 0,
            queens: [RowBits::EMPTY; 32],
            attacks: [Attacks::NONE; 32],
            free: [RowBits::EMPTY; 32],
            ops: SymmetryOps::NONE,
        }
    }

    fn below(prefix: &Prefix) -> Iterative {
        let mut search = Iterative::new(prefix.size);
        if let Some(masks) = prefix.masks {
            search.masks = Some(masks);
            search.row = prefix.rows;
            search.top = prefix.rows;
            search.queens = prefix.queens();
            search.attacks[prefix.rows as usize] = prefix.attacks();
            search.at = At::Enter;
        }
        search
    }

    fn step(&mut self) -> Step {
        self.next_step()
    }

    fn skip_row(&mut self) {
        self.leave_row();
    }

    fn view(&self) -> View {
        let r = self.row as usize;
        View {
            method: Method::Symmetry,
            size: self.size,
            row: self.row,
            queens: self.queens,
            attacks: self.attacks[r],
            free: self.free[r],
            masks: self.masks,
        }
    }
}
