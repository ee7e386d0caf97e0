//! HTTP server for the page, the results API and its live events.
//!
//! - `connections`: accepts connections, with limits and timeouts
//! - `guard`: checks all requests and adds headers to all responses
//! - `routes`: routing, the API's description (`openapi.json`) and the health check
//! - `results`, `runs`, `events`: the API; `body` receives documents and reports, `answer` sends large responses
//! - `feed`: the event feed
//! - `page`: the files of the page
//! - `app`: state shared by the handlers; `shard_aggregator` combines the progress of shards
//! - `problem`: error responses

mod answer;
mod app;
mod body;
mod connections;
mod events;
mod feed;
mod guard;
mod page;
mod problem;
mod results;
mod routes;
mod runs;
mod shard_aggregator;

use std::{
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

pub use queens_core::document::LARGEST_DOCUMENT;
use tokio::sync::watch;

use app::{App, Identity, Limits};
use feed::Feed;
pub use page::Page;

use crate::{post::Token, store::Store};

/// Default address of the server.
pub const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8017);

/// A server that has bound its address, but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    identity: Identity,
    timeout: Duration,
    max_connections: usize,
    store: Arc<Store>,
    page: Page,
}

/// Default maximum number of open connections. Further connections wait until one ends.
const MAX_CONNECTIONS: usize = 1000;

/// Number of threads for network requests.
const NETWORK_THREADS: usize = 2;

/// Number of threads for the database: twice the maximum number of writers, so that writers never occupy all
/// of them. More threads would take more memory, because each keeps the memory of the last document it read
/// for the next one.
const DATABASE_THREADS: usize = 4;

/// Reasons why the server cannot start or continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// Another program listens on the address.
    #[error("{0} is already in use, perhaps by another queens server")]
    InUse(SocketAddr),
    /// The server cannot listen on the address.
    #[error("cannot listen on {address}")]
    Listen {
        address: SocketAddr,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The listening socket failed, or the runtime could not start.
    #[error("the server failed")]
    Run(#[from] io::Error),
}

impl ServerError {
    /// Returns what the user of the command can do about the error.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = "stop it, or choose another port with `--listen` (port 0 picks a free port)";
        matches!(self, ServerError::InUse(_)).then(|| hint.to_owned())
    }
}

impl Server {
    /// Binds an address and creates a server for the results of a store. Port 0 stands for any free port.
    pub fn bind(address: SocketAddr, store: Store) -> Result<Server, ServerError> {
        let listen = |source| ServerError::Listen { address, source };
        let listener = TcpListener::bind(address).map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => ServerError::InUse(address),
            _ => listen(source),
        })?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        Ok(Server {
            listener,
            identity: Identity { address, hosts: Vec::new(), token: None },
            timeout: Duration::from_secs(30),
            max_connections: MAX_CONNECTIONS,
            store: Arc::new(store),
            page: Page::NONE,
        })
    }

    /// Sets additional host names, which are meant for access from other machines. With additional host names,
    /// changes need the [token](Server::with_token).
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

    /// Sets the page. Without a page, the server explains how to build it.
    #[must_use]
    pub fn with_page(mut self, page: Page) -> Server {
        self.page = page;
        self
    }

    /// Sets the timeout of three waits: for a request to arrive, for other requests to end if too many are in
    /// progress, and for a client to receive the next part of a response. The default is 30 seconds.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Server {
        self.timeout = timeout;
        self
    }

    /// Sets the maximum number of open connections. The default is 1,000. At most half of them may be
    /// event streams.
    #[must_use]
    pub fn with_max_connections(mut self, max_connections: usize) -> Server {
        self.max_connections = max_connections;
        self
    }

    /// Returns whether the server is read-only, because other machines can reach it and it has no token.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.identity.is_reached_from_outside() && self.identity.token.is_none()
    }

    /// Returns the address that the server listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.identity.address
    }

    /// Returns the URL of the page.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.identity.address)
    }

    /// Serves requests until `stop` is done, then lets running requests finish.
    ///
    /// # Errors
    /// If the listening socket fails.
    pub fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(NETWORK_THREADS)
            .max_blocking_threads(DATABASE_THREADS)
            .enable_all()
            .build()?;
        let outcome = runtime.block_on(self.serve(stop));
        runtime.shutdown_timeout(connections::SHUTDOWN_TIMEOUT);
        outcome
    }

    async fn serve(
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
            store: self.store,
            // Event streams never end by themselves, so the feed must end them.
            feed: Feed::new(stopped.clone()),
            identity: Arc::new(self.identity),
            limits: Limits::new(self.timeout, self.max_connections),
            framed_views: self.page.framed_views().into(),
            page: self.page,
        };
        let cursor = app.store.current_cursor().unwrap_or_default();
        tokio::spawn(app.feed.clone().follow(Arc::clone(&app.store), cursor));
        connections::serve(
            listener,
            routes::router(app),
            self.timeout,
            self.max_connections,
            stopped,
        )
        .await;
        Ok(())
    }
}
