//! Serving the router, and a stop that loses nothing.

use std::net::SocketAddr;
use std::time::Duration;

use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;

use crate::routes::app;
use crate::server::Server;

/// How long requests may go on after the server was told to stop.
const DRAIN: Duration = Duration::from_secs(10);

/// Serves until `stop` is over: then no new connections, live ones are closed with code 1012, requests that run end, and
/// then the store.
///
/// # Errors
///
/// If the listener fails.
pub async fn serve(
    listener: TcpListener,
    server: Server,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let service = app(server.clone()).into_make_service_with_connect_info::<SocketAddr>();
    let watched = server.clone();
    let quiet = server.clone();
    server.tasks.spawn(async move {
        tokio::select! {
            () = quiet.limiter.forget_the_quiet() => {}
            () = quiet.stop.cancelled() => {}
        }
    });
    // Messages are small and somebody waits for each: none is held back to be sent with the next.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection stays slow");
        }
    });
    let serving = axum::serve(listener, service).with_graceful_shutdown(async move {
        stop.await;
        tracing::info!("stopping");
        watched.stop.cancel();
    });
    let stopping = server.stop.clone();
    let late = async move {
        stopping.cancelled().await;
        tokio::time::sleep(DRAIN).await;
    };
    let result = tokio::select! {
        result = serving => result,
        () = late => {
            tracing::warn!("some requests did not end in time");
            Ok(())
        }
    };
    server.close().await;
    tracing::info!("stopped");
    result
}
