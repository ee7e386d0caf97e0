//! The solved levels, stored in the browser.

use std::cell::RefCell;

use queens_core::Method;
use queens_state::learn::progress::Progress;

use crate::browser::storage;

/// The storage key.
const LESSONS: &str = "queens-lessons";

thread_local! {
    /// The levels solved since the page was opened, for browsers that store nothing.
    static SESSION: RefCell<Progress> = RefCell::default();
}

/// Returns the stored progress, merged with that of this session.
pub fn known() -> Progress {
    let mut all = stored();
    SESSION.with_borrow(|session| all.merge(session));
    all
}

fn stored() -> Progress {
    Progress::parse(&storage::recall(LESSONS).unwrap_or_default())
}

fn store(progress: &Progress) -> bool {
    storage::remember(LESSONS, &progress.text())
}

/// Notes that a level, counted from 0, is solved.
pub fn note(lesson: Method, level: u32) {
    SESSION.with_borrow_mut(|session| session.add(lesson, level));
    let mut all = stored();
    if all.add(lesson, level) {
        store(&all);
    }
}

/// Adds the progress of a file or a link to the stored one. Returns the number of lessons with new levels;
/// `None` if the browser does not store the progress.
pub fn merge(other: &Progress) -> Option<usize> {
    let mut all = stored();
    let added = all.merge(other);
    store(&all).then_some(added)
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
