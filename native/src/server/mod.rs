//! HTTP server for the page, the results API and its live events.
//!
//! - `connections`: accepts connections, with limits and timeouts
//! - `guard`: checks all requests and adds headers to all responses
//! - `routes`: routing
//! - `results`, `runs`, `events`: the API; `query` and `body` parse requests, `answer` sends large
//!   responses
//! - `feed`: the event feed
//! - `openapi`: the API's description
//! - `page`: the page, embedded into the program
//! - `app`: state shared by the handlers
//! - `problem`: error responses

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
mod shard_aggregator;

use std::{
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener},
    panic,
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

pub use queens_core::document::LARGEST_DOCUMENT;
use tokio::{runtime::Runtime, sync::watch};

use app::{App, Identity, Limits};
use feed::Feed;

use crate::{lock::lock, post::Token, store::Store};

/// Default address of the server.
pub const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8017);

/// A server that has bound its address, but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    identity: Identity,
    patience: Duration,
    most: usize,
    store: Store,
}

/// A server whose threads are started. It answers as soon as it runs.
#[derive(Debug)]
pub struct Ready {
    server: Server,
    threads: Runtime,
}

/// Default maximum number of open connections. Further ones wait until others end.
const MOST_CONNECTIONS: usize = 1000;

/// Number of threads for network requests.
const WORKERS: usize = 2;

/// Number of threads for the database: half of them for writers, half for readers. It is small because
/// each thread that reads documents keeps memory for the next one.
const BLOCKING: usize = 4;

/// Lifetime of idle threads, in effect unlimited. All threads are started at the beginning, because tokio
/// panics if it cannot start one later.
const KEPT: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Maximum time for starting all threads.
const START: Duration = Duration::from_secs(10);

/// Reasons why the server cannot start or continue.
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
    /// The system cannot start the threads.
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

/// A bound address. It is bound before the store is opened, so that a server that cannot listen does not
/// leave a database file behind.
#[derive(Debug)]
pub struct Reserved {
    listener: TcpListener,
    address: SocketAddr,
}

impl Reserved {
    /// Creates the server at this address.
    #[must_use]
    pub fn with(self, store: Store) -> Server {
        let identity = Identity { address: self.address, hosts: Vec::new(), token: None };
        let patience = Duration::from_secs(30);
        Server { listener: self.listener, identity, patience, most: MOST_CONNECTIONS, store }
    }
}

impl Server {
    /// Binds the address; with port 0 any free port.
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

    /// Binds an address and creates a server for the results of a store.
    pub fn bind(address: SocketAddr, store: Store) -> Result<Server, ServerError> {
        Ok(Server::reserve(address)?.with(store))
    }

    /// Sets additional host names. They are meant for access from other machines, so changes then need
    /// the [token](Server::with_token).
    #[must_use]
    pub fn with_hosts(mut self, hosts: Vec<String>) -> Server {
        self.identity.hosts = hosts;
        self
    }

    /// Sets the token that clients need to change results. Without a token, only users of this machine
    /// may change results, and only if the address is a loopback address and there are no additional host
    /// names.
    #[must_use]
    pub fn with_token(mut self, token: &Token) -> Server {
        self.identity.token = Some(app::digest(token.as_str()));
        self
    }

    /// Sets the timeout for requests to arrive. The default is 30 seconds.
    #[must_use]
    pub fn patient_for(mut self, patience: Duration) -> Server {
        self.patience = patience;
        self
    }

    /// Sets the maximum number of open connections. The default is 1,000. At most half of them may be
    /// event streams.
    #[must_use]
    pub fn crowded_at(mut self, most: usize) -> Server {
        self.most = most;
        self
    }

    /// Returns whether the server is read-only, because other machines can reach it and it has no token.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.identity.is_reached_from_outside() && self.identity.token.is_none()
    }

    /// Address that the server listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.identity.address
    }

    /// URL of the page.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.identity.address)
    }

    /// Starts the threads. Call this before printing the server's address.
    ///
    /// # Errors
    /// [`ServerError::Threads`] if the system cannot start them.
    pub fn start(self) -> Result<Ready, ServerError> {
        let threads = threads().map_err(ServerError::Threads)?;
        Ok(Ready { server: self, threads })
    }

    /// Starts the threads and serves requests until `stop` is done. See [`Ready::run`].
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
            // Event streams never end by themselves, so the feed must end them.
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
    /// Serves requests until `stop` is done, then lets running requests finish.
    ///
    /// # Errors
    /// If the listening socket fails.
    pub fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServerError> {
        let outcome = self.threads.block_on(self.server.answer(stop));
        self.threads.shutdown_timeout(connections::LAST_PATIENCE);
        outcome
    }
}

