//! The plain program of a method: the few lines that a reader follows next to the board.

use crate::{Branching, Cell, Class, Event, Facts, Found, Masks, Register, RowBits, Rule, View};

/// A line of a program, in the notation of Python, with the names of the seeds. Columns are counted from
/// the right, so that column 0 is the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramLine {
    /// The line, indented by four spaces for each level.
    pub text: &'static str,
    /// The events that the line stands for.
    pub acts: &'static [Act],
}

/// Where in the search an event occurs. Methods that divide the search by first queens place these in
/// separate loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// On the board of one square, of a method with such loops.
    OneSquare,
    /// In the loop of first queens.
    First,
    /// The queen in the corner.
    Corner,
    /// In the loop of second queens below the corner.
    Second,
    /// In the rows below, or in any row if there are no such loops.
    Row,
}

/// What a line of a program stands for: events of a search, as far as programs tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// [`Event::Descend`].
    Enter(At),
    /// [`Event::Try`].
    Try,
    /// [`Event::Reject`] of squares before a queen is placed.
    Attacked(At),
    /// [`Event::Reject`] of a full board.
    Refuse,
    /// [`Event::Cut`].
    Cut(Rule),
    /// [`Event::Place`].
    Place(At),
    /// [`Event::Compare`].
    Compare,
    /// [`Event::Compare`] because of a queen on a cell.
    CompareCell(Cell),
    /// [`Event::Solution`].
    Solution,
    /// [`Event::Solution`] of a class.
    SolutionOf(Class),
    /// [`Event::Solution`] below a queen in the corner.
    SolutionInCorner,
    /// [`Event::Back`].
    Lift(At),
    /// [`Event::Done`].
    Done,
}

impl ProgramLine {
    /// The registers that the line names.
    pub fn registers(&self) -> impl Iterator<Item = Register> {
        let words = |text: &'static str| text.split(|c: char| !c.is_alphanumeric());
        let text = self.text;
        Register::ALL
            .iter()
            .copied()
            .filter(move |register| words(text).any(|word| word == register.name()))
    }
}

impl At {
    /// The place of a row in a search.
    fn of(row: u32, view: &View) -> At {
        match row {
            _ if view.method.branching.is_none() => At::Row,
            _ if view.size.get() == 1 => At::OneSquare,
            0 if is_below_corner(view) => At::Corner,
            0 => At::First,
            1 if is_below_corner(view) => At::Second,
            _ => At::Row,
        }
    }

    /// The place of a row whose queen has been lifted.
    fn of_lifted(row: u32, view: &View) -> At {
        // The first queen next to the corner is the next one.
        let is_next =
            |masks: Masks| masks.branching.has_corner() && !masks.is_corner() && masks.bound1 == 1;
        match At::of(row, view) {
            At::First if view.masks.is_some_and(is_next) => At::Corner,
            at => at,
        }
    }
}

/// Whether the first queen is in the corner, as a separate case.
fn is_below_corner(view: &View) -> bool {
    let first = view.rows().first().copied().unwrap_or_default();
    view.method.branching.is_some_and(Branching::has_corner) && first == RowBits::of(0)
}

impl Act {
    /// The acts that describe an event, the most specific first. `view` is the state after the event.
    fn of(event: Event, view: &View) -> [Option<Act>; 3] {
        let is_full = view.rows().iter().all(|queen| !queen.is_empty());
        let one = |act| [Some(act), None, None];
        match event {
            Event::Descend { row: 0 } if view.method.branching.is_some() => {
                one(Act::Enter(At::First))
            }
            Event::Descend { row } => one(Act::Enter(At::of(row, view))),
            Event::Try { .. } => one(Act::Try),
            Event::Reject { .. } if is_full => one(Act::Refuse),
            Event::Reject { row, .. } => one(Act::Attacked(At::of(row, view))),
            Event::Cut { rule, .. } => one(Act::Cut(rule)),
            Event::Place { row, .. } => one(Act::Place(At::of(row, view))),
            Event::Compare { transform, .. } => {
                let cell = Cell::ALL.into_iter().find(|cell| cell.transform() == transform);
                [cell.map(Act::CompareCell), Some(Act::Compare), None]
            }
            Event::Solution { found } => {
                let class = match found {
                    Found::Class(class) => Some(Act::SolutionOf(class)),
                    Found::Single | Found::MirrorPair => None,
                };
                [is_below_corner(view).then_some(Act::SolutionInCorner), class, Some(Act::Solution)]
            }
            Event::Back { row } => one(Act::Lift(At::of_lifted(row, view))),
            Event::Done => one(Act::Done),
        }
    }
}

impl Facts {
    /// The lines of the method's program.
    pub fn program_lines(&self) -> impl Iterator<Item = &'static ProgramLine> {
        self.program.iter().copied().flatten()
    }

    /// The number of the line, from 0, that stands for an event. `view` is the state after the event.
    pub fn line_of(&self, event: Event, view: &View) -> Option<usize> {
        let line_of = |act| self.program_lines().position(|line| line.acts.contains(&act));
        Act::of(event, view).into_iter().flatten().find_map(line_of)
    }
}

