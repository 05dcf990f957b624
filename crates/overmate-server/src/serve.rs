//! Serves requests until the server is stopped. No acknowledged write is lost at the end.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::time::{Instant, timeout, timeout_at};

use crate::connections;
use crate::routes::{app, metrics_app};
use crate::server::{DRAIN, Server};
use crate::settings::ServerRole;

/// Interval at which the server removes idle matches and clients from memory.
const CLEANING_INTERVAL: Duration = Duration::from_mins(5);

/// Serves the path `/metrics` on a separate listener until the server stops.
pub fn serve_metrics(listener: TcpListener, server: &Server) {
    let running = server.clone();
    server.tasks.spawn(async move {
        let router = metrics_app(running.clone());
        connections::serve_metrics(listener, router, &running).await;
    });
}

/// Serves HTTP requests until the future `stop` completes. Then the listener closes, live
/// connections are closed with code 1012, running requests end, and the store closes.
pub async fn serve(
    listener: TcpListener,
    server: Server,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let running = server.clone();
    server.tasks.spawn(async move {
        while timeout(CLEANING_INTERVAL, running.stop.cancelled()).await.is_err() {
            running.remove_idle();
        }
    });
    let background = Arc::clone(&server.background);
    server.tasks.spawn(async move { background.run().await });
    let clocks = Arc::clone(&server.clocks);
    server.tasks.spawn(async move { clocks.run().await });
    let absences = Arc::clone(&server.absences);
    server.tasks.spawn(async move { absences.run().await });
    let lobby = Arc::clone(&server.lobby);
    server.tasks.spawn(async move { lobby.run().await });
    let people_here = Arc::clone(&server.people_here);
    server.tasks.spawn(async move { people_here.run().await });
    let events = Arc::clone(&server.events);
    server.tasks.spawn(async move { events.run().await });
    let push = server.push.clone();
    server.tasks.spawn(async move { push.run().await });
    // A server with the role `Web` only answers requests, and leaves the sending of e-mails to servers that do background work.
    if server.settings.role != ServerRole::Web {
        let mail = server.mail.clone();
        server.tasks.spawn(async move { mail.run().await });
    }
    let (acts, stopped) = (Arc::clone(&server.operator_acts), server.stop.clone());
    server.tasks.spawn(async move { acts.run(stopped).await });
    let mut serving = pin!(connections::serve(listener, app(server.clone()), &server));
    let is_over = tokio::select! {
        () = &mut serving => true,
        () = stop => false,
    };
    tracing::info!("stopping");
    server.begin_stop();
    let deadline = Instant::now() + DRAIN;
    if !is_over && timeout_at(deadline, serving).await.is_err() {
        tracing::warn!("some requests did not end in time before the stop of the server");
    }
    server.close_by(deadline).await;
    tracing::info!("stopped");
}
