//! Creates random exercises: each method has its kinds of question, and the boards come from its
//! search.

use alloc::vec::Vec;

use super::split_mix::{SplitMix64, fnv1a};
use super::{Answer, Exercise, Question};
use crate::{
    Branching, Cell, Class, Event, Masks, Method, Placement, Queens, Register, RowBits, Rule, Size,
    Square, Stepped, Tracer, Transform, View, images, representative,
};

impl Exercise {
    /// Creates the exercise of a method for a seed, with the difficulty of [`Exercise::level`].
    /// Every method and seed has one. The boards are small enough for their searches to take
    /// milliseconds.
    pub fn new(method: Method, seed: u32) -> Option<Exercise> {
        let level = Exercise::level(seed) as usize;
        // Methods draw different boards from the same seed. Ids never change, unlike the numbers of methods.
        let random = SplitMix64::new(u64::from(seed) ^ fnv1a(method.id()));
        let mut draw = Draw { random, level };
        match method {
            Method::BruteForce => draw.next_queen(Stepped::BruteForce, 3, 5, 0),
            Method::Permutations => draw.next_queen(Stepped::Permutations, 4, 6, 2),
            // The method is about going back, so every level asks for a step back.
            Method::Backtracking => draw.next_queen(Stepped::Backtracking, 4, 8, 0),
            Method::Flags => draw.attacked(),
            Method::FlagsSymmetry => draw.class(),
            Method::FlagsSymmetryHalf => draw.mirrored(Stepped::FlagsSymmetryHalf),
            Method::Bitmap => draw.word(),
            Method::Mirror => draw.mirrored(Stepped::Mirror),
            Method::BitmapSymmetry => draw.smallest(),
            Method::BitmapSymmetryHalf => draw.compare(),
            Method::Bound1 => draw.branch(Stepped::Bound1, Branching::Bound1),
            Method::Bound2 => draw.bound2(),
            Method::SideCuts => draw.closed(
                Stepped::SideCuts,
                Branching::SideCuts,
                &[Rule::UpperSide, Rule::LowerSide, Rule::Corner],
            ),
            Method::Symmetry if draw.random.below(2) == 0 => {
                draw.closed(Stepped::Symmetry, Branching::Symmetry, &[Rule::LastRow])
            }
            Method::Symmetry => draw.cells(),
            Method::Colours => draw.other_colour(),
        }
    }
}

/// The random choices of one exercise.
struct Draw {
    random: SplitMix64,
    /// The difficulty, 0 to 3.
    level: usize,
}

impl Draw {
    /// Draws a board size between `least` and `most` that grows with the level.
    fn size(&mut self, least: u32, most: u32) -> Option<Size> {
        let span = (most.saturating_sub(least)) as usize;
        let from = span * self.level / 4;
        let to = (span * (self.level + 1)).div_ceil(4);
        Size::new(least + (from + self.random.below(to - from + 1)) as u32).ok()
    }

    /// Asks for the next queen of a search, on the board right after the last queen was placed. From
    /// level `back` on, the search lifts queens before it places the next one. On easier levels, it
    /// places the next queen in the row below the last one.
    fn next_queen(
        &mut self,
        method: Stepped,
        least: u32,
        most: u32,
        back: usize,
    ) -> Option<Exercise> {
        let size = self.size(least, most)?;
        let mut tracer = Tracer::new(method, size);
        let mut last: Option<(u64, u32)> = None;
        // Whether an attack has closed squares since the last queen. Brute force closes none, so
        // any of its queens will do.
        let mut closed = method == Stepped::BruteForce;
        // On the first level of backtracking, the search goes back by at most one row, and it starts
        // from a dead end, not from a solution.
        let must_be_short = method == Stepped::Backtracking && self.level == 0;
        let mut candidates = Vec::new();
        while let Some(step) = tracer.forward() {
            match step {
                Event::Reject { .. } => closed = true,
                Event::Place { row, square } => {
                    let square = Square::of_bits(size, row, square)?;
                    let is_short = |above: u32| above <= row + 1 && above < size.last();
                    if let Some((step, above)) = last
                        && closed
                        && (row <= above) == (self.level >= back)
                        && (!must_be_short || is_short(above))
                    {
                        candidates.push((step, square));
                    }
                    last = Some((tracer.steps(), row));
                    closed = method == Stepped::BruteForce;
                }
                _ => {}
            }
        }
        let (step, square) = self.random.pick(&candidates)?;
        let board = tracer_at(method, size, step).view().placed();
        let answer = squares(size, [square]);
        Some(of_search(board, (method, step), Question::NextQueen, answer))
    }

