//! How the command ends when nobody wants more of it.

use std::{
    io::{BufRead, BufReader, Read},
    process::Stdio,
    time::{Duration, Instant},
};

use queens_core::document::Document;
use queens_tests::process::Companion;

use crate::support::command;

fn start(args: &[&str]) -> Companion {
    let mut command = command();
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    Companion::start(&mut command).unwrap()
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_count_in_a_moment_and_says_what_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("result.json");
    for signal in ["INT", "TERM"] {
        let count = ["count", "22", "--threads", "1", "--backend", "cpu", "-o"];
        let mut running = start(&[&count[..], &[file.to_str().unwrap()]].concat());
        let mut words = BufReader::new(running.0.stderr.take().unwrap());
        let mut line = String::new();
        words.read_line(&mut line).unwrap();
        assert_eq!(line, "method: halves (the fastest for N = 22)\n");
        line.clear();
        words.read_line(&mut line).unwrap();
        assert!(line.starts_with("N = 22, halves: ") && line.contains(" tasks ("), "{line}");

        let pid = running.0.id().to_string();
        let sent = Instant::now();
        let kill = std::process::Command::new("kill").args(["-s", signal, &pid]).status();
        assert!(kill.unwrap().success());
        assert_eq!(running.0.wait().unwrap().code(), Some(130), "{signal}");
        assert!(sent.elapsed() < Duration::from_secs(5), "{signal}: {:?}", sent.elapsed());
        let mut rest = String::new();
        words.read_to_string(&mut rest).unwrap();
        let last = rest.lines().last().unwrap();
        assert!(last.starts_with("error: interrupted: "), "{rest}");
        assert!(last.ends_with(" tasks were done; nothing of them is kept"), "{rest}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }
}

#[test]
#[cfg(unix)]
fn completions_are_listed_before_they_are_counted_and_can_be_stopped() {
    let mut running = start(&["complete", "20", "--limit", "1"]);
    let mut out = BufReader::new(running.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(out.any(|line| line.starts_with("Board 1, class of ")));
    let mut words = BufReader::new(running.0.stderr.take().unwrap());
    let mut line = String::new();
    words.read_line(&mut line).unwrap();
    assert!(line.starts_with("N = 20, queens given: 0: ") && line.contains(" tasks ("), "{line}");

    let pid = running.0.id().to_string();
    let sent = Instant::now();
    let kill = std::process::Command::new("kill").args(["-s", "INT", &pid]).status();
    assert!(kill.unwrap().success());
    assert_eq!(running.0.wait().unwrap().code(), Some(130));
    assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_the_wait_for_a_server_that_does_not_answer() {
    // The system takes the connection, and nobody ever reads from it.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    let mut running = start(&["count", "8", "--quiet", "--post", &address]);
    let mut out = BufReader::new(running.0.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert!(line.starts_with('N'), "{line}");

    let pid = running.0.id().to_string();
    let sent = Instant::now();
    let kill = std::process::Command::new("kill").args(["-s", "INT", &pid]).status();
    assert!(kill.unwrap().success());
    assert_eq!(running.0.wait().unwrap().code(), Some(130));
    assert!(sent.elapsed() < Duration::from_secs(20), "{:?}", sent.elapsed());
}

#[test]
#[cfg(unix)]
fn a_table_keeps_its_lines_when_it_is_stopped() {
    let mut running = start(&["table", "--from", "9", "--to", "22", "--quiet"]);
    let mut lines = BufReader::new(running.0.stdout.take().unwrap()).lines();
    let nine = lines.by_ref().map(Result::unwrap).find(|line| line.starts_with(" 9:")).unwrap();
    assert!(nine.contains("352") && nine.contains("46"), "{nine}");
    let pid = running.0.id().to_string();
    std::process::Command::new("kill").args(["-s", "INT", &pid]).status().unwrap();
    assert_eq!(running.0.wait().unwrap().code(), Some(130));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    for args in [&["boards", "11"][..], &["table", "--to", "12"], &["count", "12", "--json"]] {
        let mut running = start(args);
        let mut out = BufReader::new(running.0.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "{args:?}");
        drop(out);
        assert_eq!(running.0.wait().unwrap().code(), Some(0), "{args:?}");
        let mut words = String::new();
        running.0.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        assert!(!words.contains("error"), "{args:?}: {words}");
    }
}

#[test]
fn a_result_that_nobody_reads_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("result.json");
    let mut running = start(&["count", "13", "--json", "-o", file.to_str().unwrap()]);
    drop(running.0.stdout.take());
    assert_eq!(running.0.wait().unwrap().code(), Some(0));
    let document = Document::parse(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(document.total, 73_712);
}

#[test]
fn boards_stream() {
    // All boards would take hours.
    let mut running = start(&["boards", "20", "--limit", "100000"]);
    let mut line = String::new();
    BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("Board 1, class of 8"), "{line}");
}
