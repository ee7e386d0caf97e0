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

use queens_tests::command::{self, CommandOutput};
use queens_web::{Language, contradiction, document_error, plain};
use serde_json::Value;

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

/// The document or the text of a case of wrong-documents.txt.
fn changed(case: &str, samples: &BTreeMap<String, String>) -> String {
    let (name, changes) = case.split_once(' ').unwrap_or((case, ""));
    let Some(sample) = samples.get(&format!("{name}.json")) else { return changes.to_owned() };
    let mut document: Value = serde_json::from_str(sample).unwrap();
    for [pointer, new] in changes.split(' ').collect::<Vec<_>>().as_chunks::<2>().0 {
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        let new = serde_json::from_str(new).ok();
        match (document.pointer_mut(parent).unwrap(), new) {
            (Value::Object(fields), None) => drop(fields.remove(field).unwrap()),
            (Value::Object(fields), Some(new)) => drop(fields.insert(field.to_owned(), new)),
            (list, new) => list[field.parse::<usize>().unwrap()] = new.unwrap(),
        }
    }
    document.to_string()
}

/// What the page says about a wrong document.
fn said(language: Language, text: &str) -> String {
    let sentences = match Document::parse(text) {
        Ok(document) => {
            document.contradictions().iter().map(|each| contradiction(language, each)).collect()
        }
        Err(error) => vec![document_error(language, &error)],
    };
    plain(&sentences.join(" | "))
}

/// Each case has the messages of the command, and the page's translation.
#[test]
fn command_and_page_say_the_same_about_wrong_documents() {
    let samples = documents("results");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.json");
    let cases = fs::read_to_string(data("wrong-documents.txt")).unwrap();
    let lines: Vec<&str> = cases.lines().filter(|line| !line.starts_with('#')).collect();
    let (cases, []) = lines.as_chunks::<3>() else { panic!("a case has three lines") };
    let mut wrong = vec![];
    for [case, messages, japanese] in cases {
        let text = changed(case, &samples);
        fs::write(&file, &text).unwrap();
        let arguments = ["verify", &file.display().to_string(), "--tasks", "0"];
        let output = CommandOutput::from(command::run(&arguments).unwrap());
        let is_printed = |message: &str| output.err.contains(message.trim_end_matches('…'));
        let [english, translation] = Language::ALL.map(|language| said(language, &text));
        let is_said = |said: &str, expected: &str| match expected.strip_suffix('…') {
            Some(start) => said.starts_with(start),
            None => said == expected,
        };
        // A sentence of the page begins with a capital, unless it begins with a field, and has a full stop.
        let english = english.replace(". | ", " | ").replacen("The ", "the ", 1);
        let is_right = output.code == Some(65)
            && messages.split(" | ").all(is_printed)
            && is_said(english.trim_end_matches('.'), messages)
            && is_said(&translation, japanese);
        if !is_right {
            wrong.push(format!("{case}\n{english}\n{translation}\n{}", output.err));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
