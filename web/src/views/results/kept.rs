//! Files with results: the worker reads them, and keeps those that were loaded until they are removed
//! from the list.

use std::cell::Cell;
use std::iter;

use web_sys::File;
use yew::prelude::*;

use super::archive::{Archive, Change, Entry, Found};
use crate::browser::Lent;
use crate::worker::{Answer, Gist, Keeping, Why, worker};

/// Brings into the list the files that are kept, and those that the address names, with commas
/// between them.
#[hook]
pub fn use_kept(archive: UseReducerDispatcher<Archive>, linked: &str) {
    use_effect_with(linked.to_owned(), move |linked| {
        let links = linked.split(',').filter(|path| !path.is_empty());
        let links = links.map(|path| Keeping::Fetch(path.to_owned()));
        for what in iter::once(Keeping::All).chain(links) {
            let archive = archive.clone();
            let hear = move |name, found| {
                archive.dispatch(Change::File(Entry::of_file(name, found)));
            };
            read(what, hear, || {});
        }
    });
}

/// So many files are lent at once: each takes the browser a part of a millisecond.
const SOME: usize = 20;

/// Loads and keeps files, some after the others.
pub fn load(mut files: Vec<File>, on_file: Callback<Change>) {
    if files.is_empty() {
        return;
    }
    let rest = files.split_off(files.len().min(SOME));
    let (mut lent, mut addresses) = (vec![], vec![]);
    for file in files {
        match Lent::new(&file) {
            Some(address) => {
                addresses.push((file.name(), address.get().to_owned()));
                lent.push(address);
            }
            None => on_file.emit(Change::File(Entry::of_file(file.name(), Err(Why::Unreadable)))),
        }
    }
    let hear = {
        let on_file = on_file.clone();
        move |name, found| {
            // They are lent for as long as something is to be heard of them.
            let _ = &lent;
            on_file.emit(Change::File(Entry::of_file(name, found)));
        }
    };
    read(Keeping::Load(addresses), hear, || load(rest, on_file));
}

/// Keeps a document no longer.
pub fn remove(entry: &Entry) {
    if let Some(key) = entry.key() {
        read(Keeping::Remove(key), |_, _| {}, || {});
    }
}

/// Has the worker read files, hears what it has made of each, and goes on after the last.
pub fn read(what: Keeping, hear: impl Fn(String, Found) + 'static, then: impl FnOnce() + 'static) {
    let (client, then) = (worker(), Cell::new(Some(then)));
    worker().files(what, move |answer| {
        let Answer::Files { files, last } = answer else { return };
        for (name, made) in Gist::read(&files) {
            hear(name, made.map(|gist| (client.hold(gist.document), gist)));
        }
        if last && let Some(then) = then.take() {
            then();
        }
    });
}
