//! Arbitrary values of the core's types: whatever their constructors let through, and nothing else.

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use queens_core::{RowBits, Size, Square, Stepped, Transform};

/// A board of any side.
#[derive(Clone, Copy, Debug)]
pub struct Board(pub Size);

/// A set of squares of one row, on the board or beside it.
#[derive(Clone, Copy, Debug)]
pub struct Bits(pub RowBits);

/// A square of any board.
#[derive(Clone, Copy, Debug)]
pub struct Spot(pub Square);

/// A turn or a mirroring.
#[derive(Clone, Copy, Debug)]
pub struct Turn(pub Transform);

/// A method that can be stepped through.
#[derive(Clone, Copy, Debug)]
pub struct Steps(pub Stepped);

/// A board that is searched in no time: N = 1 to `most`.
pub fn small(board: Board, most: u32) -> Size {
    Size::new((board.0.get() - 1) % most + 1).unwrap_or(board.0)
}

impl<'a> Arbitrary<'a> for Board {
    fn arbitrary(from: &mut Unstructured<'a>) -> Result<Board> {
        let n = from.arbitrary::<u8>()? % 32 + 1;
        Ok(Board(Size::new(n.into()).expect("1 to 32 rows are a board")))
    }
}

impl<'a> Arbitrary<'a> for Bits {
    fn arbitrary(from: &mut Unstructured<'a>) -> Result<Bits> {
        from.arbitrary().map(RowBits::from_bits).map(Bits)
    }
}

impl<'a> Arbitrary<'a> for Spot {
    fn arbitrary(from: &mut Unstructured<'a>) -> Result<Spot> {
        let Board(size) = from.arbitrary()?;
        let [row, column] = from.arbitrary::<[u8; 2]>()?.map(|place| u32::from(place) % size.get());
        Ok(Spot(Square::from_right(size, row, column).expect("both are below N")))
    }
}

impl<'a> Arbitrary<'a> for Turn {
    fn arbitrary(from: &mut Unstructured<'a>) -> Result<Turn> {
        from.choose(&Transform::ALL).copied().map(Turn)
    }
}

impl<'a> Arbitrary<'a> for Steps {
    fn arbitrary(from: &mut Unstructured<'a>) -> Result<Steps> {
        from.choose(Stepped::ALL).copied().map(Steps)
    }
}
