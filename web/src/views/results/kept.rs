//! Files that were loaded stay in the browser until they are removed from the list.

use std::cell::RefCell;

use yew::prelude::*;

use super::archive::{Archive, Change, Entry, Source, Why};
use crate::worker::{Answer, Keeping, Ticket, worker};

thread_local! {
    /// Only while the view is open.
    static KEEPER: RefCell<Option<Ticket>> = const { RefCell::new(None) };
}

/// Brings into the list the files that are kept, and those that the address names, with commas
/// between them.
#[hook]
pub fn use_kept(archive: UseReducerDispatcher<Archive>, linked: &str) {
    use_effect_with((), move |()| {
        let keeper = worker().keeper(move |answer| {
            if let Answer::File(name, text) = answer {
                archive.dispatch(Change::File(name, text.map_err(Why::NoFile)));
            }
        });
        KEEPER.set(Some(keeper));
        || drop(KEEPER.take())
    });
    use_effect_with(linked.to_owned(), |linked| {
        for path in linked.split(',').filter(|path| !path.is_empty()) {
            tell(Keeping::Fetch(path.to_owned()));
        }
    });
}

/// Keeps a file.
pub fn put(name: String, text: String) {
    tell(Keeping::Put { name, text });
}

/// Keeps a document no longer.
pub fn remove(entry: &Entry) {
    if let Source::File(name) = &entry.source {
        tell(Keeping::Remove(Keeping::key(name, &entry.header)));
    }
}

fn tell(what: Keeping) {
    KEEPER.with_borrow(|keeper| {
        if let Some(keeper) = keeper {
            keeper.keep(what);
        }
    });
}
