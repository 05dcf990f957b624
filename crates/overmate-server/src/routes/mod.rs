//! The paths of the server, and what every request goes through.

mod analysis;
mod extract;
mod health;
mod identity;
mod invitations;
pub(crate) mod live;
mod matches;
mod rules;

use std::time::Instant;

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::error::ApiError;
use crate::server::Server;
use crate::{client, limits, openapi, origin, problems};

/// The routes of the interface, which are in the OpenAPI document too.
pub(crate) fn interface() -> OpenApiRouter<Server> {
    OpenApiRouter::with_openapi(openapi::base())
        .routes(routes!(rules::list))
        .routes(routes!(rules::facts))
        .routes(routes!(identity::identify))
        .routes(routes!(matches::list, matches::create))
        .routes(routes!(matches::read))
        .routes(routes!(matches::act))
        .routes(routes!(matches::resign))
        .routes(routes!(matches::undo))
        .routes(routes!(matches::hint))
        .routes(routes!(matches::rematch))
        .routes(routes!(matches::record))
        .routes(routes!(analysis::review))
        .routes(routes!(live::connect))
        .routes(routes!(invitations::look, invitations::join))
        .routes(routes!(analysis::analyse))
}

/// The whole server as a router, apart from serving it.
///
/// The address of a client comes from `ConnectInfo`; without it all requests are one client's.
pub fn app(server: Server) -> Router {
    let limits = server.settings.limits;
    let (interface, _) = OpenApiRouter::new().nest("/api/v1", interface()).split_for_parts();
    let interface = interface
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, limits.request_time));
    Router::new()
        .merge(interface)
        .route("/api/openapi.json", get(openapi::document))
        .route("/api/docs", get(openapi::page))
        .route("/api/docs/style.css", get(openapi::style))
        .route("/api/{*rest}", axum::routing::any(no_such_path))
        .route("/healthz", get(health::healthz))
        .route("/metrics", get(health::metrics))
        .fallback(client::serve)
        .layer(from_fn_with_state(server.clone(), origin::layer))
        .layer(from_fn_with_state(server.clone(), limits::layer))
        .layer(CatchPanicLayer::custom(|panic: Box<dyn std::any::Any + Send>| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            ApiError::internal(format!("a panic: {}", text.unwrap_or("without a text")))
                .into_response()
        }))
        .layer(from_fn(problems::write))
        .layer(from_fn_with_state(server.clone(), measure))
        .layer(from_fn(client::secure))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(TraceLayer::new_for_http().make_span_with(span).on_failure(()))
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .with_state(server)
}

async fn no_such_path() -> ApiError {
    ApiError::NotFound("path of the interface")
}

/// What all log lines of a request stand under. The path names no token: it is the route's.
fn span(request: &Request) -> tracing::Span {
    let id = request.headers().get("x-request-id").and_then(|id| id.to_str().ok());
    let route = request.extensions().get::<MatchedPath>().map_or("page", MatchedPath::as_str);
    tracing::info_span!(
        "request",
        method = %request.method(),
        route,
        id = id.unwrap_or_default(),
    )
}

/// Counts answers and their times, by route.
async fn measure(State(_): State<Server>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = route.unwrap_or_else(|| "page".to_owned());
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    metrics::counter!("overmate_requests_total", "route" => route.clone(), "status" => status)
        .increment(1);
    metrics::histogram!("overmate_request_seconds", "route" => route)
        .record(start.elapsed().as_secs_f64());
    response
}

/// The most seconds that a request may wait for a change.
pub(crate) const LONGEST_WAIT: u8 = 25;
