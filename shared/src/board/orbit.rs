//! The eight images of a solution and which of them are equal.

use super::{Class, Placement, Stabiliser, Transform, images, representative};

/// All images of a solution, with equal images in one group.
///
/// ```
/// use queens_core::{Class, Orbit, Placement, Transform};
/// // A half turn maps it to itself: the images come in pairs.
/// let orbit = Orbit::of(&Placement::from_left(&[1, 3, 5, 0, 2, 4])?);
/// assert_eq!(orbit.class(), Class::Four);
/// assert_eq!(orbit.distinct().count(), 4);
/// assert_eq!(orbit.image(Transform::Turn180).first, Transform::Identity);
/// # Ok::<(), queens_core::PlacementError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orbit {
    images: [Image; 8],
    stabiliser: Stabiliser,
    representative: Placement,
}

/// One image of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// The transform that makes the image.
    pub transform: Transform,
    /// The image.
    pub placement: Placement,
    /// The first transform, in the order of [`Transform::ALL`], that makes the same image.
    pub first: Transform,
    /// The number of the image's group: 1, 2, … in the order in which the groups first appear.
    /// Equal images have equal numbers.
    pub group: usize,
}

impl Image {
    /// Whether no image before this one is equal to it.
    ///
    /// ```
    /// # use queens_core::{Orbit, Placement, Transform};
    /// let orbit = Orbit::of(&Placement::from_left(&[1, 3, 5, 0, 2, 4])?);
    /// assert!(orbit.image(Transform::Turn90).is_first());
    /// assert!(!orbit.image(Transform::Turn270).is_first());
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn is_first(&self) -> bool {
        self.first == self.transform
    }
}

impl Orbit {
    /// The images of a solution.
    pub fn of(placement: &Placement) -> Orbit {
        let all = images(placement);
        let first_equal = |image: &Placement| {
            all.iter().position(|(_, other)| other == image).unwrap_or_default()
        };
        let images = all.map(|(transform, placement)| {
            let index = first_equal(&placement);
            let first = all.get(index).map_or(transform, |(first, _)| *first);
            let before = all.iter().zip(0..index);
            let earlier_groups =
                before.filter(|((_, other), index)| first_equal(other) == *index).count();
            Image { transform, placement, first, group: earlier_groups + 1 }
        });
        let representative = representative(placement);
        Orbit { images, stabiliser: Stabiliser::of(placement), representative }
    }

    /// The images in the order of [`Transform::ALL`].
    ///
    /// ```
    /// # use queens_core::{Orbit, Placement};
    /// let orbit = Orbit::of(&Placement::from_left(&[1, 3, 5, 0, 2, 4])?);
    /// assert_eq!(orbit.images().map(|image| image.group), [1, 2, 1, 2, 3, 4, 3, 4]);
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub const fn images(&self) -> &[Image; 8] {
        &self.images
    }

    /// The image under a transform.
    ///
    /// ```
    /// # use queens_core::{Orbit, Placement, Transform};
    /// let placement = Placement::from_left(&[1, 3, 5, 0, 2, 4])?;
    /// let turned = Orbit::of(&placement).image(Transform::Turn90).placement;
    /// assert_eq!(turned, Transform::Turn90.apply(&placement));
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub const fn image(&self, transform: Transform) -> &Image {
        &self.images[transform as usize]
    }

    /// The distinct images, with the solution itself first. Their number is the size of the class.
    ///
    /// ```
    /// # use queens_core::{Orbit, Placement};
    /// // . Q . . . .
    /// // . . . Q . .
    /// // . . . . . Q     a half turn maps it to itself
    /// // Q . . . . .
    /// // . . Q . . .
    /// // . . . . Q .
    /// let orbit = Orbit::of(&Placement::from_left(&[1, 3, 5, 0, 2, 4])?);
    /// assert_eq!(orbit.distinct().count(), 4);
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn distinct(&self) -> impl Iterator<Item = &Image> {
        self.images.iter().filter(|image| image.is_first())
    }

    /// All images equal to `image`, including itself.
    ///
    /// ```
    /// # use queens_core::{Orbit, Placement, Transform};
    /// let orbit = Orbit::of(&Placement::from_left(&[1, 3, 5, 0, 2, 4])?);
    /// let equal = orbit.group(orbit.image(Transform::Turn90)).map(|image| image.transform);
    /// assert!(equal.eq([Transform::Turn90, Transform::Turn270]));
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub fn group(&self, image: &Image) -> impl Iterator<Item = &Image> {
        let group = image.group;
        self.images.iter().filter(move |other| other.group == group)
    }

    /// The transforms that map the solution to itself.
    pub const fn stabiliser(&self) -> Stabiliser {
        self.stabiliser
    }

    /// The class of the solution, whose size is the number of distinct images.
    pub const fn class(&self) -> Class {
        self.stabiliser.class()
    }

    /// The image with the smallest judgement value: the representative of the class.
    ///
    /// ```
    /// # use queens_core::{Orbit, Placement, representative};
    /// let placement = Placement::from_left(&[1, 3, 5, 0, 2, 4])?;
    /// assert_eq!(*Orbit::of(&placement).representative(), representative(&placement));
    /// # Ok::<(), queens_core::PlacementError>(())
    /// ```
    pub const fn representative(&self) -> &Placement {
        &self.representative
    }
}
