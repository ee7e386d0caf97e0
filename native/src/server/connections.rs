//! Accepts and serves connections, with limits on their number and timeouts.

use std::{sync::Arc, time::Duration};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
};
use tokio_io_timeout::TimeoutStream;

/// Read buffer of each connection in bytes, which limits the head of a request.
const READ_AHEAD: usize = 64 * 1024;

/// Time that running requests get to finish when the server stops.
pub(super) const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// Pause after a connection could not be accepted, for example because too many files are open.
const ACCEPT_RETRY: Duration = Duration::from_millis(500);

/// Serves connections until `stopped` turns true, then gives running requests [`SHUTDOWN_TIMEOUT`] to
/// finish.
///
/// A connection ends if the head of a request takes longer than `timeout`, or if no byte of a response
/// can be sent for `timeout`. At most `max_connections` are open at once; further ones wait until one ends.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    timeout: Duration,
    max_connections: usize,
    stopped: watch::Receiver<bool>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(timeout).max_buf_size(READ_AHEAD);
    let graceful = GracefulShutdown::new();
    let slots = Arc::new(Semaphore::new(max_connections));
    while let Some((slot, stream)) = accept(&listener, &slots, &stopped).await {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(timeout));
        let service = TowerToHyperService::new(router.clone());
        let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // Ignore the error: the client has broken the connection or was too slow.
            let _ = connection.await;
            drop(slot);
        });
    }
    drop(listener);
    // Requests that take longer are cut off.
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, graceful.shutdown()).await;
}

/// Accepts the next connection and takes its slot. Returns `None` when the server stops.
async fn accept(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
    stopped: &watch::Receiver<bool>,
) -> Option<(tokio::sync::OwnedSemaphorePermit, TcpStream)> {
    let accepted = async {
        let slot = Arc::clone(slots).acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((stream, _)) => return Some((slot, stream)),
                Err(_) => tokio::time::sleep(ACCEPT_RETRY).await,
            }
        }
    };
    let mut stopped = stopped.clone();
    tokio::select! {
        accepted = accepted => accepted,
        // If the sender was dropped, `wait_for` returns an error. The server stops then, too, because
        // nothing else could stop it.
        _ = stopped.wait_for(|&stopped| stopped) => None,
    }
}
