//! Tests of the server over a real socket: every kind of answer, live events, limits and restarts.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic, too")]

#[allow(dead_code, reason = "openapi.rs uses the rest of this module")]
mod http;
mod running;

use std::{
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    time::{Duration, Instant},
};

use http::{Answer, Events, ask, until_closed};
use queens::{
    post::{Client, PostError, Token},
    server::{LARGEST_DOCUMENT, Server},
    store::{Store, id},
};
use queens_core::document::{Document, Progress, Summary};
use running::{Running, server};
use serde_json::{Value, json};

const EIGHT: &str = include_str!("../../tests/data/results/eight.json");
const ONE: &str = include_str!("../../tests/data/results/one.json");
const SHARD: &str = include_str!("../../tests/data/results/shard.json");

const RESULTS: &str = "/api/v1/results";
const EVENTS: &str = "/api/v1/events";

/// Returns the document `text` with one field replaced.
fn with(text: &str, pointer: &str, new: Value) -> String {
    let mut document: Value = serde_json::from_str(text).unwrap();
    *document.pointer_mut(pointer).unwrap() = new;
    document.to_string()
}

/// Checks that the answer is a problem with this status, and returns its detail.
fn problem(answer: &Answer, status: u16) -> String {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/problem+json"));
    let body = answer.json();
    assert_eq!(body["status"], status);
    assert!(body["title"].as_str().is_some_and(|title| !title.is_empty()));
    body["detail"].as_str().unwrap().to_owned()
}

#[test]
fn a_document_is_created_once_and_can_be_fetched() {
    let (server, _folder) = server();
    let created = server.post(EIGHT);
    assert_eq!(created.status, 201, "{}", created.text());
    let document = Document::parse(EIGHT).unwrap();
    let location = format!("{RESULTS}/{}", id(&document));
    assert_eq!(created.header("location"), Some(location.as_str()));
    let checks = json!(["sums", "known"]);
    let summary = Summary::of(&document, id(&document), document.check().unwrap());
    assert_eq!(created.json(), summary.to_value());
    let verified = json!(["sums", "divisibility", "known"]);
    assert_eq!((&created.json()["checks"], &created.json()["verified"]), (&checks, &verified));

    // The order of fields and the white space do not matter: this is the same document.
    let repeated = server.post(&document.canonical_json());
    assert_eq!((repeated.status, repeated.header("location")), (200, Some(location.as_str())));

    let fetched = server.get(&location);
    assert_eq!((fetched.status, fetched.header("content-type")), (200, Some("application/json")));
    assert_eq!(Document::parse(&fetched.text()), Ok(document));

    let tag = fetched.header("etag").unwrap();
    let unmodified = ask(server.address, "GET", &location, &[("If-None-Match", tag)], b"");
    assert_eq!((unmodified.status, unmodified.body.len()), (304, 0));
}

