//! Compatibility: this version reads the files of all earlier versions, except for journals with an
//! older layout.

use std::{fs, path::PathBuf};

use queens_tests::server::Server;
use serde_json::Value;

use crate::support::{data, known, queens};

/// Returns the folder of each earlier version; docs/release.md describes its files.
fn releases() -> Vec<PathBuf> {
    let entries = fs::read_dir(data("releases")).unwrap();
    let folders: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    assert!(!folders.is_empty());
    folders
}

#[test]
fn verifies_documents_of_earlier_releases() {
    for release in releases() {
        let output = queens(["verify".as_ref(), release.join("count.json").as_os_str()]);
        assert_eq!(output.code, Some(0), "{}: {}", release.display(), output.err);
        assert!(
            output.out.contains("Checks passed: sums, divisibility, known, recount"),
            "{}",
            output.out
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
            let output = queens(&arguments);
            assert_eq!(output.code, Some(65), "{arguments:?}: {}", output.err);
            let expected = format!(
                "error: {file} was written by an earlier version of queens (layout 1; this version \
                 reads 2)\n  hint: finish the count with that version, or remove the file to start \
                 it again\n"
            );
            assert_eq!((output.out.as_str(), output.err), ("", expected), "{arguments:?}");
        }
        assert_eq!(fs::read(&journal).unwrap(), bytes);
    }
}

#[test]
fn resumes_journals_of_earlier_releases() {
    let is_read =
        |release: &PathBuf| !EARLIER_JOURNALS.iter().any(|version| release.ends_with(version));
    for release in releases().into_iter().filter(is_read) {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("count.journal");
        fs::copy(release.join("count.journal"), &journal).unwrap();
        let journal = journal.to_str().unwrap();
        let output = queens(["resume", journal, "--json", "--threads", "2", "--backend", "cpu"]);
        assert_eq!(output.code, Some(0), "{}: {}", release.display(), output.err);
        assert!(output.err.contains(" tasks are already in "), "{}", output.err);
        let document: Value = serde_json::from_str(&output.out).unwrap();
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
