//! The server process under heavy use: large bodies, many clients at once, and kills. The tests are short;
//! `cargo xtask survive` runs their long forms.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic, too")]

#[allow(dead_code, reason = "the server's own tests use the other functions")]
#[path = "../../native/tests/http/mod.rs"]
mod http;

use std::{
    collections::BTreeSet,
    fs,
    net::SocketAddr,
    path::Path,
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use http::{Events, ask};
use queens_tests::{command, process::Companion, server, short_or_long};
use serde_json::{Value, json};

const EIGHT: &str = include_str!("../data/results/eight.json");
const RESULTS: &str = "/api/v1/results";
const JSON: (&str, &str) = ("Content-Type", "application/json");

/// A separate server process, which ends with the test.
struct ServerProcess {
    process: Companion,
    address: SocketAddr,
}

impl ServerProcess {
    fn start(store: &Path) -> ServerProcess {
        let mut command = Command::new(command::path().unwrap());
        let (process, url) = server::start(&mut command, store).unwrap();
        let address = url.unwrap().trim_start_matches("http://").parse().unwrap();
        ServerProcess { address, process }
    }

    /// The peak memory of the process in MB, if the system reports it.
    fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.0.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024)
    }

    /// All results, page by page.
    fn list(&self) -> Vec<Value> {
        let (mut all, mut before) = (Vec::new(), String::new());
        loop {
            let path = format!("{RESULTS}?limit=1000{before}");
            let mut list = ask(self.address, "GET", &path, &[], b"").json();
            all.append(list["results"].as_array_mut().unwrap());
            let Some(next) = list["next"].as_str() else { return all };
            before = format!("&before={next}");
        }
    }
}

/// A valid document that differs from all others.
fn document(number: u64) -> String {
    let mut document: Value = serde_json::from_str(EIGHT).unwrap();
    document["seconds"] = json!(number);
    document.to_string()
}

#[test]
fn large_bodies_take_limited_memory() {
    let folder = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(&folder.path().join("results.sqlite"));
    // Bodies of nearly the largest allowed size, which need many times their length in memory when parsed.
    for bomb in ["{\"a\":0},", "[],", "0,", "\"a\","] {
        let bomb = format!("{{\"x\":[{}0]}}", bomb.repeat(8_000_000 / bomb.len()));
        let sent: Vec<_> = thread::scope(|scope| {
            let send = || ask(server.address, "POST", RESULTS, &[JSON], bomb.as_bytes()).status;
            let sending: Vec<_> = (0..short_or_long(2, 8)).map(|_| scope.spawn(send)).collect();
            sending.into_iter().map(|sending| sending.join().unwrap()).collect()
        });
        assert!(sent.iter().all(|status| [422, 503].contains(status)), "{sent:?}");
    }
    let memory = server.memory();
    println!("{memory:?} MB at most");
    assert!(memory.is_none_or(|memory| memory < 300), "{memory:?} MB");
    assert!(server.list().is_empty());
}

#[test]
fn accepted_results_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("results.sqlite");
    let (number, accepted) = (AtomicU64::new(0), Mutex::new(BTreeSet::new()));
    let rounds = short_or_long(2, 50);
    for _ in 0..rounds {
        let server = ServerProcess::start(&store);
        let address = server.address;
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    while let Some(id) = post(address, number.fetch_add(1, Ordering::Relaxed)) {
                        accepted.lock().unwrap().insert(id);
                    }
                });
            }
            // Waits until the server has accepted a result that could be lost, even on a slow disk.
            let before = accepted.lock().unwrap().len();
            while accepted.lock().unwrap().len() == before {
                thread::sleep(Duration::from_millis(10));
            }
            thread::sleep(Duration::from_millis(fastrand::u64(..400)));
            drop(server);
        });
    }
    let accepted = accepted.into_inner().unwrap();
    let server = ServerProcess::start(&store);
    let list = server.list();
    let stored: BTreeSet<&str> = list.iter().map(|each| each["id"].as_str().unwrap()).collect();
    let lost: Vec<_> = accepted.iter().filter(|id| !stored.contains(id.as_str())).collect();
    println!("{rounds} kills, {} accepted, {} stored", accepted.len(), stored.len());
    assert!(!accepted.is_empty() && lost.is_empty(), "{lost:?}");
}

/// Posts a new document and returns its id if the server accepted it.
fn post(to: SocketAddr, number: u64) -> Option<String> {
    let answer = server::ask("POST", &format!("http://{to}{RESULTS}"), &document(number)).ok()?;
    let id = answer.location?.rsplit('/').next()?.to_owned();
    (answer.status == 201).then_some(id)
}

#[test]
fn serves_many_posting_and_listening_clients() {
    let folder = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(&folder.path().join("results.sqlite"));
    let (clients, time) = short_or_long((8, Duration::from_secs(1)), (64, Duration::from_secs(60)));
    let (number, received, done) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let begun = Instant::now();
    thread::scope(|scope| {
        for _ in 0..clients {
            let mut events = Events::listen(server.address, "/api/v1/events");
            let (received, done) = (&received, &done);
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    let Some((name, _)) = events.next() else { panic!("a listener was cut off") };
                    assert_eq!(name, "result");
                    received.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let posting: Vec<_> = (0..clients)
            .map(|_| {
                scope.spawn(|| {
                    while begun.elapsed() < time {
                        let number = number.fetch_add(1, Ordering::Relaxed);
                        assert!(post(server.address, number).is_some(), "{number}");
                    }
                })
            })
            .collect();
        for posting in posting {
            posting.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
        // The last event, after which every listener checks `done`.
        assert!(post(server.address, 1 << 39).is_some());
    });
    let (accepted, events) = (number.into_inner(), received.into_inner());
    println!("{clients} clients: {accepted} accepted, {events} events, {:?} MB", server.memory());
    assert_eq!(server.list().len() as u64, accepted + 1);
    assert!(accepted > 0 && events >= clients);
}
