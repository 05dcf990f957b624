//! Serving, and a stop that loses nothing.

use std::pin::pin;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::time::{Instant, timeout, timeout_at};

use crate::connections;
use crate::server::{DRAIN, Server};

/// How often what nobody uses any more is forgotten.
const TIDYING: Duration = Duration::from_mins(5);

/// Serves until `stop` is over: then no new connections, live ones are closed with code 1012, requests that run end, and
/// then the store.
pub async fn serve(
    listener: TcpListener,
    server: Server,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let running = server.clone();
    server.tasks.spawn(async move {
        while timeout(TIDYING, running.stop.cancelled()).await.is_err() {
            running.limiter.forget_the_quiet();
            running.bots.kept.forget_the_idle();
        }
    });
    let mut serving = pin!(connections::serve(listener, &server));
    let is_over = tokio::select! {
        () = &mut serving => true,
        () = stop => false,
    };
    tracing::info!("stopping");
    server.stop.cancel();
    let deadline = Instant::now() + DRAIN;
    if !is_over && timeout_at(deadline, serving).await.is_err() {
        tracing::warn!("some requests did not end in time");
    }
    server.close_by(deadline).await;
    tracing::info!("stopped");
}
