//! Counts: their numbers, their documents and their outputs.

use std::fs;

use queens_core::{
    Form, Method,
    document::{Document, SCHEMA},
};
use queens_tests::server;
use serde_json::Value;

use crate::support::{command, line, queens};

fn document(text: &str) -> Document {
    let document = Document::parse(text).unwrap();
    assert_eq!(document.contradictions(), []);
    document
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the tests run before the year 9999")]
fn the_document_is_complete_and_matches_the_schema() {
    let before = jiff::Timestamp::now();
    let output = line("count 9 --json --threads 2 --form iterative --quiet");
    let document = document(&output.out);
    assert_eq!((document.header.total, document.header.unique), (352, Some(46)));
    assert_eq!((document.header.method, document.header.form), (Method::Symmetry, Form::Iterative));
    assert_eq!(document.tasks.len(), document.header.plan.tasks as usize);
    assert!(document.tasks.iter().enumerate().all(|(place, task)| task.id as usize == place));
    assert_eq!(
        (document.header.host.threads, document.header.backend.detail.as_str()),
        (2, "2 threads")
    );
    assert_eq!(document.header.host.os, std::env::consts::OS);
    assert_eq!(document.header.program.name, "queens");
    assert_eq!(document.header.program.version, env!("CARGO_PKG_VERSION"));
    let started: jiff::Timestamp = document.header.started.parse().unwrap();
    // The document truncates the time to milliseconds.
    assert!(started.duration_since(before).as_millis() >= -1 && started <= jiff::Timestamp::now());
    assert!(document.header.seconds.get() > 0.0);
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    jsonschema::validate(&schema, &output.json()).unwrap();
}

#[test]
fn the_saved_document_equals_the_printed_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eight.json");
    fs::write(&file, "something older").unwrap();
    let output = queens([
        "count".as_ref(),
        "8".as_ref(),
        "--json".as_ref(),
        "-o".as_ref(),
        file.as_os_str(),
    ]);
    assert_eq!(output.code, Some(0));
    assert!(output.err.contains(&format!("saved to {}", file.display())), "{}", output.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), output.out);
    assert_eq!(document(&output.out).header.total, 92);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "a temporary file was left");
}

#[test]
fn writes_the_document_to_stdout_or_a_device() {
    let output = line("count 8 --quiet -o -");
    assert_eq!((output.code, document(&output.out).header.total), (Some(0), 92));
    if cfg!(unix) {
        let output = line("count 8 --quiet --json -o /dev/stderr");
        assert_eq!((output.code, output.out), (Some(0), output.err));
    }
}

#[test]
fn a_posted_document_can_be_fetched() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("results.sqlite");
    let (_server, address) = server::start(&mut command(), &store).unwrap();
    let address = address.unwrap();
    let output = queens(["count", "8", "--json", "--post", &address]);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let location = output.err.lines().find_map(|line| line.strip_prefix("posted to ")).unwrap();
    let fetched = server::ask("GET", location, "").unwrap();
    assert_eq!(document(&fetched.body), document(&output.out));

    let file = folder.path().join("eight.json");
    // A shard whose file contains its result is not counted again, but is posted a second time.
    let shard = ["count", "8", "--shard", "0/2", "--post", &address, "-o"];
    let call = || queens(shard.iter().copied().chain([file.to_str().unwrap()]));
    assert!(call().err.contains("posted to "));
    let output = call();
    assert!(output.err.contains("already holds this shard; nothing to count\n"), "{}", output.err);
    assert!(output.err.contains("already on the server: http://"), "{}", output.err);
}
