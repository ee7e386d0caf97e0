//! The eight symmetries of the square.

use core::fmt;

use super::{Placement, Queens, Square};
use crate::words;

words! {
    /// One of the eight turns and reflections that map the board onto itself: the four turns, then
    /// each of them followed by the left-right mirror.
    ///
    /// ```
    /// use queens_core::{Placement, Transform};
    /// let placement = Placement::from_left(&[0, 2, 4, 1, 3])?;
    /// let turned = Transform::Turn90.apply(&placement);
    /// assert_eq!(turned.to_string(), "4 1 3 0 2");
    /// assert_eq!(Transform::Turn90.then(Transform::Turn270), Transform::Identity);
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub enum Transform {
        /// Leaves everything where it is.
        Identity = "identity",
        /// A quarter turn clockwise.
        Turn90 = "turn-90",
        /// A half turn.
        Turn180 = "turn-180",
        /// Three quarters of a turn clockwise: a quarter turn counter-clockwise.
        Turn270 = "turn-270",
        /// Mirrors left and right.
        LeftRight = "left-right",
        /// Mirrors at the diagonal from the upper left to the lower right: a quarter turn
        /// clockwise, then the left-right mirror.
        MainDiagonal = "main-diagonal",
        /// Mirrors top and bottom: a half turn, then the left-right mirror.
        TopBottom = "top-bottom",
        /// Mirrors at the diagonal from the upper right to the lower left.
        AntiDiagonal = "anti-diagonal",
    }
}

impl Transform {
    /// The transform that applies this one and then `next`.
    ///
    /// ```
    /// # use queens_core::Transform::*;
    /// // 1 . .     . . 1     . . .
    /// // 2 . .  →  . . 2  →  . . .     mirrored, then turned clockwise
    /// // . . .     . . .     . 2 1
    /// assert_eq!(LeftRight.then(Turn90), AntiDiagonal);
    /// assert_eq!(Turn90.then(LeftRight), MainDiagonal);
    /// ```
    #[must_use = "returns the transform of both; neither changes"]
    pub const fn then(self, next: Transform) -> Transform {
        // Each transform is a number of quarter turns, followed by the left-right mirror from the
        // fifth on.
        let (turns, mirror) = (self as usize % 4, self as usize / 4);
        let (next_turns, next_mirror) = (next as usize % 4, next as usize / 4);
        // A turn after a mirror equals the opposite turn before it.
        let turns = if mirror == 1 { turns + 4 - next_turns } else { turns + next_turns };
        Transform::ALL[turns % 4 + 4 * (mirror ^ next_mirror)]
    }

    /// The transform that undoes this one.
    ///
    /// ```
    /// # use queens_core::Transform;
    /// assert_eq!(Transform::Turn90.inverse(), Transform::Turn270);
    /// assert_eq!(Transform::LeftRight.inverse(), Transform::LeftRight);
    /// ```
    #[must_use = "returns another transform; this one does not change"]
    pub const fn inverse(self) -> Transform {
        match self {
            Transform::Turn90 => Transform::Turn270,
            Transform::Turn270 => Transform::Turn90,
            own_inverse => own_inverse,
        }
    }

    /// The image of a square.
    ///
    /// ```
    /// use queens_core::{Size, Square, Transform};
    /// // . 1 . .     1: the square
    /// // . . . 2     2: after a quarter turn clockwise
    /// // . . . .
    /// // . 3 . .     3: after the top-bottom mirror
    /// let square = Square::from_left(Size::new(4)?, 0, 1)?;
    /// assert_eq!(Transform::Turn90.square(square).to_left(), (1, 3));
    /// assert_eq!(Transform::TopBottom.square(square).to_left(), (3, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use = "returns another square; the given one does not move"]
    pub const fn square(self, square: Square) -> Square {
        let last = square.size().last();
        let (row, column) = square.to_right();
        let (row, column) = match self {
            Transform::Identity => (row, column),
            Transform::Turn90 => (last - column, row),
            Transform::Turn180 => (last - row, last - column),
            Transform::Turn270 => (column, last - row),
            Transform::LeftRight => (row, last - column),
            Transform::MainDiagonal => (last - column, last - row),
            Transform::TopBottom => (last - row, column),
            Transform::AntiDiagonal => (column, row),
        };
        Square::at(square.size(), row, column)
    }

