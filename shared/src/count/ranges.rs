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

/// Formats like [`ranges`], but stops with `…` after twelve entries, for use in a message.
///
/// ```
/// assert_eq!(queens_core::shortened(&[3, 17, 40, 41, 42]), "3,17,40-42");
/// ```
#[must_use]
pub fn shortened(ids: &[u32]) -> String {
    const MAX_RANGES: usize = 12;
    let mut text = runs(ids).take(MAX_RANGES).collect::<Vec<_>>().join(",");
    if runs(ids).nth(MAX_RANGES).is_some() {
        text.push('…');
    }
    text
}

fn runs(ids: &[u32]) -> impl Iterator<Item = String> {
    ids.chunk_by(|a, b| a.checked_add(1) == Some(*b)).map(|run| match run {
        [first, .., last] if run.len() > 2 => format!("{first}-{last}"),
        several => several.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
    })
}
