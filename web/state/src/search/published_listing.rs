//! The symmetry method as the published programs write it, with their names, shown beside the
//! search on the board.
//!
//! The programs have two functions that differ only in their rules: `backtrack1` for a first queen
//! in the corner and `backtrack2` for all others. The listing merges them into one. Wording and
//! layout are our own.

use queens_core::{
    Cell, Class, ComparedRow, Comparison, Event, Found, Masks, Register, RowBits, Rule, Transform,
    View,
};

use super::state::Snapshot;

/// The listing. A line without text separates two functions.
pub const LINES: [&str; 36] = [
    "MASK = (1 << N) - 1, TOPBIT = 1 << (N-1)",
    "corner = true, BOUND2 = N-1, board[0] = 1",
    "for BOUND1 = 2 to N-2",
    "    board[1] = bit = 1 << BOUND1",
    "    backtrack(2, (2 | bit) << 1, 1 | bit, bit >> 1)",
    "corner = false, SIDEMASK = LASTMASK = TOPBIT | 1",
    "ENDBIT = TOPBIT >> 1",
    "for BOUND1 = 1, BOUND2 = N-2 while BOUND1 < BOUND2",
    "    board[0] = bit = 1 << BOUND1",
    "    backtrack(1, bit << 1, bit, bit >> 1)",
    "    LASTMASK |= LASTMASK >> 1 | LASTMASK << 1",
    "    ENDBIT >>= 1",
    "",
    "backtrack(row, left, down, right)",
    "    free = MASK & ~(left | down | right)",
    "    if corner and row < BOUND1: free &= ~2",
    "    if not corner",
    "        if row < BOUND1: free &= ~SIDEMASK",
    "        if row == BOUND2 and (down & SIDEMASK) == 0: free = 0",
    "        if row == BOUND2 and (down & SIDEMASK) != SIDEMASK: free &= SIDEMASK",
    "        if row == N-1: free &= ~LASTMASK",
    "    while free",
    "        bit = -free & free; free ^= bit",
    "        board[row] = bit",
    "        if row == N-1: symmetryOps()",
    "        else: backtrack(row+1, (left | bit) << 1, down | bit, (right | bit) >> 1)",
    "",
    "symmetryOps()",
    "    if corner: COUNT8 += 1; return",
    "    if board[BOUND2] == 1: image = turn(board, 270°)",
    "        if image <= board: COUNT2 += (image == board); return",
    "    if board[N-1] == ENDBIT: image = turn(board, 180°)",
    "        if image <= board: COUNT4 += (image == board); return",
    "    if board[BOUND1] == TOPBIT: image = turn(board, 90°)",
    "        if image < board: return",
    "    COUNT8 += 1",
];

/// Positions in [`LINES`].
mod line {
    pub const MASKS: usize = 0;
    pub const CORNER_QUEEN: usize = 1;
    pub const SECOND_QUEENS: usize = 2;
    pub const SECOND_QUEEN: usize = 3;
    pub const BELOW_SECOND_QUEEN: usize = 4;
    pub const SIDEMASK: usize = 5;
    pub const FIRST_QUEENS: usize = 7;
    pub const FIRST_QUEEN: usize = 8;
    pub const BELOW_FIRST_QUEEN: usize = 9;
    pub const LASTMASK: usize = 10;
    pub const ENDBIT: usize = 11;
    pub const BACKTRACK: usize = 13;
    pub const FREE: usize = 14;
    pub const CORNER_RULE: usize = 15;
    pub const NOT_CORNER: usize = 16;
    pub const UPPER_SIDE: usize = 17;
    pub const NO_SIDE: usize = 18;
    pub const ONE_SIDE: usize = 19;
    pub const LAST_ROW: usize = 20;
    pub const WHILE_FREE: usize = 21;
    pub const BIT: usize = 22;
    pub const PLACE: usize = 23;
    pub const BELOW: usize = 25;
    pub const CORNER_SOLUTION: usize = 28;
    pub const CELL_A: usize = 29;
    pub const COUNT2: usize = 30;
    pub const CELL_B: usize = 31;
    pub const COUNT4: usize = 32;
    pub const CELL_C: usize = 33;
    pub const IMAGE_C: usize = 34;
    pub const COUNT8: usize = 35;
}

