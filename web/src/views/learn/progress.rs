//! The solved levels, stored in the browser.

use std::cell::RefCell;

use queens_core::Method;

use super::model::progress::Progress;
use crate::browser::storage;

/// The storage key.
const LESSONS: &str = "queens-lessons";

thread_local! {
    /// The levels solved since the page was opened, for browsers that store nothing.
    static SESSION: RefCell<Progress> = RefCell::default();
}

/// Returns the stored progress, merged with that of this visit.
pub fn known() -> Progress {
    let mut all = stored();
    SESSION.with_borrow(|session| all.merge(session));
    all
}

fn stored() -> Progress {
    Progress::parse(&storage::recall(LESSONS).unwrap_or_default())
}

/// Notes that a level, counted from 0, is solved.
pub fn note(lesson: Method, level: u32) {
    SESSION.with_borrow_mut(|session| session.add(lesson, level));
    let mut all = stored();
    if all.add(lesson, level) {
        // A browser without storage keeps the level for this visit.
        storage::remember(LESSONS, &all.text());
    }
}

/// Marks a lesson as done or not done.
pub fn mark(lesson: Method, is_done: bool) {
    SESSION.with_borrow_mut(|session| session.mark(lesson, is_done));
    let mut all = stored();
    all.mark(lesson, is_done);
    storage::remember(LESSONS, &all.text());
}

/// Deletes the progress.
pub fn forget() {
    SESSION.take();
    storage::remember(LESSONS, "");
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    /// The host has no storage, like a browser that blocks it.
    #[test]
    fn progress_is_known_without_storage() {
        note(Method::Flags, 0);
        assert_eq!(known().levels(Method::Flags).next(), Some(1));
        forget();
        assert!(known().is_empty());
    }
}
