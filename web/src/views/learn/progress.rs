//! Which lessons somebody has done, as the browser remembers it.

use queens_core::Method;

use crate::browser::storage;

/// The key under which the ids of the methods are remembered, with spaces between them.
const LESSONS: &str = "queens-lessons";

/// The lessons whose exercise was answered rightly once.
pub fn done() -> Vec<Method> {
    let known = storage::recall(LESSONS).unwrap_or_default();
    known.split(' ').filter_map(|id| id.parse().ok()).collect()
}

/// Remembers that a lesson is done.
pub fn note(lesson: Method) {
    let mut all = done();
    if !all.contains(&lesson) {
        all.push(lesson);
        let ids: Vec<_> = all.into_iter().map(Method::id).collect();
        storage::remember(LESSONS, &ids.join(" "));
    }
}

/// Forgets all of them.
pub fn forget() {
    storage::remember(LESSONS, "");
}
