//! The job behind the table of numbers: counts one board size after the other.

use core::{ops::Range, time::Duration};

use queens_core::{
    Counter, Done, Form, Isa, Method, PartialCount, Plan, Size, TaskError, Turns, finalize,
    half_turn_from, quarter_turn,
};

use crate::{
    jobs::Job,
    protocol::{Answer, CountedBoard, Outcome},
};

/// The largest board whose solutions are counted, which takes some seconds.
pub const LARGEST_TOTAL: u32 = 17;

/// The largest board whose fixed points are counted, which takes less than a second.
pub const LARGEST_TURNS: u32 = 20;

/// The instruction set of counts in this build.
pub const ISA: Isa = {
    #[cfg(target_arch = "wasm32")]
    let isa = Isa::SIMD128;
    #[cfg(not(target_arch = "wasm32"))]
    let isa = Isa::BUILT_IN;
    isa
};

/// Counts the solutions (Q) and those fixed by a half turn (H) and by a quarter turn (R) of all
/// boards up to [`LARGEST_TOTAL`], then H and R alone up to [`LARGEST_TURNS`].
pub struct Boards {
    board: CurrentBoard,
    /// The boards counted since the last report.
    counted: Vec<CountedBoard>,
}

/// The board that is being counted.
struct CurrentBoard {
    size: Size,
    /// The count of all solutions; `None` for boards above [`LARGEST_TOTAL`].
    total: Option<Total>,
    /// The next column, from the right, whose part of H is counted: the solutions that have their first
    /// queen in this column.
    column: u32,
    /// The sum of the parts of H counted so far.
    half_turn: u64,
}

/// A count by the colour join, task by task.
struct Total {
    plan: Plan,
    counter: Counter,
    remaining: Range<usize>,
    partial: PartialCount,
}

impl Boards {
    /// Starts at N = 1.
    pub fn new() -> Boards {
        const SMALLEST: Size = match Size::new(1) {
            Ok(size) => size,
            Err(_) => unreachable!(),
        };
        Boards { board: CurrentBoard::new(SMALLEST), counted: vec![] }
    }
}

impl CurrentBoard {
    fn new(size: Size) -> CurrentBoard {
        let total = (size.get() <= LARGEST_TOTAL).then(|| Total::new(size));
        CurrentBoard { size, total, column: 0, half_turn: 0 }
    }

    /// Counts one more task or column. Returns the outcome once all numbers are known.
    fn count(&mut self) -> Option<Outcome> {
        match self.total.as_mut().map(Total::count_task) {
            Some(Ok(true)) => return None,
            Some(Err(_)) => return Some(Outcome::Failed),
            Some(Ok(false)) | None => {}
        }
        if self.column < self.size.get() {
            self.half_turn += half_turn_from(self.size, self.column);
            self.column += 1;
            return None;
        }
        let turns = Turns { half: self.half_turn, quarter: quarter_turn(self.size) };
        Some(match &self.total {
            None => Outcome::Turns(turns),
            Some(total) => match finalize(&total.partial, turns) {
                Ok(checked) => Outcome::Numbers(checked.numbers()),
                Err(_) => Outcome::Failed,
            },
        })
    }
}

impl Total {
    fn new(size: Size) -> Total {
        let plan = Plan::new(size, Method::Colours);
        let counter = plan.counter(Form::Recursive, ISA);
        let (remaining, partial) = (0..plan.len(), PartialCount::new(&plan));
        Total { plan, counter, remaining, partial }
    }

    /// Counts the next task, which takes some milliseconds on the largest board. Returns `false` if no
    /// task is left.
    fn count_task(&mut self) -> Result<bool, TaskError> {
        let Some(task) = self.remaining.next() else { return Ok(false) };
        let result = self.counter.count(&self.plan, task)?;
        // The time is not measured, because the table shows no times.
        self.partial.add(Done { task, result, took: Duration::ZERO })?;
        Ok(true)
    }
}

impl Job for Boards {
    fn work(&mut self, _steps: u32) -> bool {
        let Some(outcome) = self.board.count() else {
            return true;
        };
        let size = self.board.size;
        self.counted.push(CountedBoard { size, outcome });
        match Size::new(size.get() + 1) {
            Ok(size) if size.get() <= LARGEST_TURNS => {
                self.board = CurrentBoard::new(size);
                true
            }
            _ => false,
        }
    }

    fn report(&mut self) -> Answer {
        Answer::Numbers { boards: std::mem::take(&mut self.counted) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::known::known;

    #[test]
    fn live_counts_match_the_published_values() {
        let mut job = Boards::new();
        while job.board.size.get() <= 12 && job.work(1) {}
        // For the larger boards only H and R are counted, which is quick.
        job.board = CurrentBoard::new(Size::new(LARGEST_TOTAL + 1).unwrap());
        while job.work(1) {}
        let Answer::Numbers { boards } = job.report() else { panic!() };
        let sizes: Vec<u32> = boards.iter().map(|board| board.size.get()).collect();
        let larger = LARGEST_TOTAL + 1..=LARGEST_TURNS;
        assert_eq!(sizes, (1..=12).chain(larger).collect::<Vec<_>>());
        for CountedBoard { size, outcome } in boards {
            let known = *known(size.get()).unwrap();
            let expected = match size.get() {
                ..=12 => Outcome::Numbers(known),
                _ => Outcome::Turns(known.turns()),
            };
            assert_eq!(outcome, expected, "N = {size}");
        }
    }

    #[test]
    fn reports_an_impossible_count_as_failed() {
        let mut board = CurrentBoard::new(Size::new(8).unwrap());
        // One too many solutions that equal their half turn.
        board.half_turn = 1;
        let outcome = std::iter::repeat_with(|| board.count()).flatten().next();
        assert_eq!(outcome, Some(Outcome::Failed));
        let mut board = CurrentBoard::new(Size::new(8).unwrap());
        let total = board.total.as_mut().unwrap();
        total.count_task().unwrap();
        total.remaining = 0..1;
        assert_eq!(board.count(), Some(Outcome::Failed), "a task twice");
    }
}
