//! Checks of rows, squares, queens, solutions and their images.

use std::collections::BTreeSet;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use queens_core::{
    Class, Column, Completions, Line, Masks, Moment, Orbit, Placement, Played, Queens, RowBits,
    Seek, Size, Square, Stabiliser, Transform, Verdict, representative,
};

#[derive(Arbitrary, Debug)]
pub enum Call {
    Size(u32),
    Bits {
        a: RowBits,
        b: RowBits,
        column: u32,
        size: Size,
    },
    Square {
        size: Size,
        row: u32,
        column: u32,
    },
    Turns {
        square: Square,
        turns: [Transform; 2],
    },
    Lines(Square, Square),
    Queens {
        size: Size,
        squares: Vec<Square>,
        row: u32,
    },
    Columns(Vec<u32>),
    Rows(Vec<RowBits>),
    /// A solution with these columns in its first rows, if the search soon finds one.
    Solution {
        size: Size,
        columns: Vec<u8>,
    },
}

impl Call {
    pub fn check(self) {
        match self {
            Call::Size(n) => {
                assert_eq!(Size::new(n).is_ok(), (1..=32).contains(&n));
                assert!(Size::new(n).is_ok_and(|size| size.get() == n) || Size::new(n).is_err());
            }
            Call::Bits { a, b, column, size } => {
                bits(a, b, size);
                columns_of_bits(a, column);
            }
            Call::Square { size, row, column } => square(size, row, column),
            Call::Turns { square, turns: [a, b] } => {
                assert_eq!(b.square(a.square(square)), a.then(b).square(square));
                assert_eq!(a.inverse().square(a.square(square)), square);
            }
            Call::Lines(a, b) => lines(a, b),
            Call::Queens { size, squares, row } => queens(size, &squares, row),
            Call::Columns(columns) => placement(&columns),
            Call::Rows(rows) => {
                if let Ok(placement) = Placement::from_rows(&rows) {
                    assert!(placement.rows().eq(rows));
                    check_solution(&placement);
                }
            }
            Call::Solution { size, columns } => {
                let node = columns.iter().zip(0..).filter_map(|(&column, row)| {
                    Square::from_right(size, row, u32::from(column) % size.get()).ok()
                });
                let mut search = Completions::new(&node.fold(Queens::none(size), Queens::toggled));
                if search.search(2000) == Seek::Found {
                    check_solution(&search.solution().expect("a solution was found"));
                }
            }
        }
    }
}

fn columns_of(row: RowBits) -> Vec<u32> {
    (0..32).filter(|column| row.bits() >> column & 1 == 1).collect()
}

fn bits(a: RowBits, b: RowBits, size: Size) {
    let columns_in =
        |is_in: &dyn Fn(u32) -> bool| (0..32).filter(|&c| is_in(c)).collect::<Vec<_>>();
    let (has_a, has_b) = (|c| columns_of(a).contains(&c), |c| columns_of(b).contains(&c));
    assert_eq!(columns_of(a | b), columns_in(&|c| has_a(c) || has_b(c)));
    assert_eq!(columns_of(a & b), columns_in(&|c| has_a(c) && has_b(c)));
    assert_eq!(columns_of(a ^ b), columns_in(&|c| has_a(c) != has_b(c)));
    assert_eq!(columns_of(a - b), columns_in(&|c| has_a(c) && !has_b(c)));
    assert_eq!(a.intersects(b), columns_of(a).into_iter().any(has_b));
    assert_eq!(a.is_subset(b), columns_of(a).into_iter().all(has_b));
    assert_eq!(columns_of(a.complement(size)), columns_in(&|c| c < size.get() && !has_a(c)));
    assert_eq!(
        columns_of(a.mirrored(size)),
        columns_in(&|c| c < size.get() && has_a(size.last() - c))
    );
    assert_eq!(a.columns().collect::<Vec<_>>(), columns_of(a));
    assert!(a.columns().rev().eq(columns_of(a).into_iter().rev()));
    assert_eq!((a.columns().len(), a.len() as usize), (columns_of(a).len(), columns_of(a).len()));
    assert!(columns_of(a.lowest()).into_iter().eq(columns_of(a).first().copied()));
    assert!(columns_of(a.highest()).into_iter().eq(columns_of(a).last().copied()));
    let mut left = a;
    assert_eq!(left.take_lowest(), Some(a.lowest()).filter(|_| !a.is_empty()));
    assert_eq!(left, a - a.lowest());
    assert!(a.subsets().take(300).all(|subset| subset.is_subset(a)));
    if a.len() < 10 {
        assert_eq!(a.subsets().collect::<BTreeSet<_>>().len(), 1 << a.len());
    }
}

fn columns_of_bits(a: RowBits, column: u32) {
    let is_on_board = column < 32;
    let has = columns_of(a).contains(&column);
    assert_eq!(a.contains(column), has);
    assert_eq!(RowBits::of(column).len(), u32::from(is_on_board));
    assert_eq!(a.with(column).contains(column), is_on_board);
    assert!(!a.without(column).contains(column));
    assert_eq!(a.toggled(column), if has { a.without(column) } else { a.with(column) });
    let moved =
        |to: &dyn Fn(u32) -> Option<u32>| columns_of(a).into_iter().filter_map(to).collect();
    assert_eq!(a << column, moved(&|c| c.checked_add(column)));
    assert_eq!(a >> column, moved(&|c| c.checked_sub(column)));
}

