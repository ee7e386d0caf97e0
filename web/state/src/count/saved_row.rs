//! The check of a finished row that was saved.

use queens_core::document::{Document, DocumentError, Header, Problem};
use queens_core::{Check, Numbers, known::known};

use super::messages::FinishedRow;

/// Returns why a saved row cannot be right: its numbers differ from published ones or from its document, or
/// the document contradicts itself. Returns `None` for a row that is known to be wrong.
pub fn damage(row: &FinishedRow, document: &str) -> Option<String> {
    let numbers = row.outcome.as_ref().ok()?;
    if known(row.size.get()).is_some_and(|known| known != numbers) {
        return Some(format!("its saved numbers differ from those published for N = {}", row.size));
    }
    let document = match Document::parse(document) {
        Ok(document) => document,
        // Another version of the page, with another plan, has counted the row.
        Err(DocumentError::Field { problem: Problem::UnknownPlan { .. }, .. }) => return None,
        Err(error) => return Some(format!("its saved document cannot be read: {error}")),
    };
    if let Some(contradiction) = document.contradictions().first() {
        return Some(format!("its saved document contradicts itself: {contradiction}"));
    }
    let differs = !is_summary_of(row, numbers, &document.header);
    differs.then(|| "its saved numbers differ from those in its document".to_owned())
}

/// Whether a row has the numbers, the checks and the time of a document.
fn is_summary_of(row: &FinishedRow, numbers: &Numbers, header: &Header) -> bool {
    let checks = row.checks.iter().map(Check::id);
    // Reading a number from JSON may change its last bit.
    let tolerance = row.seconds.abs() * 1e-9;
    (header.n, header.method) == (row.size, row.method)
        && (header.total, header.unique) == (numbers.total(), Some(numbers.unique()))
        && header.classes == numbers.classes()
        && header.checks.iter().map(String::as_str).eq(checks)
        && (header.seconds.get() - row.seconds).abs() <= tolerance
}