    /// Draws a step of a search right after a placement, with at least `least` rows above the next
    /// queen.
    fn placed(&mut self, method: Stepped, size: Size, least: u32) -> Option<Tracer> {
        let mut tracer = Tracer::new(method, size);
        let mut steps = Vec::new();
        while let Some(step) = tracer.forward() {
            if let Event::Place { row, .. } = step
                && row + 1 >= least
                && row < size.last()
            {
                steps.push(tracer.steps());
            }
        }
        let step = self.random.pick(&steps)?;
        Some(tracer_at(method, size, step))
    }

    /// Asks for the squares of a row that the queens above attack.
    fn attacked(&mut self) -> Option<Exercise> {
        let size = self.size(5, 8)?;
        let least = 1 + self.level as u32;
        let mut tracer = self.placed(Stepped::Flags, size, least)?;
        // The next step enters the row.
        tracer.forward()?;
        let view = tracer.view();
        let row = view.row;
        let answer = in_row(size, row, view.attacks.squares() & size.mask());
        let search = (Stepped::Flags, tracer.steps());
        Some(of_search(view.placed(), search, Question::Attacked { row }, answer))
    }

    /// Asks for the bits of a row that are 1 in one of the registers with the lines of attack.
    fn word(&mut self) -> Option<Exercise> {
        let size = self.size(5, 8)?;
        let least = 1 + self.level as u32;
        let mut tracer = self.placed(Stepped::Bitmap, size, least)?;
        tracer.forward()?;
        let (view, row) = (tracer.view(), tracer.view().row);
        let nonempty = |&register: &Register| {
            let word = view.register(register)?;
            (!word.is_empty()).then_some((register, word))
        };
        let registers: Vec<_> = Register::LINES.iter().filter_map(nonempty).collect();
        let (register, word) = self.random.pick(&registers)?;
        let question = Question::Word { row, register };
        let search = (Stepped::Bitmap, tracer.steps());
        Some(of_search(view.placed(), search, question, in_row(size, row, word)))
    }

    /// Asks for the half of a row that is closed because the mirror image covers it, or for the next
    /// queen of a search that skips this half.
    fn mirrored(&mut self, method: Stepped) -> Option<Exercise> {
        // The easiest level always asks for the half itself.
        if self.level > 0 && self.random.below(2) == 0 {
            return self.next_queen(method, 4, 8, 2);
        }
        if method == Stepped::Mirror && self.level > 0 {
            let n = self.random.pick(&[5, 7, 9])?;
            return self.half(method, Size::new(n).ok()?, 1);
        }
        let size = self.size(4, 12)?;
        self.half(method, size, 0)
    }

    /// Asks for the closed half of `row`; in the second row, below a queen in the middle of the
    /// first.
    fn half(&mut self, method: Stepped, size: Size, row: u32) -> Option<Exercise> {
        let middle = RowBits::of(size.last() / 2);
        let (steps, view) = seek(method, size, |event, view| {
            matches!(event, Event::Descend { row: event_row } if event_row == row)
                && view.rows().iter().take(row as usize).all(|&queen| queen == middle)
        })?;
        let (_, closed) = view.governed(row)?;
        let question = Question::Closed { rule: Rule::Half, row: Some(row) };
        let answer = in_row(size, row, closed);
        Some(of_search(view.placed(), (method, steps), question, answer))
    }

    /// Draws a solution: a random image of a random representative for which `fits` holds.
    fn solution(&mut self, size: Size, fits: impl Fn(&Placement) -> bool) -> Option<Placement> {
        let mut tracer = Tracer::new(Stepped::Symmetry, size);
        let mut representatives = Vec::new();
        while let Some(step) = tracer.forward() {
            if let Event::Solution { .. } = step {
                representatives.extend(tracer.view().placement().filter(&fits));
            }
        }
        let solution = self.random.pick(&representatives)?;
        Some(self.random.pick(&Transform::ALL)?.apply(&solution))
    }

    /// Draws a solution whose class is 2, 4 or 8 with equal probability.
    fn solution_of_class(&mut self) -> Option<Placement> {
        let kinds: [(Class, &[u32]); 3] =
            [(Class::Two, &[4, 5]), (Class::Four, &[6, 7, 8, 9]), (Class::Eight, &[5, 7, 8, 9])];
        let (class, sizes) = self.random.pick(&kinds)?;
        let easy = if self.level == 0 { 2 } else { sizes.len() };
        let n = self.random.pick(sizes.get(..easy)?)?;
        self.solution(Size::new(n).ok()?, |solution| Class::of(solution) == class)
    }

