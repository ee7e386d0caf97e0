//! The published numbers of solutions for N = 1 to 27, against which counts are checked.
//!
//! Only three columns are stored: all solutions (OEIS A000170), those that a half turn maps to
//! themselves (A032522) and those that a quarter turn maps to themselves (A033148). The unique
//! count (A002562) and the three class counts follow from them by Burnside's lemma.

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
    line(1, 1, 1, 1),
    line(2, 0, 0, 0),
    line(3, 0, 0, 0),
    line(4, 2, 2, 2),
    line(5, 10, 2, 2),
    line(6, 4, 4, 0),
    line(7, 40, 8, 0),
    line(8, 92, 4, 0),
    line(9, 352, 16, 0),
    line(10, 724, 12, 0),
    line(11, 2680, 48, 0),
    line(12, 14_200, 80, 8),
    line(13, 73_712, 136, 8),
    line(14, 365_596, 420, 0),
    line(15, 2_279_184, 1240, 0),
    line(16, 14_772_512, 3000, 64),
    line(17, 95_815_104, 8152, 128),
    line(18, 666_090_624, 18_104, 0),
    line(19, 4_968_057_848, 44_184, 0),
    line(20, 39_029_188_884, 144_620, 480),
    line(21, 314_666_222_712, 375_664, 704),
    line(22, 2_691_008_701_644, 1_250_692, 0),
    line(23, 24_233_937_684_440, 3_581_240, 0),
    line(24, 227_514_171_973_736, 11_675_080, 3328),
    line(25, 2_207_893_435_808_352, 34_132_592, 3264),
    line(26, 22_317_699_616_364_044, 115_718_268, 0),
    line(27, 234_907_967_154_122_528, 320_403_024, 0),
];

/// One row of the table, computed at compile time. A typing error that contradicts Burnside's lemma
/// does not compile.
const fn line(n: u32, total: u64, half: u64, quarter: u64) -> Numbers {
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
    /// themselves. They are searched for up to N = 22 and above N = 27 (minutes or more), and taken
    /// from the table in between.
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
        let of = |n| Turns::of(Size::new(n).unwrap());
        assert_eq!(of(1), Turns { half: 1, quarter: 1 });
        assert_eq!(of(12), Turns { half: 80, quarter: 8 });
        assert_eq!(of(24), Turns { half: 11_675_080, quarter: 3328 });
    }
}
