//! The eight images of a solution and how they fall together.

use queens_core::{Class, Placement, Stabiliser, Transform, images, representative};

/// All images of a solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Orbit {
    /// In the order of [`Transform::ALL`].
    pub images: [Image; 8],
    /// The transforms that map the solution to itself.
    pub stabiliser: Stabiliser,
    /// The image with the smallest judgement value.
    pub representative: Placement,
}

/// One image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Image {
    /// What makes it.
    pub transform: Transform,
    /// The image.
    pub placement: Placement,
    /// Equal images have equal numbers: 1, 2, … in the order in which they first appear.
    pub group: usize,
    /// The first row whose digit of the judgement value differs from the representative's;
    /// none for the representative.
    pub decides: Option<usize>,
}

impl Orbit {
    /// The images of a solution.
    pub fn of(placement: &Placement) -> Orbit {
        let representative = representative(placement);
        let mut different: Vec<Placement> = Vec::with_capacity(8);
        let images = images(placement).map(|(transform, placement)| {
            let known = different.iter().position(|&other| other == placement);
            let group = known.unwrap_or_else(|| {
                different.push(placement);
                different.len() - 1
            });
            let decides = placement
                .columns_from_right()
                .iter()
                .zip(representative.columns_from_right())
                .position(|(a, b)| a != b);
            Image { transform, placement, group: group + 1, decides }
        });
        Orbit { images, stabiliser: Stabiliser::of(placement), representative }
    }

    /// What a transform makes.
    pub fn image(&self, transform: Transform) -> &Image {
        let [first, others @ ..] = &self.images;
        others.iter().find(|image| image.transform == transform).unwrap_or(first)
    }

    /// The size of the class.
    pub fn class(&self) -> Class {
        self.stabiliser.class()
    }

    /// The transforms that make the different images, group by group.
    pub fn groups(&self) -> Vec<Vec<Transform>> {
        let mut groups = vec![vec![]; self.class().members() as usize];
        for image in &self.images {
            if let Some(group) = groups.get_mut(image.group - 1) {
                group.push(image.transform);
            }
        }
        groups
    }

    /// Whether no image before this one is equal to it.
    pub fn is_first(&self, image: &Image) -> bool {
        let first = self.images.iter().find(|other| other.group == image.group);
        first.is_some_and(|first| first.transform == image.transform)
    }

    /// The other transforms that make the same image.
    pub fn equal_to(&self, image: &Image) -> Vec<Transform> {
        let others = self
            .images
            .iter()
            .filter(|other| other.group == image.group && other.transform != image.transform);
        others.map(|other| other.transform).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orbit(columns: &[u32]) -> Orbit {
        Orbit::of(&Placement::from_left(columns).unwrap())
    }

    fn groups(orbit: &Orbit) -> [usize; 8] {
        orbit.images.map(|image| image.group)
    }

    #[test]
    fn a_class_of_two_has_two_images_of_four_transforms_each() {
        let orbit = orbit(&[1, 4, 2, 0, 3]);
        assert_eq!(groups(&orbit), [1, 1, 1, 1, 2, 2, 2, 2]);
        assert_eq!(orbit.groups()[0], Transform::ALL[..4]);
        assert_eq!(orbit.groups()[1], Transform::ALL[4..]);
    }

    #[test]
    fn a_class_of_four_has_pairs() {
        let orbit = orbit(&[2, 4, 1, 7, 0, 6, 3, 5]);
        assert_eq!(groups(&orbit), [1, 2, 1, 2, 3, 4, 3, 4]);
        let equal = orbit.equal_to(&orbit.images[1]);
        assert_eq!(equal, [Transform::Turn270]);
    }

    #[test]
    fn a_class_of_eight_and_its_representative() {
        let orbit = orbit(&[0, 4, 7, 5, 2, 6, 1, 3]);
        assert_eq!(groups(&orbit), [1, 2, 3, 4, 5, 6, 7, 8]);
        let smallest: Vec<_> = orbit.images.iter().filter(|i| i.decides.is_none()).collect();
        assert_eq!(smallest.len(), 1);
        assert_eq!(smallest[0].placement, orbit.representative);
        assert!(orbit.equal_to(smallest[0]).is_empty());
    }

    #[test]
    fn one_queen_has_one_image() {
        let orbit = orbit(&[0]);
        assert_eq!(groups(&orbit), [1; 8]);
        assert_eq!(orbit.groups(), [Transform::ALL.to_vec()]);
    }
}