#[test]
fn results_are_listed_filtered_and_paginated() {
    let (server, _folder) = server();
    assert_eq!(server.get(RESULTS).json(), json!({ "results": [], "next": null }));
    for text in [EIGHT, ONE, SHARD] {
        assert_eq!(server.post(text).status, 201);
    }
    let totals = |query: &str| -> Vec<String> {
        let list = server.get(&format!("{RESULTS}{query}")).json();
        let results = list["results"].as_array().unwrap();
        results.iter().map(|each| each["total"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(totals("?n=8"), ["40", "92"]);
    assert_eq!(totals("?backend=wasm&method=symmetry&n=1"), ["1"]);
    // Each filter hides results on its own.
    for query in ["?n=9", "?method=mirror", "?backend=cuda"] {
        assert_eq!(totals(query), [""; 0], "{query}");
    }

    let first = server.get(&format!("{RESULTS}?limit=2")).json();
    let next = first["next"].as_str().unwrap();
    let second = server.get(&format!("{RESULTS}?limit=2&before={next}")).json();
    assert_eq!((&second["results"][0]["total"], &second["next"]), (&json!("92"), &Value::Null));
}

#[test]
fn reports_up_to_ten_contradictions() {
    let (server, _folder) = server();
    let answer = server.post(&with(EIGHT, "/count4", json!("2")));
    let detail = problem(&answer, 422);
    assert_eq!(detail.matches("; ").count(), 2, "{detail}");
    let body = answer.json();
    assert_eq!(body["field"], "total");
    assert_eq!(
        body["contradictions"][2],
        json!({
            "field": "count4",
            "detail": "count4: 2 differs from 1, the published value for N = 8"
        })
    );
    // The answer lists at most ten contradictions.
    let task = json!({ "id": 0, "total": "0", "seconds": 0 });
    let answer = server.post(&with(EIGHT, "/tasks", Value::Array(vec![task; 5000])));
    let detail = problem(&answer, 422);
    assert!(detail.ends_with("; and 4991 more contradictions"), "{detail}");
    assert_eq!(answer.json()["contradictions"].as_array().unwrap().len(), 10);
}

#[test]
fn accepts_documents_below_the_size_limit() {
    let (server, _folder) = server();
    let mut large = ONE.to_owned();
    large.push_str(&" ".repeat(LARGEST_DOCUMENT - large.len()));
    assert_eq!(server.post(&large).status, 201);
    large.push(' ');
    let answer = server.post(&large);
    assert!(problem(&answer, 413).ends_with("larger than 8 MB, the limit for a result document"));
    assert_eq!(answer.header("connection"), Some("close"));
    large.push_str(&" ".repeat(LARGEST_DOCUMENT));
    problem(&server.post(&large), 413);
}

#[test]
fn answers_unknown_paths_and_methods_with_a_problem() {
    let (server, _folder) = server();
    for path in [
        "/nothing",
        "/api/v1",
        "/api/v2/results",
        "/api/v1/results/",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
    ] {
        assert!(problem(&server.get(path), 404).starts_with("not found: "), "{path}");
    }
    // A browser gets the error as a page.
    let reader = ("Accept", "text/html,application/xhtml+xml");
    let answer = ask(server.address, "GET", "/nothing", &[reader], b"");
    assert_eq!(answer.status, 404);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(answer.text().contains("<h1>Page not found</h1>"), "{}", answer.text());
    for path in ["/api/v1/results/0123", "/api/v1/results/%ff"] {
        assert_eq!(problem(&server.get(path), 404), "no result with this id");
    }
    for (method, path, allowed) in [
        ("DELETE", RESULTS, "GET,HEAD,POST"),
        ("POST", "/api/v1/results/0123", "GET,HEAD,DELETE"),
        ("POST", "/", "GET,HEAD"),
        ("GET", "/api/v1/runs/a", "PUT"),
        ("PUT", "/healthz", "GET,HEAD"),
    ] {
        let answer = server.send(method, path, "{}");
        problem(&answer, 405);
        assert_eq!(answer.header("allow"), Some(allowed), "{method} {path}");
    }
    problem(&server.send("POST", "/nothing", "{}"), 404);
}

#[test]
fn a_server_without_a_page_explains_how_to_build_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("store")).unwrap();
    let server = Running::of(Server::bind("127.0.0.1:0".parse().unwrap(), store).unwrap());
    let answer = server.get("/");
    assert_eq!(answer.status, 200);
    assert!(answer.text().contains("cargo xtask serve"), "{}", answer.text());
    let policy = server.get("/?embed").header("content-security-policy").unwrap().to_owned();
    assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
}

/// Returns the views that an entry file lists in the `<meta>` element with this name.
fn listed_views<'a>(entry: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!("<meta name=\"{name}\" content=\"");
    let (content, _) = entry.split_once(&start).unwrap().1.split_once('"').unwrap();
    content.split_whitespace().collect()
}

#[test]
fn allows_framing_only_of_views_without_actions() {
    let (server, _folder) = server();
    let check = |path: &str, may_be_framed: bool| {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy").unwrap();
        let ancestors = if may_be_framed { "frame-ancestors *" } else { "frame-ancestors 'none'" };
        assert!(policy.ends_with(ancestors), "{path}: {policy}");
    };
    let entry = include_str!("../../index.html");
    let framed = "framed-views";
    assert_eq!(listed_views(include_str!("page/index.html"), framed), listed_views(entry, framed));
    for (list, may_be_framed) in [(framed, true), ("acting-views", false)] {
        let views = listed_views(entry, list);
        assert!(!views.is_empty());
        for view in views {
            check(&format!("/?view={view}"), false);
            check(&format!("/?view={view}&embed"), may_be_framed);
            check(&format!("/?embed=1&view={view}&n=6"), may_be_framed);
        }
    }
    for (path, may_be_framed) in [
        ("/?embed", true),
        ("/?n=6&step=12&lang=ja&embed", true),
        ("/?embed&view=explanation", true),
        ("/?embed&view=numbers", true),
        ("/?embed=1&embed=0", false),
        ("/?embed&view=results", false),
        ("/?embed&view=%72esults", false),
        ("/?embed&view=solutions&view=results", false),
        ("/?embed&view=count", false),
        ("/?n=6", false),
        ("/api/v1/results?embed", false),
    ] {
        check(path, may_be_framed);
    }
}

