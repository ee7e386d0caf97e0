//! Compares half-board matching with known values and with recounts by backtracking, and its vector
//! code with its portable code.

#[cfg(not(miri))]
use proptest::prelude::*;
use queens_core::{
    Attacks, Form, Method, Plan, RowBits, Size, Tally, TaskError, draw_excluded,
    halves::{ColumnSets, Counter, InstructionSet, Isa, Splits, Tables},
    known::known,
    recount_audit_set,
};

use crate::size;

/// The largest board of a test: `miri` under Miri, which is slow, and `usual` otherwise.
fn up_to(miri: u32, usual: u32) -> u32 {
    if cfg!(miri) { miri } else { usual }
}

/// The total of a board, counted task by task.
fn total(n: u32, isa: Isa) -> u64 {
    let plan = Plan::new(size(n), Method::Halves);
    let mut counter = plan.counter(Form::Recursive, isa);
    let tallies = (0..plan.len()).map(|task| counter.count(&plan, task).unwrap());
    let sum = tallies.fold(Tally::default(), |sum, tally| sum.checked_add(tally).unwrap());
    sum.total().unwrap()
}

#[test]
fn totals_match_the_published_values() {
    for n in 1..=up_to(6, 16) {
        assert_eq!(total(n, Isa::PORTABLE), known(n).unwrap().total(), "N = {n}");
    }
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
    let larger = if cfg!(miri) { &[(8, 5)][..] } else { &crate::vectors::LARGER[..] };
    for isa in [built_in(), built_in().extracting()] {
        let same = crate::vectors::same_as_portable(Method::Halves, isa, up_to(6, 15), larger);
        assert_eq!(same, Ok(()));
    }
}

#[test]
fn partial_recounts_by_matching_and_backtracking_agree() {
    for n in 2..=up_to(6, 12) {
        let plan = Plan::new(size(n), Method::Halves);
        let mut counter = plan.counter(Form::Recursive, Isa::BUILT_IN);
        let (mut parts, mut wholes) = (0, 0);
        for task in 0..plan.len() {
            if plan.audit_set(task).is_none() {
                assert_eq!(counter.count_audit_set(&plan, task, Attacks::NONE), Ok(None));
                assert_eq!(recount_audit_set(&plan, task, Attacks::NONE), None);
                continue;
            }
            // Each task excludes different diagonals.
            let mut dice = (0..).map(|throw| task * 7 + throw * 11);
            let excluded = draw_excluded(size(n), task % 5, |below| dice.next().unwrap() % below);
            assert_eq!(excluded.left.len() + excluded.right.len(), task as u32 % 5);
            for excluded in [excluded, Attacks::NONE] {
                let counted = counter.count_audit_set(&plan, task, excluded).unwrap();
                let recounted = recount_audit_set(&plan, task, excluded);
                assert_eq!(counted, recounted, "N = {n}, task {task}, {excluded:?}");
                *(if excluded == Attacks::NONE { &mut wholes } else { &mut parts }) +=
                    counted.unwrap();
            }
        }
        assert!(parts <= wholes && (n < 8 || 0 < parts && parts < wholes), "N = {n}");
    }
}

#[test]
fn rejects_the_tasks_of_another_plan() {
    let [halves, bitmap] =
        [Method::Halves, Method::Bitmap].map(|method| Plan::new(size(6), method));
    for (ours, theirs) in [(&halves, &bitmap), (&bitmap, &halves)] {
        let mut counter = ours.counter(Form::Recursive, Isa::BUILT_IN);
        let error = TaskError::OtherPlan {
            task: Some(0),
            theirs: theirs.identity(),
            ours: ours.identity(),
        };
        assert_eq!(counter.count(theirs, 0), Err(error));
        assert_eq!(counter.count_audit_set(theirs, 0, Attacks::NONE), Err(error));
    }
}

#[test]
fn tasks_record_the_count_of_their_audit_set() {
    let plan = Plan::new(size(up_to(7, 13)), Method::Halves);
    let mut counter = plan.counter(Form::Recursive, Isa::BUILT_IN);
    for task in (0..plan.len()).step_by(7) {
        let chosen = counter.count_audit_set(&plan, task, Attacks::NONE).unwrap();
        let mut tallies = Vec::new();
        let whole =
            counter.count_resumable(&plan, task, None, |tally| tallies.push(tally)).unwrap();
        assert_eq!(whole.chosen, chosen, "task {task}");
        for tally in tallies {
            assert_eq!(counter.count_resumable(&plan, task, Some(tally), |_| {}), Ok(whole));
            // A tally can lack the count of the audit set. The remaining sets cannot supply it.
            let without = Tally { chosen: None, ..tally };
            let expected = Tally { chosen: None, ..whole };
            assert_eq!(counter.count_resumable(&plan, task, Some(without), |_| {}), Ok(expected));
        }
    }
}

#[test]
fn tasks_of_half_board_matching_have_column_sets_and_no_queens() {
    let n = up_to(5, 8);
    let plan = Plan::new(size(n), Method::Halves);
    assert!(plan.describe(0).is_none() && plan.queens(0).is_none() && plan.starts(0).is_empty());
    assert!(plan.column_sets(plan.len()).is_none());
    assert!(plan.count(plan.len(), Form::Recursive).is_err());
    assert!(Plan::new(size(8), Method::Symmetry).column_sets(0).is_none());
    let counted: u64 =
        (0..plan.len()).map(|task| plan.count(task, Form::Recursive).unwrap().single).sum();
    assert_eq!(counted, known(n).unwrap().total());
}

