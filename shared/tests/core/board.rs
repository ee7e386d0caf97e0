//! Tests the numbering of squares from either side, and the images of solutions.

use queens_core::{
    Class, Column, Orbit, Placement, Queens, RowBits, Size, Square, SquareError, Stabiliser,
    Transform,
};

use crate::size;

#[test]
fn numbers_squares_from_both_sides() {
    let three = size(3);
    let columns: Vec<_> =
        Column::all(three).map(|column| (column.to_left(), column.to_right())).collect();
    assert_eq!(columns, [(0, 2), (1, 1), (2, 0)]);
    let squares: Vec<_> = Square::all(three).map(Square::to_right).collect();
    let rows = [[(0, 2), (0, 1), (0, 0)], [(1, 2), (1, 1), (1, 0)], [(2, 2), (2, 1), (2, 0)]];
    assert_eq!(squares, rows.as_flattened());
}

#[test]
fn squares_round_trip_from_both_sides() {
    for size in Size::all() {
        for (row, column) in (0..size.get()).flat_map(|row| (0..34).map(move |c| (row, c))) {
            let left = Square::from_left(size, row, column);
            let right = Square::from_right(size, row, column);
            assert_eq!(left.is_ok(), column < size.get());
            assert_eq!(left.map(Square::to_left).unwrap_or((row, column)), (row, column));
            assert_eq!(right.map(Square::to_right).unwrap_or((row, column)), (row, column));
            if let (Ok(left), Ok(right)) = (left, right) {
                assert_eq!(left.to_left().1 + left.to_right().1 + 1, size.get());
                assert_eq!(right.bit().column(), column);
                assert_eq!(Square::of_bits(size, row, right.bit()), Some(right));
            }
        }
        let n = size.get();
        for outside in [(n, 0), (0, n), (u32::MAX, 0), (0, u32::MAX), (256, 256)] {
            let error = SquareError { row: outside.0, column: outside.1, size };
            assert_eq!(Square::from_left(size, outside.0, outside.1), Err(error));
            assert_eq!(Square::from_right(size, outside.0, outside.1), Err(error));
        }
        assert_eq!(Square::of_bits(size, 0, RowBits::EMPTY), None);
    }
}

fn orbit(columns: &[u32]) -> Orbit {
    Orbit::of(&Placement::from_left(columns).unwrap())
}

fn groups(orbit: &Orbit) -> [usize; 8] {
    orbit.images().map(|image| image.group)
}

#[test]
fn a_class_of_two_has_two_images_of_four_transforms_each() {
    let orbit = orbit(&[1, 4, 2, 0, 3]);
    assert_eq!(groups(&orbit), [1, 1, 1, 1, 2, 2, 2, 2]);
    let distinct: Vec<_> = orbit.distinct().map(|image| image.transform).collect();
    assert_eq!(distinct, [Transform::Identity, Transform::LeftRight]);
    assert_eq!((orbit.class(), orbit.stabiliser()), (Class::Two, Stabiliser::QuarterTurns));
    // From the right 3 0 2 4 1; its mirror 1 4 2 0 3 is smaller.
    assert_eq!(orbit.representative().columns_from_right(), [1, 4, 2, 0, 3]);
}

#[test]
fn a_class_of_four_has_pairs() {
    let orbit = orbit(&[2, 4, 1, 7, 0, 6, 3, 5]);
    assert_eq!(groups(&orbit), [1, 2, 1, 2, 3, 4, 3, 4]);
    let pair = orbit.group(orbit.image(Transform::Turn270)).map(|image| image.transform);
    assert!(pair.eq([Transform::Turn90, Transform::Turn270]));
}

#[test]
fn a_class_of_eight_has_eight_images_and_a_representative() {
    let orbit = orbit(&[0, 4, 7, 5, 2, 6, 1, 3]);
    assert_eq!(groups(&orbit), [1, 2, 3, 4, 5, 6, 7, 8]);
    let smallest = orbit.images().iter().filter(|i| i.placement == *orbit.representative());
    assert_eq!(smallest.count(), 1);
    assert_eq!(orbit.representative().columns_from_right(), [0, 4, 7, 5, 2, 6, 1, 3]);
}

#[test]
fn one_queen_has_one_image() {
    assert_eq!(groups(&orbit(&[0])), [1; 8]);
    assert_eq!(
        (orbit(&[0]).class(), orbit(&[0]).stabiliser()),
        (Class::One, Stabiliser::WholeSquare)
    );
}

#[test]
fn rows_outside_the_board_are_closed() {
    let corner = Queens::none(size(5)).toggled(Square::from_left(size(5), 0, 0).unwrap());
    for row in [5, 6, 31, 32, u32::MAX] {
        assert_eq!(corner.closed(row), size(5).mask(), "row {row}");
    }
}