fn square(size: Size, row: u32, column: u32) {
    let is_on_board = row < size.get() && column < size.get();
    let squares = [Square::from_left(size, row, column), Square::from_right(size, row, column)];
    assert!(squares.iter().all(|square| square.is_ok() == is_on_board));
    if let [Ok(left), Ok(right)] = squares {
        assert_eq!((left.to_left(), right.to_right()), ((row, column), (row, column)));
        assert_eq!(left.column().to_right(), size.last() - column);
        assert_eq!(Square::of_bits(size, row, right.bit()), Some(right));
        assert!(Square::all(size).any(|each| each == left));
    }
    assert_eq!(
        Square::of_row(size, row).count() as u32,
        if row < size.get() { size.get() } else { 0 }
    );
    let columns = [Column::from_left(size, column), Column::from_right(size, column)];
    assert!(columns.iter().all(|found| found.is_some() == (column < size.get())));
}

fn lines(a: Square, b: Square) {
    let ((row, column), (lower, other)) = (a.to_right(), b.to_right());
    let expected = match lower.checked_sub(row) {
        None => None,
        Some(_) if column == other => Some(Line::Down),
        Some(rows) if column + rows == other => Some(Line::Left),
        Some(rows) if other + rows == column => Some(Line::Right),
        Some(_) => None,
    };
    assert_eq!(Line::between(a, b), expected);
}

fn queens(size: Size, squares: &[Square], row: u32) {
    let squares = || squares.iter().copied();
    let own: Vec<Square> = squares().filter(|square| square.size() == size).collect();
    let set: BTreeSet<Square> = own.iter().copied().collect();
    let result = Queens::new(size, squares());
    assert_eq!(result.is_ok(), set.len() == squares().count());
    let board = squares().fold(Queens::none(size), Queens::toggled);
    if let Ok(found) = result {
        assert_eq!(found, board);
    }
    let odd = |square: &Square| own.iter().filter(|other| *other == square).count() % 2 == 1;
    let occupied: BTreeSet<Square> = set.into_iter().filter(odd).collect();
    assert_eq!(board.squares().collect::<BTreeSet<_>>(), occupied);
    assert_eq!((board.len() as usize, board.is_empty()), (occupied.len(), occupied.is_empty()));
    let is_solution = board.len() == size.get() && board.conflicts().next().is_none();
    assert_eq!(board.placement().is_some(), is_solution);
    let closed = board.closed(row);
    if row < size.get() {
        let meets = |square: &Square| {
            occupied.iter().any(|queen| {
                let (rows, columns) = (queen.row().abs_diff(row), queen.to_left().1);
                let columns = columns.abs_diff(square.to_left().1);
                rows == 0 || columns == 0 || rows == columns
            })
        };
        let expected = Square::of_row(size, row).filter(meets).map(Square::bit);
        assert_eq!(closed, expected.fold(RowBits::EMPTY, |closed, bit| closed | bit));
    }
    assert!(closed.is_subset(size.mask()));
}

fn placement(columns: &[u32]) {
    let n = columns.len();
    let is_fine = (1..=32).contains(&n) && columns.iter().all(|&column| (column as usize) < n);
    let attack = |(a, &x): (usize, &u32), (b, &y): (usize, &u32)| {
        x == y || x.abs_diff(y) as usize == a.abs_diff(b)
    };
    let rows = || columns.iter().enumerate();
    let attacked = is_fine && rows().any(|a| rows().any(|b| a.0 < b.0 && attack(a, b)));
    let placements = [Placement::from_left(columns), Placement::from_right(columns)];
    for result in &placements {
        match result {
            Ok(placement) => check_solution(placement),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        assert_eq!(result.is_ok(), is_fine && !attacked);
    }
    if let [Ok(left), Ok(right)] = &placements {
        assert!(left.columns_from_left().eq(columns.iter().copied()));
        assert!(
            right
                .columns_from_right()
                .iter()
                .map(|&column| u32::from(column))
                .eq(columns.iter().copied())
        );
    }
}

/// Checks the properties that hold for every solution.
fn check_solution(placement: &Placement) {
    let orbit = Orbit::of(placement);
    let distinct: BTreeSet<Placement> =
        orbit.images().iter().map(|image| image.placement).collect();
    assert_eq!(distinct.len() as u64, orbit.class().members());
    assert_eq!(orbit.distinct().count(), distinct.len());
    assert_eq!(
        (orbit.class(), orbit.stabiliser()),
        (Class::of(placement), Stabiliser::of(placement))
    );
    assert_eq!(distinct.first(), Some(orbit.representative()));
    for image in orbit.images() {
        assert_eq!(representative(&image.placement), *orbit.representative());
        assert_eq!(image.transform.inverse().apply(&image.placement), *placement);
        assert_eq!(orbit.group(image).count(), 8 / distinct.len());
        assert_eq!(
            Placement::from_rows(&image.placement.rows().collect::<Vec<_>>()),
            Ok(image.placement)
        );
    }
    // The symmetry method keeps only the representative of the class.
    let is_representative = placement == orbit.representative();
    match Played::of(placement) {
        Played::OnlyQueen => assert_eq!(placement.size().get(), 1),
        Played::NoBranch => assert!(!is_representative && Masks::branch_of(placement).is_none()),
        Played::GivenUp(..) => assert!(!is_representative),
        Played::Completed(_, moments) => {
            let expected =
                if is_representative { Verdict::Keep(orbit.class()) } else { Verdict::Drop };
            assert_eq!(moments.last(), Some(&Moment::Verdict(expected)));
        }
    }
}
