//! Counts: their numbers, their documents and their outputs.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use queens_core::{
    Form, Method,
    document::{Document, SCHEMA},
};
use queens_tests::process::Companion;
use serde_json::Value;

use crate::support::{CommandOutput, command, line, queens};

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
    let mut serve = command();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--store"]);
    serve.arg(folder.path().join("results.sqlite")).stdout(Stdio::piped());
    let mut server = Companion::start(&mut serve).unwrap();
    let mut address = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut address).unwrap();

    let output = queens(["count", "8", "--json", "--post", address.trim()]);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let location = output.err.lines().find_map(|line| line.strip_prefix("posted to ")).unwrap();
    let mut answer = ureq::get(location).call().unwrap();
    let fetched = answer.body_mut().read_to_string().unwrap();
    assert_eq!(document(&fetched), document(&output.out));

    let file = folder.path().join("eight.json");
    // A shard whose file contains its result is not counted again, but is posted a second time.
    let shard = ["count", "8", "--shard", "0/2", "--post", address.trim(), "-o"];
    let call = || queens(shard.iter().copied().chain([file.to_str().unwrap()]));
    assert!(call().err.contains("posted to "));
    let output = call();
    assert!(output.err.contains("already holds this shard; nothing to count\n"), "{}", output.err);
    assert!(output.err.contains("already on the server: http://"), "{}", output.err);
}

#[test]
#[cfg(target_os = "linux")]
fn rejects_a_count_beyond_the_limit_of_the_address_space() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 120000; exec \"$0\" count 22 --method colours --estimate"]);
    shell.arg(queens_tests::command::path().unwrap());
    let output = CommandOutput::capture(&mut shell).unwrap();
    assert_eq!((output.code, output.out.as_str()), (Some(69), ""), "{output:?}");
    let start = "colours needs up to 128 MiB per thread for N = 22, and this process may use ";
    assert!(output.err.contains(start), "{output:?}");
}
