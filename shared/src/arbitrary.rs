//! Arbitrary values of the core's types for fuzzing: exactly the values that the constructors
//! accept.
//!
//! Solutions are left out, because random bytes are rarely one and searching for one takes long.

use arbitrary::{Arbitrary, Error, Result, Unstructured, size_hint};

use crate::{
    Branching, Cell, Class, Column, FirstQueen, Form, Masks, Method, Queens, RowBits, Rule, Size,
    Square, Stepped, Transform,
};

/// Any set of squares, inside or outside a board.
impl<'a> Arbitrary<'a> for RowBits {
    fn arbitrary(from: &mut Unstructured<'a>) -> Result<RowBits> {
        from.arbitrary().map(RowBits::from_bits)
    }

    fn size_hint(depth: usize) -> (usize, Option<usize>) {
        u32::size_hint(depth)
    }
}

/// A board of any side.
impl<'a> Arbitrary<'a> for Size {
    fn arbitrary(from: &mut Unstructured<'a>) -> Result<Size> {
        let n = from.arbitrary::<u8>()? % 32 + 1;
        Size::new(n.into()).map_err(|_| Error::IncorrectFormat)
    }

    fn size_hint(depth: usize) -> (usize, Option<usize>) {
        u8::size_hint(depth)
    }
}

/// Any column of any board.
impl<'a> Arbitrary<'a> for Column {
    fn arbitrary(from: &mut Unstructured<'a>) -> Result<Column> {
        let size: Size = from.arbitrary()?;
        let column = u32::from(from.arbitrary::<u8>()?) % size.get();
        Column::from_right(size, column).ok_or(Error::IncorrectFormat)
    }

    fn size_hint(depth: usize) -> (usize, Option<usize>) {
        size_hint::and(Size::size_hint(depth), u8::size_hint(depth))
    }
}

/// Any square of any board.
impl<'a> Arbitrary<'a> for Square {
    fn arbitrary(from: &mut Unstructured<'a>) -> Result<Square> {
        let size: Size = from.arbitrary()?;
        let [row, column] = from.arbitrary::<[u8; 2]>()?.map(|place| u32::from(place) % size.get());
        Square::from_right(size, row, column).map_err(|_| Error::IncorrectFormat)
    }

    fn size_hint(depth: usize) -> (usize, Option<usize>) {
        size_hint::and(Size::size_hint(depth), <[u8; 2]>::size_hint(depth))
    }
}

/// Any queens on any board.
impl<'a> Arbitrary<'a> for Queens {
    fn arbitrary(from: &mut Unstructured<'a>) -> Result<Queens> {
        let mut queens = Queens::none(from.arbitrary()?);
        for row in 0..queens.size().get() {
            let in_row = from.arbitrary::<RowBits>()? & queens.size().mask();
            let square = |column| Square::from_right(queens.size(), row, column).ok();
            queens = in_row.columns().filter_map(square).fold(queens, Queens::toggled);
        }
        Ok(queens)
    }

    fn size_hint(depth: usize) -> (usize, Option<usize>) {
        let (size, row) = (Size::size_hint(depth), RowBits::size_hint(depth));
        (size.0 + row.0, size.1.zip(row.1).map(|(size, row)| size + 32 * row))
    }
}

/// Any masks, most of which belong to no branch.
impl<'a> Arbitrary<'a> for Masks {
    fn arbitrary(from: &mut Unstructured<'a>) -> Result<Masks> {
        Ok(Masks {
            branching: from.arbitrary()?,
            first: from.arbitrary()?,
            size: from.arbitrary()?,
            mask: from.arbitrary()?,
            topbit: from.arbitrary()?,
            endbit: from.arbitrary()?,
            sidemask: from.arbitrary()?,
            lastmask: from.arbitrary()?,
            bound1: from.arbitrary()?,
            bound2: from.arbitrary()?,
        })
    }
}

/// Implements `Arbitrary` for a type with few values: it picks one of them.
macro_rules! any_of {
    ($($type:ty: $all:expr;)*) => {$(
        impl<'a> Arbitrary<'a> for $type {
            fn arbitrary(from: &mut Unstructured<'a>) -> Result<$type> {
                from.choose(&$all).copied()
            }
        }
    )*};
}

any_of! {
    Branching: Branching::ALL;
    Cell: Cell::ALL;
    Class: Class::ALL;
    FirstQueen: FirstQueen::ALL;
    Form: Form::ALL;
    Method: Method::ALL;
    Rule: Rule::ALL;
    Stepped: Stepped::ALL;
    Transform: Transform::ALL;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_give_valid_values() {
        for byte in 0..=u8::MAX {
            let bytes = [byte; 200];
            let mut from = Unstructured::new(&bytes);
            assert_eq!(from.arbitrary::<Size>().unwrap().get(), u32::from(byte) % 32 + 1);
            let square: Square = from.arbitrary().unwrap();
            assert!(Square::all(square.size()).any(|other| other == square));
            let queens: Queens = from.arbitrary().unwrap();
            let mask = queens.size().mask();
            assert!(
                queens
                    .rows()
                    .iter()
                    .all(|&row| row == RowBits::from_bits(u32::from_ne_bytes([byte; 4])) & mask)
            );
            assert!(Transform::ALL.contains(&from.arbitrary().unwrap()));
        }
    }

    #[test]
    fn arbitrary_sizes_cover_1_to_32() {
        let sides =
            (0..=u8::MAX).map(|byte| Unstructured::new(&[byte]).arbitrary::<Size>().unwrap());
        assert!(Size::all().all(|size| sides.clone().any(|side| side == size)));
    }
}
