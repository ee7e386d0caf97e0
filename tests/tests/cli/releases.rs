//! This version reads the files of all earlier ones, except for journals with an older layout.

use std::{fs, path::PathBuf};

use queens_tests::server::Server;
use serde_json::Value;

use crate::support::{data, known, queens};

/// The folders of the versions; docs/release.md describes their contents.
fn releases() -> Vec<PathBuf> {
    let entries = fs::read_dir(data("releases")).unwrap();
    let folders: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    assert!(!folders.is_empty());
    folders
}

#[test]
fn verifies_documents_of_earlier_releases() {
    for release in releases() {
        let said = queens(["verify".as_ref(), release.join("count.json").as_os_str()]);
        assert_eq!(said.code, Some(0), "{}: {}", release.display(), said.err);
        assert!(
            said.out.contains("Checks passed: sums, divisibility, known, recount"),
            "{}",
            said.out
        );
    }
}

/// The versions with a journal layout that this version does not read.
const EARLIER_JOURNALS: [&str; 1] = ["0.1.0"];

#[test]
fn rejects_journals_of_an_earlier_layout() {
    for version in EARLIER_JOURNALS {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("count.journal");
        let bytes = fs::read(data("releases").join(version).join("count.journal")).unwrap();
        fs::write(&journal, &bytes).unwrap();
        let file = journal.to_str().unwrap();
        for arguments in
            [vec!["resume", file], vec!["status", file], vec!["count", "15", "--journal", file]]
        {
            let said = queens(&arguments);
            assert_eq!(said.code, Some(65), "{arguments:?}: {}", said.err);
            let expected = format!(
                "error: {file} was written by an earlier version of queens (layout 1; this version \
                 reads 2)\n  hint: finish the count with that version, or remove the file to start \
                 it again\n"
            );
            assert_eq!((said.out.as_str(), said.err), ("", expected), "{arguments:?}");
        }
        assert_eq!(fs::read(&journal).unwrap(), bytes);
    }
}

#[test]
fn resumes_journals_of_earlier_releases() {
    let is_read = |release: &PathBuf| !EARLIER_JOURNALS.iter().any(|it| release.ends_with(it));
    for release in releases().into_iter().filter(is_read) {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("count.journal");
        fs::copy(release.join("count.journal"), &journal).unwrap();
        let journal = journal.to_str().unwrap();
        let said = queens(["resume", journal, "--json", "--threads", "2", "--backend", "cpu"]);
        assert_eq!(said.code, Some(0), "{}: {}", release.display(), said.err);
        assert!(said.err.contains(" tasks are already in "), "{}", said.err);
        let document: Value = serde_json::from_str(&said.out).unwrap();
        let expected = known(15);
        for number in ["total", "unique"] {
            assert_eq!(document[number], expected[number], "{}", release.display());
        }
    }
}

#[test]
fn serves_stores_of_earlier_releases() {
    for release in releases() {
        let server = Server::start_with(&release.join("results.sqlite")).unwrap();
        let read = |path: &str| -> Value {
            let (status, body) = server.get(path).unwrap();
            assert_eq!(status, 200, "{}: {body}", release.display());
            serde_json::from_str(&body).unwrap()
        };
        let list = read("/api/v1/results");
        let mut results = list["results"].as_array().unwrap().iter();
        let id = results.find(|result| result["n"] == 10).unwrap()["id"].as_str().unwrap();
        let text = fs::read_to_string(release.join("count.json")).unwrap();
        let posted: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read(&format!("/api/v1/results/{id}")), posted, "{}", release.display());
    }
}