#[test]
fn every_response_has_security_headers() {
    let (server, _folder) = server();
    for path in ["/", "/healthz", RESULTS, "/nothing", "/api/v1/runs/a"] {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy").unwrap();
        for part in
            ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "frame-ancestors 'none'"]
        {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe-inline"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(answer.header("cache-control"), Some("no-cache"));
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    // A page without an origin loads these files to show that it cannot start.
    for path in ["/start.js", "/style.css"] {
        let answer = server.get(path);
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("cross-origin"), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
}

#[test]
fn a_preflight_request_permits_nothing() {
    let (server, _folder) = server();
    let headers = [("Origin", "https://example.org"), ("Access-Control-Request-Method", "POST")];
    let preflight = ask(server.address, "OPTIONS", RESULTS, &headers, b"");
    assert_eq!(preflight.header("access-control-allow-origin"), None);
}

/// Firefox showed "Connecting" for 15 s, until the first keep-alive, because it waits for a byte of the body.
#[test]
fn a_stream_of_events_begins_with_a_comment() {
    let (server, _folder) = server();
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    write!(stream, "GET {EVENTS} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == ": connected"));
}

#[test]
fn forwards_and_stores_progress_of_running_counts() {
    let (server, _folder) = server();
    let mut events = Events::listen(server.address, EVENTS);
    let report = |done: u32, state: &str| {
        let body = json!({
            "n": 18, "method": "symmetry", "done": done, "tasks": 10, "seconds": 1.5, "state": state
        });
        server.send("PUT", "/api/v1/runs/run-1", &body.to_string()).status
    };
    assert_eq!(report(3, "running"), 204);
    let (name, data) = events.next().unwrap();
    assert_eq!(name, "progress");
    assert_eq!((&data["id"], &data["done"], &data["n"]), (&json!("run-1"), &json!(3), &json!(18)));
    // A later listener receives the last report first.
    let mut late = Events::listen(server.address, EVENTS);
    assert_eq!(late.next().unwrap().1["done"], 3);
    assert_eq!(report(10, "done"), 204);
    assert_eq!(late.next().unwrap().1["state"], "done");
    let mut later = Events::listen(server.address, EVENTS);
    assert_eq!(server.post(ONE).status, 201);
    assert_eq!(later.next().unwrap().0, "result");
}

#[test]
fn shards_of_a_run_appear_as_one_running_count() {
    let (server, _folder) = server();
    let mut events = Events::listen(server.address, EVENTS);
    for (index, done, state) in [(0, 2, "running"), (1, 7, "done")] {
        let body = json!({
            "n": 18, "method": "colours", "done": done, "tasks": 7, "seconds": 1.5, "state": state,
            "shard": { "index": index, "of": 2, "tasks": 14 }
        });
        assert_eq!(server.send("PUT", "/api/v1/runs/array-7", &body.to_string()).status, 204);
    }
    for done in [2, 9] {
        let (name, data) = events.next().unwrap();
        assert_eq!((name.as_str(), &data["id"]), ("progress", &json!("array-7")));
        assert_eq!(
            (&data["done"], &data["tasks"], &data["state"]),
            (&json!(done), &json!(14), &json!("running"))
        );
        assert!(data.get("shard").is_none(), "{data}");
    }
}

#[test]
fn restarts_with_open_event_streams_and_keeps_results() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.sqlite");
    let server = Running::start(&file);
    let mut events = Events::listen(server.address, EVENTS);
    let location = server.post(EIGHT).header("location").unwrap().to_owned();
    assert!(events.next().is_some());
    server.stop();
    // The server ends the stream with a last chunk before it closes the connection.
    assert!(events.next().is_none());

    let server = Running::start(&file);
    assert_eq!(server.get(&location).status, 200);
    assert_eq!(server.post(EIGHT).status, 200);
}

#[test]
fn the_client_posts_results_and_progress() {
    let (server, _folder) = server();
    let client = Client::new(&format!("http://{}", server.address)).unwrap();
    let document = Document::parse(EIGHT).unwrap();
    let posted = client.post(&document).unwrap();
    let address = format!("http://{}{RESULTS}/{}", server.address, id(&document));
    assert_eq!((&posted.address, posted.is_new), (&address, true));
    assert!(!client.post(&document).unwrap().is_new);

    let mut events = Events::listen(server.address, EVENTS);
    let text = r#"{"n":18,"method":"symmetry","done":3,"tasks":10,"seconds":1.5}"#;
    client.report("run-1", &Progress::parse(text).unwrap()).unwrap();
    assert_eq!(events.next().unwrap().1["id"], "run-1");

    let wrong = Document::parse(&with(EIGHT, "/unique", json!("13"))).unwrap();
    let error = client.post(&wrong).unwrap_err();
    assert!(matches!(error, PostError::Refused { status: 422, .. }));
    assert!(error.to_string().contains("count2 + count4 + count8 is 12, not 13"), "{error}");
}

#[test]
fn rejects_addresses_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let holder = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = holder.local_addr().unwrap();
    let store = Store::open(&folder.path().join("results.sqlite")).unwrap();
    let error = Server::bind(taken, store).unwrap_err();
    assert!(error.to_string().starts_with(&format!("{taken} is already in use")), "{error}");
    assert!(error.hint().is_some_and(|hint| hint.contains("--listen")), "{error}");
}

/// A server on all interfaces, which other machines could reach.
fn outside(file: &Path) -> Server {
    Server::bind("0.0.0.0:0".parse().unwrap(), Store::open(file).unwrap()).unwrap()
}

#[test]
fn token_authorizes_remote_changes() {
    let folder = tempfile::tempdir().unwrap();
    let server = outside(&folder.path().join("results.sqlite")).with_token(&token("secret"));
    assert!(!server.is_read_only());
    let server = Running::of(server);
    let document = Document::parse(EIGHT).unwrap();
    let client = Client::new(&format!("http://{}", server.address)).unwrap();
    for (client, why) in [
        (client.clone(), "changes need the server's token"),
        (client.clone().with_token(token("secreT")), "the token sent is not the server's"),
    ] {
        let error = client.post(&document).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert!(matches!(error, PostError::Refused { status: 401, .. }), "{error}");
        let hint = error.hint().unwrap_or_default();
        assert!(hint.starts_with("QUEENS_TOKEN must be set to the same token"), "{hint}");
    }
    assert!(client.with_token(token("secret")).post(&document).unwrap().is_new);
    assert!(matches!(Token::new("a\nb").unwrap_err(), PostError::Token));
}

fn token(text: &str) -> Token {
    Token::new(text).unwrap()
}

#[test]
fn times_out_incomplete_requests() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("results.sqlite")).unwrap();
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), store).unwrap();
    let server = Running::of(server.with_timeout(Duration::from_secs(1)));
    let host = format!("Host: {}\r\n", server.address);
    // Half a head, a kept-alive connection without a further request, and half a body.
    for (request, status) in [
        (format!("GET / HTTP/1.1\r\n{host}"), None),
        (format!("GET /healthz HTTP/1.1\r\n{host}\r\n"), Some("200")),
        (
            format!(
                "POST {RESULTS} HTTP/1.1\r\n{host}Content-Type: application/json\r\n\
                 Content-Length: 9\r\n\r\n{{"
            ),
            Some("408"),
        ),
    ] {
        let start = Instant::now();
        let text = String::from_utf8(until_closed(server.address, request.as_bytes())).unwrap();
        assert_eq!(text.split(' ').nth(1), status, "{text}");
        let took = start.elapsed();
        assert!(took < Duration::from_secs(25), "{took:?}: {text}");
    }
}