/// Returns the line that executed the step of a snapshot of the symmetry method, as a position in
/// [`LINES`]. Returns `None` before the first step, and on boards with N < 4, for which the
/// published programs find nothing.
pub fn acting(now: &Snapshot) -> Option<usize> {
    let (event, view) = (now.event?, &now.view);
    if view.size.get() < 4 {
        return None;
    }
    let in_corner = |view: &View| view.masks.is_some_and(|masks| masks.is_corner());
    Some(match event {
        Event::Descend { row: 0 } => line::MASKS,
        Event::Descend { row: 1 } | Event::Reject { row: 1, .. } if in_corner(view) => {
            line::SECOND_QUEENS
        }
        // The call that leads to the row. Its first line has not run yet.
        Event::Descend { row: 2 } if in_corner(view) => line::BELOW_SECOND_QUEEN,
        Event::Descend { row: 1 } => line::BELOW_FIRST_QUEEN,
        Event::Descend { .. } => line::BELOW,
        Event::Reject { .. } | Event::Try { .. } => line::FREE,
        Event::Cut { rule: Rule::Corner, .. } => line::CORNER_RULE,
        Event::Cut { rule: Rule::UpperSide, .. } => line::UPPER_SIDE,
        Event::Cut { rule: Rule::LastRow, .. } => line::LAST_ROW,
        Event::Cut { .. } if side_columns(view).is_empty() => line::NO_SIDE,
        Event::Cut { .. } => line::ONE_SIDE,
        Event::Place { row: 0, .. } if in_corner(view) => line::CORNER_QUEEN,
        Event::Place { row: 0, .. } => line::FIRST_QUEEN,
        Event::Place { row: 1, .. } if in_corner(view) => line::SECOND_QUEEN,
        Event::Place { .. } => line::PLACE,
        Event::Compare { transform: Transform::Turn270, .. } => line::CELL_A,
        Event::Compare { transform: Transform::Turn180, .. } => line::CELL_B,
        Event::Compare { .. } => line::CELL_C,
        Event::Solution { found } => match found.solutions() {
            2 => line::COUNT2,
            4 => line::COUNT4,
            _ if in_corner(view) => line::CORNER_SOLUTION,
            _ => line::COUNT8,
        },
        Event::Back { row: 1 } if in_corner(&now.before) => line::SECOND_QUEENS,
        Event::Back { row: 0 } | Event::Done => line::FIRST_QUEENS,
        Event::Back { .. } => line::WHILE_FREE,
    })
}

/// The side columns that have a queen above the current row.
fn side_columns(view: &View) -> RowBits {
    let sides = view.masks.map_or(RowBits::EMPTY, |masks| masks.sidemask);
    view.attacks.down & sides
}

/// Returns the last line of `backtrack` that has run for the current row, and the last line of
/// `symmetryOps` that has run for the current board. Before the first one, it returns 0.
fn reached(now: &Snapshot) -> [usize; 2] {
    let acting = acting(now).unwrap_or(0);
    match now.event {
        // The call has passed the arguments.
        Some(Event::Descend { .. }) => [line::BACKTRACK, 0],
        Some(Event::Reject { .. } | Event::Cut { .. }) => [acting, 0],
        Some(Event::Back { .. }) => [line::WHILE_FREE, 0],
        Some(Event::Place { .. }) => [line::BELOW, 0],
        // A comparison also decides whether the next line returns.
        Some(Event::Compare { .. }) => [line::BELOW, acting + 1],
        Some(Event::Solution { .. }) => [line::BELOW, acting],
        _ => [0, 0],
    }
}

/// Whether a line calls `backtrack`. These lines are long, and never have a [`value`].
pub fn calls_backtrack(at: usize) -> bool {
    matches!(at, line::BELOW_SECOND_QUEEN | line::BELOW_FIRST_QUEEN | line::BELOW)
}

/// Whether the [`value`] of a line can be long: all arguments of `backtrack`, or the bits of a rule.
pub fn has_long_value(at: usize) -> bool {
    let is_rule = matches!(
        at,
        line::CORNER_RULE | line::UPPER_SIDE | line::NO_SIDE | line::ONE_SIDE | line::LAST_ROW
    );
    at == line::BACKTRACK || is_rule
}

