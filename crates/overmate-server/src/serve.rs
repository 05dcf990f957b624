//! Serving the router, and a stop that loses nothing.

use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio::time::{Instant, timeout, timeout_at};

use crate::routes::app;
use crate::server::{DRAIN, Server};

/// How often what nobody uses any more is forgotten.
const TIDYING: Duration = Duration::from_mins(5);

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
    let running = server.clone();
    server.tasks.spawn(async move {
        while timeout(TIDYING, running.stop.cancelled()).await.is_err() {
            running.limiter.forget_the_quiet();
            running.bots.kept.forget_the_idle();
        }
    });
    // Messages are small and somebody waits for each: none is held back to be sent with the next.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection stays slow");
        }
    });
    let serving = axum::serve(listener, service)
        .with_graceful_shutdown(server.stop.clone().cancelled_owned())
        .into_future();
    let mut serving = pin!(serving);
    let mut deadline = None;
    let result = tokio::select! {
        result = &mut serving => result,
        () = stop => {
            tracing::info!("stopping");
            server.stop.cancel();
            let end = *deadline.insert(Instant::now() + DRAIN);
            timeout_at(end, serving).await.unwrap_or_else(|_| {
                tracing::warn!("some requests did not end in time");
                Ok(())
            })
        }
    };
    server.close_by(deadline.unwrap_or_else(|| Instant::now() + DRAIN)).await;
    tracing::info!("stopped");
    result
}
