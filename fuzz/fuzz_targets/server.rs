//! Sends any sequence of requests to the server. Checks that each is answered, that a rejection gives its
//! reason, and that an accepted result stays until it is removed.

#![no_main]
#![allow(dead_code, reason = "only the parts of the command that answer requests are used")]

/// The modules of the command that answer requests, without those that accept connections.
#[path = "../../native/src/server"]
mod server {
    mod answer;
    pub mod app;
    mod body;
    mod events;
    pub mod feed;
    mod guard;
    mod health;
    mod openapi;
    mod page;
    mod problem;
    mod query;
    mod results;
    mod routes;
    mod runs;
    mod shard_aggregator;

    use std::{path::Path, sync::Arc, time::Duration};

    use axum::Router;
    use rust_embed::RustEmbed;
    use tokio::sync::watch;

    use crate::store::Store;

    /// The page of the command's own tests.
    #[derive(RustEmbed)]
    #[folder = "../native/tests/page"]
    struct Miniature;

    /// Creates a server with a loopback address, and its store.
    pub fn of(file: &Path) -> (Router, Arc<Store>) {
        let store = Arc::new(Store::open(file).expect("a store can be made"));
        let address = std::net::SocketAddr::from(([127, 0, 0, 1], 8017));
        let identity = app::Identity { address, hosts: Vec::new(), token: None };
        let page = page::Page::of::<Miniature>();
        let app = app::App {
            store: Arc::clone(&store),
            feed: feed::Feed::new(watch::channel(false).1),
            identity: Arc::new(identity),
            limits: app::Limits::new(Duration::from_secs(5), 100),
            framed_views: page.framed_views().into(),
            page,
        };
        (routes::router(app), store)
    }
}

#[path = "../../native/src/lock.rs"]
mod lock;
#[path = "../../native/src/paths.rs"]
mod paths;
#[path = "../../native/src/post.rs"]
mod post;
#[path = "../../native/src/sqlite.rs"]
mod sqlite;
#[path = "../../native/src/store/mod.rs"]
mod store;

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode, header};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use queens_fuzz::DOCUMENTS;
use serde_json::Value;
use store::Store;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

const REPORT: &str = r#"{"n": 18, "method": "symmetry", "done": 3, "tasks": 10, "seconds": 4,
    "state": "running", "shard": {"index": 0, "of": 2, "tasks": 19}}"#;

#[derive(Arbitrary, Debug)]
struct RequestParts {
    method: Verb,
    path: RequestPath,
    query: Vec<(Name, String)>,
    headers: Vec<(Header, String)>,
    body: Content,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Verb {
    Get,
    Head,
    Post,
    Put,
    Delete,
    Options,
    Patch,
}

#[derive(Arbitrary, Debug)]
enum RequestPath {
    Entry,
    Health,
    Results,
    /// One of the accepted results.
    Accepted(u8),
    Result(String),
    Run(String),
    Events,
    Schema,
    Description,
    Any(String),
}

#[derive(Arbitrary, Debug)]
enum Name {
    N,
    Method,
    Backend,
    Limit,
    Before,
    Embed,
    Any(String),
}

#[derive(Arbitrary, Debug)]
enum Header {
    Accept,
    AcceptEncoding,
    Authorization,
    ContentEncoding,
    ContentType,
    Expect,
    Host,
    IfNoneMatch,
    Origin,
}

#[derive(Arbitrary, Debug)]
enum Content {
    Nothing,
    Document(u8),
    Report,
    Text(String),
    Bytes(Vec<u8>),
    /// A body of this many times 16 KB.
    Long(u8),
}

fuzz_target!(|requests: Vec<RequestParts>| {
    let Server { threads, router, store } = server();
    let mut accepted = Vec::new();
    threads.block_on(async {
        for parts in requests {
            let Some(request) = request(parts, &accepted) else { continue };
            let is_new = request.method() == "POST";
            let answer = answer(router, request).await;
            if is_new && answer.status.is_success() {
                let id = answer.location.expect("the answer names the location of the result");
                let document = answer_to(router, "GET", &id).await;
                assert_eq!(document.status, StatusCode::OK, "{id}");
                accepted.push(id);
            }
        }
        // Empty the store for the next input.
        accepted.sort();
        accepted.dedup();
        for id in &accepted {
            let removed = answer_to(router, "DELETE", id).await.status;
            let found = answer_to(router, "GET", id).await.status;
            // The input may already have removed the result.
            assert!(matches!(removed, StatusCode::NO_CONTENT | StatusCode::NOT_FOUND), "{removed}");
            assert_eq!(found, StatusCode::NOT_FOUND);
        }
    });
    let remaining = store.list(store::Filter::default(), None, 1).expect("the store is whole");
    assert!(remaining.results.is_empty() && remaining.unreadable.is_empty());
});

struct Server {
    threads: Runtime,
    router: Router,
    store: Arc<Store>,
}

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let threads = Builder::new_current_thread().max_blocking_threads(1).enable_all().build();
        // libFuzzer ends the process without calling destructors; `cargo xtask fuzz` removes the
        // folder.
        let (router, store) = server::of(&folder.keep().join("results.sqlite"));
        Server { threads: threads.expect("a thread can be started"), router, store }
    })
}