// This test has no memory access of interest to Miri, and large boards take minutes there.
#[cfg(not(miri))]
#[test]
fn plans_stay_within_limits_up_to_the_largest_board() {
    for n in 17..=Size::MAX_COUNTED {
        let plan = Plan::new(size(n), Method::Halves);
        assert!(plan.len() <= Plan::MAX_TASKS, "N = {n}");
        for task in [0, plan.len() / 2, plan.len() - 1] {
            for sets in plan.column_sets(task).unwrap() {
                assert_eq!((sets.top.len(), sets.bottom.len()), (n.div_ceil(2), n / 2));
                assert!(if n % 2 == 0 { [2, 4] } else { [1, 2] }.contains(&sets.weight));
            }
        }
    }
}

#[test]
fn a_counter_reports_its_memory() {
    let plan = Plan::new(size(up_to(6, 14)), Method::Halves);
    let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
    let (tables, before) = counter.memory();
    for task in 0..plan.len() {
        counter.count(&plan, task).unwrap();
    }
    let (same, after) = counter.memory();
    assert!(
        tables > up_to(1_000, 10_000) as usize && same == tables && after > before,
        "{tables} {before} {after}"
    );
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
fn invalid_column_sets_count_zero() {
    let even = ColumnSets {
        top: RowBits::from_bits(0b0000_1111),
        bottom: RowBits::from_bits(0b1111_0000),
        weight: 1,
    };
    let invalid = [
        ColumnSets { top: RowBits::from_bits(0b0001_1111), ..even },
        ColumnSets { bottom: RowBits::from_bits(0b0111_1000), ..even },
        ColumnSets { bottom: RowBits::from_bits(0b1111_0000_0000), ..even },
        ColumnSets { top: RowBits::from_bits(0xFFFF_0000), ..even },
    ];
    let mut counter = Counter::new(size(8), Isa::BUILT_IN).unwrap();
    for sets in invalid {
        assert_eq!(counter.count(&sets), 0, "{sets:?}");
        assert_eq!(counter.sample(&sets, 7, || {}), (0, 1), "{sets:?}");
        assert_eq!(counter.rough_estimate(&sets), 0.0, "{sets:?}");
    }
    // The upper half has five of nine columns, among them the middle one.
    let valid = Plan::new(size(9), Method::Halves).audit_set(0).unwrap();
    let without_one = ColumnSets { top: valid.top.without(valid.top.column()), ..valid };
    let with_middle = RowBits::from_bits(0b0_0001_1110);
    let middle_below =
        ColumnSets { top: with_middle.complement(size(9)), bottom: with_middle, ..valid };
    let exchanged = ColumnSets { top: valid.bottom, bottom: valid.top, ..valid };
    let mut counter = Counter::new(size(9), Isa::BUILT_IN).unwrap();
    for sets in [without_one, middle_below, exchanged] {
        assert_eq!(counter.count(&sets), 0, "{sets:?}");
    }
}

#[test]
fn rejects_boards_too_large_for_64_bits() {
    for n in Size::MAX_COUNTED + 1..=Size::MAX {
        assert!(Counter::new(size(n), Isa::BUILT_IN).is_none());
        assert!(Tables::new(size(n)).is_none());
        assert_eq!(Splits::new(size(n)), None);
        let plan = Plan::new(size(n), Method::Halves);
        let mut counter = plan.counter(Form::Recursive, Isa::BUILT_IN);
        let error = counter.count(&plan, 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("N = {n} is too large for halves, which counts up to N = 28")
        );
    }
}

// Proptest records failures in files, which Miri does not have.
#[cfg(not(miri))]
proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// A mirror of the board changes the columns but not the count.
    #[test]
    fn mirrored_column_sets_have_equal_counts(n in 6u32..=15, seed: u64) {
        let plan = Plan::new(size(n), Method::Halves);
        let mut counter = Counter::new(size(n), Isa::BUILT_IN).unwrap();
        let all: Vec<ColumnSets> =
            (0..plan.len()).flat_map(|task| plan.column_sets(task).unwrap()).collect();
        let sets = all[seed as usize % all.len()];
        let mirror = |set: RowBits| set.mirrored(size(n));
        let mirrored =
            ColumnSets { top: mirror(sets.top), bottom: mirror(sets.bottom), ..sets };
        prop_assert_eq!(mirrored.key(size(n)), sets.key(size(n)));
        let count = counter.count(&sets);
        prop_assert_eq!(counter.count(&mirrored), count, "{:?}", sets);
        // On odd boards the middle row belongs to the upper half.
        if n % 2 == 0 {
            let upside_down = ColumnSets { top: sets.bottom, bottom: sets.top, ..sets };
            prop_assert_eq!(upside_down.key(size(n)), sets.key(size(n)));
            prop_assert_eq!(counter.count(&upside_down), count, "{:?}", sets);
        }
    }
}
