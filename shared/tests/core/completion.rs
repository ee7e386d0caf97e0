//! Compares the solutions that contain given queens with those of the naive solver. Also tests the
//! conflicts, closed squares and consequences of given queens.

use std::collections::BTreeSet;

use proptest::prelude::*;
use queens_core::{
    Completions, Consequence, Line, Placement, Queens, QueensError, Seek, Square, Unit,
    known::known, oracle,
};

use crate::size;

/// A square: row from the top, column from the right.
fn at(n: u32, (row, column): (u32, u32)) -> Square {
    Square::from_right(size(n), row, column).unwrap()
}

/// Queens: rows from the top, columns from the right.
fn queens(n: u32, squares: &[(u32, u32)]) -> Queens {
    Queens::new(size(n), squares.iter().map(|&square| at(n, square))).unwrap()
}

/// All solutions that contain the queens, filtered from those of the naive solver.
fn expected(given: &Queens) -> BTreeSet<Placement> {
    let mut all = BTreeSet::new();
    oracle::solutions(given.size(), &mut |placement| {
        let held = Queens::from(placement);
        if given.squares().all(|square| held.contains(square)) {
            assert!(all.insert(*placement));
        }
    });
    all
}

/// A board of up to eight rows with up to five queens anywhere.
fn boards() -> impl Strategy<Value = Queens> {
    (1..=8_u32).prop_flat_map(|n| {
        let squares = prop::collection::btree_set((0..n, 0..n), 0..=5.min((n * n) as usize));
        squares.prop_map(move |squares| queens(n, &Vec::from_iter(squares)))
    })
}

/// A solution of up to nine rows with some queens removed, so that at least one completion exists.
fn beginnings() -> impl Strategy<Value = Queens> {
    (4..=9_u32, any::<prop::sample::Index>(), any::<u32>()).prop_filter_map(
        "N has no solution",
        |(n, index, kept)| {
            let all: Vec<Placement> = Completions::new(&Queens::none(size(n))).collect();
            let whole = Queens::from(all.get(index.index(all.len()))?);
            let kept = whole.squares().filter(|square| kept >> square.row() & 1 == 1);
            Some(Queens::new(size(n), kept).unwrap())
        },
    )
}

/// Whether two squares are in the same row, column or diagonal.
fn on_a_line(a: Square, b: Square) -> bool {
    let ((row, column), (other_row, other_column)) = (a.to_left(), b.to_left());
    let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other_column));
    rows == 0 || columns == 0 || rows == columns
}

/// Checks the completions, the parts and the consequences of given queens.
fn check(given: &Queens) {
    let expected = expected(given);
    let solutions: Vec<Placement> = Completions::new(given).collect();
    assert_eq!(solutions.len(), expected.len(), "{given:?}: missing or repeated solutions");
    assert_eq!(BTreeSet::from_iter(solutions), expected, "{given:?}");
    assert_eq!(Completions::new(given).count(), expected.len(), "{given:?}");
    for wanted in [0, 1, 2, 10, 1000] {
        let parts = Completions::parts(given, wanted);
        assert!(parts.len() >= wanted.min(expected.len()), "{given:?} in {wanted} parts");
        let sum: usize = parts.iter().map(|part| Completions::new(part).count()).sum();
        assert_eq!(sum, expected.len(), "{given:?} in {wanted} parts");
        for part in parts {
            assert!(given.squares().all(|square| part.contains(square)), "{part:?}");
        }
    }
    let mut solvable = true;
    for consequence in given.consequences() {
        match consequence {
            Consequence::Forced { square, unit } => {
                assert!(expected.iter().all(|each| Queens::from(each).contains(square)));
                assert!([Unit::Row(square.row()), Unit::Column(square.column())].contains(&unit));
                assert!(!given.contains(square));
            }
            Consequence::Blocked(_) => solvable = false,
        }
    }
    assert!(solvable || expected.is_empty(), "{given:?}");
}

