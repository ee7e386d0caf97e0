//! What the handlers share.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::http::StatusCode;
use sha2::{Digest, Sha256};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{feed::Feed, problem::Problem};
use crate::store::Store;

/// So many documents are read and kept at once.
const WRITERS: u32 = 2;

/// A document of more bytes than this is large: it is read while no other one is.
const LARGE: usize = 1024 * 1024;

/// What the handlers share.
#[derive(Debug, Clone)]
pub(super) struct App {
    pub store: Arc<Store>,
    pub feed: Feed,
    pub identity: Arc<Identity>,
    pub limits: Limits,
}

/// Who the server is, and whom it obeys.
#[derive(Debug)]
pub(super) struct Identity {
    /// What it listens on.
    pub address: SocketAddr,
    /// The names that it answers to beside its address.
    pub hosts: Vec<String>,
    /// The digest of what those must know who are to change something.
    pub token: Option<[u8; 32]>,
}

impl Identity {
    /// Whether this is a loopback name, the server's address or one of its names. Any address will
    /// do where it listens on all of them: what foreign pages make point here are names.
    pub fn is_called(&self, host: &str) -> bool {
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

    /// Whether others than this machine's users may reach the server: by its address, or under a
    /// name that it was given for that, as by a proxy.
    pub fn is_reached_from_outside(&self) -> bool {
        !self.address.ip().is_loopback() || !self.hosts.is_empty()
    }

    /// Whether one who brings `token` may change something.
    pub fn obeys(&self, token: Option<&str>) -> bool {
        let Some(expected) = self.token else { return !self.is_reached_from_outside() };
        let Some(token) = token else { return false };
        let differences = expected.iter().zip(digest(token)).map(|(a, b)| a ^ b);
        // Every byte is looked at, so that time tells nothing.
        differences.fold(0, |all, each| all | each) == 0
    }
}

/// What of a token is kept.
pub(super) fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// What keeps the memory bounded, whatever is sent and asked for, and how long clients may take.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    /// For a request to arrive, and for a place among those that are being answered.
    pub patience: Duration,
    /// Room for bodies that are arriving, in KB.
    pub bodies: Arc<Semaphore>,
    /// Places for those whose document is read and kept: it takes many times its length meanwhile,
    /// so a [large](LARGE) one takes them all.
    pub writers: Arc<Semaphore>,
    /// Places for documents and lists on their way out.
    pub answers: Arc<Semaphore>,
    /// Places for streams of events, which stay for as long as a client wants: half of all connections,
    /// so that the others are left for requests.
    pub streams: Arc<Semaphore>,
}

impl Limits {
    pub fn new(patience: Duration, connections: usize) -> Limits {
        let places = |number| Arc::new(Semaphore::new(number));
        let writers = places(WRITERS as usize);
        let (bodies, answers, streams) = (places(64 * 1024), places(16), places(connections / 2));
        Limits { patience, bodies, writers, answers, streams }
    }

    /// A place for a stream of events. Nobody waits for one: others may stay for days.
    pub fn stream(&self) -> Result<OwnedSemaphorePermit, Problem> {
        Arc::clone(&self.streams).try_acquire_owned().map_err(|_| {
            let why = "too many event streams are open; try again later";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, why).ending_the_connection()
        })
    }

    /// A place, when there is one.
    pub async fn place(&self, among: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Problem> {
        self.places(among, 1).await
    }

    /// A place to read and keep a document of so many bytes.
    pub async fn place_to_write(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Problem> {
        self.places(&self.writers, if bytes > LARGE { WRITERS } else { 1 }).await
    }

    async fn places(
        &self,
        among: &Arc<Semaphore>,
        number: u32,
    ) -> Result<OwnedSemaphorePermit, Problem> {
        let places = Arc::clone(among).acquire_many_owned(number);
        let places = tokio::time::timeout(self.patience, places).await;
        places.ok().and_then(Result::ok).ok_or_else(busy)
    }
}

/// The answer to a request that finds no free slot.
pub(super) fn busy() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the server is busy; try again later")
}
