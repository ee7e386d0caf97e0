//! Result files, loaded through the worker, which stores them until the user removes them from the
//! list.

use std::cell::{Cell, RefCell};
use std::iter;
use std::rc::Rc;

use queens_core::document::LARGEST_DOCUMENT;
use web_sys::Blob;
use yew::prelude::*;

use super::archive::{Archive, Change};
use super::entry::{Entry, ReadOutcome, RejectedDocument};
use crate::browser::BlobUrl;
use crate::worker::{Answer, DocumentInfo, FileError, FileRequest, PublishOutcome, worker};

/// Adds to the list the stored files, and the files on the page's host that the address names. `paths`
/// are the paths of the files on the host, separated by commas.
#[hook]
pub fn use_files(archive: UseReducerDispatcher<Archive>, paths: &str) {
    use_effect_with(paths.to_owned(), move |paths| {
        let paths = paths.split(',').filter(|path| !path.is_empty());
        let fetches = paths.map(|path| FileRequest::Fetch(path.to_owned()));
        for what in iter::once(FileRequest::LoadStored).chain(fetches) {
            let archive = archive.clone();
            let on_files = move |files| archive.dispatch(Change::Files(entries(files)));
            read(what, on_files, || {});
        }
    });
}

/// The number of files that have a `blob:` URL at the same time. Creating a URL and reading the size of a file take the
/// browser a fraction of a millisecond each.
const FILES_AT_ONCE: usize = 20;

/// Loads and stores files, each with its name, [`FILES_AT_ONCE`] at a time. Files above the size limit for a document
/// are rejected without being read. The files of one batch are added to the list together: otherwise the looks of the
/// chart's lines would depend on the order in which the worker has read the files. Calls `then` after the last one.
pub fn load(
    mut files: Vec<(String, Blob)>,
    on_file: Callback<Change>,
    then: impl FnOnce() + 'static,
) {
    if files.is_empty() {
        return then();
    }
    let rest = files.split_off(files.len().min(FILES_AT_ONCE));
    let (mut urls, mut addresses, mut loaded) = (vec![], vec![], vec![]);
    for (name, file) in files {
        let address = if file.size() > LARGEST_DOCUMENT as f64 {
            Err(FileError::TooLarge)
        } else {
            BlobUrl::new(&file).ok_or(FileError::Unreadable)
        };
        match address {
            Ok(address) => {
                addresses.push((name, address.get().to_owned()));
                urls.push(address);
            }
            Err(why) => loaded.push(Entry::of_file(name, Err(why))),
        }
    }
    let loaded = Rc::new(RefCell::new(loaded));
    let on_files = {
        let loaded = Rc::clone(&loaded);
        move |files| {
            // The closure owns the URLs, so that they stay valid until the worker has read the
            // files.
            let _ = &urls;
            loaded.borrow_mut().extend(entries(files));
        }
    };
    let on_end = move || {
        on_file.emit(Change::Loaded(loaded.take()));
        load(rest, on_file, then);
    };
    read(FileRequest::Load(addresses), on_files, on_end);
}

/// Deletes the stored file of a document that came from a file.
pub fn remove(entry: &Entry) {
    if let Some(key) = entry.key() {
        remove_key(key);
    }
}

/// Deletes the stored file with this [key](Entry::key).
pub fn remove_key(key: String) {
    read(FileRequest::Remove(key), |_| {}, || {});
}

/// Posts a stored file, or a file on the page's own host, to the page's server. `key` is its
/// [key](Entry::key).
pub fn publish(key: String, on_outcome: impl Fn(PublishOutcome) + 'static) {
    worker().process_files(FileRequest::Publish(key), move |answer| {
        if let Answer::Files { files, .. } = answer {
            on_outcome(PublishOutcome::read(&files));
        }
    });
}

/// Returns the entries of files, which are given by name and outcome.
fn entries(files: Vec<(String, ReadOutcome)>) -> Vec<Result<Entry, RejectedDocument>> {
    files.into_iter().map(|(name, found)| Entry::of_file(name, found)).collect()
}

/// Processes files in the worker. Calls `on_files` for each answer, with the names of its files and the
/// outcomes, and `then` after the last answer.
pub fn read(
    what: FileRequest,
    on_files: impl Fn(Vec<(String, ReadOutcome)>) + 'static,
    then: impl FnOnce() + 'static,
) {
    let (client, then) = (worker(), Cell::new(Some(then)));
    worker().process_files(what, move |answer| {
        let Answer::Files { files, last } = answer else { return };
        let with_handle = |(name, outcome): (String, Result<DocumentInfo, FileError>)| {
            (name, outcome.map(|info| (client.handle(info.document), info)))
        };
        let files: Vec<_> = DocumentInfo::read(&files).into_iter().map(with_handle).collect();
        if !files.is_empty() {
            on_files(files);
        }
        if last && let Some(then) = then.take() {
            then();
        }
    });
}
