//! Compares an instruction set with the portable code, task by task. Three crates use this module in
//! their tests: the core, natively and under emulators; the command, which queries the processor; and
//! the page's worker.

use queens_core::{Form, Isa, Method, Plan, Size};

/// Larger boards, whose sets are rebuilt after the first queens of a walk, with the distance between
/// the tasks that are counted.
pub const LARGER: [(u32, usize); 3] = [(16, 5), (17, 20), (18, 40)];

/// Counts every task of the boards up to `all`, and some tasks of `others`, with both
/// implementations.
pub fn same_as_portable(isa: Isa, all: u32, others: &[(u32, usize)]) -> Result<(), String> {
    for (n, step) in (1..=all).map(|n| (n, 1)).chain(others.iter().copied()) {
        let size = Size::new(n).map_err(|error| error.to_string())?;
        let plan = Plan::new(size, Method::Colours);
        let mut portable = plan.counter(Form::Recursive, Isa::PORTABLE);
        let mut other = plan.counter(Form::Recursive, isa);
        for task in (0..plan.len()).step_by(step) {
            let (expected, found) = (portable.count(&plan, task), other.count(&plan, task));
            if found.is_err() || found != expected {
                return Err(format!("{isa}, N = {n}, task {task}: {found:?}, not {expected:?}"));
            }
        }
    }
    Ok(())
}
