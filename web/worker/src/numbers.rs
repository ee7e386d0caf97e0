//! The job behind the table of numbers: boards counted one after the other.

use queens_core::{
    Counter, Form, Method, Plan, Size, Tally, Turns, half_turn_from, halves::Isa, quarter_turn,
};

use crate::{
    jobs::Job,
    protocol::{Answer, Counted},
};

/// The largest board whose solutions are counted: some seconds.
pub const LARGEST_TOTAL: u32 = 17;

/// The largest board whose solutions that equal a turn are counted: less than a second.
pub const LARGEST_TURNS: u32 = 20;

/// With what half-board matching counts here.
const ISA: Isa = {
    #[cfg(target_arch = "wasm32")]
    let isa = Isa::SIMD128;
    #[cfg(not(target_arch = "wasm32"))]
    let isa = Isa::BUILT_IN;
    isa
};

/// Q of all boards up to [`LARGEST_TOTAL`], with H and R, then these alone up to
/// [`LARGEST_TURNS`].
pub struct Boards {
    board: Board,
    counted: Vec<Counted>,
}

/// The board that is being counted.
struct Board {
    size: Size,
    /// Q as far as it has been counted; none for large boards.
    total: Option<Total>,
    /// The column of the next first queen whose share of H is counted.
    column: u32,
    /// H so far.
    half_turn: u64,
}

/// A count by half-board matching, task by task.
struct Total {
    plan: Plan,
    counter: Counter,
    task: usize,
    tally: Tally,
}

impl Boards {
    /// Nothing counted yet.
    pub fn new() -> Boards {
        const SMALLEST: Size = match Size::new(1) {
            Ok(size) => size,
            Err(_) => unreachable!(),
        };
        Boards { board: Board::new(SMALLEST), counted: vec![] }
    }
}

impl Board {
    fn new(size: Size) -> Board {
        let total = (size.get() <= LARGEST_TOTAL).then(|| Total::new(size));
        Board { size, total, column: 0, half_turn: 0 }
    }

    /// Counts a little more; the numbers when all are known.
    fn count(&mut self) -> Option<Counted> {
        if let Some(total) = &mut self.total
            && total.count_task()
        {
            return None;
        }
        if self.column < self.size.get() {
            self.half_turn += half_turn_from(self.size, self.column);
            self.column += 1;
            return None;
        }
        Some(Counted {
            size: self.size,
            total: self.total.as_ref().and_then(|total| total.tally.total()),
            turns: Turns { half: self.half_turn, quarter: quarter_turn(self.size) },
        })
    }
}

impl Total {
    fn new(size: Size) -> Total {
        let plan = Plan::new(size, Method::Halves);
        let counter = plan.counter(Form::Recursive, ISA);
        Total { plan, counter, task: 0, tally: Tally::default() }
    }

    /// Counts the next task: some milliseconds on the largest board. Returns whether there was one.
    fn count_task(&mut self) -> bool {
        let Total { plan, counter, task, tally } = self;
        let counted = counter.count(plan, *task).and_then(|next| tally.checked_add(next));
        *task += 1;
        if let Some(sum) = counted {
            *tally = sum;
        }
        counted.is_some()
    }
}

impl Job for Boards {
    fn work(&mut self, _steps: u32) -> bool {
        let Some(counted) = self.board.count() else {
            return true;
        };
        self.counted.push(counted);
        match Size::new(self.board.size.get() + 1) {
            Ok(size) if size.get() <= LARGEST_TURNS => {
                self.board = Board::new(size);
                true
            }
            _ => false,
        }
    }

    fn report(&mut self) -> Answer {
        Answer::Numbers { counted: std::mem::take(&mut self.counted) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::known::known;

    #[test]
    fn what_is_counted_is_what_is_published() {
        let mut job = Boards::new();
        while job.board.size.get() <= 12 && job.work(1) {}
        // The larger boards by their turns alone, which is quick.
        job.board = Board::new(Size::new(LARGEST_TOTAL + 1).unwrap());
        while job.work(1) {}
        let Answer::Numbers { counted } = job.report() else { panic!() };
        let sizes: Vec<u32> = counted.iter().map(|counted| counted.size.get()).collect();
        let larger = LARGEST_TOTAL + 1..=LARGEST_TURNS;
        assert_eq!(sizes, (1..=12).chain(larger).collect::<Vec<_>>());
        for counted in counted {
            let n = counted.size.get();
            let known = known(n).unwrap();
            assert_eq!(counted.total, (n <= 12).then_some(known.total()), "N = {n}");
            assert_eq!(counted.turns, known.turns(), "N = {n}");
        }
    }
}
