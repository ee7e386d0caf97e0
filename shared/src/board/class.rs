//! Classes of solutions that are images of each other.

use core::fmt;

use crate::{Placement, Transform};

/// The number of different images of a solution: the size of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// N = 1: the only solution is its own image under all eight transforms.
    One,
    /// A quarter turn maps the solution to itself; the two members mirror each other.
    Two,
    /// A half turn maps the solution to itself, a quarter turn does not.
    Four,
    /// Only the identity maps the solution to itself.
    Eight,
}

impl Class {
    /// All classes, the smallest first.
    pub const ALL: [Class; 4] = [Class::One, Class::Two, Class::Four, Class::Eight];

    /// The number of members: 1, 2, 4 or 8.
    ///
    /// ```
    /// # use queens_core::Class;
    /// assert_eq!(Class::ALL.map(Class::members), [1, 2, 4, 8]);
    /// ```
    #[inline]
    pub const fn members(self) -> u64 {
        match self {
            Class::One => 1,
            Class::Two => 2,
            Class::Four => 4,
            Class::Eight => 8,
        }
    }

    /// The class with this number of members, if there is one.
    ///
    /// ```
    /// # use queens_core::Class;
    /// assert_eq!(Class::with_members(4), Some(Class::Four));
    /// assert_eq!(Class::with_members(3), None);
    /// ```
    pub fn with_members(members: u64) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.members() == members)
    }

    /// The class of a placement.
    ///
    /// ```
    /// use queens_core::{Class, Placement};
    /// // . Q . .
    /// // . . . Q     a quarter turn maps it to itself
    /// // Q . . .
    /// // . . Q .
    /// assert_eq!(Class::of(&Placement::from_left(&[1, 3, 0, 2])?), Class::Two);
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn of(placement: &Placement) -> Class {
        Stabiliser::of(placement).class()
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.members().fmt(f)
    }
}

/// The transforms that map a solution to itself. Mirrors do so only for N = 1: on larger boards at
/// least one queen is off the axis and would attack its own mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stabiliser {
    /// The identity alone: a class of 8.
    Identity,
    /// The identity and the half turn: a class of 4.
    HalfTurn,
    /// The four turns: a class of 2.
    QuarterTurns,
    /// All eight: N = 1, a class of 1.
    WholeSquare,
}

impl Stabiliser {
    /// The transforms that map `placement` to itself.
    ///
    /// ```
    /// # use queens_core::{Placement, Stabiliser};
    /// // . Q . . . .
    /// // . . . Q . .
    /// // . . . . . Q     a half turn maps it to itself
    /// // Q . . . . .
    /// // . . Q . . .
    /// // . . . . Q .
    /// let placement = Placement::from_left(&[1, 3, 5, 0, 2, 4])?;
    /// assert_eq!(Stabiliser::of(&placement), Stabiliser::HalfTurn);
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn of(placement: &Placement) -> Stabiliser {
        let keeps = |transform: Transform| transform.apply(placement) == *placement;
        if placement.size().get() == 1 {
            Stabiliser::WholeSquare
        } else if keeps(Transform::Turn90) {
            Stabiliser::QuarterTurns
        } else if keeps(Transform::Turn180) {
            Stabiliser::HalfTurn
        } else {
            Stabiliser::Identity
        }
    }

    /// Its transforms, the identity first. Their number times the size of the class is 8.
    ///
    /// ```
    /// # use queens_core::{Stabiliser, Transform};
    /// assert_eq!(Stabiliser::HalfTurn.transforms(), [Transform::Identity, Transform::Turn180]);
    /// ```
    pub const fn transforms(self) -> &'static [Transform] {
        match self {
            Stabiliser::Identity => &[Transform::Identity],
            Stabiliser::HalfTurn => &[Transform::Identity, Transform::Turn180],
            Stabiliser::QuarterTurns => {
                &[Transform::Identity, Transform::Turn90, Transform::Turn180, Transform::Turn270]
            }
            Stabiliser::WholeSquare => &Transform::ALL,
        }
    }

    /// The class of the solutions that have this stabiliser.
    ///
    /// ```
    /// # use queens_core::{Class, Stabiliser};
    /// let stabiliser = Stabiliser::HalfTurn;
    /// assert_eq!(stabiliser.class(), Class::Four);
    /// assert_eq!(stabiliser.transforms().len() as u64 * stabiliser.class().members(), 8);
    /// ```
    pub const fn class(self) -> Class {
        match self {
            Stabiliser::Identity => Class::Eight,
            Stabiliser::HalfTurn => Class::Four,
            Stabiliser::QuarterTurns => Class::Two,
            Stabiliser::WholeSquare => Class::One,
        }
    }
}

/// The eight images of a placement, in the order of [`Transform::ALL`]. Images related by the
/// stabiliser are equal.
///
/// ```
/// use queens_core::{Placement, images};
/// // . Q . .
/// // . . . Q     four turns give it back, four mirrorings give its mirror image
/// // Q . . .
/// // . . Q .
/// let placement = Placement::from_left(&[1, 3, 0, 2])?;
/// let mirrored = Placement::from_left(&[2, 0, 3, 1])?;
/// let [turns @ .., _, _, _, _] = images(&placement).map(|(_, image)| image);
/// assert_eq!(turns, [placement; 4]);
/// assert!(images(&placement)[4..].iter().all(|(_, image)| *image == mirrored));
/// # Ok::<(), queens_core::PlacementError>(())
/// ```
pub fn images(placement: &Placement) -> [(Transform, Placement); 8] {
    Transform::ALL.map(|transform| (transform, transform.apply(placement)))
}

/// The representative of the class: the image with the smallest judgement value.
///
/// ```
/// use queens_core::{Placement, representative};
/// // . Q . .               . . Q .
/// // . . . Q               Q . . .
/// // Q . . .   2 0 3 1     . . . Q   1 3 0 2: the smaller one
/// // . . Q .               . Q . .
/// let placement = Placement::from_left(&[1, 3, 0, 2])?;
/// assert_eq!(representative(&placement), Placement::from_left(&[2, 0, 3, 1])?);
/// # Ok::<(), queens_core::PlacementError>(())
/// ```
pub fn representative(placement: &Placement) -> Placement {
    let mut smallest = *placement;
    for (_, image) in images(placement) {
        smallest = smallest.min(image);
    }
    smallest
}