proptest! {
    #[test]
    fn completions_of_any_queens_match_the_oracle(given in boards()) {
        check(&given);
    }

    #[test]
    fn beginnings_of_solutions_have_completions(given in beginnings()) {
        check(&given);
        prop_assert!(Completions::new(&given).next().is_some());
    }

    #[test]
    fn conflicts_are_the_pairs_on_a_common_line(given in boards()) {
        let squares: Vec<Square> = given.squares().collect();
        let mut pairs = vec![];
        for (index, &a) in squares.iter().enumerate() {
            for &b in &squares[index + 1..] {
                if on_a_line(a, b) {
                    pairs.push((a, b));
                }
            }
        }
        let conflicts: Vec<_> = given.conflicts().map(|c| (c.first, c.second)).collect();
        prop_assert_eq!(&conflicts, &pairs);
        if !pairs.is_empty() {
            prop_assert_eq!(Completions::new(&given).next(), None);
            prop_assert_eq!(Completions::parts(&given, 10), vec![]);
            prop_assert_eq!(given.consequences().next(), None);
        }
    }

    #[test]
    fn closed_squares_are_those_on_a_line_with_a_queen(given in boards()) {
        for square in Square::all(given.size()) {
            let (row, column) = square.to_right();
            let expected = given.squares().any(|queen| on_a_line(queen, square));
            prop_assert_eq!(given.closed(row).contains(column), expected);
        }
    }

    #[test]
    fn searching_in_pieces_finds_all_completions(given in beginnings(), steps in 1..50_u64) {
        let mut search = Completions::new(&given);
        let mut solutions = vec![];
        loop {
            match search.search(steps) {
                Seek::Found => solutions.extend(search.solution()),
                Seek::OutOfBudget => {}
                Seek::NoMore => break,
            }
        }
        prop_assert_eq!(search.found(), solutions.len() as u64);
        prop_assert_eq!(solutions, Completions::new(&given).collect::<Vec<_>>());
    }
}

#[test]
fn completions_of_an_empty_board_are_all_solutions() {
    for n in 1..=12 {
        let count = Completions::new(&Queens::none(size(n))).count() as u64;
        assert_eq!(count, known(n).unwrap().total(), "N = {n}");
    }
}

#[test]
fn finds_a_solution_of_large_boards_within_a_million_steps() {
    for n in 20..=32 {
        let mut search = Completions::new(&Queens::none(size(n)));
        assert_eq!(search.search(1_000_000), Seek::Found, "N = {n}");
        assert_eq!(search.solution().unwrap().size().get(), n);
    }
}

#[test]
fn the_only_completion_of_a_solution_is_itself() {
    let four = queens(4, &[(0, 2), (1, 0), (2, 3), (3, 1)]);
    assert_eq!(Completions::new(&four).collect::<Vec<_>>(), [four.placement().unwrap()]);
    assert_eq!(Completions::parts(&four, 100), [four]);
    assert_eq!(four.consequences().next(), None);
}

#[test]
fn one_queen_forces_the_other_three_on_n_4() {
    // . Q . .
    let given = queens(4, &[(0, 2)]);
    let consequences: Vec<_> = given.consequences().collect();
    let forced = |square, unit| Consequence::Forced { square: at(4, square), unit };
    assert_eq!(
        consequences,
        [forced((1, 0), Unit::Row(1)), forced((2, 3), Unit::Row(2)), forced((3, 1), Unit::Row(3)),]
    );
    // . . . Q
    // . Q . .     closes row 2
    let closed: Vec<_> = queens(4, &[(0, 0), (1, 2)]).consequences().collect();
    assert_eq!(closed, [Consequence::Blocked(Unit::Row(2))]);
}

#[test]
fn a_column_can_force_a_square() {
    let is_forced = (0..8_u32).flat_map(|a| (0..8_u32).map(move |b| (a, b))).any(|(a, b)| {
        queens(8, &[(2, a), (5, b), (7, 0)])
            .consequences()
            .any(|each| matches!(each, Consequence::Forced { unit: Unit::Column(_), .. }))
    });
    assert!(is_forced);
}

#[test]
fn rejects_squares_of_other_boards_and_duplicates() {
    let (small, large) = (at(7, (3, 1)), at(8, (3, 1)));
    let other = Queens::new(size(8), [at(8, (0, 0)), small]);
    assert_eq!(other, Err(QueensError::OtherBoard { square: small, size: size(8) }));
    let twice = Queens::new(size(8), [large, at(8, (0, 0)), large]);
    assert_eq!(twice, Err(QueensError::Twice { square: large }));
    assert_eq!(Queens::none(size(8)).toggled(small), Queens::none(size(8)));
    assert!(!queens(8, &[(3, 1)]).contains(small) && queens(8, &[(3, 1)]).contains(large));
}

#[test]
fn conflicts_name_their_line() {
    let lines = |squares| queens(8, squares).conflicts().map(|c| c.line).collect::<Vec<_>>();
    assert_eq!(lines(&[(0, 1), (0, 5)]), [None]);
    assert_eq!(lines(&[(0, 1), (4, 1)]), [Some(Line::Down)]);
    assert_eq!(lines(&[(0, 1), (4, 5)]), [Some(Line::Left)]);
    assert_eq!(lines(&[(0, 5), (4, 1)]), [Some(Line::Right)]);
    assert_eq!(lines(&[(0, 0), (1, 2)]), []);
}
