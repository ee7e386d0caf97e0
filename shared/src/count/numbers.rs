//! The numbers of a board: solutions, classes, and solutions fixed by turns.

use super::Turns;
use crate::{Class, Size};

/// The numbers of a board. All follow from the number of classes of each size.
///
/// ```text
/// total   Q = 1·count1 + 2·COUNT2 + 4·COUNT4 + 8·COUNT8     OEIS A000170
/// unique    =   count1 +   COUNT2 +   COUNT4 +   COUNT8     OEIS A002562
/// H         =   count1 + 2·COUNT2 + 4·COUNT4                OEIS A032522
/// R         =   count1 + 2·COUNT2                           OEIS A033148
/// ```
///
/// Only N = 1 has a class of 1, its single solution.
///
/// ```
/// use queens_core::{Numbers, Size, Turns};
/// let turns = Turns { half: 4, quarter: 0 };
/// let eight = Numbers::by_burnside(Size::new(8)?, 92, turns)?;
/// assert_eq!((eight.total(), eight.unique()), (92, 12));
/// assert_eq!(Numbers::of_classes([0, 0, 1, 11]), Some(eight));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numbers {
    /// The number of classes of each size, in the order of [`Class::ALL`].
    classes: [u64; 4],
    total: u64,
}

/// Numbers of classes by their number of members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClassCounts {
    /// COUNT2: classes of 2.
    #[cfg_attr(feature = "serde", serde(with = "crate::decimal"))]
    pub count2: u64,
    /// COUNT4: classes of 4.
    #[cfg_attr(feature = "serde", serde(with = "crate::decimal"))]
    pub count4: u64,
    /// COUNT8: classes of 8.
    #[cfg_attr(feature = "serde", serde(with = "crate::decimal"))]
    pub count8: u64,
}

impl ClassCounts {
    /// The number of solutions: 2·COUNT2 + 4·COUNT4 + 8·COUNT8.
    pub const fn total(&self) -> u128 {
        2 * self.count2 as u128 + 4 * self.count4 as u128 + 8 * self.count8 as u128
    }

    /// The number of classes.
    pub const fn unique(&self) -> u128 {
        self.count2 as u128 + self.count4 as u128 + self.count8 as u128
    }
}

impl Numbers {
    /// Computes the numbers from the class counts in the order of [`Class::ALL`]: classes of 1, 2,
    /// 4 and 8. Returns `None` if the sum of their members exceeds a `u64`.
    pub const fn of_classes(classes: [u64; 4]) -> Option<Numbers> {
        let [one, count2, count4, count8] = classes;
        let total = one as u128 + ClassCounts { count2, count4, count8 }.total();
        if total > u64::MAX as u128 {
            return None;
        }
        Some(Numbers { classes, total: total as u64 })
    }

    /// Computes the numbers from the number of all solutions Q and the numbers H and R of solutions
    /// fixed by half and quarter turns, with Burnside's lemma:
    ///
    /// ```text
    /// unique = (Q + H + 2R) / 8    COUNT2 = R/2    COUNT4 = (H − R)/4    COUNT8 = (Q − H)/8
    /// ```
    ///
    /// # Errors
    /// [`BurnsideError`] if the three numbers are inconsistent: a division leaves a remainder or a
    /// difference is negative.
    pub const fn by_burnside(
        size: Size,
        total: u64,
        turns: Turns,
    ) -> Result<Numbers, BurnsideError> {
        let Turns { half, quarter } = turns;
        let error = BurnsideError { total, turns };
        if size.get() == 1 {
            let agree = half == total && quarter == total;
            return if agree {
                Ok(Numbers { classes: [total, 0, 0, 0], total })
            } else {
                Err(error)
            };
        }
        match (
            classes_of_size(quarter, 0, 2),
            classes_of_size(half, quarter, 4),
            classes_of_size(total, half, 8),
        ) {
            (Some(two), Some(four), Some(eight)) => {
                Ok(Numbers { classes: [0, two, four, eight], total })
            }
            _ => Err(error),
        }
    }

    /// The number of all solutions, Q.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The number of solutions up to turns and mirrors, which is the number of classes.
    pub const fn unique(&self) -> u64 {
        // Cannot overflow: there are at most as many classes as solutions, whose number fits.
        let [one, two, four, eight] = self.classes;
        one + two + four + eight
    }

    /// The number of classes with the size of `class`.
    pub const fn class(&self, class: Class) -> u64 {
        self.classes[class as usize]
    }

    /// COUNT2, COUNT4 and COUNT8; `None` for N = 1, whose only class has one member.
    pub const fn classes(&self) -> Option<ClassCounts> {
        let [one, count2, count4, count8] = self.classes;
        if one == 0 { Some(ClassCounts { count2, count4, count8 }) } else { None }
    }

    /// H and R, the numbers of solutions fixed by a half turn and a quarter turn.
    pub const fn turns(&self) -> Turns {
        let [one, two, four, _] = self.classes;
        Turns { half: one + 2 * two + 4 * four, quarter: one + 2 * two }
    }
}

/// The number of classes of size `members` in `all - others` solutions; `None` if it is not a whole
/// number or the difference is negative.
const fn classes_of_size(all: u64, others: u64, members: u64) -> Option<u64> {
    match all.checked_sub(others) {
        Some(rest) if rest.is_multiple_of(members) => Some(rest / members),
        _ => None,
    }
}

/// Numbers that contradict Burnside's lemma.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{total} solutions, {} of them with half-turn symmetry and {} with quarter-turn symmetry, cannot \
     be divided into classes of 2, 4 and 8", .turns.half, .turns.quarter
)]
pub struct BurnsideError {
    /// Q.
    pub total: u64,
    /// H and R.
    pub turns: Turns,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn burnside_gives_12_classes_for_92_solutions() {
        let size = Size::new(8).unwrap();
        let turns = Turns { half: 4, quarter: 0 };
        let numbers = Numbers::by_burnside(size, 92, turns).unwrap();
        assert_eq!((numbers.total(), numbers.unique(), numbers.turns()), (92, 12, turns));
        assert_eq!(numbers.classes(), Some(ClassCounts { count2: 0, count4: 1, count8: 11 }));
        assert_eq!(Class::ALL.map(|class| numbers.class(class)), [0, 0, 1, 11]);
        // One solution too many, fewer solutions than a half turn fixes, and an odd number of
        // solutions fixed by quarter turns.
        assert!(Numbers::by_burnside(size, 93, turns).is_err());
        assert!(Numbers::by_burnside(size, 3, turns).is_err());
        assert!(Numbers::by_burnside(size, 92, Turns { half: 4, quarter: 1 }).is_err());
    }

    #[test]
    fn a_single_queen_is_a_class_of_one() {
        let size = Size::new(1).unwrap();
        let turns = Turns { half: 1, quarter: 1 };
        let numbers = Numbers::by_burnside(size, 1, turns).unwrap();
        assert_eq!((numbers.total(), numbers.unique(), numbers.turns()), (1, 1, turns));
        assert_eq!((numbers.class(Class::One), numbers.classes()), (1, None));
        assert!(Numbers::by_burnside(size, 1, Turns { half: 0, quarter: 1 }).is_err());
    }

    #[test]
    fn rejects_totals_beyond_64_bits() {
        let most = u64::MAX / 8;
        assert_eq!(Numbers::of_classes([0, 0, 1, most]).map(|n| n.total()), Some(u64::MAX - 3));
        assert_eq!(Numbers::of_classes([0, 0, 2, most]), None);
        assert_eq!(Numbers::of_classes([0, 0, u64::MAX, u64::MAX]), None);
    }
}
