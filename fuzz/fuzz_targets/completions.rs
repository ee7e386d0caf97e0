//! Searches for the solutions that contain any given queens, on boards of N = 1 to 8. Checks that the
//! search finds the naive solver's solutions at once, in slices and divided into parts, and that the
//! derived consequences are true.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use queens_core::{
    Column, Completions, Consequence, Placement, Queens, Seek, Size, Square, Unit, oracle,
};
use queens_fuzz::small;

#[derive(Arbitrary, Debug)]
struct Input {
    size: Size,
    /// The row and the column of each queen.
    queens: Vec<[u8; 2]>,
    /// The number of steps in a slice of the search, minus 1.
    slice: u8,
    /// The number of parts into which the search is divided.
    parts: u8,
}

fuzz_target!(|input: Input| {
    let size = small(input.size, 8);
    let square = |place: [u8; 2]| {
        let [row, column] = place.map(|place| u32::from(place) % size.get());
        Square::from_left(size, row, column).expect("both are below N")
    };
    let given = input.queens.into_iter().map(square).fold(Queens::none(size), Queens::toggled);
    let has = |solution: &Placement, square: Square| Queens::from(solution).contains(square);
    let mut expected: Vec<Placement> = solutions(size).clone();
    expected.retain(|solution| given.squares().all(|square| has(solution, square)));

    let attacks = |a: Square, b: Square| {
        let ((row, column), (other_row, other_column)) = (a.to_left(), b.to_left());
        let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other_column));
        a != b && (rows == 0 || columns == 0 || rows == columns)
    };
    let pairs = given.squares().flat_map(|a| given.squares().map(move |b| (a, b)));
    let conflicts = pairs.filter(|&(a, b)| a < b && attacks(a, b)).count();
    assert_eq!(given.conflicts().count(), conflicts);

    let mut found: Vec<Placement> = Completions::new(&given).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(Completions::new(&given).count(), expected.len());

    let mut search = Completions::new(&given);
    let mut listed = Vec::new();
    loop {
        match search.search(u64::from(input.slice) + 1) {
            Seek::Found => listed.push(search.solution().expect("a solution was found")),
            Seek::NoMore => break,
            Seek::OutOfBudget => {}
        }
        assert_eq!(search.found(), listed.len() as u64);
    }
    listed.sort_unstable();
    assert_eq!(listed, expected);

    let parts = Completions::parts(&given, input.parts.into());
    assert!(parts.len() >= usize::from(input.parts).min(expected.len()));
    let mut found: Vec<Placement> = parts.iter().flat_map(Completions::new).collect();
    found.sort_unstable();
    assert_eq!(found, expected, "each solution belongs to one part");

    let mut with_forced = given;
    for consequence in given.consequences() {
        match consequence {
            Consequence::Forced { square, .. } => {
                assert!(expected.iter().all(|solution| has(solution, square)));
                assert!(!with_forced.contains(square));
                with_forced = with_forced.toggled(square);
            }
            Consequence::Blocked(unit) => {
                assert_eq!(expected, []);
                let squares: Vec<Square> = match unit {
                    Unit::Row(row) => Square::of_row(size, row).collect(),
                    Unit::Column(column) => of_column(column).collect(),
                };
                let is_attacked =
                    |square: &Square| with_forced.squares().any(|queen| attacks(queen, *square));
                assert!(squares.iter().all(is_attacked));
            }
        }
    }
});

fn of_column(column: Column) -> impl Iterator<Item = Square> {
    Square::all(column.size()).filter(move |square| square.column() == column)
}

/// Returns all solutions, in order.
fn solutions(size: Size) -> &'static Vec<Placement> {
    static SOLUTIONS: [OnceLock<Vec<Placement>>; 8] = [const { OnceLock::new() }; 8];
    SOLUTIONS[size.rows() - 1].get_or_init(|| {
        let mut all = Vec::new();
        oracle::solutions(size, &mut |solution| all.push(*solution));
        all.sort_unstable();
        all
    })
}