/// Starts all threads of the server.
fn threads() -> io::Result<Runtime> {
    try_threads()?;
    without_panic(start_threads)
}

/// Checks that the system can start this number of threads. Unlike [`without_panic`], it returns the
/// system's reason if it cannot.
fn try_threads() -> io::Result<()> {
    // They all exist at the same time: each one waits until the last one has started.
    let (end, ended) = mpsc::channel::<()>();
    let ended = Arc::new(Mutex::new(ended));
    let mut tried = Vec::new();
    let mut outcome = Ok(());
    for _ in 0..WORKERS + BLOCKING {
        let ended = Arc::clone(&ended);
        // `recv` ends with an error when the sender is dropped.
        match thread::Builder::new().spawn(move || lock(&ended).recv()) {
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
    outcome
}

/// Starts tokio's threads.
fn start_threads() -> io::Result<Runtime> {
    let threads = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .max_blocking_threads(BLOCKING)
        .thread_keep_alive(KEPT)
        .enable_all()
        .build()?;
    let (release, released) = watch::channel(());
    let (arrive, arrived) = mpsc::channel();
    for _ in 0..BLOCKING {
        let (arrive, mut released) = (arrive.clone(), released.clone());
        threads.spawn_blocking(move || {
            let _ = arrive.send(());
            // Each task occupies a thread until all threads have started.
            let _ = tokio::runtime::Handle::current().block_on(released.changed());
        });
    }
    let all = (0..BLOCKING).all(|_| arrived.recv_timeout(START).is_ok());
    drop(release);
    if all {
        return Ok(threads);
    }
    threads.shutdown_background();
    Err(not_all_started())
}

fn not_all_started() -> io::Error {
    io::Error::new(io::ErrorKind::WouldBlock, "the system did not start all of them")
}

/// Runs `start` in a separate thread, and returns an error if it panics.
///
/// If tokio cannot start a thread, it panics, and may then wait forever for the threads that it has
/// started. The separate thread is abandoned then. The panic is not printed: the caller reports the error.
fn without_panic<T: Send + 'static>(
    start: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    /// The panic hook belongs to the process, so its servers start one at a time.
    static HOOK: Mutex<()> = Mutex::new(());
    let _alone = lock(&HOOK);
    let (sender, started) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        let usual = Arc::new(panic::take_hook());
        let (own, failed, others) = (thread::current().id(), sender.clone(), Arc::clone(&usual));
        panic::set_hook(Box::new(move |panic| {
            if thread::current().id() == own {
                let _ = failed.send(Err(not_all_started()));
            } else {
                others(panic);
            }
        }));
        let outcome = start();
        panic::set_hook(Box::new(move |panic| usual(panic)));
        let _ = sender.send(outcome);
    })?;
    started.recv().unwrap_or_else(|_| Err(not_all_started()))
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
    fn a_panic_while_threads_start_is_an_error() {
        /// Waits without end when it is dropped, as tokio's pool does.
        struct Endless;
        impl Drop for Endless {
            fn drop(&mut self) {
                loop {
                    thread::park();
                }
            }
        }
        let words = "the system did not start all of them";
        let ends = without_panic::<()>(|| panic!("no thread"));
        assert_eq!(ends.unwrap_err().to_string(), words);
        let waits = without_panic::<()>(|| {
            let _endless = Endless;
            panic!("no thread")
        });
        assert_eq!(waits.unwrap_err().to_string(), words);
        assert_eq!(without_panic(|| Ok(7)).unwrap(), 7);
        assert!(without_panic::<()>(|| Err(io::ErrorKind::Other.into())).is_err());
        // Panics elsewhere are what they were.
        assert!(thread::spawn(|| panic!("elsewhere")).join().is_err());
    }

    #[test]
    fn reports_a_full_disk_as_its_own_problem() {
        const EIGHT: &str = include_str!("../../../tests/data/results/eight.json");
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("results.sqlite")).unwrap();
        store.simulate_full_disk();
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
