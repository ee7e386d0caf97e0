//! State shared by the handlers.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{extract::FromRef, http::StatusCode};
use sha2::{Digest, Sha256};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{feed::Feed, page::Page, problem::Problem};
use crate::store::Store;

/// Maximum number of documents that are parsed and stored at the same time.
const WRITERS: u32 = 2;

/// Number of bytes above which a document is large. A large document is parsed alone.
const LARGE: usize = 1024 * 1024;

/// State shared by the handlers.
#[derive(Debug, Clone)]
pub(super) struct App {
    pub store: Arc<Store>,
    pub feed: Feed,
    pub identity: Arc<Identity>,
    pub limits: Limits,
    pub page: Page,
    /// Ids of the views that pages of other origins may show in a frame.
    pub framed_views: Arc<[String]>,
}

/// Handlers of the page need no other state.
impl FromRef<App> for Page {
    fn from_ref(app: &App) -> Page {
        app.page
    }
}

/// Address, host names and token of the server.
#[derive(Debug)]
pub(super) struct Identity {
    /// The address that the server listens on.
    pub address: SocketAddr,
    /// Additional host names that the server answers to.
    pub hosts: Vec<String>,
    /// SHA-256 digest of the token for changes.
    pub token: Option<[u8; 32]>,
}

impl Identity {
    /// Returns whether a host name stands for this server: a loopback name, the server's address or one
    /// of its names. A server that listens on all addresses accepts any address, because an attack by
    /// another site (DNS rebinding) needs a name.
    pub fn has_name(&self, host: &str) -> bool {
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let here = self.address.ip();
        match bare.parse::<IpAddr>() {
            Ok(ip) => {
                ip.is_loopback() || ip == here || here.is_unspecified() && !ip.is_unspecified()
            }
            Err(_) => {
                host.eq_ignore_ascii_case("localhost")
                    || self.hosts.iter().any(|name| host.eq_ignore_ascii_case(name))
            }
        }
    }

    /// Returns whether clients on other machines may reach the server: by its address, or through a proxy
    /// under a host name that the server was given.
    pub fn is_reached_from_outside(&self) -> bool {
        !self.address.ip().is_loopback() || !self.hosts.is_empty()
    }

    /// Returns whether a client with this token may change results.
    pub fn authorizes(&self, token: Option<&str>) -> bool {
        let Some(expected) = self.token else { return !self.is_reached_from_outside() };
        let Some(token) = token else { return false };
        let differences = expected.iter().zip(digest(token)).map(|(a, b)| a ^ b);
        // Constant-time comparison.
        differences.fold(0, |all, each| all | each) == 0
    }
}

/// Returns the digest under which a token is stored.
pub(super) fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// Limits on memory and time, which no request can exceed.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    /// Timeout for a request to arrive, and for waiting for a slot.
    pub timeout: Duration,
    /// Memory for request bodies that are arriving. A permit stands for one KB.
    pub bodies: Arc<Semaphore>,
    /// Slots for documents that are parsed and stored, or removed. Parsing takes many times the length of a
    /// document in memory, so a [large](LARGE) one takes all slots.
    pub writers: Arc<Semaphore>,
    /// Slots for responses with documents and lists.
    pub answers: Arc<Semaphore>,
    /// Slots for event streams, which stay open as long as the client wants. They are half of all
    /// connections, so that the other half remains for requests.
    pub streams: Arc<Semaphore>,
}

impl Limits {
    pub fn new(timeout: Duration, connections: usize) -> Limits {
        let slots = |number| Arc::new(Semaphore::new(number));
        let writers = slots(WRITERS as usize);
        let (bodies, answers, streams) = (slots(64 * 1024), slots(16), slots(connections / 2));
        Limits { timeout, bodies, writers, answers, streams }
    }

    /// Takes a slot for an event stream. Returns an error instead of waiting, because other streams may
    /// stay open for days.
    pub fn stream_slot(&self) -> Result<OwnedSemaphorePermit, Problem> {
        Arc::clone(&self.streams).try_acquire_owned().map_err(|_| {
            let why = "too many event streams are open; try again later";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, why).ending_the_connection()
        })
    }

    /// Waits for a slot.
    pub async fn slot(&self, among: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Problem> {
        self.slots(among, 1).await
    }

    /// Waits for the slots to parse and store a document of `bytes` bytes.
    pub async fn slot_for_document(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Problem> {
        self.slots(&self.writers, if bytes > LARGE { WRITERS } else { 1 }).await
    }

    async fn slots(
        &self,
        among: &Arc<Semaphore>,
        number: u32,
    ) -> Result<OwnedSemaphorePermit, Problem> {
        let slots = Arc::clone(among).acquire_many_owned(number);
        let slots = tokio::time::timeout(self.timeout, slots).await;
        slots.ok().and_then(Result::ok).ok_or_else(busy)
    }
}

/// Returns the response to a request that gets no slot in time.
pub(super) fn busy() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the server is busy; try again later")
}
