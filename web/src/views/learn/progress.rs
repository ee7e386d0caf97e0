//! The completed lessons, stored in the browser.

use queens_core::Method;
use queens_state::learn::progress::Progress;

use crate::browser::storage;

/// The storage key. The value has the ids of the methods, with spaces between them.
const LESSONS: &str = "queens-lessons";

/// Returns the stored progress.
pub fn stored() -> Progress {
    Progress::parse(&storage::recall(LESSONS).unwrap_or_default())
}

fn store(progress: &Progress) -> bool {
    storage::remember(LESSONS, &progress.text())
}

/// Returns the lessons with an exercise that the user answered correctly.
pub fn done() -> Vec<Method> {
    stored().lessons().collect()
}

/// Stores that a lesson is done.
pub fn note(lesson: Method) {
    let mut all = stored();
    if all.add(lesson) {
        store(&all);
    }
}

/// Adds the progress of a file to the stored one. Returns the number of added lessons, or `None` if
/// the browser does not store the progress.
pub fn merge(other: &Progress) -> Option<usize> {
    let mut all = stored();
    let added = all.merge(other);
    store(&all).then_some(added)
}

/// Deletes the stored progress.
pub fn forget() {
    storage::remember(LESSONS, "");
}
