//! The server: the page, the results API and its live events, on one address.
//!
//! - `connections`: who is listened to, how long, and how many at once
//! - `guard`: what holds for every request and every answer
//! - `routes`: which address is answered by what
//! - `results`, `runs`, `events`: the API; `query` and `body` read what requests bring, `answer`
//!   sends what takes room
//! - `feed`: the news on their way to those who listen
//! - `openapi`: the API's description
//! - `page`: the page, embedded into the program
//! - `app`: what the handlers share
//! - `problem`: how a request is refused

mod answer;
mod app;
mod body;
mod connections;
mod events;
mod feed;
mod guard;
mod health;
mod openapi;
mod page;
mod problem;
mod query;
mod results;
mod routes;
mod runs;
mod together;

use std::{
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener},
    sync::Arc,
    thread,
    time::Duration,
};

pub use queens_core::document::LARGEST_DOCUMENT;
use tokio::{runtime::Runtime, sync::watch};

use app::{App, Identity, Limits};
use feed::Feed;

use crate::{post::Token, store::Store};

/// Where the server listens if nothing else is asked for.
pub const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8017);

/// A server that has its address, but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    identity: Identity,
    patience: Duration,
    most: usize,
    store: Store,
}

/// A server that has its threads, too, and answers as soon as it runs.
#[derive(Debug)]
pub struct Ready {
    server: Server,
    threads: Runtime,
}

/// So many connections are answered at once; more wait until others end.
const MOST_CONNECTIONS: usize = 1000;

/// Threads that read and write requests.
const WORKERS: usize = 2;

/// Threads for the writers, and as many for those who read. Each thread that reads documents keeps
/// memory for the next one.
const BLOCKING: usize = 4;

/// Threads are kept this long, so that none need be started while the server runs: tokio has no error
/// for one that cannot be.
const KEPT: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// How long all threads may take to start.
const START: Duration = Duration::from_secs(30);

/// Why the server cannot start or continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// Another program listens on the address.
    #[error("{0} is already in use, perhaps by another queens server")]
    InUse(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The system does not let the server have its threads.
    #[error("cannot start the {} threads of the server", WORKERS + BLOCKING)]
    Threads(#[source] io::Error),
    /// The server's socket failed.
    #[error("the server failed")]
    Run(#[from] io::Error),
}

impl ServerError {
    /// What the user of the command can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            ServerError::InUse(_) => Some(
                "stop it, or choose another port with `--listen` (port 0 picks a free port)".into(),
            ),
            ServerError::Threads(_) => {
                Some("raise the limit of processes (`ulimit -u`, or that of the container)".into())
            }
            ServerError::Listen { .. } | ServerError::Run(_) => None,
        }
    }
}

/// An address that is taken for a server, before its store is opened: a server that cannot listen
/// leaves no file behind.
#[derive(Debug)]
pub struct Reserved {
    listener: TcpListener,
    address: SocketAddr,
}

impl Reserved {
    /// The server at this address.
    #[must_use]
    pub fn with(self, store: Store) -> Server {
        let identity = Identity { address: self.address, hosts: Vec::new(), token: None };
        let patience = Duration::from_secs(30);
        Server { listener: self.listener, identity, patience, most: MOST_CONNECTIONS, store }
    }
}