#[test]
fn excess_connections_wait_for_a_free_slot() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("results.sqlite")).unwrap();
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), store).unwrap();
    let server = Running::of(server.with_max_connections(4));
    let held = [(); 2].map(|()| Events::listen(server.address, EVENTS));
    // At most half of the connections may be event streams.
    problem(&server.get(EVENTS), 503);
    // The other two connections are reserved for requests. These clients take both, and send none yet.
    let waiting = [(); 2].map(|()| TcpStream::connect(server.address).unwrap());
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n", server.address);
    let mut third = TcpStream::connect(server.address).unwrap();
    third.write_all(format!("{request}Connection: close\r\n\r\n").as_bytes()).unwrap();
    third.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    let mut answer = [0; 12];
    let error = third.read_exact(&mut answer).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{error}");
    // Close the other connections.
    drop((held, waiting));
    third.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    third.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
}

#[test]
fn servers_sharing_a_store_see_each_others_results() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.sqlite");
    let (one, other) = (Running::start(&file), Running::start(&file));
    let mut events = [&one, &other].map(|server| Events::listen(server.address, EVENTS));
    assert_eq!(one.post(EIGHT).status, 201);
    assert_eq!(other.post(ONE).status, 201);
    for events in &mut events {
        let sizes = [(); 2].map(|()| events.next().unwrap().1["n"].clone());
        assert_eq!(sizes, [json!(8), json!(1)]);
    }
    let eight = id(&Document::parse(EIGHT).unwrap());
    assert_eq!(other.send("DELETE", &format!("{RESULTS}/{eight}"), "").status, 204);
    assert_eq!(one.post(EIGHT).status, 201);
    for events in &mut events {
        assert_eq!(events.next().unwrap(), ("removed".into(), json!({ "id": eight })));
        let (name, result) = events.next().unwrap();
        assert_eq!((name.as_str(), &result["id"]), ("result", &json!(eight)));
    }
}
