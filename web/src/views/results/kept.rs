//! Files that were loaded stay in the browser until they are removed from the list.

use std::cell::RefCell;

use yew::prelude::*;

use super::archive::{Archive, Change, Entry, Why};
use crate::worker::{Answer, Keeping, Ticket, worker};

thread_local! {
    /// Only while the view is open.
    static KEEPER: RefCell<Option<Ticket>> = const { RefCell::new(None) };
}

/// Brings into the list the files that are kept, and those that the address names, with commas
/// between them.
#[hook]
pub fn use_kept(archive: UseReducerDispatcher<Archive>, linked: &str) {
    use_effect_with(linked.to_owned(), move |linked| {
        let keeper = worker().keeper(move |answer| {
            if let Answer::Files(files) = answer {
                for (name, text) in files {
                    let text = text.as_deref().map_err(|&why| Why::NoFile(why));
                    archive.dispatch(Change::File(Entry::of_file(name, text)));
                }
            }
        });
        for path in linked.split(',').filter(|path| !path.is_empty()) {
            keeper.keep(Keeping::Fetch(path.to_owned()));
        }
        KEEPER.set(Some(keeper));
        || drop(KEEPER.take())
    });
}

/// Keeps a file.
pub fn put(name: String, text: String) {
    tell(Keeping::Put { name, text });
}

/// Keeps a document no longer.
pub fn remove(entry: &Entry) {
    if let Some(key) = entry.key() {
        tell(Keeping::Remove(key));
    }
}

fn tell(what: Keeping) {
    KEEPER.with_borrow(|keeper| {
        if let Some(keeper) = keeper {
            keeper.keep(what);
        }
    });
}
