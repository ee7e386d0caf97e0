//! The check of a finished row that was saved.

use queens_core::document::{Document, DocumentError, Header, Problem};
use queens_core::{Check, Numbers, known::known};

use super::messages::FinishedRow;

/// The result of the check.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing contradicts the row, or it is known to be wrong already.
    Plausible,
    /// Its document cannot be read, so its checks cannot be confirmed.
    Unreadable,
    /// The reason why the row cannot be right: its numbers differ from published ones or from its document,
    /// or the document contradicts itself.
    Wrong(String),
}

/// Compares a saved row with the published numbers and with its document.
pub fn verdict(row: &FinishedRow, document: &str) -> Verdict {
    let Ok(numbers) = &row.outcome else { return Verdict::Plausible };
    if known(row.size.get()).is_some_and(|known| known != numbers) {
        let n = row.size;
        return Verdict::Wrong(format!(
            "its saved numbers differ from those published for N = {n}"
        ));
    }
    let document = match Document::parse(document) {
        Ok(document) => document,
        // Another version of the page, with another plan, has counted the row.
        Err(DocumentError::Field { problem: Problem::UnknownPlan { .. }, .. }) => {
            return Verdict::Plausible;
        }
        Err(_) => return Verdict::Unreadable,
    };
    if let Some(contradiction) = document.contradictions().first() {
        return Verdict::Wrong(format!("its saved document contradicts itself: {contradiction}"));
    }
    if is_summary_of(row, numbers, &document.header) {
        Verdict::Plausible
    } else {
        Verdict::Wrong("its saved numbers differ from those in its document".to_owned())
    }
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
