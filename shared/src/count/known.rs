//! The published numbers of solutions for N = 1 to 27, against which counts are checked.
//!
//! For each N, only three numbers are stored: all solutions (OEIS A000170), solutions that a half turn
//! maps to themselves (A032522) and solutions that a quarter turn maps to themselves (A033148). The
//! unique count (A002562) and the three class counts follow from them by Burnside's lemma.

use super::{Numbers, Turns};
use crate::Size;

/// The largest N whose number of solutions is published.
pub const LARGEST_KNOWN: u32 = 27;

/// Returns the published numbers for boards of side `n`, or `None` for 0 and above
/// [`LARGEST_KNOWN`].
///
/// ```
/// use queens_core::{ClassCounts, known::known};
/// let eight = known(8).unwrap();
/// assert_eq!((eight.total(), eight.unique()), (92, 12));
/// assert_eq!(eight.classes(), Some(ClassCounts { count2: 0, count4: 1, count8: 11 }));
/// assert!(known(28).is_none());
/// ```
#[must_use]
pub fn known(n: u32) -> Option<&'static Numbers> {
    let index = usize::try_from(n).ok()?.checked_sub(1)?;
    TABLE.get(index)
}

const TABLE: [Numbers; LARGEST_KNOWN as usize] = [
    row(1, 1, 1, 1),
    row(2, 0, 0, 0),
    row(3, 0, 0, 0),
    row(4, 2, 2, 2),
    row(5, 10, 2, 2),
    row(6, 4, 4, 0),
    row(7, 40, 8, 0),
    row(8, 92, 4, 0),
    row(9, 352, 16, 0),
    row(10, 724, 12, 0),
    row(11, 2680, 48, 0),
    row(12, 14_200, 80, 8),
    row(13, 73_712, 136, 8),
    row(14, 365_596, 420, 0),
    row(15, 2_279_184, 1240, 0),
    row(16, 14_772_512, 3000, 64),
    row(17, 95_815_104, 8152, 128),
    row(18, 666_090_624, 18_104, 0),
    row(19, 4_968_057_848, 44_184, 0),
    row(20, 39_029_188_884, 144_620, 480),
    row(21, 314_666_222_712, 375_664, 704),
    row(22, 2_691_008_701_644, 1_250_692, 0),
    row(23, 24_233_937_684_440, 3_581_240, 0),
    row(24, 227_514_171_973_736, 11_675_080, 3328),
    row(25, 2_207_893_435_808_352, 34_132_592, 3264),
    row(26, 22_317_699_616_364_044, 115_718_268, 0),
    row(27, 234_907_967_154_122_528, 320_403_024, 0),
];

/// Computes one row of the table at compile time. If a typing error in the table contradicts Burnside's
/// lemma, the program does not compile.
const fn row(n: u32, total: u64, half: u64, quarter: u64) -> Numbers {
    let Ok(size) = Size::new(n) else { unreachable!() };
    match Numbers::by_burnside(size, total, Turns { half, quarter }) {
        Ok(numbers) => numbers,
        Err(_) => unreachable!(),
    }
}

impl Turns {
    /// Up to this N, [`of`](Turns::of) searches even though the values are published: a search
    /// takes less than a second.
    const LARGEST_SEARCHED: u32 = 22;

    /// Returns the numbers of solutions that a half turn (H) and a quarter turn (R) map to
    /// themselves. Up to N = 22 and above N = 27 they are found by a search, which takes minutes or
    /// more above N = 27. In between they are taken from the table.
    pub fn of(size: Size) -> Turns {
        match known(size.get()) {
            Some(known) if size.get() > Turns::LARGEST_SEARCHED => known.turns(),
            _ => Turns::search(size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_published_turns_for_large_boards() {
        let turns = |n| Turns::of(Size::new(n).unwrap());
        assert_eq!(turns(1), Turns { half: 1, quarter: 1 });
        assert_eq!(turns(12), Turns { half: 80, quarter: 8 });
        assert_eq!(turns(24), Turns { half: 11_675_080, quarter: 3328 });
    }
}