impl Server {
    /// Takes the address; with port 0 any free port.
    pub fn reserve(address: SocketAddr) -> Result<Reserved, ServerError> {
        let listen = |source| ServerError::Listen { address, source };
        let listener = TcpListener::bind(address).map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => ServerError::InUse(address),
            _ => listen(source),
        })?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        Ok(Reserved { listener, address })
    }

    /// A server at an address for the results of a store.
    pub fn bind(address: SocketAddr, store: Store) -> Result<Server, ServerError> {
        Ok(Server::reserve(address)?.with(store))
    }

    /// The same server, which also answers to these names. Whoever gives it one lets others reach
    /// it, so nobody changes anything without the [token](Server::trusting) then.
    #[must_use]
    pub fn called(mut self, hosts: Vec<String>) -> Server {
        self.identity.hosts = hosts;
        self
    }

    /// The same server, which lets only those change something who bring this token. Without one, only
    /// this machine's users may: on a loopback address, and without names.
    #[must_use]
    pub fn trusting(mut self, token: &Token) -> Server {
        self.identity.token = Some(app::digest(token.as_str()));
        self
    }

    /// The same server, which waits so long for requests to arrive, and not for 30 seconds.
    #[must_use]
    pub fn patient_for(mut self, patience: Duration) -> Server {
        self.patience = patience;
        self
    }

    /// The same server, which answers at most so many connections at once, and not 1,000. Half of them
    /// are for requests, and may not be streams of events.
    #[must_use]
    pub fn crowded_at(mut self, most: usize) -> Server {
        self.most = most;
        self
    }

    /// Whether nobody can change anything: it can be reached from outside and has no token.
    #[must_use]
    pub fn is_for_reading(&self) -> bool {
        self.identity.is_reached_from_outside() && self.identity.token.is_none()
    }

    /// The address it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.identity.address
    }

    /// The page's address for a browser.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.identity.address)
    }

    /// Starts the threads, before anybody is told that the server is there.
    ///
    /// # Errors
    /// [`ServerError::Threads`] if the system does not let it have them.
    pub fn start(self) -> Result<Ready, ServerError> {
        let threads = threads().map_err(ServerError::Threads)?;
        Ok(Ready { server: self, threads })
    }

    /// Answers requests until `stop` is done; then lets those that are being answered end.
    pub fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServerError> {
        self.start()?.run(stop)
    }

    async fn answer(
        self,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServerError> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let (stopping, stopped) = watch::channel(false);
        tokio::spawn(async move {
            stop.await;
            stopping.send_replace(true);
        });
        let app = App {
            store: Arc::new(self.store),
            // Streams of events have no end of their own, so they are told.
            feed: Feed::new(stopped.clone()),
            identity: Arc::new(self.identity),
            limits: Limits::new(self.patience, self.most),
        };
        let heard = app.store.now().unwrap_or_default();
        tokio::spawn(app.feed.clone().follow(Arc::clone(&app.store), heard));
        connections::serve(listener, routes::router(app), self.patience, self.most, stopped).await;
        Ok(())
    }
}

impl Ready {
    /// Answers requests until `stop` is done; then lets those that are being answered end.
    ///
    /// # Errors
    /// If the system takes the listening socket away.
    pub fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServerError> {
        let outcome = self.threads.block_on(self.server.answer(stop));
        self.threads.shutdown_timeout(connections::LAST_PATIENCE);
        outcome
    }
}

/// Starts all threads that the server will ever have.
fn threads() -> io::Result<Runtime> {
    // Tokio panics or waits for ever if it cannot start one, so the same number is tried before. All
    // are there at once: each waits until the last one has started.
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let ended = Arc::new(std::sync::Mutex::new(ended));
    let mut tried = Vec::new();
    let mut outcome = Ok(());
    for _ in 0..WORKERS + BLOCKING {
        let ended = Arc::clone(&ended);
        // An error says that the sender is gone.
        match thread::Builder::new().spawn(move || crate::lock::lock(&ended).recv()) {
            Ok(thread) => tried.push(thread),
            Err(error) => {
                outcome = Err(error);
                break;
            }
        }
    }
    drop(end);
    for thread in tried {
        let _ = thread.join();
    }
    outcome?;
    let threads = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .max_blocking_threads(BLOCKING)
        .thread_keep_alive(KEPT)
        .enable_all()
        .build()?;
    let (release, released) = watch::channel(());
    let (arrive, arrived) = std::sync::mpsc::channel();
    for _ in 0..BLOCKING {
        let (arrive, mut released) = (arrive.clone(), released.clone());
        threads.spawn_blocking(move || {
            let _ = arrive.send(());
            // Each keeps its thread until all have one.
            let _ = tokio::runtime::Handle::current().block_on(released.changed());
        });
    }
    let all = (0..BLOCKING).all(|_| arrived.recv_timeout(START).is_ok());
    drop(release);
    if all {
        return Ok(threads);
    }
    threads.shutdown_background();
    Err(io::Error::new(io::ErrorKind::WouldBlock, "the system did not start all of them"))
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read, Write},
        net::TcpStream,
        thread,
    };

    use super::*;

    #[test]
    fn a_full_disk_is_a_problem_of_its_own() {
        const EIGHT: &str = include_str!("../../../tests/data/results/eight.json");
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("results.sqlite")).unwrap();
        store.give_no_more_room();
        let server = Server::bind("127.0.0.1:0".parse().unwrap(), store).unwrap();
        let address = server.address();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let running = thread::spawn(|| server.run(async { _ = stopped.await }));
        let mut document: serde_json::Value = serde_json::from_str(EIGHT).unwrap();
        document["host"]["cpu"] = "x".repeat(60_000).into();
        let body = document.to_string();
        let head =
            format!("Host: {address}\r\nContent-Type: application/json\r\nConnection: close");
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        write!(
            stream,
            "POST /api/v1/results HTTP/1.1\r\n{head}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 507 "), "{answer}");
        assert!(answer.contains("\r\ncontent-type: application/problem+json\r\n"), "{answer}");
        stop.send(()).unwrap();
        running.join().unwrap().unwrap();
    }
}
