//! Loading result files through the worker, which stores them until they are removed from the list.

use std::cell::Cell;
use std::iter;

use web_sys::File;
use yew::prelude::*;

use super::archive::{Archive, Change, Entry, Found};
use crate::browser::Lent;
use crate::worker::{Answer, Gist, Keeping, Why, worker};

/// Adds the stored files to the list, and those that the address links to. `linked` has their
/// paths, separated by commas.
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

/// The number of files that have a `blob:` URL at the same time. Creating one takes the browser a
/// fraction of a millisecond.
const SOME: usize = 20;

/// Loads and stores files, `SOME` at a time.
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
            // The closure owns the URLs, so they stay valid until the worker has read the files.
            let _ = &lent;
            on_file.emit(Change::File(Entry::of_file(name, found)));
        }
    };
    read(Keeping::Load(addresses), hear, || load(rest, on_file));
}

/// Deletes the stored file of a document that came from a file.
pub fn remove(entry: &Entry) {
    if let Some(key) = entry.key() {
        read(Keeping::Remove(key), |_, _| {}, || {});
    }
}

/// Reads files in the worker. Calls `hear` with the name and the contents of each file, and `then`
/// after the last.
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
