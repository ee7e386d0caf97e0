//! The completed lessons, stored in the browser.

use queens_core::Method;

use crate::browser::storage;

/// The storage key. The value has the ids of the methods, with spaces between them.
const LESSONS: &str = "queens-lessons";

/// Returns the lessons with an exercise that the user answered correctly.
pub fn done() -> Vec<Method> {
    let stored = storage::recall(LESSONS).unwrap_or_default();
    stored.split(' ').filter_map(|id| id.parse().ok()).collect()
}

/// Stores that a lesson is done.
pub fn note(lesson: Method) {
    let mut all = done();
    if !all.contains(&lesson) {
        all.push(lesson);
        let ids: Vec<_> = all.into_iter().map(Method::id).collect();
        storage::remember(LESSONS, &ids.join(" "));
    }
}

/// Deletes the stored progress.
pub fn forget() {
    storage::remember(LESSONS, "");
}
