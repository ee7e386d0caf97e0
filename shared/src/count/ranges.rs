//! Formats task lists as ranges, such as `0-3,7`.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

/// Formats ascending numbers. Runs of three or more become ranges.
///
/// ```
/// assert_eq!(queens_core::ranges(&[3, 17, 40, 41, 42]), "3,17,40-42");
/// ```
#[must_use]
pub fn ranges(ids: &[u32]) -> String {
    runs(ids).collect::<Vec<_>>().join(",")
}

/// Formats like [`ranges`], but stops with `…` after twelve runs, for use in a message.
///
/// ```
/// use queens_core::shortened;
/// assert_eq!(shortened(&[3, 17, 40, 41, 42]), "3,17,40-42");
/// let odd: Vec<u32> = (0..99).map(|k| 2 * k + 1).collect();
/// assert_eq!(shortened(&odd), "1,3,5,7,9,11,13,15,17,19,21,23…");
/// ```
#[must_use]
pub fn shortened(ids: &[u32]) -> String {
    const MAX_RUNS: usize = 12;
    let mut text = runs(ids).take(MAX_RUNS).collect::<Vec<_>>().join(",");
    if runs(ids).nth(MAX_RUNS).is_some() {
        text.push('…');
    }
    text
}

/// Splits ascending numbers into runs of consecutive numbers, and formats each run.
fn runs(ids: &[u32]) -> impl Iterator<Item = String> {
    ids.chunk_by(|a, b| a.checked_add(1) == Some(*b)).map(|run| match run {
        [first, .., last] if run.len() > 2 => format!("{first}-{last}"),
        short => short.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
    })
}
