//! Accepts TCP connections within limits, and ends the connections gracefully when the server
//! stops.

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

use crate::client::Client;
use crate::clock;
use crate::limits::ConnectionPermit;
use crate::server::Server;
use crate::stream::TimedStream;

/// Pause after a failed accept of a TCP connection, because the process may have no file descriptor left.
const PAUSE: Duration = Duration::from_millis(500);

/// Time limit, after a stop of the server, for a write to a client that does not read.
const STOP_TIME: Duration = Duration::from_secs(1);

/// Accepts TCP connections until the server stops, and then waits for the running requests on the open connections.
pub(crate) async fn serve(listener: TcpListener, router: Router, server: &Server) {
    let open = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = server.stop.cancelled() => break,
        };
        // The library panics when it formats the header `Date` with a time outside of the years 1970 to 9999.
        let accepted = accepted
            .and_then(|accepted| clock::checked().map(|_| accepted).map_err(std::io::Error::other));
        match accepted {
            Ok((stream, peer)) => {
                // Connections from a proxy carry the requests of all clients, so they count for no client.
                let client = (!server.settings.behind_proxy).then(|| Client::at(peer.ip()));
                match server.limiter.open_socket(client) {
                    Ok(permit) => {
                        open.spawn(answer(stream, peer, router.clone(), server.clone(), permit));
                    }
                    // The connection is closed without an answer, because an answer would need resources.
                    Err(error) => error.log(),
                }
            }
            Err(error) if is_client_gone(&error) => {}
            Err(error) => {
                tracing::error!(%error, "accepting a connection failed");
                sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    open.close();
    open.wait().await;
}

/// Answers the requests of a TCP connection until the connection ends or becomes a WebSocket.
async fn answer(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    server: Server,
    _permit: ConnectionPermit,
) {
    // Disables Nagle's algorithm, because messages are small and clients wait for each message.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "Nagle's algorithm cannot be switched off for a connection");
    }
    let write_time = server.settings.limits.write_time;
    let stream = TimedStream::new(stream, write_time, STOP_TIME, server.stop.clone());
    let read = stream.read_bytes();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(read.clone());
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
        tracing::debug!(%error, "a connection ended with an error");
    }
}

/// Returns whether an accept failed because the client had already ended the TCP connection.
fn is_client_gone(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
