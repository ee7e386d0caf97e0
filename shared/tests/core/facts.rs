//! Compares the metadata of every method with its searches.

use std::collections::BTreeSet;

use queens_core::{Event, Found, Line, Meets, Register, Rule, Size, Square, Stepped, Tracer};

/// The observed behaviour of a method on small boards, which are large enough to show all of it.
#[derive(Default)]
struct Observed {
    registers: BTreeSet<Register>,
    rules: BTreeSet<Rule>,
    meets: Vec<Meets>,
    /// The lines along which an attacked square still gets a queen.
    untested: Vec<Line>,
    compares: bool,
    branches: bool,
    /// Rows whose queens are not taken from the lowest free square, or which are left while squares
    /// are free.
    by_a_loop: BTreeSet<u32>,
}

impl Observed {
    fn of(method: Stepped) -> Observed {
        let largest = if method.facts().largest < 12 { 6 } else { 8 };
        let mut observed = Observed::default();
        for size in Size::all().take(largest).skip(1) {
            observed.search(Tracer::new(method, size));
        }
        observed
    }

    fn search(&mut self, mut tracer: Tracer) {
        let has_word = tracer.view().method.keeps(Register::Free);
        let mut free = [tracer.view().size.mask(); 32];
        let mut before = tracer.view();
        while let Some(step) = tracer.forward() {
            let view = tracer.view();
            let has = |register: &Register| view.register(*register).is_some();
            self.registers.extend(Register::ALL.into_iter().filter(has));
            self.branches |= view.masks.is_some();
            match step {
                Event::Descend { row } => free[row as usize] = view.size.mask(),
                Event::Reject { row, squares } => {
                    free[row as usize] -= squares;
                    // A square rejected before its row has a queen is attacked along a tested line.
                    let mut rejected = Square::all(view.size)
                        .filter(|at| at.row() == row && squares.intersects(at.bit()))
                        .filter(|_| view.queens[row as usize].is_empty());
                    assert!(rejected.all(|at| view.obstacle(at).is_some()), "{}", view.method);
                }
                Event::Cut { row, rule, squares } => {
                    self.rules.insert(rule);
                    free[row as usize] -= squares;
                }
                Event::Place { row, square } => {
                    let context = format!("{} step {}", view.method, tracer.steps());
                    let at = Square::of_bits(view.size, row, square).unwrap();
                    assert_eq!(view.rule(at), None, "{context}");
                    assert_eq!(view.obstacle(at), None, "{context}");
                    self.untested.extend(view.attackers(at).map(|by| by.line));
                    if has_word && free[row as usize].lowest() != square {
                        assert!(before.chosen_by_a_loop(row), "{context}: row {row}");
                        self.by_a_loop.insert(row);
                    }
                    free[row as usize] -= square;
                }
                Event::Compare { .. } => self.compares = true,
                Event::Solution { found } => {
                    let meets = match found {
                        Found::Single => Meets::Every,
                        Found::MirrorPair => Meets::MirrorPairs,
                        Found::Class(_) => Meets::Representatives,
                    };
                    if !self.meets.contains(&meets) {
                        self.meets.push(meets);
                    }
                }
                Event::Back { row } if has_word && !free[row as usize + 1].is_empty() => {
                    // A full board has no row below the last.
                    if row < view.size.last() {
                        assert!(before.chosen_by_a_loop(row + 1), "{}: row {row}", view.method);
                        self.by_a_loop.insert(row + 1);
                    }
                }
                Event::Done if has_word && !free[0].is_empty() => {
                    self.by_a_loop.insert(0);
                }
                Event::Try { .. } | Event::Back { .. } | Event::Done => {}
            }
            before = view;
        }
    }
}

#[test]
fn every_method_matches_its_facts() {
    for &method in Stepped::ALL {
        let (facts, observed) = (method.facts(), Observed::of(method));
        assert!(
            observed.registers.iter().eq(facts.registers),
            "{method}: {:?}",
            observed.registers
        );
        assert!(observed.rules.iter().eq(facts.rules), "{method}: {:?}", observed.rules);
        assert_eq!(observed.meets, [facts.meets], "{method}");
        for line in Line::ALL {
            let is_tested = !observed.untested.contains(&line);
            assert_eq!(facts.tests.contains(&line), is_tested, "{method}: {line:?}");
        }
        assert_eq!(observed.compares, facts.counts_classes(), "{method}");
        assert_eq!(observed.branches, facts.branching.is_some(), "{method}");
        assert_eq!(observed.by_a_loop.contains(&0), facts.branching.is_some(), "{method}");
        assert_eq!(observed.rules.contains(&Rule::Half), facts.half.is_some(), "{method}");
    }
}

#[test]
fn free_has_no_value_where_a_loop_chooses_the_queen() {
    let keeps = |method: &&Stepped| method.facts().keeps(Register::Free);
    for &method in Stepped::ALL.iter().filter(keeps) {
        let mut tracer = Tracer::new(method, Size::new(6).unwrap());
        // No row has been entered yet.
        assert_eq!(tracer.view().register(Register::Free), None, "{method}");
        let mut values = 0;
        while tracer.forward().is_some() {
            let view = tracer.view();
            let free = view.register(Register::Free);
            let by_a_loop = method.facts().branching.is_some() && view.row == 0;
            assert!(free.is_none() || !by_a_loop, "{method} step {}", tracer.steps());
            values += u32::from(free.is_some());
        }
        assert!(values > 0, "{method}");
    }
}