    /// The image of a placement.
    ///
    /// ```
    /// use queens_core::{Placement, Transform};
    /// // Q . . . .     . . . . Q
    /// // . . Q . .     . Q . . .
    /// // . . . . Q  →  . . . Q .     a quarter turn clockwise
    /// // . Q . . .     Q . . . .
    /// // . . . Q .     . . Q . .
    /// let placement = Placement::from_left(&[0, 2, 4, 1, 3])?;
    /// let turned = Transform::Turn90.apply(&placement);
    /// assert!(turned.columns_from_left().eq([4, 1, 3, 0, 2]));
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    #[must_use = "returns the image; the placement does not change"]
    pub fn apply(self, placement: &Placement) -> Placement {
        let squares = placement.squares().map(|square| self.square(square));
        Placement::from_squares(placement.size(), squares)
    }

    /// The image of any queens.
    ///
    /// ```
    /// use queens_core::{Queens, Size, Square, Transform};
    /// // Q Q . .     . . . Q
    /// // . . . .     . . . Q
    /// // . . . .  →  . . . .     a quarter turn clockwise
    /// // . . . .     . . . .
    /// let size = Size::new(4)?;
    /// let top = [Square::from_left(size, 0, 0)?, Square::from_left(size, 0, 1)?];
    /// let right = [Square::from_left(size, 0, 3)?, Square::from_left(size, 1, 3)?];
    /// assert_eq!(Transform::Turn90.queens(&Queens::new(size, top)?), Queens::new(size, right)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "returns the image; the queens do not move"]
    pub fn queens(self, queens: &Queens) -> Queens {
        let squares = queens.squares().map(|square| self.square(square));
        squares.fold(Queens::none(queens.size()), Queens::toggled)
    }
}

/// The transform's English name.
impl fmt::Display for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Transform::Identity => "identity",
            Transform::Turn90 => "90° clockwise",
            Transform::Turn180 => "180°",
            Transform::Turn270 => "270° clockwise",
            Transform::LeftRight => "mirror left-right",
            Transform::MainDiagonal => "mirror at the main diagonal",
            Transform::TopBottom => "mirror top-bottom",
            Transform::AntiDiagonal => "mirror at the anti-diagonal",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    #[test]
    fn queens_transform_like_their_squares() {
        let queens = Placement::from_left(&[0, 2, 4, 1, 3]).unwrap();
        let corner = Square::from_left(queens.size(), 4, 0).unwrap();
        for transform in Transform::ALL {
            let image = transform.queens(&Queens::from(&queens));
            assert_eq!(image, Queens::from(&transform.apply(&queens)), "{transform}");
            let more = transform.queens(&Queens::from(&queens).toggled(corner));
            assert_eq!(more, image.toggled(transform.square(corner)), "{transform}");
            assert_eq!(transform.inverse().queens(&image), Queens::from(&queens), "{transform}");
        }
    }

    #[test]
    fn a_clockwise_turn_maps_upper_left_to_upper_right() {
        let corner = |column| Square::from_left(Size::new(8).unwrap(), 0, column).unwrap();
        let (upper_left, upper_right) = (corner(0), corner(7));
        assert_eq!(Transform::Turn90.square(upper_left), upper_right);
        assert_eq!(Transform::LeftRight.square(upper_left), upper_right);
        assert_eq!(Transform::MainDiagonal.square(upper_left), upper_left);
        assert_eq!(Transform::AntiDiagonal.square(upper_right), upper_right);
    }
}
