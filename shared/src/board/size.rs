//! The side of the board.

use core::{
    fmt,
    num::{IntErrorKind, NonZeroU8},
    str::FromStr,
};

/// The side N of a board with N rows, N columns and N queens: 1 to 32.
///
/// The constructors check the range; all other code relies on it.
///
/// ```
/// use queens_core::Size;
/// assert_eq!(Size::new(8)?.get(), 8);
/// assert_eq!(
///     "33".parse::<Size>().unwrap_err().to_string(),
///     "N = 33 is too large: a board has at most 32 rows",
/// );
/// # Ok::<(), queens_core::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(NonZeroU8);

impl Size {
    /// The largest board: one row is one 32-bit word.
    pub const MAX: u32 = 32;

    /// The largest N that can be counted. Beyond it the number of solutions is expected to exceed 64
    /// bits: Q(28) is about 2.6·10^18, and Q(29) is estimated at 3·10^19, above 2^64 ≈ 1.8·10^19.
    pub const MAX_COUNTED: u32 = 28;

    /// Creates the size of a board with `n` rows.
    ///
    /// # Errors
    /// [`SizeError`] if `n` is not in 1..=32.
    pub const fn new(n: u32) -> Result<Size, SizeError> {
        if n > Size::MAX {
            return Err(SizeError::TooLarge(n as u64));
        }
        match NonZeroU8::new(n as u8) {
            Some(n) => Ok(Size(n)),
            None => Err(SizeError::Zero),
        }
    }

    /// The number of rows, 1 to 32.
    #[inline]
    pub const fn get(self) -> u32 {
        self.0.get() as u32
    }

    /// The number of rows as an array length.
    #[inline]
    pub const fn rows(self) -> usize {
        self.0.get() as usize
    }

    /// The last row, N − 1, counted from the top.
    ///
    /// ```
    /// # use queens_core::Size;
    /// assert_eq!(Size::new(8)?.last(), 7);
    /// # Ok::<(), queens_core::SizeError>(())
    /// ```
    #[inline]
    pub const fn last(self) -> u32 {
        self.get() - 1
    }

    /// All sizes from 1 to 32.
    ///
    /// ```
    /// # use queens_core::Size;
    /// assert!(Size::all().map(Size::get).eq(1..=32));
    /// ```
    pub fn all() -> impl DoubleEndedIterator<Item = Size> {
        (1..=Size::MAX).filter_map(|n| Size::new(n).ok())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let text = text.trim();
        match text.parse::<i64>() {
            Ok(0) => Err(SizeError::Zero),
            Ok(n) if n < 0 => Err(SizeError::Negative),
            Ok(n) => match u32::try_from(n) {
                Ok(n) => Size::new(n),
                Err(_) => Err(SizeError::TooLarge(n.unsigned_abs())),
            },
            Err(_) if is_fraction(text) => Err(SizeError::NotWhole),
            Err(error) => match error.kind() {
                IntErrorKind::PosOverflow => Err(too_large(text)),
                IntErrorKind::NegOverflow => Err(SizeError::Negative),
                _ => Err(SizeError::NotANumber),
            },
        }
    }
}

/// The error for a number that may exceed a `u64`.
fn too_large(text: &str) -> SizeError {
    let digits = text.trim_start_matches(['+', '0']);
    match digits.parse() {
        Ok(n) => SizeError::TooLarge(n),
        Err(_) => {
            let start = digits.get(..SizeError::LEADING_DIGITS).unwrap_or_default();
            SizeError::TooLong { start: start.parse().unwrap_or_default() }
        }
    }
}

/// Whether a text is a number with a decimal point. (Parsing it as an `f64` would add the parser's
/// tables to the page.)
fn is_fraction(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.split_once('.').is_some_and(|(whole, part)| {
        let digits = || whole.bytes().chain(part.bytes());
        digits().count() > 0 && digits().all(|digit| digit.is_ascii_digit())
    })
}

/// Reasons why a number or text is not a valid board size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SizeError {
    /// N = 0.
    #[error("N = 0 is too small: a board has at least 1 row")]
    Zero,
    /// N < 0.
    #[error("N cannot be negative: expected a whole number from 1 to 32")]
    Negative,
    /// N > 32.
    #[error("N = {0} is too large: a board has at most 32 rows")]
    TooLarge(u64),
    /// N > 32, and too large for a `u64`.
    #[error("N = {start}… is too large: a board has at most 32 rows")]
    TooLong {
        /// The first 12 digits.
        start: u64,
    },
    /// A number with a fraction.
    #[error("N must be a whole number from 1 to 32")]
    NotWhole,
    /// Not a number.
    #[error("N must be a whole number from 1 to 32")]
    NotANumber,
}

impl SizeError {
    /// The number of digits that are quoted from a very long number.
    const LEADING_DIGITS: usize = 12;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn accepts_sizes_1_to_32() {
        assert_eq!(Size::new(0), Err(SizeError::Zero));
        assert_eq!(Size::new(33), Err(SizeError::TooLarge(33)));
        assert_eq!(Size::all().count(), 32);
        assert_eq!(Size::all().map(Size::get).sum::<u32>(), 32 * 33 / 2);
    }

    #[test]
    fn parses_sizes_and_reports_errors() {
        assert_eq!(" 8 ".parse::<Size>().map(Size::get), Ok(8));
        assert_eq!("-1".parse::<Size>(), Err(SizeError::Negative));
        assert_eq!("3.5".parse::<Size>(), Err(SizeError::NotWhole));
        assert_eq!("eight".parse::<Size>(), Err(SizeError::NotANumber));
        assert_eq!("".parse::<Size>(), Err(SizeError::NotANumber));
        assert_eq!("99999999999".parse::<Size>(), Err(SizeError::TooLarge(99_999_999_999)));
        let largest = u64::MAX.to_string();
        assert_eq!(largest.parse::<Size>(), Err(SizeError::TooLarge(u64::MAX)));
        assert_eq!(["+00", &largest].concat().parse::<Size>(), Err(SizeError::TooLarge(u64::MAX)));
        assert_eq!(["-", &"9".repeat(50)].concat().parse::<Size>(), Err(SizeError::Negative));
    }

    #[test]
    fn shortens_numbers_with_too_many_digits_in_errors() {
        for digits in [20, 38, 39, 50] {
            let text = &"9876543210".repeat(5)[..digits];
            assert_eq!(
                text.parse::<Size>().unwrap_err().to_string(),
                "N = 987654321098… is too large: a board has at most 32 rows",
            );
        }
    }
}