/// Returns the value that a line assigns or tests at a snapshot: bits, numbers, or a comparison and
/// its result. Returns `None` if the line has no value, or has not run yet for the current row or board.
pub fn value(at: usize, now: &Snapshot) -> Option<String> {
    let view = &now.view;
    let masks = view.masks?;
    let (row, last, corner) = (view.row, view.size.last(), masks.is_corner());
    let [in_backtrack, in_symmetry_ops] = reached(now);
    let in_function = row > u32::from(corner) && at <= in_backtrack;
    let bits = |word: RowBits| format!("{:0n$b}", (word & masks.mask).bits(), n = view.size.rows());
    let queen = |row: u32| {
        view.queens.get(row as usize).filter(|queen| !queen.is_empty()).map(|&queen| bits(queen))
    };
    let sides = side_columns(view);
    let unattacked = masks.mask - view.attacks.squares();
    // A test that holds, with the free squares before and after the rule.
    let closed = |test: String, before: RowBits, closed: RowBits| {
        Some(format!("{test} {} {} → {}", sign(true), bits(before), bits(before - closed)))
    };
    let closed_in_row = |operator: &str, number: u32, squares: RowBits| {
        closed(format!("{row} {operator} {number}"), unattacked, squares)
    };
    // The second operand of the lower-side rules decides only in row BOUND2.
    let at_bound2 = |test: String, holds: bool, before: RowBits, squares: RowBits| match holds {
        _ if row != masks.bound2 => compared(row, "==", masks.bound2, false),
        true => closed(test, before, squares),
        false => Some(format!("{row} == {row}, {test} {}", sign(false))),
    };
    let register = |register| view.register(register).map(bits);
    match at {
        line::MASKS if acting(now).is_some() => {
            Some(format!("{}, {}", bits(masks.mask), bits(masks.topbit)))
        }
        line::CORNER_QUEEN if corner => queen(0),
        line::SECOND_QUEENS if corner => Some(masks.bound1.to_string()),
        line::SECOND_QUEEN if corner => queen(1),
        line::FIRST_QUEENS if !corner => Some(format!("{}, {}", masks.bound1, masks.bound2)),
        line::FIRST_QUEEN if !corner => queen(0),
        line::SIDEMASK if !corner => register(Register::SideMask),
        line::LASTMASK if !corner => register(Register::LastMask),
        line::ENDBIT if !corner => register(Register::EndBit),
        line::BACKTRACK if in_function => {
            let arguments = [Register::Left, Register::Down, Register::Right].map(register);
            let [left, down, right] = arguments.map(Option::unwrap_or_default);
            Some(format!("{row}, {left}, {down}, {right}"))
        }
        line::FREE if in_function => Some(bits(unattacked)),
        line::CORNER_RULE if in_function && corner && row < masks.bound1 => {
            closed_in_row("<", masks.bound1, RowBits::of(1))
        }
        line::CORNER_RULE if in_function && corner => compared(row, "<", masks.bound1, false),
        line::NOT_CORNER if in_function => Some(sign(!corner).to_owned()),
        line::UPPER_SIDE if in_function && !corner && row < masks.bound1 => {
            closed_in_row("<", masks.bound1, masks.sidemask)
        }
        line::UPPER_SIDE if in_function && !corner => compared(row, "<", masks.bound1, false),
        line::NO_SIDE if in_function && !corner => {
            at_bound2(format!("{} == 0", bits(sides)), sides.is_empty(), unattacked, masks.mask)
        }
        line::ONE_SIDE if in_function && !corner => {
            let test = format!("{} != {}", bits(sides), bits(masks.sidemask));
            // The line before has closed all squares if no side column has a queen.
            let before = if sides.is_empty() { RowBits::EMPTY } else { unattacked };
            at_bound2(test, sides != masks.sidemask, before, masks.mask - masks.sidemask)
        }
        // No other rule closes squares of the last row.
        line::LAST_ROW if in_function && !corner && row == last => {
            closed_in_row("==", last, masks.lastmask)
        }
        line::LAST_ROW if in_function && !corner => compared(row, "==", last, false),
        // The loop tests the squares before it takes one of them.
        line::WHILE_FREE if in_function => {
            let queen = view.queens.get(row as usize).copied().unwrap_or(RowBits::EMPTY);
            view.register(Register::Free).map(|free| bits(free | queen))
        }
        line::BIT if in_function => {
            queen(row).zip(register(Register::Free)).map(|(bit, free)| format!("{bit}, {free}"))
        }
        line::PLACE if in_function => queen(row),
        line::CORNER_SOLUTION.. if at <= in_symmetry_ops => counting(at, now, &masks),
        _ => None,
    }
}