    /// Asks for the size of a solution's class.
    fn class(&mut self) -> Option<Exercise> {
        let solution = self.solution_of_class()?;
        let right = Class::of(&solution);
        let number = Question::CLASSES.iter().position(|&class| class == right)?;
        Some(of_solution(&solution, Question::Class, number))
    }

    /// Asks which of some images of a solution has the smallest judgement value.
    fn smallest(&mut self) -> Option<Exercise> {
        let size = self.size(5, 9)?;
        let solution = self.solution(size, |_| true)?;
        let smallest = representative(&solution);
        let mut others: Vec<Placement> = Vec::new();
        for (_, image) in images(&solution) {
            if image != smallest && !others.contains(&image) {
                others.push(image);
            }
        }
        self.random.shuffle(&mut others);
        others.truncate(1 + self.level);
        others.push(smallest);
        self.random.shuffle(&mut others);
        let number = others.iter().position(|&image| image == smallest)?;
        Some(of_solution(&solution, Question::Smallest(others), number))
    }

    /// Asks for a comparison of a solution whose first queen is in the right-hand half or in the
    /// middle, as in all solutions that the method finds.
    fn compare(&mut self) -> Option<Exercise> {
        let solution = self.solution_of_class()?;
        let closed = crate::left_half(solution.size());
        let is_enumerated = |solution: &Placement| {
            solution.rows().next().is_some_and(|first| !closed.intersects(first))
        };
        let solution =
            if is_enumerated(&solution) { solution } else { Transform::LeftRight.apply(&solution) };
        let same = |transform: &Transform| transform.apply(&solution) == solution;
        let mut transforms = Transform::ALL.to_vec();
        transforms.retain(|&transform| transform != Transform::Identity);
        let wants_same = self.random.below(3) == 0 && transforms.iter().any(same);
        transforms.retain(|transform| same(transform) == wants_same);
        let transform = self.random.pick(&transforms)?;
        let mut exercise = of_solution(&solution, Question::Compare(transform), 0);
        let right = exercise.compared(transform);
        let number = Question::OUTCOMES.iter().position(|&outcome| outcome == right)?;
        exercise.answer = Answer::Choice(number);
        Some(exercise)
    }

    /// Draws a branch for which `fits` holds, with the step and the view after its first queens have
    /// been placed.
    fn masks(
        &mut self,
        method: Stepped,
        branching: Branching,
        size: Size,
        fits: impl Fn(&Masks) -> bool,
    ) -> Option<(Masks, u64, View)> {
        let branches: Vec<_> = Masks::branches_of(branching, size).filter(fits).collect();
        let masks = self.random.pick(&branches)?;
        let row = u32::from(masks.is_corner());
        let (steps, view) = seek(method, size, |event, view| {
            matches!(event, Event::Place { row: event_row, .. } if event_row == row)
                && view.masks == Some(masks)
        })?;
        Some((masks, steps, view))
    }

    /// Asks for the first queens of a branch; if the method has a corner case, of a branch of this case.
    fn branch(&mut self, method: Stepped, branching: Branching) -> Option<Exercise> {
        let size = self.size(5, 8)?;
        // A middle column is left out, because its number is the same from both sides.
        let (masks, steps, view) = self.masks(method, branching, size, |masks| {
            masks.is_corner() == branching.has_corner() && 2 * masks.bound1 != size.last()
        })?;
        let question = Question::Branch { bound1: masks.bound1, corner: masks.is_corner() };
        let answer = Answer::Squares(view.placed());
        Some(of_search(Queens::none(size), (method, steps), question, answer))
    }

    /// Asks for the corner's two queens, or for the ends of row BOUND2.
    fn bound2(&mut self) -> Option<Exercise> {
        let (method, branching) = (Stepped::Bound2, Branching::Bound2);
        if self.random.below(2) == 0 {
            return self.branch(method, branching);
        }
        let size = self.size(5, 8)?;
        let (masks, steps, view) =
            self.masks(method, branching, size, |masks| !masks.is_corner())?;
        let sides = RowBits::of(0) | RowBits::of(size.last());
        let question = Question::Bound2 { bound1: masks.bound1 };
        let answer = in_row(size, masks.bound2, sides);
        Some(of_search(view.placed(), (method, steps), question, answer))
    }

