//! Tests of the colour join with the instruction sets of this processor. Each set is compared with the
//! portable code, task by task. Single tasks with the fastest set are also compared with backtracking, and
//! whole counts with the published totals. The tests of missing instruction sets are reported as ignored. The
//! tests of the page's worker cover WebAssembly's instruction set.

#[path = "../../shared/tests/core/vectors.rs"]
mod vectors;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use queens::isa;
use queens_core::{
    Form, InstructionSet, Isa, Method, Numbers, Plan, Size, Tally, known::known, recount,
};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = InstructionSet::ALL
        .into_iter()
        .filter(|&set| set != InstructionSet::Portable && !is_tested_elsewhere(set))
        .map(|set| {
            let here = isa::find(set);
            let test = move || here.map_or(Ok(()), same_as_portable);
            Trial::test(format!("{set}_matches_the_portable_code"), test)
                .with_ignored_flag(here.is_none())
        })
        .collect();
    for n in [14, 16] {
        let name = format!("a_task_of_n_{n}_matches_backtracking");
        trials.push(Trial::test(name, move || check_by_recount(n)));
    }
    for n in [17, 18] {
        let name = format!("total_of_n_{n}_matches_the_published_value");
        trials.push(Trial::test(name, move || check_published_total(n)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Every 64-bit Arm processor has NEON, so the core's own tests run with it, on an emulator if
/// necessary. The tests of the page's worker run with WebAssembly's instruction set.
fn is_tested_elsewhere(set: InstructionSet) -> bool {
    matches!(set, InstructionSet::Neon | InstructionSet::Simd128)
}

fn same_as_portable(isa: Isa) -> Result<(), Failed> {
    Ok(vectors::same_as_portable(isa, 15, &vectors::LARGER)?)
}

/// Compares a task, counted with the fastest instruction set, with a recount by code that shares
/// only the plan.
fn check_by_recount(n: u32) -> Result<(), Failed> {
    let plan = Plan::new(Size::new(n)?, Method::Colours);
    let task = plan.len() / 3;
    let found = plan.counter(Form::Recursive, isa::best()).count(&plan, task)?.total();
    let expected = recount(&plan, task)?;
    if found == Some(expected) && expected > 0 {
        return Ok(());
    }
    Err(format!("task {task}: {found:?}, not {expected}").into())
}

/// Compares a whole count with the fastest instruction set to the published total.
fn check_published_total(n: u32) -> Result<(), Failed> {
    let plan = Plan::new(Size::new(n)?, Method::Colours);
    let mut counter = plan.counter(Form::Recursive, isa::best());
    let mut sum = Tally::default();
    for task in 0..plan.len() {
        let tally = counter.count(&plan, task)?;
        sum = sum.checked_add(tally).ok_or("too many")?;
    }
    let (found, expected) = (sum.total(), known(n).map(Numbers::total));
    if found == expected { Ok(()) } else { Err(format!("{found:?}, not {expected:?}").into()) }
}