/// The comparison of the current row with a number, and its result.
fn compared(row: u32, operator: &str, number: u32, holds: bool) -> Option<String> {
    Some(format!("{row} {operator} {number} {}", sign(holds)))
}

/// Returns the value of a line of `symmetryOps` that has run.
fn counting(at: usize, now: &Snapshot, masks: &Masks) -> Option<String> {
    let (view, corner) = (&now.view, masks.is_corner());
    let bits = |word: RowBits| format!("{:0n$b}", (word & masks.mask).bits(), n = view.size.rows());
    let mark = |holds: bool| Some(sign(holds).to_owned());
    let cell = |transform: Transform| {
        let cell = Cell::ALL.into_iter().find(|cell| cell.transform() == transform)?;
        let (row, square) = masks.cell(cell)?;
        Some((*view.queens.get(row as usize)?, square))
    };
    let on_cell = |transform| {
        let (own, square) = cell(transform)?;
        Some(format!("{} == {} {}", bits(own), bits(square), sign(own == square)))
    };
    let has_image = |transform| cell(transform).is_some_and(|(own, square)| own == square);
    // The row that decides, with the columns of the image and of the board as bit numbers.
    let compared = |image, operator: &str| {
        let ComparedRow { row, own, image } =
            Comparison::new(&view.queens, view.size, image).last()?;
        if image == own {
            return Some(format!("image == board {}", sign(true)));
        }
        let holds = image < own;
        Some(format!("row {row}: bit {image} {operator} {own} {}", sign(holds)))
    };
    let count =
        |class: Class| Some(format!("COUNT{} = {}", class.members(), now.work.tally.class(class)));
    let counts = |class: Class| match now.event {
        Some(Event::Solution { found }) => found == Found::Class(class),
        _ => false,
    };
    match at {
        line::CORNER_SOLUTION if corner => {
            count(Class::Eight).map(|count| format!("{} {count}", sign(true)))
        }
        line::CORNER_SOLUTION => mark(false),
        line::CELL_A if !corner => on_cell(Transform::Turn270),
        line::CELL_B if !corner => on_cell(Transform::Turn180),
        line::CELL_C if !corner => on_cell(Transform::Turn90),
        line::COUNT2 if counts(Class::Two) => count(Class::Two),
        line::COUNT4 if counts(Class::Four) => count(Class::Four),
        line::COUNT2 if has_image(Transform::Turn270) => compared(Transform::Turn270, "<="),
        line::COUNT4 if has_image(Transform::Turn180) => compared(Transform::Turn180, "<="),
        line::IMAGE_C if has_image(Transform::Turn90) => compared(Transform::Turn90, "<"),
        line::COUNT8 => count(Class::Eight),
        _ => None,
    }
}

/// The sign of a test that holds or fails.
fn sign(holds: bool) -> &'static str {
    if holds { "✓" } else { "✗" }
}

#[cfg(test)]
mod tests {
    use queens_core::{Outcome, Size, Stepped, Timeline};

    use super::*;

