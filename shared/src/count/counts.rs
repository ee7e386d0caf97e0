//! Numbers of solutions and classes.

use crate::{Class, Size, Tally};

/// What a count comes to: OEIS A000170 (total) and A002562 (unique), and the classes between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counts {
    /// All solutions.
    pub total: u64,
    /// Classes: solutions up to turns and mirrors.
    pub unique: u64,
    /// Classes by size; `None` for N = 1, whose only class has one member.
    pub classes: Option<ClassCounts>,
}

/// Numbers of classes by their number of members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClassCounts {
    /// COUNT2: classes of 2.
    pub count2: u64,
    /// COUNT4: classes of 4.
    pub count4: u64,
    /// COUNT8: classes of 8.
    pub count8: u64,
}

impl ClassCounts {
    /// The number of solutions: 2·COUNT2 + 4·COUNT4 + 8·COUNT8; `None` beyond a `u64`.
    pub fn total(&self) -> Option<u64> {
        let twos = self.count2.checked_mul(2)?;
        let fours = self.count4.checked_mul(4)?;
        self.count8.checked_mul(8)?.checked_add(fours)?.checked_add(twos)
    }

    /// The number of classes; `None` beyond a `u64`.
    pub fn unique(&self) -> Option<u64> {
        self.count2.checked_add(self.count4)?.checked_add(self.count8)
    }
}

impl Counts {
    /// From representatives counted class by class. `None` if a sum exceeds a `u64`.
    pub fn from_classes(size: Size, tally: &Tally) -> Option<Counts> {
        if size.get() == 1 {
            let total = tally.class(Class::One);
            return Some(Counts { total, unique: total, classes: None });
        }
        let classes = ClassCounts {
            count2: tally.class(Class::Two),
            count4: tally.class(Class::Four),
            count8: tally.class(Class::Eight),
        };
        Some(Counts { total: classes.total()?, unique: classes.unique()?, classes: Some(classes) })
    }

    /// By Burnside's formula from Q, all solutions, H, those that a half turn maps to
    /// themselves, and R, those that a quarter turn does:
    ///
    /// ```text
    /// unique = (Q + H + 2R) / 8    COUNT2 = R/2    COUNT4 = (H − R)/4    COUNT8 = (Q − H)/8
    /// ```
    ///
    /// # Errors
    /// [`BurnsideError`] if the three numbers cannot belong together: one of the divisions
    /// leaves a remainder or a negative number.
    pub fn from_total(
        size: Size,
        total: u64,
        half_turn: u64,
        quarter_turn: u64,
    ) -> Result<Counts, BurnsideError> {
        if size.get() == 1 {
            return Ok(Counts { total, unique: total, classes: None });
        }
        let error = BurnsideError { total, half_turn, quarter_turn };
        let share = |a: u64, b: u64, members: u64| {
            let difference = a.checked_sub(b)?;
            difference.is_multiple_of(members).then_some(difference / members)
        };
        let classes = ClassCounts {
            count2: share(quarter_turn, 0, 2).ok_or(error)?,
            count4: share(half_turn, quarter_turn, 4).ok_or(error)?,
            count8: share(total, half_turn, 8).ok_or(error)?,
        };
        let unique = classes.unique().ok_or(error)?;
        Ok(Counts { total, unique, classes: Some(classes) })
    }
}

/// Numbers that contradict Burnside's formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{total} solutions, {half_turn} of them equal to their half turn and {quarter_turn} to their \
     quarter turn, cannot be divided into classes of 2, 4 and 8"
)]
pub struct BurnsideError {
    /// Q.
    pub total: u64,
    /// H.
    pub half_turn: u64,
    /// R.
    pub quarter_turn: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ninety_two_is_twelve() {
        let size = Size::new(8).unwrap();
        let counts = Counts::from_total(size, 92, 4, 0).unwrap();
        assert_eq!(counts.unique, 12);
        assert_eq!(counts.classes, Some(ClassCounts { count2: 0, count4: 1, count8: 11 }));
        assert!(Counts::from_total(size, 93, 4, 0).is_err());
        assert!(Counts::from_total(size, 3, 4, 0).is_err());
    }
}
