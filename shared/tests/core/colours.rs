//! Compares the vector code of the colour join with its portable code, and tests what all tasks of the
//! method have in common.

use queens_core::{Form, InstructionSet, Isa, Method, Plan, Size, TaskError};

use crate::size;

/// The largest board of a test: `miri` under Miri, which is slow, and `usual` otherwise.
fn up_to(miri: u32, usual: u32) -> u32 {
    if cfg!(miri) { miri } else { usual }
}

/// The vector instruction set that this build requires.
#[cfg(any(target_arch = "aarch64", all(target_feature = "avx2", target_feature = "bmi2")))]
fn built_in() -> Isa {
    if cfg!(target_arch = "aarch64") {
        return Isa::BUILT_IN;
    }
    // SAFETY: the build requires AVX2 and BMI2. All processors with BMI2 also have BMI1 and POPCNT.
    #[expect(unsafe_code, reason = "only the build can know the machine")]
    let isa = unsafe { Isa::assume(InstructionSet::Avx2) };
    isa.unwrap()
}

#[cfg(any(target_arch = "aarch64", all(target_feature = "avx2", target_feature = "bmi2")))]
#[test]
fn simd_counts_match_the_portable_code() {
    let larger = if cfg!(miri) { &[(7, 4)][..] } else { &crate::vectors::LARGER[..] };
    assert_eq!(crate::vectors::same_as_portable(built_in(), up_to(5, 15), larger), Ok(()));
}

#[test]
fn rejects_the_tasks_of_another_plan() {
    let [colours, bitmap] =
        [Method::Colours, Method::Bitmap].map(|method| Plan::new(size(6), method));
    for (ours, theirs) in [(&colours, &bitmap), (&bitmap, &colours)] {
        let mut counter = ours.counter(Form::Recursive, Isa::BUILT_IN);
        let error = TaskError::OtherPlan {
            task: Some(0),
            theirs: theirs.identity(),
            ours: ours.identity(),
        };
        assert_eq!(counter.count(theirs, 0), Err(error));
        assert_eq!(counter.count_audit_set(theirs, 0), Err(error));
    }
}

#[test]
fn tasks_record_the_count_of_their_audit_set() {
    let plan = Plan::new(size(up_to(7, 13)), Method::Colours);
    let mut counter = plan.counter(Form::Recursive, Isa::BUILT_IN);
    for task in (0..plan.len()).step_by(7) {
        let chosen = counter.count_audit_set(&plan, task).unwrap();
        assert_eq!(counter.count(&plan, task).unwrap().chosen, chosen, "task {task}");
    }
}

#[test]
fn tasks_have_pairs_and_no_queens() {
    let plan = Plan::new(size(8), Method::Colours);
    assert!(plan.describe(0).is_none() && plan.queens(0).is_none() && plan.starts(0).is_empty());
    assert!(plan.pairs(plan.len()).is_none());
    assert!(plan.count(plan.len(), Form::Recursive).is_err());
    assert!(Plan::new(size(8), Method::Symmetry).pairs(0).is_none());
}

#[test]
fn a_counter_reports_its_memory() {
    let plan = Plan::new(size(up_to(6, 14)), Method::Colours);
    let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
    let before = counter.memory();
    counter.count(&plan, plan.len() / 2).unwrap();
    let after = counter.memory();
    assert!(after > before + 1000, "{before} {after}");
}

#[test]
fn instruction_sets_have_names() {
    for set in InstructionSet::ALL {
        assert_eq!(set.id().parse(), Ok(set));
    }
    assert!("sse9".parse::<InstructionSet>().is_err());
    assert_eq!(Isa::PORTABLE.set(), InstructionSet::Portable);
}

#[test]
fn rejects_boards_too_large_for_64_bits() {
    for n in Size::MAX_COUNTED + 1..=Size::MAX {
        let plan = Plan::new(size(n), Method::Colours);
        let mut counter = plan.counter(Form::Recursive, Isa::BUILT_IN);
        let error = counter.count(&plan, 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("N = {n} is too large for colours, which counts up to N = 28")
        );
    }
}
