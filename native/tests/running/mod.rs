//! A server that runs in a thread of the test.

use std::{net::SocketAddr, path::Path, thread};

use queens::{
    server::{Page, Server, ServerError},
    store::Store,
};
use rust_embed::RustEmbed;
use tempfile::TempDir;
use tokio::sync::oneshot;

use crate::http::{Answer, ask};

/// A page of a few small files. Its `.br` files are not compressed, but differ from the plain ones.
#[derive(RustEmbed)]
#[folder = "tests/page"]
struct Miniature;

/// A running server, which stops when the value is dropped.
pub struct Running {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<Result<(), ServerError>>>,
}

impl Running {
    pub fn start(file: &Path) -> Running {
        let store = Store::open(file).unwrap();
        let server = Server::bind("127.0.0.1:0".parse().unwrap(), store).unwrap();
        let server = server.with_page(Page::of::<Miniature>());
        assert_eq!(server.url(), format!("http://{}/", server.address()));
        Running::of(server)
    }

    pub fn of(server: Server) -> Running {
        let mut address = server.address();
        if address.ip().is_unspecified() {
            address.set_ip([127, 0, 0, 1].into());
        }
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(|| {
            server.run(async {
                let _ = stopped.await;
            })
        });
        Running { address, stop: Some(stop), thread: Some(thread) }
    }

    pub fn get(&self, path: &str) -> Answer {
        ask(self.address, "GET", path, &[], b"")
    }

    pub fn send(&self, method: &str, path: &str, body: &str) -> Answer {
        ask(self.address, method, path, &[("Content-Type", "application/json")], body.as_bytes())
    }

    pub fn post(&self, body: &str) -> Answer {
        self.send("POST", "/api/v1/results", body)
    }

    pub fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.thread.take().unwrap().join().unwrap().unwrap();
    }
}

/// Starts a server with an empty store in a temporary folder.
pub fn server() -> (Running, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Running::start(&folder.path().join("results.sqlite")), folder)
}
