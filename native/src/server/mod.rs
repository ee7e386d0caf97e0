//! The server: the page, the results API and its live events, on one address.
//!
//! - `routes`: which address is answered by what
//! - `results`, `runs`, `events`: the API; `query` and `body` read what requests bring
//! - `openapi`: the API's description
//! - `page`: the page, embedded into the program
//! - `guard`: what holds for every request and every answer
//! - `problem`: how a request is refused

mod body;
mod events;
mod guard;
mod openapi;
mod page;
mod problem;
mod query;
mod results;
mod routes;
mod runs;

use std::{
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

use tokio::sync::watch;

use crate::store::Store;
use events::Feed;

/// Where the server listens if nothing else is asked for.
pub const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8017);

/// The largest document that is taken.
pub const LARGEST_DOCUMENT: usize = 8 * 1024 * 1024;

/// How long requests that are being answered may still take when the server is told to stop.
const PATIENCE: Duration = Duration::from_secs(3);

/// A server that has its address, but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    store: Store,
}

/// What the handlers share.
#[derive(Debug, Clone)]
struct App {
    store: Arc<Store>,
    feed: Feed,
    address: SocketAddr,
}

/// Why the server cannot start or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// Others could reach the address.
    #[error(
        "{0} can be reached from outside, which this server does not allow yet; listen on a loopback address such as {DEFAULT_ADDRESS}"
    )]
    NotLoopback(SocketAddr),
    /// Another program listens there.
    #[error(
        "{0} is in use by another program, perhaps another server of this kind; stop that one, or choose another port with --listen (port 0 takes any free one)"
    )]
    InUse(SocketAddr),
    /// The address cannot be listened on.
    #[error("the server cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The server broke down.
    #[error("the server failed")]
    Run(#[from] io::Error),
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
        Server { listener: self.listener, address: self.address, store }
    }
}

impl Server {
    /// Takes the address, which must be a loopback one; with port 0 any free port.
    ///
    /// # Errors
    /// If the address is not to be had.
    pub fn reserve(address: SocketAddr) -> Result<Reserved, ServerError> {
        if !address.ip().is_loopback() {
            return Err(ServerError::NotLoopback(address));
        }
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
    ///
    /// # Errors
    /// If the address is not to be had.
    pub fn bind(address: SocketAddr, store: Store) -> Result<Server, ServerError> {
        Ok(Server::reserve(address)?.with(store))
    }

    /// The address it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The page's address for a browser.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers requests until `stop` is done; then lets those that are being answered end.
    ///
    /// # Errors
    /// If the system takes the listening socket or the threads away.
    pub fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServerError> {
        let threads =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let outcome = threads.block_on(self.answer(stop));
        threads.shutdown_timeout(PATIENCE);
        outcome
    }

    async fn answer(
        self,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServerError> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let (stopping, mut stopped) = watch::channel(false);
        let app = App {
            store: Arc::new(self.store),
            // Streams of events have no end of their own, so they are told.
            feed: Feed::new(stopped.clone()),
            address: self.address,
        };
        let serving =
            axum::serve(listener, routes::router(app)).with_graceful_shutdown(async move {
                stop.await;
                stopping.send_replace(true);
            });
        let too_long = async move {
            // An error means that the sender is gone, and so the serving at its end.
            let _ = stopped.wait_for(|&stopped| stopped).await;
            tokio::time::sleep(PATIENCE).await;
        };
        tokio::select! {
            outcome = serving => Ok(outcome?),
            () = too_long => Ok(()),
        }
    }
}

/// Done when the user or the system asks the program to stop (Ctrl-C, SIGTERM).
pub async fn asked_to_stop() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            },
            Err(_) => wait_for_ctrl_c().await,
        }
    }
    #[cfg(not(unix))]
    wait_for_ctrl_c().await;
}

async fn wait_for_ctrl_c() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without a handler the system ends the program by itself.
        std::future::pending::<()>().await;
    }
}