    /// Asks for the squares that one of the rules closes, in a branch where it closes some.
    fn closed(
        &mut self,
        method: Stepped,
        branching: Branching,
        rules: &[Rule],
    ) -> Option<Exercise> {
        let size = self.size(6, 9)?;
        let rule = self.random.pick(rules)?;
        let closes = |masks: &Masks| -> Vec<Square> {
            let rows = (0..size.get()).filter_map(|row| {
                let (by, squares) = masks.closed(row)?;
                (by == rule).then_some((row, squares))
            });
            let squares = rows.flat_map(|(row, squares)| {
                squares
                    .columns()
                    .filter_map(move |column| Square::from_right(size, row, column).ok())
            });
            squares.collect()
        };
        // If row BOUND2 is not below row BOUND1, rules 1 and 2 overlap. With BOUND1 = 1, rule 3
        // closes only the corners, which rule 2 closes as well.
        let least = if rule == Rule::LastRow { 2 } else { 0 };
        let (masks, steps, view) = self.masks(method, branching, size, |masks| {
            (least..masks.bound2).contains(&masks.bound1) && !closes(masks).is_empty()
        })?;
        let answer = squares(size, closes(&masks));
        let question = Question::Closed { rule, row: None };
        Some(of_search(view.placed(), (method, steps), question, answer))
    }

    /// Asks for the cells A, B and C of a branch.
    fn cells(&mut self) -> Option<Exercise> {
        let (method, size) = (Stepped::Symmetry, self.size(6, 9)?);
        let (masks, steps, view) =
            self.masks(method, Branching::Symmetry, size, |masks| !masks.is_corner())?;
        let cells = Cell::ALL.into_iter().filter_map(|cell| {
            let (row, square) = masks.cell(cell)?;
            Square::of_bits(size, row, square)
        });
        let answer = squares(size, cells);
        Some(of_search(view.placed(), (method, steps), Question::Cells, answer))
    }

    /// Asks for the black squares that the white queens of a solution leave to the black ones.
    fn other_colour(&mut self) -> Option<Exercise> {
        let size = self.size(5, 8)?;
        let is_white = |square: Square| {
            let (row, column) = square.to_left();
            (row + column).is_multiple_of(2)
        };
        let solution = self.solution(size, |solution| !solution.squares().all(is_white))?;
        let white: Vec<Square> = solution.squares().filter(|&square| is_white(square)).collect();
        let is_left = |square: &Square| {
            let shares =
                |queen: &Square| queen.row() == square.row() || queen.bit() == square.bit();
            !is_white(*square) && !white.iter().any(shares)
        };
        Some(Exercise {
            board: white.iter().copied().fold(Queens::none(size), Queens::toggled),
            search: None,
            question: Question::OtherColour,
            answer: squares(size, Square::all(size).filter(is_left)),
        })
    }
}

/// Runs a search for `steps` steps.
fn tracer_at(method: Stepped, size: Size, steps: u64) -> Tracer {
    let mut tracer = Tracer::new(method, size);
    while tracer.steps() < steps && tracer.forward().is_some() {}
    tracer
}

/// Runs a search until `fits` holds and returns the step and the view there.
fn seek(method: Stepped, size: Size, fits: impl Fn(Event, &View) -> bool) -> Option<(u64, View)> {
    let mut tracer = Tracer::new(method, size);
    while let Some(step) = tracer.forward() {
        let view = tracer.view();
        if fits(step, &view) {
            return Some((tracer.steps(), view));
        }
    }
    None
}

/// The answer that consists of these squares.
fn squares(size: Size, squares: impl IntoIterator<Item = Square>) -> Answer {
    Answer::Squares(squares.into_iter().fold(Queens::none(size), Queens::toggled))
}

/// The answer that consists of these squares of a row.
fn in_row(size: Size, row: u32, bits: RowBits) -> Answer {
    squares(size, bits.columns().filter_map(|column| Square::from_right(size, row, column).ok()))
}

/// An exercise about a search, which is given with the number of its steps.
fn of_search(
    board: Queens,
    search: (Stepped, u64),
    question: Question,
    answer: Answer,
) -> Exercise {
    Exercise { board, search: Some(search), question, answer }
}

/// An exercise about a solution. The correct answer is the choice with this number.
fn of_solution(solution: &Placement, question: Question, number: usize) -> Exercise {
    let (board, answer) = (Queens::from(solution), Answer::Choice(number));
    Exercise { board, search: None, question, answer }
}
