//! The job behind the table of numbers: boards counted one after the other.

use queens_core::{Size, half_turn_from, quarter_turn};

use super::{
    jobs::Job,
    protocol::{Answer, Counted},
    searches::Classes,
};

/// The largest board whose classes are counted: some seconds.
pub const LARGEST_CLASSES: u32 = 15;

/// The largest board whose solutions that equal a turn are counted: less than a second.
pub const LARGEST_TURNS: u32 = 20;

/// The classes of all boards up to [`LARGEST_CLASSES`], then H and R up to [`LARGEST_TURNS`].
pub struct Numbers {
    size: Size,
    classes: Classes,
    /// The column of the next first queen whose share of H is counted, and H so far.
    half_turn: (u32, u64),
    counted: Vec<Counted>,
}

impl Numbers {
    /// Nothing counted yet.
    pub fn new() -> Numbers {
        const SMALLEST: Size = match Size::new(1) {
            Ok(size) => size,
            Err(_) => unreachable!(),
        };
        let size = SMALLEST;
        Numbers { size, classes: Classes::new(size), half_turn: (0, 0), counted: vec![] }
    }

    /// Goes on to the next board. Returns whether there is one.
    fn next(&mut self) -> bool {
        match Size::new(self.size.get() + 1) {
            Ok(size) if size.get() <= LARGEST_TURNS => {
                self.size = size;
                self.classes = Classes::new(size);
                self.half_turn = (0, 0);
                true
            }
            _ => false,
        }
    }
}

impl Job for Numbers {
    fn work(&mut self, steps: u32) -> bool {
        let size = self.size;
        if size.get() <= LARGEST_CLASSES {
            if self.classes.work(steps) {
                return true;
            }
            let ledger = self.classes.ledger();
            let (half_turn, quarter_turn) = (ledger.half_turn, ledger.quarter_turn);
            self.counted.push(Counted { size, half_turn, quarter_turn, ledger: Some(ledger) });
            // The boards themselves are not wanted.
            let _ = self.classes.report();
            return self.next();
        }
        let (column, so_far) = self.half_turn;
        if column < size.get() {
            self.half_turn = (column + 1, so_far + half_turn_from(size, column));
            return true;
        }
        let quarter_turn = quarter_turn(size);
        self.counted.push(Counted { size, half_turn: so_far, quarter_turn, ledger: None });
        self.next()
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
        let mut job = Numbers::new();
        let mut all = vec![];
        while job.size.get() <= 12 && job.work(4096) {}
        // The larger boards by their turns alone, which is quick.
        job.size = Size::new(LARGEST_CLASSES).unwrap();
        assert!(job.next());
        while job.size.get() < 18 {
            job.work(1);
        }
        let Answer::Numbers { counted } = job.report() else { panic!() };
        all.extend(counted);
        let sizes: Vec<u32> = all.iter().map(|counted| counted.size.get()).collect();
        assert_eq!(sizes, (1..=12).chain([16, 17]).collect::<Vec<_>>());
        for counted in all {
            let known = known(counted.size.get()).unwrap();
            assert_eq!(
                (counted.half_turn, counted.quarter_turn),
                (known.half_turn, known.quarter_turn)
            );
            if let Some(ledger) = counted.ledger {
                assert_eq!((ledger.total(), ledger.unique()), (known.total, known.unique));
                assert_eq!(ledger.burnside(), known.unique);
            }
        }
    }
}