/// Writes lines of a program, each with the events that it stands for.
macro_rules! program {
    ($($text:literal $(=> $($act:expr),+)?;)+) => {{
        #[allow(unused_imports, reason = "not every part of a program has all kinds of lines")]
        use crate::{
            Cell, Class, Rule,
            search::program::{Act::*, At::*, ProgramLine},
        };
        const LINES: &[ProgramLine] =
            &[$(ProgramLine { text: $text, acts: &[$($($act),+)?] }),+];
        LINES
    }};
}
pub(super) use program;

/// The first lines of a search by words that leads to [`CHECK`].
pub(super) const ENTER: &[ProgramLine] = program! {
    "def search(row, left, down, right):" => Enter(Row);
    "    if row == N: check(); return";
    "    free = MASK & ~(left | down | right)" => Attacked(Row);
};

/// The loop of a search by words over the free squares of a row.
pub(super) const EACH_FREE: &[ProgramLine] = program! {
    "    while free:";
    "        bit = free & -free; free ^= bit  # rightmost";
    "        board[row] = bit" => Place(Row);
    "        search(row + 1, (left | bit) << 1, down | bit, (right | bit) >> 1)";
    "        board[row] = 0" => Lift(Row);
};

/// The body of the loop of a search by flags over the columns of a row.
pub(super) const EACH_COLUMN: &[ProgramLine] = program! {
    "        if left[column + row] or down[column] or right[column - row]: continue" => Attacked(Row);
    "        board[row] = column" => Place(Row);
    "        left[column + row] = down[column] = right[column - row] = True";
    "        search(row + 1)";
    "        left[column + row] = down[column] = right[column - row] = False";
    "        board[row] = None" => Lift(Row);
};

/// The test of a square against the queens above, one by one.
pub(super) const ATTACKED: &[ProgramLine] = program! {
    "def attacked(row, column):";
    "    for above in range(row):";
    "        if abs(column - board[above]) in (0, row - above): return True";
};

/// The cuts of the side columns and, below a queen in the corner, of the column next to it.
pub(super) const SIDE_CUTS: &[ProgramLine] = program! {
    "    if row < BOUND1 and board[0] == 1: free &= ~2" => Cut(Rule::Corner);
    "    if row < BOUND1: free &= ~SIDEMASK" => Cut(Rule::UpperSide);
    "    if row == BOUND2 and down & SIDEMASK != SIDEMASK:";
    "        free &= SIDEMASK if down & SIDEMASK else 0" => Cut(Rule::LowerSide);
};

/// The body of the loop of second queens below the corner, and the end of that case.
pub(super) const EACH_SECOND: &[ProgramLine] = program! {
    "    board[1] = bit = 1 << BOUND1" => Place(Second);
    "    search(2, (2 | bit) << 1, 1 | bit, bit >> 1)";
    "    board[1] = 0" => Lift(Second);
    "board[0] = 0" => Lift(Corner);
};

/// The body of the loop of first queens.
pub(super) const EACH_FIRST: &[ProgramLine] = program! {
    "    board[0] = bit = 1 << BOUND1" => Place(First);
    "    search(1, bit << 1, bit, bit >> 1)";
    "    board[0] = 0" => Lift(First);
};

/// The comparison of a solution with its images, and these images, in a search by words.
pub(super) const CHECK: &[ProgramLine] = program! {
    "def check():  # is no image smaller?";
    "    equal = 0";
    "    for image in images(board):";
    "        if image < board: return" => Compare;
    "        equal += image == board";
    "    total += 8 // equal" => Solution;
    "def images(image):  # turned and mirrored";
    "    for turn in range(4):";
    "        image = [1 << image.index(1 << column) for column in reversed(range(N))]";
    "        yield image; yield image[::-1]";
};

/// [`CHECK`] for a search that counts columns from the left.
pub(super) const CHECK_COLUMNS: &[ProgramLine] = program! {
    "def check():  # is no image smaller?";
    "    equal = 0";
    "    for image in images(board):";
    "        if image > board: return  # its queens are further right" => Compare;
    "        equal += image == board";
    "    total += 8 // equal" => Solution;
    "def images(image):  # turned and mirrored";
    "    for turn in range(4):";
    "        image = [N - 1 - image.index(column) for column in range(N)]";
    "        yield image; yield image[::-1]";
};

/// The call of a search that passes the row only.
pub(super) const FROM_THE_TOP: &[ProgramLine] = program! {
    "search(0)";
    "print(total)" => Done;
};

/// The call of a search that passes words.
pub(super) const WITHOUT_ATTACKS: &[ProgramLine] = program! {
    "search(0, 0, 0, 0)";
    "print(total)" => Done;
};
