//! Accepts TCP connections within the connection limits. When the server stops, the connections end
//! gracefully.

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::Poll;
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

use crate::clock::{self, ClockFault};
use crate::error::ApiError;
use crate::http::client::Client;
use crate::http::stream::TimedStream;
use crate::server::Server;

/// Pause of the TCP listener after a failed call of `accept`. The process may have no free file descriptor.
const PAUSE: Duration = Duration::from_millis(500);

/// Maximum size of an incomplete HTTP request head, in bytes. If the head is still incomplete after more bytes, the request gets status
/// 431, and its connection is closed. A single read of the HTTP library can exceed the limit, so that up to twice as many bytes may arrive.
const HEAD_BYTES: usize = 32 * 1024;

/// Timeout of a write to a client that does not read, applied once the server has begun to stop.
const STOP_TIME: Duration = Duration::from_secs(1);

/// Accepts TCP connections within the server's connection limits until the server stops. Then waits
/// for the running requests.
pub(crate) async fn serve(listener: TcpListener, router: Router, server: &Server) {
    let admit = |peer: SocketAddr| {
        // A connection from a proxy carries requests of many clients, so that the connection counts against no client's limit.
        let client = (!server.settings.behind_proxy).then(|| Client::at(peer.ip()));
        server.limiter.open_socket(client)
    };
    accept(listener, router, server, admit).await;
}

/// Accepts TCP connections to the metrics listener, without limits, so that metrics stay readable
/// during an attack.
pub(crate) async fn serve_metrics(listener: TcpListener, router: Router, server: &Server) {
    accept(listener, router, server, |_| Ok(())).await;
}

/// Accepts the TCP connections that the callback `admit` permits. The permit is kept until the end
/// of the connection.
async fn accept<Permit: Send + 'static>(
    listener: TcpListener,
    router: Router,
    server: &Server,
    admit: impl Fn(SocketAddr) -> Result<Permit, ApiError>,
) {
    let open = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = server.stop.cancelled() => break,
        };
        let accepted = accepted
            .and_then(|accepted| clock::checked().map(|_| accepted).map_err(std::io::Error::other));
        match accepted {
            Ok((stream, peer)) => match admit(peer) {
                Ok(permit) => {
                    let answers = answer(stream, peer, router.clone(), server.clone());
                    open.spawn(async move {
                        answers.await;
                        drop(permit);
                    });
                }
                // A refused connection is closed without a response, because a response would use resources.
                Err(error) => error.log(),
            },
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

/// Serves the HTTP requests of a TCP connection until the connection ends or becomes a WebSocket.
async fn answer(stream: TcpStream, peer: SocketAddr, router: Router, server: Server) {
    // Nagle's algorithm is disabled, because messages are small and clients wait for each message.
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
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades()
    );
    let ended = tokio::select! {
        ended = with_sound_clock(connection.as_mut()) => ended,
        () = server.stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            with_sound_clock(connection).await
        }
    };
    match ended {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "a connection ended with an error"),
        Err(fault) => tracing::warn!("a connection was closed: {fault}"),
    }
}

/// Runs an HTTP connection to its end, or until the wall clock shows a time outside of the years 1970 to 9999. In the second case, the
/// function returns the fault of the clock.
///
/// The HTTP library panics outside these years, because it formats the header `Date` at each poll.
async fn with_sound_clock<F: Future>(mut connection: Pin<&mut F>) -> Result<F::Output, ClockFault> {
    poll_fn(|context| match clock::checked() {
        Ok(_) => connection.as_mut().poll(context).map(Ok),
        Err(fault) => Poll::Ready(Err(fault)),
    })
    .await
}

/// Returns whether `accept` failed because the client had already closed the TCP connection.
fn is_client_gone(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
