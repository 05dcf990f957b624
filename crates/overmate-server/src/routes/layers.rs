//! Defines the middleware of all requests: identity, rate limit, request id, panic handling, tracing and metrics.

use std::any::Any;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::ApiError;
use crate::http::assets;
use crate::http::client::Client;
use crate::identity::bot_token;
use crate::identity::browser::{Identities, Presented, Program, SignedOut, requester};
use crate::limits::Limiter;
use crate::settings::Settings;

/// Prefix of the URL paths whose responses depend on the identity of the browser.
const INTERFACE: &str = "/api/v1/";

/// Verifies the identity cookie of a request, or the bot token of a program. The layer adds the identity to the extensions of the
/// request if this server issued the identity.
///
/// Pages and files need no identity, so that they are served even while the database is unavailable. For the unchanging files, the layer
/// does not even read the cookie: a verification reads the database, and browsers request many of these files.
pub(super) async fn identify(
    State(identities): State<Arc<Identities>>,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    if assets::is_unchanging(request.uri().path()) {
        return Ok(next.run(request).await);
    }
    if let Some(token) = bot_token::in_headers(request.headers())
        && request.uri().path().starts_with(INTERFACE)
    {
        let program = match identities.program(token).await? {
            Some(token) => {
                request.extensions_mut().insert(token);
                Program::Bot
            }
            // The bot token of the request is unknown. A later layer refuses the request, so that the request first counts against the rate
            // limits.
            None => Program::Unknown,
        };
        request.extensions_mut().insert(program);
        return Ok(next.run(request).await);
    }
    match identities.presented(request.headers()).await {
        Ok(Presented::Identity(token)) => {
            request.extensions_mut().insert(token);
        }
        Ok(Presented::SignedOut) => {
            request.extensions_mut().insert(SignedOut);
        }
        Ok(Presented::Nothing) => {}
        Err(error) if request.uri().path().starts_with(INTERFACE) => return Err(error),
        Err(error) => error.log(),
    }
    Ok(next.run(request).await)
}

/// Counts the requests of each client, and refuses requests beyond the client's rate limit.
///
/// The unchanging files of the web client have a higher limit of their own, in which only the networks of the client count: the server
/// does not read the identity of the browser. The files come from memory, and the first visit of a browser requests more than 150 of
/// them, so that a class behind one address would otherwise be refused.
///
/// The server delays each refusal, which slows down a client that repeats its request immediately.
/// The refusal also closes the connection, so that pipelined requests cost nothing.
pub(super) async fn limit(
    State(limiter): State<Arc<Limiter>>,
    State(settings): State<Arc<Settings>>,
    request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map(|ConnectInfo(address)| address.ip());
    let client = Client::of(request.headers(), peer, settings.behind_proxy);
    let client = client.with_browser(requester(request.extensions()));
    let is_file = assets::is_unchanging(request.uri().path());
    if let Err(error) = limiter.count(client, is_file) {
        tokio::time::sleep(settings.limits.refusal_time).await;
        return ([(header::CONNECTION, "close")], error).into_response();
    }
    next.run(request).await
}

/// Removes the request id that a client sent, because this server gives every request a new id.
pub(super) async fn remove_request_id(mut request: Request, next: Next) -> Response {
    request.headers_mut().remove("x-request-id");
    next.run(request).await
}

/// Converts a panic of a request handler to an internal server error.
#[allow(clippy::needless_pass_by_value, reason = "`CatchPanicLayer` passes the panic by value")]
pub(super) fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    ApiError::internal(format!("panic: {}", text.unwrap_or("no text"))).into_response()
}

/// Returns the tracing span for the log messages of a request. The span has the pattern of the route in place of the path, because
/// the path may contain a secret token.
pub(super) fn span(request: &Request) -> tracing::Span {
    let id = request.headers().get("x-request-id").and_then(|id| id.to_str().ok());
    let route = request.extensions().get::<MatchedPath>().map_or("page", MatchedPath::as_str);
    tracing::info_span!(
        "request",
        method = %request.method(),
        route,
        id = id.unwrap_or_default(),
    )
}

/// Records the number and the duration of responses in the metrics, separately for each route. Long polls have no duration there.
pub(super) async fn measure(request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = route.unwrap_or_else(|| "page".to_owned());
    // A long-polling request takes as long as nothing changes, which says nothing about the speed of the server.
    let waits = request.uri().query().is_some_and(|query| {
        query.split('&').any(|one| one.starts_with("wait=") && one != "wait=0")
    });
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    metrics::counter!("overmate_requests_total", "route" => route.clone(), "status" => status)
        .increment(1);
    if !waits {
        metrics::histogram!("overmate_request_seconds", "route" => route)
            .record(start.elapsed().as_secs_f64());
    }
    response
}
