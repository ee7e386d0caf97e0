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
            let hear = move |files| archive.dispatch(change(files));
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
            None => on_file.emit(change(vec![(file.name(), Err(Why::Unreadable))])),
        }
    }
    let hear = {
        let on_file = on_file.clone();
        move |files| {
            // The closure owns the URLs, so they stay valid until the worker has read the files.
            let _ = &lent;
            on_file.emit(change(files));
        }
    };
    read(Keeping::Load(addresses), hear, || load(rest, on_file));
}

/// Deletes the stored file of a document that came from a file.
pub fn remove(entry: &Entry) {
    if let Some(key) = entry.key() {
        read(Keeping::Remove(key), |_| {}, || {});
    }
}

/// The change of the archive that adds files, each by its name.
fn change(files: Vec<(String, Found)>) -> Change {
    Change::Files(files.into_iter().map(|(name, found)| Entry::of_file(name, found)).collect())
}

/// Reads files in the worker. Calls `hear` with the names and contents of the files that the worker
/// has read together, and `then` after the last.
pub fn read(
    what: Keeping,
    hear: impl Fn(Vec<(String, Found)>) + 'static,
    then: impl FnOnce() + 'static,
) {
    let (client, then) = (worker(), Cell::new(Some(then)));
    worker().files(what, move |answer| {
        let Answer::Files { files, last } = answer else { return };
        let held = |(name, made): (String, Result<Gist, Why>)| {
            (name, made.map(|gist| (client.hold(gist.document), gist)))
        };
        let files: Vec<_> = Gist::read(&files).into_iter().map(held).collect();
        if !files.is_empty() {
            hear(files);
        }
        if last && let Some(then) = then.take() {
            then();
        }
    });
}
