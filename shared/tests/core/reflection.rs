//! Tests how half-board matching uses the reflection at the diagonal: compares the count of each column
//! set with an independent search of all solutions.

use std::{cmp::Ordering, collections::BTreeMap};

use queens_core::{
    Method, Plan, Size,
    halves::{Counter, Isa},
    known::known,
};

/// Calls `visit` with every solution below the first queens, as the column of each row.
fn search(n: usize, queens: &mut Vec<usize>, visit: &mut impl FnMut(&[usize])) {
    if queens.len() == n {
        return visit(queens);
    }
    for column in 0..n {
        let row = queens.len();
        let is_attacked = |(above, &other): (usize, &usize)| {
            other == column || other.abs_diff(column) == row - above
        };
        if !queens.iter().enumerate().any(is_attacked) {
            queens.push(column);
            search(n, queens, visit);
            queens.pop();
        }
    }
}

/// The key of a solution's columns on an even board. A number is represented by the positions of
/// its bits, highest first, because such lists have the same order as the numbers.
fn key(queens: &[usize]) -> Vec<usize> {
    let last = queens.len() - 1;
    let quarter = |is_top: bool, is_left: bool| {
        let mut places: Vec<usize> = Vec::new();
        for (row, &column) in queens.iter().enumerate() {
            let in_half = (2 * row < last) == is_top;
            let at_side = (2 * column < last) == is_left;
            if in_half && at_side {
                places.push(if is_left { column } else { last - column });
            }
        }
        places.sort_unstable_by(|a, b| b.cmp(a));
        places
    };
    let quarters = [(true, true), (true, false), (false, true), (false, false)];
    quarters.into_iter().map(|(is_top, is_left)| quarter(is_top, is_left)).min().unwrap()
}

/// How often a solution of an even board counts.
fn factor(queens: &[usize]) -> u64 {
    let mut reflected = vec![0; queens.len()];
    for (row, &column) in queens.iter().enumerate() {
        reflected[column] = row;
    }
    match key(queens).cmp(&key(&reflected)) {
        Ordering::Less => 2,
        Ordering::Equal => 1,
        Ordering::Greater => 0,
    }
}

#[test]
fn even_board_column_sets_cover_reflections() {
    for n in (2..=if cfg!(miri) { 6 } else { 12 }).step_by(2) {
        let size = Size::new(n).unwrap();
        let (mut expected, mut all) = (BTreeMap::<u32, u64>::new(), 0);
        search(size.rows(), &mut Vec::new(), &mut |queens| {
            let top = queens[..size.rows() / 2].iter().map(|column| 1 << column).sum();
            *expected.entry(top).or_default() += factor(queens);
            all += 1;
        });
        assert_eq!(all, known(n).unwrap().total(), "the search for N = {n}");
        assert_eq!(expected.values().sum::<u64>(), all, "N = {n}");

        let plan = Plan::new(size, Method::Halves);
        let mut counter = Counter::new(size, Isa::BUILT_IN).unwrap();
        let mut sum = 0;
        for sets in (0..plan.len()).flat_map(|task| plan.column_sets(task).unwrap()) {
            let expected_count = expected.get(&sets.top.bits()).copied().unwrap_or(0);
            assert_eq!(counter.count(&sets), expected_count, "N = {n}: {sets:?}");
            sum += expected_count * u64::from(sets.weight);
        }
        assert_eq!(sum, all, "N = {n}: the choices and their mirror images");
    }
}

/// How often a solution of an odd board counts. It depends on the queens of the middle row and of the
/// middle column; the latter is in the middle row or above it.
fn centred_factor(queens: &[usize]) -> u64 {
    let middle = queens.len() / 2;
    let row_of_column_queen = queens.iter().position(|&column| column == middle).unwrap();
    let of_row = queens[middle].abs_diff(middle);
    let of_column = middle - row_of_column_queen;
    match of_column.cmp(&of_row) {
        Ordering::Less => 4,
        Ordering::Equal if of_row > 0 => 2,
        Ordering::Equal => 1,
        Ordering::Greater => 0,
    }
}

#[test]
fn odd_board_column_sets_cover_reflections() {
    for n in (1..=if cfg!(miri) { 5 } else { 11 }).step_by(2) {
        let size = Size::new(n).unwrap();
        let middle = n as usize / 2;
        let (mut expected, mut all) = (BTreeMap::<u32, u64>::new(), 0);
        search(size.rows(), &mut Vec::new(), &mut |queens| {
            let bottom: u32 = queens[middle + 1..].iter().map(|column| 1 << column).sum();
            if bottom >> middle & 1 == 0 {
                *expected.entry(bottom).or_default() += centred_factor(queens);
            }
            all += 1;
        });
        assert_eq!(expected.values().sum::<u64>(), all, "N = {n}");

        let plan = Plan::new(size, Method::Halves);
        let mut counter = Counter::new(size, Isa::BUILT_IN).unwrap();
        let mut sum = 0;
        for sets in (0..plan.len()).flat_map(|task| plan.column_sets(task).unwrap()) {
            let expected_count = expected.get(&sets.bottom.bits()).copied().unwrap_or(0);
            assert_eq!(counter.count(&sets), expected_count, "N = {n}: {sets:?}");
            sum += expected_count * u64::from(sets.weight);
        }
        assert_eq!(sum, all, "N = {n}: the sets and their mirror images");
    }
}
