//! The connections: how many there are at once, and how long each may keep the server waiting.

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

/// What is read ahead of each connection, and so the longest head of a request, in bytes.
const READ_AHEAD: usize = 64 * 1024;

/// How long requests that are being answered may still take when the server is told to stop.
pub(super) const LAST_PATIENCE: Duration = Duration::from_secs(3);

/// How long nobody is let in after the system had no room for a connection.
const PAUSE: Duration = Duration::from_millis(500);

/// Answers until `stopped` turns true, then lets requests end that are being answered, for a
/// while. A connection ends when the head of a request takes longer than `patience`, and when
/// nothing of an answer can be sent for so long. More than `most` connections at once wait until
/// others end.
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
            // Whoever broke the connection knows.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    // Whoever takes longer is cut off.
    let _ = tokio::time::timeout(LAST_PATIENCE, ending.shutdown()).await;
}

/// The next connection and its place; none when the server stops.
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
        // An error means that the sender is gone, with whoever could stop the server.
        _ = stopped.wait_for(|&stopped| stopped) => None,
    }
}