/// Builds the request. Returns `None` if HTTP does not allow it, or if it needs an accepted result
/// before the first one.
fn request(parts: RequestParts, accepted: &[String]) -> Option<Request<Body>> {
    let method = match parts.method {
        Verb::Get => "GET",
        Verb::Head => "HEAD",
        Verb::Post => "POST",
        Verb::Put => "PUT",
        Verb::Delete => "DELETE",
        Verb::Options => "OPTIONS",
        Verb::Patch => "PATCH",
    };
    let mut path = match parts.path {
        RequestPath::Entry => "/".to_owned(),
        RequestPath::Health => "/healthz".to_owned(),
        RequestPath::Results => "/api/v1/results".to_owned(),
        RequestPath::Accepted(which) => {
            accepted.get(usize::from(which) % accepted.len().max(1))?.clone()
        }
        RequestPath::Result(id) => format!("/api/v1/results/{id}"),
        RequestPath::Run(id) => format!("/api/v1/runs/{id}"),
        RequestPath::Events => "/api/v1/events".to_owned(),
        RequestPath::Schema => "/api/v1/schema/queens-result-1.json".to_owned(),
        RequestPath::Description => "/api/v1/openapi.json".to_owned(),
        RequestPath::Any(path) => format!("/{path}"),
    };
    for (index, (name, value)) in parts.query.into_iter().enumerate() {
        let name = match name {
            Name::N => "n",
            Name::Method => "method",
            Name::Backend => "backend",
            Name::Limit => "limit",
            Name::Before => "before",
            Name::Embed => "embed",
            Name::Any(ref name) => name,
        };
        path += &format!("{}{name}={value}", if index == 0 { '?' } else { '&' });
    }
    let mut request = Request::builder().method(method).uri(path).header(header::HOST, "localhost");
    let is_json = matches!(parts.body, Content::Document(_) | Content::Report);
    if is_json {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    for (name, value) in parts.headers {
        let name = match name {
            Header::Accept => header::ACCEPT,
            Header::AcceptEncoding => header::ACCEPT_ENCODING,
            Header::Authorization => header::AUTHORIZATION,
            Header::ContentEncoding => header::CONTENT_ENCODING,
            Header::ContentType => header::CONTENT_TYPE,
            Header::Expect => header::EXPECT,
            Header::Host => header::HOST,
            Header::IfNoneMatch => header::IF_NONE_MATCH,
            Header::Origin => header::ORIGIN,
        };
        request = request.header(name, value);
    }
    let body = match parts.body {
        Content::Nothing => Body::empty(),
        Content::Document(which) => Body::from(DOCUMENTS[usize::from(which) % DOCUMENTS.len()]),
        Content::Report => Body::from(REPORT),
        Content::Text(text) => Body::from(text),
        Content::Bytes(bytes) => Body::from(bytes),
        Content::Long(length) => Body::from(vec![b'['; usize::from(length) << 14]),
    };
    request.body(body).ok()
}

/// The checked parts of an answer.
struct Answer {
    status: StatusCode,
    location: Option<String>,
}

async fn answer_to(router: &Router, method: &str, path: &str) -> Answer {
    let request = Request::builder().method(method).uri(path).header(header::HOST, "localhost");
    answer(router, request.body(Body::empty()).expect("the path is one of the server's")).await
}

/// Sends a request. Checks that the answer is not a server error, and that a rejection gives its
/// reason.
async fn answer(router: &Router, request: Request<Body>) -> Answer {
    let is_head = request.method() == "HEAD";
    let Ok(response) = router.clone().oneshot(request).await;
    let (head, body) = Response::into_parts(response);
    let status = head.status;
    assert!(!status.is_server_error(), "{status}");
    let text = |name| head.headers.get(name).and_then(|value| value.to_str().ok());
    let location = text(header::LOCATION).map(str::to_owned);
    assert!(head.headers.contains_key(header::CONTENT_SECURITY_POLICY));
    let kind = text(header::CONTENT_TYPE).unwrap_or_default();
    // An event stream does not end.
    if kind == "text/event-stream" {
        return Answer { status, location };
    }
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("the body is in memory");
    if kind.ends_with("json") && !is_head {
        let json: Value = serde_json::from_slice(&body).expect("a body of this type is JSON");
        if status.is_client_error() {
            assert_eq!(kind, "application/problem+json");
            assert!(json["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{json}");
        }
    } else if status.is_client_error() && !is_head {
        assert!(kind.starts_with("text/html"), "{status} with the media type {kind:?}");
    }
    Answer { status, location }
}
