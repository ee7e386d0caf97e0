//! Tests of the colour join with the instruction sets of this processor. Each set is compared with the
//! portable code, task by task. The tests of missing instruction sets are reported as ignored. The
//! tests of the page's worker cover WebAssembly's instruction set.

#[path = "../../shared/tests/core/vectors.rs"]
mod vectors;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use queens::isa;
use queens_core::{InstructionSet, Isa};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials: Vec<Trial> = InstructionSet::ALL
        .into_iter()
        .filter(|&set| set != InstructionSet::Portable && !is_tested_elsewhere(set))
        .map(|set| {
            let here = isa::find(set);
            let test = move || here.map_or(Ok(()), same_as_portable);
            Trial::test(format!("{set}_matches_the_portable_code"), test)
                .with_ignored_flag(here.is_none())
        })
        .collect();
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
