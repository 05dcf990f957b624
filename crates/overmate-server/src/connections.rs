//! Connections: how many there may be, how long one may take to say what it wants, and how they end.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use crate::limits::{Client, Place};
use crate::routes::app;
use crate::server::Server;

/// How long to wait after a connection could not be taken: there may be no file left for it.
const PAUSE: Duration = Duration::from_millis(500);

/// Takes connections until the server stops, and waits until those that are there have answered what they were asked.
pub(crate) async fn serve(listener: TcpListener, server: &Server) {
    let router = app(server.clone());
    let open = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = server.stop.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                // The proxy's connections are those of all its clients.
                let client = (!server.settings.behind_proxy).then(|| Client::at(peer.ip()));
                match server.limiter.open(client) {
                    Ok(place) => {
                        open.spawn(answer(stream, peer, router.clone(), server.clone(), place));
                    }
                    // It is closed without a word: to talk to it would cost what there is not.
                    Err(error) => error.log(),
                }
            }
            Err(error) if is_of_the_other_side(&error) => {}
            Err(error) => {
                tracing::error!(%error, "a connection cannot be taken");
                sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    open.close();
    open.wait().await;
}

/// Answers the requests of a connection until one makes it a live one, which has a limit of its own.
async fn answer(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    server: Server,
    _place: Place,
) {
    // Messages are small and somebody waits for each: none is held back to be sent with the next.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection stays slow");
    }
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let answer = router.clone().oneshot(request.map(Body::new));
        async move { answer.await.map_err(|never: Infallible| never) }
    });
    let mut connection = std::pin::pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(server.settings.limits.head_time)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades()
    );
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = server.stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended");
    }
}

/// Whether who wanted to connect has gone, and nothing is wrong here.
fn is_of_the_other_side(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
