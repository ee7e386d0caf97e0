//! The canonical text of a document, in which results are stored, sent and named. Neither the text nor
//! the id derived from it may ever change. Otherwise a result could be stored twice, and links to
//! results would break.
//!
//! Another program created the texts in `data/canonical`: sorted keys, no white space, times as
//! fractions. `sha256sum --check SHA256SUMS` in that folder checks the ids without this code.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use queens::store::id;
use queens_core::document::Document;

fn data(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(folder)
}

/// The names and texts of the documents in a folder.
fn documents(folder: &str) -> BTreeMap<String, String> {
    let entries = fs::read_dir(data(folder)).unwrap().map(|entry| entry.unwrap().path());
    let documents = entries.filter(|path| path.extension().is_some_and(|end| end == "json"));
    documents
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// Returns the id of each document, by file name.
fn ids() -> BTreeMap<String, String> {
    let sums = fs::read_to_string(data("canonical").join("SHA256SUMS")).unwrap();
    let pairs = sums.lines().map(|line| line.split_once("  ").unwrap());
    pairs.map(|(id, name)| (name.to_owned(), id.to_owned())).collect()
}

#[test]
fn canonical_json_is_stable() {
    let given = documents("results");
    let canonical = documents("canonical");
    assert!(given.keys().eq(canonical.keys()));
    for (name, text) in given {
        let document = Document::parse(&text).unwrap();
        assert_eq!(document.canonical_json(), canonical[&name], "{name}");
        assert_eq!(Document::parse(&canonical[&name]), Ok(document), "{name}");
    }
}

#[test]
fn ids_are_stable() {
    let given = documents("results");
    let ids = ids();
    assert!(given.keys().eq(ids.keys()));
    for (name, text) in given {
        assert_eq!(id(&Document::parse(&text).unwrap()), ids[&name], "{name}");
    }
}