    /// The effect of a statement of the listing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Act {
        Enter(u32),
        Close(u32),
        Place(u32, u32),
        Compare,
        Count(u64),
        Lift(u32),
        Done,
    }

    /// The lines of the listing that have run for the current row and board, each with its value if that
    /// is a set of squares.
    type Reached = [Option<Option<u32>>; LINES.len()];

    /// The published program, executed. Each statement records its line of the listing.
    struct Program {
        n: u32,
        corner: bool,
        board: [u32; 32],
        bound1: u32,
        bound2: u32,
        mask: u32,
        topbit: u32,
        sidemask: u32,
        lastmask: u32,
        endbit: u32,
        counts: [u64; 3],
        reached: Reached,
        acts: Vec<(&'static str, Act, Reached)>,
    }

    impl Program {
        fn run(n: u32) -> Program {
            let topbit = 1 << (n - 1);
            let mut program = Program {
                n,
                corner: true,
                board: [0; 32],
                bound1: 2,
                bound2: n - 1,
                mask: (1 << n) - 1,
                topbit,
                sidemask: topbit | 1,
                lastmask: topbit | 1,
                endbit: topbit >> 1,
                counts: [0; 3],
                reached: [None; LINES.len()],
                acts: vec![],
            };
            program.search();
            program
        }

        fn did(&mut self, line: &'static str, act: Act) {
            self.acts.push((line, act, self.reached));
        }

        fn reach(&mut self, line: usize, squares: Option<u32>) {
            self.reached[line] = Some(squares);
        }

        fn close(&mut self, line: &'static str, free: &mut u32, closed: u32) {
            let closed = *free & closed;
            *free &= !closed;
            if closed != 0 {
                self.did(line, Act::Close(closed));
            }
        }

        fn search(&mut self) {
            self.did("MASK = (1 << N) - 1, TOPBIT = 1 << (N-1)", Act::Enter(0));
            self.board[0] = 1;
            self.did("corner = true, BOUND2 = N-1, board[0] = 1", Act::Place(0, 1));
            self.did("for BOUND1 = 2 to N-2", Act::Enter(1));
            self.did("for BOUND1 = 2 to N-2", Act::Close(0b11));
            while self.bound1 <= self.n - 2 {
                let bit = 1 << self.bound1;
                self.board[1] = bit;
                self.did("    board[1] = bit = 1 << BOUND1", Act::Place(1, bit));
                let call = "    backtrack(2, (2 | bit) << 1, 1 | bit, bit >> 1)";
                self.backtrack(call, 2, [(2 | bit) << 1, 1 | bit, bit >> 1]);
                self.did("for BOUND1 = 2 to N-2", Act::Lift(1));
                self.bound1 += 1;
            }
            const FIRST_QUEENS: &str = "for BOUND1 = 1, BOUND2 = N-2 while BOUND1 < BOUND2";
            self.did(FIRST_QUEENS, Act::Lift(0));
            (self.corner, self.bound1, self.bound2) = (false, 1, self.n - 2);
            while self.bound1 < self.bound2 {
                let bit = 1 << self.bound1;
                self.board[0] = bit;
                self.did("    board[0] = bit = 1 << BOUND1", Act::Place(0, bit));
                let call = "    backtrack(1, bit << 1, bit, bit >> 1)";
                self.backtrack(call, 1, [bit << 1, bit, bit >> 1]);
                self.did(FIRST_QUEENS, Act::Lift(0));
                self.lastmask |= self.lastmask >> 1 | self.lastmask << 1;
                self.endbit >>= 1;
                self.bound1 += 1;
                self.bound2 -= 1;
            }
            self.did(FIRST_QUEENS, Act::Done);
        }

        fn backtrack(&mut self, call: &'static str, row: u32, attacks: [u32; 3]) {
            let caller = std::mem::replace(&mut self.reached, [None; LINES.len()]);
            self.reach(line::BACKTRACK, None);
            self.did(call, Act::Enter(row));
            let [left, down, right] = attacks;
            let mut free = self.mask;
            self.reach(line::FREE, Some(self.mask & !(left | down | right)));
            self.close("    free = MASK & ~(left | down | right)", &mut free, left | down | right);
            self.rules(row, down, &mut free);
            while free != 0 {
                self.reach(line::WHILE_FREE, Some(free));
                let bit = free.wrapping_neg() & free;
                free ^= bit;
                self.board[row as usize] = bit;
                self.reach(line::BIT, Some(bit));
                self.reach(line::PLACE, Some(bit));
                self.did("        board[row] = bit", Act::Place(row, bit));
                if row < self.n - 1 {
                    let call = "        else: backtrack(row+1, (left | bit) << 1, down | bit, (right | bit) >> 1)";
                    self.backtrack(
                        call,
                        row + 1,
                        [(left | bit) << 1, down | bit, (right | bit) >> 1],
                    );
                } else {
                    let row = self.reached;
                    self.symmetry_ops();
                    self.reached = row;
                }
                self.reach(line::WHILE_FREE, Some(free));
                (self.reached[line::BIT], self.reached[line::PLACE]) = (None, None);
                self.did("    while free", Act::Lift(row));
            }
            self.reached = caller;
        }

        fn rules(&mut self, row: u32, down: u32, free: &mut u32) {
            let sides = down & self.sidemask;
            if self.corner {
                self.reach(line::CORNER_RULE, None);
                if row < self.bound1 {
                    self.close("    if corner and row < BOUND1: free &= ~2", free, 2);
                }
                self.reach(line::NOT_CORNER, None);
            } else {
                self.reach(line::NOT_CORNER, None);
                self.reach(line::UPPER_SIDE, None);
                if row < self.bound1 {
                    let line = "        if row < BOUND1: free &= ~SIDEMASK";
                    self.close(line, free, self.sidemask);
                }
                self.reach(line::NO_SIDE, None);
                if row == self.bound2 && sides == 0 {
                    let line = "        if row == BOUND2 and (down & SIDEMASK) == 0: free = 0";
                    self.close(line, free, self.mask);
                }
                self.reach(line::ONE_SIDE, None);
                if row == self.bound2 && sides != self.sidemask {
                    let line = "        if row == BOUND2 and (down & SIDEMASK) != SIDEMASK: free &= SIDEMASK";
                    self.close(line, free, !self.sidemask);
                }
                self.reach(line::LAST_ROW, None);
                if row == self.n - 1 {
                    let line = "        if row == N-1: free &= ~LASTMASK";
                    self.close(line, free, self.lastmask);
                }
            }
        }

        fn symmetry_ops(&mut self) {
            self.reach(line::CORNER_SOLUTION, None);
            if self.corner {
                self.counts[2] += 1;
                return self.did("    if corner: COUNT8 += 1; return", Act::Count(8));
            }
            self.reach(line::CELL_A, None);
            if self.board[self.bound2 as usize] == 1 {
                self.reach(line::COUNT2, None);
                self.did("    if board[BOUND2] == 1: image = turn(board, 270°)", Act::Compare);
                let (image, board) = (self.turned(3), self.turned(0));
                if image <= board {
                    if image == board {
                        self.counts[0] += 1;
                        let line = "        if image <= board: COUNT2 += (image == board); return";
                        self.did(line, Act::Count(2));
                    }
                    return;
                }
            }
            self.reach(line::CELL_B, None);
            if self.board[self.n as usize - 1] == self.endbit {
                self.reach(line::COUNT4, None);
                self.did("    if board[N-1] == ENDBIT: image = turn(board, 180°)", Act::Compare);
                let (image, board) = (self.turned(2), self.turned(0));
                if image <= board {
                    if image == board {
                        self.counts[1] += 1;
                        let line = "        if image <= board: COUNT4 += (image == board); return";
                        self.did(line, Act::Count(4));
                    }
                    return;
                }
            }
            self.reach(line::CELL_C, None);
            if self.board[self.bound1 as usize] == self.topbit {
                self.reach(line::IMAGE_C, None);
                self.did("    if board[BOUND1] == TOPBIT: image = turn(board, 90°)", Act::Compare);
                if self.turned(1) < self.turned(0) {
                    return;
                }
            }
            self.counts[2] += 1;
            self.reach(line::COUNT8, None);
            self.did("    COUNT8 += 1", Act::Count(8));
        }

        /// The columns of the queens, from the right, after clockwise quarter turns.
        fn turned(&self, quarters: u32) -> Vec<u32> {
            let board = &self.board[..self.n as usize];
            let mut columns: Vec<u32> = board.iter().map(|queen| queen.trailing_zeros()).collect();
            for _ in 0..quarters {
                // The queen in row r and column c from the right moves to row N-1-c and column r from
                // the right.
                let mut image = columns.clone();
                for (row, &column) in columns.iter().enumerate() {
                    image[(self.n - 1 - column) as usize] = row as u32;
                }
                columns = image;
            }
            columns
        }
    }

    /// All snapshots of the symmetry search except that of step 0.
    fn snapshots(n: u32) -> impl Iterator<Item = Snapshot> {
        let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(n).unwrap());
        core::iter::from_fn(move || {
            let before = timeline.view();
            let step = timeline.forward()?;
            Some(Snapshot {
                step: timeline.step(),
                view: timeline.view(),
                before,
                event: Some(step.event),
                beat: timeline.tracer().beat(),
                line: Some(step.line),
                work: *timeline.work(),
            })
        })
    }

    fn act(event: Event) -> Act {
        match event {
            Event::Descend { row } => Act::Enter(row),
            Event::Reject { squares, .. } | Event::Cut { squares, .. } => {
                Act::Close(squares.bits())
            }
            Event::Place { row, square } => Act::Place(row, square.bits()),
            Event::Compare { .. } => Act::Compare,
            Event::Solution { found } => Act::Count(found.solutions()),
            Event::Back { row } => Act::Lift(row),
            Event::Done => Act::Done,
            Event::Try { .. } => unreachable!("the method takes free squares from a word"),
        }
    }

    #[test]
    fn every_step_maps_to_its_line_of_the_published_program() {
        for (n, total, unique) in
            [(4, 2, 1), (5, 10, 2), (6, 4, 1), (7, 40, 6), (8, 92, 12), (9, 352, 46)]
        {
            let program = Program::run(n);
            let [count2, count4, count8] = program.counts;
            assert_eq!(2 * count2 + 4 * count4 + 8 * count8, total);
            assert_eq!(count2 + count4 + count8, unique);
            let mut steps = 0;
            for (now, expected) in snapshots(n).zip(&program.acts) {
                let (line, expected, _) = *expected;
                let here = (LINES[acting(&now).unwrap()], act(now.event.unwrap()));
                assert_eq!(here, (line, expected), "N = {n}, step {}", now.step);
                steps += 1;
            }
            assert_eq!((steps, snapshots(n).count()), (program.acts.len(), program.acts.len()));
        }
    }

    /// A line has a value only after it has run for the current row and board.
    #[test]
    fn only_lines_that_have_run_show_values() {
        for n in 4..=8 {
            let program = Program::run(n);
            for (now, (_, _, reached)) in snapshots(n).zip(&program.acts) {
                let calls = (0..LINES.len()).filter(|&at| calls_backtrack(at));
                assert!(calls.clone().all(|at| LINES[at].contains("backtrack(")));
                assert!(calls.clone().all(|at| value(at, &now).is_none()), "step {}", now.step);
                for (at, reached) in reached.iter().enumerate().skip(line::BACKTRACK) {
                    let shown = value(at, &now);
                    let place = format!("N = {n}, step {}: {}", now.step, LINES[at]);
                    assert_eq!(shown.is_some(), reached.is_some(), "{place}");
                    if let (Some(shown), Some(Some(squares))) = (shown, reached) {
                        let shown = shown.split(", ").next().unwrap();
                        assert_eq!(u32::from_str_radix(shown, 2), Ok(*squares), "{place}");
                    }
                }
            }
        }
    }

    /// Checks the value of the line that did the step.
    #[test]
    fn the_current_line_shows_its_value() {
        for n in 5..=8 {
            let mut counts = [0; 3];
            for now in snapshots(n) {
                let at = acting(&now).unwrap();
                let here = value(at, &now);
                let bits = |word: RowBits| format!("{:0n$b}", word.bits(), n = n as usize);
                match now.event.unwrap() {
                    Event::Place { square, .. } => assert_eq!(here, Some(bits(square))),
                    Event::Reject { squares, .. } if at == line::FREE => {
                        assert_eq!(here, Some(bits(now.view.size.mask() - squares)));
                    }
                    Event::Cut { squares, .. } => {
                        let free = now.view.free;
                        let change = format!("✓ {} → {}", bits(free | squares), bits(free));
                        assert!(here.unwrap().ends_with(&change), "step {}", now.step);
                    }
                    Event::Solution { found } if at != line::CORNER_SOLUTION => {
                        let kind = found.solutions().ilog2() as usize - 1;
                        let here = here.unwrap();
                        let (name, count) = here.split_once(" = ").unwrap();
                        assert_eq!(name, format!("COUNT{}", found.solutions()));
                        counts[kind] = count.parse().unwrap();
                    }
                    _ => {}
                }
            }
            let [count2, count4, _] = Program::run(n).counts;
            assert_eq!(counts[..2], [count2, count4], "N = {n}");
        }
    }

    /// The column of the values has room for about 22 characters in the narrowest layout beside a board.
    #[test]
    fn lines_with_long_values_reserve_room() {
        for (at, line) in LINES.iter().enumerate() {
            let is_long = snapshots(8)
                .any(|now| value(at, &now).is_some_and(|value| value.chars().count() > 22));
            assert_eq!(has_long_value(at), is_long, "{line}");
        }
    }

    #[test]
    fn marks_rules_that_close_nothing() {
        for now in snapshots(8) {
            for at in [line::UPPER_SIDE, line::NO_SIDE, line::ONE_SIDE, line::LAST_ROW] {
                let Some(masks) = now.view.masks else { continue };
                let is_here = match at {
                    line::UPPER_SIDE => now.view.row < masks.bound1,
                    line::LAST_ROW => now.view.row == now.view.size.last(),
                    _ => now.view.row == masks.bound2,
                };
                if let Some(value) = value(at, &now) {
                    assert!(is_here || value.ends_with('✗'), "{value}");
                }
            }
        }
    }

    /// The squares after the last rule are those that the loop tries.
    #[test]
    fn each_rule_begins_with_the_squares_that_the_one_before_left() {
        let mut chains = 0;
        for now in snapshots(8) {
            let rules = [line::CORNER_RULE, line::UPPER_SIDE, line::NO_SIDE, line::ONE_SIDE];
            let mut free = value(line::FREE, &now);
            for value in rules.into_iter().filter_map(|at| value(at, &now)) {
                let Some((_, change)) = value.split_once(" ✓ ") else { continue };
                let (before, after) = change.split_once(" → ").unwrap();
                assert_eq!(free.as_deref(), Some(before), "step {}: {value}", now.step);
                free = Some(after.to_owned());
                chains += 1;
            }
            let is_placed = matches!(now.event, Some(Event::Place { .. }));
            if is_placed && now.view.row < now.view.size.last() && free.is_some() {
                // Only squares that were tried before are missing.
                let [all, left] = [free, value(line::WHILE_FREE, &now)]
                    .map(|bits| u32::from_str_radix(&bits.unwrap(), 2).unwrap());
                assert_eq!(left & !all, 0, "step {}", now.step);
            }
        }
        assert!(chains > 100, "{chains}");
    }

    #[test]
    fn shows_the_operand_that_decided() {
        let mut decided = [0; 2];
        for now in snapshots(8) {
            let Some(masks) = now.view.masks else { continue };
            if masks.is_corner() || now.view.row != masks.bound2 {
                continue;
            }
            for (at, operator) in [(line::NO_SIDE, "=="), (line::ONE_SIDE, "!=")] {
                let Some(value) = value(at, &now) else { continue };
                let (test, mark) = match value.split_once(" ✓ ") {
                    Some((test, _)) => (test, "✓"),
                    None => {
                        let (_, test) = value.split_once(", ").expect("both operands");
                        test.rsplit_once(' ').unwrap()
                    }
                };
                let (own, mask) = test.split_once(&format!(" {operator} ")).unwrap();
                let [own, mask] = [own, mask].map(|bits| u32::from_str_radix(bits, 2).unwrap());
                assert_eq!(mark == "✓", (own == mask) == (operator == "=="), "{value}");
                decided[usize::from(mark == "✓")] += 1;
            }
        }
        assert!(decided.iter().all(|&times| times > 0), "{decided:?}");
    }

    #[test]
    fn tests_of_solutions_show_their_result() {
        let mut compared = 0;
        for now in snapshots(8) {
            let Some(Event::Compare { transform, outcome }) = now.event else { continue };
            let (cell, image) = match transform {
                Transform::Turn270 => (line::CELL_A, line::COUNT2),
                Transform::Turn180 => (line::CELL_B, line::COUNT4),
                _ => (line::CELL_C, line::IMAGE_C),
            };
            assert!(value(cell, &now).unwrap().ends_with('✓'), "step {}", now.step);
            assert_eq!(value(line::CORNER_SOLUTION, &now).as_deref(), Some("✗"));
            let holds = match outcome {
                Outcome::ImageSmaller => true,
                Outcome::Same => image != line::IMAGE_C,
                Outcome::ImageLarger => false,
            };
            let mark = if holds { "✓" } else { "✗" };
            let value = value(image, &now).unwrap();
            assert!(value.ends_with(mark), "step {}: {value}", now.step);
            let row = Comparison::new(&now.view.queens, now.view.size, transform).last().unwrap();
            let start = match outcome {
                Outcome::Same => "image == board".to_owned(),
                _ => format!("row {}: bit {} <", row.row, row.image),
            };
            assert!(value.starts_with(&start), "step {}: {value}", now.step);
            compared += 1;
        }
        assert!(compared > 0);
    }

    /// The names that a reader of the published programs looks for.
    #[test]
    fn every_register_and_bound_is_in_the_listing() {
        let words = |line: &'static str| line.split(|c: char| !c.is_ascii_alphanumeric());
        let all: Vec<_> = LINES.into_iter().flat_map(words).collect();
        let registers = Register::ALL.into_iter().map(Register::name);
        for name in registers.chain(["BOUND1", "BOUND2", "COUNT2", "COUNT4", "COUNT8"]) {
            assert!(all.contains(&name), "{name}");
        }
    }

    #[test]
    fn boards_the_program_cannot_search_have_no_line() {
        assert!(snapshots(3).all(|now| acting(&now).is_none()));
    }
}
