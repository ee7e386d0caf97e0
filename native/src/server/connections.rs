//! Connections: their number and their timeouts.

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
pub(super) const LAST_PATIENCE: Duration = Duration::from_secs(3);

/// Pause after the system had no resources for a connection.
const PAUSE: Duration = Duration::from_millis(500);

/// Serves connections until `stopped` turns true, then gives running requests [`LAST_PATIENCE`] to
/// finish.
///
/// A connection ends if the head of a request takes longer than `patience`, or if no byte of a response
/// can be sent for that time. At most `most` connections are open; others wait until one ends.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Duration,
    most: usize,
    stopped: watch::Receiver<bool>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(READ_AHEAD);
    let ending = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(most));
    while let Some((place, stream)) = next(&listener, &places, &stopped).await {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(patience));
        let service = TowerToHyperService::new(router.clone());
        let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
        let connection = ending.watch(connection);
        tokio::spawn(async move {
            // The error is ignored: it means that the client broke the connection.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    // Requests that take longer are cut off.
    let _ = tokio::time::timeout(LAST_PATIENCE, ending.shutdown()).await;
}

/// Accepts the next connection and takes its slot. Returns `None` when the server stops.
async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
    stopped: &watch::Receiver<bool>,
) -> Option<(tokio::sync::OwnedSemaphorePermit, TcpStream)> {
    let accepted = async {
        let place = Arc::clone(places).acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((stream, _)) => return Some((place, stream)),
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    };
    let mut stopped = stopped.clone();
    tokio::select! {
        accepted = accepted => accepted,
        // An error means that the sender was dropped, so nothing could stop the server any more.
        _ = stopped.wait_for(|&stopped| stopped) => None,
    }
}
